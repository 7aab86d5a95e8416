"""A subquery with the proved mechanism that answers for it, and its error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from operator import mul
from typing import TYPE_CHECKING, Any

from tightrope.errors import AnswerIsNo, BadInput, SolverFailed, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import (
    FrequentMechanism,
    KeyNoise,
    KeySelection,
    MatrixMechanism,
    Mechanism,
    NoiseSum,
    RankMechanism,
    TallyNoise,
)
from tightrope.releases.optima import (
    Target,
    is_best,
    solve,
    table_errors,
    table_interval,
    table_reach,
)
from tightrope.releases.ranges import least_in_range, mean_in_range, read_in_range, worst_in_range
from tightrope.releases.subqueries import Subquery
from tightrope.samplers import SYSTEM, Source, draw
from tightrope.spaces import Key, KeyCounts, Lattice, Occupied, Tallies, Totals

if TYPE_CHECKING:
    from tightrope.documents import Optimality
    from tightrope.privacy import Certified

Numbers = Sequence[int] | Occupied | Mapping[Key, int]


@dataclass(frozen=True)
class PlannedSubquery:
    """Whole numbers, and the proved mechanism that answers for them.

    `optimality` is what the multipliers of a table of probabilities prove.
    """

    subquery: Subquery
    certified: Certified
    optimality: Optimality | None = None

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism."""
        return self.certified.mechanism

    @property
    def noise(self) -> TallyNoise:
        """The noise of each number, where each has its own."""
        mechanism = self.certified.mechanism
        assert isinstance(mechanism, TallyNoise)
        return mechanism

    @property
    def table(self) -> MatrixMechanism | None:
        """The table of probabilities of one number, if it has one."""
        mechanism = self.certified.mechanism
        return mechanism if isinstance(mechanism, MatrixMechanism) else None

    @property
    def level(self) -> Level:
        """Its level."""
        return self.certified.certificate.level

    @property
    def target(self) -> Target:
        """The error that is least, of a number in a range."""
        assert self.subquery.target is not None
        return self.subquery.target

    @property
    def most(self) -> int:
        """The most that a number in a range can be."""
        return self.target.most

    @property
    def change(self) -> int:
        """L1 sensitivity of one number in a range."""
        space = self.subquery.space
        if isinstance(space, Lattice):
            return space.norm.block
        assert isinstance(space, Tallies)
        return space.change

    def width(self, confidence: Fraction, terms: int = 1) -> Fraction:
        """Half the length of an interval that holds a number, or a sum of some, so surely."""
        mechanism: Any = self.certified.mechanism
        if self.table is not None:
            return table_reach(self.table, self.most, confidence) * self.subquery.unit
        if isinstance(self.subquery.space, Totals):
            return int(mechanism.noise.radius(confidence, of=1)) * self.subquery.unit
        wide = NoiseSum(self.noise, terms).reach(confidence)
        if self.subquery.target is not None:  # near the ends a number is read as one further inside
            wide = min(max(wide, read_in_range(self.noise, wide, self.most)), self.most)
        return wide * self.subquery.unit

    def width_of_all(self, confidence: Fraction) -> Fraction:
        """Half the length of intervals that hold all numbers at once so surely."""
        mechanism: Any = self.certified.mechanism
        space = self.subquery.space
        if isinstance(space, Totals):
            return int(mechanism.noise.radius(confidence)) * self.subquery.unit
        assert isinstance(space, Tallies)
        return self.width(1 - (1 - confidence) / space.cells)

    def mean_error(self, terms: int = 1) -> Fraction:
        """The mean error of a number, or of a sum of some; in a range, on average over it."""
        mechanism: Any = self.certified.mechanism
        if self.table is not None:
            errors = table_errors(self.table, self.most)
            weights = self.target.weights or (Fraction(1, len(errors)),) * len(errors)
            return sum(map(mul, weights, errors), Fraction(0)) * self.subquery.unit
        if isinstance(self.subquery.space, Totals):
            from tightrope.constructions import box_error

            return Fraction(box_error(mechanism.noise)) * self.subquery.unit
        if terms > 1:
            return Fraction(NoiseSum(self.noise, terms).mean_error) * self.subquery.unit
        within = None if self.subquery.target is None else mean_in_range(self.noise, self.most)
        return (self.noise.mean_error if within is None else Fraction(within)) * self.subquery.unit

    @property
    def worst_error(self) -> Fraction | None:
        """The mean error of the worst number in a range; None if it takes too long to tell."""
        if self.table is not None:
            return max(table_errors(self.table, self.most)) * self.subquery.unit
        worst = worst_in_range(self.noise, self.most)
        return None if worst is None else Fraction(worst) * self.subquery.unit

    @property
    def least_error(self) -> Fraction | None:
        """An error of this target that no mechanism is below; None if none is proved."""
        if self.optimality is not None:
            return Fraction(self.optimality.bound) * self.subquery.unit
        if self.target.solved:
            return None
        change = self.change
        if change == 1 and mean_in_range(self.noise, self.most) is not None:
            return self.mean_error()
        least = least_in_range(self.level, change, self.most)
        return None if least is None else Fraction(least) * self.subquery.unit

    def ranks(self, sure: Fraction) -> Fraction:
        """How far the rank of a chosen value is off, or how much rarer it is, so surely at most."""
        mechanism, score = self.mechanism, self.subquery.score
        assert isinstance(mechanism, RankMechanism | FrequentMechanism)
        beyond = mechanism.shortfall(sure)
        if isinstance(mechanism, FrequentMechanism):
            return Fraction(beyond)
        return Fraction(beyond + abs(mechanism.shift), score.below + score.above)

    @property
    def least_released(self) -> int:
        """The least number with which a key is released."""
        return self.mechanism.reach + 1 if isinstance(self.mechanism, KeyNoise) else 1

    def key_errors(self, confidence: Fraction) -> tuple[Fraction | None, Fraction | None]:
        """Mean error and half-width of the count of a key that always appears; None without."""
        mechanism = self.mechanism
        if not isinstance(mechanism, KeyNoise):
            return None, None
        return mechanism.mean_error, Fraction(mechanism.width(confidence))

    def key_interval(self, number: int, confidence: Fraction) -> tuple[int, int]:
        """The ends of an interval for the units of a key that appeared with this number."""
        assert isinstance(self.mechanism, KeyNoise)
        return self.mechanism.interval(number, confidence)

    @property
    def rows_beyond(self) -> int:
        """How many rows are to be beyond an extreme value."""
        return abs(self.mechanism.shift) if isinstance(self.mechanism, RankMechanism) else 0

    @property
    def words(self) -> str:
        """The mechanism in words."""
        match self.mechanism:
            case RankMechanism():
                return "permute-and-flip by rank"
            case FrequentMechanism():
                return "permute-and-flip by count"
            case KeySelection():
                return "optimal selection of keys"
            case KeyNoise() as mechanism:
                return (f"geometric noise cut to ±{mechanism.reach:,}, keys released above "
                        f"{mechanism.reach:,}")
            case TallyNoise() as mechanism if mechanism.step > 1:
                return f"staircase noise in steps of {mechanism.step:,}"
            case TallyNoise():
                return "two-sided geometric noise"
            case MatrixMechanism() as mechanism:
                return f"a table of probabilities for {mechanism.space.size} numbers"
            case _:
                return "noise in boxes"

    @property
    def family(self) -> str:
        """The mechanism in one word."""
        match self.mechanism:
            case RankMechanism() | FrequentMechanism():
                return "permute-flip"
            case TallyNoise() as mechanism:
                return "staircase" if mechanism.step > 1 else "geometric"
            case MatrixMechanism():
                return "table"
            case KeySelection():
                return "selection"
            case KeyNoise():
                return "threshold"
            case _:
                return "boxes"

    @property
    def drawn(self) -> int:
        """How many numbers are drawn, where that is known before."""
        match self.mechanism:
            case RankMechanism() as mechanism:
                return mechanism.space.groups
            case FrequentMechanism() as mechanism:
                return mechanism.space.groups * mechanism.picks
            case TallyNoise() as mechanism:
                return mechanism.space.cells
            case _:  # totals, or a table for one number
                space = self.subquery.space
                return space.length if isinstance(space, Totals) else 1

    def draw(self, numbers: Numbers, source: Source = SYSTEM) -> list[Any]:
        """Draw an answer for the numbers of a table."""
        data: Any = numbers
        if isinstance(self.subquery.space, KeyCounts):
            released: Any = draw(self.certified, data, source)
            return [[list(entry[0]), entry[1]] if self.subquery.counted else [list(entry)]
                    for entry in released]
        answer: Any = draw(self.certified, data[0] if self.table is not None else data, source)
        return [int(answer)] if self.table is not None else answer

    def read(self, drawn: int, confidence: Fraction) -> tuple[Fraction, Fraction, Fraction]:
        """The value of a drawn number, and the ends of an interval that holds it so surely."""
        subquery = self.subquery
        if type(drawn) is not int:
            raise BadInput("what was drawn is a whole number.")
        if self.table is not None:
            low, high = table_interval(self.table, self.most, drawn, confidence)
            ends = [min(drawn, self.most), low, high]
        else:
            wide = self.noise.reach(confidence)
            ends = [drawn, drawn - wide, drawn + wide]
            if subquery.target is not None:
                value = read_in_range(self.noise, drawn, self.most)
                low, high = (min(max(end, 0), self.most) for end in ends[1:])
                ends = [value, min(low, value), max(high, value)]
        middle, least, largest = (subquery.offset + end * subquery.unit for end in ends)
        return middle, least, largest


