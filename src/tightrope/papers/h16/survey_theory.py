"""H16, Chapter 6: estimators of randomized response, their variances and their optima."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np

from tightrope.exact import tolerances
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.surveys import (
    best_vertex,
    binary,
    estimate_answers,
    privacy_violation,
    super_binary,
    thesis_corners,
    thesis_g,
    unit_variance,
    worst_variance,
)
from tightrope.utility import Tally, most_likely

F = Fraction
_TWO, _HALF = F(2), F(1, 2)


def _steps(count: int) -> list[Fraction]:
    return [F(k, count) for k in range(1, count)]


def _estimator(
    *, p00: Fraction = F(4, 5), p11: Fraction = F(7, 10), yes: int = 45, people: int = 100
) -> Finding:
    design = binary(p00, p11)
    formula = (p00 - 1) / (p00 + p11 - 1) + F(yes, people) / (p00 + p11 - 1)
    estimate = estimate_answers(design, Tally.of([people - yes, yes])).shares.rows[1].estimate
    likely = float(most_likely([people - yes, yes], design.mechanism).proportions[1])
    near = tolerances.SOLVER_ERROR
    return finding(
        "(6.4) is the maximum likelihood estimate of π",
        f"p00 = {p00}, p11 = {p11}, {yes} of {people} say yes: (6.4) gives {float(formula):.6f}, "
        f"the unbiased estimate {estimate:.6f}, the most likely share {likely:.6f}",
        abs(estimate - float(formula)) < near and abs(likely - float(formula)) < near,
        "the same as long as it lies between 0 and 1.",
    )


def _variance(*, steps: int = 10, sampled: bool = True) -> Finding:
    cases = agree = 0
    for p00, p11, share in product(_steps(steps), repeat=3):
        spread = p00 + p11 - 1
        if not spread:
            continue
        printed = (F(1, 4) - (p00 - _HALF - share * spread) ** 2) / spread**2
        cases += 1
        agree += unit_variance(binary(p00, p11), (1 - share, share), 1, sampling=sampled) == printed
    return finding(
        "n Var = (1/4 - (p00 - 1/2 - π(p00 + p11 - 1))²)/(p00 + p11 - 1)²",
        f"equal exactly in {agree} of {cases} cases",
        agree == cases,
        "the variance of the unbiased estimate, people drawn with replacement.",
    )


def _largest(*, steps: int = 10, least: Fraction = F(0)) -> Finding:
    cases = agree = inside = 0
    for p00, p11 in product(_steps(steps), repeat=2):
        if p00 + p11 == 1 or min(p00, p11) < least:
            continue
        cases += 1
        spread, worst = p00 + p11 - 1, worst_variance(binary(p00, p11), 1)
        share = min(max((2 * p00 - 1) / (2 * spread), F(0)), F(1))  # the nearest prevalence
        agree += worst == 1 / (4 * spread**2)
        inside += worst == (F(1, 4) - (p00 - _HALF - share * spread) ** 2) / spread**2
    return finding(
        "the largest n Var over π is 1/(4(p00 + p11 - 1)²)",
        f"equal in {agree} of {cases} designs with p00, p11 at least {least}; the largest of "
        f"Corollary 6.1 over shares from 0 to 1 in {inside}",
        agree == cases,
        "the printed maximum lies at π = (2p00 - 1)/(2(p00 + p11 - 1)), outside [0, 1] if p00 and "
        "p11 lie on different sides of 1/2.",
        ours=inside == cases,
    )


def _monotone(*, steps: int = 10, least: Fraction = _HALF) -> Finding:
    grid = [p for p in _steps(steps) if p > least]
    share = F(1, 5)
    cases = falls = 0
    for p00, p11 in product(grid, repeat=2):
        if p00 + p11 == 1:
            continue
        here = unit_variance(binary(p00, p11), (1 - share, share), 1)
        for a, b in ((p00 + F(1, 1000), p11), (p00, p11 + F(1, 1000))):
            if a <= 1 >= b and a + b != 1:
                cases += 1
                falls += unit_variance(binary(a, b), (1 - share, share), 1) < here
    return finding(
        "for p00, p11 > 1/2 the variance falls as either grows, so the optimum is on the boundary",
        f"it falls in {falls} of {cases} cases with p00, p11 above {least}, π = {share}",
        falls == cases,
        "steps of 1/1000 from every point of a grid.",
    )


def _boundary(ratio: Fraction, delta: Fraction, t: Fraction) -> tuple[Fraction, Fraction]:
    s = _HALF * (1 - t) + (ratio + delta) / (ratio + 1) * t
    return 1 - (s - delta) / ratio, s


def _ends(
    *,
    ratio: Fraction = _TWO,
    delta: Fraction = F(1, 5),
    share: Fraction = F(1, 10),
    steps: int = 20,
) -> Finding:
    values = [
        unit_variance(binary(*_boundary(ratio, delta, F(k, steps))), (1 - share, share), 1)
        for k in range(steps + 1)
    ]
    best = values.index(min(values))
    return finding(
        "along the boundary the variance is least at an end",
        f"e^ε = {ratio}, δ = {delta}, π = {share}: {float(values[0]):.6f} at t = 0, "
        f"{float(values[-1]):.6f} at t = 1, least at t = {F(best, steps)}",
        best in (0, steps),
        "where it is stationary it has a maximum.",
    )


def _sides(
    *,
    ratio: Fraction = _TWO,
    delta: Fraction = F(1, 5),
    shares: tuple[Fraction, ...] = (F(1, 10), F(2, 5)),
) -> Finding:
    cases = holds = 0
    for share, k in product(shares, range(11)):
        r, s = _boundary(ratio, delta, F(k, 10))
        first, second = (unit_variance(binary(*d), (1 - share, share), 1) for d in ((r, s), (s, r)))
        cases += 1
        holds += first <= second
    return finding(
        "for π <= 1/2 the side (r, s) of the boundary has the smaller variance",
        f"e^ε = {ratio}, δ = {delta}, π = {', '.join(map(str, shares))}: in {holds} of {cases} "
        "cases",
        holds == cases,
        "for π >= 1/2 it is the other side.",
    )


def _pure(*, ratio: Fraction = _TWO, delta: Fraction = F(0), share: Fraction = F(1, 20)) -> Finding:
    vertex = best_vertex(ratio, delta, share)
    best = ratio / (ratio + 1)
    return finding(
        "with δ = 0 the best design is p00 = p11 = e^ε/(e^ε + 1)",
        f"e^ε = {ratio}, δ = {delta}, π = {share}: ({vertex.design.p00}, {vertex.design.p11}) with "
        f"n Var = {float(vertex.variance):.6f}",
        (vertex.design.p00, vertex.design.p11) == (best, best),
        "over all designs, by the vertices of the whole region; with δ > 0 another one can win.",
    )


def _restriction(
    *, ratio: Fraction = F(5, 2), delta: Fraction = F(2, 5), share: Fraction = F(1, 10)
) -> Finding:
    near, far = (
        unit_variance(d, (1 - share, share), 1) for d in thesis_corners(ratio, delta)
    )
    g = thesis_g(ratio, delta)
    best = best_vertex(ratio, delta, share)
    return finding(
        "for δ <= 1/2 and π <= 1/2 the optimum is (r(0), s(0)) if g(ε, δ) > π, else (r(1), s(1))",
        f"e^ε = {ratio}, δ = {delta}, π = {share}: g = {float(g):.6f}, n Var {float(near):.6f} and "
        f"{float(far):.6f}, the smaller as g says: {(near < far) == (g > share)}; over all designs "
        f"{float(best.variance):.6f} at ({best.design.p00}, {best.design.p11})",
        best.variance >= min(near, far),
        "the theorem looks at p00, p11 > 1/2 only, and (r(0), s(0)) has s(0) = 1/2.",
        ours=(near < far) == (g > share) and _is_private(best.design.p00, best.design.p11, ratio,
                                                         delta)
        and best.variance == unit_variance(best.design, (1 - share, share), 1),
    )


def _is_private(p00: Fraction, p11: Fraction, ratio: Fraction, delta: Fraction) -> bool:
    """Whether a design has the level, by both answers and both orders."""
    pairs = ((p00, 1 - p11), (1 - p00, p11))
    return all(a <= ratio * b + delta and b <= ratio * a + delta for a, b in pairs)



def _mirror(
    *,
    ratio: Fraction = F(5, 2),
    delta: Fraction = F(2, 5),
    share: Fraction = F(9, 10),
    mirrored: bool = True,
) -> Finding:
    agree = cases = 0
    for design in thesis_corners(ratio, delta):
        other = binary(design.p11, design.p00) if mirrored else design
        cases += 1
        agree += unit_variance(design, (share, 1 - share), 1) == unit_variance(
            other, (1 - share, share), 1
        )
    values = [float(unit_variance(d, (share, 1 - share), 1)) for d in thesis_corners(ratio, delta)]
    return finding(
        "for π >= 1/2 the optimum is the mirrored one of 1 - π",
        f"e^ε = {ratio}, δ = {delta}, π = {share}: the variances "
        f"{', '.join(f'{v:.6f}' for v in values)} are those of the mirrored designs in {agree} of "
        f"{cases} cases",
        agree == cases,
        "Var(p00, p11 | π) = Var(p11, p00 | 1 - π).",
    )


def _denial(*, steps: int = 10, below: bool = True) -> Finding:
    cases = agree = 0
    for p00, p11, share in product(_steps(steps), repeat=3):
        if (p00 + p11 < 1) != below or p00 + p11 == 1:
            continue
        bayes = (1 - p11) * share / (p00 - share * (p00 + p11 - 1))
        cases += 1
        agree += privacy_violation(binary(p00, p11), (1 - share, share)) == bayes
    return finding(
        "α = P(sensitive | no) if p00 + p11 < 1",
        f"equal exactly in {agree} of {cases} designs and prevalences",
        agree == cases,
        "Bayes' theorem over both responses, in exact arithmetic.",
    )


def _solution(*, counts: tuple[int, ...] = (20, 90, 70, 60)) -> Finding:
    m, n = len(counts), sum(counts)
    design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
    rows = estimate_answers(design, Tally.of(list(counts))).shares.rows
    closed = [F(m * counts[0], n), *(F(c - counts[0], n) for c in counts[1:])]
    exact = [float(share) for share in closed]
    unbiased = [row.estimate for row in rows]
    same = bool(np.allclose(unbiased, exact, rtol=0, atol=tolerances.SOLVER_ERROR))
    likely = most_likely(list(counts), design.mechanism).proportions
    inside = bool(np.allclose(likely, exact, rtol=0, atol=2.0**-20))
    return finding(
        "Π1 = mN1/n and Πj = (Nj - N1)/n solve the likelihood equations",
        f"{', '.join(map(str, counts))} responses: {', '.join(map(str, closed))}; the unbiased "
        f"estimate: {same}, the most likely shares: {inside}",
        same and inside,
        "as long as none of them is negative.",
    )


def _first_share(*, m: int = 4, steps: int = 10, answer: int = 0) -> Finding:
    design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
    agree = 0
    for share in _steps(steps):
        shares = (share, *((1 - share) / (m - 1),) * (m - 1))
        agree += unit_variance(design, shares, answer) == share * (m - share)
    return finding(
        "n Var(Π1) = π1(m - π1)",
        f"m = {m}: equal exactly at {agree} of {steps - 1} values of π1",
        agree == steps - 1,
        "of the harmless answer; the others have another variance (Theorem 6.9).",
    )


def _moments(
    *, m: int = 4, share: Fraction = F(2, 5), own: Fraction = F(1, 5), even: bool = True
) -> Finding:
    design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
    cover = list(design.rows[0]) if even else [F(1, 2), *(_HALF / (m - 1),) * (m - 1)]
    first = share * cover[0]
    second = own + share * cover[1]
    return finding(
        "E[Xj - X1] = πj and E[(Xj - X1)²] = 2π1/m + πj",
        f"m = {m}, π1 = {share}, πj = {own}: {second - first} and {second + first}",
        second - first == own and second + first == 2 * share / m + own,
        "because the harmless answer is spread evenly.",
    )


def _maximum(*, answers: int = 2, answer: int = 0) -> Finding:
    m = answers
    design = super_binary([f"s{j}" for j in range(m - 1)], ["none"])
    largest = worst_variance(design, answer)
    printed = F(m * m, 4) if answer == 0 else (_HALF + F(1, m)) ** 2
    return finding(
        f"the largest n Var is {'m²/4 for Π1' if answer == 0 else '(1/2 + 1/m)² for the others'}",
        f"m = {m}: {largest}, printed {printed}",
        largest == printed,
        "π1 = m/2 is a share only for m = 2; from m = 3 on the maximum m - 1 lies at π1 = 1."
        if answer == 0
        else "attained where the other sensitive answers have no share.",
        ours=answer == 0 and largest == m - 1,
    )


def _most_first(*, answers: int = 4) -> Finding:
    return _maximum(answers=answers, answer=0)


def _most_others(*, answers: int = 4) -> Finding:
    return _maximum(answers=answers, answer=1)


ITEMS = (
    Item("h16", "theorem-6.1", "The estimator", Verdict.CONFIRMED, _estimator,
         varied={"yes": 50}, dropped={"yes": 5}),
    Item("h16", "corollary-6.1", "Its variance", Verdict.CONFIRMED, _variance,
         varied={"steps": 5}, dropped={"steps": 5, "sampled": False}),
    Item("h16", "corollary-6.2", "Its largest variance", Verdict.CORRECTED, _largest,
         varied={"steps": 5}, dropped={"least": _HALF}),
    Item("h16", "lemma-6.1", "The optimum is on the boundary", Verdict.CONFIRMED, _monotone,
         varied={"steps": 6}, dropped={"least": F(0)}),
    Item("h16", "theorem-6.2", "The best design without δ", Verdict.CONFIRMED, _pure,
         varied={"ratio": F(3)}, dropped={"delta": F(1, 5)}),
    Item("h16", "lemma-6.2", "Least at an end of the boundary", Verdict.CONFIRMED, _ends,
         varied={"share": F(1, 5)}),
    Item("h16", "lemma-6.3", "Which side of the boundary", Verdict.CONFIRMED, _sides,
         varied={"shares": (F(1, 10),)}, dropped={"shares": (F(4, 5),)}),
    Item("h16", "theorem-6.3", "The best design with δ", Verdict.CORRECTED, _restriction,
         varied={"share": F(1, 5)}, dropped={"delta": F(0)}),
    Item("h16", "corollary-6.3", "Large prevalences", Verdict.CONFIRMED, _mirror,
         varied={"ratio": F(3)}, dropped={"mirrored": False}),
    Item("h16", "corollary-6.4", "Violation by a no", Verdict.CONFIRMED, _denial,
         varied={"steps": 5}, dropped={"steps": 5, "below": False}),
    Item("h16", "corollary-6.5", "Estimates of many answers", Verdict.CONFIRMED, _solution,
         varied={"counts": (10, 60, 50)}, dropped={"counts": (20, 10, 70)}),
    Item("h16", "theorem-6.8", "The variance of the harmless answer", Verdict.CONFIRMED,
         _first_share, varied={"m": 3}, dropped={"answer": 1}),
    Item("h16", "lemma-6.4", "Moments of many answers", Verdict.CONFIRMED, _moments,
         varied={"share": F(1, 5)}, dropped={"even": False}),
    Item("h16", "corollary-6.6", "The largest variance of the harmless answer",
         Verdict.CORRECTED, _most_first, varied={"answers": 3}, dropped={"answers": 2}),
    Item("h16", "corollary-6.7", "The largest variance of the other answers", Verdict.CONFIRMED,
         _most_others, varied={"answers": 3}),
)
