"""Choices given as text: turned into the member of an enum at the door, or refused there.

Inside the library choices are compared with `is`, which no text ever satisfies: a text that
came through would be taken for whatever the last branch does.
"""

from enum import Enum
from typing import TypeVar

from tightrope.errors import BadInput

Choice = TypeVar("Choice", bound=Enum)


def member_of(kind: type[Choice], value: object, what: str | None = None) -> Choice:
    """The member that the value is or names; raises `BadInput` with all that are known.

    `what` is the word for the choice, the name of the enum if not given.

    >>> from enum import StrEnum
    >>> Goal = StrEnum("Goal", ["AVERAGE", "WORST"])
    >>> member_of(Goal, "worst") is member_of(Goal, Goal.WORST)
    True
    >>> member_of(Goal, "typo")
    Traceback (most recent call last):
        ...
    tightrope.errors.BadInput: there is no goal 'typo'; expected one of average, worst.
    """
    if isinstance(value, kind):
        return value
    for member in kind:
        if isinstance(value, str) and value == member.value:
            return member
    known = ", ".join(str(member.value) for member in kind)
    raise BadInput(
        f"there is no {what or kind.__name__.lower()} {str(value)[:40]!r}; "
        f"expected one of {known}.",
        found=value,
    )
