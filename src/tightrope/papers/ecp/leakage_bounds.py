"""ECP, Example 3 and Figure 4: leakage bounds for a prior on databases of five people."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, log2

from tightrope.constructions import min_loss_given_level
from tightrope.errors import Infeasible
from tightrope.exact import Level, tolerances
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import categories, hamming
from tightrope.theory import most_leakage, most_leakage_of_databases, thresholds
from tightrope.utility import Prior, binary

_SHARES = tuple(Fraction(x) for x in ("0.3", "0.27", "0.23", "0.2"))
_PRINTED_BITS = 1.2
_TENTHS = tuple(Fraction(k, 10) for k in range(5, 11))


def joint(shares: tuple[Fraction, ...], people: int) -> Prior:
    """The prior of so many people who choose independently."""
    law = [Fraction(1)]
    for _ in range(people):
        law = [a * b for a in law for b in shares]
    return Prior.of(law)


def _example(
    *,
    shares: tuple[Fraction, ...] = _SHARES,
    people: int = 5,
    epsilon: Fraction = Fraction(1, 2),
) -> Finding:
    databases, prior = hamming(values=len(shares), people=people), joint(shares, people)
    ((below, above),) = thresholds(databases, prior=prior).endpoints
    level = Level.epsilon(epsilon)
    try:
        bound = f"{most_leakage(databases, level, prior):.4f}"
    except Infeasible:
        bound = "refused"
    single = min_loss_given_level(
        categories(len(shares)), level, prior=Prior(shares), loss=binary
    )
    assert single.value is not None
    leak = people * log2((1 - single.value) / float(max(shares)))
    at_ln_2 = float(below) <= log(2) <= float(above)
    return finding(
        "π is regular for 0.48 <= ε <= 1; no mechanism at ε = 0.5 leaks more than 1.2 bits for it",
        f"π is regular from {float(above):.6f} on ({'ln 2' if at_ln_2 else 'not ln 2'}), proved "
        f"on both sides; the bound at {level.text} is {bound}, and {people} copies of a "
        f"certified mechanism of that level, one for each person, leak {leak:.4f} bits",
        bound != "refused",
        "a tolerance of 1e-4 took small negative coefficients for zero; the best mechanism for "
        "one person's answer, run for each of the five, leaks more than the bound.",
        ours=at_ln_2 and leak > _PRINTED_BITS,
    )


def _figure(
    *,
    shares: tuple[Fraction, ...] = _SHARES,
    people: int = 5,
    epsilons: tuple[Fraction, ...] = _TENTHS,
) -> Finding:
    databases, prior = hamming(values=len(shares), people=people), joint(shares, people)
    curve, refused = [], []
    for epsilon in epsilons:
        level = Level.epsilon(epsilon)
        try:
            curve.append(f"{level.text}: {most_leakage(databases, level, prior):.4f}")
        except Infeasible:
            refused.append(level.text)
    every = most_leakage_of_databases(len(shares), people, Level.epsilon(epsilons[0]))
    power, below = exp(float(epsilons[0])), [e for e in epsilons if float(e) < log(2)]
    formula = people * log2(len(shares) * power / (len(shares) - 1 + power))
    right = abs(every - formula) < tolerances.SOLVER_ERROR
    return finding(
        "a curve for π from ε = 0.48, at 0.5 1.2 bits; for all priors 2.5 bits at 0.5",
        f"for π {', '.join(curve)} bits; refused at {', '.join(refused) or 'none of them'}; "
        f"for all priors {every:.4f} bits at {float(epsilons[0]):g}",
        not refused and right,
        "the curve is a bound only where π is regular, from ln 2 on; the bound for all priors "
        "is right.",
        ours=right and refused == [Level.epsilon(epsilon).text for epsilon in below],
    )


_EVEN = (Fraction(1, 4),) * 4

ITEMS = (
    Item(
        "ecp",
        "example-3",
        "A prior on databases and its leakage",
        Verdict.CORRECTED,
        _example,
        varied={"people": 2},
        dropped={"epsilon": Fraction(4, 5), "people": 2},  # above ln 2 the prior is regular
    ),
    Item(
        "ecp",
        "figure-4",
        "Leakage bounds against ε",
        Verdict.CORRECTED,
        _figure,
        varied={"people": 2},
        dropped={"shares": _EVEN, "people": 2},  # the uniform prior is regular at every level
    ),
)
