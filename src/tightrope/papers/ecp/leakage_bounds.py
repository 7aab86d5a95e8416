"""ECP, Example 3 and Figure 4: leakage bounds for a prior on databases of five people."""

from __future__ import annotations

from fractions import Fraction
from math import log, log2

from tightrope.constructions import min_loss_given_level
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.kernels import most_leakage, most_leakage_of_databases, thresholds
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.spaces import categories, hamming
from tightrope.utility import Prior, binary

PEOPLE = 5
MARGINAL = tuple(Fraction(x) for x in ("0.3", "0.27", "0.23", "0.2"))
DATABASES = hamming(values=4, people=PEOPLE)


def joint() -> Prior:
    """The prior of five people who choose independently."""
    law = [Fraction(1)]
    for _ in range(PEOPLE):
        law = [a * b for a in law for b in MARGINAL]
    return Prior.of(law)


def _example() -> Finding:
    ((below, above),) = thresholds(DATABASES, prior=joint()).endpoints
    half = Level.epsilon("0.5")
    try:
        bound = f"{most_leakage(DATABASES, half, joint()):.4f}"
    except Infeasible:
        bound = "refused"
    one = min_loss_given_level(categories(4), half, prior=Prior(MARGINAL), loss=binary)
    assert one.value is not None
    leak = PEOPLE * log2((1 - one.value) / float(MARGINAL[0]))
    agrees = float(below) <= 0.48 <= float(above) or leak < 1.2 or bound != "refused"
    at_ln_2 = float(below) <= log(2) <= float(above)
    return judged(
        "π is regular for 0.48 <= ε <= 1; no mechanism at ε = 0.5 leaks more than 1.2 bits for it",
        f"π is regular from {float(above):.6f} on ({'ln 2' if at_ln_2 else 'not ln 2'}), proved "
        f"on both sides; the bound at 0.5 is {bound}, and five copies of a certified "
        f"mechanism of level 0.5, one for each person, leak {leak:.4f} bits",
        agrees,
        "a tolerance of 1e-4 took small negative coefficients for zero; the best mechanism for "
        "one person's answer, run for each of the five, leaks more than the bound.",
    )


def _figure() -> Finding:
    curve, refused = [], []
    for tenths in range(5, 11):
        level = Level.epsilon(Fraction(tenths, 10))
        try:
            curve.append(f"{level.text}: {most_leakage(DATABASES, level, joint()):.4f}")
        except Infeasible:
            refused.append(level.text)
    every = most_leakage_of_databases(4, PEOPLE, Level.epsilon("0.5"))
    agrees = not refused or f"{every:.1f}" != "2.5"
    return judged(
        "a curve for π from ε = 0.48, at 0.5 1.2 bits; for all priors 2.5 bits at 0.5",
        f"for π {', '.join(curve)} bits; refused at {', '.join(refused)}; "
        f"for all priors {every:.4f} bits at 0.5",
        agrees,
        "the curve is a bound only where π is regular, from ln 2 on; the bound for all priors "
        "is right.",
    )


ITEMS = (
    Item("ecp", "example-3", "A prior on databases and its leakage", Verdict.CORRECTED, _example),
    Item("ecp", "figure-4", "Leakage bounds against ε", Verdict.CORRECTED, _figure),
)
