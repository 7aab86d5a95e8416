import csv
import json

import pytest

OPTIONS = ("--column", "answer", "--values", "no/yes", "--epsilon", "1")


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_only_the_column_changes(tightrope, survey, folder):
    answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--json")
    assert answer.code == 0
    before, after = rows_of(folder / survey), rows_of(folder / "out.csv")
    assert len(after) == 400 == answer.json["rows"]
    assert {row["answer"] for row in after} == {"no", "yes"}
    assert [row["answer"] for row in after] != [row["answer"] for row in before]
    for name in ("id", "color", "age"):
        assert [row[name] for row in after] == [row[name] for row in before]


def test_the_mechanism_stands_beside_and_is_proved(tightrope, survey, folder):
    found = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--json").json
    assert found["mechanism"] == "out.answer.mechanism.json"
    form = json.loads((folder / found["mechanism"]).read_text())["mechanism"]
    assert form["form"] == "table"
    assert form["rows"] == 400
    checked = tightrope("verify", found["mechanism"], "--json")
    assert checked.code == 0
    assert checked.json["epsilon"] <= 1


def test_several_columns_share_the_level(tightrope, survey, folder):
    found = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes",
        "--column", "color", "--values", "0/1/2", "--ratio", "9", "-o", "out.parquet", "--json",
    ).json
    assert found["epsilon_total_text"] == "ln(9)"
    assert [column["epsilon_text"] for column in found["columns"]] == ["ln(9)/2", "ln(9)/2"]
    # e^ε = 3 for each: the truth with probability 3/4, and 3/5 among three
    assert [column["kept"] for column in found["columns"]] == [0.75, 0.6]
    assert found["clear"] == ["id", "age"]
    assert len(found["mechanism"]) == 2
    for path in found["mechanism"]:
        assert tightrope("verify", path).code == 0


def test_people_are_told_what_is_protected_and_what_is_not(tightrope, survey):
    said = " ".join(tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv").out.split())
    assert "protected answer: ε = 1" in said
    assert "in clear id, color, age" in said
    assert "any number of questions" in said
    assert "tightrope estimate out.csv --column answer" in said


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_a_value_outside_the_declared_ones_is_not_revealed(tightrope, survey, folder, flag):
    with (folder / survey).open("a") as lines:
        lines.write("400,perhaps,0,30\n")
    answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", *flag)
    assert answer.code == 2
    assert "perhaps" not in answer.out + answer.err
    assert [path.name for path in folder.iterdir()] == [survey]


def test_the_curator_is_told_how_many_and_which(tightrope, survey, folder):
    with (folder / survey).open("a") as lines:
        lines.write("400,perhaps,0,30\n401,perhaps,0,30\n")
    answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--curator")
    assert answer.code == 2
    assert "'perhaps' (2)" in answer.sentence
    assert "not private" in answer.sentence
    assert [path.name for path in folder.iterdir()] == [survey]


def test_values_must_be_declared(tightrope, survey):
    answer = tightrope(
        "sanitize", survey, "--column", "answer", "--epsilon", "1", "-o", "o.csv"
    )
    assert answer.code == 2
    assert "--values" in answer.sentence


def test_every_column_has_its_values(tightrope, survey):
    answer = tightrope("sanitize", survey, *OPTIONS, "--column", "color", "-o", "o.csv")
    assert answer.code == 2
    assert "2 columns and 1 lists" in answer.sentence


def test_existing_tables_and_mechanisms_are_left_alone(tightrope, survey, folder):
    for name in ("out.csv", "out.answer.mechanism.json"):
        (folder / name).write_text("mine")
        answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv")
        assert answer.code == 2
        assert f"{name} exists" in answer.sentence
        assert (folder / name).read_text() == "mine"
        (folder / name).unlink()
        assert [path.name for path in folder.iterdir()] == [survey]


def test_a_small_batch_gives_all_rows(tightrope, survey, folder):
    assert tightrope("sanitize", survey, *OPTIONS, "--batch", "7", "-o", "out.csv").code == 0
    assert len(rows_of(folder / "out.csv")) == 400


def test_one_value_is_no_choice(tightrope, survey):
    answer = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no", "--epsilon", "1", "-o", "o.csv"
    )
    assert answer.code == 2
    assert "separated by /" in answer.sentence


def test_column_names_that_meet_in_a_file_name_are_refused(tightrope, folder):
    (folder / "t.csv").write_text("a b,a_b\nno,no\nyes,yes\n")
    answer = tightrope(
        "sanitize", "t.csv", "--column", "a b", "--values", "no/yes",
        "--column", "a_b", "--values", "no/yes", "--epsilon", "1", "-o", "o.csv",
    )
    assert answer.code == 2


def test_a_column_given_twice_is_named(tightrope, survey, folder):
    answer = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes", "--column", "answer",
        "--values", "no/yes", "--epsilon", "1", "-o", "out.csv",
    )
    assert answer.code == 2
    assert "the column 'answer' is given twice" in answer.sentence
    assert not (folder / "out.csv").exists()
