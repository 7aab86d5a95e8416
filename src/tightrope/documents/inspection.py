"""Everything that is known about one mechanism without a loss.

Its level, δ(ε), leakage, generality and loose entries. Each is computed if its size allows;
else the reason is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log
from types import MappingProxyType
from typing import Any, TypeVar

from tightrope.documents.descriptions import inspection_facts
from tightrope.documents.reading import Document
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level, Surd, sizes
from tightrope.facts import card_of, lines_of
from tightrope.mechanisms import (
    Answers,
    FiniteMechanism,
    Held,
    Mechanism,
    count_outputs,
    finite,
    mechanism_of,
    written_out,
)
from tightrope.privacy import (
    Refutation,
    RowGraph,
    Smallest,
    Tightness,
    delta_curve,
    exact_margin,
    row_graphs,
    smallest_level,
    tightness,
    tradeoff_curve,
)
from tightrope.spaces import (
    Label,
    Space,
    listed,
    pair_classes,
)
from tightrope.spellings import RESULT, spelled
from tightrope.utility import (
    Beliefs,
    PriorLike,
    beliefs,
    determinant,
    dobrushin,
    dobrushin_optimum,
    min_capacity,
    prior_of,
    rank,
)

CURVE_POINTS = 33
"""Points of a δ(ε) curve: enough for a smooth picture."""
LARGEST_CURVE = 700.0
"""The largest ε of a curve: e^ε is a double up to here."""
MOST_CURVE = 300_000
"""Most entries of neighboring rows in a δ(ε) curve, which are exact fractions."""
MOST_PAIRWISE = 2_000_000_000
"""Most comparisons for the Dobrushin coefficient, which takes all pairs of rows."""
MOST_RANK = 2_000
"""Most rows of a matrix whose rank is computed: the time grows with their cube."""
MOST_LOOSE = 1_000
"""Most loose entries that are listed."""
MOST_GRAPHS = 64
"""Most outputs whose row graphs are listed."""
MOST_EDGES = 20_000
"""Most irreducible pairs times outputs of listed row graphs."""

_UNLISTED = {
    Answers.INTEGERS: "all integers",
    Answers.SETS: "sets of inputs",
    Answers.MULTIPLES: "multiples of a number",
}
Curve = tuple[tuple[float, float], ...]
Property = TypeVar("Property")


@dataclass(frozen=True)
class Generality:
    """The tight pairs at a level: exactly, and within a margin (0 if both agree)."""

    level: Level
    exact: Tightness
    near: Tightness
    margin: float

    @property
    def connected(self) -> int:
        """How many outputs have a connected row graph, within the margin."""
        return sum(joined is True for joined in self.near.connected)

    @property
    def occurring(self) -> int:
        """How many outputs occur."""
        return sum(joined is not None for joined in self.near.connected)

    def as_json(self) -> dict[str, Any]:
        """The counts, and the level that they are about."""
        return {
            "maximally_general": self.exact.maximally_general,
            "margin": self.margin,
            "connected": self.connected,
            "occurring": self.occurring,
            "tight": self.near.tight,
            **self.level.pure.as_json(),
        }


@dataclass(frozen=True)
class Inspection:
    """The properties of a mechanism; for those that are not known, the reason (`skipped`).

    `level` is the smallest proved one; `judged` the level that generality is about: the
    claimed one where the mechanism has it, else the smallest. `curve` holds points (ε, δ) and
    `tradeoff` the corners of the trade-off curve of neighbors. `matrix` is the mechanism
    written out where that is not too large. Parts that are not known are None.
    """

    mechanism: Mechanism
    claim: Level | None
    intact: bool | None
    construction: str | None
    matrix: FiniteMechanism | None
    level: Smallest | None
    judged: Level | None
    curve: Curve | None
    tradeoff: Curve | None
    row_graphs: tuple[RowGraph, ...] | None
    leakage: float | None
    dobrushin: float | None
    dobrushin_best: float | None
    generality: Generality | None
    rank: int | None
    determinant: float | None
    beliefs: Beliefs | None
    skipped: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "skipped", MappingProxyType(dict(self.skipped)))

    @property
    def space(self) -> Space:
        """The inputs."""
        return listed(self.mechanism.space)

    @property
    def outputs(self) -> int | None:
        """How many outputs there are; None where they are not listed."""
        return count_outputs(self.mechanism)

    @property
    def unlisted(self) -> str | None:
        """The kind of outputs in words, where they are not listed."""
        return _UNLISTED.get(self.mechanism.answers)

    @property
    def loose(self) -> tuple[tuple[Label, Label], ...] | None:
        """The first loose entries, as input and output."""
        if self.generality is None or self.matrix is None:
            return None
        inputs, outputs = self.matrix.space.points, self.matrix.outputs
        return tuple((inputs[y], outputs[z]) for y, z in self.generality.near.loose[:MOST_LOOSE])

    @property
    def loose_count(self) -> int | None:
        """How many loose entries there are."""
        return None if self.generality is None else len(self.generality.near.loose)

    facts = inspection_facts
    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    epsilon="tr.verify(mechanism, space, epsilon), which judges a level",
    orders="tr.privacy.renyi_curve(mechanism).at(order), and tr.privacy.privacy_loss",
    row_graphs="tr.privacy.row_graphs(mechanism, space, epsilon)",
    space="tr.mechanisms.MatrixMechanism.of(matrix, space) for a matrix without a space",
    **RESULT,
)
def inspect(given: Document | Mechanism | Held, prior: PriorLike = None) -> Inspection:
    """The properties of a mechanism: level, δ(ε), leakage, generality, loose entries.

    With a prior also the effect of an answer on somebody who believes it (`beliefs`). Nothing is
    judged here: `review` proves or refutes a document's own claim.

    Returns: an `Inspection`; parts that are too large, or have no meaning, are None with a reason.

    Raises: `BadInput` for what holds no mechanism, or, where the matrix is written out, a prior
    that does not fit.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> from tightrope.spaces import categories
    >>> coin = inspect(MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2)))
    >>> coin.level.exact_text, round(coin.leakage, 6), coin.rank, coin.curve[0]
    ('ln(2)', 0.415037, 2, (0.0, 0.3333333333333333))
    """
    document = given if isinstance(given, Document) else None
    mechanism = mechanism_of(given)
    space, claim = listed(mechanism.space), None if document is None else document.level
    attempts = _Attempts()
    smallest = attempts.attempt("level", lambda: _smallest(mechanism, space))
    matrix = attempts.attempt("matrix", lambda: _written_out(finite(mechanism)))
    level = _judged_level(claim, smallest)
    curve = leakage = coefficient = order = general = graphs = best = corners = None
    size = odds = None
    if matrix is not None:
        written = matrix
        curve = attempts.attempt("curve", lambda: _curve(written, space, smallest))
        leakage = attempts.attempt("leakage", lambda: min_capacity(written))
        coefficient = attempts.attempt("dobrushin", lambda: _dobrushin(written))
        order = attempts.attempt("rank", lambda: _rank(written))
        size = _or_none(lambda: float(determinant(written)))
        if prior is not None:
            law = prior_of(prior, space)
            odds = attempts.attempt("beliefs", lambda: beliefs(written, law))
        if level is not None:
            at = level
            general = attempts.attempt("generality", lambda: _generality(written, space, at))
            graphs = _or_none(lambda: _row_graphs(written, space, at))
            best = _or_none(lambda: _best_dobrushin(space, at))
        if curve is not None:
            corners = _or_none(lambda: _tradeoff(written, space))
    named = None if document is None or document.construction is None else (
        document.construction.get("name")
    )
    return Inspection(
        mechanism, claim, None if document is None else document.intact,
        named if isinstance(named, str) else None,
        matrix, smallest, level, curve, corners, graphs, leakage, coefficient, best, general,
        order, size, odds, attempts.skipped,
    )


@dataclass
class _Attempts:
    """Properties that are not known, each with the reason."""

    skipped: dict[str, str] = field(default_factory=dict)

    def attempt(self, name: str, find: Callable[[], Property]) -> Property | None:
        """The result of `find`, or None with the reason kept."""
        try:
            return find()
        except (BadInput, Refused) as reason:
            self.skipped[name] = str(reason)
            return None


def _or_none(find: Callable[[], Property]) -> Property | None:
    """The result of `find`; None where it has no meaning or is too large to list."""
    return _Attempts().attempt("", find)


def _written_out(mechanism: FiniteMechanism) -> FiniteMechanism:
    """The mechanism as a matrix, computed once; a large kernel stays one."""
    small = mechanism.space.size * len(mechanism.outputs) <= sizes.LARGEST_MATRIX
    return written_out(mechanism) if small else mechanism


def _smallest(mechanism: Mechanism, space: Space) -> Smallest:
    smallest = smallest_level(mechanism, space)
    if isinstance(smallest, Refutation):
        raise Refused(smallest.reason)
    return smallest


def _judged_level(claim: Level | None, smallest: Smallest | None) -> Level | None:
    """The claimed level where the mechanism has it with δ = 0, else the smallest it has."""
    if smallest is None or smallest.upper <= 0:
        least = None
    else:
        least = smallest.exact if smallest.exact is not None else Level.epsilon(smallest.upper)
    if claim is None or claim.delta or smallest is None:
        return least
    if smallest.exact is not None:
        return claim if smallest.exact.compare_level(claim) <= 0 else smallest.exact
    return claim if smallest.upper <= float(claim) else least


def _curve(matrix: FiniteMechanism, space: Space, smallest: Smallest | None) -> Curve:
    """Points (ε, δ) from ε = 0 to the smallest pure level, or beyond the last bend."""
    if space.neighbors is None:
        raise Refused(f"{space.text} declares no neighbors, so δ has no meaning there.")
    pairs = len(space.neighbors.pairs)
    _limit("probabilities", len(matrix.outputs) * space.size, MOST_CURVE)
    _limit("probabilities of neighbors", len(matrix.outputs) * pairs, MOST_CURVE)
    curve = delta_curve(matrix, space)
    bend = curve.breakpoints[-1]
    end = max(1.0, 1.1 * (log(bend.numerator) - log(bend.denominator)))
    last = min(LARGEST_CURVE, end if smallest is None else smallest.upper)
    ratios = [Fraction(exp(last * k / (CURVE_POINTS - 1))) for k in range(CURVE_POINTS)]
    return tuple((log(ratio), float(curve.at_ratio(ratio))) for ratio in ratios)


def _tradeoff(matrix: FiniteMechanism, space: Space) -> Curve:
    """The corners of the trade-off curve of the neighbors with the largest total variation."""

    def apart(side: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]) -> Fraction:
        return sum((max(Fraction(0), a - b) for a, b in zip(*side, strict=True)), Fraction(0))

    first, second = max(delta_curve(matrix, space).sides, key=apart)
    return tuple((float(a), float(b)) for a, b in tradeoff_curve(first, second).knots)


def _dobrushin(matrix: FiniteMechanism) -> float:
    size = matrix.space.size
    _limit("comparisons of two rows", size * size * len(matrix.outputs), MOST_PAIRWISE)
    return dobrushin(matrix)


def _best_dobrushin(space: Space, level: Level) -> float:
    """The best Dobrushin coefficient of any mechanism at the level, on a relation."""
    steps = space.diameter.rational
    if steps is None or pair_classes(space, space.edges())[0] != [Surd.of(1)]:
        raise Refused(f"{space.text} is no relation: the best coefficient is not known.")
    if space.neighbors is None:
        raise Refused(f"{space.text} declares no neighbors: the best coefficient is not known.")
    return float(dobrushin_optimum(int(steps), level.pure)[1])


def _rank(matrix: FiniteMechanism) -> int:
    _limit("rows or columns", max(matrix.space.size, len(matrix.outputs)), MOST_RANK)
    return rank(matrix)


def _generality(matrix: FiniteMechanism, space: Space, level: Level) -> Generality:
    work = len(space.edges()) * len(matrix.outputs)
    _limit("irreducible pairs and outputs", work, MOST_PAIRWISE // 5)
    margin = exact_margin(space, level)
    exact = tightness(matrix, space, level)
    near = tightness(matrix, space, level, margin=margin) if margin else exact
    return Generality(level, exact, near, margin)


def _row_graphs(matrix: FiniteMechanism, space: Space, level: Level) -> tuple[RowGraph, ...]:
    _limit("outputs", len(matrix.outputs), MOST_GRAPHS)
    _limit("pairs", len(space.edges()) * len(matrix.outputs), MOST_EDGES)
    return row_graphs(matrix, space, level, margin=exact_margin(space, level))


def _limit(what: str, size: int, most: int) -> None:
    if size > most:
        raise Refused(f"too large for that here: {size:,} {what}, the limit is {most:,}.")
