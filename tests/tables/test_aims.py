"""Means and cumulative shares: designs for them, their estimates, and margins from them."""

import json
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tightrope import receipt
from tightrope.constructions import best_randomizer, design_report, randomized_response
from tightrope.documents import digest_of, review
from tightrope.errors import BadInput, BadTable
from tightrope.exact import Level
from tightrope.files import read_document
from tightrope.mechanisms import MatrixMechanism, SubsetMechanism, UnaryMechanism, finite
from tightrope.plots import queries_figure
from tightrope.spaces import categories
from tightrope.tables import (
    cross_table,
    estimate_aim,
    estimate_aims,
    estimate_column,
    estimate_columns,
    plan_sanitizing,
    protect,
    sanitize,
)
from tightrope.tables.plans import margin, queries_of
from tightrope.tables.scores import scores_of
from tightrope.utility import Query, estimate_queries, worst_deviation

MECHANISMS = {
    "response": randomized_response("categories:4", 1).mechanism,
    "subset": SubsetMechanism(categories(4), 2, Fraction(3)),
    "subset of one": SubsetMechanism(categories(4), 1, Fraction(3)),
    "unary": UnaryMechanism(categories(4), Fraction(1, 2), Fraction(1, 5)),
    "design": design_report("categories:4", 1, "mean").certified.mechanism,
}
WEIGHTS = (0.0, 1.0, 2.5, -1.0)


def rows_of(mechanism):
    """All outputs as what is counted of them (of reports, the values held), and their law."""
    if isinstance(mechanism, SubsetMechanism | UnaryMechanism):
        written = mechanism.matrix()
        held = np.array([[int(point in report) for point in mechanism.space.points]
                         for report in written.outputs])
        return held, written.weights.floats
    listed = finite(mechanism)
    law = np.array([[float(p) for p in listed.row_at(x)] for x in range(4)])
    return np.eye(law.shape[1], dtype=int), law


@pytest.mark.parametrize("name", MECHANISMS)
@pytest.mark.parametrize("sampling", [False, True])
def test_estimates_and_errors_are_those_of_all_outputs(name, sampling):
    mechanism, query = MECHANISMS[name], Query("q", WEIGHTS)
    held, law = rows_of(mechanism)
    each = np.array([estimate_queries(row, 1, mechanism, [query]).rows[0].estimate
                     for row in held])
    assert law @ each == pytest.approx(WEIGHTS, abs=1e-9)  # right on average for every value
    noise = law @ each**2 - np.array(WEIGHTS) ** 2
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    counts = (shares @ law * 10**7).round().astype(int)
    n = int(counts.sum())
    seen = counts @ held
    row = estimate_queries(seen, n, mechanism, [query], sampling=sampling).rows[0]
    spread = shares @ np.array(WEIGHTS) ** 2 - (shares @ WEIGHTS) ** 2 if sampling else 0
    assert row.estimate == pytest.approx(shares @ WEIGHTS, abs=1e-5)
    assert row.error == pytest.approx(((shares @ noise + spread) / n) ** 0.5, rel=1e-3)
    worst = max((law_of @ noise + (law_of @ np.array(WEIGHTS) ** 2 - (law_of @ WEIGHTS) ** 2
                                   if sampling else 0)) for law_of in laws())
    found = worst_deviation(mechanism, query, sampling=sampling) ** 2
    assert worst <= found * (1 + 1e-9)
    assert found <= worst * 1.01


def laws(steps=12):
    return [np.array(parts) / steps for parts in product(range(steps + 1), repeat=4)
            if sum(parts) == steps]


@pytest.mark.parametrize("sampling", [False, True])
def test_score_ends_are_where_the_largest_variance_ends(sampling):
    """The ends against a scan of θ, each with the worst shares that have it, by a program."""
    from scipy.optimize import linprog

    mechanism, query, n = MECHANISMS["response"], Query("q", WEIGHTS), 60
    held, law = rows_of(mechanism)
    each = np.array([estimate_queries(row, 1, mechanism, [query]).rows[0].estimate
                     for row in held])
    weights = np.array(WEIGHTS)
    noise = law @ each**2 - weights**2 + (weights**2 if sampling else 0)
    step = each.max() - each.min()
    for counts in ([20, 20, 10, 10], [60, 0, 0, 0], [0, 0, 60, 0], [0, 1, 0, 59]):
        row = estimate_queries(counts, n, mechanism, [query], sampling=sampling).rows[0]
        kept = []
        for theta in np.linspace(-1, 2.5, 701):
            top = -linprog(-noise, A_eq=[np.ones(4), weights], b_eq=[1, theta]).fun
            room = (top - (theta**2 if sampling else 0)) / n * 1.959963984540054**2
            if max(abs(row.estimate - theta) - step / (2 * n), 0) ** 2 <= room:
                kept.append(theta)
        if kept:
            assert row.low == pytest.approx(min(kept), abs=0.0051)
            assert row.high == pytest.approx(max(kept), abs=0.0051)
        else:
            assert row.low == row.high == min(max(row.estimate, -1), 2.5)


