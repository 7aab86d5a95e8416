"""The least loss as a function of r = e^ε on a family of spaces: one form for many members.

A form in N and r is fitted to a piece of the first members and tried on the next ones. It is
exact for the members it names; about all others nothing is proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from tightrope.choices import Goal
from tightrope.constructions.optimum.effort import ORDINARY, Effort
from tightrope.constructions.optimum.pieces import ValuePieces, value_pieces
from tightrope.drawing import plot_of
from tightrope.errors import BadInput
from tightrope.exact import Number
from tightrope.facts import Facts, card_of, data, lines_of, listing
from tightrope.lp import FamilyForm, RationalFunction, family_forms
from tightrope.utility import LossLike, PriorLike, uniform

_N = re.compile(r"(?<![A-Za-wyz])N(?![A-Za-wyz])")
"""The letter for a number; an x may stand beside it, as in grid:NxN."""

_LEAST_MEMBERS = 4
"""Members that a form holds on, at least: two to fit it to, and two to try it on."""

_NONE, _FEW = "no form of this kind", f"fewer than {_LEAST_MEMBERS} N have this piece"


@dataclass(frozen=True)
class PieceForm:
    """A form of one piece of the least loss, and the members it was fitted to and tried on.

    `piece` counts from the last one, 0; -1 is the first one. Equality on the members in `fitted`
    and `tried` is exact. `form` is None, and `text` says so, where there is none.
    """

    piece: int
    text: str
    form: FamilyForm | None = None
    fitted: tuple[int, ...] = ()
    tried: tuple[int, ...] = ()


@dataclass(frozen=True)
class FamilyPieces:
    """The least loss on the members of a family, and forms of its pieces.

    >>> forms = family_pieces("categories:N", upto=6).forms
    >>> [(form.text, form.fitted, form.tried) for form in forms]
    [('(N - 1)/(N + r - 1)', (2, 3, 4), (5, 6))]
    """

    family: str
    members: tuple[tuple[int, ValuePieces], ...]
    forms: tuple[PieceForm, ...]

    __repr__ = lines_of
    _repr_html_ = card_of
    plot = plot_of

    def facts(self) -> Facts:
        """A row for each form, and one for each piece of each member."""
        single = all(len(member.pieces) == 1 for _, member in self.members)
        names = {0: "the only one" if single else "last", 1: "last but one", -1: "first"}
        forms = [(names.get(form.piece, f"{form.piece} before the last"), form.text,
                  _numbers(form.fitted), _numbers(form.tried)) for form in self.forms]
        rows = [(number, str(piece.low), str(piece.high), str(piece.value))
                for number, member in self.members for piece in member.pieces]
        problem = self.members[0][1].problem
        return Facts(
            "FamilyPieces", f"least loss on {self.family}, all ratios r = e^ε in a range",
            (listing("", ("piece", "form", "fitted to N", "equal for N"), forms, words=4),
             listing("", ("N", "from r", "to r", "least loss"), rows, words=4),
             *data(family=self.family, loss=problem.loss.name, goal=problem.goal,
                   forms=[Facts("PieceForm", "", data(
                       piece=name, form=text if form.form else None, fitted=list(form.fitted),
                       tried=list(form.tried)))
                       for form, (name, text, *_) in zip(self.forms, forms, strict=True)],
                   members=[Facts("Member", "", data(number=number, low=low, high=high,
                                                     value=value))
                            for number, low, high, value in rows])),
            ("The pieces of each N are exact. A form equals them for the N named, and is not "
             "proved for others.",
             f"Sought: {FamilyForm.sought}."))


def is_family(text: str) -> bool:
    """Whether the text of a space has N in place of a number."""
    return ":" in text and "." not in text.replace("..", "") and _N.search(text) is not None


def family_pieces(
    family: str,
    low: Number = 1,
    high: Number | None = None,
    *,
    upto: int = 8,
    prior: PriorLike = uniform,
    loss: LossLike | None = None,
    goal: Goal | str = Goal.AVERAGE,
    effort: Effort = ORDINARY,
) -> FamilyPieces:
    """The least loss on the members N = 1, 2, … of a family, and forms of its pieces in N and r.

    The family is the text of a space with N in place of a number, such as path:0..N. Members are
    left out until the first one that exists. The other parameters are those of `value_pieces`.

    Raises: as `value_pieces`; `BadInput` for a text without N.
    """
    if not is_family(family):
        raise BadInput("expected a family with N in place of a number, such as categories:N, "
                       f"found {family[:60]!r}.")
    if upto < 1:
        raise BadInput(f"expected the largest N as 1 or more, found {upto}.")
    end, members = monotonic() + effort.seconds, {}
    refusal: BadInput | None = None
    for number in range(1, upto + 1):
        left = replace(effort, seconds=max(0.0, end - monotonic()))
        try:
            members[number] = value_pieces(
                _N.sub(str(number), family), low, high, prior=prior, loss=loss, goal=goal,
                effort=left)
        except BadInput as reason:
            if members:
                raise
            refusal = reason
    if refusal and not members:
        raise refusal
    return FamilyPieces(family, tuple(members.items()), tuple(_forms(members)))


def _forms(members: dict[int, ValuePieces]) -> Iterator[PieceForm]:
    """Forms from the last piece backwards, as long as there are some, and of the first piece."""
    place = 0
    while True:
        values = {number: member.pieces[-1 - place].value for number, member in members.items()
                  if len(member.pieces) > place}
        forms = _forms_of(values, place)
        yield from forms or [_nothing(place, values)]
        place += 1
        longer = [number for number, member in members.items() if len(member.pieces) > place + 1]
        if not forms or len(longer) < _LEAST_MEMBERS:
            break
    if any(len(member.pieces) > 1 for member in members.values()):
        first = {number: member.pieces[0].value for number, member in members.items()
                 if len(member.pieces) > 1}
        yield from _forms_of(first, -1) or [_nothing(-1, first)]


def _nothing(place: int, values: Mapping[int, RationalFunction]) -> PieceForm:
    return PieceForm(place, _NONE if len(values) >= _LEAST_MEMBERS else _FEW)


def _forms_of(values: Mapping[int, RationalFunction], place: int) -> list[PieceForm]:
    """One form for all, or one for the even and one for the odd numbers, where there are any."""
    form = _form(sorted(values), values, place, 1)
    if form is not None:
        return [form]
    halves = (_form([n for n in sorted(values) if n % 2 == odd], values, place, 2)
              for odd in (0, 1))
    return [half for half in halves if half is not None]


def _form(
    numbers: Sequence[int], values: Mapping[int, RationalFunction], place: int, step: int
) -> PieceForm | None:
    """The first form that fits half of the numbers and equals the others, from some number on."""
    for start in range(len(numbers) - _LEAST_MEMBERS + 1):
        chosen = numbers[start:]
        half = (len(chosen) + 1) // 2
        for most in range(half, len(chosen) - 1):  # at least two are left to be tried on
            fitted, tried = tuple(chosen[:most]), tuple(chosen[most:])
            for form in family_forms({n: values[n] for n in fitted}, step):
                if all(form.at(n) == values[n] for n in tried):
                    text = form.text("N", even=chosen[0] % 2 == 0)
                    return PieceForm(place, text, form, fitted, tried)
    return None


def _numbers(numbers: Sequence[int]) -> str:
    """Numbers in a list, short where they follow each other."""
    return ", ".join(map(str, numbers)) or "-"
