"""Releases by values that nobody declared: keys, counts, books, documents, and hostile rows."""

import copy
import json
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import log

import pytest

import tightrope
from tests.receipts import THEOREMS
from tests.tables.plain import key_rows
from tightrope.declarations import CutKey, Declaration
from tightrope.documents import digest_of
from tightrope.errors import BadDocument, BadInput, BadLevel, Refused
from tightrope.exact import Level
from tightrope.facts import Table
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.mechanisms import KeyNoise, KeySelection
from tightrope.releases import chance_figure, open_books, plan_release
from tightrope.releases.figures import drawn_units
from tightrope.releases.plan_documents import review_plan
from tightrope.releases.publication import reviewed

DRUGS = {"aspirin": 400, "ibuprofen": 90, "codeine": 14, "rareol": 1}
ROWS = {"drug": [drug for drug, size in DRUGS.items() for _ in range(size)]}
ROWS["sex"] = ["fm"[k % 2] for k in range(len(ROWS["drug"]))]
ROWS["who"] = [k % 300 for k in range(len(ROWS["drug"]))]
COLUMNS = {"drug": {"type": "text"}, "sex": {"type": "category", "values": ["f", "m"]}}
ROW = {"dataset": "visits", "columns": COLUMNS}
LEVEL = Level.epsilon(1, delta="1e-6")


def person(**unit):
    return {**ROW, "unit": {"person": "who", **unit}}


def plan(question, form=ROW, level=LEVEL):
    return plan_release(question, Declaration.of(form), level)


@pytest.fixture
def books(tmp_path):
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(ROW)),
                              Level.epsilon(10, delta="2e-6")))
    return open_books(ROWS, ROW, ledger=ledger, budget="now")


def test_epsilon_and_delta_are_charged_and_a_budget_without_delta_refuses(books):
    books.ask("count by drug", 1, delta="1e-6")
    balance = books._ledger.balance("now")
    assert (balance.spent.epsilon, balance.spent.delta) == (Level.epsilon(1), Fraction("1e-6"))
    books.ask("count by sex", 1)  # declared values cost no δ
    assert books._ledger.balance("now").spent.delta == Fraction("1e-6")
    books.ask("keys of drug", 1, delta="1e-6")
    with pytest.raises(Refused):
        books.ask("keys of drug", 1, delta="1e-9")


def test_counts_are_of_the_keys_that_appear_in_the_order_of_their_texts(books):
    release = books.ask("count by drug", 5, delta="1e-6")
    cells = [answer.cell[0] for answer in release.answers]
    assert cells == sorted(cells)
    assert {"aspirin", "ibuprofen"} <= {*cells} <= {*DRUGS}
    for answer in release.answers:
        reach = release.plan.subqueries[0].mechanism.reach
        assert abs(answer.value - DRUGS[answer.cell[0]]) <= reach < answer.value
        assert 1 <= answer.low <= answer.value <= answer.high
    frame = release.to_frame()
    assert frame.column_names == ["drug", "answer", "low", "high"]
    assert str(frame.schema.field("answer").type) == "int64"
    assert "aspirin" in repr(release)


@pytest.mark.parametrize(("question", "form", "share"), [
    ("count by drug", ROW, 1), ("histogram of drug", ROW, 1), ("keys of drug", ROW, 1),
    ("count by drug", {**ROW, "unit": {"neighbors": "replace", "size": 505}}, 2),
    ("people by drug", person(), 1), ("people by drug", person(rows=3), 3),
    ("people by drug, sex", person(rows=9, cells=2), 2), ("keys of drug by sex", person(), 1),
    ("people by drug", {**ROW, "unit": {"person": "who", "cells": 2, "neighbors": "replace",
                                        "size": 300}}, 4),
])
def test_a_unit_in_k_keys_has_a_part_of_the_level_for_each(question, form, share):
    made = plan(question, form)
    mechanism = made.subqueries[0].mechanism
    assert mechanism.space.touched == share
    assert mechanism.key_delta <= LEVEL.delta / share
    assert 0 <= 1 - share * log(mechanism.ratio) < 1e-9
    assert isinstance(mechanism, KeySelection if question.startswith("keys") else KeyNoise)


