"""Privacy definitions judged by axioms (KL10, Section 2).

A predicate q(a, b) on [0, 1]² allows a mechanism on two inputs if q(P(O | 1), P(O | 2)) holds
for every event O. What counts is the set S of pairs with q(a, b) and q(1 - a, 1 - b).
Transformation invariance says that post-processing keeps a mechanism allowed, the axiom of
choice that a random choice between two allowed mechanisms is allowed. Both hold iff S is
convex: events of a mixture are mixtures of events; and if p and p' above the diagonal are in
S, so are all events of the mechanism (p, p' - p, 1 - p') on three outputs, whose
post-processings reach the line from p to p'. So a point outside S between points of S gives
a counterexample to each axiom, in exact fractions. Without allowed mechanisms both are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.privacy.generic import Knot, PairBound, between, corners
from tightrope.privacy.predicates import Band, Predicate, TablePredicate, ask, value_at

Rows = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
_ZERO, _ONE = Fraction(0), Fraction(1)
_START, _END = (_ZERO, _ZERO), (_ONE, _ONE)
DEFAULT_GRID = 60
"""Steps of the grid on which a Python function is tried; divides by 2, 3, 4, 5, 6."""
MOST_GRID = 400
_LISTED = 12
"""Corners of a definition that people are shown."""


@dataclass(frozen=True)
class Processing:
    """A mechanism that is allowed, a channel after it, and an event that is not allowed then.

    `mechanism` has one row for each of the two inputs; `channel` gives, for each output, the
    probability that it is turned into the event; `event` are its two probabilities.
    """

    mechanism: Rows
    channel: tuple[Fraction, ...]
    event: Knot

    @property
    def text(self) -> str:
        """The counterexample in words that can be checked by hand."""
        rows = " and ".join(map(tuple_text, self.mechanism))
        return (
            f"Post-processing: the mechanism with rows {rows} is allowed. Turn its outputs into "
            f"one event with probabilities {tuple_text(self.channel)}: the event has "
            f"probabilities {tuple_text(self.event)}, which are not allowed."
        )


@dataclass(frozen=True)
class Choice:
    """Allowed mechanisms with two outputs, the chance of each, and an event not allowed."""

    mechanisms: tuple[Rows, ...]
    shares: tuple[Fraction, ...]
    event: Knot

    @property
    def text(self) -> str:
        """The counterexample in words that can be checked by hand."""
        parts = "; ".join(f"{share} of ({rows[0][0]}, {rows[1][0]})" for share, rows in zip(
            self.shares, self.mechanisms, strict=True))
        return (
            "Random choice: mechanisms with two outputs whose first has these probabilities are "
            f"allowed, and chosen with these chances: {parts}. The first output then has "
            f"{tuple_text(self.event)}, which is not allowed."
        )


@dataclass(frozen=True)
class AxiomVerdict:
    """The verdict of the axioms on a predicate.

    `exact` is False for a function tried on a grid: a counterexample is then still exact,
    and the absence of one holds for the points of the grid. `definition` is the equivalent
    generic definition (M; m follows from it) where the axioms hold. `satisfiable` is False
    if no mechanism at all is allowed; both axioms then hold emptily.
    """

    processing: Processing | None
    choice: Choice | None
    definition: PairBound | None
    satisfiable: bool
    exact: bool
    grid: int | None

    @property
    def transformation_invariance(self) -> bool:
        """Whether post-processing keeps every allowed mechanism allowed."""
        return self.processing is None

    @property
    def axiom_of_choice(self) -> bool:
        """Whether a random choice between allowed mechanisms is allowed."""
        return self.choice is None

    @property
    def scope(self) -> str:
        """Where the answer was decided."""
        if self.grid is None:
            return "for every event"
        return f"for events whose probabilities are multiples of 1/{self.grid}"

    def facts(self) -> Facts:
        """Whether each axiom holds and how that was decided; the definition or counterexamples."""
        words = {True: "holds" if self.exact else "no counterexample found", False: "fails"}
        bound, processing, choice = self.definition, self.processing, self.choice
        broken = processing is not None and choice is not None
        decided = "exactly" if self.grid is None else f"at multiples of 1/{self.grid}" + (
            " (all that the table says)" if self.exact else "; between them nothing is claimed")
        return Facts(
            "AxiomVerdict", "",
            (Fact("transformation_invariance", "post-processing", Shown(
                self.transformation_invariance, words[self.transformation_invariance])),
             Fact("choice", "random choice", Shown(
                 self.axiom_of_choice, words[self.axiom_of_choice])),
             Fact("scope", "decided", Shown(self.scope, decided)),
             *data(counterexample={"transformation_invariance": vars(processing),
                                   "choice": vars(choice)} if broken else None,
                   satisfiable=self.satisfiable, exact=self.exact, grid=self.grid,
                   bound=bound and bound.knots, bound_at_zero=bound and bound.at_zero)),
            self._sentences,
        )

    @property
    def _sentences(self) -> tuple[str, ...]:
        bound = self.definition
        if not self.satisfiable:
            return ("No mechanism is allowed: even certain events are forbidden. Both axioms hold "
                    "emptily.",)
        if bound is None:
            return tuple(part.text for part in (self.processing, self.choice) if part is not None)
        listed = ", ".join(map(tuple_text, bound.knots[:_LISTED]))
        more = ", …" if len(bound.knots) > _LISTED else ""
        jump = f" and M(0) = {bound.at_zero}" if bound.at_zero != bound.knots[0][1] else ""
        return (f"{self.scope[0].upper()}{self.scope[1:]} the same as: P(O | second) <= "
                f"M(P(O | first)), where M is concave with corners {listed}{more}{jump}.",)

    __repr__ = lines_of
    _repr_html_ = card_of


def tuple_text(values: Iterable[Fraction]) -> str:
    """Exact numbers in parentheses."""
    return f"({', '.join(map(str, values))})"


def judge(predicate: Predicate, *, grid: int = DEFAULT_GRID) -> AxiomVerdict:
    """Decide both axioms for a predicate, with the equivalent definition or counterexamples.

    Exact for a `Band` and a `TablePredicate`; a Python function is tried at multiples of 1/grid.

    Returns: an `AxiomVerdict`; its `definition` is a `PairBound` where both axioms hold, else None.

    Raises: `BadInput` where a function fails or returns no truth value, and, for functions, unless
    the grid has 2 to 400 steps.

    >>> verdict = judge(lambda a, b: b <= 2 * a and a <= 2 * b)
    >>> verdict.transformation_invariance, verdict.definition.knots[1]
    (True, (Fraction(1, 3), Fraction(2, 3)))
    >>> judge(lambda a, b: b <= 2 * a or b <= a + Fraction(1, 5)).choice.event
    (Fraction(1, 30), Fraction(19, 75))
    """
    allowed = _symmetric(predicate)
    steps = len(predicate.allowed) - 1 if isinstance(predicate, TablePredicate) else grid
    exact = isinstance(predicate, Band | TablePredicate)
    stated = None if isinstance(predicate, Band) else steps
    if not isinstance(predicate, Band | TablePredicate) and not 2 <= grid <= MOST_GRID:
        raise BadInput(f"expected a grid of 2 to {MOST_GRID} steps, found {grid}.")
    if not allowed(*_START):
        return AxiomVerdict(None, None, None, False, exact, stated)
    if isinstance(predicate, Band):
        hull, outside = _band_hull(predicate)
    else:
        hull, outside = _grid_hull(allowed, steps)
    if outside is None:
        zero = max(b for a, b in hull if a == 0)
        if isinstance(predicate, Band):
            zero = _top(predicate, _ZERO)
        bound = PairBound.of(corners(hull), zero)
        return AxiomVerdict(None, None, bound, True, exact, stated)
    left, right, point = outside
    if not isinstance(predicate, TablePredicate) and left[0] < right[0]:
        above = (point[0], between(left, right, point[0]))  # on the line: a simpler example
        point = point if allowed(*above) else above
    return AxiomVerdict(
        _processing(allowed, left, right, point),
        _choice(left, right, point),
        None, True, exact, stated,
    )


def _symmetric(predicate: Predicate) -> Callable[[Fraction, Fraction], bool]:
    """Membership in S: q holds for an event and for its complement."""

    def holds(a: Fraction, b: Fraction) -> bool:
        return ask(predicate, a, b) and ask(predicate, 1 - a, 1 - b)

    return holds


def _top(band: Band, a: Fraction) -> Fraction:
    """The largest b with (a, b) in S: the smaller of upper(a) and 1 - lower(1 - a)."""
    return min(band.highest(a), 1 - value_at(band.lower, 1 - a))


def _band_hull(band: Band) -> tuple[list[Knot], tuple[Knot, Knot, Knot] | None]:
    """The top line of S, and two points of S with a point between them outside S, if any."""
    places = {a for a, _ in band.upper} | {1 - a for a, _ in band.lower}
    ordered = sorted(places)
    for start, end in pairwise(ordered):
        gaps = [value_at(band.upper, x) - 1 + value_at(band.lower, 1 - x) for x in (start, end)]
        if gaps[0] * gaps[1] < 0:  # the two lines cross in between
            places.add(start + (end - start) * gaps[0] / (gaps[0] - gaps[1]))
    # beyond the jump at 0 the line starts at its limit
    tops = [(a, min(value_at(band.upper, a), 1 - value_at(band.lower, 1 - a)))
            for a in sorted(places)]
    below = next(((a, b) for a, b in tops if b < a), None)
    if below is not None:
        return tops, (_START, _END, (below[0], below[0]))
    first = (_ZERO, _top(band, _ZERO))
    if first[1] > tops[0][1]:  # a jump up at 0: the line to the next corner leaves S
        half = tops[1][0] / 2
        return tops, (first, tops[1], (half, between(first, tops[1], half)))
    for left, middle, right in zip(tops, tops[1:], tops[2:], strict=False):
        if between(left, right, middle[0]) > middle[1]:
            if left[0] == 0:  # where the line jumps at 0, a point just beyond does as well
                left = (middle[0] / 2, _top(band, middle[0] / 2))
            return tops, (left, right, (middle[0], between(left, right, middle[0])))
    return tops, None


def _grid_hull(
    allowed: Callable[[Fraction, Fraction], bool], steps: int
) -> tuple[list[Knot], tuple[Knot, Knot, Knot] | None]:
    """The upper hull of S on the grid, and a point of the grid below it outside S, if any."""
    whole = [Fraction(k, steps) for k in range(steps + 1)]
    inside = {(a, b) for a in whole for b in whole if b >= a and allowed(a, b)}
    inside |= {_START, _END}
    hull: list[Knot] = []
    for a in whole:
        column = [b for b in whole if (a, b) in inside]
        if not column:
            continue
        point = (a, max(column))
        while len(hull) > 1 and between(hull[-2], point, hull[-1][0]) > hull[-1][1]:
            hull.pop()
        hull.append(point)
    for left, right in pairwise(hull):
        for a in whole:
            if left[0] <= a <= right[0]:
                line = between(left, right, a) if left[0] < right[0] else right[1]
                for b in whole:
                    if a <= b <= line and (a, b) not in inside:
                        return hull, (left, right, (a, b))
    return hull, None


def _choice(left: Knot, right: Knot, point: Knot) -> Choice:
    """The point as a mixture of points of S: the two, and the ends of the diagonal."""
    across, down = _weights(left, right, point)
    shares = [down * (1 - across), down * across]
    rest = 1 - down
    mixed = [(left, shares[0]), (right, shares[1])]
    mixed += [(_START, rest * (1 - point[0])), (_END, rest * point[0])]
    used = [(p, share) for p, share in mixed if share > 0]
    rows = tuple(((a, 1 - a), (b, 1 - b)) for (a, b), _ in used)
    return Choice(rows, tuple(share for _, share in used), point)


def _weights(left: Knot, right: Knot, point: Knot) -> tuple[Fraction, Fraction]:
    """How far from left to right the point lies, and how far up from the diagonal."""
    width = right[0] - left[0]
    across = (point[0] - left[0]) / width if width else _ONE
    line = left[1] + across * (right[1] - left[1])
    height = line - point[0]
    return across, (point[1] - point[0]) / height if height else _ZERO


def _processing(
    allowed: Callable[[Fraction, Fraction], bool], left: Knot, right: Knot, point: Knot
) -> Processing:
    """An allowed mechanism and a channel after it that make an event outside S.

    Two outputs are enough if the point lies in the parallelogram of one of its neighbors.
    Otherwise the mechanism (left, right - left, the rest) reaches it; if its middle output
    alone is not allowed, that output lies in one of the parallelograms.
    """
    middle = (right[0] - left[0], right[1] - left[1])
    for target in (point, middle):
        if target is middle and allowed(*middle):
            break
        for parent in (left, right):
            channel = _channel(parent, target)
            if channel is not None:
                (a, b) = parent
                return Processing(((a, 1 - a), (b, 1 - b)), channel, target)
    across, down = _weights(left, right, point)
    parts = tuple(down * part + (1 - down) * point[0] for part in (_ONE, across, _ZERO))
    rows = ((left[0], middle[0], 1 - right[0]), (left[1], middle[1], 1 - right[1]))
    return Processing(rows, parts, point)


def _channel(parent: Knot, target: Knot) -> tuple[Fraction, Fraction] | None:
    """The channel from the event `parent` and its complement to `target`, if there is one."""
    (a, b), (c, d) = parent, target
    if a == b:
        return (c, c) if c == d else None
    first = (c * (1 - b) - d * (1 - a)) / (a - b)
    second = (a * d - b * c) / (a - b)
    return (first, second) if 0 <= first <= 1 and 0 <= second <= 1 else None
