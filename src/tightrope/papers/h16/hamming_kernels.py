"""H16, Chapter 4: the exponential mechanism of a table and the sets that decide its level."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain, combinations, product

from tightrope.constructions import min_loss_given_level, randomized_response
from tightrope.exact import Level, tolerances
from tightrope.mechanisms import KernelMechanism, finite
from tightrope.papers.h16.sufficient_sets import groups
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import exponent_of_error, private_errors, private_exponents, smallest_delta
from tightrope.spaces import categories, parse
from tightrope.theory import largest_error, least_error_apart, sufficient_sets
from tightrope.utility import Prior, binary

F = Fraction
_TWO = F(2)
Law = tuple[Fraction, ...]


def _kernel(space: str, factor: Fraction) -> KernelMechanism:
    where = parse(space)
    return KernelMechanism(where, factor, F(1), (F(1),) * where.size)


def _most(p: Law, q: Law, ratio: Fraction, among: tuple[int, ...]) -> Fraction:
    """The largest P(A) - e^ε P'(A) over the subsets A of these outputs, one by one."""
    subsets = chain.from_iterable(combinations(among, n) for n in range(len(among) + 1))
    return max(sum((p[z] - ratio * q[z] for z in event), F(0)) for event in subsets)


def _pairs(kernel: KernelMechanism) -> list[tuple[int, int]]:
    neighbors = kernel.space.neighbors
    assert neighbors is not None
    pairs = [(int(i), int(j)) for i, j in neighbors.pairs]
    return [*pairs, *((j, i) for i, j in pairs)]


def _sets(
    *,
    space: str = "path:0..2 * path:0..1",
    factor: Fraction = F(3),
    ratio: Fraction = F(3, 2),
    among: str = "likelier",
) -> Finding:
    kernel = _kernel(space, factor)
    everything = tuple(range(kernel.space.size))
    agrees, checks = True, 0
    for i, j in _pairs(kernel):
        p, q = kernel.row_at(i), kernel.row_at(j)
        (pair,) = sufficient_sets(kernel, [(i, j)]).sets
        chosen = tuple(z for z in everything if (z in pair.outputs) == (among == "likelier"))
        agrees &= _most(p, q, ratio, chosen) == _most(p, q, ratio, everything)
        checks += 2 ** len(chosen) - 1
    return finding(
        "(3.6) on all subsets of S, the outputs likelier for d than for d', is (3.6) on all",
        f"{space}, e^k = {factor}, e^ε = {ratio}: {checks} sets tried among those {among} for d; "
        f"the same δ as on all {2 ** len(everything)} for every pair: {agrees}",
        agrees,
        "sums over single sets, exactly.",
    )


def _excesses(ratio: Fraction) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """On the parts S_i of Example 4.4, at most on their subsets, and at most on any set."""
    kernel = groups((2, 2), 2)
    points = list(kernel.space.points)
    i, j = points.index(("A", "Z")), points.index(("A", "B"))
    p, q = kernel.row_at(i), kernel.row_at(j)
    (pair,) = sufficient_sets(kernel, [(i, j)]).sets
    parts = [tuple(part) for part in pair.parts]
    whole = [sum((p[z] - ratio * q[z] for z in part), F(0)) for part in parts]
    subsets = [_most(p, q, ratio, part) for part in parts]
    most = sum((max(F(0), a - ratio * b) for a, b in zip(p, q, strict=True)), F(0))
    return whole, subsets, most


def _parts(*, ratio: Fraction = _TWO, joined: bool = False) -> Finding:
    whole, subsets, union = _excesses(ratio)
    delta = max(*whole, F(0))
    most = max(*subsets, union) if joined else max(subsets)
    return finding(
        "if (3.6) holds on S_i it holds on all subsets of S_i",
        f"the parts of Example 4.4 at e^ε = {ratio} need δ = {float(delta):.6f}; their subsets "
        f"{float(max(subsets)):.6f}, their union {float(union):.6f}",
        most <= delta,
        "about the union it says nothing if δ > 0.",
    )


def _pure(*, ratios: tuple[Fraction, ...] = (F(8), _TWO), delta: Fraction = F(0)) -> Finding:
    shown, agrees = [], True
    for ratio in ratios:
        whole, _, most = _excesses(ratio)
        parts, sets = max(whole) <= delta, most <= delta
        agrees &= parts == sets
        shown.append(f"at e^ε = {ratio} on all parts {parts}, on all sets {sets}, excesses "
                     f"{', '.join(f'{float(w):.6f}' for w in whole)}")
    return finding(
        "with δ = 0, (3.6) on every S_i is (3.6) on all sets",
        f"the parts of Example 4.4, δ = {delta}: {'; '.join(shown)}",
        agrees,
        "excesses of parts add up: with δ = 0 none of them is positive.",
    )