def test_rows_and_people_are_named_as_what_is_counted():
    assert plan("count by drug").unit_of_error == "rows"
    assert plan("people by drug", person()).unit_of_error == "people"
    assert "at most 2 keys" in plan("people by drug", person(cells=2)).title


def test_the_chances_of_a_dry_run_are_those_of_the_law_and_rise():
    made = plan("count by drug")
    listed = made.facts().json["chances"]
    assert listed[0]["units"] == 1
    assert listed[0]["chance"] <= 1e-6 == listed[0]["alone"]
    assert listed[-1]["chance"] == 1
    for first, second in pairwise(listed):
        assert first["chance"] < second["chance"]
    for row in listed:
        assert row["chance"] == float(made.subqueries[0].mechanism.chance(row["units"]))
        assert row["chance"] <= row["alone"]
    halves = [row["units"] for row in listed if row["chance"] >= 0.5]
    assert made.subqueries[0].mechanism.chance(halves[0] - 1) < Fraction(1, 2)
    assert plan("count by sex", level=Level.epsilon(1)).chances == ()


@pytest.mark.parametrize(("question", "form", "level", "wrong"), [
    ("count by drug", ROW, Level.epsilon(1), "a δ above 0, such as 1e-9"),
    ("count by sex", ROW, LEVEL, "only keys"),
    ("count by drug", person(rows=2), LEVEL, "people by drug"),
    ("people by drug", ROW, LEVEL, "each row is a unit"),
    ("mode of drug", ROW, LEVEL, "keys of drug"),
    ("histogram of drug and sex", ROW, LEVEL, "count by drug, sex"),
    ("keys of sex", ROW, LEVEL, "histogram of sex"),
    ("sum of drug", ROW, LEVEL, "not declared"),
    ("count by drug, drug", ROW, LEVEL, "twice"),
    ("count by drug", ROW, Level.epsilon("0.0001", delta="1e-9"), "larger ε or δ"),
])
def test_what_cannot_be_asked_is_refused_with_what_can(question, form, level, wrong):
    with pytest.raises((BadInput, BadLevel), match=wrong):
        plan(question, form, level)


def test_adjusted_and_optimal_counts_of_keys_are_refused(books):
    with pytest.raises(BadInput, match="not adjusted"):
        books.count(1, by="drug", delta="1e-6", adjusted=True)
    with pytest.raises(BadInput, match="optimal"):
        books.count(1, by="drug", delta="1e-6", optimal="worst")


def test_an_accuracy_can_be_asked_for_instead_of_a_level(books):
    release = books.ask("count by drug", within=3, delta="1e-6")
    assert release.plan.width == 3
    assert plan("count by drug", level=Level.epsilon(
        release.plan.level.rational - Fraction(1, 500), delta="1e-6")).width > 3


def test_no_key_at_all_is_an_answer_on_every_surface(tmp_path):
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(ROW)), LEVEL))
    empty = open_books({"drug": [], "sex": [], "who": []}, ROW, ledger=ledger, budget="now")
    release = empty.ask("count by drug", 1, delta="1e-6")
    assert release.answers == ()
    assert release.to_frame().num_rows == 0
    assert str(release.to_frame().schema.field("drug").type) == "string"
    assert "drug" in repr(release)
    assert release._repr_html_()
    assert release.plot() is not None
    with pytest.raises(BadInput, match="no key appeared"):
        float(release)
    assert reviewed(json.loads(json.dumps(release.document()))).holds


def changed(document, change):
    made = copy.deepcopy(document)
    change(made)
    return {**made, "digest": digest_of(made)}


