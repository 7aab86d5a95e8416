"""The 2 × 2 design with the smallest variance at a level (ε, δ), and the best Mangat designs.

With r = e^ε, a design is (ε, δ)-private iff p11 <= r (1 - p00) + δ, p00 <= r (1 - p11) + δ and
both hold for 1 - p00, 1 - p11. On an edge of that polygon the variance has no inner minimum
(H16, Lemma 6.2), so the optimum is a vertex: Warner's p = (r + δ)/(r + 1), or (1, δ), where a
no is always sent as no and a yes as yes with probability δ, or (δ, 1), which is Mangat's
design; and their mirror images. For π <= 1/2, (1, δ) wins iff π < δ(r + δ)/(r - 1 + 2δ)².
H16, Theorem 6.3 looks at p00, p11 > 1/2 only; that optimum is kept here as `thesis_optimum`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadLevel, BadMatrix, Infeasible
from tightrope.exact import Level, Number, Surd, sizes, told_apart
from tightrope.surveys.designs import Design, binary, mangat, probability, warner
from tightrope.surveys.variance import shares_of, unit_variance, worst_variance

YES = 1
_HOW = "A sensitive answer is sent as it is; others are sometimes sent as a sensitive one."


@dataclass(frozen=True)
class Optimum:
    """The best design, its variance for one respondent, and the prevalence it was chosen for.

    Without a prevalence the worst one counts. `others` are the vertices that lost, with theirs.
    """

    design: Design
    variance: Fraction
    prevalence: Fraction | None
    others: tuple[tuple[Design, Fraction], ...]


def ratio_of(level: Level) -> Fraction:
    """e^ε where it is rational, else a rational number just below: designs stay private."""
    most = sizes.LARGEST_SURVEY_EPSILON
    if not level.ball(64) <= most:
        raise BadLevel(
            f"ε = {float(level):g}",
            f"an ε of at most {most} in a survey (beyond it nobody's answer would ever be "
            "changed: ask directly)",
        )
    return level.pure.ratio_below(Surd.of(1))


def best_binary(level: Level, prevalence: Number | None = None) -> Optimum:
    """The 2 × 2 design with the smallest estimator variance at a level (ε, δ).

    >>> found = best_binary(Level.epsilon(1, delta="0.4"), "0.1")
    >>> found.design.p00, found.design.p11, float(found.variance)
    (Fraction(1, 1), Fraction(2, 5), 0.24)
    """
    return best_vertex(ratio_of(level), level.delta, prevalence)


def best_vertex(ratio: Fraction, delta: Fraction, prevalence: Number | None = None) -> Optimum:
    """As `best_binary` for e^ε = ratio >= 1 and any δ from 0 to 1.

    >>> best_vertex(Fraction(1), Fraction(1)).variance  # everything allowed: ask directly
    Fraction(1, 4)
    """
    if ratio < 1 or not 0 <= delta <= 1:
        raise BadLevel(f"e^ε = {ratio} and δ = {delta}", "e^ε of at least 1 and δ from 0 to 1")
    if ratio == 1 and delta == 0:
        raise Infeasible("at ε = 0 and δ = 0 all rows are equal, so nothing can be learned.")
    candidates = [(design, _variance(design, prevalence)) for design in vertices(ratio, delta)]
    candidates.sort(key=lambda pair: pair[1])
    share = None if prevalence is None else probability(prevalence, "the prevalence")
    return Optimum(*candidates[0], share, tuple(candidates[1:]))


def vertices(ratio: Fraction, delta: Fraction) -> tuple[Design, ...]:
    """The vertices of the feasible region with p00 + p11 > 1."""
    corners = [warner((ratio + delta) / (ratio + 1))]
    if 0 < delta < 1:
        how = "A no is sent as no; a yes is sent as yes only sometimes."
        corners += [binary(1, delta, "truthful no", how), mangat(delta)]
    return tuple(corners)


def switching_prevalence(ratio: Fraction, delta: Fraction) -> Fraction:
    """The prevalence up to 1/2 below which (1, δ) beats Warner: δ(r + δ)/(r - 1 + 2δ)²."""
    return delta * (ratio + delta) / (ratio - 1 + 2 * delta) ** 2


def thesis_optimum(level: Level, prevalence: Number) -> Optimum:
    """The optimum among p00, p11 > 1/2 as H16, Theorem 6.3 and Corollary 6.3 state it.

    For δ <= 1/2: (r_δ(0), s_δ(0)) = (1 + e^-ε (δ - 1/2), 1/2) if g(ε, δ) > π, else Warner's;
    for π > 1/2 mirrored. The first lies on the boundary that the theorem excludes, and the
    true optimum over all designs, `best_binary`, is often better.
    """
    if level.delta > Fraction(1, 2):
        raise BadLevel(f"δ = {level.delta}", "a δ of at most 1/2: the thesis has no answer above")
    share = probability(prevalence, "the prevalence")
    ratio, delta = ratio_of(level), level.delta
    near, far = thesis_corners(ratio, delta)
    if share > Fraction(1, 2):
        near = binary(near.p11, near.p00, near.name)
    candidates = [(design, _variance(design, share)) for design in (near, far)]
    if thesis_g(ratio, delta) <= min(share, 1 - share):
        candidates.reverse()
    return Optimum(*candidates[0], share, tuple(candidates[1:]))


def thesis_corners(ratio: Fraction, delta: Fraction) -> tuple[Design, Design]:
    """(r_δ(0), s_δ(0)) and (r_δ(1), s_δ(1)) of H16, (6.21)."""
    half = Fraction(1, 2)
    return binary(1 + (delta - half) / ratio, half, "half truthful yes"), warner(
        (ratio + delta) / (ratio + 1)
    )


def thesis_g(ratio: Fraction, delta: Fraction) -> Fraction:
    """g(ε, δ) = ((r - 1)(3δ - 1) + 3δ²)/(r - 1 + 2δ)² of H16, (6.22)."""
    return ((ratio - 1) * (3 * delta - 1) + 3 * delta**2) / (ratio - 1 + 2 * delta) ** 2


def feasible(p00: Fraction, p11: Fraction, ratio: Fraction, delta: Fraction) -> bool:
    """Whether (p00, p11) lies in the region of H16, (6.15)."""
    return (
        0 <= p00 <= 1
        and 0 <= p11 <= 1
        and p00 <= ratio * (1 - p11) + delta
        and p11 <= ratio * (1 - p00) + delta
        and 1 - p11 <= ratio * p00 + delta
        and 1 - p00 <= ratio * p11 + delta
    )


def _variance(design: Design, prevalence: Number | None) -> Fraction:
    if prevalence is None:
        return worst_variance(design, YES)
    return unit_variance(design, shares_of(design, prevalence), YES)


def super_binary(
    sensitive: Sequence[str], plain: Sequence[str], cover: Mapping[str, Number] | None = None
) -> Design:
    """Mangat's design for many answers: sensitive ones are sent as they are, others cover them.

    Anyone whose answer is plain sends the sensitive answer j with probability r_j (its cover), and
    keeps the answer with probability 1 - Σ r_j. Without a cover every answer has r_j = 1/m; with
    one plain answer that is H16, Definition 6.3. A zero cell is left beside a non-zero one: no ε
    is finite, and two sensitive answers have δ = 1.

    >>> super_binary(["a", "b"], ["none"]).rows[0]
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    if not sensitive or not plain:
        raise BadMatrix("expected at least one sensitive and one plain answer.")
    names = (*plain, *sensitive)
    each = Fraction(1, len(sensitive) + 1)
    shares = [each if cover is None else probability(cover.get(name, 0)) for name in sensitive]
    keep = 1 - sum(shares, Fraction(0))
    if keep <= 0:
        raise BadMatrix(
            f"the cover adds up to {float(sum(shares)):g}; it must leave something of the truth."
        )
    zero = Fraction(0)
    rows: list[tuple[Fraction, ...]] = [
        (*(keep if x == z else zero for z in plain), *shares) for x in plain
    ]
    rows += [tuple(Fraction(x == z) for z in names) for x in sensitive]
    return Design("super-binary mangat", names, names, tuple(rows), tuple(sensitive), _HOW)


