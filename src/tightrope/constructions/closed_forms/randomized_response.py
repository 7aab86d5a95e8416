"""k-ary randomized response: the truth with probability e^ε / (e^ε + k - 1), else another value.

With δ > 0 the truth has probability (e^ε + (k - 1)δ)/(e^ε + k - 1), and no mechanism that is
(ε, δ)-private row by row has a smaller largest chance of a wrong value (H16, Theorem 4.8).
The proof is a dual with the multipliers m_z[y, z] = μ_y, where prior = Φ μ and Φ = e^(-ε d).
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions.closed_forms.written_kernels import exact_kernel, one_law
from tightrope.constructions.obstacles import equidistance_obstacle, refuse
from tightrope.exact import Level, Number, sizes
from tightrope.kernels import binary_bound
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Space
from tightrope.utility import Dual, Problem, Solution, binary

WORST = "k-ary randomized response errs least for the worst input (H16, Theorem 4.8)"
REGULAR = "k-ary randomized response is optimal for the binary loss where no input is very unlikely"


def obstacle(problem: Problem) -> str | None:
    """Why it does not exist, in one sentence; None where it does."""
    return equidistance_obstacle(problem.space)


def randomized_response(
    space: Space | str,
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> Certified:
    """k-ary randomized response on a space whose points are all equally far apart.

    The truth is q times as likely as any other value, q = (e^ε + (k - 1)δ)/(1 - δ). The ratio
    is rational: with e^(ε d) itself, or a number just below it.

    Returns: the mechanism with its certificate.

    Raises: `Infeasible` where points are not all equally far apart.

    >>> made = randomized_response("categories:3", Level.ratio(2))
    >>> [str(p) for p in made.mechanism.row_at(1)]
    ['1/4', '1/2', '1/4']
    >>> made = randomized_response("categories:3", ratio=2, delta="0.2")
    >>> [str(p) for p in made.mechanism.row_at(1)]
    ['1/5', '3/5', '1/5']
    """
    problem = Problem(space, level_of(epsilon, delta=delta, ratio=ratio))
    refuse("randomized-response", obstacle(problem))
    space, level = problem.space, problem.level
    unit = space.diameter.rational
    assert unit is not None
    factor = level.pure.ratio_below(space.diameter)
    factor = (factor + (space.size - 1) * level.delta) / (1 - level.delta)
    if factor == 1:
        return certified(one_law(space, (Fraction(1),) * space.size), level)
    return certified(exact_kernel(space, factor, unit, (Fraction(1),) * space.size), level)


def solve(problem: Problem) -> Solution:
    """The mechanism with its loss; with theorem and bound where it is the best."""
    made, theorem = randomized_response(problem.space, problem.level), response_theorem(problem)
    solution = Solution(problem, made, "randomized-response", theorem=theorem)
    if theorem is None or problem.space.size > sizes.LARGEST_KERNEL_PROOF:
        return solution
    return solution.proved(response_bound(problem))


def response_theorem(problem: Problem) -> str | None:
    """The theorem that makes randomized response the best for the problem, if one does.

    For the binary loss it is the best for the worst input and for the uniform prior, and for
    every prior in the convex hull of its columns at δ = 0: those with no probability below
    1/(e^(ε d) + k - 1). `response_bound` is the proof, with δ > 0 too.

    >>> uneven = ["0.4", "0.4", "0.1", "0.1"]
    >>> problems = [Problem("categories:4", Level.ratio(r), uneven) for r in (2, 7)]
    >>> [response_theorem(problem) == REGULAR for problem in problems]
    [False, True]
    """
    if problem.loss != binary or problem.outputs is not None:
        return None
    if problem.averaged.weights is None:
        return WORST
    least = min(problem.averaged.exact(problem.space))
    if least == 0:
        return None
    space = problem.space
    excess = 1 / least - (space.size - 1)
    likely = excess <= 0 or problem.level.compare(excess, space.diameter) <= 0
    return REGULAR if likely else None


def response_bound(problem: Problem) -> Dual:
    """A lower bound on the chance of a wrong value, which randomized response attains.

    With m_z[y, z] = μ_y = (prior[y] - s) e^ε/(e^ε - 1), s = 1/(e^ε + k - 1), every price is
    prior[y] - μ_y and the toll is δ (k - 1) s: in all (1 - δ)(k - 1) s. As ε falls to 0, μ_y
    tends to s² for the uniform prior, the only one with a theorem there.

    >>> round(float(response_bound(Problem("categories:3", Level.ratio(2, "0.2"))).bound), 12)
    0.4
    """
    space, level = problem.space, problem.level
    ratio = level.pure.ratio_below(space.diameter)
    share, chances = 1 / (ratio + space.size - 1), problem.averaged.exact(space)
    coefficients = [
        share**2 if ratio == 1 else (chance - share) * ratio / (ratio - 1) for chance in chances
    ]
    return binary_bound(problem, coefficients)
