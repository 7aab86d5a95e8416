"""What plans and differences state holds: shares drawn from the exact laws of the designs."""

from fractions import Fraction
from itertools import product
from math import comb, erf

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom, multinomial

from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys.planning import power_at
from tightrope.surveys.sizes import Margin
from tightrope.utility import Tally, exact_inverse

FOUR = ("never", "once", "sometimes", "often")
SEED = 13
RUNS = 20_000
CHANCE = 1e-6
"""Of calling a stated confidence wrong where it is right."""


def errors(design, law, n, seed=SEED):
    """Unbiased estimates less the true shares, a row for each of many surveys of n people."""
    P = np.array([[float(p) for p in row] for row in design.rows])
    B = np.array([[float(b) for b in row] for row in exact_inverse(design.rows)])
    shares = np.array([float(share) for share in law])
    counts = np.random.default_rng(seed).multinomial(n, shares @ P, size=RUNS)
    return counts / n @ B - shares


def holds(kept, stated):
    return binom.cdf(int(kept.sum()), RUNS, stated) > CHANCE


PLANNED = [
    ({"epsilon": 1, "answers": FOUR}, ("0.6", "0.2", "0.15", "0.05")),
    ({"epsilon": 1, "answers": FOUR}, ("0.25", "0.25", "0.25", "0.25")),
    ({"epsilon": 2, "answers": FOUR}, ("0.97", "0.01", "0.01", "0.01")),
    ({"epsilon": 1, "answers": ("a", "b", "c")}, ("0.1", "0.1", "0.8")),
    ({"violation": "0.5", "answers": ("none", "some", "much")}, ("0.7", "0.2", "0.1")),
    ({"epsilon": 1, "answers": tuple("abcdefgh")}, ("0.3", *["0.1"] * 7)),
]


@pytest.mark.parametrize(("asked", "law"), PLANNED)
@pytest.mark.parametrize("bound", ["normal", "chebyshev"])
def test_every_stated_margin_holds_by_itself_and_all_hold_at_once_where_said(asked, law, bound):
    margin, stated = 0.05, 0.95
    shares = [Fraction(share) for share in law]
    plan = sv.plan_survey(**asked, prevalence=law, margin=margin, confidence=stated, bound=bound)
    for row in plan.rows:
        near = np.abs(errors(row.design, shares, row.plan.respondents)) <= margin + 1e-12
        for kept in near.T:
            assert holds(kept, stated)
        at_once = np.abs(errors(row.design, shares, row.plan.together)) <= margin + 1e-12
        assert holds(at_once.all(axis=1), stated)
        if bound == "normal" and len(set(law)) == 1:  # all margins at their limit: not at once
            assert not holds(near.all(axis=1), stated)


def test_a_plan_is_for_the_answer_that_needs_most_or_for_the_named_one():
    """Each response of k-ary at e counts for two values; its number has a binomial law."""
    law = ("0.6", "0.2", "0.15", "0.05")
    sizes = {}
    for name in (None, *FOUR):
        (row,) = sv.plan_survey(1, answers=FOUR, prevalence=law, answer=name).rows
        sizes[name] = row.plan.respondents
        assert row.plan.least
        assert {quantity.name for quantity in row.plan.planned} == set(FOUR if not name else [name])
    assert sizes[None] == max(sizes[name] for name in FOUR) == sizes["never"]
    e = np.e
    p, q = e / (e + 3), 1 / (e + 3)
    for name, share in zip(FOUR, map(float, law), strict=True):
        chance, half = share * p + (1 - share) * q, 0.05 * (p - q)  # of this response

        def reached(n, chance=chance, half=half):
            low, high = np.ceil(n * (chance - half)), np.floor(n * (chance + half))
            return binom.cdf(high, n, chance) - binom.cdf(low - 1, n, chance)

        n = np.arange(1, 8001)  # Chebyshev: 20 Var/0.05² is at most 2.2 times the normal size
        assert 1.96**2 * chance * (1 - chance) / half**2 * 2 < 8000
        assert sizes[name] == n[reached(n) < 0.95][-1] + 1
    with pytest.raises(BadInput, match="one of the answers"):
        sv.plan_survey(1, answers=FOUR, answer="always")


def test_without_a_prevalence_the_worst_of_all_answers_counts():
    design = sv.super_binary({"a": "1/4", "b": "3/4"}, ["none"])
    worst = [sv.worst_variance(design, v) for v in range(3)]
    assert len(set(worst)) > 1
    sizes = [sv.plan_margin(design, 0.05, answer=name).respondents for name in design.answers]
    assert sv.plan_margin(design, 0.05).respondents == max(sizes) > min(sizes)
    compared = sv.compare_at_violation("0.5", ("0.7", "0.2", "0.1"), answers=("n", "s", "m"))
    for row in compared:
        shares = sv.shares_of(row.design, ("0.7", "0.2", "0.1"))
        assert row.variance == max(sv.unit_variance(row.design, shares, v) for v in range(3))


