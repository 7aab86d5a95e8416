"""The answers that drawn numbers stand for, with intervals worked out by hand."""

from dataclasses import replace
from fractions import Fraction
from math import sinh

import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import WITHHELD, Answer, answers
from tightrope.releases.releasing import statistics
from tightrope.releases.statistics.sums import variance
from tightrope.spaces import Totals
from tightrope.tables import open_source

COLUMNS = {"x": {"type": "number", "low": 0, "high": 10, "resolution": 1},
           "half": {"type": "number", "low": 0, "high": 10, "resolution": "0.5"},
           "a": {"type": "category", "values": ["p", "q"]}}
TABLE = Declaration.of({"dataset": "d", "columns": COLUMNS})
FOUR = Declaration.of({"dataset": "d", "columns": {
    **COLUMNS, "x": {**COLUMNS["x"], "missing": 5}},
    "unit": {"neighbors": "replace", "size": 4}})


def ends(plan, *drawn):
    return [(answer.value, answer.low, answer.high) for answer in answers(plan, drawn)]


def test_errors_are_told_in_four_digits_with_thousands_set_apart():
    """A geometric law of steps of 1 has E|Z| = 1/sinh(ε); a sum's is about 10/ε here."""
    plan = plan_release(Question("count"), TABLE, "0.0001")
    assert 1 / sinh(0.0001) == pytest.approx(10_000, rel=1e-6)
    assert plan.accuracy == "10,000 rows on average; 95 % within 29,960"
    assert plan_release(Question("count"), TABLE, "0.5").accuracy.startswith("1.919 rows on")


def test_a_width_is_the_reach_of_the_noise_in_units_of_the_answer():
    plan = plan_release(Question("sum", "half"), TABLE, "1")
    (part,) = plan.subqueries
    for confidence in (Fraction(1, 2), Fraction(19, 20)):
        assert part.width(confidence) == Fraction(part.noise.reach(confidence), 2) > 0
    assert plan.error == part.noise.mean_error / 2


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-1, 0)])
def test_the_bound_of_a_sum_by_groups_is_for_the_larger_of_its_bounds(low, high):
    """A row moves a sum by at most 1: at e^ε = 2 geometric noise errs by 2a/(1 - a²), a = 1/2."""
    declaration = Declaration.of({"dataset": "d", "columns": {
        **COLUMNS, "x": {"type": "number", "low": low, "high": high, "resolution": 1}}})
    assert plan_release("sum of x by a", declaration, "ln(2)").bound == Fraction(4, 3)


def test_an_interval_is_the_answer_less_and_more_its_width():
    plan = plan_release(Question("sum", "half", by="a"), TABLE, "1")
    width = plan.subqueries[0].width(plan.confidence)
    assert ends(plan, [10, -4]) == [(5, 5 - width, 5 + width), (-2, -2 - width, -2 + width)]


def test_counts_are_unbiased_so_negative_ones_stay():
    plan = plan_release(Question("count", by="a"), TABLE, "1")
    width = plan.subqueries[0].width(plan.confidence)
    assert 1 < width < 9
    assert ends(plan, [1, -9]) == [(1, 1 - width, 1 + width), (-9, -9 - width, -9 + width)]


def test_an_optimal_mean_of_public_size_is_read_from_the_table_of_its_sum():
    """Numbers from 0 to 10 of 4 people, so from 0 to 40; at an end a tail is above 1/40."""
    plan = plan_release(Question("mean", "x", optimal="average"), FOUR, "2")
    table = plan.subqueries[0].table
    rows = [table.row(x) for x in range(41)]
    for drawn in (0, 3, 20, 40):
        low = min(x for x in range(41) if x == drawn or sum(rows[x][drawn:]) > Fraction(1, 40))
        high = max(x for x in range(41)
                   if x == drawn or sum(rows[x][: drawn + 1]) > Fraction(1, 40))
        assert ends(plan, [drawn]) == [(Fraction(drawn, 4), Fraction(low, 4), Fraction(high, 4))]
    assert ends(plan, [3])[0][2] < 10
    with pytest.raises(BadInput, match="never gives 99"):
        answers(plan, [[99]])


