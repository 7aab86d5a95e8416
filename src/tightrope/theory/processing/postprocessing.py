"""Which mechanism is made from which, and how far it is from that (KL10, Definition 3.1.2).

`general` is at least as general as `special` if special = general then A, for a channel A. The
deficiency is the least t such that some channel brings every input's law within t of that of
`special` in total variation (Le Cam); 0 iff there is such an A. It is a linear program; its
other side is a decision problem, a prior and gains from 0 to 1, in which somebody who sees the
answers of `special` gains t more on average than anybody who sees those of `general`. So both
answers are proofs. Small programs are solved in exact fractions; for larger ones channel and
gains come from doubles and prove, exactly again, a bracket.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import fmpq, fmpq_mat

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import (
    ball_of,
    bit_size,
    float_above,
    float_below,
    from_flint,
    short_text,
    to_flint,
)
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.lp import LinearProgram, RationalProgram, minimize_exactly, solve
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, is_matrix, matrix_form

Channel = tuple[tuple[Fraction, ...], ...]
Rows = Sequence[Sequence[Fraction]]
_ZERO, _ONE = Fraction(0), Fraction(1)
_LONGEST = 4000  # bits of a fraction that is written out
MOST_EQUATIONS = 400
"""Equations of a program that is solved in exact fractions; beyond, a bracket is proved."""
MOST_BITS = 10_000
"""Equations times bits, where probabilities are longer than `SHORT`."""
SHORT = 32
"""Bits of probabilities with which exact fractions are tried first."""
MOST_PRODUCTS = 300_000
"""Inputs times outputs times outputs of mechanisms that are compared, at most."""


@dataclass(frozen=True)
class PostProcessing:
    """Whether one mechanism is a post-processing of another, with the proof either way.

    `channel` has a row for each output of the general mechanism, None if there is none;
    `nearest` is a channel that comes within `deficiency` for every input. `prior` and `gains`
    (from 0 to 1, a row for each input, a column for each output of the special mechanism) prove
    that none comes nearer than `least`, which is `deficiency` where that is exact.
    """

    channel: Channel | None
    nearest: Channel
    prior: tuple[Fraction, ...]
    gains: Channel
    least: Fraction
    deficiency: Fraction

    @property
    def exists(self) -> bool:
        """Whether the special mechanism is a post-processing of the general one."""
        return self.channel is not None

    @property
    def decided(self) -> bool:
        """Whether that is proved: always but for large mechanisms that nearly are one."""
        return self.exists or self.least > 0

    @property
    def bracket(self) -> tuple[float, float]:
        """Doubles at or below, and at or above, the deficiency."""
        return float_below(ball_of(self.least, 64)), float_above(ball_of(self.deficiency, 64))

    @property
    def text(self) -> str:
        """Whether it exists, and else how far away every channel stays."""
        low, high = self.bracket
        if self.exists:
            return "yes, exactly"
        if not self.decided:
            return f"not decided: a channel comes within {high:.3g} in total variation"
        exact = self._exact
        if exact is not None and len(exact) <= 24:
            return f"no: every channel stays {exact} = {high:.6g} away for some input"
        return f"no: every channel stays at least {low:.12g} away, the best {high:.12g}"

    @property
    def _exact(self) -> str | None:
        return texts([self.deficiency])[0] if self.least == self.deficiency else None

    def facts(self) -> Facts:
        """Channel or witness, fractions as text; the deficiency as numbers that enclose it."""
        proof = None
        if not self.exists and self.least > 0:
            proof = {"prior": texts(self.prior), "gains": [texts(row) for row in self.gains]}
        return Facts("PostProcessing", self.text, data(
            holds=self.exists if self.decided else None,
            channel=None if self.channel is None else [texts(row) for row in self.channel],
            witness=proof, deficiency=self.bracket, deficiency_text=self._exact))

    __repr__ = lines_of
    _repr_html_ = card_of


@dataclass(frozen=True)
class GeneralityOrder:
    """Two mechanisms in the generality order: each made from the other, as far as it can be.

    `forth` says whether the first is a post-processing of the second, `back` the reverse.
    """

    forth: PostProcessing
    back: PostProcessing

    @property
    def order(self) -> str:
        """The first beside the second, in words."""
        if not (self.forth.decided and self.back.decided):
            return "not decided"
        return {
            (True, True): "equally general", (True, False): "less general",
            (False, True): "more general", (False, False): "incomparable",
        }[self.forth.exists, self.back.exists]

    def facts(self) -> Facts:
        """The order of the first (A) and the second (B), and each made from the other."""
        words = {"equally general": "as", "incomparable": "with", "not decided": "beside"}
        title = f"A is {self.order} {words.get(self.order, 'than')} B"
        return Facts("GeneralityOrder", title, (
            *self.forth.facts().items,
            Fact("order", None, self.order),
            Fact(None, "A from B", self.forth.text),
            Fact("reverse", "B from A", Shown(self.back, self.back.text))))

    __repr__ = lines_of
    _repr_html_ = card_of


def generality(
    first: FiniteMechanism | Held | Matrix, second: FiniteMechanism | Held | Matrix
) -> GeneralityOrder:
    """How two mechanisms stand in the generality order, both ways, with the proofs.

    Distances do not matter here, so matrices may be given as they are.

    Returns: a `GeneralityOrder`; `order` says it in words, `forth` and `back` hold the proofs.

    Raises: `BadInput` for mechanisms with different inputs or unlisted outputs; `TooLarge` for
    large ones.

    >>> found = generality([["1/2", "1/2"], ["1/2", "1/2"]], [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> found.order, found.back.deficiency
    ('less general', Fraction(1, 4))
    """
    first, second = _both(first, second)
    return GeneralityOrder(post_processing(second, first), post_processing(first, second))


def _both(
    first: FiniteMechanism | Held | Matrix, second: FiniteMechanism | Held | Matrix
) -> tuple[FiniteMechanism, FiniteMechanism]:
    """Two mechanisms; a bare matrix has the inputs of the other one, if that names them."""
    named = not is_matrix(second) or hasattr(second, "iloc")
    if is_matrix(first) and named and not hasattr(first, "iloc"):
        general = matrix_form(second)
        return matrix_form(first, general.space), general
    special = matrix_form(first)
    return special, matrix_form(second, special.space)


def post_processing(
    general: FiniteMechanism | Held | Matrix, special: FiniteMechanism | Held | Matrix
) -> PostProcessing:
    """Whether one mechanism can be made from the answers of another alone.

    If so, `channel` is how: special = general followed by it, and special has the level of
    general. If not, `prior` and `gains` prove it, and `deficiency` says how far away it stays.

    Returns: `PostProcessing`; `exists` is the answer, if `decided`.

    Raises: `BadInput` for mechanisms with different inputs or unlisted outputs; `TooLarge` for
    large ones.

    >>> from tightrope.mechanisms import KernelMechanism
    >>> from tightrope.spaces import categories
    >>> two = KernelMechanism(categories(2), Fraction(2), _ONE, (_ONE,) * 2)
    >>> three = KernelMechanism(categories(2), Fraction(3), _ONE, (_ONE,) * 2)
    >>> post_processing(three, two).channel[0]
    (Fraction(5, 6), Fraction(1, 6))
    >>> post_processing(two, three).deficiency
    Fraction(1, 12)
    """
    general, special = _both(general, special)
    if tuple(general.space.points) != tuple(special.space.points):
        raise BadInput(
            f"mechanisms with different inputs cannot be compared: {general.space.text} "
            f"and {special.space.text}."
        )
    size, kinds, width = general.space.size, len(general.outputs), len(special.outputs)
    if size * kinds * width > MOST_PRODUCTS:
        raise TooLarge(
            "the number of inputs times outputs times outputs", size * kinds * width,
            MOST_PRODUCTS, "only small mechanisms are compared",
        )
    g = [general.row_at(i) for i in range(size)]
    s = [special.row_at(i) for i in range(size)]
    if (projection := _projection(general, special, g, s)) is not None:
        return projection
    bits = max(bit_size(value) for row in (*g, *s) for value in row)
    equations = size * width + kinds + size
    if bits <= SHORT and equations <= MOST_EQUATIONS:
        return _exactly(g, s)
    bracket = _bracket(g, s)
    return bracket if bracket.decided or equations * bits > MOST_BITS else _exactly(g, s)


def advantage(
    general: FiniteMechanism, special: FiniteMechanism, prior: Sequence[Fraction], gains: Rows
) -> Fraction:
    """How much more the answers of `special` gain on average than any decision from `general`.

    Σ_i π_i Σ_z gains[i, z] special[i, z] - Σ_k max_z Σ_i π_i general[i, k] gains[i, z]; if it is
    positive, a proof that special is no post-processing of general.
    """
    inputs = range(general.space.size)
    return _advantage(
        [general.row_at(i) for i in inputs], [special.row_at(i) for i in inputs], prior, gains
    )


def _advantage(g: Rows, s: Rows, prior: Sequence[Fraction], gains: Rows) -> Fraction:
    gains = [[share * y for y in row] for share, row in zip(prior, gains, strict=True)]
    gained = sum(
        (x * y for pay, row in zip(gains, s, strict=True) for x, y in zip(pay, row, strict=True)),
        _ZERO,
    )
    made = _matrix(g).transpose() * _matrix(gains)
    best = sum(
        (max(made[k, z] for z in range(len(gains[0]))) for k in range(len(g[0]))), fmpq(0)
    )
    return gained - from_flint(best)


def _distance(g: Rows, s: Rows, channel: Rows) -> Fraction:
    """The largest total variation between a row of s and what the channel makes of that of g."""
    made = _matrix(g) * _matrix(channel)
    return max(
        sum((max(_ZERO, x - from_flint(made[i, z])) for z, x in enumerate(row)), _ZERO)
        for i, row in enumerate(s)
    )


def _matrix(rows: Rows) -> fmpq_mat:
    return fmpq_mat(len(rows), len(rows[0]), [to_flint(value) for row in rows for value in row])


def _projection(
    general: FiniteMechanism, special: FiniteMechanism, g: Rows, s: Rows
) -> PostProcessing | None:
    """The channel that reads the special answer off one place of the general one, if it is it.

    So a part of a batch is made from the batch.
    """
    parts = [output if isinstance(output, tuple) else (output,) for output in general.outputs]
    for place in range(min(map(len, parts))):
        read = [part[place] for part in parts]
        if set(read) <= set(special.outputs):
            where = {output: z for z, output in enumerate(special.outputs)}
            channel = tuple(
                tuple(_ONE if z == where[output] else _ZERO for z in range(len(where)))
                for output in read
            )
            if _distance(g, s, channel) == 0:
                none = tuple((_ZERO,) * len(where) for _ in g)
                return PostProcessing(channel, channel, (_ONE,) + (_ZERO,) * (len(g) - 1), none,
                                      _ZERO, _ZERO)
    return None


def _exactly(g: Rows, s: Rows) -> PostProcessing:
    solution = minimize_exactly(_program(g, s))
    inputs, kinds, width = len(g), len(g[0]), len(s[0])
    channel = _rows(solution.x[: kinds * width], width)
    prices = _rows(solution.prices[: inputs * width], width)
    prior = tuple(-price for price in solution.prices[inputs * width + kinds :])
    gains = _gains(prior, prices)
    least, most = _advantage(g, s, prior, gains), _distance(g, s, channel)
    fair = min(prior) >= 0 and sum(prior) <= 1
    if not fair or not least == most == solution.value:
        raise AssertionError("the proofs on both sides of a deficiency agree")
    return PostProcessing(channel if most == 0 else None, channel, prior, gains, least, most)


def _program(g: Rows, s: Rows) -> RationalProgram:
    """minimize t with special = general A + u - v and Σ_z u[i, z] + w[i] = t for every input."""
    inputs, kinds, width = len(g), len(g[0]), len(s[0])
    sums = inputs * width  # then the equations that say that the rows of A add up to 1
    last = sums + kinds  # and one for each input
    columns = [
        [*((i * width + z, g[i][k]) for i in range(inputs) if g[i][k]), (sums + k, _ONE)]
        for k in range(kinds)
        for z in range(width)
    ]
    start = [k * width for k in range(kinds)]  # A sends everything to the first output
    for row in range(sums):
        i, z = divmod(row, width)
        over = s[i][z] - (1 if z == 0 else 0) >= 0
        start.append(len(columns) + (0 if over else 1))
        columns += [[(row, _ONE), (last + i, _ONE)], [(row, -_ONE)]]
    far = max(range(inputs), key=lambda i: 1 - s[i][0])
    start += [len(columns) + i for i in range(inputs) if i != far] + [len(columns) + inputs]
    columns += [[(last + i, _ONE)] for i in range(inputs)]
    columns.append([(last + i, -_ONE) for i in range(inputs)])
    costs = [_ZERO] * (len(columns) - 1) + [_ONE]
    totals = [value for row in s for value in row] + [_ONE] * kinds + [_ZERO] * inputs
    return RationalProgram(costs, columns, totals, start)


def _bracket(g: Rows, s: Rows) -> PostProcessing:
    """Channel and gains from doubles, made feasible and then judged in exact fractions."""
    inputs, kinds, width = len(g), len(g[0]), len(s[0])
    program = _program(g, s)
    entries = [(r, j, float(v)) for j, column in enumerate(program.columns) for r, v in column]
    rows, columns, values = (np.array(part) for part in zip(*entries, strict=True))
    totals = np.array([float(value) for value in program.totals])
    costs = np.array([float(cost) for cost in program.costs])
    none = np.zeros(len(costs))
    solution = solve(
        LinearProgram(costs, rows, columns, values, totals, totals, none, none + np.inf))
    channel = _rows([Fraction(max(0.0, float(x))) for x in solution.values[: kinds * width]], width)
    channel = tuple(_shares(row) for row in channel)
    paid = [max(_ZERO, Fraction(-float(y))) for y in solution.prices[inputs * width + kinds :]]
    prior = _shares(paid)
    prices = _rows([Fraction(float(y)) for y in solution.prices[: inputs * width]], width)
    gains = _gains(prior, prices)
    least = max(_ZERO, _advantage(g, s, prior, gains))
    most = _distance(g, s, channel)
    return PostProcessing(channel if most == 0 else None, channel, prior, gains, least, most)


def _gains(prior: Sequence[Fraction], prices: Rows) -> Channel:
    """Prices as gains from 0 to 1, where the prior is above 0."""
    return tuple(
        tuple(min(_ONE, max(_ZERO, y / share)) if share else _ZERO for y in row)
        for share, row in zip(prior, prices, strict=True)
    )


def _shares(weights: Sequence[Fraction]) -> tuple[Fraction, ...]:
    total = sum(weights, _ZERO)
    if total == 0:
        return tuple(Fraction(1, len(weights)) for _ in weights)
    return tuple(weight / total for weight in weights)


def _rows(flat: Sequence[Fraction], width: int) -> Channel:
    return tuple(tuple(flat[k : k + width]) for k in range(0, len(flat), width))


def texts(values: Sequence[Fraction]) -> list[str]:
    """Fractions as text; those too long to be read only about."""
    return [
        str(value) if bit_size(value) <= _LONGEST else f"about {short_text(value)}"
        for value in values
    ]
