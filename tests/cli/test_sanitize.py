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
    assert found["mechanism"] == "out.csv.answer.mechanism.json"
    form = json.loads((folder / found["mechanism"]).read_text())["mechanism"]
    assert form["form"] == "table"
    assert form["rows"] == 400
    checked = tightrope("verify", found["mechanism"], "--json")
    assert checked.code == 0
    assert checked.json["epsilon"] <= 1


def test_several_columns_share_the_level(tightrope, survey, folder):
    found = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes",
        "--column", "color", "--values", "0/1/2", "--ratio", "9", "--split", "even",
        "-o", "out.parquet", "--json",
    ).json
    assert found["epsilon_total_text"] == "ln(9)"
    assert [column["epsilon_text"] for column in found["columns"]] == ["ln(3)", "ln(3)"]
    # e^ε = 3 for each: the truth with probability 3/4, and 3/5 among three
    assert [column["kept"] for column in found["columns"]] == [0.75, 0.6]
    assert found["clear"] == ["id", "age", "(order of rows)"]
    assert len(found["mechanism"]) == 2
    for path in found["mechanism"]:
        assert tightrope("verify", path).code == 0


def test_people_are_told_what_is_protected_and_what_is_not(tightrope, survey):
    said = " ".join(tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv").out.split())
    assert "protected answer in clear" in said
    assert "answer ε = 1 randomized-response 0.731" in said  # e/(e + 1)
    assert "in clear id, color, age" in said
    assert "any number of questions" in said
    assert "tightrope estimate out.csv --column answer" in said


@pytest.mark.parametrize("flag", [(), ("--json",)])
def test_a_value_outside_the_declared_ones_is_not_revealed(tightrope, survey, folder, flag):
    with (folder / survey).open("a") as lines:
        lines.write("400,perhaps,0,30\n")
    answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", *flag)
    assert answer.code == 0
    assert "perhaps" not in answer.out + answer.err + (folder / "out.csv").read_text()
    assert len(rows_of(folder / "out.csv")) == 401


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
    assert "2 columns and 1 of --values" in answer.sentence


def test_existing_tables_and_mechanisms_are_left_alone(tightrope, survey, folder):
    for name in ("out.csv", "out.csv.answer.mechanism.json"):
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


def test_the_level_goes_where_it_helps_most_and_adds_up(tightrope, survey):
    found = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes",
        "--column", "color", "--values", "0/1/2", "--epsilon", "2", "-o", "out.csv", "--json",
    ).json
    shares = [column["epsilon"] for column in found["columns"]]
    assert sum(shares) == found["epsilon_total"] == 2
    assert shares[0] < shares[1]  # three values need more than two


def test_a_column_of_numbers_is_cut_into_cells(tightrope, survey, folder):
    found = tightrope(
        "sanitize", survey, "--column", "age", "--values", "bins:20,30,45.5,69", "--epsilon", "3",
        "-o", "out.csv", "--json",
    ).json
    cells = ["[20, 30)", "[30, 45.5)", "[45.5, 69]"]
    assert found["columns"][0]["values"] == cells
    assert {row["age"] for row in rows_of(folder / "out.csv")} == set(cells)
    rows = tightrope("estimate", "out.csv", "--column", "age", "--mechanism", found["mechanism"],
                     "--interval", "score", "--estimator", "simplex", "--json").json["rows"]
    assert [row["value"] for row in rows] == cells
    assert sum(row["estimate"] for row in rows) == pytest.approx(1)


def test_numbers_out_of_bounds_count_in_the_nearest_cell_and_are_refused_to_a_curator(
    tightrope, survey
):
    arguments = ("sanitize", survey, "--column", "age", "--values", "bins:20,30,40",
                 "--epsilon", "1", "-o", "out.csv")
    answer = tightrope(*arguments, "--curator")
    assert answer.code == 2
    assert "outside the declared" in answer.sentence
    assert tightrope(*arguments).code == 0


@pytest.fixture
def hobbies(folder):
    cells = ["sport|tv", "tv", '""', "{}", "books | sport", "books"] * 400
    (folder / "h.csv").write_text("id,likes\n" + "\n".join(f"{i},{c}" for i, c in enumerate(cells)))
    return "h.csv"


