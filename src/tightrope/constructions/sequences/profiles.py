"""Profile of a query: its sensitivities, the sets that mechanisms make of it, and their utility.

Global and local sensitivity, linear, monotone, permutation and identity queries are Definitions
9 to 12 of WXH; Theorems 1 to 6 draw from the sets of answers around each dataset, and those of
Theorem 2 are the table of Algorithm 1. At a level every dataset x has P(d(f(x), answer) <= T) and
the mean of d(f(x), answer): the utility of Section 3.3, as a function of parameters in Section 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.characters import label_text, shorten
from tightrope.constructions.obstacles import refuse
from tightrope.constructions.sequences.offers import OFFERS, Offer
from tightrope.constructions.sequences.set_sequences import NEVER, SetSequences
from tightrope.constructions.sequences.solving import QueryTask, solve_sets
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, Surd, stated
from tightrope.facts import (
    Column,
    Fact,
    Facts,
    Shown,
    Table,
    brief_text,
    card_of,
    data,
    lines_of,
)
from tightrope.mechanisms import finite
from tightrope.spaces import Label, MetricQuery, label_to_json
from tightrope.utility import Problem, Solution


@dataclass(frozen=True)
class QueryProfile:
    """A query, the sets of one construction, and its mechanism at a level, if asked for.

    `within` is the distance T of P(d(f(x), answer) <= T).
    """

    query: MetricQuery
    construction: str | None = None
    sets: SetSequences | None = None
    solution: Solution | None = None
    within: Fraction | None = None

    def utility(self, x: int) -> tuple[float, float | None] | None:
        """The mean distance of the answer at dataset x, and the chance that it is within T."""
        if self.solution is None:
            return None
        row = finite(self.solution.mechanism).row_at(x)
        places = [self.query.codomain.index(r) for r in self.solution.problem.answers]
        lengths = [self.query.lengths[rank] for rank in self.query.ranks[x, places].tolist()]
        mean = sum(float(p) * float(length) for p, length in zip(row, lengths, strict=True))
        if self.within is None:
            return mean, None
        near = sum((p for p, length in zip(row, lengths, strict=True)
                    if length <= Surd.of(self.within)), Fraction(0))
        return mean, float(near)

    @property
    def steepest(self) -> tuple[Label, Label] | None:
        """Two neighbors whose values differ most; None if no neighbors differ."""
        pairs, ranks = self.query.neighbors, self.query.ranks[:, list(self.query.values)]
        far = ranks[pairs.first, pairs.second]
        if not len(far) or not far.max():
            return None
        k, points = int(np.argmax(far)), self.query.datasets.points
        return points[int(pairs.first[k])], points[int(pairs.second[k])]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which of the words linear, monotone, permutation and identity the query deserves."""
        query = self.query
        known = (("linear", query.is_linear), ("monotone", query.is_monotone),
                 ("permutation", query.is_permutation), ("identity", query.is_identity))
        return tuple(word for word, holds in known if holds)

    def local(self, x: int) -> tuple[str, ...]:
        """The local sensitivity of dataset x at distance 0, 1, … as long as it grows."""
        widths = self.query.ladder(x)
        last = widths.index(widths[-1])
        return tuple(str(self.query.lengths[width]) for width in widths[: last + 1])

    def sets_of(self, x: int) -> list[tuple[str, tuple[Label, ...]]]:
        """The index of every set around dataset x, and the answers in it."""
        if self.sets is None:
            return []
        sets: dict[int, list[Label]] = {}
        for step, answer in zip(self.sets.indices[x].tolist(), self.query.codomain.points,
                                strict=True):
            if step != NEVER:
                sets.setdefault(step, []).append(answer)
        return [(_index(step, self.sets.fineness), tuple(sets[step])) for step in sorted(sets)]

    def facts(self) -> Facts:
        """The sensitivities, the kind of query, and every dataset with its sets."""
        query, steepest, uneven = self.query, self.steepest, self.query.uneven
        between = "" if steepest is None else (
            f", between {label_text(steepest[0])} and {label_text(steepest[1])}")
        other = None if uneven is None else (
            f"one step from {label_text(uneven[0])} changes the value by other amounts than one "
            f"from {label_text(uneven[1])}")
        columns = (Column("dataset", "dataset", words=True), Column("value", "value", words=True),
                   Column("local", "local sensitivity at 0, 1, …", words=True),
                   Column("sets", None if self.sets is None else "sets", words=True),
                   Column("mean", None if self.solution is None else "mean distance"),
                   Column("near", None if self.within is None else f"within {self.within}"))
        return Facts(
            "QueryProfile",
            f"a query on {query.datasets.size:,} datasets, {query.codomain.size:,} values",
            (Fact("sensitivity", "sensitivity", Shown(
                str(query.global_sensitivity), f"{query.global_sensitivity}{between}")),
             Fact("kinds", "kind", Shown(
                 self.kinds, ", ".join(self.kinds) or "neither linear nor monotone")),
             Fact("uneven", "not linear", uneven and Shown(_labels(uneven), other or ""),
                  detail=True),
             Fact("construction", "sets", self.construction, detail=True),
             *self._level_facts(),
             Fact("space", "datasets", brief_text(query.datasets.text)),
             Fact("values", "values", Shown(
                 query.codomain.text, f"at most {query.lengths[-1]} apart")),
             *data(steepest=steepest and _labels(steepest)),
             Table("rows", "", columns, tuple(map(self._row, range(query.datasets.size))),
                   listed=0)),
        )

    def _level_facts(self) -> tuple[Fact, ...]:
        """The level that was proved, and the expected loss there."""
        if self.solution is None:
            return data(level=None, smallest=None, loss=None)
        smallest = self.solution.certified.certificate.smallest
        least = None if smallest is None else smallest.upper
        return (Fact("level", "level", Shown(
                    self.solution.problem.level.text, f"{self.solution.problem.level!s} proved; "
                    f"smallest level {least:.12g}")),
                *data(smallest=least),
                Fact("loss", "loss", self.solution.value, meaning="on average over datasets"))

    def _row(self, x: int) -> tuple[object, ...]:
        """A dataset, its value, its local sensitivities, its sets and its utility."""
        query, sets = self.query, self.sets_of(x)
        point, value = query.datasets.points[x], query.codomain.points[query.values[x]]
        listed = "  ".join(f"{step}: {' '.join(map(label_text, answers))}"
                           for step, answers in sets)
        mean, near = self.utility(x) or (None, None)
        return (Shown(label_to_json(point), label_text(point)),
                Shown(label_to_json(value), label_text(value)),
                Shown(self.local(x), " ".join(self.local(x))),
                Shown([[step, _labels(answers)] for step, answers in sets], shorten(listed)),
                mean, near)

    __repr__ = lines_of
    _repr_html_ = card_of