@pytest.mark.parametrize("aim", ["shares", "mean", "cumulative"])
def test_a_design_is_drawn_estimated_and_never_worse_than_a_protocol(aim, tmp_path):
    made = np.random.default_rng(8)
    values = made.choice(5, 6000, p=[0.1, 0.3, 0.3, 0.2, 0.1]) + 1
    done = sanitize({"x": values}, {"x": "1/2/3/4/5"}, 1, aim=aim, output=tmp_path / "o.csv")
    found = estimate_aim(done.file, "x", aim, confidence=1 - 1e-9)
    truths = {"shares": np.bincount(values, minlength=6)[1:] / 6000,
              "cumulative": np.bincount(values, minlength=6)[1:].cumsum()[:4] / 6000,
              "mean": [values.mean()]}[aim]
    assert len(found.rows) == len(truths)
    assert all(row.low <= truth <= row.high for row, truth in zip(found.rows, truths, strict=True))
    own, other = (protect({"x": "1/2/3/4/5"}, 1, **how)[0].response.mechanism
                  for how in ({"aim": aim}, {"protocol": "response"}))
    queries = queries_of(done.columns[0].aim, ["1", "2", "3", "4", "5"])
    uniform = np.full(5, 1 / 5)
    total = [sum(variance(base, query, uniform) for query in queries) for base in (own, other)]
    assert total[0] <= total[1] * (1 + 1e-9)
    assert done.columns[0].protocol == "best-randomizer"
    best = best_randomizer("categories:5", 1, workload=aim if aim != "mean" else [1, 2, 3, 4, 5])
    assert done.columns[0].response.mechanism.weights == best.certified.mechanism.weights


def variance(mechanism, query, law):
    written = np.array([[float(p) for p in finite(mechanism).row_at(x)] for x in range(5)])
    rates = written.sum(axis=0)
    lifted = written / rates
    inverse = np.linalg.solve(written @ lifted.T, lifted).T
    return law @ written @ (inverse @ np.array(query.weights)) ** 2


def test_a_design_can_be_estimated_as_shares_too():
    done = sanitize({"x": ["a", "b|", "c"] * 40}, {"x": ["a", "b|", "c"]}, 3, aim="mean")
    assert set(map(str, done.table["x"])) <= {"1", "1|2", "2", "2|3", "3", "1|3"}
    shares = estimate_column(done, "x")
    assert [row.value for row in shares.rows] == ["a", "b|", "c"]
    (column,) = protect({"x": "a/b/c"}, Level.ratio(10**30), aim="mean")
    rows = [column.response.mechanism.row_at(x) for x in range(3)]
    assert min(max(map(float, row)) for row in rows) > 1 - 1e-7  # nearly nobody is changed


@pytest.mark.parametrize("points", [("[0, 10)", "[10, 25]"), ("3", "-1.5"), ("a", "2"), (1, 7)])
def test_scores_are_numbers_middles_or_places(points):
    expected = {("[0, 10)", "[10, 25]"): [5, Fraction(35, 2)], ("3", "-1.5"): [3, Fraction(-3, 2)],
                ("a", "2"): [1, 2], (1, 7): [1, 7]}
    assert scores_of(points) == expected[points]


def test_margins_hold_at_the_worst_shares_and_need_no_row():
    for declared, rows in (({"x": "a/b"}, 400), ({"x": "sets2:a/b/c/d"}, 900),
                           ({"x": "sets:a/b"}, 900), ({"x": "1/2/3"}, 500)):
        for column in protect(declared, 1):
            assert margin(column, rows) == pytest.approx(margin(column, 4 * rows) * 2)
    (coin,) = protect({"x": "a/b"}, "ln(3)")
    assert margin(coin, 300) == pytest.approx(1.959964 * (0.75 / 300) ** 0.5, rel=1e-5)
    assert plan_sanitizing(None, {"x": "a/b"}, 1).margins == ()
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(BadInput, match="whole number of rows"):
            plan_sanitizing(None, {"x": "a/b"}, 1, rows=wrong)


def test_what_has_no_mean_is_refused_in_one_sentence():
    done = sanitize({"x": ["a"], "s": ["a|b"], "m": ["1"]},
                    {"x": "a/b", "s": "sets:a/b", "m": "1/2/(missing)"}, 9)
    with pytest.raises(BadInput, match="items have no order"):
        estimate_aim(done, "s")
    with pytest.raises(BadInput, match="no place in the order"):
        estimate_aim(done, "m")
    with pytest.raises(BadInput, match="a score for each of 2 values"):
        estimate_aim(done, "x", scores=[1])
    with pytest.raises(BadInput, match="scores are for the aim mean"):
        estimate_aim(done, "x", "cumulative", scores=[1, 2])
    with pytest.raises(BadInput, match="no exact interval"):
        estimate_aim(done, "x", interval="exact")
    with pytest.raises(BadTable, match="expected 2 counts"):
        estimate_queries([1], 1, MatrixMechanism.of([["3/4", "1/4"], ["1/4", "3/4"]],
                                                    categories(2)), [Query("q", (0, 1))])
    for declared, how, said in (
        ("sets:a/b", {"aim": "mean"}, "items of sets have no mean"),
        ("a/b/(missing)", {"aim": "mean"}, "missing cells count as a declared value"),
        ("/".join(map(str, range(17))), {"aim": "cumulative"}, "up to 16 values, found 17"),
        ("a/b", {"aim": "mean", "protocol": "unary"}, "leave out the protocol unary"),
        ("a/b", {"aim": "median"}, "there is no aim 'median'"),
    ):
        with pytest.raises(BadInput, match=said):
            protect({"x": declared}, 1, **how)


