"""ECP, Example 3 and Figure 4: leakage bounds for a prior on databases of five people."""

from __future__ import annotations

from fractions import Fraction
from math import exp, log, log2

from tightrope.constructions import min_loss_given_level
from tightrope.errors import Infeasible
from tightrope.exact import Level, tolerances
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.plots import Chart, Panel, Span, Tint, line
from tightrope.spaces import categories, hamming
from tightrope.theory import most_leakage, most_leakage_of_databases, thresholds
from tightrope.utility import Prior, binary

_SHARES = tuple(Fraction(x) for x in ("0.3", "0.27", "0.23", "0.2"))
_PRINTED_BITS = 1.2
_PLOTTED = tuple(Fraction(k, 100) for k in (48, 50, 55, 60, 65, 69, 70, 75, 80, 85, 90, 95, 100))


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
    epsilons: tuple[Fraction, ...] = _PLOTTED,
) -> Finding:
    databases, prior = hamming(values=len(shares), people=people), joint(shares, people)
    bounds: dict[float, float] = {}
    refused = []
    for epsilon in epsilons:
        try:
            bounds[float(epsilon)] = most_leakage(databases, Level.epsilon(epsilon), prior)
        except Infeasible:
            refused.append(float(epsilon))
    across = [float(epsilon) for epsilon in epsilons]
    every = [most_leakage_of_databases(len(shares), people, Level.epsilon(e)) for e in epsilons]
    formula = [people * log2(len(shares) * exp(e) / (len(shares) - 1 + exp(e))) for e in across]
    right = all(abs(a - b) < tolerances.SOLVER_ERROR for a, b in zip(every, formula, strict=True))
    # log2(Σ μ / max π) with the μ of μ Φ = π, whatever its signs: what the paper plots
    printed = [people * log2(exp(e) / (len(shares) - 1 + exp(e)) / max(shares)) for e in across]
    shown = ", ".join(f"{e:g}: {bits:.4f}" for e, bits in bounds.items())
    chart = Chart((Panel("", (
        line("every prior", across, every, Tint.SECOND, dots=True),
        line("the prior π of Example 3", [*bounds], [*bounds.values()], dots=True),
        *((line("as printed: π is not regular", refused, printed[:len(refused)], Tint.WRONG),
           Span(refused[0], log(2), "no bound")) if refused else ()),
    ), "ε", "leakage, at most (bits)", heights=(0.0, 1.1 * max(every))),), wrong=(
        "below ε = ln 2 the prior is not regular (proved), so the curve for it is no bound there."
        if refused else ""))
    return finding(
        "a curve for π from ε = 0.48, at 0.5 1.2 bits; for all priors 2.5 bits at 0.5",
        f"for π {shown} bits; refused at {', '.join(f'{e:g}' for e in refused) or 'none of them'}; "
        f"for all priors {every[0]:.4f} bits at {across[0]:g}, {every[-1]:.4f} at {across[-1]:g}",
        not refused and right,
        "the curve is a bound only where π is regular, from ln 2 on; the bound for all priors "
        "is right.",
        ours=right and refused == [e for e in across if e < log(2)],
        chart=chart,
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
        pictured=True,
    ),
)