def test_sets_of_items_are_randomized_item_by_item(tightrope, hobbies, folder):
    found = tightrope("sanitize", hobbies, "--column", "likes", "--values", "sets:sport/tv/books",
                      "--epsilon", "12", "-o", "out.csv", "--json").json
    assert found["columns"][0]["values"] == ["sport", "tv", "books"]
    assert tightrope("verify", found["mechanism"]).code == 0
    rows = tightrope("estimate", "out.csv", "--column", "likes", "--mechanism",
                     found["mechanism"], "--json").json["rows"]
    assert [row["value"] for row in rows] == ["sport", "tv", "books"]
    for row in rows:
        assert row["estimate"] == pytest.approx(1 / 3, abs=0.05)  # six standard deviations


def test_missing_cells_are_refused_to_a_curator_or_a_value_of_their_own(tightrope, folder):
    (folder / "m.csv").write_text("id,answer\n" + "1,no\n2,\n3,yes\n" * 200)
    assert tightrope("sanitize", "m.csv", *OPTIONS, "-o", "out.csv", "--curator").code == 2
    found = tightrope("sanitize", "m.csv", "--column", "answer", "--values", "no/yes",
                      "--ratio", "99", "--missing", "value", "-o", "out.csv", "--json").json
    assert found["columns"][0]["values"] == ["no", "yes", "(missing)"]
    kept = [row["answer"] for row in rows_of(folder / "out.csv")]
    assert set(kept) == {"no", "yes", ""}
    rows = tightrope("estimate", "out.csv", "--column", "answer", "--mechanism",
                     found["mechanism"], "--estimator", "likelihood", "--json").json["rows"]
    assert rows[2]["value"] == "(missing)"
    assert rows[2]["estimate"] == pytest.approx(1 / 3, abs=0.05)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--values", "bins:3,2,1"), "increasing order"),
        (("--values", "bins:1,x,3"), "bounds as in"),
        (("--values", "sets:a"), "two or more different items"),
        (("--values", "sets:a/a"), "different items"),
        (("--values", "no/yes", "--missing", "maybe"), "expected first, value"),
        (("--values", "sets2:a/b", "--missing", "a|c"), "is not declared"),
        (("--values", "no/yes", "--split", "odd"), "is not one of 'error', 'margins', 'even'"),
        (("--values", "no/yes", "--epsilon", "0"), "above 0"),
    ],
)
def test_bad_domains_are_one_sentence(tightrope, survey, options, said):
    level = () if "--epsilon" in options else ("--epsilon", "1")
    answer = tightrope("sanitize", survey, "--column", "answer", *options, *level, "-o", "o.csv")
    assert answer.code == 2
    assert said in answer.sentence


def test_a_column_given_twice_is_named(tightrope, survey, folder):
    answer = tightrope(
        "sanitize", survey, "--column", "answer", "--values", "no/yes", "--column", "answer",
        "--values", "no/yes", "--epsilon", "1", "-o", "out.csv",
    )
    assert answer.code == 2
    assert "the column 'answer' is given twice" in answer.sentence
    assert not (folder / "out.csv").exists()


TWO = ("--column", "color", "--values", "0/1/2", *OPTIONS)


def test_the_mechanism_of_a_column_that_is_now_in_clear_is_removed(tightrope, survey, folder):
    tightrope("sanitize", survey, *TWO, "-o", "out.csv")
    (folder / "out.csv.notes.mechanism.json").write_text("of no column")
    found = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--force", "--json").json
    assert found["removed"] == ["out.csv.color.mechanism.json"]
    assert {path.name for path in folder.glob("out.*")} == {
        "out.csv", "out.csv.answer.mechanism.json", "out.csv.notes.mechanism.json"}
    assert "color" in found["clear"]
    again = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--force", "--json").json
    assert again["removed"] == []


def test_a_mechanism_that_is_left_alone_is_a_refusal_before_any_row(tightrope, survey, folder):
    tightrope("sanitize", survey, *TWO, "-o", "out.csv")
    (folder / "out.csv").unlink()
    (folder / "out.csv.answer.mechanism.json").unlink()
    answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv")
    assert answer.code == 2
    assert answer.sentence.startswith("out.csv.color.mechanism.json is the mechanism of a")
    assert not (folder / "out.csv").exists()