def test_the_document_of_a_column_proves_that_nothing_is_better_for_its_aim(tmp_path):
    done = sanitize({"x": [1, 2, 3] * 20, "y": ["a", "b", "a"] * 20},
                    {"x": "1/2/3", "y": "a/b"}, 2, aim={"x": "mean"}, output=tmp_path / "o.csv")
    place = done.columns[0].document
    seen = review(read_document(place))
    assert seen.optimal
    assert seen.optimality.gap < 1e-6
    assert receipt.main([str(place)]) == 0
    content = json.loads(place.read_text())
    content["optimality"]["bound"] = (2 * float.fromhex(content["optimality"]["bound"])).hex()
    content["digest"] = digest_of(content)
    place.write_text(json.dumps(content))
    assert not review(read_document(place)).holds
    assert receipt.main([str(place)]) == 1
    assert review(read_document(done.columns[1].document)).optimality is None


def test_several_columns_have_their_means_in_one_call():
    done = sanitize({"x": [1, 2, 3] * 20, "y": ["a", "b", "a"] * 20}, {"x": "1/2/3", "y": "a/b"}, 9)
    both = estimate_aims(done, scores={"y": [0, 6]})
    assert both.columns == ("x", "y")
    assert both["x"].rows == estimate_aim(done, "x").rows
    assert both["y"].rows == estimate_aim(done, "y", scores=[0, 6]).rows
    assert both.facts().json["columns"][1]["scores"] == {"a": 0.0, "b": 6.0}
    assert estimate_aims(done, ["y"], "cumulative").columns == ("y",)
    with pytest.raises(BadInput, match="scores are given for 'z'"):
        estimate_aims(done, scores={"z": [1]})


def test_a_picture_of_a_mean_spans_its_scores_and_one_of_shares_percent():
    done = sanitize({"x": [1, 2, 3] * 50}, {"x": "1/2/3"}, 9)
    mean = queries_figure(estimate_aim(done, scores=[2, 4, 7]), "x").axes[0]
    assert mean.get_xlim() == (2, 7)
    cumulative = queries_figure(estimate_aim(done, aim="cumulative"), "x").axes[0]
    assert [label.get_text() for label in cumulative.get_yticklabels()] == ["up to 1", "up to 2"]
    assert "percent" in cumulative.get_xlabel()


@pytest.mark.parametrize(("call", "works"), [
    (lambda: sanitize({"c": [0]}, c="0/1"), r'columns={"answer": "no/yes"}'),
    (lambda: sanitize({"c": [0]}, "c", dry_run=True), "plan_sanitizing"),
    (lambda: sanitize({"c": [0]}, "c", eps=1, values="0/1"), "epsilon=1"),
    (lambda: protect(c="0/1"), r'columns={"answer": "no/yes"}'),
    (lambda: plan_sanitizing({"c": [0]}, assume_rows=3), "rows=300"),
    (lambda: estimate_column({"c": [0]}, "c", aim="mean"), "estimate_aim"),
    (lambda: estimate_column({"c": [0]}, columns=["c"]), "estimate_columns"),
    (lambda: estimate_columns({"c": [0]}, column="c"), "columns="),
    (lambda: cross_table({"c": [0]}, mechanism="m.json"), "mechanisms="),
    (lambda: estimate_aim({"c": [0]}, columns=["c"]), "estimate_aims"),
    (lambda: estimate_aims({"c": [0]}, column="c"), "columns="),
])
def test_a_natural_spelling_is_refused_with_the_one_that_works(call, works):
    with pytest.raises(BadInput, match="has no option") as refused:
        call()
    assert works in str(refused.value)
    assert str(refused.value).count(".\n") == 0


def test_the_spellings_that_are_named_work():
    table = {"answer": ["no", "yes"] * 9, "a": [0, 1] * 9, "b": [1, 0] * 9}
    assert plan_sanitizing(table, {"answer": "no/yes"}, 1, rows=300).margins
    done = sanitize(table, {"answer": "no/yes", "a": "0/1", "b": "0/1"}, 9, weights=[1, 2, 1])
    assert estimate_columns(done, ["a", "b"]).columns == ("a", "b")
    assert cross_table(done, ["a", "b"]).rows
    assert estimate_aim(done, "a", "mean").rows
