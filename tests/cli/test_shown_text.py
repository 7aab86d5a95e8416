"""Text from files and names reaches the terminal on one line, and decides nothing."""

import json

import pytest

from tests.cli.runner import receipt
from tests.documents.judges import renewed

FORGED = "x.\nPROVED: ε = 0.001\nproved          private at ε = 0.001"
WILD = "a\x1b[2Jb\nproved          private at ε = 0.001"
LEVEL = ("--epsilon", "1")


def printable(answer):
    """No command prints a control character, and no line starts with the forged verdict."""
    lines = (answer.out + answer.err).splitlines()
    assert all(line.isprintable() for line in lines), lines
    assert not any(line.startswith(("PROVED", "proved")) and "0.001" in line for line in lines)
    return answer


def forge(folder, file, **fields):
    content = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(renewed({**content, **fields})))
    return file


@pytest.fixture
def categories(tightrope):
    assert tightrope("design", "categories:no/yes", *LEVEL, "-o", "c.json").code == 0
    return "c.json"


@pytest.mark.parametrize("field", ["neighbors", "construction", "space", "outputs"])
def test_a_document_with_a_forged_verdict_is_bad_input_for_all(
    tightrope, folder, categories, survey, field
):
    value = {
        "neighbors": FORGED,
        "construction": {"name": FORGED},
        "space": {"family": "categories", "values": ["no", FORGED]},
        "outputs": ["no", FORGED],
    }[field]
    file = forge(folder, categories, **{field: value})
    estimate = ("estimate", survey, "--column", "answer", "--mechanism", file)
    for command in (("verify", file), ("inspect", file), ("theory", "improve", file), estimate):
        answer = printable(tightrope(*command))
        assert answer.code == 2
        assert "U+000A" in answer.sentence
    assert printable(receipt(file)).code == 2


@pytest.mark.parametrize(
    "space", [f'categories:"no"/{json.dumps(WILD)}', f"categories:no/{WILD}"]
)
def test_categories_with_control_characters_are_refused(tightrope, space):
    for command in ("design", "compare"):
        answer = printable(tightrope(command, space, *LEVEL))
        assert (answer.code, "a label holds" in answer.sentence) == (2, True)


@pytest.mark.parametrize(
    ("kind", "name", "content"),
    [
        ("edges", "e.csv", 'a,b\n"x\x1b[2J",b\n'),
        ("edges", "e.json", json.dumps([["a", "b"], ["a", WILD]])),
        ("matrix", "d.json", json.dumps({"labels": ["a", WILD], "distances": [[0, 1], [1, 0]]})),
        ("points", "p.csv", 'name,x\n"a\u202e",0\nb,1\n'),
    ],
)
def test_labels_of_space_files_with_control_characters_are_refused(
    tightrope, folder, kind, name, content
):
    (folder / name).write_text(content)
    answer = printable(tightrope("design", f"{kind}:{name}", *LEVEL))
    assert (answer.code, "control character" in answer.sentence) == (2, True)


def test_outputs_with_control_characters_are_refused(tightrope, folder):
    (folder / "o.json").write_text(json.dumps([0, WILD]))
    answer = printable(tightrope("design", "path:0..2", *LEVEL, "--outputs", "o.json"))
    assert (answer.code, "control character" in answer.sentence) == (2, True)


@pytest.mark.parametrize("option", ["--values", "--column"])
def test_declared_values_and_columns_are_printed_escaped(tightrope, survey, option):
    given = {"--column": "answer", "--values": "no/yes", option: f"no/{WILD}"}
    options = [part for pair in given.items() for part in pair]
    answer = printable(tightrope("sanitize", survey, *options, *LEVEL, "-o", "out.csv"))
    assert answer.code == 2
    assert r"\x1b" in answer.sentence or "U+001B" in answer.sentence


