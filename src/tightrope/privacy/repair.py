"""`certify`: the nearest provable mechanism to a matrix of floating-point probabilities.

Solvers return matrices with a zero beside a non-zero, or with ratios slightly too large.
The repair lifts each column into the cone, v[a] = max_b e^(-ε d(a,b)) v[b], which only adds
mass. With row sums s, smallest distance d0 and E <= e^(ε d0), the leftover S - s lies in the
cone for S = (E max s - min s)/(E - 1). Given to one output, it makes all rows add up to S without
breaking a ratio. Renormalizing the rows would. Then everything is rounded to exact
weights and proved; nothing is returned unproved. Components of a space are repaired
separately. With δ > 0 the matrix is mixed with that repair, which has δ = 0: excesses shrink
by the share of the mixture.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.errors import BadMatrix, NotPrivate
from tightrope.exact import FloatArray, Level, Number, Weights, float_rows, power_of_two, tolerances
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.mechanisms import MatrixMechanism, held
from tightrope.privacy.descriptions import promises, proof_facts
from tightrope.privacy.evidence import Certificate, Certified, Refutation
from tightrope.privacy.hockeystick import worst_pair
from tightrope.privacy.levels import level_of
from tightrope.privacy.verification import verify
from tightrope.spaces import Label, Space, components, farthest, in_order, space_of
from tightrope.spellings import LEVEL, RESULT, spelled


@dataclass(frozen=True)
class Repair:
    """A certified mechanism and how far the repair moved the given one.

    `moved` is the largest total variation distance between a given row and the certified
    one; `row_error` is how far from 1 the given rows added up. The loss before and after is
    known where the repair was asked for with one (`utility.repair_for`).
    """

    given: MatrixMechanism
    certified: Certified
    moved: float
    row_error: float
    value_before: float | None = None
    value_after: float | None = None

    @property
    def changed(self) -> bool:
        """Whether the given matrix lacked the level, however little it was moved."""
        return self.certified.mechanism is not self.given

    def facts(self) -> Facts:
        """How far the matrix was moved, the loss before and after, the level and its proof."""
        before, after = self.value_before, self.value_after
        cost = "" if not before or before == after or after is None else (
            f" ({(after - before) / before:+.2g} relative)")
        return Facts(
            "Repair",
            "the matrix has the level as it is" if not self.changed else "repaired and proved",
            (
                Fact("moved", "moved", Shown(self.moved, f"{self.moved:.3g}")
                     if self.changed else Shown(self.moved, "nothing"),
                     meaning="largest total variation of a row" if self.changed else ""),
                Fact(None, "loss", None if before is None or after is None else
                     f"{before:.10g} before, {after:.10g} after{cost}"),
                *proof_facts(self.certified),
                Fact("row_error", "row totals", Shown(
                    self.row_error, f"within {self.row_error:.2g} of 1; each total became the "
                    "denominator" if self.row_error else "all 1"), detail=True),
                *data(changed=self.changed, value_before=before, value_after=after,
                      space=self.given.space.text),
            ),
            promises(self.certified),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    loss="costs=[[…]], a matrix of costs",
    normalize="the matrix alone; certify divides each row by its total",
    **LEVEL, **RESULT,
)
def certify(
    matrix: FloatArray | Sequence[Sequence[Number]],
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    outputs: Sequence[Label] | None = None,
    costs: FloatArray | None = None,
) -> Certified:
    """Repair a matrix of probabilities into a mechanism that has the level, with the proof.

    Parameters: `outputs` name the columns, the points of the space if None; `costs` (inputs ×
    outputs, prior times loss) choose the output that takes added mass, the likeliest if None.

    Returns: the matrix itself, certified, if it has the level; else a mechanism close to it.

    Raises: `BadMatrix` if rows are no probabilities; `NotPrivate` if no repair could be proved.

    >>> from tightrope.spaces import categories
    >>> m = certify(np.array([[1.0, 0.0], [0.0, 1.0]]), categories(2), Level.epsilon(1))
    >>> m.certificate.smallest.upper <= 1
    True
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    return repair(matrix, space, level, outputs=outputs, costs=costs).certified


