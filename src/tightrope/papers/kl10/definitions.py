"""KL10, Section 2: predicates and the axioms, and the two slips in the text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tightrope.exact import Level
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import Band, PairBound, judge, odds_change

F = Fraction
_GRID = 20


def _ratio(a: Fraction, b: Fraction) -> bool:
    return b <= 2 * a and a <= 2 * b


_KEPT = {
    "ratio at most 2": Band.of([(0, 0), (1, F(1, 2))], [(0, 0), (F(1, 2), 1), (1, 1)]),
    "ratio at most 2 up to 1/10": Band.of(
        [(0, 0), (F(1, 10), 0), (1, F(9, 20))], [(0, F(1, 10)), (F(9, 20), 1), (1, 1)]
    ),
    "difference at most 1/4": Band.of(
        [(0, 0), (F(1, 4), 0), (1, F(3, 4))], [(0, F(1, 4)), (F(3, 4), 1), (1, 1)]
    ),
    "anything": Band.of([(0, 0), (1, 0)], [(0, 1), (1, 1)]),
}
_BROKEN: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "ratio or difference": lambda a, b: _ratio(a, b) or abs(a - b) <= F(1, 10),
    "only likely events": lambda a, b: min(a, b) < F(1, 10) or _ratio(a, b),
    "only rare events": lambda a, b: a > F(1, 2) or _ratio(a, b),
    "equal or swapped": lambda a, b: b in (a, 1 - a),
}


def _axioms() -> Finding:
    kept = {name: judge(predicate) for name, predicate in _KEPT.items()}
    broken = {name: judge(predicate, grid=_GRID) for name, predicate in _BROKEN.items()}
    holds = [v.exact and v.transformation_invariance and v.axiom_of_choice for v in kept.values()]
    fails = [v.transformation_invariance or v.axiom_of_choice for v in broken.values()]
    return judged(
        "predicates that keep both axioms are m(a) <= b <= M(a) with M concave",
        f"tried on {len(kept) + len(broken)} predicates: both axioms hold, for every event, for "
        f"{', '.join(kept)}; both fail for {', '.join(broken)}",
        all(holds) and not any(fails),
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
