"""Differences of two releases: their width against the law of both noises, and refusals."""

from fractions import Fraction

import pytest

from tests.reports.stage import FORM, ROWS, ask, open_table
from tightrope.errors import BadInput
from tightrope.releases import Question, difference, read_release, release_bytes


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


def test_whoever_is_in_both_is_protected_at_the_sum(table):
    made = difference(table.ask("count", ratio=2), table.ask("count", ratio=3))
    assert float(made.together) == pytest.approx(1.791759469)  # ln 6
    assert "protected at ε = ln(6)" in repr(made)


def test_published_releases_have_the_same_difference(table, tmp_path):
    years = ask(table, "count by sex", "count by sex", level="0.5")
    files = []
    for k, year in enumerate(years):
        files.append(tmp_path / f"{k}.json")
        files[-1].write_bytes(release_bytes(year, files[-1]))
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


def test_another_dataset_with_the_same_columns_is_another_year(table, tmp_path):
    other = open_table(tmp_path, changed(dataset="clinic 2027")).ask("count by sex", 1)
    assert len(difference(table.ask("count by sex", 1), other).answers) == 2


def test_one_release_twice_medians_and_unbooked_answers_are_refused(table):
    (once,) = ask(table, "count")
    with pytest.raises(BadInput, match="both are one release"):
        difference(once, once)
    with pytest.raises(BadInput, match="a median has no interval in its own values"):
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
