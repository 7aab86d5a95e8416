"""Estimates of several randomized columns at once, and of the pairs of values of two."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tightrope import estimate
from tightrope.errors import BadInput, BadTable, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import MatrixMechanism, SubsetMechanism
from tightrope.spaces import categories
from tightrope.tables import cross_table, estimate_columns, randomized_columns, sanitize
from tightrope.utility import estimate_joint

SURE = Level.ratio(10**30)
PEOPLE = {"drug": ["a", "b", "a", "a", "c"], "vote": ["no", "no", "yes", "no", "yes"]}
DECLARED = {"drug": "a/b/c", "vote": "no/yes"}
JOINT = {("a", "no"): 0.4, ("a", "yes"): 0.2, ("b", "no"): 0.2, ("b", "yes"): 0.0,
         ("c", "no"): 0.0, ("c", "yes"): 0.2}


def shares(found):
    return {row.value: round(row.estimate, 9) for row in found.rows}


@pytest.fixture
def written(tmp_path):
    file = tmp_path / "out.csv"
    return sanitize(pd.DataFrame(PEOPLE), DECLARED, SURE, output=file)


def test_all_randomized_columns_are_found_beside_the_table(written):
    found = estimate_columns(written.file)
    assert found.columns == ("drug", "vote")
    assert shares(found["drug"]) == {"a": 0.6, "b": 0.2, "c": 0.2}
    assert shares(found["vote"]) == {"no": 0.6, "yes": 0.4}
    assert shares(estimate(written.file, "vote")) == {"no": 0.6, "yes": 0.4}
    assert [one["column"] for one in found.facts().json["columns"]] == ["drug", "vote"]
    with pytest.raises(BadInput, match="name one of the columns drug, vote"):
        estimate(written.file)
    with pytest.raises(BadInput, match="'age' was not estimated"):
        found["age"]


def test_what_sanitize_returned_is_enough():
    done = sanitize(pd.DataFrame(PEOPLE), DECLARED, SURE)
    assert shares(estimate_columns(done)["drug"]) == {"a": 0.6, "b": 0.2, "c": 0.2}
    assert shares(estimate(done, "vote")) == {"no": 0.6, "yes": 0.4}
    assert shares(estimate_columns(done.table, ["vote"], done.columns)["vote"])["no"] == 0.6
    assert shares(cross_table(done, ["drug", "vote"])) == JOINT
    assert shares(cross_table(done.table, ["drug", "vote"], done.columns)) == JOINT
    assert cross_table(done, ["drug", "vote"]).missing == "a (drug), no (vote)"


@pytest.mark.parametrize("protocol", ["subset", "unary"])
def test_a_joint_table_of_reports_of_sets(protocol):
    made = np.random.default_rng(1)
    drug, vote = made.choice(6, 4000), made.choice(5, 4000)
    done = sanitize({"drug": drug, "vote": vote}, {"drug": range(6), "vote": range(5)}, 16,
                    protocol=protocol)
    found = cross_table(done, ["drug", "vote"], confidence=0.999999)
    counts = np.zeros((6, 5))
    np.add.at(counts, (drug, vote), 1 / 4000)
    assert [row.value for row in found.rows][:2] == [("0", "0"), ("0", "1")]
    assert all(row.low <= truth <= row.high and row.error < 0.05
               for row, truth in zip(found.rows, counts.ravel(), strict=True))


def test_a_joint_estimate_solves_the_equations_of_both_columns():
    first = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    second = SubsetMechanism(categories(3), 2, Fraction(3))
    law = np.array([[0.3, 0.1, 0.1], [0.2, 0.25, 0.05]])
    held, added = float(second.held), float(second.added)
    seen = np.where(np.eye(3, dtype=bool), held, added)
    through = law @ np.hstack([seen, np.ones((3, 1))])
    counts = first.weights.floats.T @ through * 7_000_000
    found = estimate_joint(counts.round().astype(int), 7_000_000, first, second)
    assert [row.estimate for row in found.rows] == pytest.approx(law.ravel().tolist(), abs=1e-6)


@pytest.mark.parametrize("sampling", [False, True])
@pytest.mark.parametrize("interval", ["score", "normal", "chebyshev"])
def test_intervals_of_pairs_hold_as_often_as_promised(sampling, interval):
    made, n, times = np.random.default_rng(7), 400, 120
    first = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    second = MatrixMechanism.of([[".8", ".1", ".1"], [".1", ".8", ".1"], [".1", ".1", ".8"]],
                                categories(3))
    law = np.array([0.3, 0.15, 0.05, 0.1, 0.0, 0.4])
    P = np.kron([[.75, .25], [.25, .75]], np.full((3, 3), .1) + .7 * np.eye(3)).cumsum(axis=1)
    codes, held = made.choice(6, n, p=law), 0
    for _ in range(times):
        if sampling:
            codes = made.choice(6, n, p=law)
        truth = law if sampling else np.bincount(codes, minlength=6) / n
        seen = (made.random(n)[:, None] > P[codes]).sum(axis=1)
        counts = np.bincount(seen, minlength=6).reshape(2, 3)
        found = estimate_joint(counts, n, first, second, confidence=0.9, sampling=sampling,
                               interval=interval)
        held += sum(row.low <= t <= row.high for row, t in zip(found.rows, truth, strict=True))
    # 720 intervals: were only 83 % of them right, fewer than 1 in a million runs would pass
    assert held >= 0.885 * 6 * times if interval != "normal" else held >= 0.86 * 6 * times
    assert held <= 6 * times if interval == "chebyshev" else held <= 0.97 * 6 * times


def test_a_joint_table_of_three_columns_counts_every_row(tmp_path):
    made = np.random.default_rng(3)
    table = {name: made.choice(size, 3000) for name, size in (("a", 2), ("b", 3), ("c", 4))}
    declared = {"a": range(2), "b": range(3), "c": range(4)}
    truth = np.zeros((2, 3, 4))
    np.add.at(truth, tuple(table.values()), 1 / 3000)
    done = sanitize(pd.DataFrame(table), declared, Level.ratio(10**90), output=tmp_path / "o.csv")
    joint = cross_table(done.file)
    assert [row.value for row in joint.rows][:2] == [("0", "0", "0"), ("0", "0", "1")]
    assert [row.estimate for row in joint.rows] == pytest.approx(truth.ravel().tolist(), abs=1e-9)
    reported = sanitize(table, declared, 18, protocol="unary")
    wide = cross_table(reported, ["a", "b", "c"], confidence=0.999999)
    assert all(row.low <= share <= row.high and row.error < 0.06
               for row, share in zip(wide.rows, truth.ravel(), strict=True))
    assert randomized_columns(done.file) == ("a", "b", "c")


def test_a_joint_estimate_of_three_coins_has_the_variance_of_all_outcomes():
    """The variance of each share against all 2^3 outcomes of a row, with the product inverted."""
    coins = [[[0.75, 0.25], [0.25, 0.75]], [[0.9, 0.1], [0.2, 0.8]], [[0.6, 0.4], [0.3, 0.7]]]
    law = np.array([0.1, 0.2, 0.05, 0.15, 0.1, 0.1, 0.1, 0.2])
    P = np.kron(np.kron(coins[0], coins[1]), coins[2])
    B, n = np.linalg.inv(P), 500_000
    counts = (law @ P * n).round().astype(int)
    joint = estimate_joint(counts.reshape(2, 2, 2), int(counts.sum()), *(
        MatrixMechanism.of([[str(p) for p in row] for row in coin], categories(2))
        for coin in coins), sampling=True)
    moment = law @ (P @ B**2) - law**2
    assert [row.estimate for row in joint.rows] == pytest.approx(law.tolist(), abs=1e-4)
    assert [row.error for row in joint.rows] == pytest.approx(
        np.sqrt(moment / n).tolist(), rel=1e-3)


def test_chebyshev_takes_the_largest_moment_of_all_other_combinations():
    coins = [[[0.9, 0.1], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]]
    for first, second in (coins, coins[::-1]):
        P = np.kron(first, second)
        S = P @ np.linalg.inv(P) ** 2
        others = np.where(np.eye(4, dtype=bool), 0, S).max(axis=0)
        share = np.linspace(0, 1, 20_001)[:, None]  # of the value, the rest on the worst other
        worst = (share * S.diagonal() + (1 - share) * others - share**2).max(axis=0)
        spread = np.sqrt(worst / 10**6 / 0.1)
        counts = np.full((2, 2), 250_000)
        joint = estimate_joint(counts, 10**6, *(
            MatrixMechanism.of([[str(p) for p in row] for row in coin], categories(2))
            for coin in (first, second)), confidence=0.9, interval="chebyshev",
            sampling=True)
        assert [row.high - row.estimate for row in joint.rows] == pytest.approx(spread.tolist())


def test_natural_mistakes_have_one_sentence(written, tmp_path):
    with pytest.raises(BadInput, match="needs at least two columns, found 1"):
        cross_table(written, ["drug"])
    with pytest.raises(BadInput, match="'drug' is named twice"):
        cross_table(written, ["drug", "drug"])
    with pytest.raises(BadInput, match=r"expected a list of columns, as in \['drug'\]"):
        estimate_columns(written, "drug")
    with pytest.raises(BadInput, match="named twice"):
        estimate_columns(written, ["drug", "drug"])
    with pytest.raises(BadInput, match=r"out.csv.age.mechanism.json is not there"):
        estimate(written.file, "age")
    with pytest.raises(BadInput, match="name what column 'vote' went through"):
        estimate_columns(pd.DataFrame(PEOPLE), ["vote"])
    (tmp_path / "clear.csv").write_text("a,b\n1,2\n")
    with pytest.raises(BadInput, match="no column is known to be randomized"):
        estimate_columns(tmp_path / "clear.csv")
    sets = sanitize({"likes": ["x|y"], "vote": ["no"]}, {"likes": "sets:x/y", "vote": "no/yes"}, 9)
    with pytest.raises(BadInput, match="holds sets"):
        cross_table(sets, ["likes", "vote"])
    coin = MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]], categories(2))
    with pytest.raises(BadTable, match="expected 2 by 2 counts"):
        estimate_joint(np.array([1, 2]), 3, coin, coin)
    with pytest.raises(TooLarge):
        estimate_joint(np.array([1]), 1, SubsetMechanism(categories(200), 2, Fraction(2)),
                       SubsetMechanism(categories(200), 2, Fraction(2)))


def test_two_columns_whose_documents_have_one_name_are_told_apart_by_hand(tmp_path):
    file = tmp_path / "out.csv"
    done = sanitize({"new job?": ["no", "yes"], "other": ["1", "2"]}, {"new job?": "no/yes"}, SURE,
                    output=file)
    file.write_text(f"new job!,{file.read_text().replace(chr(10), chr(10) + '1,').rstrip('1,')}")
    with pytest.raises(BadInput, match="may belong to several columns"):
        estimate_columns(file)
    assert shares(estimate(file, "new job?")) == {"no": 0.5, "yes": 0.5}
    assert done.columns[0].document.name == "out.csv.new_job_.mechanism.json"
