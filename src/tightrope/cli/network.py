"""`tightrope network`: counts of triangles, stars or edges of a graph, with edge privacy."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Context
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel, chosen
from tightrope.cli.options import Epsilon, Json, Ratio
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.data import NodeSet

_LONGEST_NUMBER = 30
_TABLE_AND_COLUMN = re.compile(r"(.*\.(?:csv|tsv|parquet|pq)):(.+)", re.IGNORECASE | re.DOTALL)


def network(
    edges: Annotated[
        Path,
        typer.Argument(
            metavar="EDGES",
            help="The graph: .csv, .tsv, .parquet, .graphml, or text with two ids a line.",
        ),
    ],
    count: Annotated[
        str,
        typer.Option(
            "--count", metavar="WHAT", help="What to count: triangles, stars2, stars3 or edges."
        ),
    ],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="NAME",
            help="ladder, smooth or global; without it the number of nodes decides.",
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
    from tightrope.applications.networks import (
        Count,
        Method,
        Network,
        check_nodes,
        release_count,
        worst_mean_error,
    )
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.data import read_edges

    level = AskedLevel(epsilon, ratio).level()
    what = chosen(Count, count, f"--count to be one of {', '.join(Count)}")
    names = ", ".join(Method)
    way = None if method is None else chosen(Method, method, f"--method to be one of {names}")
    start = perf_counter()
    with working("reading and counting"):
        declared, told = _declared(edges, nodes, nodes_are_public, header)
        check_nodes(declared.size)
        listed = read_edges(edges, declared, header=bool(header))
        graph = Network(listed.nodes, listed.first, listed.second)
        found = release_count(graph, what, level, way)
        private = _curator(graph, listed, what, level) if curator else None
    if private is not None:  # time depends on the edges, too
        private["seconds"] = perf_counter() - start
    answer = {
        "answer": found.answer,
        "epsilon": float(level),
        "epsilon_text": level.text,
        "method": found.method.value,
        "count": what.value,
        "nodes": found.nodes,
        "node_set": told,
        "largest": found.largest,
        "worst_mean_error": worst_mean_error(found.nodes, what, level, found.method),
        "evidence": found.evidence.value,
        "statement": found.statement,
        "neighbors": found.neighbors,
        "curator": private,
    }
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _declared(
    edges: Path, nodes: str | None, public: bool, header: bool | None
) -> tuple[NodeSet, str]:
    """The nodes that were declared, and what is said of them."""
    from tightrope.data import NodeSet, named_nodes, read_nodes

    if (nodes is not None) == public:
        found = "found both" if public else "found neither"
        raise BadInput(
            "say once which nodes there are: --nodes FILE (a list of ids), --nodes N (the ids "
            f"1 to N), or --nodes-are-public (the ids that {edges} names); {found}."
        )
    if nodes is None:
        if header is None and edges.suffix.lower() in (".csv", ".tsv"):
            raise BadInput(
                f"--nodes-are-public needs to know whether the first line of {edges} holds the "
                "names of its columns (--header) or an edge (--no-header)."
            )
        return named_nodes(edges, header=bool(header)), f"the ids that {edges} names"
    if nodes.isascii() and nodes.isdigit():
        if len(nodes) > _LONGEST_NUMBER:
            raise BadInput(f"--nodes is a number of {len(nodes)} digits: use a smaller graph.")
        return NodeSet.numbered(int(nodes)), f"the ids 1 to {int(nodes):,}"
    named = _TABLE_AND_COLUMN.fullmatch(nodes)
    file, column = named.groups() if named else (nodes, None)
    return read_nodes(file, column), f"the ids in {nodes}"


def _curator(graph: Any, listed: Any, count: Any, level: Any) -> dict[str, Any]:
    """Figures that depend on the edges."""
    from tightrope.applications.networks import Method, count_of, ladder_widths, mean_error

    return {
        "true_count": count_of(graph, count),
        "edges": len(listed.first),
        "loops": listed.loops,
        "repeated": listed.repeated,
        "strangers": listed.strangers,
        "unreadable": listed.unreadable,
        "local_sensitivity": int(ladder_widths(graph, count)[0]),
        **{f"{way}_mean_error": mean_error(graph, count, level, way) for way in Method},
    }


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number

    rows: list[tuple[str, object]] = [
        (answer["count"], f"{answer['answer']:,}"),
        ("level", f"ε = {answer['epsilon_text']}"),
        ("method", answer["method"]),
        ("protected", answer["neighbors"]),
        ("nodes", f"{answer['nodes']:,}, public: {answer['node_set']}"),
        ("range", f"0 to {answer['largest']:,}"),
        ("mean error", f"at most {_rounded_up(answer['worst_mean_error'])}, whatever the edges"),
        ("proof", f"{answer['evidence']}: {answer['statement']}"),
    ]
    screen.print(facts(rows))
    private = answer["curator"]
    if private is not None:
        paragraph(screen, "Curator only, not private:")
        screen.print(facts([
            ("  true count", f"{private['true_count']:,}"),
            ("  edges", f"{private['edges']:,}"),
            ("  left out", f"{private['strangers']:,} rows that name another id, "
             f"{private['unreadable']:,} without two ids, {private['loops']:,} loops, "
             f"{private['repeated']:,} repeated"),
            ("  one edge here", f"changes the count by up to {private['local_sensitivity']:,}"),
            ("  mean error here", f"ladder {number(private['ladder_mean_error'])}, "
             f"smooth {number(private['smooth_mean_error'])}, "
             f"global {number(private['global_mean_error'])}"),
        ]))
    paragraph(screen, "Releasing another count of the same graph adds its ε to this one.")


def _rounded_up(value: float) -> str:
    """A bound in four digits that still is one."""
    short = Context(prec=4, rounding=ROUND_CEILING).create_decimal_from_float(value)
    return f"{float(short):.4g}"