@lru_cache(maxsize=256)  # asked again for every question at a level
def least_noise(change: int, level: Level) -> Fraction:
    """The least mean error of noise on one number that a unit changes by so much.

    >>> least_noise(1, Level.ratio(2))
    Fraction(4, 3)
    """
    from tightrope.constructions import tally_noise

    mechanism = tally_noise(Tallies(1, 1, change), level).mechanism
    assert isinstance(mechanism, TallyNoise)
    return mechanism.mean_error


def prove(
    subquery: Subquery, level: Level, sure: Fraction, law: Mapping[str, Any] | None = None
) -> PlannedSubquery:
    """The subquery with its mechanism, proved at the level.

    `law` is the document of a mechanism that was drawn from. A table in it that is proved best for
    these numbers is taken, and no optimum is sought again; every other law is made anew.
    """
    if law is None or not isinstance(subquery.space, Lattice):
        return _prove_anew(subquery, level, sure)
    assert subquery.target is not None
    other = subquery if subquery.target.solved else _as_noise(subquery)
    return _best_table(subquery, level, law) or _prove_anew(other, level, sure)


def _best_table(subquery: Subquery, level: Level, law: Mapping[str, Any]) -> PlannedSubquery | None:
    """The subquery with the table of a document; None unless it is proved best at this level."""
    if law.get("space") != subquery.space.describe():
        return None
    from tightrope.documents import Optimality, accept, read, render

    document = read(render(law))
    claim, table = document.optimality, document.mechanism
    assert subquery.target is not None
    if document.level != level or not isinstance(claim, Optimality):
        return None
    if not is_best(claim, table, subquery.target):
        return None
    try:
        return PlannedSubquery(subquery, accept(document), claim)
    except AnswerIsNo:
        return None


