"""Designs side by side at equal protection: the same level, or the same privacy violation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import AnswerIsNo, BadInput, BadMatrix, Infeasible
from tightrope.exact import Level, Number, told_apart
from tightrope.surveys.designs import (
    Design,
    answer_list,
    crosswise,
    forced_response,
    k_ary,
    kuk,
    mangat,
    probability,
    unrelated_question,
    warner,
)
from tightrope.surveys.optimum import best_super_binary, ratio_of, vertices
from tightrope.surveys.protection import privacy_violation
from tightrope.surveys.variance import all_shares, shares_of, unit_variance, worst_variance

Prevalence = Number | Sequence[Number]

DEFAULT_PREVALENCE = Fraction(1, 6)
"""Of the unrelated question, if none is named: about that of a birthday in two given months."""


@dataclass(frozen=True)
class Compared:
    """A design, its variance for one respondent (the largest over its answers), and its
    efficiency beside the best.

    Efficiency e means that the best design needs only the share e of the respondents.
    """

    design: Design
    variance: Fraction
    efficiency: Fraction
    violation: Fraction | None


def designs_at(
    level: Level, *, unrelated: Number = DEFAULT_PREVALENCE, answers: Sequence[str] = ("no", "yes")
) -> tuple[Design, ...]:
    """Every design of the catalog, tuned to a level; for more than two answers, k-ary alone.

    Mangat's design and (1, δ) appear if δ > 0; with δ = 0 a zero cell has no finite ε.
    """
    if len(answers) > 2:
        return (k_ary(answers, ratio_with_delta(ratio_of(level), level.delta, len(answers))),)
    r, delta = ratio_of(level), level.delta
    p = (r + delta) / (r + 1)
    designs = [
        *vertices(r, delta),
        forced_response(2 * p - 1),
        _unrelated_design(
           r, delta, probability(unrelated, "the prevalence of the unrelated question")),
        crosswise(p),
    ]
    if delta == 0:
        root = ratio_of(level.pure.scaled(Fraction(1, 2)))
        designs += [kuk(1 - p, p), kuk(1 / (1 + root), root / (1 + root), 2)]
    return tuple(design.asking(answers) for design in designs)


def designs_at_violation(
    violation: Number,
    prevalence: Number | Sequence[Number],
    *,
    unrelated: Number = DEFAULT_PREVALENCE,
    answers: Sequence[str] = ("no", "yes"),
) -> tuple[Design, ...]:
    """Every design that can be tuned to a degree of privacy violation α.

    All answers but the first are sensitive; `prevalence` is the share of the second of two,
    or those of all answers.

    Two answers: α asks (1 - p00)/p11 = c with c = π(1 - α)/(α(1 - π)). So Warner's p is
    1/(1 + c), Mangat's 1 - c, and the chance of the truth before an unrelated question of
    prevalence q is q(1 - c)/(c + q(1 - c)). More answers: k-ary with r = α(1 - s)/(s(1 - α)),
    s the largest sensitive share, and Mangat's super-binary design with its best cover.
    """
    names = answer_list(answers)
    alpha, shares = probability(violation, "a degree of violation"), all_shares(prevalence)
    if len(shares) != len(names) or sum(shares) != 1:
        raise BadMatrix(f"expected {len(names)} shares that add up to 1, found {len(shares)}.")
    largest = max(shares[1:])
    if not 0 < largest < alpha:
        asked, known = told_apart(alpha, largest, 6)
        raise Infeasible(
            f"a privacy violation of {asked} is not above the prevalence "
            f"{known}; knowing the prevalence alone violates that much."
            if largest else "an answer that nobody gives needs no protection."
        )
    c = largest * (1 - alpha) / (alpha * (1 - largest))
    if len(names) == 2:
        q = probability(unrelated, "the prevalence of the unrelated question")
        p = 1 / (1 + c)
        truth = [share * (1 - c) / (c + share * (1 - c)) for share in (Fraction(1, 2), q)]
        designs = (warner(p), mangat(1 - c), forced_response(truth[0]),
                   unrelated_question(truth[1], q), crosswise(p), kuk(1 - p, p))
        return tuple(design.asking(names) for design in designs)
    if alpha == 1:
        raise Infeasible("a privacy violation of 1 is no protection: ask directly.")
    sensitive = dict(zip(names, shares, strict=True))
    plain = {names[0]: sensitive.pop(names[0])}
    return (k_ary(names, 1 / c).asking(names, names[1:]),
            best_super_binary(sensitive, plain, alpha))


def compare_at_violation(
    violation: Number,
    prevalence: Number | Sequence[Number],
    *,
    unrelated: Number = DEFAULT_PREVALENCE,
    answers: Sequence[str] = ("no", "yes"),
) -> tuple[Compared, ...]:
    """Designs at the same degree of privacy violation (H16, Section 6.4), the best first.

    Mangat's is never less efficient than Warner's (Theorem 6.5), but private at no finite ε.

    >>> rows = compare_at_violation("1/2", "1/5")
    >>> rows[0].design.name, rows[-1].design.name, round(float(rows[-1].efficiency), 2)
    ('mangat', 'unrelated question', 0.32)
    """
    designs = designs_at_violation(violation, prevalence, unrelated=unrelated, answers=answers)
    return _rank(designs, prevalence)


def _rank(
    designs: Sequence[Design], prevalence: Number | Sequence[Number] | None
) -> tuple[Compared, ...]:
    candidates: list[tuple[Design, Fraction, Fraction | None]] = []
    for design in designs:
        places = range(len(design.answers))
        if prevalence is None:
            candidates.append((design, max(worst_variance(design, v) for v in places), None))
            continue
        shares = shares_of(design, prevalence)
        variance = max(unit_variance(design, shares, v) for v in places)
        candidates.append((design, variance, privacy_violation(design, shares)))
    best = min(variance for _, variance, _ in candidates)
    rows = [Compared(d, v, best / v if v else Fraction(1), a) for d, v, a in candidates]
    return tuple(sorted(rows, key=lambda row: row.variance))


def shares_text(shares: Prevalence) -> str:
    """Shares as they were given, with commas."""
    if isinstance(shares, Sequence) and not isinstance(shares, str):
        return ",".join(map(str, shares))
    return str(shares)


def designs_asked(
    level: Level | None,
    violation: Number | None,
    prevalence: Prevalence | None,
    names: tuple[str, ...],
    own: Design | None,
) -> tuple[Design, ...]:
    """The designs to compare: at a level, at a degree of violation, or one's own alone."""
    brought = () if own is None else (own,)
    if prevalence is not None and len(names) > 2 and "," not in shares_text(prevalence):
        raise BadInput(
            f"expected the shares of all {len(names)} answers with commas, found {prevalence!r}."
        )
    if violation is None:
        if level is None and own is None:
            raise BadInput("a level is missing: give an epsilon, such as 1, or a violation, "
                           "such as 0.3.")
        return brought if level is None else (*designs_at(level, answers=names), *brought)
    if level is not None or prevalence is None:
        raise BadInput("a violation is instead of a level, and needs the prevalence.")
    designs = designs_at_violation(violation, prevalence, answers=names)
    most = privacy_violation(designs[0], shares_of(designs[0], prevalence))
    for design in brought:
        given = privacy_violation(design, shares_of(design, prevalence))
        if given > most:
            found_text, allowed = told_apart(given, most, 4)
            raise AnswerIsNo(
                f"the matrix has a privacy violation of {found_text}, more than {allowed}."
            )
    return (*designs, *brought)


