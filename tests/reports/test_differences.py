"""Differences of two releases: their width against the law of both noises, and refusals."""

from fractions import Fraction

import pytest

from tests.reports.stage import FORM, ROWS, ask, open_table
from tightrope.declarations import Declaration
from tightrope.errors import BadInput
from tightrope.files import document_bytes
from tightrope.releases import Question, difference, plan_release, read_release
from tightrope.releases.cuts import mean_interval
from tightrope.releases.differences import obstacle


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return open_table(tmp_path_factory.mktemp("books"))


def laplace_sum_width(ratio, terms, confidence):
    """Least w with P(|sum of geometric noises| <= w) >= confidence, by convolution."""
    reach = 400
    one = [Fraction(ratio - 1, ratio + 1) / ratio ** abs(k) for k in range(-reach, reach + 1)]
    law = [float(p) for p in one]
    total = law
    for _ in range(terms - 1):
        size = len(total) + len(law) - 1
        made = [0.0] * size
        for i, p in enumerate(total):
            if p > 1e-18:
                for j, q in enumerate(law):
                    made[i + j] += p * q
        total = made
    middle = len(total) // 2
    inside, width = total[middle], 0
    while inside < confidence:
        width += 1
        inside += total[middle - width] + total[middle + width]
    return width


def test_two_noises_of_one_law_have_the_width_of_their_sum(table):
    first, second = (table.ask("count by sex", ratio=2) for _ in range(2))
    made = difference(first, second)
    wide = laplace_sum_width(2, 2, 0.95)
    for answer, old, new in zip(made.answers, first.answers, second.answers, strict=True):
        assert answer.value == new.value - old.value
        assert (answer.low, answer.high) == (answer.value - wide, answer.value + wide)


def test_margins_have_the_width_of_all_their_noises(table):
    first, second = (table.ask("histogram of sex and drug", ratio=2) for _ in range(2))
    made = difference(first, second)
    terms = [1] * 6 + [3] * 2 + [2] * 3 + [6]
    widths = {k: laplace_sum_width(2, 2 * k, 0.95) for k in {*terms}}
    assert [answer.high - answer.value for answer in made.answers] == [widths[k] for k in terms]


def test_other_laws_share_what_may_be_missed(table):
    first, second = table.ask("count", ratio=2), table.ask("count", ratio=3)
    (answer,) = difference(first, second).answers
    wide = laplace_sum_width(2, 1, 0.975) + laplace_sum_width(3, 1, 0.975)
    assert answer.high - answer.value == wide


def test_means_are_subtracted_with_both_intervals(table):
    first, second = ask(table, "mean of age", "mean of age")
    (answer,) = difference(first, second).answers
    assert answer.low <= 0 <= answer.high
    assert answer.low <= answer.value <= answer.high