def repair(
    matrix: FloatArray | Sequence[Sequence[Number]] | MatrixMechanism,
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
    outputs: Sequence[Label] | None = None,
    costs: FloatArray | None = None,
) -> Repair:
    """`certify`, with the cost of the repair.

    `costs` (inputs × outputs, prior times loss) chooses the output that takes the leftover;
    without it the output with the largest mass does. A matrix that already has the level is
    kept as it is.

    Returns: a `Repair`; `certified` is the mechanism with its proof, `moved` how far rows moved.

    Raises: `BadMatrix` if rows are no probabilities or `costs` have another shape; `NotPrivate` if
    no repair could be proved. `Refused` for δ above 0 without declared neighbors.

    >>> repaired = repair([[0.7, 0.3], [0.3, 0.7]], "categories:2", "ln(2)")
    >>> repaired.certified.certificate.holds, repaired.moved > 0
    (True, True)
    """
    level = level_of(epsilon, delta=delta, ratio=ratio)
    space, row_error = space_of(space), 0.0
    matrix = held(matrix)
    if isinstance(matrix, MatrixMechanism):
        given = matrix
    else:
        outputs = space.points if outputs is None else outputs
        rows = in_order(matrix, space.points, outputs)
        given = MatrixMechanism.of(rows, space, outputs)
        totals = float_rows(rows, "a matrix of probabilities").sum(axis=1)
        row_error = float(np.abs(totals - 1).max())
    if costs is not None:
        costs, shape = float_rows(costs, "the costs of outputs"), given.weights.floats.shape
        if costs.shape != shape:
            raise BadMatrix(f"expected costs of the shape {shape}, found {costs.shape}.")
    verdict = verify(given, space, level)
    if isinstance(verdict, Certificate):
        return Repair(given, Certified(given, verdict), 0.0, row_error)
    method = _mix_repair if level.delta else _lift_columns
    mechanism, certificate = method(given, space, level, costs)
    masses = mechanism.weights.floats
    moved = 0.5 * np.abs(given.weights.floats - masses).sum(axis=1).max()
    return Repair(given, Certified(mechanism, certificate), float(moved), row_error)


def _lift_columns(
    given: MatrixMechanism, space: Space, level: Level, costs: FloatArray | None
) -> tuple[MatrixMechanism, Certificate]:
    """The mechanism with its columns lifted into the cone and its rows filled up.

    At ε = 0 every row becomes the mean row of its component.
    """
    masses = given.weights.floats
    weights = Weights.from_floats(_component_means(masses, space)) if level.is_zero else (
        _fill(_lift(masses, space, level), space, level, costs))
    mechanism = MatrixMechanism(space, given.outputs, weights)
    proved = verify(mechanism, space, level)
    if isinstance(proved, Refutation):
        raise NotPrivate(proved)
    return mechanism, proved


def _component_means(masses: FloatArray, space: Space) -> FloatArray:
    """The mean row of each component, for all of its inputs."""
    part = components(space)
    means = np.array([masses[part == k].mean(axis=0) for k in range(part.max() + 1)])
    return np.asarray(means[part])


def _mix_repair(
    given: MatrixMechanism, space: Space, level: Level, costs: FloatArray | None
) -> tuple[MatrixMechanism, Certificate]:
    """The mechanism mixed with about as little of its pure repair as proves the level."""
    masses = given.weights.floats
    lifted, _ = _lift_columns(given, space, level.pure, costs)
    pure = lifted.weights.floats
    _, excess = worst_pair(given, space, level, bits=128).delta
    share = float(1 - level.delta / excess)
    extra = 2.0**-50
    while True:
        part = share + extra
        mixed = Weights.from_floats((1 - part) * masses + part * pure) if part < 1 else None
        mechanism = MatrixMechanism(space, given.outputs, mixed) if mixed else lifted
        proved = verify(mechanism, space, level)
        if isinstance(proved, Certificate):
            return mechanism, proved
        if mixed is None:
            raise NotPrivate(proved)
        extra *= 32


