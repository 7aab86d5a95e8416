"""The exponential mechanism of any score, on any space of inputs, with any base measure.

Output r has weight µ(r) e^(β q(x, r)). If the score of an output changes by at most Δ between
neighbors, weights and normalizers change by at most e^(βΔ), so that β = ε/(2Δ) has level ε: that
is the rate as stated (WXH, Definition 3; H16, Definition 4.1). The rate here is the largest with
exactly the level asked, or one that is given and judged at (ε, δ) (H16, Definition 4.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, log
from typing import TypeAlias

import numpy as np

from tightrope.characters import label_text
from tightrope.constructions.sequences.set_sequences import SetSequences
from tightrope.constructions.sequences.solving import QueryTask, largest_root, prove
from tightrope.errors import BadInput, BadMatrix, NotPrivate, TooLarge
from tightrope.exact import Level, Number, Surd, stated, upper_bound
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Certified, Smallest, certified, level_of, smallest_level
from tightrope.spaces import (
    Label,
    MetricQuery,
    Space,
    check_distinct,
    graph,
    label_to_json,
    pair_classes,
    require_both_ways,
    space_of,
)
from tightrope.utility import LossMatrix, Problem

ScoreLike: TypeAlias = Sequence[Sequence[Number]] | Callable[[Label, Label], Number]

_MOST_STEPS = 1000
"""Steps from the best score to the worst: normalizers are exact polynomials of that degree."""
_SHORT = 24
"""Bits of a rational root up to which weights are written exactly."""
_SCORE = "a score as a number"


@dataclass(frozen=True)
class ScoreChoice:
    """The exponential mechanism of a score, proved or refuted at a level.

    `sensitivity` is Δ, the largest change of the score of an output between inputs that no other
    lies between, attained at `steepest` (two inputs, an output). `stated_rate` is ε/(2Δ) and
    `stated_level` the true level there; `rate` is the one of this mechanism. `certified` is None
    if it does not have the level; `smallest` is its exact level at δ = 0.
    """

    space: Space
    outputs: tuple[Label, ...]
    level: Level
    sensitivity: Fraction
    steepest: tuple[Label, Label, Label]
    stated_rate: float
    stated_level: Smallest
    rate: float
    mechanism: MatrixMechanism
    certified: Certified | None
    smallest: Smallest
    scores: tuple[float, float, float]

    @property
    def holds(self) -> bool:
        """Whether the mechanism has the level."""
        return self.certified is not None

    def facts(self) -> Facts:
        """The sensitivity, both rates with their levels, and the score expected."""
        x, y, r = map(label_text, self.steepest)
        mean, worst, best = self.scores
        verdict = "holds" if self.holds else "does not hold"
        return Facts(
            "ScoreChoice",
            f"exponential mechanism of a score, {self.space.size:,} inputs, "
            f"{len(self.outputs):,} outputs",
            (*data(**self.level.as_json(), holds=self.holds),
             Fact(None, "level", f"{self.level!s}: {verdict}; smallest level "
                  f"{'at δ = 0 ' if self.level.delta else ''}{self.smallest.upper:.12g}"),
             Fact("sensitivity", "sensitivity", Shown(
                 self.sensitivity, f"{self.sensitivity}: the score of {r} at {x} and at {y}")),
             Fact("rate", "rate", Shown(self.rate, f"{self.rate:.7g}: weights e^(rate · score)")),
             Fact("stated_rate", "as stated", Shown(
                 self.stated_rate, f"rate ε/(2Δ) = {self.stated_rate:.7g} has level "
                 f"{self.stated_level.upper:.7g}")),
             Fact("expected_score", "score expected", Shown(
                 mean, f"{mean:.7g} on average, {worst:.7g} for the worst input; the best is "
                 f"{best:.7g} on average")),
             *data(stated_level=self.stated_level.upper, smallest=self.smallest.upper,
                   worst_score=worst, best_score=best, space=self.space.text,
                   steepest=[label_to_json(label) for label in self.steepest])),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def choose_by_score(
    space: Space | str,
    scores: ScoreLike,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    outputs: Sequence[Label] | None = None,
    measure: Sequence[Number] | None = None,
    rate: Number | None = None,
) -> ScoreChoice:
    """The exponential mechanism of a score: weights µ(r) e^(β q(x, r)), at exactly a level.

    `scores` has a row for each input and a column for each output, or is a function of both;
    `outputs` are numbered if not given. Without a `rate` β is the largest with the level; a rate
    that is given, a number or "ln(2)", is judged, at a level that may have a δ.

    Returns: a `ScoreChoice`; `certified` is the mechanism with its proof.

    Raises: `BadMatrix` for scores of another shape; `BadInput` for scores that are the same for all
    inputs, a measure that is not, or a δ without a rate; `TooLarge` beyond 1,000 steps.

    >>> vote = choose_by_score("path:0..1", [[1, 0], [0, 1]], ratio=4)
    >>> str(vote.sensitivity), str(vote.mechanism.row_at(0)[0]), vote.certified.certificate.holds
    ('1', '4/5', True)
    >>> round(vote.stated_level.upper / vote.smallest.upper, 6)     # as stated, half is used
    0.5
    """
    level, domain = level_of(epsilon, ratio=ratio), space_of(space)
    require_both_ways(domain, "a score has one sensitivity for")
    table, labels = _table(domain, scores, outputs)
    weights = _measure(measure, len(labels))
    sets = _sets(MetricQuery(domain, outputs_space(labels), (0,) * domain.size, weights), table)
    change, steepest = _sensitivity(domain, table, labels, weights)
    if rate is not None:
        steepness = _positive_rate(rate)
        used, made = float(steepness), sets.written(steepness)
    elif level.delta:
        raise BadInput("a rate is found at δ = 0; give a rate to judge it with a δ.")
    else:
        made, used = _calibrated(Level.positive(level), table, sets)
    half = level.pure.scaled(1 / (2 * change))
    smallest = smallest_level(made, domain)
    assert isinstance(smallest, Smallest)  # a weight is 0 for all inputs or for none
    return ScoreChoice(
        domain, labels, level, change, steepest, float(half), _level_at(sets, half), used, made,
        _certify(made, level), smallest, _expected(table, made))


def _positive_rate(rate: Number) -> Level:
    """A rate is read as levels are: a number, or a logarithm such as ln(2)."""
    try:
        return Level.positive(rate)
    except BadInput:
        raise BadInput('expected a rate above 0 and at most 1,000,000, such as 1 or "ln(2)", '
                       f"found {str(rate)[:40]!r}.") from None


@dataclass(frozen=True)
class _ScoreSets:
    """Sets by (best - score)/unit, as multiples of 1/fineness."""

    sets: SetSequences
    unit: Fraction

    def written(self, rate: Level) -> MatrixMechanism:
        """The mechanism with a rate: exact where weights are short, else with 62 bits each."""
        step = self.unit / self.sets.fineness
        root = rate.scaled(step).ratio_below(Surd.of(1))
        short = root.numerator.bit_length() <= _SHORT
        weights = self.sets.mechanism(root).weights if short else self.sets.written(root)
        query = self.sets.query
        return MatrixMechanism(query.datasets, tuple(query.codomain.points), weights)

    def rate(self, root: Fraction) -> float:
        """The rate with e^(rate · unit/fineness) = root."""
        return log(root) * self.sets.fineness / float(self.unit)


def outputs_space(labels: Sequence[Label]) -> Space:
    """The outputs as points of a space; no distance between them is used."""
    return graph(labels, [(0, k) for k in range(1, len(labels))])


Table: TypeAlias = tuple[tuple[Fraction, ...], ...]


def _table(
    space: Space, scores: ScoreLike, outputs: Sequence[Label] | None
) -> tuple[Table, tuple[Label, ...]]:
    """The scores, exactly, and the labels of the outputs."""
    if callable(scores):
        if outputs is None:
            raise BadInput("a score that is a function needs outputs=[…].")
        rows = [[stated(scores(x, r), _SCORE) for r in outputs] for x in space.points]
    else:
        rows = [[stated(value, _SCORE) for value in row] for row in scores]
    labels = tuple(range(len(rows[0]) if rows else 0)) if outputs is None else tuple(outputs)
    if len(rows) != space.size or any(len(row) != len(labels) for row in rows):
        wide = len(rows[0]) if rows else 0
        raise BadMatrix(f"expected scores with {space.size} rows and {len(labels)} columns, found "
                        f"{len(rows)} and {wide}.")
    if len(labels) < 2:
        raise BadInput("expected at least two outputs to choose from.")
    check_distinct(labels, "outputs")
    return tuple(map(tuple, rows)), labels


def _measure(measure: Sequence[Number] | None, size: int) -> tuple[Fraction, ...]:
    """The base measure: 1 for every output if none is given."""
    if measure is None:
        return (Fraction(1),) * size
    return tuple(stated(value, "a measure of 0 or more") for value in measure)


def _sensitivity(
    space: Space, table: Table, labels: tuple[Label, ...], weights: tuple[Fraction, ...]
) -> tuple[Fraction, tuple[Label, Label, Label]]:
    """The largest change of a score per unit of distance, rounded up if irrational, and where."""
    pairs = space.edges()
    classes, kinds = pair_classes(space, pairs)
    steps = [upper_bound(1 / length.ball(128)) if length.rational is None else 1 / length.rational
             for length in classes]
    used = [r for r, weight in enumerate(weights) if weight]
    change, x, y, r = max(
        ((abs(table[x][r] - table[y][r]) * steps[kind], x, y, r)
         for (x, y), kind in zip(pairs, kinds.tolist(), strict=True) for r in used),
        key=lambda case: case[0])
    return change, (space.points[x], space.points[y], labels[r])


def _sets(query: MetricQuery, table: Table) -> _ScoreSets:
    """The sets of a score, in units of its largest change between pairs that are compared."""
    edges, near = query.datasets.edges(), query.neighbors
    used = [r for r, weight in enumerate(query.measure) if weight]
    unit = max((abs(table[x][r] - table[y][r]) for pairs in (edges, near) for x, y in pairs
                for r in used), default=Fraction(0))
    if unit == 0:
        raise BadInput("the score is the same for all inputs: expected a sensitivity above 0.")
    best = max(max(row) for row in table)
    steps = [[(best - value) / unit for value in row] for row in table]
    fineness = lcm(*(step.denominator for row in steps for step in row))
    most = int(max(max(row) for row in steps) * fineness)
    if most > _MOST_STEPS:
        raise TooLarge("the number of steps from the best score to the worst", most, _MOST_STEPS,
                       "round the scores")
    indices = np.array([[int(step * fineness) for step in row] for row in steps], dtype=np.int64)
    return _ScoreSets(SetSequences(query, "score", indices, fineness), unit)


def _calibrated(level: Level, table: Table, scored: _ScoreSets) -> tuple[MatrixMechanism, float]:
    """The mechanism with the largest rate that has the level, and that rate."""
    query, best = scored.sets.query, max(max(row) for row in table)
    losses = LossMatrix(np.array([[best - q for q in row] for row in table], object), "score")
    outputs = tuple(query.codomain.points)
    task = QueryTask(Problem(query.datasets, level, loss=losses, outputs=outputs), query)
    root = largest_root(task, scored.sets)
    made = prove(task, scored.sets, root, "the score")
    assert isinstance(made.mechanism, MatrixMechanism)
    return made.mechanism, scored.rate(root)


def _level_at(scored: _ScoreSets, rate: Level) -> Smallest:
    """The level of the mechanism with a rate; at rate 0 outputs ignore the input."""
    if rate.is_zero:
        return Smallest(0.0, 0.0, None)
    smallest = smallest_level(scored.written(rate))
    assert isinstance(smallest, Smallest)
    return smallest


def _certify(made: MatrixMechanism, level: Level) -> Certified | None:
    with suppress(NotPrivate):
        return certified(made, level)
    return None


def _expected(table: Table, made: MatrixMechanism) -> tuple[float, float, float]:
    """The expected score on average and for the worst input, and the best score on average."""
    means = [sum((p * q for p, q in zip(made.row_at(x), row, strict=True)), Fraction(0))
             for x, row in enumerate(table)]
    best = sum(max(row) for row in table)
    return float(sum(means) / len(means)), float(min(means)), float(best / len(means))