def test_only_what_an_earlier_run_wrote_is_removed(tightrope, survey, folder):
    tightrope("sanitize", survey, *TWO, "-o", "out.csv")
    stale = folder / "out.csv.color.mechanism.json"
    ours = stale.read_text()
    designed = tightrope("design", "categories:3", "--epsilon", "1", "-o", "d.json")
    assert designed.code == 0
    for content in ("notes", "{}", ours.replace('"rows": 400', '"rows": 401'),
                    (folder / "d.json").read_text()):
        assert content != ours
        stale.write_text(content)
        before = (folder / "out.csv").read_text()
        answer = tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--force")
        assert answer.code == 2
        assert stale.read_text() == content
        assert (folder / "out.csv").read_text() == before
    stale.write_text(ours)
    (folder / "out.parquet").write_bytes(b"another table, with documents of its own")
    assert tightrope("sanitize", survey, *OPTIONS, "-o", "out.csv", "--force").code == 0
    assert not stale.exists()


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_full_disk_leaves_table_and_mechanism_as_they_were(tightrope, folder, full_disk, force):
    """The table has some bytes, its mechanism thousands: the names of 200 values."""
    (folder / "t.csv").write_text("word\nw0\nw1\n")
    asked = ("--column", "word", "--values", "/".join(f"w{i}" for i in range(200)))
    if force:
        assert tightrope("sanitize", "t.csv", *asked, "--epsilon", 1, "-o", "out.csv").code == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    full_disk(1000)
    answer = tightrope("sanitize", "t.csv", *asked, "--epsilon", 9, "-o", "out.csv", *force)
    full_disk()
    assert answer.code == 4
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_rows_pass_from_standard_input_to_standard_output(tmp_path):
    """As one program between two others: rows on standard output, and nothing else."""
    import subprocess
    import sys

    command = [sys.executable, "-m", "tightrope", "sanitize", "-", "--column", "c", "--values",
               "no/yes", "--ratio", "1e30", "--drop", "id", "-o", "-", "--documents", "t.csv"]
    done = subprocess.run(command, input=b"id,c,d\n1,no,x\n2,yes,y\n", cwd=tmp_path, check=True,
                          capture_output=True)
    assert done.stdout == b"c,d\nno,x\nyes,y\n"
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv.c.mechanism.json"]
    again = subprocess.run(command, input=b"id,c\n", cwd=tmp_path, capture_output=True, check=False)
    assert (again.returncode, again.stdout) == (2, b"")
    assert b"exists" in again.stderr


@pytest.mark.parametrize(("words", "said"), [
    (["-o", "-"], "no file for mechanisms to lie beside"),
    ([], "name the new table: -o FILE"),
    (["--assume-rows", "9", "-o", "o.csv"], "--assume-rows is for --dry-run"),
    (["--dry-run", "--assume-rows", "0"], "whole number of rows above 0"),
    (["--keep", "a", "--drop", "b", "-o", "o.csv"], "not both"),
    (["--weight", "1", "--weight", "2", "-o", "o.csv"], "expected one --weight for each"),
    (["--missing", "maybe", "-o", "o.csv"], "not declared"),
    (["--aim", "mean", "--protocol", "unary", "-o", "o.csv"], "leave out the protocol"),
    (["--keep", "id,nope", "-o", "o.csv"], "names no column 'nope'"),
])
def test_options_that_cannot_be_meant_are_refused(tightrope, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("id,c\n1,no\n")
    ran = tightrope("sanitize", "t.csv", "--column", "c", "--values", "no/yes", "--epsilon", "1",
                    *words)
    assert ran.code == 2
    assert said in " ".join(ran.sentence.split())
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_a_dry_run_reads_no_row(tightrope, tmp_path, monkeypatch):
    """What it says is the same whatever rows there are, and it writes nothing."""
    monkeypatch.chdir(tmp_path)
    said = []
    for rows in ("", "1,no\n" * 500, "\x00,,,\n"):
        (tmp_path / "t.csv").write_text(f"id,c\n{rows}")
        ran = tightrope("sanitize", "t.csv", "--column", "c", "--values", "no/yes", "--epsilon",
                        "1", "--dry-run", "--assume-rows", "400", "--keep", '"id"')
        assert ran.code == 0
        said.append(ran.out)
    assert len(set(said)) == 1
    assert "No row was read" in said[0]
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