@pytest.mark.parametrize("change", [
    lambda d: d["drawn"]["numbers"][0].reverse(),
    lambda d: d["drawn"]["numbers"][0].append(["zz", 99]),
    lambda d: d["drawn"]["numbers"][0].append([["zz"], 2]),
    lambda d: d["drawn"]["numbers"][0].append([["zz"], 99.5]),
    lambda d: d["drawn"]["numbers"][0].append([["z" * 101], 99]),
    lambda d: d["drawn"]["numbers"][0].append([["zz", "f"], 99]),
    lambda d: d["drawn"]["numbers"][0].append(d["drawn"]["numbers"][0][-1]),
    lambda d: d["drawn"]["numbers"].append([]),
    lambda d: d["drawn"]["numbers"][0].append(None),
    lambda d: d["drawn"].update(numbers=None),
])
def test_keys_that_cannot_have_been_drawn_are_refused(books, change):
    document = json.loads(json.dumps(books.ask("count by drug", 1, delta="1e-6").document()))
    with pytest.raises(BadDocument):
        reviewed(changed(document, change))


def _stands(document):
    """Whether a document is read and holds; numbers below the threshold of its δ are not read."""
    try:
        return reviewed(document).holds
    except BadDocument:
        return False


def test_a_changed_key_count_or_delta_contradicts_the_document(books):
    document = json.loads(json.dumps(books.ask("count by drug", 1, delta="1e-6").document()))
    assert reviewed(document).holds
    assert THEOREMS.examine(document)["holds"] is None  # answers are not worked out there
    assert not THEOREMS.examine(document)["witness"]
    renamed = changed(document, lambda d: d["drawn"]["numbers"][0][0].__setitem__(0, ["a"]))
    assert not reviewed(renamed).holds
    cheaper = changed(document, lambda d: d["asked"]["level"].update(delta="1/10000000"))
    assert not _stands(cheaper)
    assert THEOREMS.examine(cheaper)["holds"] is False


def test_a_declared_part_of_a_key_is_one_of_the_declared_cells(books):
    """Keys of drug by sex: f and m are declared; a key in sex x was never possible."""
    document = json.loads(json.dumps(
        books.ask("count by drug, sex", 1, delta="1e-6").document()))
    keys = document["drawn"]["numbers"][0]
    assert keys[-1][0][1] in ("f", "m")
    assert reviewed(document).holds
    renamed = changed(document, lambda d: d["drawn"]["numbers"][0][-1][0].__setitem__(1, "x"))
    with pytest.raises(BadDocument, match="what was drawn are keys"):
        reviewed(renamed)


HOSTILE = ["\x1b[2J", "a\nb", "x" * 10**6, "\u202edrowssap", float("nan"), None, 10**400, b"\xff",
           "\ud800", "[red]", object()]


@pytest.mark.parametrize("question", ["count by drug", "keys of drug", "count by drug, sex"])
def test_one_hostile_row_changes_nothing_but_the_draw(question):
    """Plans, refusals and what is printed besides released keys are those of the ordinary rows."""
    def shown(rows):
        table = open_books(rows, ROW)
        release = table.ask(question, 20, delta="1e-12", unbooked=True)
        facts = release.facts().json
        return {name: value for name, value in facts.items()
                if name not in ("answers", "cells")}, release

    ordinary, release = shown(ROWS)
    sure = {answer.cell for answer in release.answers}
    for cell in HOSTILE:
        other, release = shown({name: [*cells, cell if name == "drug" else cells[0]]
                                for name, cells in ROWS.items()})
        assert other == ordinary
        texts = {part for answer in release.answers for part in answer.cell}
        assert all(text.isprintable() and len(text) <= 100 for text in texts)
        assert {cell for cell in sure if cell[0] in ("aspirin", "ibuprofen")} <= {
            answer.cell for answer in release.answers}
        json.dumps(release.facts().json)
        repr(release)