def _normalizer(
    *, values: int = 3, people: int = 3, factor: Fraction = F(3), metric: str = "hamming"
) -> Finding:
    where = f"hamming:values={values},people={people}"
    if metric != "hamming":
        where = f"grid:{'x'.join([str(values)] * people)},metric={metric}"
    kernel = _kernel(where, factor)
    formula = (1 + (values - 1) / factor) ** people
    normalizers = sorted(set(kernel.normalizers))
    return finding(
        "with the Hamming distance every database has the normalizer (1 + (m - 1)/e^k)^n",
        f"m = {values}, n = {people}, e^k = {factor}, metric {metric}: "
        f"{', '.join(map(str, normalizers))}; the formula gives {formula}",
        normalizers == [formula],
        "the sums over all databases, exactly.",
    )


def _single(
    *, values: int = 2, people: int = 2, factor: Fraction = F(3), ratio: Fraction = _TWO
) -> Finding:
    kernel = _kernel(f"hamming:values={values},people={people}", factor)
    everything = tuple(range(kernel.space.size))
    agrees, biggest = True, F(0)
    for i, j in _pairs(kernel):
        p, q = kernel.row_at(i), kernel.row_at(j)
        (pair,) = sufficient_sets(kernel, [(i, j)]).sets
        on_set = sum((p[z] - ratio * q[z] for z in pair.outputs), F(0))
        agrees &= max(on_set, F(0)) == _most(p, q, ratio, everything)
        biggest = max(biggest, on_set)
    return finding(
        "with the Hamming distance (3.6) on S alone decides",
        f"m = {values}, n = {people}, e^k = {factor}, e^ε = {ratio}: P(S) - e^ε P'(S) is at most "
        f"{biggest}, the same as over all {2 ** len(everything)} sets: {agrees}",
        agrees,
        "every output of S has the same ratio e^|k|.",
    )


def delta_of(values: int, factor: Fraction, ratio: Fraction) -> Fraction:
    """The least δ of the discrete exponential mechanism with this e^k, by Theorem 4.3."""
    return smallest_delta(values, 1 / (factor + values - 1), ratio)


def _exponents(
    *,
    values: tuple[int, ...] = (2, 3, 5),
    ratio: Fraction = _TWO,
    delta: Fraction = F(1, 10),
    beyond: Fraction = F(0),
) -> Finding:
    shown, agrees = [], True
    for m in values:
        ends = private_exponents(m, ratio, delta)
        assert ends.high is not None
        low, high = (1 - (m - 1) * delta) / (ratio + delta), (ratio + (m - 1) * delta) / (1 - delta)
        agrees &= (ends.low, ends.high) == (low, high)
        agrees &= all(delta_of(m, e, ratio) == delta for e in (low - beyond, high + beyond))
        shown.append(f"m = {m}: {low} to {high}")
    return finding(
        "private if and only if (1 - (m - 1)δ)/(e^ε + δ) <= e^k <= (e^ε + (m - 1)δ)/(1 - δ)",
        f"e^ε = {ratio}, δ = {delta}: e^k from {'; '.join(shown)}; δ is used up at both ends: "
        f"{agrees}",
        agrees,
        "so that nothing beyond them is private.",
    )


def _equivalent(
    *, values: int = 3, rows: int = 2, error: Fraction = F(1, 5), shift: int = 0
) -> Finding:
    factor = exponent_of_error(values, error) + shift
    kernel = _kernel(f"hamming:values={values},people={rows}", factor)
    truth = 1 - (values - 1) * error
    tables = list(product(range(values), repeat=rows))
    same = 0
    for i, d in enumerate(tables):
        row = kernel.row_at(i)
        for j, e in enumerate(tables):
            apart = sum(a != b for a, b in zip(d, e, strict=True))
            same += row[j] == truth ** (rows - apart) * error**apart
    return finding(
        "row by row with error p is the exponential mechanism with e^k = 1 + 1/p - m",
        f"m = {values}, n = {rows}, p = {error}, e^k = {factor}: equal at {same} of "
        f"{len(tables) ** 2} pairs of tables",
        same == len(tables) ** 2,
        "both probability functions, exactly.",
    )


