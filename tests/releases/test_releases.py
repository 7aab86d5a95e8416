import json
from fractions import Fraction

import pytest

from tightrope.constructions import tally_noise
from tightrope.declarations import Declaration
from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.releases import Question, open_books, plan_release
from tightrope.releases.answers import answers
from tightrope.spaces import Tallies

FORM = {
    "dataset": "d",
    "unit": {"person": "who", "rows": 2},
    "columns": {
        "x": {"type": "number", "low": 0, "high": 10, "resolution": 1, "bins": [0, 5, 10]},
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
    assert [a.cell for a in crossed.answers][:4] == [
        ("a", "[0, 5)"), ("a", "[5, 10]"), ("b", "[0, 5)"), ("b", "[5, 10]")]
    assert [a.value for a in crossed.answers] == [2, 0, 0, 3, 2, 3, 2, 3, 5]
    assert crossed.answers[-1].cell == ("(all)", "(all)")


def test_a_release_is_charged_once_and_says_what_is_left(books):
    first = books.count("0.5", request="one")
    again = books.count("0.5", request="one")
    assert again.answers == first.answers
    assert (again.booked.again, again.booked.remaining) == (True, "ε = 999.5")
    with pytest.raises(Refused):
        books.count(1000)
    shown = json.loads(json.dumps(first.facts().json))
    assert shown["entry"]["question"] == "count"
    assert shown["ledger_entry"] == first.booked.entry.number
    assert books._ledger.verify(releases=[json.loads(json.dumps(first.document()))]).holds


def test_the_sum_and_the_count_of_a_mean_share_the_level_that_is_charged(books):
    (part,) = books.dry_run(Question("mean", ("x",)), "ln(4)").subqueries
    assert 4 - Fraction(1, 10**6) < part.noise.ratio**part.noise.rungs <= 4
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


ASKED = [
    Question("count"), Question("histogram", ("x",), ("c",)), Question("sum", ("x",)),
    Question("people", by=("c",)), Question("median", ("x",), where="c = 'a'"),
    Question("quantiles", ("x",), at=["0.1", "0.9"]), Question("minimum", ("x",)),
    Question("distribution", ("x",), ("c",)), Question("mode", ("c",)),
    Question("frequent", ("x",), at=2), Question("variance", ("x",)),
    Question("proportion", at="x > 3"), Question("counts", at=["x > 3", "c = 'a'"]),
    Question("cross", ("x", "c")), Question("mean", ("x",)),
]
HOSTILE = {
    "infinite": {"who": [9], "x": [float("inf")], "c": ["a"]},
    "many": {"who": [9] * 5000, "x": list(range(5000)), "c": ["a", "b"] * 2500},
    "unknown": {"who": [9], "x": ["?"], "c": ["zebra\n\x1b[31m"]},
    "missing": {"who": [None], "x": [None], "c": [None]},
    "nobody": {"who": [], "x": [], "c": []},
    "huge": {"who": [10**400], "x": [10**400], "c": [object()]},
}


def shapes(rows, ledger):
    """All that is shown of releases but what was drawn and what the ledger counts."""
    opened, found = open_books(rows, FORM, ledger=ledger, budget="now"), []
    for question in ASKED:
        made = opened.ask(question, "0.5")
        shown = {**made.document(), **made.facts().json,
                 "named": [answer.cell for answer in made.answers]}
        for private in ("answers", "drawn", "digest", "entry", "head", "ledger_entry",
                        "remaining"):
            shown.pop(private)
        found.append(shown)
    return found


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    ledger = Ledger.create(tmp_path_factory.mktemp("usual") / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(FORM)), "100"))
    return ledger, shapes(ROWS, ledger)


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_row_changes_anything_but_the_drawn_numbers(usual, kind):
    ledger, expected = usual
    alone = kind in ("nobody", "missing")
    rows = HOSTILE[kind] if alone else {name: [*ROWS[name], *HOSTILE[kind][name]] for name in ROWS}
    assert shapes(rows, ledger) == expected


def test_a_plan_is_the_least_error_among_widths():
    """One unit of two rows in two cells: 2 ln q. In one cell, steps of two: ln q."""
    declaration = Declaration.of(FORM)
    spread = plan_release(Question("histogram", ("c",)), declaration, "ln(4)").subqueries[0].noise
    assert (spread.step, spread.ratio, spread.rungs) == (1, 2, 2)
    alone = plan_release(Question("count"), declaration, "ln(4)").subqueries[0].noise
    assert (alone.step, alone.ratio, alone.rungs) == (2, 4, 1)


def test_the_level_for_an_accuracy_is_enough_and_not_far_too_much():
    declaration = Declaration.of(FORM)
    from tightrope.releases.planning import level_within

    question = Question("count")
    level = level_within(question, declaration, 10, "0.9")
    (part,) = plan_release(question, declaration, level).subqueries
    assert part.width(Fraction(9, 10)) <= 10
    less = Level.epsilon(level.rational * Fraction(95, 100))
    assert plan_release(question, declaration, less).subqueries[0].width(Fraction(9, 10)) > 10