def test_a_plan_holds_keys_beside_declared_questions_for_one_charge(books):
    terms = {"name": "spring", "total": {"epsilon": 6, "delta": "1e-6"}, "questions": [
        {"ask": "count by sex"}, {"ask": "count by drug", "delta": "5e-7"},
        {"ask": "keys of drug", "delta": "5e-7"}, {"ask": "left out of sex"}]}
    release = books.release_plan(terms)
    assert books._ledger.balance("now").charges == 1
    assert books._ledger.balance("now").spent.delta == Fraction("1e-6")
    by_sex, by_drug, keys, left = (part.answers for part in release.parts)
    assert {"aspirin", "ibuprofen"} <= {answer.cell[0] for answer in by_drug}
    assert {"aspirin", "ibuprofen"} <= {answer.cell[0] for answer in keys}
    assert [answer.cell for answer in left] == [("not declared",), ("missing",)]
    assert abs(by_sex[0].value - 253) < 100
    document = json.loads(json.dumps(release.document()))
    assert review_plan(document).holds
    document["asked"]["total"]["delta"] = "1/2000000"
    document["entry"]["terms"] = digest_of(document["asked"])
    less = review_plan({**document, "digest": digest_of(document)})
    assert less.reason == "its questions take more than its total"


def test_the_dry_run_of_a_plan_has_the_chances_that_keys_appear():
    terms = {"name": "s", "total": {"epsilon": 3, "delta": "1e-6"}, "questions": [
        {"ask": "count by drug", "delta": "1e-6", "epsilon": 1}, {"ask": "count", "within": 3}]}
    made = open_books(ROWS, ROW).plan(terms)
    first, second = made.facts().json["questions"]
    assert first["chances"] == plan("count by drug").facts().json["chances"]
    assert second["chances"] == []
    (table,) = [item for item in made.facts().items if isinstance(item, Table) and item.label]
    assert table.label == "chance that a key appears, count by drug (ε = 1, δ = 1e-06)"
    assert [row[:2] for row in table.rows] == [
        (each["units"], each["chance"]) for each in first["chances"]]
    assert [part.subqueries[0].family for part in made.plans] == ["threshold", "geometric"]
    assert plan("keys of drug").subqueries[0].family == "selection"


def test_the_split_of_a_plan_knows_the_error_of_counts_by_keys():
    table = open_books(ROWS, ROW)
    terms = {"name": "s", "total": {"epsilon": 3, "delta": "1e-6"}, "questions": [
        {"ask": "count by drug", "delta": "1e-6", "within": 3}, {"ask": "count", "within": 3}]}
    first, second = (share.plan for share in table.plan(terms).shares)
    assert first.level.delta == Fraction("1e-6")
    assert first.width <= 3 >= second.width
    terms["questions"][0] = {"ask": "keys of drug", "delta": "1e-6", "within": 3}
    with pytest.raises(BadInput, match="give the question a share"):
        table.plan(terms)
    terms["questions"][0] = {"ask": "count by drug"}
    with pytest.raises(BadInput, match=r"question 1: .*δ above 0"):
        table.plan(terms)


@pytest.mark.parametrize(("unit", "most"), [({}, 1), ({"rows": 3, "cells": 2}, 2),
                                            ({"rows": 2, "cells": 1}, 1), ({"rows": 3}, 3)])
@pytest.mark.parametrize("replaced", [False, True])
def test_no_person_changes_more_keys_than_the_noise_is_for(unit, most, replaced):
    """All tables of two people with up to three drugs each, and all that one of them may be."""
    form = person(**unit, **({"neighbors": "replace", "size": 2} if replaced else {}))
    made = plan("people by drug", form)
    touched = made.subqueries[0].mechanism.space.touched
    assert touched == most * (2 if replaced else 1)
    kinds = [drugs for size in range(4) for drugs in combinations("abc", size)]
    seen = 0
    for secret in range(3):
        key = CutKey(bytes([secret]) * 32)

        def counts(*people, key=key):
            rows = [{"who": who, "drug": drug, "sex": "f"} for who, drugs in people
                    for drug in drugs for _ in range(2)]  # twice: people count, not rows
            return key_rows(made.keys, rows, key)

        for mine, other, instead in product(kinds, repeat=3):
            full = counts(("p", mine), ("q", other))
            less = counts(("r", instead), ("q", other)) if replaced else counts(("q", other))
            changes = [full.get(drug, 0) - less.get(drug, 0) for drug in "abc"]
            assert sum(map(abs, changes)) <= touched
            assert max(map(abs, changes)) <= 1
            assert sum(full.values()) == min(len(mine), most) + min(len(other), most)
            seen = max(seen, sum(map(abs, changes)))
    assert seen == min(touched, 3)  # as many as three drugs allow