def people(folder, question, budget):
    """Books of 400 people with two rows each, one in each ward, of which one row counts."""
    form = {"dataset": "clinic", "unit": {"person": "who"}, "columns": {
        "ward": {"type": "category", "values": ["a", "b"]},
        "age": {"type": "number", "low": 0, "high": 100, "resolution": 1}}}
    rows = {"who": [n // 2 for n in range(800)], "ward": ["a", "b"] * 400, "age": [0, 100] * 400}
    table = open_table(folder, form, rows, budget)
    return [table.ask(question, 60) for _ in range(2)]


def test_rows_that_are_drawn_anew_are_no_change(tmp_path):
    """Nothing changed but which rows of 400 count: intervals of the noise alone were ±0."""
    values = []
    for k in range(8):
        (folder := tmp_path / str(k)).mkdir()
        made = difference(*people(folder, "count by ward", "b"))
        assert made.over_draws
        assert [(answer.low <= 0 <= answer.high, made.note(answer)) for answer in made.answers] == [
            (True, "may be no change")] * 2
        assert "for the mean over all draws of kept rows." in made._repr_html_()
        values += [answer.value for answer in made.answers]
    # one draw in 2^400 keeps no row of a ward; two draws are equal in 3 of 100 pairs
    assert any(values)


def test_the_ends_of_a_change_of_kept_rows_are_those_of_both_means(tmp_path):
    first, second = people(tmp_path, "count by ward", "b")
    for answer, old, new in zip(difference(first, second).answers, first.answers, second.answers,
                                strict=True):
        # half of 0.05 is left to each release, half of that to each draw, a quarter to each end
        (low, high), (least, most) = (mean_interval(each.value, each.value, Fraction(1, 160))
                                      for each in (old, new))
        assert (answer.low, answer.high) == (least - high, most - low)


@pytest.mark.parametrize("question", ["mean of age", "sum of age by ward",
                                      "proportion of age >= 50"])
def test_other_statistics_of_kept_rows_have_no_difference(tmp_path, question):
    with pytest.raises(BadInput, match="each release draws which rows of people it keeps"):
        difference(*people(tmp_path, question, "b"))


def test_what_no_draw_changes_has_the_difference_of_the_noises(tmp_path):
    """One row of each person counts in all, whichever it is."""
    made = difference(*people(tmp_path, "count", "b"))
    assert not made.over_draws
    assert [(answer.value, answer.low, answer.high) for answer in made.answers] == [(0, 0, 0)]


def test_whoever_is_in_both_is_protected_at_the_sum(table):
    made = difference(table.ask("count", ratio=2), table.ask("count", ratio=3))
    assert float(made.together) == pytest.approx(1.791759469)  # ln 6
    assert "protected at ε = ln(6)" in repr(made)


def test_published_releases_have_the_same_difference(table, tmp_path):
    years = ask(table, "count by sex", "count by sex", level="0.5")
    files = []
    for k, year in enumerate(years):
        files.append(tmp_path / f"{k}.json")
        files[-1].write_bytes(document_bytes(year, files[-1]))
    assert difference(*map(read_release, files)).answers == difference(*years).answers


def changed(**fields):
    return {**FORM, **fields}


@pytest.mark.parametrize(("form", "question", "reason"), [
    (FORM, "count by drug", "one asks 'count by sex', the other 'count by drug'"),
    (changed(unit={"person": "who"}), "count by sex", "one protects each row"),
    (changed(columns={**FORM["columns"], "sex": {"type": "category", "values": ["f", "m", "x"]}}),
     "count by sex", "the column 'sex' is declared otherwise"),
])
def test_what_is_not_the_same_question_is_refused(table, tmp_path, form, question, reason):
    first = table.ask("count by sex", 1)
    other = open_table(tmp_path, form, {**ROWS, "who": [*range(8)]}).ask(question, 1)
    with pytest.raises(BadInput, match="there is no difference of these two releases: ") as said:
        difference(first, other)
    assert reason in str(said.value)


@pytest.mark.parametrize("unit", [
    {"person": "who", "rows": 3, "cells": 1}, {"person": "who", "rows": 2, "cells": 2},
    {"person": "id", "rows": 3, "cells": 2},
    {"person": "who", "rows": 3, "cells": 2, "neighbors": "replace", "size": 9}])
def test_people_who_are_kept_or_protected_otherwise_have_no_difference(unit):
    plans = [plan_release("count by sex", Declaration.of(changed(unit=each)), 1)
             for each in ({"person": "who", "rows": 3, "cells": 2}, unit)]
    assert obstacle(*plans).startswith("one protects")
    assert obstacle(plans[1], plans[1]) is None


def test_another_dataset_with_the_same_columns_is_another_year(table, tmp_path):
    other = open_table(tmp_path, changed(dataset="clinic 2027")).ask("count by sex", 1)
    assert len(difference(table.ask("count by sex", 1), other).answers) == 2


def test_one_release_twice_medians_and_unbooked_answers_are_refused(table):
    (once,) = ask(table, "count")
    with pytest.raises(BadInput, match="both are one release"):
        difference(once, once)
    with pytest.raises(BadInput, match="its answers have no interval in their own values"):
        difference(*ask(table, "median of age", "median of age"))
    with pytest.raises(BadInput, match="different confidences"):
        difference(table.ask("count", 1), table.ask("count", 1, confidence="0.9"))
    from tightrope.releases import count

    with pytest.raises(BadInput, match="releases that were booked"):
        difference(once, count(ROWS, epsilon=1))


def test_a_withheld_mean_has_no_value_but_an_interval(table):
    releases = ask(table, "mean of age by sex, drug", "mean of age by sex, drug", level="0.001")
    made = difference(*releases)
    assert any(answer.value is None for answer in made.answers)
    assert all(answer.low is not None for answer in made.answers)


def test_how_counts_were_adjusted_changes_no_difference(table):
    plain = table.ask("count by sex", 1)
    adjusted = table.ask(Question.read("count by sex", adjusted=True), 1)
    assert difference(plain, adjusted).answers[0].adjusted is None