def best_super_binary(
    sensitive: Mapping[str, Number], plain: Mapping[str, Number], violation: Number
) -> Design:
    """The best randomization if P(j | response j) may be at most `violation` for sensitive j.

    The maps give the expected share of each answer. Every sensitive answer has the smallest
    variance that any Mangat design with that protection gives it (H16 leaves that open).

    With cover r_j for sensitive j and keep = 1 - Σ r_j, the same for all plain answers of total
    share ν, n Var = π_j (1 - π_j) + ν r_j + ν r_j²/keep: it grows in every r and falls in keep.
    P(j | response j) <= α asks r_j >= π_j (1 - α)/(α ν), so equality everywhere is best for every
    sensitive answer at once. Different rows for different plain answers are no better: r²/keep is
    convex in (r, keep). Shuffling plain answers among themselves only adds noise.

    >>> found = best_super_binary({"a": "0.1", "b": "0.2"}, {"none": "0.7"}, "1/2")
    >>> [str(p) for p in found.rows[0]]
    ['4/7', '1/7', '2/7']
    """
    alpha = probability(violation, "a degree of privacy violation")
    exact = {name: probability(share, "a share") for name, share in sensitive.items()}
    rest = sum((probability(share, "a share") for share in plain.values()), Fraction(0))
    if sum(exact.values()) + rest != 1 or rest == 0:
        raise BadMatrix("the shares of all answers must add up to 1, with some plain ones.")
    if alpha == 0:
        raise Infeasible("no design that learns anything has a privacy violation of 0.")
    cover = {name: share * (1 - alpha) / (alpha * rest) for name, share in exact.items()}
    if sum(cover.values()) >= 1:
        asked, least = told_apart(alpha, 1 - rest, 6)
        raise Infeasible(
            f"a privacy violation of {asked} cannot be reached: the others are too few "
            f"to cover the sensitive answers; it must be above {least}."
        )
    return super_binary(tuple(exact), tuple(plain), cover)