def test_the_delta_of_all_questions_is_within_that_of_the_total():
    terms = {"name": "s", "total": {"epsilon": 3, "delta": "1e-6"}, "questions": [
        {"ask": "count by drug", "delta": "9e-7"}, {"ask": "keys of drug", "delta": "2e-7"}]}
    table = open_books(ROWS, ROW)
    with pytest.raises(BadInput, match=r"take ε = 3, δ = 1\.1e-06 together, more than the total"):
        table.plan(terms)
    terms["total"]["delta"] = "1.1e-6"
    assert table.plan(terms).left_over.delta == 0


def test_another_delta_of_a_question_is_another_plan(books):
    terms = {"name": "s", "total": {"epsilon": 2, "delta": "1e-6"}, "questions": [
        {"ask": "count by drug", "delta": "6e-7"}, {"ask": "keys of drug", "delta": "4e-7"}]}
    books.release_plan(terms)
    terms["questions"][0]["delta"], terms["questions"][1]["delta"] = "4e-7", "6e-7"
    with pytest.raises(Refused, match="with other fixed shares: give this plan another name"):
        books.release_plan(terms)
    assert books._ledger.balance("now").charges == 1


def chance_by_rule(units, ratio, delta):
    """The published recursion, in fractions."""
    chance = Fraction(0)
    for _ in range(units):
        chance = min(Fraction(1), ratio * chance + delta, 1 - (1 - chance - delta) / ratio)
    return chance


def test_the_drawn_curve_is_the_published_recursion_for_every_question_of_a_plan():
    level = Level.ratio(2, delta="1/100")
    keyed = [plan("keys of drug", level=level), plan("count by drug", level=level)]
    figure = chance_figure([keyed[0], plan("count by sex", level=Level.epsilon(1)), keyed[1]])
    assert [axes.get_title().split(chr(10))[0] for axes in figure.axes] == [
        "keys of drug", "count by drug"]
    for axes in figure.axes:
        line = axes.get_lines()[-1]
        assert line.get_label().startswith("keys alone")
        units, chances = line.get_data()
        assert [*units] == [*range(len(units))]
        assert [*chances] == [float(chance_by_rule(n, 2, Fraction(1, 100))) for n in units]
        assert chances[-1] == 1
    with_counts, alone = figure.axes[1].get_lines()
    assert with_counts.get_label() == "with counts"
    assert all(few <= many for few, many in zip(
        with_counts.get_ydata(), alone.get_ydata(), strict=True))


def test_a_long_curve_is_drawn_at_few_units_most_of_them_where_it_rises():
    made = plan("keys of drug", level=Level.epsilon("0.05", delta="1e-6"))
    last = made.chances[-1].units
    units = drawn_units(made)
    assert units == sorted({*units})
    assert (units[0], units[-1]) == (0, last + 1)
    assert {each.units for each in made.chances} <= {*units}
    assert len(units) <= 220 < last
    (axes,) = chance_figure([made]).axes
    (line,) = axes.get_lines()
    assert [*line.get_xdata()] == units
    assert max(high - low for low, high in pairwise(line.get_ydata())) < 0.05


def test_a_dry_run_without_keys_has_no_curve():
    with pytest.raises(BadInput, match="leave out the plot"):
        chance_figure([plan("count by sex", level=Level.epsilon(1))])


def test_a_question_of_a_plan_by_keys_without_a_delta_is_told_where_to_state_it():
    with pytest.raises(BadInput, match=r"question 1: .*the question states it, delta = 1e-9"):
        tightrope.plan(["count by drug"], ROW, epsilon=1, delta="1e-6", name="p")
