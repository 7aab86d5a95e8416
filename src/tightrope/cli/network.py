"""`tightrope network`: counts of triangles, stars or edges of a graph, with edge privacy."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel, chosen
from tightrope.cli.options import Epsilon, Json, Ratio

if TYPE_CHECKING:
    from rich.console import Console


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
        int | None,
        typer.Option(
            "--nodes",
            metavar="N",
            min=3,
            help="The public number of nodes; without it, all that the file names.",
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

    Neighbors are graphs that differ in one edge. The nodes are public: so is
    their number. Edges from a node to itself are left out, and an edge that
    is listed twice counts once.

    Example: tightrope network friends.csv --count triangles --epsilon 1
    """
    from tightrope.applications.networks import Count, Method, Network, release_count
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.data import read_edges

    level = AskedLevel(epsilon, ratio).level()
    what = chosen(Count, count, f"--count to be one of {', '.join(Count)}")
    names = ", ".join(Method)
    way = None if method is None else chosen(Method, method, f"--method to be one of {names}")
    start = perf_counter()
    with working("reading and counting"):
        listed = read_edges(edges, nodes)
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
        "largest": found.largest,
        "evidence": found.evidence.value,
        "statement": found.statement,
        "neighbors": found.neighbors,
        "curator": private,
    }
    deliver(answer, lambda screen: _show(screen, answer), as_json=as_json)


def _curator(graph: Any, listed: Any, count: Any, level: Any) -> dict[str, Any]:
    """Figures that depend on the edges."""
    from tightrope.applications.networks import (
        count_of,
        global_mean_error,
        ladder_mean_error,
        ladder_widths,
        smooth_mean_error,
    )

    return {
        "true_count": count_of(graph, count),
        "edges": len(listed.first),
        "loops": listed.loops,
        "repeated": listed.repeated,
        "local_sensitivity": int(ladder_widths(graph, count)[0]),
        "ladder_mean_error": ladder_mean_error(graph, count, level),
        "smooth_mean_error": smooth_mean_error(graph, count, level),
        "global_mean_error": global_mean_error(graph.nodes, count, level),
    }


def _show(screen: Console, answer: dict[str, Any]) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number

    rows: list[tuple[str, object]] = [
        (answer["count"], f"{answer['answer']:,}"),
        ("level", f"ε = {answer['epsilon_text']}"),
        ("method", answer["method"]),
        ("protected", answer["neighbors"]),
        ("nodes", f"{answer['nodes']:,} (public)"),
        ("range", f"0 to {answer['largest']:,}"),
        ("proof", f"{answer['evidence']}: {answer['statement']}"),
    ]
    screen.print(facts(rows))
    private = answer["curator"]
    if private is not None:
        paragraph(screen, "Curator only, not private:")
        screen.print(facts([
            ("  true count", f"{private['true_count']:,}"),
            ("  edges", f"{private['edges']:,}; left out: {private['loops']:,} loops, "
             f"{private['repeated']:,} repeated"),
            ("  one edge here", f"changes the count by up to {private['local_sensitivity']:,}"),
            ("  mean error", f"ladder {number(private['ladder_mean_error'])}, "
             f"smooth {number(private['smooth_mean_error'])}, "
             f"global {number(private['global_mean_error'])}"),
        ]))
    paragraph(screen, "Releasing another count of the same graph adds its ε to this one.")
