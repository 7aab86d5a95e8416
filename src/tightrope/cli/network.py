"""`tightrope network`: counts or degrees of a graph, with edge or node privacy."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Directed, Method, Protect, Statistic
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking, booking_line
from tightrope.cli.options import LINES, Epsilon, Force, Json, OutputFile, PlotFile, Ratio
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.networks import CuratorFigures, DegreeAnswer, EdgeRelease
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
    count: Annotated[Statistic, typer.Option("--count", help="What to count.")],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    method: Annotated[
        Method | None,
        typer.Option(
            "--method",
            help="How it is protected; without it the number of nodes decides.",
            show_default=False,
        ),
    ] = None,
    protect: Annotated[
        Protect,
        typer.Option(
            "--protect", help="Single edges, or all edges of a node (needs --max-degree)."
        ),
    ] = Protect.EDGES,
    max_degree: Annotated[
        int | None,
        typer.Option(
            "--max-degree",
            metavar="D",
            help="With --protect nodes: edges beyond D at a node are left out. With --count "
            "degrees: the largest degree that is told apart. Choose it without looking.",
            show_default=False,
        ),
    ] = None,
    radius: Annotated[
        int,
        typer.Option(
            "--radius",
            metavar="R",
            help="With --method privacy-first: how far off an answer may be and still be right "
            "(the δ of Theorem 3; 0 is Theorem 2).",
        ),
    ] = 0,
    nodes: Annotated[
        str | None,
        typer.Option(
            "--nodes",
            metavar="FILE|A..B",
            help="All nodes: a file with an id in each line (or table.csv:column), or whole "
            "numbers from one to another, such as 0..33 or 1..34.",
            show_default=False,
        ),
    ] = None,
    nodes_are_public: Annotated[
        bool,
        typer.Option(
            "--nodes-are-public",
            metavar="",
            help="Instead of --nodes: all nodes are those that EDGES names, and that is no secret.",
        ),
    ] = False,
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether the first line of EDGES holds names of columns; --nodes-are-public "
            "needs to know for .csv and .tsv.",
            show_default=False,
        ),
    ] = None,
    directed: Annotated[
        Directed | None,
        typer.Option(
            "--directed",
            help="Rows of EDGES are arrows: nodes are joined by one either way, or only by arrows "
            "both ways. Without it rows are edges without direction.",
            show_default=False,
        ),
    ] = None,
    adjusted: Annotated[
        bool,
        typer.Option(
            "--adjusted",
            metavar="",
            help="With --count degrees: also whole numbers that are not below 0 and add up, which "
            "are not unbiased.",
        ),
    ] = False,
    curator: Annotated[
        bool,
        typer.Option(
            "--curator",
            metavar="",
            help="Also tell the true count and errors that depend on the graph (not private).",
        ),
    ] = False,
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
    added or removed. Which nodes there are is public and must be said: --nodes
    or --nodes-are-public.
    Left out without a word are edges that name another id, edges from a node
    to itself, repetitions, and rows without two ids; --curator counts them.

    -o keeps the mechanism with its proof, not the answer; like --plot (mean
    errors by method, or the released degrees) it shows public figures alone.

    Example: tightrope network friends.csv --nodes people.txt --count triangles --epsilon 1
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart
    from tightrope.networks import release_edges

    level = AskedLevel(epsilon, ratio).level()
    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    start = perf_counter()
    with books.account() as account, working("reading and counting"):
        declared = _declared(edges, nodes, nodes_are_public, header, directed is not None)
        found = release_edges(
            edges, declared, count, level, method=method, protect=protect, max_degree=max_degree,
            radius=radius, header=bool(header), directed=directed, curator=curator, account=account,
        )
        picture.draw(lambda: _figure(found))
    document.keep(found.answer.certified)
    answer = {**found.as_json(), "file": document.name, "picture": picture.name}
    if curator:  # time depends on the edges, too
        answer["curator"]["seconds"] = perf_counter() - start
    if not adjusted:
        answer.pop("adjusted", None)
    deliver(answer, lambda screen: _show(screen, found, document.name, adjusted), as_json=as_json)


def _declared(
    edges: Path, nodes: str | None, public: bool, header: bool | None, directed: bool
) -> NodeSet:
    """The nodes that were declared, once."""
    from tightrope.tables import declared_nodes, named_nodes

    if (nodes is not None) == public:
        found = "found both" if public else "found neither"
        raise BadInput(
            "say once which nodes there are: --nodes FILE, --nodes 1..N or 0..N, or "
            f"--nodes-are-public (those that {edges} names); {found}."
        )
    if nodes is not None:
        return declared_nodes(nodes)
    if header is None and edges.suffix.lower() in (".csv", ".tsv"):
        raise BadInput(
            f"--nodes-are-public needs to know whether the first line of {edges} holds the "
            "names of its columns (--header) or an edge (--no-header)."
        )
    return named_nodes(edges, header=bool(header), directed=directed)


def _show(screen: Console, found: EdgeRelease, file: str | None, adjusted: bool) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.networks import DegreeAnswer

    answer = found.answer
    nodes = f"{answer.nodes:,}, public: {found.node_set}"
    rows: list[tuple[str, object]]
    if isinstance(answer, DegreeAnswer):
        _show_degrees(screen, answer, adjusted)
        one, two = answer.mean_errors
        rows = [
            ("level", f"ε = {answer.level.text}"),
            ("protected", answer.neighbors),
            ("nodes", nodes),
            ("edges", found.edges_are),
            ("mean error", f"{one:.4g} of the numbers of nodes with at least 1, 2, ... edges; "
             f"{two:.4g} of their differences; whatever the edges"),
        ]
    else:
        rows = [
            (answer.count.value, f"{answer.answer:,}"
             + " (may be noise, below its error)" * (answer.answer <= answer.worst_mean_error)),
            ("level", f"ε = {answer.level.text}"),
            ("method", answer.method.value + f", radius {answer.radius}" * bool(answer.radius)),
            ("protected", answer.neighbors),
            ("nodes", nodes),
            ("edges", found.edges_are),
            ("range", f"0 to {answer.largest:,}"),
            ("mean error", f"at most {_rounded_up(answer.worst_mean_error)}, whatever the edges"),
        ]
    rows += [("cut", _cut(found)), ("proof", f"{answer.evidence.value}: {answer.statement}"),
             ("file", file)]
    screen.print(facts(rows))
    if found.curator is not None:
        paragraph(screen, "Curator only, not private:")
        screen.print(facts(_private(found.curator)))
    paragraph(screen, "Releasing more of the same graph adds its ε to this one. "
              + booking_line(answer.booked))


def _show_degrees(screen: Console, answer: DegreeAnswer, adjusted: bool) -> None:
    """A table of degrees; a number whose interval reaches 0 is marked."""
    from tightrope.cli.report import table

    columns = ["edges", "nodes", "95 % interval", ""] + ["adjusted"] * adjusted
    rows = []
    for k, (z, (low, high)) in enumerate(zip(answer.histogram, answer.intervals, strict=True)):
        mark = "may be 0" if low <= 0 else ""
        rows.append([f"{k:,}", f"{z:,}", f"{low:,} to {high:,}", mark,
                     *[f"{answer.adjusted[k]:,}"] * adjusted])
    screen.print(table(columns, rows))


def _cut(found: EdgeRelease) -> str | None:
    """What became of large degrees, said whether there are any or not."""
    answer = found.answer
    if answer.max_degree is None:
        return None
    if answer.protect is Protect.NODES:
        return (
            f"edges beyond {answer.max_degree:,} at a node are left out first; answer and error "
            "are about what is left, and whether anything was left out is not told"
        )
    return f"degrees from {answer.max_degree:,} on are counted as {answer.max_degree:,}"


def _private(private: CuratorFigures) -> list[tuple[str, object]]:
    from tightrope.cli.wording import number

    errors = [f"{way} {number(error)}" for way, error in (private.mean_errors or {}).items()]
    local, count, sets = private.local_sensitivity, private.true_count, private.sets
    return [
        ("  true count", None if count is None else f"{count:,}"),
        ("  edges", f"{private.edges:,}, {private.beyond:,} of them beyond the largest degree"
         if private.beyond else f"{private.edges:,}"),
        ("  largest degree", f"{private.largest_degree:,}"),
        ("  left out", f"{private.strangers:,} rows that name another id, "
         f"{private.unreadable:,} without two ids, {private.loops:,} loops, "
         f"{private.repeated:,} repeated"),
        ("  one edge here", None if local is None else f"changes the count by up to {local:,}"),
        ("  mean error here", ", ".join(errors) or None),
        ("  edges away", None if sets is None else [
            f"{t}: {', '.join(map(str, held)) or 'nothing'}" for t, held in enumerate(sets)]),
    ]


def _figure(found: EdgeRelease) -> Figure:
    """A picture of public figures alone."""
    from tightrope.networks import DegreeAnswer, error_curves
    from tightrope.plots import degree_figure, network_error_figure

    answer = found.answer
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


def _rounded_up(value: float) -> str:
    """A bound in four digits that still is one."""
    short = Context(prec=4, rounding=ROUND_CEILING).create_decimal_from_float(value)
    return f"{float(short):.4g}"