def _as_noise(subquery: Subquery) -> Subquery:
    """The subquery, to be answered by noise where it would be by a table."""
    if not isinstance(subquery.space, Lattice):
        return subquery
    return replace(subquery, space=Tallies(1, 1, subquery.space.norm.block))


def _prove_anew(subquery: Subquery, level: Level, sure: Fraction) -> PlannedSubquery:
    from tightrope import constructions  # each is slow to load, and loads when it is asked for

    space, score = subquery.space, subquery.score
    if isinstance(space, Lattice):
        assert subquery.target is not None
        try:
            return PlannedSubquery(subquery, *solve(space, level, subquery.target))
        except (TooLarge, SolverFailed):  # at levels that hide nothing, say
            if subquery.target.solved:
                raise BadInput(f"no optimum is proved at {level}; leave optimal out.") from None
            return _prove_anew(_as_noise(subquery), level, sure)
    if isinstance(space, KeyCounts):
        made = constructions.key_noise if subquery.counted else constructions.key_selection
        return PlannedSubquery(subquery, made(space, level))
    if isinstance(space, Tallies):
        return PlannedSubquery(subquery, constructions.tally_noise(space, level))
    if isinstance(space, Totals):
        return PlannedSubquery(subquery, constructions.box_noise(space, level))
    if score.picks:
        return PlannedSubquery(subquery, constructions.frequent_choice(space, level, score.picks))
    choice = constructions.rank_choice(space, level, score.below, score.above)
    if not score.toward:
        return PlannedSubquery(subquery, choice)
    mechanism = choice.mechanism
    assert isinstance(mechanism, RankMechanism)
    return PlannedSubquery(subquery, constructions.rank_choice(
        space, level, score.below, score.above, score.toward * (mechanism.shortfall(sure) + 1)))
