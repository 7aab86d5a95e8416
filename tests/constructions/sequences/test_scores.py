"""The exponential mechanism of any score, against weights and levels written out here."""

import random
from fractions import Fraction
from itertools import combinations
from math import exp, log

import pytest

import tightrope as tr
from tightrope.constructions import choose_by_score, profile
from tightrope.errors import BadInput, BadMatrix, TooLarge
from tightrope.exact import Level
from tightrope.spaces import matrix, path, query


def random_case(seed):
    rng = random.Random(seed)
    size, outputs = rng.randint(2, 5), rng.randint(2, 4)
    far = [[Fraction(abs(a - b) * (2 if seed % 3 else 1), 2 if seed % 2 else 1)
            for b in range(size)] for a in range(size)]
    scores = [[Fraction(rng.randint(-4, 6), rng.choice((1, 1, 2))) for _ in range(outputs)]
              for _ in range(size)]
    measure = [Fraction(rng.randint(1, 4), rng.choice((1, 3))) for _ in range(outputs)]
    if seed % 4 == 0:
        measure[rng.randrange(outputs)] = Fraction(0)
    return matrix([f"x{k}" for k in range(size)], far), far, scores, measure


def law(scores, measure, rate):
    rows = []
    for line in scores:
        weights = [float(m) * exp(rate * float(q)) for m, q in zip(measure, line, strict=True)]
        rows.append([w / sum(weights) for w in weights])
    return rows


def brute_level(rows, far):
    """The largest ln(p/q)/d over all pairs of inputs and outputs that occur."""
    return max(log(p / q) / far[x][y] for x in range(len(rows)) for y in range(len(rows)) if x != y
               for p, q in zip(rows[x], rows[y], strict=True) if q)


CASES = [(seed, *random_case(seed)) for seed in range(40)]


def differs(scores, measure):
    kept = [[q for q, m in zip(line, measure, strict=True) if m] for line in scores]
    return any(a != b for a, b in combinations(kept, 2))


def test_scores_have_their_sensitivity_and_exactly_the_level_asked():
    tried = bounded = 0
    for _, space, far, scores, measure in CASES:
        if not differs(scores, measure) or sum(map(bool, measure)) < 2:
            continue
        target = log(3)
        made = choose_by_score(space, scores, ratio=3, measure=measure)
        change = max(abs(scores[x][r] - scores[y][r]) / far[x][y] for x in range(len(far))
                     for y in range(x) for r in range(len(measure)) if measure[r])
        assert made.sensitivity == change
        x, y, label = made.steepest
        x, y = int(x[1:]), int(y[1:])
        assert abs(scores[x][label] - scores[y][label]) / far[x][y] == change
        assert made.stated_rate == pytest.approx(target / (2 * change))
        stated = brute_level(law(scores, measure, made.stated_rate), far)
        assert made.stated_level.upper == pytest.approx(stated, abs=1e-11)
        assert stated <= target * (1 + 1e-12)  # the theorem
        rows = [[float(p) for p in made.mechanism.row_at(x)] for x in range(len(far))]
        assert rows == [pytest.approx(row, rel=1e-9) for row in law(scores, measure, made.rate)]
        level = brute_level(rows, far)
        assert level == pytest.approx(made.smallest.upper, rel=1e-12)
        if level < target * (1 - 1e-9):  # levels of this score stay bounded
            assert brute_level(law(scores, measure, made.rate / 2), far) < target
            bounded += 1
            continue
        for factor in (1.001, 1.1, 2, 5):  # a larger rate has a larger level
            assert brute_level(law(scores, measure, made.rate * factor), far) > target
        assert made.certified.certificate.holds
        mean = sum(p * float(q) for row, line in zip(rows, scores, strict=True)
                   for p, q in zip(row, line, strict=True)) / len(rows)
        assert made.scores[0] == pytest.approx(mean)
        tried += 1
    assert tried >= 22
    assert bounded <= tried / 4