def test_a_difference_is_planned_for_every_answer_that_differs():
    first, second = ("0.5", "0.3", "0.2"), ("0.4", "0.35", "0.25")
    design = sv.k_ary("abc", 3)
    plan = sv.plan_difference(design, first, second)
    each = [sv.plan_difference(design, first, second, answer=name) for name in "abc"]
    assert plan.per_group == max(one.per_group for one in each)
    assert plan.per_group > each[0].per_group  # b and c differ by half as much
    assert power_at(plan, plan.per_group) == pytest.approx(0.8, abs=0.001)
    same = ("0.5", "0.2", "0.3")
    assert sv.plan_difference(design, first, same).per_group > 0
    with pytest.raises(BadInput, match="same share"):
        sv.plan_difference(design, first, same, answer="a")


def binary_intervals(design, n, m):
    """The ends of the 95 % intervals for all pairs of counts."""
    groups = [[sv.estimate_answers(design, Tally.of([size - x, x])) for x in range(size + 1)]
              for size in (n, m)]
    pairs = [[sv.difference(a, b, 1) for b in groups[1]] for a in groups[0]]
    assert all(pair.exact for row in pairs for pair in row)
    return np.array([[(pair.low, pair.high) for pair in row] for row in pairs])


def binary_coverage(design, ends, a, b):
    """P(interval holds b - a), summed over all pairs of counts by the binomial laws."""
    n, m = ends.shape[0] - 1, ends.shape[1] - 1
    chances = [float((1 - s) * design.rows[0][1] + s * design.rows[1][1]) for s in (a, b)]
    first, second = (binom.pmf(np.arange(size + 1), size, q)
                     for size, q in zip((n, m), chances, strict=True))
    gap = float(b - a)
    within = (ends[..., 0] - 1e-12 <= gap) & (gap <= ends[..., 1] + 1e-12)
    return first @ within @ second


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 7), (5, 5), (5, 40), (12, 12), (29, 5)])
@pytest.mark.parametrize("design", [sv.warner("3/4"), sv.warner("0.9"), sv.mangat("1/2")],
                         ids=["warner", "strong", "mangat"])
def test_a_difference_of_few_answers_holds_at_its_confidence_by_the_binomial_law(design, n, m):
    ends = binary_intervals(design, n, m)
    shares = [Fraction(k, 10) for k in range(11)]
    for a, b in product(shares, shares):
        assert binary_coverage(design, ends, a, b) >= 0.95


def test_a_normal_interval_would_not_hold_at_five_answers():
    """So the test above can fail: there the normal interval holds in nine of ten surveys."""
    design, n, share = sv.warner("3/4"), 5, Fraction(1, 2)
    law = binom.pmf(np.arange(n + 1), n, 0.5)
    rows = [sv.estimate_answers(design, Tally.of([n - x, x])).shares.rows[1] for x in range(n + 1)]
    total = 0.0
    for (x, a), (y, b) in product(enumerate(rows), enumerate(rows)):
        spread = 1.959964 * np.hypot(a.error, b.error)
        if abs(b.estimate - a.estimate) <= spread:
            total += law[x] * law[y]
    assert total < 0.91
    assert binary_coverage(design, binary_intervals(design, n, n), share, share) >= 0.95


@pytest.mark.parametrize("design", [sv.k_ary("abc", 3), sv.kuk("1/4", "3/4", 2),
                                    sv.super_binary({"a": "1/4", "b": "3/4"}, ["none"])])
def test_a_difference_of_few_answers_holds_for_more_responses(design):
    """Over all tables of five answers in each group, by the multinomial law."""
    n, size = 5, len(design.responses)
    tables = [t for t in product(range(n + 1), repeat=size) if sum(t) == n]
    groups = [sv.estimate_answers(design, Tally.of(list(t))) for t in tables]
    P = np.array([[float(p) for p in row] for row in design.rows])
    ends = [[[(pair.low, pair.high) for pair in (sv.difference(a, b, v) for b in groups)]
             for a in groups] for v in range(len(design.answers))]
    even = np.full(len(design.answers), 1 / len(design.answers))
    last = np.eye(len(design.answers))[-1]
    for first, second in [(even, even), (even, last), (last, last)]:
        laws = [multinomial.pmf(tables, n, law @ P) for law in (first, second)]
        for v in range(len(design.answers)):
            gap, total = second[v] - first[v], 0.0
            for i, j in product(range(len(tables)), repeat=2):
                low, high = ends[v][i][j]
                total += laws[0][i] * laws[1][j] * (low - 1e-12 <= gap <= high + 1e-12)
            assert total >= 0.95


def test_the_p_value_of_few_answers_is_where_the_interval_leaves_zero_out():
    design = sv.warner("9/10")
    groups = [Tally.of([12, 0]), Tally.of([2, 10])]
    first, second = (sv.estimate_answers(design, tally) for tally in groups)
    seen = sv.difference(first, second, 1)
    assert seen.exact
    assert seen.p_value < 0.05
    assert seen.low > 0
    for confidence in (1 - seen.p_value - 1e-6, 1 - seen.p_value + 1e-6):
        again = [sv.estimate_answers(design, tally, confidence=confidence) for tally in groups]
        low = sv.difference(*again, 1).low
        assert (low > 0) == (confidence < 1 - seen.p_value)
    assert sv.difference(first, first, 1).p_value == pytest.approx(1, abs=1e-8)


