"""`tightrope draw` runs what was proved, says what it costs, and does nothing else."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import tightrope as tr
from tightrope.exact import Intervals, Weights
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.mechanisms import (
    LineMechanism,
    MatrixMechanism,
    PiecewiseNoise,
    QuantileMechanism,
    TableMechanism,
)
from tightrope.privacy import certified
from tightrope.spaces import RealLine, Records, categories, grid, path, sets

LEVEL = tr.Level.ratio(2)


def saved(folder, space, outputs, rows, *, name="c.json", level=LEVEL, table=None):
    mechanism = MatrixMechanism(space, outputs, Weights.from_integers(rows))
    if table is not None:
        mechanism = TableMechanism(mechanism, table)
    tr.save(certified(mechanism, level), folder / name)
    return name


def test_each_value_has_one_answer(tightrope, document):
    answer = tightrope("draw", document, 0, 1, 2, 2, "--json").json
    assert len(answer["answers"]) == answer["rows"] == 4
    assert set(answer["answers"]) <= {0, 1, 2}


@pytest.mark.parametrize(("space", "typed"), [
    (path(-3, 3), ["3", " 2 "]), (grid((2, 3)), ["0,2", "(1, 1)", "[1, 0]"]),
    (categories(("7", "a,b", "né")), ["7", "a,b", "né"]), (sets(2), ["[]", "0", "0,1", "[1]"]),
    (categories(3), ["0", "2"]),
], ids=lambda part: getattr(part, "text", ""))
def test_an_input_is_typed_as_people_write_it(tightrope, folder, space, typed):
    """A mechanism with one output answers with it whatever the input, and refuses others."""
    file = saved(folder, space, ("only",), [[1]] * space.size)
    assert tightrope("draw", file, *typed, "--json").json["answers"] == ["only"] * len(typed)
    for wrong in ("99", "nowhere", "0,9", "[[]]", "1.5", "true"):
        answer = tightrope("draw", file, wrong)
        assert answer.code == 2
        assert "is not a point of" in answer.sentence


def test_values_below_zero_follow_two_dashes(tightrope, folder):
    file = saved(folder, path(-3, 3), (-3,), [[1]] * 7)
    assert tightrope("draw", file, "--json", "--", "-3").json["answers"] == [-3]


def test_what_answers_cost_is_said(tightrope, folder):
    file = saved(folder, path(0, 1), (0, 1), [[2, 1], [1, 2]], level=tr.Level.ratio(2, "1e-3"))
    said = " ".join(tightrope("draw", file, 0, 0, 1).out.split())
    assert "3 answers about the same person cost 3 times ε and δ." in said
    assert "books Nothing was booked." in said
    many = tightrope("draw", file, *[0] * 5).out
    assert many.splitlines()[2].split() == ["answer"]  # the answers stand before all else
    books = Ledger.create(folder / "l.sqlite")
    books.open_budget(Budget("b", Scope("d", "value", "replace", "path:0..1"),
                             tr.Level.epsilon(9, "1/10")))
    tightrope("draw", file, 0, 0, 1, "--ledger", "l.sqlite", "--budget", "b")
    assert books.balance("b").spent.delta == Fraction(3, 1000)
    answer = tightrope("draw", file, 0, 0, 1, "--json").json
    assert answer["epsilon_one_person"] == pytest.approx(3 * 0.6931471805599453)
    assert answer["delta_one_person"] == pytest.approx(3e-3)
    assert "n answers about the same person cost n times ε" in " ".join(
        tightrope("draw", file, 0).out.split())


def test_the_input_is_not_told(tightrope, folder):
    file = saved(folder, categories(("secret", "other")), ("x", "y"), [[1, 1], [1, 1]])
    for option in ([], ["--json"]):
        assert "secret" not in tightrope("draw", file, "secret", *option).out


def test_only_what_is_proved_is_run(tightrope, folder, document):
    changed = json.loads((folder / document).read_text())
    changed["construction"]["name"] = "another"
    (folder / "changed.json").write_text(json.dumps(changed))
    assert tightrope("draw", "changed.json", 0).code == 1  # its digest does not fit
    (folder / "m.csv").write_text("0.5,0.5\n0.5,0.5\n")
    bare = tightrope("draw", "m.csv", 0)
    assert bare.code == 3
    assert "only what was proved is run" in bare.sentence
    assert tightrope("draw", "none.json", 0).code == 2


@pytest.mark.parametrize("typed", [
    [], ["0", "-o", "out.csv"], ["0", "--curator"], ["--column", "n"],
    ["--column", "n", "t.csv"], ["--column", "n", "t.csv", "u.csv", "-o", "out.csv"],
])
def test_what_does_not_fit_together_is_bad_input(tightrope, document, folder, typed):
    (folder / "t.csv").write_text("id,n\n1,0\n")
    assert tightrope("draw", document, *typed).code == 2
    assert not (folder / "out.csv").exists()


def test_a_column_is_drawn_row_by_row_and_the_rest_stays(tightrope, folder, document):
    (folder / "t.csv").write_text("id,n\n" + "".join(f"p{i},{i % 3}\n" for i in range(50)))
    answer = tightrope("draw", document, "--column", "n", "t.csv", "-o", "out.csv", "--json").json
    assert (answer["answers"], answer["rows"]) == (None, 50)
    assert answer["clear"] == ["id", "(order of rows)"]
    lines = [line.split(",") for line in (folder / "out.csv").read_text().split()]
    assert [line[0] for line in lines] == ["id", *(f"p{i}" for i in range(50))]
    assert {line[1] for line in lines[1:]} <= {"0", "1", "2"}
    again = tightrope("draw", document, "--column", "n", "t.csv", "-o", "out.csv")
    assert again.code == 2
    said = tightrope("draw", document, "--column", "n", "t.csv", "-o", "out.csv", "--force").out
    assert "50 rows about the same person cost 50 times ε" in " ".join(said.split())


def test_another_value_counts_as_the_first_and_is_refused_to_a_curator(
    tightrope, folder, document
):
    (folder / "t.csv").write_text("n\n0\n77\n")
    answer = tightrope("draw", document, "--column", "n", "t.csv", "-o", "out.csv")
    assert answer.code == 0
    assert "77" not in answer.out + (folder / "out.csv").read_text()
    (folder / "out.csv").unlink()
    assert "77" in tightrope("draw", document, "--column", "n", "t.csv", "-o", "out.csv",
                             "--curator").sentence
    assert not (folder / "out.csv").exists()


def test_a_document_of_a_table_is_for_its_number_of_rows(tightrope, folder):
    file = saved(folder, categories(("a", "b")), ("a", "b"), [[2, 1], [1, 2]], table=3)
    assert len(tightrope("draw", file, "a", "b", "b", "--json").json["answers"]) == 3
    assert tightrope("draw", file, "a").code == 2


def test_the_document_of_a_column_of_sets_reads_sets(tightrope, folder):
    (folder / "t.csv").write_text("drinks\ntea|milk\n{}\ntea\n")
    tightrope("sanitize", "t.csv", "--column", "drinks", "--values", "sets:tea/milk",
              "--epsilon", "1", "-o", "first.csv")
    found = tightrope("draw", "first.csv.drinks.mechanism.json", "--column", "drinks", "t.csv",
                      "-o", "second.csv", "--json")
    assert found.json["rows"] == 3
    cells = (folder / "second.csv").read_text().split()[1:]
    assert set(cells) <= {"tea", "milk", "tea|milk", "{}"}


def test_a_number_on_the_line_is_answered_with_a_multiple_of_the_grid(tightrope, folder):
    line = RealLine(Intervals.of([(0, 1)]))
    stairs = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(1))
    proved = certified(LineMechanism(line, stairs, Fraction(1, 4)), LEVEL)
    tr.save(proved, folder / "line.json")
    (found,) = tightrope("draw", "line.json", "1000.3", "--json").json["answers"]
    assert (4 * Fraction(found)).denominator == 1
    assert abs(Fraction(found) - 1000) < 200
    assert tightrope("draw", "line.json", "much").code == 2


def test_whole_datasets_are_not_typed(tightrope, folder):
    median = QuantileMechanism(Records(3, 0, 9), 2, Fraction(2))
    tr.save(certified(median, tr.Level.ratio(4)), folder / "q.json")
    (folder / "t.csv").write_text("n\n1\n")
    for typed in (["4"], ["--column", "n", "t.csv", "-o", "out.csv"]):
        answer = tightrope("draw", "q.json", *typed)
        assert answer.code == 2
        assert "answers whole datasets" in answer.sentence


def test_a_negative_value_is_told_where_to_stand(tightrope, folder):
    tightrope("design", "path:-2..2", "--ratio", "2", "-o", "m.json")
    refused = tightrope("draw", "m.json", "-1")
    assert refused.code == 2
    assert "Values that start with a minus stand after --." in refused.sentence
    drawn = tightrope("draw", "m.json", "--json", "--", "-1")
    assert drawn.json["answers"][0] in range(-2, 3)
