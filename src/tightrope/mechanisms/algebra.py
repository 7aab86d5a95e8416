"""New mechanisms from old: cascade, mix, remap, tensor, together. All exact.

Cascade and remap post-process the output and never weaken privacy; mix flips an
independent coin; tensor answers two inputs at once, together one input twice, and both add
the levels up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Number, Weights, check_entries, stated
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.mechanisms.reports import ReportMechanism
from tightrope.mechanisms.table import FiniteMechanism
from tightrope.spaces import Label, product_sum

Stochastic = Sequence[Sequence[Fraction]]


def written_out(mechanism: FiniteMechanism | ReportMechanism) -> MatrixMechanism:
    """The mechanism as a matrix."""
    return mechanism.matrix()


def cascade(
    mechanism: FiniteMechanism, channel: Stochastic, outputs: Sequence[Label]
) -> MatrixMechanism:
    """The mechanism followed by a channel: rows are outputs of the first, exact fractions.

    Returns: a `MatrixMechanism` on the same inputs, with these outputs.

    Raises: `BadMatrix` where the channel has not one row for each output, or a row is no law. It
    must add up to exactly 1, so floats such as 0.1 do not fit.

    >>> from tightrope.spaces import categories
    >>> honest = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> flip = [["3/4", "1/4"], ["1/4", "3/4"]]
    >>> [str(p) for p in cascade(honest, flip, (0, 1)).row(0)]
    ['7/12', '5/12']
    """
    rows = [tuple(Fraction(value) for value in row) for row in channel]
    if len(rows) != len(mechanism.outputs):
        raise BadMatrix(
            f"expected a channel with {len(mechanism.outputs)} rows, found {len(rows)}."
        )
    for position, row in enumerate(rows):
        if len(row) != len(outputs) or min(row) < 0 or sum(row) != 1:
            raise BadMatrix(f"row {position} of the channel is no law on {len(outputs)} outputs.")
    combined = []
    for i in range(mechanism.space.size):
        law = mechanism.row_at(i)
        combined.append(
            [
                sum((p * row[z] for p, row in zip(law, rows, strict=True)), Fraction(0))
                for z in range(len(outputs))
            ]
        )
    return MatrixMechanism(mechanism.space, tuple(outputs), Weights.from_fractions(combined))


def remap(
    mechanism: FiniteMechanism, assignment: Sequence[int], outputs: Sequence[Label]
) -> MatrixMechanism:
    """Each output z is replaced by outputs[assignment[z]]; weights of one target add up.

    Returns: a `MatrixMechanism` on the same inputs, with these outputs.

    Raises: `BadMatrix` where there is not one target for each output, or a target is no index of
    `outputs`.

    >>> from tightrope.spaces import path
    >>> coin = MatrixMechanism.of([["1/2", "1/4", "1/4"]] * 3, path(0, 2))
    >>> [str(p) for p in remap(coin, (0, 1, 1), ("low", "high")).row(0)]
    ['1/2', '1/2']
    """
    if len(assignment) != len(mechanism.outputs):
        raise BadMatrix(f"expected {len(mechanism.outputs)} targets, found {len(assignment)}.")
    if not all(0 <= target < len(outputs) for target in assignment):
        raise BadMatrix(f"a target lies outside the {len(outputs)} outputs.")
    weights = written_out(mechanism).weights
    combined = []
    powers = []
    for i in range(mechanism.space.size):
        integers, power = weights.row_integers(i)
        line = [0] * len(outputs)
        for value, target in zip(integers, assignment, strict=True):
            line[target] += value
        combined.append(line)
        powers.append([power] * len(outputs))
    return MatrixMechanism(mechanism.space, tuple(outputs), Weights.from_integers(combined, powers))


def mix(first: FiniteMechanism, second: FiniteMechanism, share: Number) -> MatrixMechanism:
    """The first mechanism with probability `share`, else the second.

    Returns: a `MatrixMechanism` with the inputs and outputs that both have.

    Raises: `BadMatrix` where inputs or outputs differ, or the share is not from 0 to 1; `BadLevel`
    where it is no number.

    >>> from tightrope.spaces import categories
    >>> honest = MatrixMechanism.of([["1", "0"], ["0", "1"]], categories(2))
    >>> coin = MatrixMechanism.of([["1/2", "1/2"]] * 2, categories(2))
    >>> [str(p) for p in mix(honest, coin, Fraction(1, 3)).row(0)]
    ['2/3', '1/3']
    """
    if first.space != second.space or tuple(first.outputs) != tuple(second.outputs):
        raise BadMatrix("only mechanisms with the same inputs and outputs can be mixed.")
    chance = stated(share, "a share from 0 to 1")
    if not 0 <= chance <= 1:
        raise BadMatrix(f"expected a share from 0 to 1, found {share}.")
    pairs = ((first.row_at(i), second.row_at(i)) for i in range(first.space.size))
    rows = [[chance * p + (1 - chance) * q for p, q in zip(*pair, strict=True)] for pair in pairs]
    return MatrixMechanism(first.space, tuple(first.outputs), Weights.from_fractions(rows))


def tensor(first: FiniteMechanism, second: FiniteMechanism) -> MatrixMechanism:
    """Both mechanisms side by side, on pairs of inputs, independently.

    Returns: a `MatrixMechanism` on the sum product of both spaces; its outputs are pairs of
    outputs.

    Raises: `BadSpace` where the product would have more than six factors.

    >>> from tightrope.spaces import categories
    >>> one = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> [str(p) for p in tensor(one, one).row((0, 0))]
    ['4/9', '2/9', '2/9', '1/9']
    """
    space = product_sum(first.space, second.space)
    outputs: list[Label] = [(a, b) for a in first.outputs for b in second.outputs]
    rows = []
    for i in range(first.space.size):
        left = first.row_at(i)
        for j in range(second.space.size):
            right = second.row_at(j)
            rows.append([p * q for p in left for q in right])
    return MatrixMechanism(space, tuple(outputs), Weights.from_fractions(rows))


def together(first: FiniteMechanism, second: FiniteMechanism) -> MatrixMechanism:
    """Both mechanisms on the same input, independently: answers are pairs of answers.

    >>> from tightrope.spaces import categories
    >>> coin = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
    >>> together(coin, coin).outputs, [str(p) for p in together(coin, coin).row(0)]
    (((0, 0), (0, 1), (1, 0), (1, 1)), ['4/9', '2/9', '2/9', '1/9'])
    """
    if first.space != second.space:
        raise BadInput(
            f"expected mechanisms on the same inputs, found {first.space.text} and "
            f"{second.space.text}."
        )
    left, right = (written_out(mechanism).weights for mechanism in (first, second))
    rows, width = left.shape[0], left.shape[1] * right.shape[1]
    check_entries(rows, width)
    products = left.mantissas.astype(object)[:, :, None] * right.mantissas.astype(object)[:, None]
    powers = left.exponents[:, :, None] + right.exponents[:, None]
    outputs: tuple[Label, ...] = tuple((a, b) for a in first.outputs for b in second.outputs)
    weights = Weights(products.reshape(rows, width), powers.reshape(rows, width))
    return MatrixMechanism(first.space, outputs, weights)
