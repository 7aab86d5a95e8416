"""Numbers and names beyond all reason: one sentence, the right exit code, nothing written."""

import pytest

TINY, HUGE, LONG = "1e-400", "1e400", "9" * 5000
NEW = ("survey", "new", "s.json", "--question", "Ever?")
PLAN = ("survey", "plan", "--ratio", 3)


@pytest.fixture(autouse=True)
def files(folder):
    (folder / "m.csv").write_text("0.5,0.25,0.25\n0.25,0.5,0.25\n0.25,0.25,0.5\n")
    (folder / "t.csv").write_text("c\na\nb\n")


@pytest.mark.parametrize("value", [TINY, "1/" + "9" * 900, "1e-320", "ln(2)/" + "9" * 900, LONG])
@pytest.mark.parametrize("command", [
    ("design", "path:0..999999"), ("verify", "m.csv", "--space", "path:0..2"),
    ("certify", "m.csv", "--space", "path:0..2"), ("survey", "plan"), NEW,
    ("sanitize", "t.csv", "--column", "c", "--values", "a/b", "-o", "new.csv"),
], ids=lambda command: command[0])
def test_a_level_that_would_be_shown_as_zero_is_refused(tightrope, folder, command, value):
    before = set(folder.iterdir())
    answer = tightrope(*command, "--epsilon", value)
    assert answer.code == 2
    assert "a privacy level" in answer.sentence
    assert set(folder.iterdir()) == before


def test_a_delta_that_would_be_shown_as_zero_is_refused(tightrope):
    for command in (("design", "path:0..2"), ("survey", "plan")):
        answer = tightrope(*command, "--epsilon", 1, "--delta", TINY)
        assert answer.code == 2
        assert "a δ of 0 or of at least 1e-300" in answer.sentence
    found = tightrope("design", "path:0..2", "--ratio", 2, "--delta", "1e-300", "--json").json
    assert found["certified"] is True
    assert found["delta"] == 1e-300


@pytest.mark.parametrize("epsilon", ["101", "10000", "1000000"])
@pytest.mark.parametrize("command", [
    ("survey", "plan"), (*NEW, "--links", "a=2"), (*NEW, "--answers", "a/b/c"),
    (*NEW, "--design", "best"),
])
def test_a_survey_that_protects_nobody_is_refused_before_it_is_made(
    tightrope, folder, command, epsilon
):
    before = set(folder.iterdir())
    answer = tightrope(*command, "--epsilon", epsilon)
    assert answer.code == 2
    assert "at most 100 in a survey" in answer.sentence
    assert set(folder.iterdir()) == before


def test_the_largest_survey_shows_its_factor(tightrope, folder):
    """e^100 = 2.7 · 10^43, and e^5000 = 3.0 · 10^2171 for fifty questions."""
    asked = [part for i in range(50) for part in ("--question", f"{i}?")]
    one = tightrope("survey", "new", "one.json", "--question", "?", "--epsilon", 100).out
    assert "at most 10^44 " in one
    assert "owner's token" in one
    many = tightrope("survey", "new", "many.json", *asked, "--epsilon", 100).out
    assert "at most 10^2172 " in many


@pytest.mark.parametrize(("options", "words"), [
    (("--margin", "1e-300"), "about 10^600"),
    (("--margin", "1e-300", "--chebyshev"), "about 10^601"),
    (("--margin", TINY), "between 0 and 1"),
    (("--margin", "nan"), "between 0 and 1"),
    (("--confidence", HUGE), "between 0 and 1"),
    (("--prevalence", LONG), "from 0 to 1"),
    (("--difference", f"0.1:0.1{'0' * 300}1"), "about 10^60"),
])
def test_a_survey_beyond_all_people_is_refused(tightrope, options, words):
    answer = tightrope(*PLAN, *options)
    assert answer.code == 2
    assert words in answer.sentence