def _errors(
    *,
    values: tuple[int, ...] = (2, 3, 5),
    ratio: Fraction = _TWO,
    delta: Fraction = F(1, 10),
    beyond: Fraction = F(0),
) -> Finding:
    shown, agrees = [], True
    for m in values:
        ends = private_errors(m, ratio, delta)
        low = (1 - delta) / (ratio + m - 1)
        high = min(F(1, m - 1), (ratio + delta) / (1 + (m - 1) * ratio))
        agrees &= (ends.low, ends.high) == (low, high)
        agrees &= all(smallest_delta(m, p, ratio) == delta for p in (low - beyond, high))
        shown.append(f"m = {m}: {low} to {high}")
    return finding(
        "private if and only if (1 - δ)/(e^ε + m - 1) <= p <= min{1/(m - 1), "
        "(e^ε + δ)/(1 + (m - 1)e^ε)}",
        f"e^ε = {ratio}, δ = {delta}: p from {'; '.join(shown)}; δ is used up at both ends: "
        f"{agrees}",
        agrees,
        "so that nothing beyond them is private.",
    )


def _table_error(
    *, values: int = 3, rows: int = 2, ratio: Fraction = _TWO, delta: Fraction = F(1, 10)
) -> Finding:
    ends = private_errors(values, ratio, delta)
    assert ends.high is not None
    errors = []
    for p in (ends.low, ends.high):
        truth = 1 - (values - 1) * p
        total = F(0)
        for out in product(range(values), repeat=rows):
            apart = sum(z != 0 for z in out)
            total += apart * truth ** (rows - apart) * p**apart
        errors.append(total / rows)
    bounds = [least_error_apart(F(1), values, ratio, delta), largest_error(values, ratio, delta)]
    return finding(
        "(1 - δ)/(1 + e^ε/(m - 1)) <= E/n <= min{1, (e^ε + δ)/(e^ε + 1/(m - 1))}",
        f"m = {values}, n = {rows}, e^ε = {ratio}, δ = {delta}: E/n from {errors[0]} to "
        f"{errors[1]}, over all sanitized tables",
        errors == bounds,
        "both ends of Theorem 4.6 attain the bounds.",
    )


def _optimal(
    *,
    values: int = 4,
    ratio: Fraction = _TWO,
    delta: Fraction = F(0),
    goal: str = "worst",
    prior: tuple[Fraction, ...] = (F(1, 4),) * 4,
) -> Finding:
    space, level = categories(values), Level.ratio(ratio, delta)
    error = 1 - finite(randomized_response(space, level).mechanism).row_at(0)[0]
    asked = (
        min_loss_given_level(space, level, loss=binary, goal=goal)
        if goal == "worst"
        else min_loss_given_level(space, level, loss=binary, prior=Prior(prior))
    )
    assert asked.value is not None
    return finding(
        "p = (1 - δ)/(e^ε + m - 1) has the least max-mean error of all product sanitizations",
        f"m = {values}, e^ε = {ratio}, δ = {delta}: {float(error):.6f}; the best of all mechanisms "
        f"{'in the worst case' if goal == 'worst' else 'for one prior'} {asked.value:.6f}",
        abs(float(error) - asked.value) < tolerances.SOLVER_ERROR,
        "for the mean under some priors another design is better.",
    )


ITEMS = (
    Item("h16", "theorem-4.1", "Sets that decide", Verdict.CONFIRMED, _sets,
         varied={"ratio": F(5, 4), "space": "path:0..2"}, dropped={"among": "others"}),
    Item("h16", "theorem-4.2", "Parts with one ratio", Verdict.CONFIRMED, _parts,
         varied={"ratio": F(3, 2)}, dropped={"joined": True}),
    Item("h16", "corollary-4.1", "Parts decide without δ", Verdict.CONFIRMED, _pure,
         varied={"ratios": (F(9),)}, dropped={"ratios": (_TWO,), "delta": F(9, 20)}),
    Item("h16", "proposition-4.1", "The normalizer of the Hamming distance", Verdict.CONFIRMED,
         _normalizer, varied={"values": 2}, dropped={"metric": "manhattan", "people": 2}),
    Item("h16", "corollary-4.2", "One set decides", Verdict.CONFIRMED, _single,
         varied={"ratio": F(3, 2)}),
    Item("h16", "theorem-4.3", "Private exponents", Verdict.CONFIRMED, _exponents,
         varied={"delta": F(1, 20)}, dropped={"beyond": F(1, 50)}),
    Item("h16", "theorem-4.5", "Row by row, or all at once", Verdict.CONFIRMED, _equivalent,
         varied={"values": 2}, dropped={"shift": 1}),
    Item("h16", "theorem-4.6", "Private errors", Verdict.CONFIRMED, _errors,
         varied={"delta": F(1, 20)}, dropped={"beyond": F(1, 50)}),
    Item("h16", "theorem-4.7", "The range of errors of a table", Verdict.CONFIRMED, _table_error,
         varied={"rows": 1, "values": 4}),
    Item("h16", "theorem-4.8", "Randomized response is optimal", Verdict.CONFIRMED, _optimal,
         varied={"values": 3},
         dropped={"goal": "average", "prior": (F(2, 5), F(2, 5), F(1, 10), F(1, 10))}),
)
