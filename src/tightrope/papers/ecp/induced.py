"""ECP, Section 3: the metric that a query induces on its answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import cos, pi, sin

from tightrope.constructions import truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Dots, Panel, Strokes, Tint
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import MetricQuery, Space, complete, counts, hamming, path, query, sums
from tightrope.theory import induced_query, uniform_sensitivity


def _oblivious(
    *, people: int = 3, ratio: Fraction = Fraction(2), metric: str = "path"
) -> Finding:
    answers: Space = path(0, people) if metric == "path" else complete(people + 1)
    asked = query(hamming(values=2, people=people), answers, _total)
    level = Level.ratio(ratio)
    told = finite(truncated_geometric(path(0, people), level).mechanism)
    rows = [list(told.row_at(k)) for k in range(people + 1)]
    noise = MatrixMechanism(answers, answers.points, Weights.from_fractions(rows))
    seen = [rows[v] for v in asked.values]
    whole = MatrixMechanism(asked.datasets, answers.points, Weights.from_fractions(seen))
    first, second = smallest_level(noise, answers), smallest_level(whole, asked.datasets)
    assert not isinstance(first, Refutation)
    assert not isinstance(second, Refutation)
    return finding(
        "if f is uniformly Δ-sensitive, H has level ε if and only if H∘f has level Δε",
        f"how many of {people} people, answers in the metric of the {metric}: uniformly "
        f"1-sensitive {uniform_sensitivity(asked).holds}; level of H {first.upper:.6f}, of H∘f "
        f"{second.upper:.6f}",
        uniform_sensitivity(asked).holds and first.exact == second.exact == level,
        "decided on all pairs of datasets and of answers.",
    )


def _total(x: object) -> int:
    return sum(x)  # type: ignore[call-overload, no-any-return]


def _same_metric(asked: MetricQuery, other: Space) -> tuple[int, int]:
    """How many pairs of answers are as far apart in both, and of how many."""
    here = asked.codomain
    pairs = list(product(range(here.size), repeat=2))
    places = [other.index(label) for label in here.points]
    same = sum(here.distance(i, j) == other.distance(places[i], places[j]) for i, j in pairs)
    return same, len(pairs)


def _two_counts(people: int, kinds: int = 4) -> MetricQuery:
    """Two counts of so many people: neither property, the first, the second, or both."""
    return induced_query(
        hamming(values=kinds, people=people),
        lambda x: (sum(v in (1, 3) for v in x), sum(v in (2, 3) for v in x)),  # type: ignore[union-attr]
    )


def _graph(title: str, asked: MetricQuery) -> Panel:
    """The answers, and an edge between those one apart: numbers on a line, pairs on a grid."""
    answers = asked.codomain
    spots = [_spot(label) for label in answers.points]
    edges = tuple(_edge(spots[i], spots[j]) for i, j in combinations(range(answers.size), 2)
                  if answers.distance(i, j) == 1)
    names = tuple(str(label).replace(" ", "") for label in answers.points)
    return Panel(title, (Strokes("", edges, Tint.FAINT), Dots("", tuple(spots), labels=names)),
                 framed=False, equal=True)


def _spot(label: object) -> tuple[float, float]:
    return (float(str(label)), 0.0) if not isinstance(label, tuple) else (
        float(label[0]), float(label[1]))


def _edge(start: tuple[float, float], end: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """A straight edge, or an arc over the answers between."""
    half = (end[0] - start[0]) / 2
    if start[1] or end[1] or half <= _HALF:
        return start, end
    return tuple((start[0] + half * (1 - cos(pi * k / 16)), 0.7 * half * sin(pi * k / 16))
                 for k in range(17))


_HALF = 0.5


def _figure_one(*, people: int = 3, overlap: bool = True) -> Finding:
    count = induced_query(hamming(values=2, people=people), _total)
    line = _same_metric(count, path(0, people))
    two = _two_counts(people, 4 if overlap else 3)
    grid = _same_metric(two, counts(people=people, queries=2))
    return finding(
        "a count induces a line; two counts a grid whose diagonals are steps too",
        f"{people} people: one count agrees with a path at {line[0]} of {line[1]} pairs; two "
        f"counts with the largest coordinate at {grid[0]} of {grid[1]}",
        line[0] == line[1] and grid[0] == grid[1],
        "by the neighbors of all databases; the third query of the figure is not legible.",
        chart=Chart((_graph("one count", count), _graph("two counts", two))),
    )


def _figure_five(*, people: int = 3, maximum: int = 3, whole: bool = True) -> Finding:
    step = 1 if whole else maximum
    asked = induced_query(
        hamming(values=maximum // step + 1, people=people), lambda x: step * _total(x)
    )
    there, two = sums(people=people, maximum=maximum), _two_counts(people)
    same, pairs = _same_metric(asked, there)
    grid = _same_metric(two, counts(people=people, queries=2))
    return finding(
        "sums i and j are adjacent if and only if |i - j| <= v; two counts if both differ by at "
        "most 1",
        f"{people} people with values up to {maximum}: {asked.codomain.size} sums, the distance "
        f"⌈|i - j|/{maximum}⌉ at {same} of {pairs} pairs; two counts, the largest difference at "
        f"{grid[0]} of {grid[1]}",
        asked.codomain.size == people * maximum + 1 and same == pairs and grid[0] == grid[1],
        "by the neighbors of all databases.",
        chart=Chart((_graph(f"(a) sum query, v = {maximum}", asked),
                     _graph("(b) 2-count query", two))),
    )


ITEMS = (
    Item("ecp", "theorem-1", "Oblivious mechanisms", Verdict.CONFIRMED, _oblivious,
         varied={"ratio": Fraction(3)}, dropped={"metric": "complete"}),
    Item("ecp", "figure-1", "Graphs that queries induce", Verdict.CONFIRMED, _figure_one,
         varied={"people": 2}, dropped={"overlap": False}, pictured=True),
    Item("ecp", "figure-5", "The graph of the sum query", Verdict.CONFIRMED, _figure_five,
         varied={"people": 2}, dropped={"whole": False}, pictured=True),
)