def test_a_difference_of_few_weighted_answers_is_wide_and_not_called_exact():
    design = sv.warner("3/4")
    plain = sv.estimate_answers(design, Tally.of([3, 3]))
    weighted = sv.estimate_answers(design, Tally.weighted([0, 1, 1], [1.0, 2.0, 1.0], 2))
    seen = sv.difference(plain, weighted, 1)
    assert not seen.exact  # how weights vary is known by an approximation
    assert seen.low < seen.difference < seen.high
    same = Tally.weighted([0, 1, 1], [1.0, 1.0, 1.0], 2)
    assert sv.difference(plain, sv.estimate_answers(design, same), 1).exact


def test_the_constants_of_a_size_that_is_enough():
    """Hoeffding: ln(2/0.001)/(2 0.3²) = 42.2. Berry and Esseen: the first that their bound has."""
    half = Fraction(1, 2)
    assert Margin(half, Fraction(3, 10), Fraction(999, 1000)).enough == 43
    wide = Margin(half, Fraction(1, 100), Fraction(9, 10))

    def bound(n):
        return erf(0.02 * n**0.5 / 2**0.5) - 2 * 0.4748 / n**0.5

    assert bound(wide.enough) >= 0.9 > bound(wide.enough - 1)


@pytest.mark.parametrize(("design", "tally", "surprise"), [
    (sv.warner("3/4"), Tally.of([0, 10]), 0.75**10),
    (sv.warner("3/4"), Tally.of([10, 0]), 0.75**10),
    (sv.k_ary(("never", "once", "often"), 3), Tally.of([20, 0, 0]), 0.6**20),
    (sv.k_ary(("never", "once", "often"), 3), Tally((1.0, 0.0, 0.0), 40, 20.0), 0.6**20),
], ids=str)
def test_responses_beyond_all_shares_are_as_surprising_as_worked_out(design, tally, surprise):
    """P(X >= 10) for Bin(10, 3/4); of three responses e^(-G²/2), χ² of two degrees of freedom."""
    assert sv.estimate_answers(design, tally).surprise == pytest.approx(surprise, rel=1e-5)


NEARLY_DIRECT = sv.Design(
    "nearly direct", ("a", "b", "c"), ("a", "b", "c"),
    tuple(tuple(map(Fraction, row.split())) for row in (
        "9/10 1/10 0", "1/20 9/10 1/20", "0 1/10 9/10")), ("c",))


@pytest.mark.parametrize(("design", "first", "second"), [
    (sv.warner("3/4"), (15, 14), (14, 15)), (NEARLY_DIRECT, (12, 10, 7), (14, 8, 7)),
], ids=["two responses", "three values"])
def test_an_exact_difference_is_put_together_from_binomial_tails(design, first, second):
    """Each group fails with 1 - √0.95, shared by its chances, half of it at each end."""
    B = np.linalg.inv([[float(p) for p in row] for row in design.rows])[:, 0]
    order = np.argsort(B)
    steps, missed = np.diff(B[order]), (1 - 0.95**0.5) / (len(B) - 1) / 2

    def ends(counts):
        above = np.cumsum(np.array(counts)[order][::-1])[::-1][1:]  # of the larger values
        low = [brentq(lambda p, k=k: binom.sf(k - 1, 29, p) - missed, 0, 1) for k in above]
        high = [brentq(lambda p, k=k: binom.cdf(k, 29, p) - missed, 0, 1) for k in above]
        return B.min() + steps @ low, B.min() + steps @ high

    (a, b), (c, d) = ends(first), ends(second)
    assert 0 < min(a, c) < max(b, d) < 1  # nothing is cut
    groups = [sv.estimate_answers(design, Tally.of(counts)) for counts in (first, second)]
    seen = sv.difference(*groups, 0)
    assert (seen.low, seen.high) == pytest.approx((c - b, d - a), abs=1e-9)


@pytest.mark.parametrize("chance", ["1/3", "1/2", "7/100"])
def test_doubles_decide_no_size_whose_chance_is_a_hair_below_the_confidence(chance):
    """The chance of each size in fractions; a thousandth of the rest above it, doubles decide."""
    q, half = Fraction(chance), Fraction(1, 10)
    for n in range(30, 130, 3):
        plain = Margin(q, half, Fraction(1, 2))
        low, high = plain.ends(n)
        reached = sum(comb(n, k) * q**k * (1 - q) ** (n - k)
                      for k in range(max(low, 0), min(high, n) + 1))
        above, below = (reached + (1 - reached) * hair for hair in (
            Fraction(1, 10**18), Fraction(-1, 1000)))
        assert not Margin(q, half, above)._surely(np.array([n])).any()
        assert not Margin(q, half, above).holds(n)
        assert Margin(q, half, below)._surely(np.array([n])).all()
