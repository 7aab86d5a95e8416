"""`verify`: a certificate, or a refutation with its witness. Nothing in between.

For δ = 0 the irreducible pairs of the space decide (levels add up along them); for δ > 0
every declared neighbor pair does. Kernel mechanisms are decided by their normalizers,
integer noise and reports of sets by their ratio, tables by their base, mechanisms on datasets
by the theorem that is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, assert_never, get_args

from flint import ctx

from tightrope.errors import BadInput, NotPrivate
from tightrope.exact import (
    FloatArray,
    Level,
    Number,
    ball_of,
    float_above,
    float_below,
    tolerances,
    upper_bound,
)
from tightrope.mechanisms import (
    DataMechanism,
    FiniteMechanism,
    Held,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    PointMechanism,
    RemappedMechanism,
    ReportMechanism,
    SubsetMechanism,
    TableMechanism,
    UnaryMechanism,
    held,
    mechanism_of,
    own_space,
    written_out,
)
from tightrope.privacy.comparisons import Comparisons
from tightrope.privacy.evidence import (
    Certificate,
    Certified,
    Evidence,
    Refutation,
    Smallest,
    exactly,
    issue,
    relation,
    total_bits,
)
from tightrope.privacy.formulas import judge_noise, judge_report, smallest_of_report
from tightrope.privacy.hockeystick import declared, worst_pair
from tightrope.privacy.levels import level_of
from tightrope.privacy.normalizers import KernelSpot, kernel_spots, steeper
from tightrope.privacy.refutations import (
    kernel_refutation,
    set_refutation,
    spot_refutation,
    zero_refutation,
)
from tightrope.privacy.remapping import bracket_remapped, judge_remapped
from tightrope.privacy.rounded import judge_by_normalizers, span
from tightrope.privacy.theorems import judge_by_theorem, smallest_by_theorem
from tightrope.spaces import Datasets, Space, space_of
from tightrope.spellings import DEFINITION, LEVEL, spelled

_ZERO = (Fraction(0), Fraction(0))
_FORMS = get_args(Mechanism)
_EXACT_EFFORT = 10_000_000
"""Close comparisons times bits of the ratio up to which the smallest level is exact: time."""


@spelled(definition=DEFINITION, plot="plot() of tr.delta_curve(mechanism, space)", **LEVEL)
def verify(
    mechanism: Mechanism | Held | FloatArray | Sequence[Sequence[Number]],
    space: Space | Datasets | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> Certificate | Refutation:
    """Prove or refute that the mechanism, read on the space, has the level.

    Parameters: the level is `epsilon` (a number, a text or a `Level`), with `delta`, or `ratio`,
    e^ε. `mechanism` may be a matrix of probabilities, read as it is: an array, or nested
    lists of exact numbers. A mechanism on datasets is proved for its own datasets.

    Returns: a `Certificate` with the smallest level that holds, or a `Refutation` whose witness
    names two inputs, the output or outputs, and both exact probabilities.

    Raises: `CannotCheck` where the theorem of a mechanism on datasets is a bound above the level,
    so that neither is known; `Refused` for δ above 0 without declared neighbors.

    >>> coin = [["2/3", "1/3"], ["1/3", "2/3"]]
    >>> [verify(coin, "categories:2", ratio=ratio).holds for ratio in ("2", "3/2")]
    [True, False]
    """
    level, mechanism = level_of(epsilon, delta=delta, ratio=ratio), held(mechanism)
    if isinstance(mechanism, DataMechanism) and type(mechanism) in _FORMS:
        _check_datasets(mechanism, space)
        verdict = judge_by_theorem(mechanism, level)
        return issue(verdict, mechanism) if isinstance(verdict, Certificate) else verdict
    if isinstance(space, Datasets):
        raise BadInput(f"expected a mechanism for {space.text}.")
    read = space_of(space)
    point_mechanism = _read_mechanism(mechanism, read)
    if point_mechanism.space is not read:  # what it is drawn by, however it compares itself
        space_of(point_mechanism.space)
    verdict = _judge(point_mechanism, read, level)
    if isinstance(verdict, Certificate) and point_mechanism.space == read:
        return issue(verdict, point_mechanism)
    return verdict


def _check_datasets(mechanism: DataMechanism, space: Space | Datasets | str) -> None:
    if space != mechanism.space:
        raise BadInput(f"the mechanism is for {mechanism.space.text}, and for nothing else.")


def _read_mechanism(given: Any, space: Space) -> PointMechanism:
    """A mechanism of one of the forms, or a matrix as one.

    A subclass is refused: it may say one thing now, and another when it is drawn from.
    """
    form = given.base if type(given) is TableMechanism else given
    if type(form) in _FORMS:
        point_mechanism: PointMechanism = given
        return point_mechanism
    if isinstance(form, (str, bytes, dict, *_FORMS)) or not hasattr(form, "__len__"):
        raise BadInput(
            f"expected a mechanism or a matrix of probabilities, found {type(form).__name__}"
            + ("; tightrope.load reads a file, and verifies it." if isinstance(form, str) else ".")
        )
    return MatrixMechanism.of(form, space)


def _judge(mechanism: PointMechanism, space: Space, level: Level) -> Certificate | Refutation:
    if level.delta > 0:
        declared(space)
    match mechanism:
        case TableMechanism():
            return _judge(mechanism.base, space, level)
        case NoiseMechanism():
            return judge_noise(_same_space(mechanism, space), level)
        case KernelMechanism() if mechanism.space == space:
            return _verify_kernel(mechanism, level)
        case RemappedMechanism() if mechanism.space == space:
            return judge_remapped(mechanism, level, _verify_kernel(mechanism.kernel, level))
        case SubsetMechanism() | UnaryMechanism() if mechanism.space == space:
            return judge_report(mechanism, level)
        case (
            KernelMechanism()
            | MatrixMechanism()
            | RemappedMechanism()
            | SubsetMechanism()
            | UnaryMechanism()
        ):
            matrix = _rows(mechanism, space)
            if level.delta == 0:
                return _verify_pure(matrix, level)
            return _verify_approximate(matrix, level)
        case _:
            assert_never(mechanism)


def certified(
    mechanism: Mechanism | Held, epsilon: Level | Number | None = None, *,
    delta: Number | None = None, ratio: Number | None = None,
) -> Certified:
    """The mechanism with its certificate at the level.

    Returns: a `Certified`: the mechanism and its `certificate`.
    Raises: `NotPrivate` if it breaks the level; `BadInput` for a bare matrix; else as `verify`.

    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> certified(coin, "ln(2)").certificate.holds
    True
    """
    mechanism = mechanism_of(mechanism)
    if type(mechanism) not in _FORMS:
        raise BadInput(f"expected a mechanism, found {type(mechanism).__name__}.")
    verdict = verify(mechanism, mechanism.space, epsilon, delta=delta, ratio=ratio)
    if isinstance(verdict, Refutation):
        raise NotPrivate(verdict)
    return Certified(mechanism, verdict)


def smallest_level(
    mechanism: Mechanism | Held | FloatArray | Sequence[Sequence[Number]],
    space: Space | Datasets | str | None = None,
) -> Smallest | Refutation:
    """The smallest level at which the mechanism is private, or a proof that none is finite.

    Parameters: `space` is the mechanism's own if None; a bare matrix has none.

    Returns: a `Smallest` (exact, or a bracket), or a `Refutation` if no level is finite.

    Raises: `BadInput` for a matrix without a space.

    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> smallest_level(coin).exact.text
    'ln(2)'
    """
    given: Any = held(mechanism)
    if isinstance(given, DataMechanism) and type(given) in _FORMS:
        _check_datasets(given, given.space if space is None else space)
        return smallest_by_theorem(given)
    if isinstance(space, Datasets):
        raise BadInput(f"expected a mechanism for {space.text}.")
    read = own_space(given, space, "smallest_level")
    return _smallest_of(_read_mechanism(given, read), read)


def _smallest_of(mechanism: PointMechanism, space: Space) -> Smallest | Refutation:
    match mechanism:
        case TableMechanism():
            return _smallest_of(mechanism.base, space)
        case NoiseMechanism():  # refused where one person changes more than a step
            return exactly(mechanism.on(space).ratio, Fraction(1))
        case KernelMechanism() if mechanism.space == space and mechanism.rounded:
            smallest = span(mechanism).smallest(space.least_distance)
            return smallest or _smallest_of(mechanism.matrix(), space)
        case KernelMechanism() if mechanism.space == space:
            return _smallest_kernel(mechanism, list(kernel_spots(mechanism)))
        case RemappedMechanism() if mechanism.space == space:
            kernel = _smallest_of(mechanism.kernel, space)
            if isinstance(kernel, Smallest):
                return bracket_remapped(mechanism, kernel)
            return _smallest_of(mechanism.matrix(), space)
        case SubsetMechanism() | UnaryMechanism() if mechanism.space == space:
            return smallest_of_report(mechanism)
        case (
            KernelMechanism()
            | MatrixMechanism()
            | RemappedMechanism()
            | SubsetMechanism()
            | UnaryMechanism()
        ):
            matrix = _rows(mechanism, space)
            comparisons = Comparisons.over(matrix.weights, space)
            zero = comparisons.zero()
            if zero is not None:
                return zero_refutation(matrix, zero, None)
            return _smallest(comparisons)
        case _:
            assert_never(mechanism)


def _rows(mechanism: FiniteMechanism | ReportMechanism, space: Space) -> MatrixMechanism:
    """The mechanism written out on the space, if its rows are short enough to be compared."""
    matrix = written_out(mechanism).on(space)
    matrix.weights.check_lengths()
    return matrix


def _same_space(mechanism: NoiseMechanism, space: Space) -> NoiseMechanism:
    return mechanism if mechanism.space == space else mechanism.on(space)


def _verify_rounded(mechanism: KernelMechanism, level: Level) -> Certificate | Refutation:
    """By bounds on the normalizers; rows are written out where those do not decide."""
    verdict = judge_by_normalizers(mechanism, level)
    if isinstance(verdict, Certificate):
        return verdict
    if isinstance(verdict, KernelSpot):
        return kernel_refutation(mechanism, verdict, level)
    check = _verify_approximate if level.delta > 0 else _verify_pure
    return _restate_for_kernel(check(_rows(mechanism, mechanism.space), level))


def _verify_kernel(mechanism: KernelMechanism, level: Level) -> Certificate | Refutation:
    if mechanism.rounded:
        return _verify_rounded(mechanism, level)
    spots = list(kernel_spots(mechanism))
    for spot in spots:
        if spot.exceeds(level):
            if level.delta > 0:
                rows = mechanism if mechanism.even else _rows(mechanism, mechanism.space)
                return _restate_for_kernel(_verify_approximate(rows, level))
            if not spot.attained:
                return _restate_for_kernel(_verify_pure(_rows(mechanism, mechanism.space), level))
            return kernel_refutation(mechanism, spot, level)
    return Certificate(
        level,
        Evidence.KERNEL,
        _smallest_kernel(mechanism, spots),
        _ZERO,
        relation(mechanism.space),
        len(spots),
        "rows are implied by distances: the triangle inequality and the exact normalizers "
        "bound every ratio",
    )


def _restate_for_kernel(verdict: Certificate | Refutation) -> Certificate | Refutation:
    """The verdict on the rows written out, stated for the kernel."""
    if isinstance(verdict, Refutation):
        return verdict
    statement = f"rows implied by distances were written out: {verdict.statement}"
    return replace(verdict, evidence=Evidence.KERNEL, statement=statement)


def _smallest_kernel(mechanism: KernelMechanism, spots: list[KernelSpot]) -> Smallest:
    best = spots[0] if spots else None
    for spot in spots[1:]:
        if best is not None and steeper(spot, best):
            best = spot
    if best is None or best.over <= best.under:
        return Smallest(0.0, 0.0, Level.of(0))
    if not best.attained:
        smallest = smallest_level(mechanism.matrix(), mechanism.space)
        assert isinstance(smallest, Smallest)
        return smallest
    length = best.distance.rational
    assert length is not None
    return exactly(best.ratio, length)


def _verify_pure(mechanism: MatrixMechanism, level: Level) -> Certificate | Refutation:
    space = mechanism.space
    comparisons = Comparisons.over(mechanism.weights, space)
    zero = comparisons.zero()
    if zero is not None:
        return zero_refutation(mechanism, zero, level)
    spot = comparisons.violation(level)
    if spot is not None:
        return spot_refutation(mechanism, spot, level)
    return Certificate(
        level,
        Evidence.ENUMERATED,
        _smallest(comparisons, level),
        _ZERO,
        relation(space),
        comparisons.count,
        "every irreducible pair and every output was compared exactly",
    )


def _verify_approximate(
    mechanism: MatrixMechanism | KernelMechanism, level: Level
) -> Certificate | Refutation:
    space = mechanism.space
    worst = worst_pair(mechanism, space, level, bits=128)
    if not worst.holds:
        return set_refutation(mechanism, worst, level)
    pure = smallest_level(mechanism, space)
    return Certificate(
        level,
        Evidence.ENUMERATED,
        pure if isinstance(pure, Smallest) else None,
        worst.delta,
        relation(space),
        worst.checked,
        "the hockey-stick sum of every declared neighbor pair was computed",
    )


def _smallest(comparisons: Comparisons, asked: Level | None = None) -> Smallest:
    """The smallest level, proved by checking the candidate itself.

    Where the candidate equals the level asked for, it is proved already. Where few pairs come
    close to it, it is exact; where most do (weights rounded just inside a level), a bracket
    wide enough for double arithmetic does.
    """
    if comparisons.count == 0:
        return Smallest(0.0, 0.0, Level.of(0))
    steepest, close = comparisons.steepest()
    spot = steepest if comparisons.ratio(steepest) > 1 else comparisons.unequal_spot()
    while spot is not None:
        ratio, length = comparisons.ratio(spot), spot.distance.rational
        if asked is not None and asked.compare(ratio, spot.distance) == 0:
            return Smallest(float_below(asked.ball(128)), float_above(asked.ball(128)), asked.pure)
        if length is not None and close * total_bits(ratio) * comparisons.width <= _EXACT_EFFORT:
            candidate = Level(Fraction(0), 1 / length, ratio)
            smallest = exactly(ratio, length)
        else:
            with ctx.workprec(192):
                ball = ball_of(ratio, 192).log() / spot.distance.ball(192)
                above = ball + 16 * tolerances.COMPARISON_MARGIN / spot.distance.ball(192)
            candidate = Level(upper_bound(above), Fraction(0), Fraction(1))
            if asked is not None and candidate.compare_level(asked.pure) > 0:
                candidate = asked.pure
            least = max(0.0, float_below(ball))
            smallest = Smallest(least, float_above(candidate.ball(192)), None)
        spot = comparisons.violation(candidate)
        if spot is None:
            return smallest
    return Smallest(0.0, 0.0, Level.of(0))
