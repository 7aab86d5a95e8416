"""`tightrope network`: counts of triangles, stars or edges of a graph, with edge privacy."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Count, Method
from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Epsilon, Json, Ratio
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.applications.networks import EdgeRelease
    from tightrope.data import NodeSet


def network(
    edges: Annotated[
        Path,
        typer.Argument(
            metavar="EDGES",
            help="The graph: .csv, .tsv, .parquet, .graphml, or text with two ids a line.",
        ),
    ],
    count: Annotated[Count, typer.Option("--count", help="What to count.")],
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
    nodes: Annotated[
        str | None,
        typer.Option(
            "--nodes",
            metavar="FILE|N",
            help="All nodes: a file with an id in each line (or table.csv:column), or a number "
            "N, which means the ids 1 to N. A file whose name is a number: ./77.",
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
    curator: Annotated[
        bool,
        typer.Option(
            "--curator",
            metavar="",
            help="Also tell the true count and errors that depend on the graph (not private).",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Release one count of a graph, so that nobody can be sure of any edge.

    Neighbors are all graphs on the same nodes that differ in one edge. Which
    nodes there are is public and must be said: --nodes or --nodes-are-public.
    Left out without a word are edges that name another id, edges from a node
    to itself, repetitions, and rows without two ids; --curator counts them.

    Example: tightrope network friends.csv --nodes people.txt --count triangles --epsilon 1
    """
    from tightrope.applications.networks import release_edges
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver

    level = AskedLevel(epsilon, ratio).level()
    start = perf_counter()
    with working("reading and counting"):
        declared = _declared(edges, nodes, nodes_are_public, header)
        found = release_edges(
            edges, declared, count, level, method=method, header=bool(header), curator=curator
        )
    answer = found.as_json()
    if curator:  # time depends on the edges, too
        answer["curator"]["seconds"] = perf_counter() - start
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)


def _declared(edges: Path, nodes: str | None, public: bool, header: bool | None) -> NodeSet:
    """The nodes that were declared, once."""
    from tightrope.data import declared_nodes, named_nodes

    if (nodes is not None) == public:
        found = "found both" if public else "found neither"
        raise BadInput(
            "say once which nodes there are: --nodes FILE (a list of ids), --nodes N (the ids "
            f"1 to N), or --nodes-are-public (the ids that {edges} names); {found}."
        )
    if nodes is not None:
        return declared_nodes(nodes)
    if header is None and edges.suffix.lower() in (".csv", ".tsv"):
        raise BadInput(
            f"--nodes-are-public needs to know whether the first line of {edges} holds the "
            "names of its columns (--header) or an edge (--no-header)."
        )
    return named_nodes(edges, header=bool(header))


def _show(screen: Console, found: EdgeRelease) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number

    answer, private = found.answer, found.curator
    rows: list[tuple[str, object]] = [
        (answer.count.value, f"{answer.answer:,}"),
        ("level", f"ε = {answer.level.text}"),
        ("method", answer.method.value),
        ("protected", answer.neighbors),
        ("nodes", f"{answer.nodes:,}, public: {found.node_set}"),
        ("range", f"0 to {answer.largest:,}"),
        ("mean error", f"at most {_rounded_up(answer.worst_mean_error)}, whatever the edges"),
        ("proof", f"{answer.evidence.value}: {answer.statement}"),
    ]
    screen.print(facts(rows))
    if private is not None:
        errors = ", ".join(f"{way} {number(error)}" for way, error in private.mean_errors.items())
        paragraph(screen, "Curator only, not private:")
        screen.print(facts([
            ("  true count", f"{private.true_count:,}"),
            ("  edges", f"{private.edges:,}"),
            ("  left out", f"{private.strangers:,} rows that name another id, "
             f"{private.unreadable:,} without two ids, {private.loops:,} loops, "
             f"{private.repeated:,} repeated"),
            ("  one edge here", f"changes the count by up to {private.local_sensitivity:,}"),
            ("  mean error here", errors),
        ]))
    paragraph(screen, "Releasing another count of the same graph adds its ε to this one.")


def _rounded_up(value: float) -> str:
    """A bound in four digits that still is one."""
    short = Context(prec=4, rounding=ROUND_CEILING).create_decimal_from_float(value)
    return f"{float(short):.4g}"
