"""A mechanism under a generic definition from which another one follows (KL10, Section 3).

Split an output z into two, v and the rest c - v of its column c, so that the definition is kept.
The original follows by joining the two again, and is strictly less general unless v is a
multiple of c. A mechanism is maximally general under the definition iff no output can be split
so: if it follows from H' by a channel A and not the other way, the outputs (k, z) with columns
H'[·, k] A[k, z] follow from H', and for some k and z that column is no multiple of column z.
With hockey-stick sums the splits v are a polytope, and the largest v_y c_x - c_y v_x over it, for
a fixed x with c_x > 0 and every y, both signs, decides: exact linear programs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Weights
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.lp import RationalProgram, minimize_exactly
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    Matrix,
    MatrixMechanism,
    matrix_form,
    mechanism_picture,
)
from tightrope.privacy import (
    GenericDefinition,
    HockeyStick,
    hockey_sticks,
    linear_definition,
    verify_generic,
)
from tightrope.theory.processing.postprocessing import Channel, texts

Column = tuple[Fraction, ...]
_ZERO, _ONE = Fraction(0), Fraction(1)
MOST_WORK = 2_000
"""Inputs times outputs times sums of a mechanism that is split."""
MOST_SPLITS = 200
"""Splits after which the search stops with what it has."""


@dataclass(frozen=True)
class GenericGeneralized:
    """A mechanism under the definition, and the channel that makes the original from it.

    `maximal` says whether it is proved that no mechanism under the definition is more general;
    it is False where the search stopped after its largest number of splits.
    """

    mechanism: MatrixMechanism
    channel: Channel
    splits: int
    maximal: bool

    def facts(self) -> Facts:
        """The outputs before and after, whether it is maximal, and the channel back."""
        before, after = len(self.channel[0]), len(self.channel)
        title = f"{before:,} outputs became {after:,} under the definition" if self.splits else (
            "nothing to do: no output can be split under the definition")
        words = {True: "yes: no output can be split", False: "not known: the search stopped"}
        return Facts(
            "GenericGeneralized", title,
            (Fact("maximal", "maximally general", Shown(self.maximal, words[self.maximal])),
             *data(unchanged=not self.splits, outputs_before=before, outputs=after,
                   rows=[texts(self.mechanism.row_at(y))
                         for y in range(self.mechanism.space.size)]),
             Fact("channel", "back", Shown(
                 [texts(row) for row in self.channel],
                 "a channel makes the original again, exactly (listed by --json)"))),
            picture=lambda: mechanism_picture(self.mechanism))

    __repr__ = lines_of
    _repr_html_ = card_of


def generalize_under(
    mechanism: FiniteMechanism | Held | Matrix, definition: GenericDefinition
) -> GenericGeneralized:
    """A mechanism under the same definition whose answers tell all that this one's do, or more.

    Raises: `BadInput` if the mechanism breaks the definition or a bound has no corners;
    `TooLarge` for a large one.

    >>> from tightrope.privacy import total_variation
    >>> flat = MatrixMechanism.of([["1"], ["1"]], "categories:2")
    >>> some = GenericDefinition.on_neighbors(flat.space, total_variation("1/4"))
    >>> split = generalize_under(flat, some)
    >>> split.maximal, sorted(map(str, split.mechanism.row_at(0)))
    (True, ['0', '1/4', '3/4'])
    """
    given, exact = matrix_form(mechanism), linear_definition(definition)
    verdict = verify_generic(given, exact)
    if verdict.broken is not None:
        raise BadInput(f"the mechanism breaks the definition: {verdict.broken.text}.")
    sticks, size = hockey_sticks(exact), given.space.size
    rows = [given.row_at(y) for y in range(size)]
    work = size * len(rows[0]) * max(1, len(sticks))
    if work > MOST_WORK:
        raise TooLarge("the number of entries times hockey-stick sums", work, MOST_WORK,
                       "only small mechanisms are generalized under a definition")
    merged: dict[Column, dict[int, Fraction]] = {}
    for z, column in enumerate(zip(*rows, strict=True)):
        if any(column):
            _add(merged, column, z, sum(column, _ZERO))
    splits, maximal = _split_all(merged, sticks)
    shares = list(merged.values())
    weights = [sum(share.values(), _ZERO) for share in shares]
    table = [[shape[y] * w for shape, w in zip(merged, weights, strict=True)] for y in range(size)]
    made = MatrixMechanism(given.space, tuple(range(len(weights))), Weights.from_fractions(table))
    channel = tuple(tuple(share.get(z, _ZERO) / w for z in range(len(rows[0])))
                    for share, w in zip(shares, weights, strict=True))
    if not verify_generic(made, exact).holds:
        raise AssertionError("a split mechanism keeps the definition")
    return GenericGeneralized(made, channel, splits, maximal)


def _add(merged: dict[Column, dict[int, Fraction]], column: Sequence[Fraction], z: int,
         share: Fraction) -> None:
    """Give output z its share of the total of a column, by the shape of the column."""
    total = sum(column, _ZERO)
    shares = merged.setdefault(tuple(v / total for v in column), {})
    shares[z] = shares.get(z, _ZERO) + share


def _split_all(
    merged: dict[Column, dict[int, Fraction]], sticks: tuple[HockeyStick, ...]
) -> tuple[int, bool]:
    """Split outputs until none can be; how many splits, and whether that is the end."""
    splits, settled = 0, False
    while not settled:
        settled = True
        for shape in list(merged):
            if shape not in merged:
                continue
            columns = {s: [v * sum(shares.values()) for v in s] for s, shares in merged.items()}
            part = _split(columns.pop(shape), list(columns.values()), sticks)
            if part is None:
                continue
            if splits == MOST_SPLITS:
                return splits, False
            whole = [v * sum(merged[shape].values()) for v in shape]
            shares = merged.pop(shape)
            for piece in (part, [c - v for c, v in zip(whole, part, strict=True)]):
                portion = sum(piece, _ZERO) / sum(whole, _ZERO)
                for z, share in shares.items():
                    _add(merged, piece, z, share * portion)
            splits, settled = splits + 1, False
    return splits, True


def _split(
    column: list[Fraction], others: list[list[Fraction]], sticks: tuple[HockeyStick, ...]
) -> list[Fraction] | None:
    """A part of the column that is no multiple of it, such that splitting keeps every sum."""
    first = next(y for y, c in enumerate(column) if c)
    room = []
    for stick in sticks:
        used = stick.excess(list(zip(*others, strict=True))) if others else _ZERO
        room.append(stick.allowed - used)
    for y in range(len(column)):
        if y == first:
            continue
        for sign in (1, -1):
            costs = [_ZERO] * len(column)
            costs[y], costs[first] = -sign * column[first], sign * column[y]
            part = _best_part(column, costs, sticks, room)
            if sum(a * b for a, b in zip(costs, part, strict=True)) < 0:
                return part
    return None


def _best_part(
    column: list[Fraction], costs: list[Fraction], sticks: tuple[HockeyStick, ...],
    room: list[Fraction],
) -> list[Fraction]:
    """The v from 0 to the column that is cheapest, both parts within the room of every sum.

    Equations: v + slack = column; for each sum the excess of v and of the rest, and their total.
    """
    size = len(column)
    columns: list[list[tuple[int, Fraction]]] = [[(y, _ONE)] for y in range(size)]
    columns += [[(y, _ONE)] for y in range(size)]  # slacks
    start, totals, place = list(range(size, 2 * size)), list(column), size
    for stick, left in zip(sticks, room, strict=True):
        whole = column[stick.over] - stick.ratio * column[stick.under]
        # v_over - r v_under - s + t = 0, and whole - (the same) - s' + t' = 0
        for sign, row, total in ((_ONE, place, _ZERO), (-_ONE, place + 1, -whole)):
            columns[stick.over].append((row, sign))
            columns[stick.under].append((row, -sign * stick.ratio))
            excess, slack = len(columns), len(columns) + 1
            columns.append([(row, -_ONE), (place + 2, _ONE)])
            columns.append([(row, _ONE)])
            start.append(excess if total < 0 else slack)
            totals.append(total)
        start.append(len(columns))
        columns.append([(place + 2, _ONE)])
        totals.append(left)
        place += 3
    every = costs + [_ZERO] * (len(columns) - size)
    return list(minimize_exactly(RationalProgram(every, columns, totals, start)).x[:size])