def test_a_mean_is_between_the_quotients_of_the_ends():
    """Of two sums, from the low end and from the high end, each within its width."""
    plan = plan_release(Question("mean", "x"), TABLE, "1")
    width = plan.subqueries[0].width((1 + plan.confidence) / 2)
    up, down = 300, 100
    assert 0 < width < down
    assert ends(plan, [up, down]) == [
        (Fraction(15, 2), 10 * (up - width) / (up + down), 10 * (up + width) / (up + down))]
    enough = int(plan.subqueries[0].width(plan.confidence, 2)) + 10  # so far one row may be left
    assert ends(plan, [enough - 1, 0])[0][::2] == (None, 10)
    assert ends(plan, [enough, 0])[0][0] == 10


def test_a_variance_allows_for_each_of_three_sums_a_third_of_what_may_be_missed():
    """Sums of (1 - u)², 2u(1 - u) and u² for u = x/10: all hold together with confidence 0.95."""
    plan = plan_release(Question("variance", "x"), TABLE, "2")
    drawn = [40_000, 30_000, 20_000]
    held = variance(drawn, plan.subqueries[0].width(Fraction(59, 60)))
    assert ends(plan, drawn) == [tuple(100 * end for end in held)]


def test_three_quantiles_are_as_near_as_stated_together():
    wide = Declaration.of({"dataset": "d", "columns": {
        "y": {"type": "number", "low": 0, "high": 1000, "resolution": 1}}})
    plan = plan_release(Question("quantiles", "y", at=["0.2", "0.5", "0.8"]), wide, "1")
    assert plan.strategy.tree is None
    off = [part.mechanism.shortfall(Fraction(59, 60)) for part in plan.subqueries]
    assert plan.width == max(Fraction(off[0], 5), Fraction(off[1], 2), Fraction(off[2], 5))


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("question", [
    Question("sum", "x"), Question("sum", "half"), Question("sum", "x", by="a"),
    Question("histogram", "a"), Question("mean", "x"), Question("proportion", at="x > 3"),
    Question("counts", at=["x > 3", "x < 9"]),
], ids=lambda question: question.text)
def test_the_error_of_a_plan_is_that_of_its_answers(question, replaced):
    """Noise z, with its exact chance, moves an answer: on average and at most as the plan says."""
    columns = {"x": {**COLUMNS["x"], "missing": 5}, "half": {**COLUMNS["half"], "missing": 5},
               "a": {**COLUMNS["a"], "missing": "p"}}
    unit = {"neighbors": "replace", "size": 400} if replaced else {}
    table = Declaration.of({"dataset": "d", "columns": columns, "unit": unit})
    plan = plan_release(question, table, "8")
    if plan.error is None:
        assert not replaced
        return
    space = plan.subqueries[0].subquery.space
    numbers = [100] * getattr(space, "cells", getattr(space, "length", 0))
    held = answers(plan, [numbers])[0].value
    if isinstance(space, Totals):
        law, reach = plan.subqueries[0].mechanism.law(numbers), range(-20, 21)
        chances = {z: sum(float(law.probability((100 + z, 100 + w))) for w in reach)
                   for z in reach}
    else:
        law = plan.subqueries[0].noise.law(numbers).parts[0]
        chances = {z: law.probability(100 + z) for z in range(-99, 100)}
    moved = {z: abs(answers(plan, [[100 + z, *numbers[1:]]])[0].value - held) for z in chances}
    assert float(sum(p * moved[z] for z, p in chances.items())) == pytest.approx(float(plan.error))
    inside = float(sum(p for z, p in chances.items() if moved[z] <= plan.width))
    assert inside >= plan.confidence


def test_answers_are_shares_of_a_public_number_only_where_every_unit_counts_once():
    assert plan_release(Question("mean", "x"), FOUR, "2").size == 4
    assert plan_release(Question("proportion", at="x > 3"), FOUR, "2").size == 4
    for question in (Question("mean", "x", where="x > 0"), Question("mean", "half"),
                     Question("mean", "x", by="a"),
                     Question("proportion", at="x > 3", where="a = 'p'")):
        assert plan_release(question, FOUR, "2").size is None


