"""WXH, Figures 3 and 5: sets of Theorems 2 and 3 for a function that folds the line.

f(x) = x if x is rational, -x if not. Datasets are the multiples of 1/2^k in place of all numbers,
those with an even numerator in place of the rational ones: both kinds lie as near to each place
as the step between them. A whole x is of the first kind.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil

from tightrope.constructions import privacy_first
from tightrope.exact import IntArray
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Dots, Line, Panel, Place, Strokes, Tint, Words
from tightrope.spaces import points, query

F = Fraction
_REACH = 10


@lru_cache(maxsize=4)
def _sets(fineness: int, radius: Fraction) -> IntArray:
    """The number of the set of every dataset and output, both from -10 to 10 in steps."""
    steps = range(-_REACH * fineness, _REACH * fineness + 1)
    line = points(tuple(steps), [(F(k, fineness), F(0)) for k in steps])
    folded = query(line, line, lambda k: int(str(k)) * (1 - 2 * (int(str(k)) % 2)))
    return privacy_first(folded, [radius] * len(steps)).indices


def _row(x: int, fineness: int, radius: Fraction) -> dict[Fraction, int]:
    """The number of the set of every output, for one whole dataset; far from the ends."""
    table, middle = _sets(fineness, radius), _REACH * fineness
    near = (_REACH - x - 1) * fineness  # beyond, some datasets of a set are missing
    return {F(k, fineness): int(table[middle + x * fineness, middle + k])
            for k in range(-near, near + 1)}


def _theorem_two(
    *, x: int = 2, i: int = 2, fineness: int = 8, radius: Fraction = F(0)
) -> Finding:
    row = _row(x, fineness, radius)
    printed = {r: ceil(abs(x - r if (r * fineness) % 2 == 0 else x + r)) for r in row}
    agree = sum(row[r] == printed[r] for r in row)
    held = [r for r, number in row.items() if number == i]
    return finding(
        "I_i of x holds the rational points of [x - i, x - (i - 1)) and (x + i - 1, x + i] and the "
        "irrational ones of [-x - i, -x - (i - 1)) and (-x + i - 1, -x + i]",
        f"x = {x}, steps of 1/{fineness}: so for {agree} of {len(row)} outputs; set {i} holds "
        f"{len(held)} of them",
        agree == len(row),
        "even and odd multiples of the step stand for rational and irrational points.",
        chart=Chart((_plane(f"sets of Theorem 2, x = {x}, i = {i}", x, i, fineness, (
            _kind(f"I_{i}: rational points", held, fineness, 0, Tint.THIRD),
            _kind(f"I_{i}: irrational points", held, fineness, 1, Tint.FOURTH))),)),
    )


def _theorem_three(
    *, x: int = 2, i: int = 3, fineness: int = 8, radius: Fraction = F(1), ends: bool = True
) -> Finding:
    row = _row(x, fineness, radius)
    outputs = [r for r in row if ends or r.denominator > 1]
    wrong = [r for r in outputs if row[r] != _printed(x, r)]
    right = [r for r in wrong if row[r] == _strict(x, r)]
    held = [r for r, number in row.items() if number == i]
    remarks = tuple(Dots("" if place else "end in the next set", ((0.0, float(r)),), Tint.WRONG,
                         hollow=True)
                    for place, r in enumerate(w for w in wrong if _printed(x, w) == i))
    listed = ", ".join(map(str, wrong))
    return finding(
        f"for x = {x}: R_0 = [x - 1, x + 1], R_1 = [-x - 2, -x + 2] and [x - 2, x - 1), "
        "(x + 1, x + 2]; then [-x - (i + 1), -x - i), (-x + i, -x + i + 1] and "
        "[x - (i + 1), x - i), (x + i, x + i + 1], from i = x on the outer two",
        f"steps of 1/{fineness}, balls of {radius}: so for {len(outputs) - len(wrong)} of "
        f"{len(outputs)} outputs; not at {listed or 'any other'}",
        not wrong,
        "an end on the side of -x is reached by an irrational dataset only from within, so it "
        "belongs to the next set; single points have no measure.",
        ours=bool(wrong) and right == wrong,
        chart=Chart((_plane(f"sets of Theorem 3, x = {x}, i = {i}", x, i, fineness, (
            _kind(f"R_{i}", held, fineness, None, Tint.WRONG if not held else Tint.FOURTH),
            *remarks)),),
            "the outer end on the side of -x belongs to the next set." if remarks else ""),
    )


def _printed(x: int, r: Fraction) -> int:
    """The set that holds an output by the intervals of the paper, with their ends."""
    if abs(x - r) <= 1:
        return 0
    if -x - 2 <= r <= -x + 2:
        return 1
    return min(ceil(abs(x - r)) - 1, ceil(abs(x + r)) - 1)


def _strict(x: int, r: Fraction) -> int:
    """The same, with the ends on the side of -x in the next set."""
    if abs(x - r) <= 1:
        return 0
    far = abs(x + r)
    return min(ceil(abs(x - r)) - 1, max(1, far.__floor__()))


def _kind(
    name: str, held: list[Fraction], fineness: int, parity: int | None, tint: Tint
) -> Strokes:
    """Outputs of one kind on the vertical axis, each as long as a step."""
    half = F(1, 2 * fineness)
    return Strokes(name, tuple(((0.0, float(r - half)), (0.0, float(r + half))) for r in held
                               if parity is None or (r * fineness) % 2 == parity),
                   tint, thick=True)


def _plane(
    title: str, x: int, i: int, fineness: int, sets: tuple[Strokes | Dots, ...]
) -> Panel:
    """The two lines of f; around x the datasets i steps away; on the vertical axis their sets."""
    reach = x + i + 1.5
    sides = [[F(k, fineness) for k in range((x - i) * fineness, (x - i + 1) * fineness)],
             [F(k, fineness) for k in range((x + i - 1) * fineness + 1, (x + i) * fineness + 1)]]
    parts = []
    for name, side, tint in zip(("left", "right"), sides, (Tint.MAIN, Tint.SECOND), strict=True):
        ends: tuple[Place, ...] = ((float(side[0]), 0.0), (float(side[-1]), 0.0))
        parts.append(Strokes(f"N_{i}, {name} of x", (ends,), tint, thick=True))
    moved = [(float(y), float(y if (y * fineness) % 2 == 0 else -y)) for side in sides
             for y in (side[0], side[1], side[-2], side[-1])]
    guides = Strokes("", tuple(((y, 0.0), (y, r), (0.0, r)) for y, r in moved), Tint.FAINT)
    return Panel(title, (
        Line("", ((-reach, -reach), (reach, reach)), Tint.FAINT, thin=True),
        Line("", ((-reach, reach), (reach, -reach)), Tint.FAINT, thin=True),
        Strokes("", (((-reach, 0.0), (reach, 0.0)), ((0.0, -reach), (0.0, reach))), Tint.FAINT),
        guides, *parts, *sets, Dots("", ((float(x), 0.0),), Tint.FAINT, ("x",)),
        Words("f(x) = x", (0.8 * reach, reach), Tint.FAINT),
        Words("f(x) = -x", (0.8 * reach, -reach), Tint.FAINT),
    ), "x", "r", equal=True)


ITEMS = (
    Item("wxh", "figure-3", "Sets of Theorem 2 for a function that folds the line",
         Verdict.CONFIRMED, _theorem_two, varied={"i": 3}, dropped={"radius": F(1)},
         pictured=True),
    Item("wxh", "figure-5", "Sets of Theorem 3 for a function that folds the line",
         Verdict.CORRECTED, _theorem_three, varied={"x": 3}, dropped={"ends": False},
         pictured=True),
)
