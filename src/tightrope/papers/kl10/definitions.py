"""KL10, Section 2: predicates and the axioms, and the two slips in the text."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tightrope.constructions import design
from tightrope.exact import Level, Weights, tolerances
from tightrope.mechanisms import MatrixMechanism
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import Band, PairBound, judge, odds_change
from tightrope.spaces import categories, directed
from tightrope.theory import post_processing

F = Fraction
_GRID = 20


def _ratio(a: Fraction, b: Fraction) -> bool:
    return b <= 2 * a and a <= 2 * b


def _keeps(dent: Fraction) -> dict[str, Band]:
    """Bounds m(a) = 1 - M(1 - a); a dent in the third M makes it less than concave."""
    rise = F(1, 4) - dent
    return {
        "ratio at most 2": Band.of([(0, 0), (1, F(1, 2))], [(0, 0), (F(1, 2), 1), (1, 1)]),
        "ratio at most 2 up to 1/10": Band.of(
            [(0, 0), (F(1, 10), 0), (1, F(9, 20))], [(0, F(1, 10)), (F(9, 20), 1), (1, 1)]
        ),
        "difference at most 1/4": Band.of(
            [(0, 0), (F(1, 4), 0), (F(1, 2), F(1, 2) - rise), (1, F(3, 4))],
            [(0, F(1, 4)), (F(1, 2), F(1, 2) + rise), (F(3, 4), 1), (1, 1)],
        ),
        "anything": Band.of([(0, 0), (1, 0)], [(0, 1), (1, 1)]),
    }


_BROKEN: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "ratio or difference": lambda a, b: _ratio(a, b) or abs(a - b) <= F(1, 10),
    "only likely events": lambda a, b: min(a, b) < F(1, 10) or _ratio(a, b),
    "only rare events": lambda a, b: a > F(1, 2) or _ratio(a, b),
    "equal or swapped": lambda a, b: b in (a, 1 - a),
}


def _axioms(*, dent: Fraction = Fraction(0), grid: int = 20) -> Finding:
    kept = {name: judge(predicate) for name, predicate in _keeps(dent).items()}
    broken = {name: judge(predicate, grid=grid) for name, predicate in _BROKEN.items()}
    keep = [
        name
        for name, v in kept.items()
        if v.exact and v.transformation_invariance and v.axiom_of_choice
    ]
    fail = [
        name
        for name, v in broken.items()
        if not (v.transformation_invariance or v.axiom_of_choice)
    ]
    return finding(
        "predicates that keep both axioms are m(a) <= b <= M(a) with M concave",
        f"tried on {len(kept) + len(broken)} predicates: both axioms hold, for every event, for "
        f"{', '.join(keep)}; both fail, on multiples of 1/{grid}, for {', '.join(fail)}",
        len(keep) == len(kept) and len(fail) == len(broken),
        "each failure has an exact counterexample. The two axioms are equivalent here: with "
        "three outputs, post-processing alone already makes M concave.",
    )


def _swap(*, a: Fraction = Fraction(3, 4), b: Fraction = Fraction(1, 4)) -> Finding:
    printed = (1 - b) * a / (1 - a)
    right = 1 - b * (1 - a) / a
    step = F(1, 100) if right >= b else F(-1, 100)
    return finding(
        "Proposition 2.2.2: for a >= 1/2 all b' between b and (1 - b)a/(1 - a)",
        f"at a = {a}, b = {b} that is {printed}; the other case gives {right}",
        _makes(a, b, printed) and not _makes(a, b, printed + (1 if printed >= b else -1) * step),
        "the cases a >= 1/2 and a <= 1/2 are swapped: what is printed need not be a probability.",
        ours=_makes(a, b, right) and not _makes(a, b, right + step),
    )


def _makes(a: Fraction, b: Fraction, other: Fraction) -> bool:
    """Whether post-processing makes an event of (a, other) from one of (a, b)."""
    if not 0 <= other <= 1:
        return False
    given, made = ([[a, 1 - a], [each, 1 - each]] for each in (b, other))
    space = categories(2)
    return post_processing(*(
        MatrixMechanism(space, (0, 1), Weights.from_fractions(rows)) for rows in (given, made)
    )).exists


def _monotone(
    *, ratio: Fraction = Fraction(2), delta: Fraction = Fraction(1, 10)
) -> Finding:
    anything = PairBound.of([(0, 1), (1, 1)])
    bound = PairBound.of_level(Level.ratio(ratio, delta)) if delta < 1 else anything
    values = [bound.least(F(k, 10)) for k in range(11)]
    falls = values == sorted(values, reverse=True)
    return finding(
        "Theorem 2.2.5 (v): m is nonincreasing",
        f"m of (ln {ratio}, {delta})-privacy goes from {values[0]} to {values[-1]}",
        falls,
        "m(a) = 1 - M(1 - a) is nondecreasing, as M is.",
        ours=values == sorted(values) == [1 - bound(1 - F(k, 10)) for k in range(11)],
    )


def _odds(
    *,
    ratio: Fraction = Fraction(2),
    delta: Fraction = Fraction(1, 100),
    factor: Fraction = Fraction(4),
) -> Finding:
    pure = odds_change(PairBound.of_level(Level.ratio(ratio)), factor)
    loose = odds_change(PairBound.of_level(Level.ratio(ratio, delta)), factor)
    printed = delta / (factor - ratio), delta * factor / (factor - ratio)
    return finding(
        "the odds rise by e^x with probability at most sup{a : M(a) >= e^x a}",
        f"e^ε = {ratio}: beyond {factor} with probability at most {pure.rise}; with δ = {delta}, "
        f"beyond {factor} at most {loose.rise}, below {1 / factor} at most {loose.fall}",
        pure.rise == pure.fall == 0 and (loose.rise, loose.fall) == printed,
        "δ/(t - e^ε) and δt/(t - e^ε), from the three lines of M.",
    )


def _one_way(*, ratio: Fraction = F(2), both_ways: bool = False) -> Finding:
    pairs = [(0, 1), (1, 0)] if both_ways else [(0, 1)]
    best = design(directed(["well", "ill"], pairs), Level.ratio(ratio), loss="binary")
    least = 1 / (2 * ratio)
    return finding(
        "the relation R of protected pairs may be directed",
        f"e^ε = {ratio}, {'both ways' if both_ways else 'one way'}: the least binary loss on "
        f"average is {best.value:.6g} and no less than {best.bound:.6g}; one way it is {least}",
        abs(F(best.value) - least) <= tolerances.DEFAULT_GAP * least,
        "the protected input always gives one answer, and the other gives it with probability "
        "e^-ε; both ways no mechanism has less than 1/(1 + e^ε).",
    )


AXIOMS = Item(
    "kl10",
    "section-2",
    "Which predicates keep the axioms",
    Verdict.CONFIRMED,
    _axioms,
    varied={"grid": 30},
    dropped={"dent": F(1, 10)},
)
ONE_WAY = Item(
    "kl10",
    "section-2-one-way",
    "Relations that protect one way",
    Verdict.CONFIRMED,
    _one_way,
    varied={"ratio": F(3)},
    dropped={"both_ways": True},
)
SWAPPED = Item(
    "kl10",
    "proposition-2.2.2",
    "Allowed intervals",
    Verdict.CORRECTED,
    _swap,
    varied={"b": F(1, 8)},
    dropped={"a": F(1, 4)},
)
MONOTONE = Item(
    "kl10",
    "theorem-2.2.5",
    "Monotone bounds",
    Verdict.CORRECTED,
    _monotone,
    varied={"delta": F(1, 5)},
    dropped={"delta": F(1)},  # anything is allowed: m is 0 throughout
)
ODDS = Item(
    "kl10",
    "proposition-2.1.4",
    "The attacker's log-odds",
    Verdict.CONFIRMED,
    _odds,
    varied={"delta": F(1, 50)},
    dropped={"factor": F(3, 2)},  # odds that every mechanism of the level may move so far
)