RANGED = [  # unit, low and high of x, question, its least and largest answer, what a unit changes
    ({"neighbors": "replace", "size": 4}, (0, 3), Question("sum", "x"), (0, 12), 3),
    ({"neighbors": "replace", "size": 4}, (2, 5), Question("mean", "x"), (2, 5), 3),
    ({"neighbors": "replace", "size": 4}, (2, 3), Question("sum", "x", where="x > 0"), (0, 12), 3),
    ({"most": 4}, (-1, 2), Question("sum", "x"), (-4, 8), 2),
    ({"most": 3}, (-2, 3), Question("sum", "x"), (-6, 9), 3),  # no multiple of what a unit changes
    ({"most": 4}, (0, 1), Question("sum", "x"), (0, 4), 1),
    ({"person": "w", "rows": 2, "most": 4}, (0, 3), Question("count"), (0, 8), 2),
    ({"person": "w", "rows": 2, "most": 4}, (0, 3), Question("people"), (0, 4), 1),
    ({"neighbors": "replace", "size": 4}, (0, 3), Question("proportion", at="x > 1"), (0, 1), 1),
    ({"neighbors": "replace", "size": 50}, (0, 3), Question("sum", "x"), (0, 150), 3),
]


@pytest.mark.parametrize(("unit", "bounds", "question", "reach", "change"), RANGED)
def test_in_a_known_range_errors_are_averages_over_it_and_intervals_hold_for_all_of_it(
        unit, bounds, question, reach, change):
    """Every number in the range, every answer with its exact chance; beyond 200 are 10^-13."""
    column = {"type": "number", "low": bounds[0], "high": bounds[1], "resolution": 1,
              "missing": bounds[0]}
    table = Declaration.of({"dataset": "d", "unit": unit, "columns": {"x": column}})
    plan = plan_release(replace(question, optimal="average"), table, "0.5")
    (part,) = plan.subqueries
    truths = [part.subquery.offset + x * part.subquery.unit for x in range(part.most + 1)]
    share = plan.size or 1
    assert (truths[0] / share, truths[-1] / share) == reach
    total, worst, found = 0.0, 0.0, {}
    if part.table is None:
        noise = {z: float(part.noise.law([0]).parts[0].probability(z)) for z in range(-200, 201)}
    for x, truth in enumerate(truths):
        if part.table is not None:
            law = dict(enumerate(map(float, part.table.row(x))))
        else:
            law = {x + z: chance for z, chance in noise.items()}
        inside = near = error = 0.0
        for z, chance in law.items():
            if z not in found:
                found[z] = ends(plan, [z])[0]
            value, low, high = found[z]
            error += chance * float(abs(value - truth / share))
            assert low <= value <= high
            inside += chance * (low <= truth / share <= high)
            near += chance * (abs(value - truth / share) <= plan.width)
        total, worst = total + error, max(worst, error)
        assert inside > 0.95 - 1e-9
        assert near > 0.95 - 1e-9
    assert total / len(truths) == pytest.approx(float(plan.error), rel=1e-6)
    assert worst == pytest.approx(float(plan.worst_error), rel=1e-6)
    assert plan.bound <= plan.error
    geometric = 1 / sinh(0.5 / change) / share
    assert plan.error < geometric
    if len(truths) < 129 or change == 1:
        assert plan.facts().json["gap"] < 1e-5


@pytest.mark.parametrize(("unit", "question"), [
    ({"neighbors": "replace", "size": 2}, Question("sum", "x")),
    ({"most": 2}, Question("sum", "x")), ({"most": 2}, Question("count")),
    ({"neighbors": "replace", "size": 2}, Question("count", where="x > 1")),
], ids=str)
def test_more_units_than_were_declared_are_not_told(unit, question):
    """A number beyond its range counts as the end of it: no refusal, and no answer beyond."""
    column = {"type": "number", "low": 0, "high": 3, "resolution": 1, "missing": 0}
    table = Declaration.of({"dataset": "d", "unit": unit, "columns": {"x": column}})
    plan = plan_release(replace(question, optimal="average"), table, "1")
    ((number,),) = statistics(plan, open_source({"x": [3] * 50}, table), CutKey(bytes(32)))
    assert number == plan.subqueries[0].most
    assert 0 <= answers(plan, [plan.subqueries[0].draw([number])])[0].value <= 6


