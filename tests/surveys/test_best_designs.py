"""The best designs of a survey: private, estimable, within their stated gap of the bound."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.surveys import (
    aim_of,
    best_binary,
    best_design,
    design_at,
    designs_at,
    estimate_answers,
    prove,
    unit_variance,
)
from tightrope.utility import Tally

SIX = ("never", "rarely", "monthly", "weekly", "often", "daily")


def variance(rows, W, prior):
    """That of the best unbiased estimates, by weighted least squares in doubles."""
    P, p = np.array([[float(x) for x in row] for row in rows]), np.array(prior, dtype=float)
    J = (P / (p @ P)) @ P.T
    return float(np.trace(W @ np.linalg.solve(J, W.T)) - ((W @ p) ** 2).sum())


@pytest.mark.parametrize(("aim", "W"), [
    ("shares", np.eye(6)),
    ("cumulative", np.tril(np.ones((5, 6)))),
    ("mean", np.arange(6.0)[None]),
    ([1, 0, 0, 0, 0, -1], np.array([[1.0, 0, 0, 0, 0, -1]])),
])
def test_the_stated_variance_is_that_of_the_design_and_every_share_can_be_told(aim, W):
    made = best_design(SIX, 1, aim=aim)
    assert len(made.design.responses) <= 12
    assert variance(made.design.rows, W, [1 / 6] * 6) == pytest.approx(float(made.value), rel=1e-6)
    assert made.bound <= made.value
    assert prove(made.design, Level.of(1)).certificate.holds
    (k_ary,) = designs_at(Level.of(1), answers=SIX)
    assert made.value <= variance(k_ary.rows, W, [1 / 6] * 6) * (1 + 1e-9)
    assert np.isfinite([float(unit_variance(made.design, (Fraction(1, 6),) * 6, v))
                        for v in range(6)]).all()


def test_of_two_answers_the_best_is_the_best_binary_design():
    made = best_design(["no", "yes"], 1, aim=[0, 1], prior=["0.9", "0.1"])
    best = best_binary(Level.of(1), "0.1")
    assert float(made.value) == pytest.approx(float(best.variance), rel=1e-3)
    assert made.bound <= best.variance


def test_design_at_takes_an_aim_for_the_best_design_only():
    design = design_at(SIX, 1, "best", aim="mean", prevalence=["1/6"] * 6)
    assert design.name == "best for mean"
    assert design_at(("no", "yes"), 1, "best", prevalence="0.1").binary
    with pytest.raises(BadInput, match="best"):
        design_at(SIX, 1, aim="mean")
    with pytest.raises(BadInput, match="all 6 answers"):
        design_at(SIX, 1, "best", aim="mean", prevalence="0.1")


def test_long_answers_are_named_by_their_places():
    made = best_design([f"{word}, as far as I can remember now" for word in SIX], 1, aim="mean")
    assert all(set(name) <= set("123456+") for name in made.design.responses)


def test_responses_are_the_answers_that_send_them_more_often():
    made = best_design(["a", "b", "c", "d"], 1, aim="mean", prior=["0.4", "0.3", "0.2", "0.1"])
    for z, name in enumerate(made.design.responses):
        column = [row[z] for row in made.design.rows]
        sending = {answer for answer, p in zip(made.design.answers, column, strict=True)
                   if p > 2 * min(column)}
        assert sending == set(name.split(" / "))


def test_estimates_of_simulated_answers_scatter_as_stated():
    made = best_design(SIX, 1, aim="mean")
    random, people = np.random.default_rng(9), 4000
    rows = np.array([[float(p) for p in row] for row in made.design.rows])
    means = []
    for _ in range(300):
        counts = random.multinomial(people, np.full(6, 1 / 6) @ rows)
        shares = estimate_answers(made.design, Tally.of(counts.tolist())).shares.rows
        means.append(sum(place * row.estimate for place, row in enumerate(shares)))
    spread = np.std(means) * people**0.5
    assert np.mean(means) == pytest.approx(2.5, abs=5 * float(made.value / people) ** 0.5 / 17)
    assert spread**2 == pytest.approx(float(made.value), rel=0.42)  # 5 deviations of 300


def test_what_cannot_be_designed_is_refused():
    with pytest.raises(BadInput, match="δ"):
        best_design(SIX, Level.epsilon(1, delta="0.1"))
    with pytest.raises(BadInput, match="2 to 16"):
        best_design([str(x) for x in range(17)], 1)
    with pytest.raises(BadInput, match="all 6 answers"):
        best_design(SIX, 1, prior=["0.1", "0.9"])
    with pytest.raises(BadInput, match="responses"):
        best_design(SIX, 1, outputs=61)
    assert aim_of("1,0,-1/2") == (1, 0, Fraction(-1, 2))
    with pytest.raises(BadInput):
        best_design(SIX, 1, aim="median")


@pytest.mark.parametrize(("answers", "epsilon"), [(4, "1.132698"), (4, 2), (5, 1)])
def test_no_response_is_listed_that_nobody_sends(answers, epsilon):
    """Where a solver leaves sets with shares of 10^-8, the design is as good without them."""
    made = best_design([f"a{i}" for i in range(answers)], epsilon, aim="mean")
    assert min(max(column) for column in zip(*made.design.rows, strict=True)) > Fraction(1, 100)
    assert made.gap < 1e-6
