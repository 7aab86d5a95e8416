"""ECP, Section 5: bounds on the binary gain and the leakage under a regular prior."""

from __future__ import annotations

from fractions import Fraction
from math import log2

from flint import fmpq_mat

from tightrope.constructions import (
    min_loss_given_level,
    randomized_response,
    tight_constraints,
    truncated_geometric,
)
from tightrope.errors import Infeasible
from tightrope.exact import Level, from_flint, to_flint, tolerances
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.spaces import Space, categories, parse, path
from tightrope.theory import most_leakage, most_leakage_of_any_prior, most_leakage_of_databases
from tightrope.utility import Prior, Problem, best_remap, binary, leakage, min_capacity, uniform

_TWO = Fraction(2)
_SLOPED = (Fraction(3, 10), Fraction(27, 100), Fraction(23, 100), Fraction(1, 5))
_PAIRED = (Fraction(2, 5), Fraction(2, 5), Fraction(1, 10), Fraction(1, 10))


def coefficients(prior: tuple[Fraction, ...], space: Space, ratio: Fraction) -> list[Fraction]:
    """μ with Φ μ = π, of either sign, in exact fractions; Φ must be invertible."""
    level = Level.ratio(ratio)
    size = len(prior)
    powers = [[level.power(space.distance(i, j)) for j in range(size)] for i in range(size)]
    kernel = fmpq_mat(size, size, [to_flint(1 / p) for row in powers for p in row if p])
    right = fmpq_mat(size, 1, [to_flint(p) for p in prior])
    return [from_flint(entry) for entry in kernel.solve(right).entries()]


def _identity(
    *,
    prior: tuple[Fraction, ...] = _PAIRED,
    ratio: Fraction = _TWO,
    used: Fraction = Fraction(3, 2),
) -> Finding:
    space = path(0, len(prior) - 1)
    told = finite(truncated_geometric(space, Level.ratio(used)).mechanism)
    size = len(prior)
    diagonal = [told.row_at(y)[y] for y in range(size)]
    slack = [
        1 - sum(ratio ** -abs(y - z) * diagonal[z] for z in range(size)) for y in range(size)
    ]
    mu = coefficients(prior, space, ratio)
    gain = sum(p * h for p, h in zip(prior, diagonal, strict=True))
    formula = sum(mu) - sum(m * s for m, s in zip(mu, slack, strict=True))
    return finding(
        "U = μ1 - μs with 0 <= s <= 1, for every prior π = μΦ, regular or not",
        f"geometric of e^ε = {used} on a path of {size}, Φ of e^ε = {ratio}: U = {gain}, "
        f"μ1 - μs = {formula}; s from {min(slack)} to {max(slack)}",
        gain == formula and 0 <= min(slack) <= max(slack) <= 1,
        "s = 1 - Φ diag(H) in exact fractions; 0 <= s is privacy.",
    )


def _optimum(space: Space, ratio: Fraction, prior: Prior) -> float:
    optimum = min_loss_given_level(space, Level.ratio(ratio), prior=prior, loss=binary)
    assert optimum.value is not None
    return 1 - optimum.value


def _upper(
    *, space: str = "categories:4", prior: tuple[Fraction, ...] = _SLOPED, ratio: Fraction = _TWO
) -> Finding:
    where = parse(space)
    total = sum(coefficients(prior, where, ratio))
    best = _optimum(where, ratio, Prior(prior))
    return finding(
        "no private mechanism has a gain above Σ μ, for a regular prior",
        f"{space}, e^ε = {ratio}: Σ μ = {float(total):.6f}, the best gain is {best:.6f}",
        best <= float(total) + tolerances.SOLVER_ERROR,
        "the best gain is the proved optimum over all private mechanisms.",
    )


def _remap(
    *,
    prior: tuple[Fraction, ...] = _PAIRED,
    ratio: Fraction = Fraction(3, 2),
    remapped: bool = True,
) -> Finding:
    space, level = path(0, len(prior) - 1), Level.ratio(ratio)
    told = finite(truncated_geometric(space, level).mechanism)
    guess = best_remap(told, Problem(space, level, prior=Prior(prior), loss=binary))
    size = len(prior)
    gain = sum(
        prior[y] * told.row_at(y)[z]
        for y in range(size)
        for z in range(size)
        if (guess[z] if remapped else z) == y
    )
    bits, formula = leakage(told, Prior(prior)), log2(gain / max(prior))
    return finding(
        "L = log2(U/max π) with the best remap",
        f"geometric on {size} points at e^ε = {ratio}: L = {bits:.6f} bits, log2(U/max π) = "
        f"{formula:.6f} {'after the best remap' if remapped else 'without a remap'}",
        abs(bits - formula) < 2.0**-40,
        "a single guess after seeing the output.",
    )