def dilute(mechanism: MatrixMechanism, level: Level, output: int) -> Certified:
    """The mechanism mixed with as little of one constant output as proves a level with δ > 0.

    A constant answer has no excess at any ε, so with a share t of it all excesses are 1 - t
    times as large. The mixture is exact: weights become longer, nothing is rounded.

    >>> from tightrope.spaces import categories
    >>> truth = MatrixMechanism(categories(2), (0, 1), Weights.from_integers([[1, 0], [0, 1]]))
    >>> dilute(truth, Level.ratio(2, "1/2"), 0).mechanism.row(1)
    (Fraction(1, 2), Fraction(1, 2))
    """
    space, weights = mechanism.space, mechanism.weights
    rows = [weights.row_integers(y)[0] for y in range(space.size)]
    bits = 2 * max(max(row).bit_length() for row in rows) + 64
    _, excess = worst_pair(mechanism, space, level, bits=bits).delta
    parts, whole = max(0, math.ceil((1 - level.delta / excess) * 2**bits)) if excess else 0, 2**bits
    extra = 1
    while True:
        mixed = []
        for row in rows:
            kept = [number * (whole - parts) for number in row]
            kept[output] += sum(row) * parts
            mixed.append(kept)
        candidate = MatrixMechanism(space, mechanism.outputs, Weights.from_integers(mixed))
        proved = verify(candidate, space, level)
        if isinstance(proved, Certificate):
            return Certified(candidate, proved)
        if parts == whole:
            raise NotPrivate(proved)
        parts, extra = min(whole, parts + extra), extra * 2**16


def _lift(matrix: FloatArray, space: Space, level: Level) -> FloatArray:
    """log2 of the lifted columns; a column of zeros stays at minus infinity."""
    with np.errstate(divide="ignore"):
        logs = np.log2(matrix)
    everyone = np.arange(space.size)
    reach = float(level) * float(farthest(space)) / math.log(2)
    # log2 values of this size are good to about size · 2^-52: stay further inside than that
    size = reach + 1100
    inner = level.inside(space.least_distance, tolerances.INSIDE_BITS, size * 2.0**-50)
    slope = float(inner) / math.log(2)
    lifted = np.empty_like(logs)
    for a in range(space.size):
        fall = slope * space.lengths(np.full(space.size, a), everyone)
        lifted[a] = (logs - fall[:, None]).max(axis=0)
    return lifted


def _fill(logs: FloatArray, space: Space, level: Level, costs: FloatArray | None) -> Weights:
    """Exact weights from log2 values, with the leftover of each component given to one output."""
    powers = np.floor(np.where(np.isfinite(logs), logs, 0)).astype(np.int64)
    heads = np.where(np.isfinite(logs), np.exp2(logs - powers), 0.0)
    mantissas = np.ldexp(heads, tolerances.MANTISSA_BITS - 2).astype(np.int64)
    exponents = np.where(mantissas == 0, 0, powers - (tolerances.MANTISSA_BITS - 2))
    lifted = Weights(mantissas, exponents)
    step = level.ratio_below(space.least_distance)
    part = components(space)
    mantissas, exponents = mantissas.copy(), exponents.copy()
    for name in range(int(part.max()) + 1):
        rows = np.flatnonzero(part == name)
        totals = (lifted.totals[row] for row in rows.tolist())
        sums = [Fraction(total) * power_of_two(power) for total, power in totals]
        goal = (step * max(sums) - min(sums)) / (step - 1) + Fraction(1, 2**60)
        leftover = [goal - total for total in sums]
        shares = np.array([float(t) for t in leftover])
        target = _cheapest(lifted.floats[rows], shares, None if costs is None else costs[rows])
        for row, extra in zip(rows.tolist(), leftover, strict=True):
            mass = int(mantissas[row, target]) * power_of_two(int(exponents[row, target]))
            mantissas[row, target], exponents[row, target] = _round_weight(mass + extra)
    return Weights(mantissas, exponents)


def _cheapest(masses: FloatArray, leftover: FloatArray, costs: FloatArray | None) -> int:
    """The output that takes the leftover at the least cost."""
    if costs is None:
        return int(np.argmax(masses.sum(axis=0)))
    return int(np.argmin(leftover @ costs))


def _round_weight(value: Fraction) -> tuple[int, int]:
    """A positive fraction as a mantissa of about 62 bits and a power of two."""
    length = value.numerator.bit_length() - value.denominator.bit_length()
    shift = tolerances.MANTISSA_BITS - 1 - length
    scaled = value * power_of_two(shift)
    return int(scaled), -shift
