import json
from fractions import Fraction
from math import prod

import pytest

from tightrope.data import Ask, Budget, Ledger, Question, open_books, plan_release
from tightrope.data.ledger import Scope
from tightrope.data.releases.answers import answers
from tightrope.declarations import Declaration
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level

FORM = {
    "dataset": "d",
    "unit": {"person": "who", "rows": 2},
    "columns": {
        "x": {"type": "number", "low": 0, "high": 10, "bins": [0, 5, 10]},
        "c": {"type": "category", "values": ["a", "b"]},
    },
}
ROWS = {"who": [1, 1, 2, 3, 3, 3], "x": [1, 9, 4, 8, 8, 100], "c": ["a", "b", "a", "b", "b", "b"]}


@pytest.fixture
def books(tmp_path):
    declaration = Declaration.of(FORM)
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(declaration), "1000"))
    return open_books(ROWS, declaration, ledger=ledger, budget="now")


def test_at_a_level_that_hides_nothing_answers_are_the_statistic(books):
    """Of three rows of person 3 two count; 100 is clamped to 10, and which two decides a hash."""
    assert books.people(80).value == 3
    assert books.count(80).value == 5
    assert [a.value for a in books.histogram("c", 80).answers] == [2, 3]
    assert books.sum("x", 80, where="c = 'a'").value == 5
    assert books.mean("x", 300, where="c = 'a'").value == Fraction(5, 2)
    crossed = books.cross("c", "x", 80)
    assert [a.cell for a in crossed.answers] == [
        ("a", "[0, 5)"), ("a", "[5, 10]"), ("b", "[0, 5)"), ("b", "[5, 10]")]
    assert [a.value for a in crossed.answers] == [2, 0, 0, 3]


def test_a_release_is_charged_once_and_says_what_is_left(books):
    first = books.count("0.5", request="one")
    again = books.count("0.5", request="one")
    assert again.answers == first.answers
    assert (again.booked.again, again.booked.remaining) == (True, "ε = 999.5")
    with pytest.raises(Refused):
        books.count(1000)
    document = json.loads(json.dumps(first.as_json()))
    assert document["entry"]["question"] == "count"
    assert document["ledger_entry"] == first.booked.entry.number
    assert books._ledger.verify(releases=[document]).holds


def test_the_sum_and_the_count_of_a_mean_share_the_level_that_is_charged(books):
    parts = books.plan(Question(Ask.MEAN, ("x",)), "ln(4)").parts
    assert prod(part.noise.ratio**part.noise.rungs for part in parts) == 4
    assert books.mean("x", 2).booked.remaining == "ε = 998"


def test_without_a_ledger_nothing_is_released():
    with pytest.raises(BadInput, match="charged to a budget"):
        open_books(ROWS, FORM).count(1)


def test_a_budget_of_another_dataset_is_not_charged(tmp_path):
    ledger = Ledger.create(tmp_path / "l.sqlite")
    other = Declaration.of({**FORM, "dataset": "other"})
    ledger.open_budget(Budget("now", Scope.of(other), "1"))
    with pytest.raises(Refused, match="another purpose"):
        open_books(ROWS, FORM, ledger=ledger, budget="now").count("0.1")
    assert ledger.balance("now").charges == 0


HOSTILE = {
    "infinite": {"who": [9], "x": [float("inf")], "c": ["a"]},
    "many": {"who": [9] * 5000, "x": list(range(5000)), "c": ["a", "b"] * 2500},
    "unknown": {"who": [9], "x": ["?"], "c": ["zebra\n\x1b[31m"]},
    "missing": {"who": [None], "x": [None], "c": [None]},
    "nobody": {"who": [], "x": [], "c": []},
    "huge": {"who": [10**400], "x": [10**400], "c": [object()]},
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_row_changes_anything_but_the_drawn_numbers(tmp_path, kind):
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(FORM)), "100"))
    shapes = []
    for rows in (ROWS, {name: [*ROWS[name], *HOSTILE[kind][name]] for name in ROWS},
                 HOSTILE[kind]):
        opened = open_books(rows, FORM, ledger=ledger, budget="now")
        for question in (Question(Ask.COUNT), Question(Ask.HISTOGRAM, ("x",), ("c",)),
                         Question(Ask.SUM, ("x",)), Question(Ask.PEOPLE, by=("c",))):
            found = opened.release(question, "0.5").as_json()
            for private in ("answers", "drawn", "digest", "entry", "head", "ledger_entry",
                            "remaining"):
                found.pop(private)
            shapes.append(found)
    assert shapes[:4] == shapes[4:8] == shapes[8:]