def _most(
    *,
    space: str = "categories:4",
    prior: tuple[Fraction, ...] = _SLOPED,
    ratio: Fraction = _TWO,
    used: Fraction = _TWO,
) -> Finding:
    where = parse(space)
    bound = most_leakage(where, Level.ratio(ratio), Prior(prior))
    leak = leakage(finite(tight_constraints(where, Level.ratio(used)).mechanism), Prior(prior))
    return finding(
        "L <= log2(Σ μ/max π) for a regular prior, attained by tight constraints",
        f"{space} at e^ε = {ratio}: at most {bound:.6f} bits; tight constraints of e^ε = {used} "
        f"leak {leak:.6f}",
        abs(leak - bound) < 2.0**-40,
        "Theorem 2 in bits.",
    )


def _any_prior(*, space: str = "star:3", ratio: Fraction = Fraction(3)) -> Finding:
    where, level = parse(space), Level.ratio(ratio)
    try:
        bound = most_leakage_of_any_prior(where, level)
    except Infeasible:
        return finding(
            _EVERY, f"{space} at e^ε = {ratio}: the uniform prior is not regular", False, _CAPACITY
        )
    told = finite(tight_constraints(where, level).mechanism)
    n = where.size
    tilted = ([Fraction(1 + (y == z), n + 1) for z in range(n)] for y in range(n))
    leaks = [leakage(told, Prior.of(law)) for law in tilted]
    return finding(
        _EVERY,
        f"{space} at e^ε = {ratio}: at most {bound:.6f} bits; tight constraints leak "
        f"{leakage(told, uniform):.6f} under the uniform prior, at most {max(leaks):.6f} under "
        f"{len(leaks)} others",
        abs(min_capacity(told) - bound) < 2.0**-40 and max(leaks) <= bound,
        _CAPACITY,
    )


_EVERY = "L <= log2(n Σ μ) for every prior, if the uniform one is regular"
_CAPACITY = "the uniform prior leaks most."


def _databases(
    *, values: int = 4, people: int = 5, ratio: Fraction = _TWO, used: Fraction = _TWO
) -> Finding:
    bound = most_leakage_of_databases(values, people, Level.ratio(ratio))
    single = finite(randomized_response(categories(values), Level.ratio(used)).mechanism)
    leak = people * min_capacity(single)
    return finding(
        "L <= u log2(|V|e^ε/(|V| - 1 + e^ε)) for every mechanism on databases",
        f"{people} people, {values} values, e^ε = {ratio}: {bound:.6f} bits; randomized response "
        f"of each person at e^ε = {used} leaks {leak:.6f}",
        abs(leak - bound) < 2.0**-40,
        "so the bound is attained.",
    )


ITEMS = (
    Item("ecp", "lemma-1", "The gain by slack", Verdict.CONFIRMED, _identity,
         varied={"ratio": Fraction(3)}, dropped={"used": Fraction(4)}),
    Item("ecp", "theorem-2", "An upper bound on the gain", Verdict.CONFIRMED, _upper,
         varied={"ratio": Fraction(3)}, dropped={"prior": _PAIRED}),
    Item("ecp", "proposition-4", "Leakage is gain", Verdict.CONFIRMED, _remap,
         varied={"ratio": Fraction(3)}, dropped={"remapped": False}),
    Item("ecp", "proposition-5", "An upper bound on the leakage", Verdict.CONFIRMED, _most,
         varied={"ratio": Fraction(3), "used": Fraction(3)}, dropped={"used": Fraction(3)}),
    Item("ecp", "corollary-2", "A bound for all priors", Verdict.CONFIRMED, _any_prior,
         varied={"ratio": Fraction(4)}, dropped={"ratio": Fraction(3, 2)}),
    Item("ecp", "theorem-3", "A bound for all mechanisms on databases", Verdict.CONFIRMED,
         _databases, varied={"people": 2}, dropped={"used": Fraction(3)}),
)