def _labels(labels: Iterable[Label]) -> list[object]:
    return [label_to_json(label) for label in labels]


def profile(
    query: MetricQuery,
    construction: str | None = None,
    level: Level | Number | None = None,
    *,
    within: Number | None = None,
) -> QueryProfile:
    """The sensitivities of a query, and the sets that a construction makes of it.

    With a level also the mechanism that draws from the sets, calibrated to it, and how far from
    the value its answers are: on average, and with what chance `within` a distance.

    >>> from tightrope.spaces import query
    >>> squares = profile(query("path:0..3", None, [0, 1, 4, 9]), "inverse-sensitivity")
    >>> str(squares.query.global_sensitivity), squares.steepest, squares.local(0), squares.kinds
    ('5', (2, 3), ('1', '3', '5'), ())
    >>> squares.sets_of(1)
    [('0', (1,)), ('1', (0, 4)), ('2', (9,))]
    >>> at_one = profile(squares.query, "inverse-sensitivity", "ln(2)", within=3)
    >>> [round(number, 4) for number in at_one.utility(0)]
    [1.7861, 0.7419]
    """
    if level is None and within is not None:
        raise BadInput("a distance to be within goes with a level.")
    if construction is None:
        if level is not None:
            raise BadInput("a level goes with the sets of a construction.")
        return QueryProfile(query)
    name, _, text = construction.partition(":")
    offer = next((candidate for candidate in OFFERS if candidate.name == name), None)
    if offer is None:
        listed = ", ".join(candidate.name for candidate in OFFERS)
        raise BadInput(f"expected sets of one of {listed}, found {construction[:40]!r}.")
    problem = Problem(query.datasets, 1 if level is None else level, query=query)
    refuse(name, offer.obstacle(problem))
    options = parameters(offer, text) if text else {}
    candidates = list(offer.sets(QueryTask.of(problem), options))
    if not candidates:
        raise BadInput(f"{name} has no sets that cover the same answers for all datasets.")
    if level is None:
        return QueryProfile(query, candidates[0].text, candidates[0].sets)
    solution = solve_sets(QueryTask.of(problem), name, candidates, nominal=False)
    chosen = next(each for each in candidates if each.text == solution.construction)
    radius = None if within is None else stated(within, "a distance of 0 or more")
    return QueryProfile(query, chosen.text, chosen.sets, solution, radius)


def parameters(offer: Offer, text: str) -> dict[str, str]:
    """Parameters written as name=value, with commas between."""
    values: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key in values:
            example = ",".join(f"{option}=…" for option in offer.options) or "no parameters"
            raise BadInput(f"expected {offer.name}:{example}, each once, found {text[:60]!r}.")
        values[key] = value
    return values


def _index(step: int, fineness: int) -> str:
    whole, rest = divmod(step, fineness)
    return str(whole) if not rest else f"{step}/{fineness}"