@pytest.mark.parametrize("epsilon", ["0.000001", "60", "200", "1000"])
def test_levels_beyond_the_solver_have_an_answer_too(epsilon):
    plan = plan_release(Question("sum", "x"), FOUR, epsilon)
    assert plan.level.text == plan_release(Question("count"), TABLE, epsilon).level.text
    assert str(plan)
    assert plan.facts().json["expected_error"] is not None
    assert ends(plan, plan.subqueries[0].draw([20]))


@pytest.mark.parametrize(("optimal", "epsilon"), [
    ("average", "0.000001"), ("worst", "0.01"), ("average", "60"), ("worst", "60")])
def test_an_optimum_is_in_the_range_at_small_and_large_levels(optimal, epsilon):
    plan = plan_release(Question("sum", "x", optimal=optimal), FOUR, epsilon)
    assert 0 <= (plan.bound or 0) <= max(plan.error, plan.worst_error) <= Fraction(2001, 100)
    assert plan.error <= plan.worst_error
    assert 0 <= ends(plan, plan.subqueries[0].draw([20]))[0][0] <= 40


@pytest.mark.parametrize(("question", "said"), [
    (Question("sum", "x", optimal="average"), "cannot be told"),
    (Question("sum", "x", optimal="worst"), "no optimum is proved"),
], ids=str)
def test_an_optimum_whose_error_cannot_be_told_is_refused(question, said):
    with pytest.raises(BadInput, match=said):
        plan_release(question, FOUR, "200")


@pytest.mark.parametrize(("size", "high"), [(10, 5), (10**6, 5), (10, 1), (10**5, 20)])
def test_what_is_proved_of_a_range_is_printed_whole(size, high):
    """A line of a plan is cut where it is long, and what a bound is for must not be cut away."""
    declared = Declaration.of({"dataset": "s", "unit": {"neighbors": "replace", "size": size},
                               "columns": {"x": {"type": "number", "low": 0, "high": high,
                                                 "resolution": 1,
                                                 "missing": 0}}})
    plan = plan_release(Question("sum", "x", optimal="average"), declared, "0.5")
    assert "on average over the range" in str(plan.nearness)
    assert plan.nearness in repr(plan)
    assert "biased toward the middle" in repr(plan)


def test_noise_is_unbiased_by_default_where_a_range_is_declared():
    """The value drawn is the answer, at the ends of the range, too; nothing is pulled inside."""
    for question in (Question("sum", "x"), Question("mean", "x"), Question("count", where="x > 3"),
                     Question("proportion", at="x > 3")):
        plan = plan_release(question, FOUR, "0.5")
        part, size = plan.subqueries[0].subquery, plan.size or 1
        for drawn in (-9, 0, 3, 40, 77):
            value, low, high = ends(plan, [drawn])[0]
            assert value == (part.offset + drawn * part.unit) / size
            assert (value - low, high - value) == (plan.width, plan.width)
        assert plan.facts().json["biased"] is False


def test_an_optimum_for_the_worst_input_beats_all_others_there():
    """Sums from 0 to 12: the optimum on average errs more at its worst input, and noise, too."""
    form = {"dataset": "d", "unit": {"neighbors": "replace", "size": 4},
            "columns": {"x": {"type": "number", "low": 0, "high": 3, "resolution": 1,
                              "missing": 0}}}
    plans = {optimal: plan_release(Question("sum", "x", optimal=optimal), Declaration.of(form), 1)
             for optimal in (None, "worst", "average", (0, 0, 1, *[0] * 9, 1))}
    worst, average, prior = (plans[key] for key in plans if key)
    assert worst.worst_error < min(average.worst_error, plans[None].error)
    assert average.error < min(worst.error, plans[None].error)
    assert prior.error < average.error
    for plan in (worst, average, prior):
        assert plan.facts().json["gap"] < 1e-5
        table = plan.subqueries[0].table
        errors = [sum(p * abs(z - x) for z, p in enumerate(table.row(x))) for x in range(13)]
        assert max(errors) == plan.worst_error
    assert prior.question.title.endswith("optimal on average over the stated weights")


