"""k-ary randomized response: the truth with probability e^ε / (e^ε + k - 1), else another value.

With δ > 0 the truth has probability (e^ε + (k - 1)δ)/(e^ε + k - 1), and no mechanism that is
(ε, δ)-private row by row has a smaller largest chance of a wrong value (H16, Theorem 4.8).
The proof is a dual with the multipliers m_z[y, z] = μ_y, where prior = Φ μ and Φ = e^(-ε d).
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.closed_forms.written_kernels import exact_kernel
from tightrope.constructions.objective import Goal, Objective
from tightrope.exact import Level, Surd
from tightrope.kernels import binary_bound
from tightrope.mechanisms import FiniteMechanism
from tightrope.spaces import Space
from tightrope.utility import Dual, Prior, binary

WORST = "k-ary randomized response errs least for the worst input (H16, Theorem 4.8)"
REGULAR = "k-ary randomized response is optimal for the binary loss where no input is very unlikely"


def randomized_response(space: Space, level: Level) -> FiniteMechanism:
    """k-ary randomized response on a space whose points are all equally far apart.

    The truth is q times as likely as any other value, q = (e^ε + (k - 1)δ)/(1 - δ). The ratio
    is rational: with e^(ε d) itself, or a number just below it.

    >>> from tightrope.spaces import categories
    >>> [str(p) for p in randomized_response(categories(3), Level.ratio(2)).row(1)]
    ['1/4', '1/2', '1/4']
    >>> [str(p) for p in randomized_response(categories(3), Level.ratio(2, "0.2")).row(1)]
    ['1/5', '3/5', '1/5']
    """
    distance = space.diameter
    unit = distance.rational
    assert unit is not None
    ratio = level.pure.ratio_below(distance)
    ratio = (ratio + (space.size - 1) * level.delta) / (1 - level.delta)
    return exact_kernel(space, ratio, unit, (Fraction(1),) * space.size)


def item_response(space: Space, level: Level) -> FiniteMechanism:
    """Every item of a set kept as it is with probability e^ε/(1 + e^ε), independently.

    On `sets:k` the level is for one item: sets that differ in all k items are kε apart.

    >>> from tightrope.spaces import sets
    >>> [str(p) for p in item_response(sets(2), Level.ratio(2)).row(())]
    ['4/9', '2/9', '2/9', '1/9']
    """
    ratio = level.pure.ratio_below(Surd.of(1))
    return exact_kernel(space, ratio, Fraction(1), (Fraction(1),) * space.size)


def response_theorem(space: Space, level: Level, objective: Objective) -> str | None:
    """The theorem that makes randomized response the best for the objective, if one does.

    For the binary loss it is the best for the worst input and for the uniform prior, and for
    every prior in the convex hull of its columns at δ = 0: those with no probability below
    1/(e^(ε d) + k - 1). `response_bound` is the proof, with δ > 0 too.

    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import Prior
    >>> uneven = Objective(Prior.of(["0.4", "0.4", "0.1", "0.1"]))
    >>> [response_theorem(categories(4), Level.ratio(r), uneven) == REGULAR for r in (2, 7)]
    [False, True]
    """
    if objective.loss != binary or objective.outputs is not None:
        return None
    if objective.goal is Goal.WORST or objective.prior.weights is None:
        return WORST
    least = min(objective.prior.exact(space))
    if least == 0:
        return None
    excess = 1 / least - (space.size - 1)
    return REGULAR if excess <= 0 or level.compare(excess, space.diameter) <= 0 else None


def response_bound(space: Space, level: Level, prior: Prior) -> Dual:
    """A lower bound on the chance of a wrong value, which randomized response attains.

    With m_z[y, z] = μ_y = (prior[y] - s) e^ε/(e^ε - 1), s = 1/(e^ε + k - 1), every price is
    prior[y] - μ_y and the toll is δ (k - 1) s: in all (1 - δ)(k - 1) s.

    >>> from tightrope.spaces import categories
    >>> from tightrope.utility import uniform
    >>> found = response_bound(categories(3), Level.ratio(2, "0.2"), uniform)
    >>> round(float(found.bound), 12)
    0.4
    """
    ratio = level.pure.ratio_below(space.diameter)
    share, factor = 1 / (ratio + space.size - 1), ratio / (ratio - 1)
    coefficients = [(chance - share) * factor for chance in prior.exact(space)]
    return binary_bound(space, level, prior, coefficients)