def test_a_confidence_next_to_one_is_planned(tightrope):
    found = tightrope(*PLAN, "--confidence", "0.9999999999999999", "--json").json
    assert 20_000 < found["rows"][0]["respondents"] < 40_000  # z is 8.3, (8.3/0.05)² is 27,556


def test_a_design_beyond_all_people_does_not_hide_the_others(tightrope):
    options = ("--epsilon", 1, "--delta", "1e-9")
    found = tightrope("survey", "plan", *options, "--json").json
    assert found["rows"][0]["design"] == "warner"
    assert "mangat" in found["left_out"]
    assert "Not listed, as more than 10^12" in tightrope("survey", "plan", *options).out


@pytest.mark.parametrize("number", [LONG, "٣", "1e3", "", "-1", "0x3"])
def test_the_links_of_a_group_are_counted_in_plain_digits(tightrope, folder, number):
    answer = tightrope(*NEW, "--ratio", 3, "--links", f"a={number}")
    assert answer.code == 2
    assert "GROUP=NUMBER" in answer.sentence


TARGETS = {
    "design": (("design", "path:0..2", "--ratio", 2, "-o"), ".json"),
    "certify": (("certify", "m.csv", "--space", "path:0..2", "--ratio", 2, "-o"), ".json"),
    "picture": (("theory", "polytope", 3, "--plot"), ".svg"),
    "sanitize": (("sanitize", "t.csv", "--column", "c", "--values", "a/b", "--ratio", 2, "-o"),
                 ".csv"),
    "survey": (("survey", "new", "--question", "?", "--ratio", 3), ".json"),
}


@pytest.mark.parametrize("place", ["x" * 300, "m.csv/x", "/proc/x", "missing/x", "x\0"])
@pytest.mark.parametrize("command", TARGETS)
def test_a_target_that_cannot_be_written_is_bad_input(tightrope, folder, command, place):
    arguments, ending = TARGETS[command]
    before = set(folder.iterdir())
    answer = tightrope(*arguments, place + ending)
    assert answer.code == 2
    assert "read" not in answer.sentence
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("options", [
    ("theory", "accuracy", "path:0..3", "--failure", "0.1", "--radius", TINY),
    ("theory", "accuracy", "path:0..3", "--radius", "1", "--failure", TINY),
    ("sanitize", "t.csv", "--column", "c", "--values", "a/b", "--ratio", 2, "-o", "."),
    ("sanitize", "t.csv", "--column", "c", "--values", "a/b", "--ratio", 2, "-o", ""),
    ("sanitize", "t.csv", "--column", "c", "--values", "a/b", "--ratio", 2, "-o", "new.csv",
     "--batch", "9" * 30),
], ids=lambda options: " ".join(map(str, options[-2:]))[:20])
def test_other_options_beyond_reason_are_bad_input(tightrope, folder, options):
    before = set(folder.iterdir())
    assert tightrope(*options).code == 2
    assert set(folder.iterdir()) == before


@pytest.mark.parametrize("name", ["x" * 300, "m.csv/x", ".", "", "x\0"])
@pytest.mark.parametrize("command", [
    ("verify",), ("inspect",), ("survey", "results"), ("survey", "plan", "--matrix"),
    ("design", "path:0..2", "--ratio", 2, "--outputs"),
], ids=lambda command: command[0])
def test_a_file_that_cannot_be_there_is_bad_input(tightrope, command, name):
    assert tightrope(*map(str, command), name).code == 2


@pytest.mark.parametrize("epsilon", ["1e-300", "1e-21", "601"])
def test_noise_that_takes_minutes_to_draw_is_refused_whatever_the_graph(
    tightrope, folder, epsilon
):
    (folder / "e.csv").write_text("a,b\n1,2\n2,3\n")
    answer = tightrope("network", "e.csv", "--count", "edges", "--nodes", "1..5",
                       "--epsilon", epsilon)
    assert answer.code == 2
    assert "an ε from 1e-20 to 600 for graphs" in answer.sentence