@pytest.mark.parametrize(("question", "said"), [
    (lambda: Question("count", optimal="best"), "'worst', 'average' or a list"),
    (lambda: Question("sum", "x", optimal=[1, 1]), "expected 41 weights"),
    (lambda: Question("sum", "x", optimal=[-1] + [1] * 40), "at least 0"),
    (lambda: Question("sum", "x", by="a", optimal="worst"), "one number in a declared range"),
    (lambda: Question("median", "x", optimal="worst"), "one number in a declared range"),
    (lambda: Question("sum", "x", adjusted=True), "not adjusted"),
    (lambda: Question("count", adjusted="yes"), "true or false"),
])
def test_an_optimum_or_adjusted_counts_that_make_no_sense_are_refused(question, said):
    with pytest.raises(BadInput, match=said):
        plan_release(question(), FOUR, 1)


def test_rows_of_which_a_condition_is_unknown_are_in_no_share():
    """Of three known rows two are above 3 and one is not."""
    unsure = Declaration.of({"dataset": "d", "columns": {
        "x": {"type": "number", "low": 0, "high": 9, "resolution": 1}}})
    plan = plan_release(Question("proportion", at="x > 3"), unsure, 50)
    source = open_source({"x": [1, 5, 9, None, "?", ""]}, unsure)
    (numbers,) = statistics(plan, source, CutKey(bytes(32)))
    assert numbers == [2, 1]


def test_what_is_below_a_declared_range_counts_as_its_least():
    """Two people at most are declared, three are there: their sum of -3 is below -2."""
    declaration = Declaration.of({"dataset": "d", "unit": {"most": 2}, "columns": {
        "x": {"type": "number", "low": -1, "high": 1, "resolution": 1}}})
    plan = plan_release(Question("sum", "x", optimal="worst"), declaration, 1)
    for cells, number in (([-1, -1, -1], 0), ([-1, 0], 1), ([1, 1, 1], 4)):
        source = open_source({"x": cells}, declaration)
        assert statistics(plan, source, CutKey(bytes(32))) == [[number]]


def test_the_mode_of_a_column_with_bins_is_one_of_them():
    declaration = Declaration.of({"dataset": "d", "columns": {
        "x": {**COLUMNS["x"], "bins": [0, 3, 10]}}})
    plan = plan_release(Question("mode", "x"), declaration, 50)
    (numbers,) = statistics(plan, open_source({"x": [1, 2, 2, 9]}, declaration),
                            CutKey(bytes(32)))
    assert numbers.listed(2).tolist() == [3, 1]
    assert [answer.value for answer in answers(plan, [[0]])] == ["[0, 3)"]


def test_a_mean_of_sums_in_which_no_row_fits_is_anywhere_in_the_range():
    plan = plan_release(Question("mean", "x"), TABLE, 1)
    assert ends(plan, [-10**6, -10**6]) == [(None, 0, 10)]


@pytest.mark.parametrize(("half", "text"), [
    (500, "1,235"), (50, "1,235"), (5, "1,234.6"), ("0.5", "1,234.57"), ("0.03", "1,234.567"),
])
def test_a_number_has_the_digits_of_two_of_half_its_interval(half, text):
    value, half = Fraction("1234.5674"), Fraction(half)
    answer = Answer((), value, value - half, value + half)
    assert answer.text == answer.number_text(value) == text


def test_a_value_that_is_withheld_says_so_and_why():
    answer = Answer((), None, Fraction(0), Fraction(10), "wide")
    assert answer.note == WITHHELD
    assert answer.text == f"withheld ({WITHHELD})"


def test_answers_are_planned_at_levels_without_delta():
    for level in (Level.epsilon(1, "1e-6"), Level.ratio(2).with_delta("1e-9")):
        with pytest.raises(BadLevel, match="δ = 0"):
            plan_release("count", TABLE, level)


def test_a_number_that_rounds_to_zero_has_no_sign():
    answer = Answer(("a",), Fraction(-1, 100), Fraction(-13, 10), Fraction(64, 50))
    assert answer.number_text(answer.value) == "0.0"
    assert answer.number_text(answer.low) == "-1.3"
