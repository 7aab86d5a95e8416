"""`tightrope theory thresholds`, and what `design` says without tight constraints."""

from math import log

import pytest


def test_an_endpoint_lies_between_two_proved_levels(tightrope):
    answer = tightrope("theory", "thresholds", "star:5", "--json")
    assert answer.code == 0
    (interval,) = answer.json["intervals"]
    assert interval["high"] is None
    assert interval["low"]["below"] < log(4) < interval["low"]["above"]
    assert interval["low"]["digits"] == 6


def test_two_intervals_are_shown_as_two(tightrope, folder):
    links = [(a, b) for a in "abc" for b in "xyz"] + [("a", "b")]
    lines = ["from,to", *(f"{a},{b}" for a, b in links)]
    (folder / "k33.csv").write_text("\n".join(lines) + "\n")
    answer = tightrope("theory", "thresholds", "edges:k33.csv")
    assert answer.code == 0
    rows = [line.split() for line in answer.out.splitlines()]
    assert ["ε", "from", "to"] in rows
    assert ["0.0625", "(the", "least", "looked", "at)", "0.346574", "=", "ln(2)/2"] in rows
    assert ["0.693147", "=", "ln(2)", "infinity"] in rows


def test_levels_that_were_not_reached_in_time_are_open(tightrope):
    answer = tightrope("theory", "thresholds", "counts:people=3,queries=2", "--time", "1e-9",
                       "--json")
    assert answer.code == 0
    assert answer.json["finished"] is False
    assert answer.json["open"] == [[0.0625, answer.json["from"]]]
    assert answer.json["intervals"] == [{"low": None, "high": None}]
    assert tightrope("theory", "thresholds", "star:5", "--time", "0").code == 2


def test_asked_for_by_name_a_missing_mechanism_is_answered_with_no(tightrope):
    answer = tightrope("design", "star:5", "--ratio", "2", "--construction", "tight", "--json")
    assert answer.code == 1
    assert "negative at the point 0, at most -0.666666667" in answer.json["error"]
    assert answer.json["kind"] == "Infeasible"


def test_without_a_name_the_best_that_exists_is_found(tightrope):
    answer = tightrope("design", "star:5", "--ratio", "2", "--json")
    assert answer.code == 0
    assert answer.json["construction"] == "optimal"
    rows = {row["construction"]: row for row in
            tightrope("compare", "star:5", "--ratio", "2", "--json").json["rows"]}
    assert not rows["tight"]["certified"]
    assert "negative at the point 0" in rows["tight"]["reason"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [("p.csv", "0.5\n0.2\n0.2\n", "adds up to 0.9"), ("p.csv", "0.5\n0.5\n", "3")],
)
def test_a_prior_that_does_not_fit_is_refused(tightrope, folder, name, content, said):
    (folder / name).write_text(content)
    for command in (("design", "categories:3", "--epsilon", "1", "--construction", "tight"),
                    ("theory", "thresholds", "categories:3")):
        answer = tightrope(*command, "--prior", name)
        assert answer.code == 2
        assert said in answer.err
        assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("edges:f.csv", "from,to\na,b\nc,d\n"),
        ("points:f.csv", "name,x,y\na,0,0\nb,0,0\nc,1,1\n"),
        ("matrix:f.csv", ",a,b,c\na,0,1,2\nb,1,0,\nc,2,1,0\n"),
        ("matrix:f.csv", ",a,b\na,0,0\nb,0,0\n"),
    ],
    ids=["disconnected", "same place", "missing entry", "distance 0"],
)
def test_spaces_that_are_no_metric_are_refused(tightrope, folder, text, content):
    (folder / "f.csv").write_text(content)
    for command in (("design", text, "--epsilon", "1", "--construction", "tight"),
                    ("theory", "thresholds", text)):
        answer = tightrope(*command)
        assert answer.code == (1 if "finite" in answer.err and "tight" in command else 2), answer
        assert "Traceback" not in answer.err


@pytest.mark.parametrize("least", ["0", "-1", "soon"])
def test_a_least_level_must_be_a_number_above_zero(tightrope, least):
    assert tightrope("theory", "thresholds", "star:3", "--from", least).code == 2


@pytest.mark.parametrize("least", ["0", "-1", "nan", "inf", "1e400", "1e7", "1/0", "much"])
def test_a_least_level_out_of_range_is_refused_in_one_short_sentence(tightrope, least):
    answer = tightrope("theory", "thresholds", "grid:3x3", "--from", least)
    assert answer.code == 2
    assert "expected a least level above 0" in answer.err
    assert len(answer.err) < 120


@pytest.mark.parametrize("space", ["sets:60", "hamming:values=10,people=30", "path:0..1000000000"])
def test_closed_forms_answer_for_spaces_that_no_memory_holds(tightrope, space):
    answer = tightrope("theory", "thresholds", space, "--json")
    assert answer.code == 0
    assert answer.json["from"] == 0
    assert answer.json["intervals"] == [{"low": None, "high": None}]
    page = tightrope("theory", "thresholds", space).out
    assert ["0", "infinity"] in [line.split() for line in page.splitlines()]


@pytest.mark.parametrize(
    "space", ["grid:1000x1000", "star:1000000", "counts:people=1000,queries=5",
              "histogram:people=1000,cells=5", "sets:60 ^ path:0..3"],
)
def test_spaces_that_are_too_large_are_refused_by_their_size(tightrope, space):
    answer = tightrope("theory", "thresholds", space)
    assert answer.code == 2
    assert "more than the limit of 10,000" in " ".join(answer.err.split())


def test_what_is_not_decided_is_said_in_words(tightrope):
    answer = tightrope("theory", "thresholds", "counts:people=3,queries=2", "--time", "1e-9")
    assert answer.code == 0
    assert "not decided" in answer.out
    assert "Proved for every other level" in answer.out
    assert "[[" not in answer.out
