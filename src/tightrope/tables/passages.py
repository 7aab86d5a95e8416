"""The mechanism that a randomized column went through, as estimates need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any

from tightrope.documents import LeastVariance, accept
from tightrope.errors import BadDocument, NotCertified
from tightrope.files import ITEMS, SAMPLED, StrPath, read_document
from tightrope.mechanisms import Mechanism
from tightrope.privacy import Certified
from tightrope.tables.columns import stand_in
from tightrope.tables.domains import EMPTY, Sets, missing_text
from tightrope.tables.protected import ProtectedColumn


@dataclass(frozen=True)
class Passage:
    """The mechanism of a row, and how its cell became an input.

    `items` are those of a column of sets; `most` is among how many places one was drawn, None
    where every item went through by itself. `missing` is the value that cells without a declared
    one counted as, None where no cell is missing. `prior` are the shares that the mechanism was
    designed for, for which estimates are weighed; None for equal ones. `scores` are the numbers
    that a survey's answers stand for, None for those that stand for none.
    """

    base: Mechanism
    items: tuple[str, ...] | None
    most: int | None
    missing: str | None
    prior: tuple[Fraction, ...] | None = None
    scores: tuple[Fraction | None, ...] | None = None

    @classmethod
    def of(cls, given: Through) -> Passage:
        """The passage through a document, a certified mechanism, or a protected column, or itself.

        Raises: `NotCertified` for anything else.
        """
        if isinstance(given, Passage):
            return given
        if isinstance(given, ProtectedColumn):
            domain = given.domain
            items, most = (domain.items, domain.most) if isinstance(domain, Sets) else (None, None)
            return cls(given.response.mechanism.base, items, most, missing_text(domain))
        if isinstance(given, str | PathLike):
            document = read_document(given)
            base, made = accept(document).mechanism.base, document.construction or {}
            missing = made.get("missing")
            sets = sets_of(base.space, made)
            stated = missing if isinstance(missing, str) else None
            if sets is None:
                return cls(base, None, None, stated or _default(base), _prior(document.optimality))
            return cls(base, sets.items, sets.most, stated or EMPTY)
        if isinstance(given, Certified):
            return cls(given.mechanism.base, None, None, _default(given.mechanism.base))
        raise NotCertified(given)


Through = StrPath | Certified | ProtectedColumn | Passage
"""The passage of a column: a document, a proved mechanism, a column of `sanitize`'s result."""


def _prior(claim: Any) -> tuple[Fraction, ...] | None:
    """The shares at which a mechanism is claimed to be the best, None without such a claim."""
    return claim.prior if isinstance(claim, LeastVariance) else None


def sets_of(space: Any, construction: Mapping[str, Any]) -> Sets | None:
    """The sets whose items a document names, None for a document of other values."""
    items, most = construction.get("items"), construction.get("most")
    sampled = construction.get("name") == SAMPLED
    if not (sampled or construction.get("name") == ITEMS) or not isinstance(items, list):
        return None
    names = tuple(map(str, items))
    whole = type(most) is int and 1 <= most <= len(names)
    if sampled and not (whole and tuple(space.points) == (*names, EMPTY)):
        raise BadDocument("the items of the document are not those of its mechanism.")
    return Sets(space, names, most if sampled else None)


def _default(base: Mechanism) -> str:
    """The declared value that other cells count as where nothing else is stated."""
    points = getattr(base.space, "points", ("",))
    return str(points[stand_in(points)])
