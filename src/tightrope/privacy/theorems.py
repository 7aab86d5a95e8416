"""Mechanisms on datasets too many to list: proved by a theorem whose hypotheses are checked.

If one edge, record or person changes the rung of no answer by more than 1, weights q^-rung
change by a factor of at most q; where normalizers differ, those do too: level below 2 ln q
(WXH, Theorem 2). Noise around the value has one normalizer for all: level ln q (Theorem 3).
Cauchy noise of smooth sensitivity: moving the center by S changes weights by a factor of at
most k² and not their sum over all integers; then scaling σ by at most q changes weights and sum
by at most q each: k² q² in all. A claim about any two neighbors is a lemma: `lemma_holds`
checks it for two, the tests for all small datasets. The parameters are checked here.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import assert_never

from tightrope.errors import BadInput, CannotCheck
from tightrope.exact import MOST_INTERVALS, Intervals, Level, Surd, short_text, sizes, told_apart
from tightrope.mechanisms import (
    BoxMechanism,
    DataMechanism,
    DegreeCounts,
    FrequentMechanism,
    GaussianMechanism,
    GlobalCount,
    KeyNoise,
    KeySelection,
    LadderCount,
    LineMechanism,
    ModeMechanism,
    PiecewiseNoise,
    PlanarLaplace,
    PositionNoise,
    PositionSteps,
    PrivacyFirstCount,
    QuantileMechanism,
    RankMechanism,
    SmoothCount,
    TallyNoise,
    TraceNoise,
)
from tightrope.privacy.evidence import (
    Certificate,
    Evidence,
    Refutation,
    Smallest,
    Witness,
    exactly,
    factor,
    relation,
    sentence,
)
from tightrope.privacy.formulas import judge_noise
from tightrope.privacy.gaussians import gaussian_theorem
from tightrope.privacy.proved_ratios import Theorem, key_theorem
from tightrope.spaces import Graphs, Positions

_ONE = Surd.of(1)
_LISTED_CELLS = 8  # most numbers in a witness, to keep sentences short
_LADDER = (
    "the local sensitivity at distance t of a graph at most that at distance t + 1 of its "
    "neighbor, so that the rung of an answer changes by at most 1"
)
_SMOOTH = (
    "S the largest of the local sensitivities at distance t over q^t, at least the local "
    "sensitivity and at most q times the S of a neighbor"
)
_REPLACEMENTS = (
    "rung = how many records must be replaced for the answer to be right, which changes by "
    "at most 1 with one record"
)

_EDGES = (
    "rung = how many edges must change for the count to be within the radius of the answer, "
    "which changes by at most 1 with one edge"
)
_CHOICE = (
    "the changes of all scores between neighbors lie so close together that the threshold which "
    "exponential noise on one score has to pass for its value to be chosen moves"
)
_CUT = (
    "graphs are cut to a largest degree in a fixed order, so that one node rewired moves the "
    "kept degrees by at most 2D in all"
)


def theorem_for(mechanism: DataMechanism, level: Level | None = None) -> Theorem:
    """The theorem that applies to a mechanism; raises `BadInput` where a hypothesis fails.

    The δ of Gaussian noise depends on the level; without one none is enough.
    """
    match mechanism:
        case LadderCount():
            return _rung_theorem(mechanism.ratio, _LADDER)
        case QuantileMechanism() | ModeMechanism():
            return _rung_theorem(mechanism.ratio, _REPLACEMENTS)
        case SmoothCount():
            return Theorem(
                (mechanism.shift * mechanism.growth) ** 2,
                f"Cauchy noise of scale S k/(k^2 - 1) with {_SMOOTH}: weights of neighbors "
                "differ by at most k^2 q and their sums by at most q, so the level is at most "
                "2 ln(k q)",
                1,
            )
        case GlobalCount():
            return Theorem(
                mechanism.ratio,
                f"{_CUT} and the count by at most {mechanism.step:,}; additive integer noise whose "
                "rungs are at least as wide has level ln q (Geng and Viswanath)",
                1,
            )
        case PrivacyFirstCount() if mechanism.linear:
            return _edge_theorem(mechanism)
        case PrivacyFirstCount():
            return _rung_theorem(mechanism.ratio, _EDGES, "Theorems 2 and 3")
        case DegreeCounts():
            return _degree_theorem(mechanism)
        case TallyNoise():
            return _tally_theorem(mechanism)
        case RankMechanism() | FrequentMechanism():
            return Theorem(
                mechanism.ratio,
                f"{_CHOICE} by at most {mechanism.spread:,} in all: level {mechanism.spread:,} "
                "ln q (McKenna and Sheldon, permute-and-flip)", 1, times=mechanism.spread)
        case KeySelection() | KeyNoise():
            return key_theorem(mechanism.ratio, mechanism.key_delta, mechanism.space.touched)
        case LineMechanism():
            return _line_theorem(mechanism)
        case BoxMechanism():
            return _box_theorem(mechanism)
        case GaussianMechanism():
            return gaussian_theorem(mechanism, level)
        case PositionNoise() | PlanarLaplace():
            return _position_theorem(mechanism)
        case TraceNoise():
            return _trace_theorem(mechanism)
        case PositionSteps():
            return Theorem(mechanism.ratio, (
                f"{_cells_of(mechanism.space)}; rings of the noise are as wide, so that no cell "
                "changes its ring by more than 1, and all centers share one normalizer: level "
                "ln q, at that distance and whatever is nearer"), 1)
        case _:
            assert_never(mechanism)


def smallest_by_theorem(mechanism: DataMechanism) -> Smallest | Refutation:
    """The smallest level of a mechanism on datasets, or a bound on it; none where it needs a δ."""
    if isinstance(mechanism, GlobalCount) and isinstance(mechanism.space, Graphs):
        return exactly(mechanism.ratio, Fraction(1))
    theorem = theorem_for(mechanism)
    return theorem.smallest if theorem.refute is None else theorem.refute(None)


def judge_by_theorem(mechanism: DataMechanism, level: Level) -> Certificate | Refutation:
    """A certificate if the theorem reaches the level, a refutation if a witness contradicts it.

    Raises `CannotCheck` between the two: a bound that need not be reached refutes nothing.

    >>> from tightrope.spaces import Records
    >>> middle = QuantileMechanism(Records(3, 0, 9), 2, Fraction(2))
    >>> judge_by_theorem(middle, Level.ratio(4)).evidence.value
    'theorem'
    """
    if isinstance(mechanism, GlobalCount) and isinstance(mechanism.space, Graphs):
        return judge_noise(mechanism, level)
    theorem = theorem_for(mechanism, level)
    if theorem.refute is not None and theorem.delta[0] > level.delta:
        return theorem.refute(level)
    if theorem.delta[1] > level.delta:
        raise CannotCheck(f"δ = {short_text(theorem.delta[1])} is proved; whether "
                          f"{short_text(level.delta)} is enough is not known.")
    if level.compare(theorem.ratio, theorem.part) <= 0:
        return Certificate(
            level,
            Evidence.THEOREM,
            None if theorem.refute else theorem.smallest,
            theorem.delta,
            relation(mechanism.space),
            theorem.checked,
            theorem.statement,
        )
    if theorem.witness is not None and level.delta == 0:
        witness = theorem.witness()
        return Refutation(level, witness, sentence(witness, level, _ONE))
    most, allowed = told_apart(theorem.ratio, factor(level, theorem.part))
    often = f" to the power of {theorem.times}" if theorem.times > 1 else ""
    raise CannotCheck(
        f"neighbors are told apart by a factor below {most}{often}, which is proved; whether it is "
        f"as small as e^ε = {allowed}{often} is not known."
    )


def _rung_theorem(ratio: Fraction, lemma: str, named: str = "Theorem 2") -> Theorem:
    return Theorem(
        ratio**2,
        f"weights q^-rung with {lemma}: normalizers and weights of neighbors each "
        f"differ by at most q, so the level is below 2 ln q (WXH, {named})",
        1,
    )


def _edge_theorem(mechanism: PrivacyFirstCount) -> Theorem:
    """Noise around the number of edges, on rung 0 within the radius and then 1 wide."""
    q, radius = mechanism.ratio, mechanism.radius
    chance = 1 / (2 * radius + 1 + 2 / (q - 1))
    return Theorem(
        q,
        "every edge counts 1, so the rung |z - edges| less the radius changes by at most 1, and "
        "the normalizer is the same for all graphs: level ln q (WXH, Corollary 1)",
        1,
        lambda: Witness("no edges", "one edge", (-radius,), (chance, chance / q), "1"),
    )


def _degree_theorem(mechanism: DegreeCounts) -> Theorem:
    """Noise on several numbers with L1 sensitivity `change`, which a star or an edge attains."""
    top, q, change = mechanism.degree, mechanism.ratio, mechanism.change
    if isinstance(mechanism.space, Graphs):
        first, lemma = "one edge", "one edge changes two degrees by 1"
        center = (2, *[0] * (top - 1))
    else:
        first, lemma = f"a star with {top} leaves", _CUT
        center = (top + 1, *[1] * (top - 1))

    def witness() -> Witness:
        chance = ((q - 1) / (q + 1)) ** top
        return Witness(first, "no edges", (center,), (chance, chance / _power(q, change)), "1")

    return Theorem(
        q,
        f"{lemma}, so the numbers of nodes with degree at least 1, 2, ..., {top} by at most "
        f"{change} added up; two-sided geometric noise of ratio q on each has level {change} ln q",
        1,
        witness,
        change,
    )


def _tally_theorem(mechanism: TallyNoise) -> Theorem:
    """Noise in steps on several numbers; the witness crosses the most rungs possible."""
    space, rungs = mechanism.space, mechanism.rungs

    def witness() -> Witness:
        rest = [0] * (space.cells - space.touched)
        moved = (1 + space.change - space.touched, *[1] * (space.touched - 1), *rest)
        output = (*[1 - mechanism.first] * space.touched, *rest)
        chance = mechanism.normalizer**-space.cells
        less = chance / _power(mechanism.ratio, rungs)
        return Witness((0,) * space.cells, moved, (output,), (chance, less), "1")

    return Theorem(
        mechanism.ratio,
        f"neighbors are {space.relation}, so their rungs, {mechanism.step:,} wide, differ by at "
        f"most {rungs:,} in all: level {rungs:,} ln q",
        1,
        witness if space.cells <= _LISTED_CELLS else None,
        rungs,
    )


def _power(q: Fraction, power: int, *more: tuple[Fraction, int]) -> Fraction:
    """q to a power, times others to theirs, where that is short enough to be written out."""
    powers = [(q, power), *more]
    bits = (n * sum(part.bit_length() for part in q.as_integer_ratio()) for q, n in powers)
    if sum(bits) > 8 * sizes.LONGEST_ROW:
        raise CannotCheck(
            f"the ratio to the power of {power:,} is longer than is written out here "
            f"({8 * sizes.LONGEST_ROW:,} bits); let one unit change less, or use a ratio of fewer "
            "digits."
        )
    return prod((q**n for q, n in powers), start=Fraction(1))


def _line_theorem(mechanism: LineMechanism) -> Theorem:
    """B_i + W lies in B_(i+1) for every rung (B_i: rungs 0 to i), by exact arithmetic."""
    noise, moves = mechanism.noise, mechanism.space.moves
    if moves.reach > noise.step:
        raise BadInput(f"a person changes the value by {moves.reach}, more than {noise.step}.")
    top, bottom = noise.ratio.as_integer_ratio()
    if len(noise.rungs) * (top.bit_length() + bottom.bit_length()) > sizes.LONGEST_ROW:
        raise CannotCheck(
            f"the weights of {len(noise.rungs):,} rungs with a ratio of so many digits are longer "
            f"than is added up here ({sizes.LONGEST_ROW:,} bits)."
        )
    grown: Intervals | None = None
    work = 0
    for i, rung in enumerate(noise.rungs):
        if rung is not None:
            grown = rung if grown is None else grown | rung
        if grown is None:
            continue
        work += len(grown) * len(moves)
        if work > MOST_INTERVALS:
            raise CannotCheck(f"more than {MOST_INTERVALS:,} intervals would have to be added up.")
        if i + 1 < len(noise.rungs):
            larger = noise.rungs[i + 1]
        else:
            larger = Intervals.of([(-noise.reach - noise.step, noise.reach + noise.step)])
        if not (grown if larger is None else grown | larger).contains(grown + moves):
            raise BadInput(f"one person can move an answer from rung {i} beyond rung {i + 1}.")
    return Theorem(
        noise.ratio,
        "additive noise whose rung changes by at most 1 when one person changes the value "
        "(B_i + W inside B_(i+1), checked exactly for every rung) has level ln q "
        "(WXH, Theorem 3 and Corollary 1)",
        len(noise.rungs) + 1,
        (lambda: _line_witness(noise)) if moves.reach == noise.step else None,
    )


def _line_witness(noise: PiecewiseNoise) -> Witness:
    """Two values one step apart: an answer of 0 or more needs noise from `reach` on, or a step
    further, which is q times rarer; and that survives rounding down to any grid."""
    beyond = noise.step * noise.ratio ** (1 - len(noise.rungs)) / (noise.ratio - 1)
    chance = beyond / noise.normalizer
    return Witness(
        str(-noise.reach),
        str(-noise.reach - noise.step),
        ("every answer of 0 or more",),
        (chance, chance / noise.ratio),
        "1",
    )


def _box_theorem(mechanism: BoxMechanism) -> Theorem:
    """Boxes grow by the L∞ sensitivity, so that no answer moves beyond the next box."""
    noise, most, k = mechanism.noise, mechanism.space.most, mechanism.space.length
    top, bottom = noise.ratio.as_integer_ratio()
    if (k + 2) * (top.bit_length() + bottom.bit_length()) > sizes.LONGEST_ROW:
        raise CannotCheck(
            f"the weights of {k} totals with a ratio of so many digits are longer than is added "
            f"up here ({sizes.LONGEST_ROW:,} bits)."
        )

    def witness() -> Witness:
        edge = (1 - noise.first, *(0,) * (k - 1))
        chance = noise.probability(edge)
        return Witness(str((0,) * k), str((most, *edge[1:])), (str(edge),),
                       (chance, chance / noise.ratio), "1")

    return Theorem(
        noise.ratio,
        f"one person moves each total by at most {most}, a step of the boxes, so the rung of every "
        "answer by at most 1, and all totals share one normalizer: level ln q (WXH, Theorem 2 "
        "with the norm of the largest coordinate)",
        1,
        witness,
    )


def _position_theorem(mechanism: PositionNoise | PlanarLaplace) -> Theorem:
    """One normalizer for all cells, and a factor q for each step between two of them."""
    law = (
        "q^-distance on all cells has level ln q for each step"
        if isinstance(mechanism, PositionNoise) else
        "a density of q^-distance in the plane has level ln q for each step, and rounding what "
        "is drawn from it reads nothing else")
    return Theorem(mechanism.ratio, f"{_cells_of(mechanism.space)}; {law}", 1,
                   times=mechanism.space.apart)


def _trace_theorem(mechanism: TraceNoise) -> Theorem:
    """A bar, a test and a position for each that is fresh; see `mechanisms.trace_noise`."""
    near, bars, tests = mechanism.space.positions, mechanism.bars, mechanism.tests
    return Theorem(
        _power(mechanism.ratio, near.apart, (bars.ratio, bars.rungs), (tests.ratio, tests.rungs)),
        f"{mechanism.space.relation} are in cells at most {near.apart:,} steps of {near.step} m "
        "apart, and so are tested distances; a bar that moves as far pays for all tests that stay "
        "below it, and the one above differs by twice that: level of bar, test and position for "
        f"each of {mechanism.fresh} fresh ones (Dwork, Naor, Reingold, Rothblum and Vadhan, 2009)",
        1,
        times=mechanism.fresh,
    )


def _cells_of(space: Positions) -> str:
    return (f"{space.relation} are in cells at most {space.apart:,} steps of {space.step} m apart: "
            "looking straight down and moving to a convex set bring no two farther apart, and "
            "rounding is counted")