def test_a_mean_of_public_size_is_a_sum_over_it(tmp_path):
    form = {"dataset": "d", "unit": {"neighbors": "replace", "size": 6},
            "columns": {"x": {"type": "number", "low": 0, "high": 10, "resolution": 1,
                              "missing": 5}}}
    made = plan_release(Question("mean", ("x",)), Declaration.of(form), "1")
    assert len(made.subqueries) == 1
    assert made.subqueries[0].subquery.space == Tallies(1, 1, 10)
    assert made.error == made.subqueries[0].mean_error() / 6
    best = plan_release(Question("mean", ("x",), optimal="average"), Declaration.of(form), "1")
    assert best.subqueries[0].subquery.space.text == "sum:people=6,max=10"
    assert best.error < made.error
    with pytest.raises(BadInput, match="public"):
        plan_release(Question("count"), Declaration.of(form), "1")


def test_a_mean_whose_group_may_be_empty_has_an_interval_and_others_a_value_too():
    """Two sums, of values above 0 and below 10; both intervals hold at once in 95 of 100."""
    made = plan_release(Question("mean", ("x",)), Declaration.of(FORM), "1")
    (part,) = made.subqueries
    assert (part.subquery.space.touched, part.subquery.space.change) == (2, 20)
    wide, off = part.width(Fraction(39, 40)), int(part.width(Fraction(19, 20), 2))
    for up, down in ((int(wide), -int(wide)), (off + 9, 0), (-5, 3)):
        (none,) = answers(made, [[up, down]])
        assert none.value is None
        assert 0 <= none.low < none.high <= 10
    assert answers(made, [[off + 10, 0]])[0].value == 10
    up, down = int(wide) + 40, int(wide) + 60
    (found,) = answers(made, [[up, down]])
    assert found.value == 10 * Fraction(up, up + down)
    assert found.low == 10 * Fraction(40, 40 + down + int(wide))
    assert found.high == 10 * Fraction(up + int(wide), up + int(wide) + 60)


def test_one_level_for_both_sums_of_a_mean_errs_less_than_half_a_level_for_each():
    """Noise on both, and what the mean then errs at either bound, n times: |noise| of one sum."""
    form = {"dataset": "d", "columns": {"x": {"type": "number", "low": 0, "high": 10,
                                              "resolution": 1}}}
    made = plan_release(Question("mean", ("x",)), Declaration.of(form), "1").subqueries[0].noise
    halved = tally_noise(Tallies(1, 1, 10), "1/2").mechanism  # of the sum alone, at half
    assert made.mean_error < halved.mean_error


def test_a_name_is_one_column_however_it_is_given():
    assert Question("sum", "xy", "ab") == Question("sum", ["xy"], ("ab",))
    with pytest.raises(BadInput, match="texts"):
        Question("sum", [3])


def test_what_is_said_of_a_release_is_at_the_confidence_asked_for(books):
    for confidence in ("0.5", "0.99"):
        found = books.count("0.3", confidence=confidence)
        said = found.facts().json
        sure = Fraction(confidence)
        assert said["confidence"] == float(sure)
        assert said["within"] == float(found.plan.subqueries[0].width(sure))
        drawn = found.booked.answer["numbers"][0][0]
        assert found.answers[0].high == drawn + found.plan.subqueries[0].width(sure)
    for wrong in (0, 1, 2, "x"):
        with pytest.raises(BadInput, match="confidence"):
            books.count("0.3", confidence=wrong)


@pytest.mark.parametrize(("question", "said"), [
    (lambda: Question("center"), "question"),
    (lambda: Question("median"), "1 column"),
    (lambda: Question("median", "c"), "needs numbers"),
    (lambda: Question("quantiles", "x"), "needs the probabilities"),
    (lambda: Question("quantiles", "x", at=[0, 1]), "minimum"),
    (lambda: Question("quantiles", "x", at=["1/3000001"]), "six digits"),
    (lambda: Question("count", at=3), "takes no further"),
    (lambda: Question("frequent", "c", at=3), "from 1 to 2 values"),
    (lambda: Question("frequent", "c", at="many"), "whole number"),
    (lambda: Question("counts", at=["x > 1", "x > 1"]), "twice"),
    (lambda: Question("proportion", at=["x > 1", "x > 2"]), "one condition"),
    (lambda: Question("counts", at=[3]), "a text"),
    (lambda: Question("sum"), "1 column"),
    (lambda: Question("sum", ("c",)), "needs numbers"),
    (lambda: Question("histogram", ("y",)), "not declared"),
    (lambda: Question("histogram", ("c",), ("c",)), "twice"),
    (lambda: Question("count", where="y > 3"), "not declared"),
    (lambda: Question("count", where="x > 3 --"), "cannot be read"),
])
def test_questions_that_make_no_sense_are_refused(question, said):
    with pytest.raises(BadInput, match=said):
        plan_release(question(), Declaration.of(FORM), 1)


def test_one_condition_may_be_a_text_alone(books):
    assert [a.value for a in books.counts("c = 'a'", 80).answers] == [2]


def test_what_is_no_question_is_refused_by_how_one_is_written(books):
    for ask in (books.dry_run, books.ask):
        with pytest.raises(BadInput, match="a question is a text, such as 'mean of age by sex'"):
            ask(None, 1)


def test_a_question_is_asked_by_its_text(books):
    assert books.ask("count where c = 'a'", 80).value == 2
    assert books.dry_run("mean of x", 1).question == Question("mean", "x")


def test_a_filter_that_is_no_text_is_refused_before_the_charge(books):
    with pytest.raises(BadInput, match='a condition is a text, such as "age >= 30", found list'):
        books.count(1, where=[True, False])
    assert books._ledger.balance("now").charges == 0
