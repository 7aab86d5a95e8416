"""The cost of a list of releases together, where the whole list is fixed before the first of them.

Levels add up, exactly, whatever is asked next. For a list that is fixed in advance less can be
said at a small δ: every mechanism of level ε is a post-processing of binary randomized response
of that level (Kairouz, Oh and Viswanath, 2015), so a list costs no more than so many of these,
whose privacy losses are convolved. That is no certificate, and no ledger spends by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tightrope.errors import BadInput
from tightrope.exact import Level, Number, stated, stated_whole
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.files import load
from tightrope.privacy import account, sequential
from tightrope.spaces import categories

FIXED = ("for a list that is fixed before the first release; it frees no budget: a ledger adds "
         "levels up")
_MOST = 100_000
Item = str | Number | Level


@dataclass(frozen=True)
class ListAccount:
    """The cost of a list: all levels added up, and ε at a δ that may be less."""

    items: tuple[tuple[str, int], ...]
    total: Level
    at_delta: Fraction | None
    epsilon_at_delta: float | None
    evidence: str

    def facts(self) -> Facts:
        """The levels added up, ε at the δ asked for, and what that is good for."""
        at = None if self.at_delta is None else float(self.at_delta)
        return Facts(
            "Account",
            f"{sum(times for _, times in self.items):,} releases on the same data",
            (
                Fact(None, "added up", self.total),
                Fact("epsilon_at_delta", "ε", self.epsilon_at_delta,
                     meaning="" if at is None else f"at δ = {at:g}"),
                Fact("evidence", "evidence", self.evidence),
                *data(items=[{"item": item, "times": times} for item, times in self.items],
                      **self.total.as_json(), at_delta=at, meaning=FIXED),
            ),
            (f"This is {FIXED}.",),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def account_for(
    items: Sequence[Item | tuple[Item, int]], delta: Number | None = None
) -> ListAccount:
    """The cost of levels and mechanism files together; `0.1*10` is ten times 0.1.

    Parameters: `items` are levels, names of files, or pairs of one and how often it occurs. With
    a `delta` the list is also composed, which may cost a smaller ε at that δ.

    Returns: a `ListAccount`; its `total` is the exact sum, its `epsilon_at_delta` None without δ.

    Raises: `BadInput` for an empty list, more than 100,000 releases, or a level that cannot be
    read. So is a δ refused that is not between that of the list and 1. Files raise as `load` does.

    >>> ten = account_for(["0.1*10"])
    >>> ten.total.text
    '1'
    """
    if isinstance(items, str) or not hasattr(items, "__iter__"):
        raise BadInput('expected a list of levels or files of mechanisms: [0.5, "0.1*10"].')
    stated_items = [_item(item) for item in items]
    counted = [(text, times) for text, _, times in stated_items]
    if not counted or sum(times for _, times in counted) > _MOST:
        raise BadInput(f"expected from 1 to {_MOST:,} levels or files of mechanisms.")
    levels = [level for _, level, _ in stated_items]
    total = sequential([level.scaled(times).with_delta(min(level.delta * times, Fraction(1)))
                        for level, (_, times) in zip(levels, counted, strict=True)])
    if delta is None:
        return ListAccount(tuple(counted), total, None, None, "exact sum")
    asked = stated(delta, "a δ")
    if not total.delta < asked < 1:
        raise BadInput(f"expected a δ above {total.delta}, which the list costs already, and "
                       "below 1.")
    from tightrope.constructions import randomized_response  # not for reading a document

    pairs = [(randomized_response(categories(2), level.pure).mechanism, times)
             for level, (_, times) in zip(levels, counted, strict=True)]
    composed = account(pairs)  # type: ignore[arg-type]
    epsilon = min(composed.epsilon(float(asked - total.delta)), float(total))
    return ListAccount(tuple(counted), total, asked, epsilon, composed.evidence)


def _item(item: Item | tuple[Item, int]) -> tuple[str, Level, int]:
    """An item in words, its level, and how many times it is in the list."""
    given, times = item if isinstance(item, tuple) else (item, 1)
    if hasattr(given, "mechanism") or hasattr(given, "certified"):
        raise BadInput("expected levels or files of mechanisms; tr.privacy.account composes the "
                       "laws of mechanisms.")
    text = given.text if isinstance(given, Level) else str(given).strip()
    if not isinstance(item, tuple) and isinstance(given, str):
        first, star, last = text.rpartition("*")
        if star and last.strip().isdigit():
            text, times = first.strip(), int(last)
    number = stated_whole(times, "how many times, as a whole number")
    if number < 1:
        raise BadInput("expected each level or mechanism at least once.")
    return text, given if isinstance(given, Level) else _level(text), number


def _level(text: str) -> Level:
    """The level that a text states, or that the mechanism in a file has."""
    if Path(text).suffix in (".json", ".gz"):
        return load(text).certificate.level
    return Level.of(text)