def test_a_given_rate_is_judged_on_both_sides_of_its_level():
    """H16, Definition 4.2: (ε, δ) over all subsets of outputs, written out."""
    holds = fails = 0
    for seed in range(120):
        rng = random.Random(seed)
        scores = [[rng.randint(0, 3) for _ in range(3)] for _ in range(3)]
        if len(set(map(tuple, scores))) == 1:
            continue
        rate, ratio, delta = rng.choice(("ln(2)", "ln(3/2)")), rng.choice((2, 3)), Fraction(
            rng.randint(0, 3), 10)
        base = {"ln(2)": Fraction(2), "ln(3/2)": Fraction(3, 2)}[rate]
        rows = [[base**q / sum(base**k for k in line) for q in line] for line in scores]
        subsets = [s for n in range(4) for s in combinations(range(3), n)]
        excess = max(sum(a[r] for r in s) - ratio * sum(b[r] for r in s)
                     for a in rows for b in rows for s in subsets)
        made = choose_by_score("categories:3", scores, Level.ratio(ratio, delta), rate=rate)
        assert [list(made.mechanism.row_at(x)) for x in range(3)] == rows
        assert made.holds == (excess <= delta)
        assert ("smallest level at δ = 0" in repr(made)) == bool(delta)
        assert (made.certified is None) == (excess > delta)
        holds, fails = holds + made.holds, fails + (not made.holds)
    assert min(holds, fails) >= 25


def test_a_function_scores_labels_and_a_base_measure_weighs():
    made = choose_by_score("path:0..1", lambda x, r: 1 if r == f"at{x}" else 0, ratio=4,
                           outputs=["at0", "at1"], measure=[1, 3])
    # weights (q, 3) and (1, 3 q): the larger ratio is (q/(q+3)) / (1/(1+3q)) = 4
    p = made.mechanism.row_at(0)[0] / made.mechanism.row_at(1)[0]
    other = made.mechanism.row_at(1)[1] / made.mechanism.row_at(0)[1]
    assert float(max(p, other)) == pytest.approx(4, rel=1e-12)
    assert made.mechanism.outputs == ("at0", "at1")


@pytest.mark.parametrize(("call", "error"), [
    (lambda: choose_by_score("path:0..1", [[1, 0]], 1), BadMatrix),
    (lambda: choose_by_score("path:0..1", [[1], [0]], 1), BadInput),
    (lambda: choose_by_score("path:0..1", [[1, 0], [1, 0]], 1), BadInput),
    (lambda: choose_by_score("path:0..1", [[1, 0], [0, 1]], Level.epsilon(1, "0.1")), BadInput),
    (lambda: choose_by_score("path:0..1", [[1, 0], [0, "0.00001"]], 1), TooLarge),
    (lambda: choose_by_score("path:0..1", lambda x, r: 0, 1), BadInput),
    (lambda: choose_by_score("path:0..1", [[1, 0], [0, 1]], 1, measure=[-1, 1]), BadInput),
    (lambda: choose_by_score("path:0..1", [[1, 0], [0, 1]], 1, outputs=["a", "a"]), BadInput),
])
def test_scores_that_have_no_meaning_are_refused(call, error):
    with pytest.raises(error):
        call()


def test_a_rate_without_meaning_is_called_a_rate():
    for rate in (0, -1, "ln(1)"):
        with pytest.raises(BadInput, match="expected a rate above 0"):
            choose_by_score("path:0..1", [[1, 0], [0, 1]], 1, rate=rate)


@pytest.mark.parametrize("name", ["inverse-sensitivity", "privacy-first:radius=1", "ladder",
                                  "utility-first"])
def test_the_utility_of_every_dataset_is_that_of_section_3_3(name):
    values = [0, 1, 4, 2, 3]
    f = query(path(0, 4), path(0, 4), lambda x: values[x])
    shown = profile(f, name, ratio_level := Level.ratio(3), within=1)
    solution = tr.design(f.datasets, ratio_level, query=f, construction=name)
    for x in range(5):
        row = solution.mechanism.row_at(x)
        mean = sum(p * abs(r - values[x]) for r, p in enumerate(row))
        near = sum(p for r, p in enumerate(row) if abs(r - values[x]) <= 1)
        assert shown.utility(x) == pytest.approx((float(mean), float(near)))
    assert profile(f, name).utility(0) is None
    for wrong in (lambda: profile(f, None, 1), lambda: profile(f, name, within=1)):
        with pytest.raises(BadInput):
            wrong()
