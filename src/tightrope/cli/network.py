"""`tightrope network`: counts or degrees of a graph, with edge or node privacy."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Directed, Method, Protect, Statistic
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import (
    LINES,
    Epsilon,
    Force,
    Json,
    OutputFile,
    PlotFile,
    Ratio,
    choice,
    flag,
    value,
)
from tightrope.errors import BadInput
from tightrope.facts import data

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.networks import EdgeRelease
    from tightrope.tables import NodeSet


def network(
    edges: Annotated[
        Path,
        typer.Argument(
            metavar="EDGES",
            help="The graph: .csv, .tsv, .parquet, .graphml, or text with two ids a line. "
            f"{LINES}",
        ),
    ],
    count: Annotated[Statistic, choice("--count", "What to count.")],
    nodes: Annotated[str, value(
        "--nodes", "FILE|A..B|public", "All nodes: a file with an id in each line (or "
        "table.csv:column), whole numbers such as 0..33, or public: those that EDGES names, and "
        "that is no secret.")],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    method: Annotated[Method | None, choice(
        "--method", "How it is protected; without it the number of nodes decides.")] = None,
    protect: Annotated[Protect, choice(
        "--protect", "Single edges, or all edges of a node (needs --max-degree).",
        default=True)] = Protect.EDGES,
    max_degree: Annotated[int | None, value(
        "--max-degree", "D", "With --protect nodes: edges beyond D at a node are left out. With "
        "--count degrees: the largest degree that is told apart. Choose it without "
        "looking.")] = None,
    radius: Annotated[int, value(
        "--radius", "R", "With --method privacy-first: how far off an answer may be and still be "
        "right (the δ of Theorem 3; 0 is Theorem 2).", default=True)] = 0,
    header: Annotated[bool | None, choice(
        "--header/--no-header", "Whether the first line of EDGES holds names of columns; --nodes "
        "public needs to know for .csv and .tsv.")] = None,
    directed: Annotated[Directed | None, choice(
        "--directed", "Rows of EDGES are arrows: nodes are joined by one either way, or only by "
        "arrows both ways. Without it rows are edges without direction.")] = None,
    curator: Annotated[bool, flag(
        "--curator",
        "Also tell the true count and errors that depend on the graph (not private).")] = False,
    *,
    books: AskedBooking,
    output: OutputFile = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Release a count or the degrees of a graph, so that nobody can be sure of any edge.

    Neighbors are all graphs on the same nodes that differ in one edge, or
    with --protect nodes in the edges at one node: a node is rewired, none is
    added or removed. Which nodes there are is public and must be said.
    Left out without a word are edges that name another id, edges from a node
    to itself, repetitions, and rows without two ids; --curator counts them.

    -o keeps the mechanism with its proof, not the answer; like --plot (mean
    errors by method, or the released degrees) it shows public figures alone.

    Example: tightrope network friends.csv --nodes people.txt --count triangles --epsilon 1
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart
    from tightrope.networks import release_edges

    level = AskedLevel(epsilon, ratio).level()
    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    start = perf_counter()
    with books.account() as account, working("reading and counting"):
        declared = _node_set(edges, nodes, header, directed is not None)
        result = release_edges(
            edges, declared, count, level, method=method, protect=protect, max_degree=max_degree,
            radius=radius, header=bool(header), directed=directed, curator=curator, account=account,
        )
        picture.draw(lambda: _figure(result))
    document.keep(result.answer.certified)
    told = result.facts().also(document.fact, picture.fact)
    if result.curator is not None:  # time depends on the edges, too
        told = told.also(*data(
            curator={**result.curator.as_json(), "seconds": perf_counter() - start}))
    tell(told, as_json=as_json)


def _node_set(edges: Path, nodes: str, header: bool | None, directed: bool) -> NodeSet:
    """The nodes that were declared."""
    from tightrope.tables import declared_nodes, named_nodes

    if nodes != "public":
        return declared_nodes(nodes)
    if header is None and edges.suffix.lower() in (".csv", ".tsv"):
        raise BadInput(
            f"--nodes public needs to know whether the first line of {edges} holds the names of "
            "its columns (--header) or an edge (--no-header)."
        )
    return named_nodes(edges, header=bool(header), directed=directed)


def _figure(result: EdgeRelease) -> Figure:
    """A picture of public figures alone."""
    from tightrope.networks import DegreeAnswer, error_curves
    from tightrope.plots import degree_figure, network_error_figure

    answer = result.answer
    about = f"{answer.nodes:,} nodes, {answer.protect} protected at ε = {float(answer.level):.4g}"
    if isinstance(answer, DegreeAnswer):
        return degree_figure(
            answer.histogram, answer.intervals, answer.at_least, answer.at_least_intervals,
            title=f"Released degrees of a graph on {about}",
        )
    counted = f"{answer.count}{' of cut graphs' * (answer.protect is Protect.NODES)}"
    return network_error_figure(
        error_curves(answer), chosen=(float(answer.level), answer.worst_mean_error),
        title=f"Error of {counted}: {about}",
    )