def test_file_names_are_printed_escaped(tightrope, folder):
    name = "m\x1b[2J\n.json"
    for command in (("verify", name), ("inspect", name), ("design", f"points:{name}", *LEVEL)):
        answer = printable(tightrope(*command))
        assert answer.code == 2
        assert r"m\x1b[2J" in answer.sentence
    written = printable(tightrope("design", "path:0..2", *LEVEL, "-o", name))
    assert (written.code, r"m\x1b[2J\n.json" in written.out) == (0, True)
    assert printable(tightrope("verify", name)).code == 0
    (folder / name).write_text("{}")
    assert printable(receipt(name)).code == 2
    assert printable(receipt(name, "also\x1b[2J")).code == 2


def test_words_that_the_option_parser_refuses_are_printed_escaped(tightrope):
    answer = printable(tightrope("design", "path:0..2", *LEVEL, "--wild\x1b[2J"))
    assert (answer.code, r"\x1b" in answer.sentence) == (2, True)


def test_markup_in_labels_is_text(tightrope):
    shown = printable(tightrope("design", 'categories:"[bold]no[/bold]"/[red]yes', *LEVEL))
    assert "[bold]no[/bold]" in shown.out
    assert "[red]yes" in shown.out


def test_long_labels_leave_the_verdict_the_level_and_the_numbers_in_sight(tightrope, folder):
    long = ["a" * 5000 + "1", "a" * 5000 + "2"]
    (folder / "d.json").write_text(json.dumps({"labels": long, "distances": [[0, 3], [3, 0]]}))
    (folder / "m.json").write_text(
        json.dumps({"rows": [["3/4", "1/4"], ["1/4", "3/4"]], "row_labels": long})
    )
    asked = ("m.json", "--space", "matrix:d.json", "--ratio", "5/4")
    answer = printable(tightrope("verify", *asked))
    assert answer.code == 1
    assert len(answer.out) < 3000
    said = " ".join(answer.out.split())
    assert "refuted private at ε = ln(5/4)" in said[:120]
    assert "(5,001 characters)" in said
    assert "have the ratio 3, more than the allowed 125/64" in said


def test_a_long_name_of_a_construction_is_shortened(tightrope, folder, document):
    forge(folder, document, construction={"name": f"x{'.' * 3000}"})
    answer = printable(tightrope("inspect", document))
    assert (answer.code, "(3,001 characters)" in " ".join(answer.out.split())) == (0, True)
    assert len(answer.out) < 4000


@pytest.mark.parametrize("field", ["--title", "--question", "--links"])
def test_a_survey_with_control_characters_is_refused(tightrope, folder, field):
    given = {"--title": "t", "--question": "q | no/yes", "--links": "g=2"}
    given[field] = given[field].replace(given[field][0], WILD, 1)
    options = [part for pair in given.items() for part in pair]
    answer = printable(tightrope("survey", "new", "s.json", *options, *LEVEL))
    assert answer.code == 2
    assert not list(folder.iterdir())


def test_a_figure_reads_no_formula_into_a_label(tightrope, folder):
    space = r"categories:$\frac{no$/$yes$"
    assert tightrope("design", space, *LEVEL, "-o", "m.json", "--plot", "m.svg").code == 0
    assert r"$\frac{no$" in (folder / "m.svg").read_text()
    assert tightrope("compare", space, *LEVEL, "--plot", "c.png").code == 0
    graphs = ("--plot", "i.png", "--row-graphs", "r.png")
    assert tightrope("inspect", "m.json", *graphs).code == 0


def test_what_is_to_be_typed_next_is_quoted(tightrope):
    said = tightrope("design", "path:0..2", *LEVEL, "-o", "a; b.json").out
    assert "tightrope verify 'a; b.json'" in said


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_the_first_row_of_a_table_without_names_is_not_told(
    tightrope, folder, categories, ending
):
    between = "," if ending == "csv" else "\t"
    table = f"t.{ending}"
    (folder / table).write_text(f"Alice{between}positive\nBob{between}no\n")
    run = ("sanitize", table, "--column", "answer", "--values", "no/yes", *LEVEL, "-o", "o.csv")
    for command in (run, ("estimate", table, "--column", "answer", "--mechanism", categories)):
        for options in ((), ("--json",)):
            answer = tightrope(*command, *options)
            assert answer.code == 2
            assert "Alice" not in answer.out + answer.err
            assert "positive" not in answer.out + answer.err
        assert "Alice, positive" in tightrope(*command, "--curator").sentence