def test_a_plan_is_the_least_error_among_widths():
    """One unit of two rows in two cells: 2 ln q. In one cell, steps of two: ln q."""
    declaration = Declaration.of(FORM)
    spread = plan_release(Question(Ask.HISTOGRAM, ("c",)), declaration, "ln(4)").parts[0].noise
    assert (spread.step, spread.ratio, spread.rungs) == (1, 2, 2)
    alone = plan_release(Question(Ask.COUNT), declaration, "ln(4)").parts[0].noise
    assert (alone.step, alone.ratio, alone.rungs) == (2, 4, 1)


def test_the_level_for_an_accuracy_is_enough_and_not_far_too_much():
    declaration = Declaration.of(FORM)
    from tightrope.data.releases.planning import level_within

    question = Question(Ask.COUNT)
    level = level_within(question, declaration, 10, "0.9")
    (part,) = plan_release(question, declaration, level).parts
    assert part.width(Fraction(9, 10)) <= 10
    less = Level.epsilon(level.rational * Fraction(95, 100))
    assert plan_release(question, declaration, less).parts[0].width(Fraction(9, 10)) > 10


def test_a_mean_of_public_size_is_a_sum_over_it(tmp_path):
    form = {"dataset": "d", "unit": {"neighbors": "replace", "size": 6},
            "columns": {"x": {"type": "number", "low": 0, "high": 10, "missing": 5}}}
    made = plan_release(Question(Ask.MEAN, ("x",)), Declaration.of(form), "1")
    assert len(made.parts) == 1
    assert made.parts[0].part.space.change == 10
    assert made.error == made.parts[0].error / 6
    with pytest.raises(BadInput, match="public"):
        plan_release(Question(Ask.COUNT), Declaration.of(form), "1")


def test_a_mean_whose_count_may_be_0_is_undetermined_and_others_have_both_ends():
    """Sums are of differences from 5, the middle; both intervals hold at once in 95 of 100."""
    made = plan_release(Question(Ask.MEAN, ("x",)), Declaration.of(FORM), "1")
    total, count = made.parts
    far, wide = count.width(Fraction(39, 40)), total.width(Fraction(39, 40))
    (none,) = answers(made, [[7], [int(far)]])
    assert (none.value, none.low, none.high) == (None, None, None)
    (found,) = answers(made, [[40], [int(far) + 40]])
    least, most = Fraction(40) - wide, Fraction(40) + wide
    assert found.value == 5 + Fraction(40, int(far) + 40)
    assert found.low == max(5 + least / (40 if least < 0 else 2 * far + 40), Fraction(0))
    assert found.high == min(5 + most / 40, Fraction(10))


def test_a_name_is_one_column_however_it_is_given():
    assert Question("sum", "xy", "ab") == Question(Ask.SUM, ["xy"], ("ab",))
    with pytest.raises(BadInput, match="texts"):
        Question("sum", [3])


def test_what_is_said_of_a_release_is_at_the_confidence_asked_for(books):
    for confidence in ("0.5", "0.99"):
        found = books.count("0.3", confidence=confidence)
        said = found.as_json()
        sure = Fraction(confidence)
        assert said["confidence"] == float(sure)
        assert said["within"] == float(found.plan.parts[0].width(sure))
        drawn = found.booked.answer["numbers"][0][0]
        assert found.answers[0].high == max(drawn + found.plan.parts[0].width(sure), 0)
    for wrong in (0, 1, 2, "x"):
        with pytest.raises(BadInput, match="confidence"):
            books.count("0.3", confidence=wrong)


@pytest.mark.parametrize(("question", "said"), [
    (lambda: Question("median"), "question"),
    (lambda: Question(Ask.SUM), "1 column"),
    (lambda: Question(Ask.SUM, ("c",)), "needs numbers"),
    (lambda: Question(Ask.HISTOGRAM, ("y",)), "not declared"),
    (lambda: Question(Ask.HISTOGRAM, ("c",), ("c",)), "twice"),
    (lambda: Question(Ask.COUNT, where="y > 3"), "not declared"),
    (lambda: Question(Ask.COUNT, where="x > 3 --"), "cannot be read"),
])
def test_questions_that_make_no_sense_are_refused(question, said):
    with pytest.raises(BadInput, match=said):
        plan_release(question(), Declaration.of(FORM), 1)
