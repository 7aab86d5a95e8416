"""KL10, Section 2: predicates and the axioms, and the two slips in the text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import PairBound, judge, odds_change

F = Fraction
_GRID = 20


def _ratio(a: Fraction, b: Fraction) -> bool:
    return b <= 2 * a and a <= 2 * b


_PREDICATES: dict[str, tuple[Callable[[Fraction, Fraction], bool], bool]] = {
    "ratio at most 2": (_ratio, True),
    "ratio at most 2 up to 1/10": (
        lambda a, b: b <= 2 * a + F(1, 10) and a <= 2 * b + F(1, 10),
        True,
    ),
    "difference at most 1/4": (lambda a, b: abs(a - b) <= F(1, 4), True),
    "anything": (lambda a, b: True, True),
    "ratio or difference": (lambda a, b: _ratio(a, b) or abs(a - b) <= F(1, 10), False),
    "only likely events": (lambda a, b: min(a, b) < F(1, 10) or _ratio(a, b), False),
    "only rare events": (lambda a, b: a > F(1, 2) or _ratio(a, b), False),
    "equal or swapped": (lambda a, b: b in (a, 1 - a), False),
}


def _axioms() -> Finding:
    kept: list[str] = []
    broken: list[str] = []
    agrees = True
    for name, (predicate, expected) in _PREDICATES.items():
        verdict = judge(predicate, grid=_GRID)
        agrees &= verdict.transformation_invariance is verdict.axiom_of_choice is expected
        (kept if verdict.axiom_of_choice else broken).append(name)
    return judged(
        "predicates that keep both axioms are m(a) <= b <= M(a) with M concave",
        f"both axioms hold for: {', '.join(kept)}; both fail for: {', '.join(broken)}",
        agrees,
        "each failure has an exact counterexample. The two axioms are equivalent here: with "
        "three outputs, post-processing alone already makes M concave.",
    )


def _swapped() -> Finding:
    a, b = F(3, 4), F(1, 4)
    printed = (1 - b) * a / (1 - a)
    right = 1 - b * (1 - a) / a
    verdict = judge(_ratio, grid=_GRID)
    assert verdict.definition is not None
    return judged(
        "Proposition 2.2.2: for a >= 1/2 all b' between b and (1 - b)a/(1 - a)",
        f"at a = 3/4, b = 1/4 that is {printed}, no probability; the other case gives {right}",
        0 <= printed <= 1,
        "the cases a >= 1/2 and a <= 1/2 are swapped.",
    )


def _monotone() -> Finding:
    bound = PairBound.of_level(Level.ratio(2, "1/10"))
    values = [bound.least(F(k, 10)) for k in range(11)]
    falls = values == sorted(values, reverse=True)
    return judged(
        "Theorem 2.2.5 (v): m is nonincreasing",
        f"m of (ln 2, 1/10)-privacy rises from {values[0]} to {values[-1]}",
        falls,
        "m(a) = 1 - M(1 - a) is nondecreasing, as M is.",
    )


def _odds() -> Finding:
    pure = odds_change(PairBound.of_level(Level.ratio(2)), F(5, 2))
    loose = odds_change(PairBound.of_level(Level.ratio(2, "1/100")), F(4))
    agrees = pure.rise == pure.fall == 0 and (loose.rise, loose.fall) == (F(1, 200), F(1, 50))
    return judged(
        "the odds rise by e^x with probability at most sup{a : M(a) >= e^x a}",
        "e^ε = 2: never beyond 2; with δ = 1/100, beyond 4 with probability at most "
        f"{loose.rise}, below 1/4 at most {loose.fall}",
        agrees,
        "δ/(t - e^ε) and δt/(t - e^ε), from the three lines of M.",
    )


AXIOMS = Item("kl10", "section-2", "Which predicates keep the axioms", Verdict.CONFIRMED, _axioms)
SWAPPED = Item("kl10", "proposition-2.2.2", "Allowed intervals", Verdict.CORRECTED, _swapped)
MONOTONE = Item("kl10", "theorem-2.2.5", "Monotone bounds", Verdict.CORRECTED, _monotone)
ODDS = Item("kl10", "proposition-2.1.4", "The attacker's log-odds", Verdict.CONFIRMED, _odds)
