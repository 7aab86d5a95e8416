"""The excess of each part of a sufficient set over e^ε, pair by pair (H16, Section 4.3).

S = {z : P(z) > P'(z)} falls into parts S_1, …, S_k on which P(z)/P'(z) is one number. The excess
of a part is P(S_i) - e^(ε d) P'(S_i). For δ = 0 a pair is protected iff no part has a positive
excess (Corollary 4.1). For δ > 0 the positive excesses add up, and only their sum decides:
each part may stay below δ while the pair does not. All comparisons are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.characters import counted, few, label_text
from tightrope.errors import BadInput, BadLevel, TooLarge
from tightrope.exact import Level, Number, Surd, short_text
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, finite_form
from tightrope.privacy import declared
from tightrope.spaces import Label, require_both_ways
from tightrope.theory.processing.sufficient_sets import SufficientSets, sufficient_sets

MOST_COMPARED = 2_000_000
"""Pairs times outputs that are taken apart at once."""

_LARGEST = 700
"""e to this power is a double."""

_COUNTED = 53
"""Counts of checks up to 2 to this power are told as numbers."""

_SHOWN = 6
"""Pairs that people are shown."""


@dataclass(frozen=True)
class PartExcess:
    """One part of S: its outputs, their ratio (None if infinite), both probabilities, the excess.

    `excess` are bounds on P - e^(ε d) P', equal where e^(ε d) is rational; `counts` says whether
    it is above 0, exactly.
    """

    outputs: tuple[Label, ...]
    ratio: Fraction | None
    first: Fraction
    second: Fraction
    excess: tuple[Fraction, Fraction]
    counts: bool

    __repr__ = brief

    @property
    def json(self) -> dict[str, object]:
        """The part as programs get it."""
        return {
            "outputs": self.outputs,
            "ratio": None if self.ratio is None else float(self.ratio),
            "probabilities": [float(self.first), float(self.second)],
            "excess": float(self.excess[1]),
            "excess_text": _exact_text(self.excess),
        }


@dataclass(frozen=True)
class PairExcess:
    """An ordered pair of inputs: the parts of its sufficient set, and what they add up to.

    `excess` are bounds on the smallest δ of the pair, `holds` whether it is at most the δ of the
    level, and `parts_hold` whether that could be said of each part alone.
    """

    first: Label
    second: Label
    distance: Surd
    parts: tuple[PartExcess, ...]
    excess: tuple[Fraction, Fraction]
    holds: bool
    parts_hold: bool

    __repr__ = brief

    @property
    def json(self) -> dict[str, object]:
        """The pair as programs get it."""
        return {
            "first": self.first,
            "second": self.second,
            "holds": self.holds,
            "parts_hold": self.parts_hold,
            "excess": float(self.excess[1]),
            "excess_text": _exact_text(self.excess),
            "parts": [part.json for part in self.parts],
        }

    @property
    def cells(self) -> Iterator[tuple[object, ...]]:
        """Rows for people: each part, the largest ratio first, and the sum."""
        names = label_text(self.first), label_text(self.second)
        for part in reversed(self.parts):
            ratio = "infinite" if part.ratio is None else part.ratio
            yield *names, few(part.outputs), ratio, part.excess[1] if part.counts else "none"
            names = "", ""
        yield *names, "sum", None, self.excess[1]


@dataclass(frozen=True)
class Excesses:
    """All pairs, the one with the largest excess first, and how many sets would decide.

    `sets` has the counts of H16, Section 4.3, for the same pairs.
    """

    level: Level
    rows: tuple[PairExcess, ...]
    sets: SufficientSets

    @property
    def holds(self) -> bool:
        """Whether every pair is protected at the level."""
        return all(row.holds for row in self.rows)

    def facts(self) -> Facts:
        """Whether the level holds, the largest excess, every part, and how many sets decide."""
        worst, sets = self.rows[0], self.sets
        first, second = label_text(worst.first), label_text(worst.second)
        columns = tuple(Column(None, name, 7, words=name not in ("ratio", "excess"))
                        for name in ("first", "second", "part of S", "ratio", "excess"))
        cells = tuple(line for row in self.rows[:_SHOWN] for line in row.cells)
        hidden = len(self.rows) - _SHOWN
        split = sum(row.parts_hold and not row.holds for row in self.rows)
        return Facts(
            "Excesses",
            f"{self.level!s}: {'holds' if self.holds else 'does not hold'}",
            (*data(**self.level.as_json(), holds=self.holds),
             Fact(None, "largest excess", worst.excess[1], meaning=f"for {first} against {second}"),
             *data(rows=[row.json for row in self.rows], all_checks=_count(sets.all_checks),
                   checks=_count(sets.checks), part_checks=sets.part_checks, pairs=sets.pairs),
             Table(None, "", columns, cells, listed=0)),
            (f"Sets to check: {_count_text(sets.all_checks)} in all, {_count_text(sets.checks)} "
             "within S (H16, Theorem 4.1).",
             f"Parts: {sets.part_checks:,}, enough for δ = 0 (Corollary 4.1). At this ε one set "
             f"for each pair decides: {sets.pairs:,}.",
             *([f"{hidden:,} more pairs are in --json."] if hidden > 0 else []),
             *([f"{counted(split, 'pair')} with every part within δ and the sum above it: checking "
                "parts one by one would miss it (an erratum to Theorem 4.2)."] if split else [])),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def excesses(
    mechanism: FiniteMechanism | Held,
    level: Level | Number,
    pairs: Iterable[tuple[int, int]] | None = None,
) -> Excesses:
    """The excess of every part of every sufficient set, at a level.

    Pairs are ordered, by index, and for δ > 0 neighbors: of others a δ says nothing. Without them
    all neighbors are taken, both ways; for δ = 0 on a space that declares none, the pairs whose
    levels add up to all others.

    Two parts of 1/20 and 1/40 stay below δ = 1/16, their sum does not:

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> rows = [["1/2", "3/10", "1/5"], ["9/40", "11/80", "51/80"]]
    >>> told = MatrixMechanism.of(rows, "categories:2")
    >>> row = excesses(told, Level.ratio(2, "1/16"), [(0, 1)]).rows[0]
    >>> [str(part.excess[0]) for part in row.parts], str(row.excess[0])
    (['1/40', '1/20'], '3/40')
    >>> row.parts_hold, row.holds
    (True, False)
    """
    mechanism, level = finite_form(mechanism), Level.of(level)
    require_both_ways(mechanism.space, "sufficient sets are for")
    listed = _pairs(mechanism, level) if pairs is None else list(pairs)
    if not listed:
        raise BadInput("expected two inputs or more to compare.")
    if pairs is not None and level.delta:
        _check_neighbors(mechanism, listed)
    work = len(listed) * len(mechanism.outputs)
    if work > MOST_COMPARED:
        raise TooLarge("pairs times outputs", work, MOST_COMPARED, "name one pair of inputs")
    sets = sufficient_sets(mechanism, listed)
    rows = (_pair(mechanism, level, pair.first, pair.second, pair.parts) for pair in sets.sets)
    return Excesses(level, tuple(sorted(rows, key=lambda row: -row.excess[1])), sets)


def _pairs(mechanism: FiniteMechanism, level: Level) -> list[tuple[int, int]]:
    space = mechanism.space
    if level.delta or space.neighbors is not None:
        one_way = list(declared(space).pairs)
    else:
        edges = space.edges()
        one_way = list(zip(edges.first.tolist(), edges.second.tolist(), strict=True))
    return [pair for a, b in one_way for pair in ((a, b), (b, a))]


def _check_neighbors(mechanism: FiniteMechanism, pairs: Sequence[tuple[int, int]]) -> None:
    """Refuse a pair that no δ protects: at a distance δ is larger, and by how much depends."""
    protected = {frozenset(pair) for pair in declared(mechanism.space).pairs}
    if not protected.issuperset(frozenset(pair) for pair in pairs):
        raise BadInput(
            "expected pairs of neighbors: a δ above 0 says nothing of others. Name neighbors, or "
            "leave δ out."
        )


def _pair(
    mechanism: FiniteMechanism,
    level: Level,
    first: int,
    second: int,
    sets: Sequence[tuple[int, ...]],
) -> PairExcess:
    space, distance = mechanism.space, mechanism.space.distance(first, second)
    if first == second or distance.infinite:
        raise BadInput("expected two different inputs at a finite distance.")
    if float(level) * float(distance) > _LARGEST:
        raise BadLevel(f"ε = {level.text}", f"ε times a distance of at most {_LARGEST} here")
    p, q = mechanism.row_at(first), mechanism.row_at(second)
    parts = tuple(_part(mechanism, level, distance, p, q, chosen) for chosen in sets)
    positive = [part for part in parts if part.counts]
    over = sum((part.first for part in positive), Fraction(0))
    under = sum((part.second for part in positive), Fraction(0))
    low, high = _bracket(over, under, level, distance)
    return PairExcess(
        space.points[first], space.points[second], distance, parts,
        (max(low, Fraction(0)), max(high, Fraction(0))),
        _within(over, under, level, distance),
        all(_within(part.first, part.second, level, distance) for part in positive),
    )


def _part(
    mechanism: FiniteMechanism,
    level: Level,
    distance: Surd,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    chosen: tuple[int, ...],
) -> PartExcess:
    over = sum((p[z] for z in chosen), Fraction(0))
    under = sum((q[z] for z in chosen), Fraction(0))
    ratio = over / under if under else None
    return PartExcess(
        tuple(mechanism.outputs[z] for z in chosen), ratio, over, under,
        _bracket(over, under, level, distance),
        ratio is None or level.compare(ratio, distance) > 0,
    )


def _within(over: Fraction, under: Fraction, level: Level, distance: Surd) -> bool:
    """Whether over - e^(ε d) under <= δ, decided exactly."""
    if over <= level.delta or not under:
        return over <= level.delta
    return level.compare((over - level.delta) / under, distance) <= 0


def _bracket(
    over: Fraction, under: Fraction, level: Level, distance: Surd
) -> tuple[Fraction, Fraction]:
    """Bounds on over - e^(ε d) under."""
    if not under:
        return over, over
    return (
        over - level.ratio_above(distance) * under,
        over - level.ratio_below(distance) * under,
    )


def _count(checks: int) -> int | None:
    """A count that programs can hold, None for a longer one."""
    return checks if checks <= 1 << _COUNTED else None


def _count_text(checks: int) -> str:
    bits = checks.bit_length()
    return f"{checks:,}" if bits <= _COUNTED else f"about 2^{bits}"


def _exact_text(excess: tuple[Fraction, Fraction]) -> str | None:
    return short_text(excess[0]) if excess[0] == excess[1] else None
