"""The cost of a list of releases together, where the whole list is fixed before the first of them.

Levels add up, exactly, whatever is asked next. For a list that is fixed in advance less can be
said at a small δ: every mechanism of level ε is a post-processing of binary randomized response
of that level (Kairouz, Oh and Viswanath, 2015), so a list costs no more than so many of these,
whose privacy losses are convolved. That is no certificate, and no ledger spends by it. Mechanisms
with a finite law are composed by that. A list with zCDP or Rényi terms is composed by Rényi
divergences, which proves its ε; all terms must be about the same neighbors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from pathlib import Path

from tightrope.characters import counted
from tightrope.errors import BadInput, BadLevel, Refused
from tightrope.exact import Level, Number, stated, stated_whole
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.files import load
from tightrope.mechanisms import FiniteMechanism, Mechanism, held, is_matrix
from tightrope.privacy import (
    COMPOSED,
    Certified,
    NamedDefinition,
    RenyiCurve,
    account,
    compose_renyi,
    delta_curve,
    named_definition,
    renyi_curve,
    sequential,
    total_rho,
)
from tightrope.spaces import categories
from tightrope.spellings import spelled
from tightrope.utility import Solution

FIXED = ("for a list that is fixed before the first release; it frees no budget: a ledger adds "
         "levels up")
_MOST = 100_000
_MOST_LAWS = 64
"""Combinations of neighboring laws that are convolved; beyond, levels stand for mechanisms."""
_MOST_ENTRIES = 10_000
"""Entries of a mechanism whose own law is composed."""
Item = str | Number | Level | NamedDefinition | Certified | Solution


@dataclass(frozen=True)
class _Term:
    """An item in words, its level or named definition, its mechanism, and how often it is there."""

    text: str
    level: Level | None
    named: NamedDefinition | None
    mechanism: FiniteMechanism | None
    times: int


@dataclass(frozen=True)
class ListAccount:
    """The cost of a list: all levels added up, and ε at a δ that may be less.

    `total` is None for a list with zCDP or Rényi terms, which have no sum as levels; `rho` is
    then the sum as zCDP, where there is one.
    """

    items: tuple[tuple[str, int], ...]
    total: Level | None
    at_delta: Fraction | None
    epsilon_at_delta: float | None
    evidence: str
    rho: Fraction | None = None

    def facts(self) -> Facts:
        """The levels added up, ε at the δ asked for, and what that is good for."""
        at = None if self.at_delta is None else float(self.at_delta)
        none = dict.fromkeys(("epsilon", "epsilon_text", "delta"))
        return Facts(
            "Account",
            f"{counted(sum(times for _, times in self.items), 'release')} on the same data",
            (
                Fact(None, "added up", self.total),
                *(() if self.rho is None else (
                    Fact("rho", "zCDP", Shown(float(self.rho), f"ρ = {float(self.rho):.9g}")),)),
                Fact("epsilon_at_delta", "ε", self.epsilon_at_delta,
                     meaning="" if at is None else f"at δ = {at:g}"),
                Fact("evidence", "evidence", self.evidence),
                *data(items=[{"item": item, "times": times} for item, times in self.items],
                      **(none if self.total is None else self.total.as_json()), at_delta=at,
                      meaning=FIXED),
            ),
            (f"This is {FIXED}.",) if self.total is not None else (
                "zCDP and Rényi terms compose, adaptively too; no ledger spends by them.",),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(at_delta="tr.account(items, delta=1e-6)")
def account_for(
    items: Sequence[Item | tuple[Item, int]], delta: Number | None = None
) -> ListAccount:
    """The cost of levels, mechanisms, zCDP and Rényi terms together; `0.1*10` is ten times 0.1.

    Parameters: `items` are levels, names of files, mechanisms with their proof, texts such as
    "zcdp:rho=0.05" or "renyi:alpha=2,epsilon=0.1", or pairs of one and how often it occurs. With
    a `delta` the list is also composed, which may cost a smaller ε at that δ.

    Returns: a `ListAccount`; its `total` is the exact sum, its `epsilon_at_delta` None without δ.

    Raises: `BadInput` for an empty list, more than 100,000 releases, or a level that cannot be
    read. So is a δ refused that is not between that of the list and 1. Files raise as `load` does.

    >>> ten = account_for(["0.1*10"])
    >>> ten.total.text
    '1'
    >>> both = account_for(["zcdp:rho=0.01*20", 0.1], delta=1e-6)
    >>> str(both.rho), both.epsilon_at_delta < 3.5
    ('41/200', True)
    """
    if isinstance(items, str) or not hasattr(items, "__iter__"):
        raise BadInput('expected a list of levels or files of mechanisms: [0.5, "0.1*10"].')
    terms = [_item(item) for item in items]
    listed = tuple((term.text, term.times) for term in terms)
    if not listed or sum(times for _, times in listed) > _MOST:
        raise BadInput(f"expected from 1 to {_MOST:,} levels or files of mechanisms.")
    asked = None if delta is None else stated(delta, "a δ")
    if any(term.named is not None for term in terms):
        return _by_divergences(terms, asked, listed)
    levels = [term.level for term in terms if term.level is not None]
    total = sequential([level.scaled(times).with_delta(min(level.delta * times, Fraction(1)))
                        for level, (_, times) in zip(levels, listed, strict=True)])
    if asked is None:
        return ListAccount(listed, total, None, None, "exact sum")
    if not total.delta < asked < 1:
        raise BadInput(f"expected a δ above {total.delta}, which the list costs already, and "
                       "below 1.")
    composed = account(_laws(terms))
    epsilon = min(composed.epsilon(float(asked - total.delta)), float(total))
    return ListAccount(listed, total, asked, epsilon, composed.evidence)


def _laws(terms: Sequence[_Term]) -> list[tuple[FiniteMechanism, int]]:
    """The mechanisms to convolve: each by its own law, or randomized response of its level."""
    from tightrope.constructions import randomized_response  # not for reading a document

    pairs = []
    own = [None if term.mechanism is None or term.level is None or term.level.delta
           else _sides(term.mechanism) for term in terms]
    few = prod(sides or 1 for sides in own) <= _MOST_LAWS
    for term, sides in zip(terms, own, strict=True):
        assert term.level is not None
        law = term.mechanism if few and sides and term.mechanism is not None else (
            randomized_response(categories(2), term.level.pure).mechanism)
        pairs.append((law, term.times))
    return pairs  # type: ignore[return-value]


def _sides(mechanism: FiniteMechanism) -> int | None:
    """How many neighboring laws a mechanism has; None without neighbors at distance 1."""
    try:
        return len(delta_curve(mechanism).sides)
    except Refused:
        return None


def _by_divergences(
    terms: Sequence[_Term], delta: Fraction | None, listed: tuple[tuple[str, int], ...]
) -> ListAccount:
    """The list as zCDP, and ε at a δ by Rényi divergences; δ of levels is taken off first."""
    parts: list[tuple[Level | NamedDefinition | RenyiCurve, int]] = []
    spent = Fraction(0)
    for term in terms:
        curve = None if term.mechanism is None else _curve(term.mechanism)
        if curve is None and term.level is not None:
            spent += term.times * term.level.delta
        part = term.named or curve or term.level
        assert part is not None
        parts.append((part, term.times))
    rho = total_rho(parts)
    if delta is None:
        return ListAccount(listed, None, None, None, COMPOSED, rho)
    if not spent < delta < 1:
        raise BadInput(f"expected a δ above {spent}, which the list costs already, and below 1.")
    pure = [(part.pure if isinstance(part, Level) else part, times) for part, times in parts]
    composed = compose_renyi(pure, delta - spent)
    return ListAccount(listed, None, delta, composed.epsilon, COMPOSED, rho)


def _curve(mechanism: FiniteMechanism) -> RenyiCurve | None:
    """The divergences of a mechanism, if its neighbors are declared and they are finite."""
    try:
        curve = renyi_curve(mechanism)
    except Refused:
        return None
    return None if curve.above(Fraction(2)) is None else curve


def _item(item: Item | tuple[Item, int]) -> _Term:
    """An item in words, what it costs, and how many times it is in the list."""
    given, times = item if isinstance(item, tuple) else (item, 1)
    text = given.text if isinstance(given, Level) else str(given).strip()
    if not isinstance(item, tuple) and isinstance(given, str):
        first, star, last = text.rpartition("*")
        if star and last.strip().isdigit():
            text, times = first.strip(), int(last)
    number = stated_whole(times, "how many times, as a whole number")
    if number < 1:
        raise BadInput("expected each level or mechanism at least once.")
    proved = given.certified if isinstance(given, Solution) else given
    if isinstance(given, str) and Path(text).suffix in (".json", ".gz"):
        proved = load(text)
    if isinstance(proved, Certified):
        level = proved.certificate.level
        short = text if isinstance(given, str) else f"a mechanism at {level}"
        return _Term(short, level, None, _small(proved), number)
    if isinstance(held(given), Mechanism) or is_matrix(given):
        raise BadInput("expected mechanisms with their proof, as design, load and "
                       "tr.certify(matrix, space, level) return them.")
    if isinstance(given, NamedDefinition):
        return _Term(given.text, None, given, None, number)
    named = named_definition(text) if isinstance(given, str) else None
    if named is not None:
        return _Term(text, None, named, None, number)
    return _Term(text, given if isinstance(given, Level) else _level(text), None, None, number)


def _level(text: str) -> Level:
    """The level that an item states; the refusal lists what else an item may be."""
    try:
        return Level.of(text)
    except BadLevel:
        raise BadInput('expected a level such as 0.5 or "ln(2)", a document of a mechanism that '
                       "ends in .json, zcdp:rho=0.05 or renyi:alpha=2,epsilon=0.1, found "
                       f"{text[:60]!r}.") from None


def _small(proved: Certified) -> FiniteMechanism | None:
    """The mechanism, if its law is a matrix that is small enough to be composed."""
    mechanism = proved.mechanism
    if not isinstance(mechanism, FiniteMechanism):
        return None
    return mechanism if mechanism.space.size * len(mechanism.outputs) <= _MOST_ENTRIES else None