def ratio_with_delta(ratio: Fraction, delta: Fraction, answers: int) -> Fraction:
    """The ratio of the k-ary design with level (ε, δ): p = (r + δ(k - 1))/(r + k - 1)."""
    p = (ratio + delta * (answers - 1)) / (ratio + answers - 1)
    if p == 1:
        raise Infeasible("δ = 1 is no protection: ask directly.")
    return p * (answers - 1) / (1 - p)


def largest_truth(ratio: Fraction, delta: Fraction, prevalences: Sequence[Fraction]) -> Fraction:
    """The largest chance t of the sensitive question beside an unrelated one, at a level.

    t + (1 - t) q <= r (1 - t) q + δ for every prevalence q and for 1 - q.

    >>> largest_truth(Fraction(3), Fraction(0), [Fraction(1, 2)])
    Fraction(1, 2)
    """
    chances = []
    for q in (*prevalences, *(1 - known for known in prevalences)):
        # t (1 - q + r q) <= (r - 1) q + δ
        chances.append(((ratio - 1) * q + delta) / (1 + (ratio - 1) * q))
    return min(chances)


def _unrelated_design(ratio: Fraction, delta: Fraction, known: Fraction) -> Design:
    return unrelated_question(largest_truth(ratio, delta, [known]), known)
