from math import log

import pytest


def test_every_level_has_its_rows_and_the_bound_falls(tightrope):
    found = tightrope(
        "tradeoff", "path:0..5", "--epsilons", "0.5:1.5:0.5", "--loss", "absolute", "--json"
    ).json
    levels = sorted({row["epsilon"] for row in found["rows"]})
    assert levels == [0.5, 1.0, 1.5]
    bounds = [max(r["bound"] for r in found["rows"] if r["epsilon"] == e) for e in levels]
    assert bounds == sorted(bounds, reverse=True)
    assert all(row["value"] >= row["bound"] for row in found["rows"])


def test_a_picture_is_drawn_on_request(tightrope, folder):
    options = ("--epsilons", "1:2:1", "--plot", "t.svg", "--json")
    assert tightrope("tradeoff", "categories:3", *options).json["picture"] == "t.svg"
    assert b"<svg" in (folder / "t.svg").read_bytes()


def test_people_see_a_table(tightrope):
    said = tightrope("tradeoff", "categories:3", "--epsilons", "1:2:1").out
    assert "randomized-response" in said
    assert "best saves at most" in said


@pytest.mark.parametrize("text", ["1,", "0.5,x", "-1,1", "1:2", "-1:1:0.5", "2:1:0.5", "1:2:0",
                                  "a:b:c", "1:2:1e-9"])
def test_a_range_that_is_none_is_refused(tightrope, text):
    answer = tightrope("tradeoff", "categories:3", "--epsilons", text)
    assert answer.code == 2
    assert answer.sentence


def test_levels_may_be_a_list(tightrope):
    listed = tightrope("tradeoff", "categories:3", "--epsilons", "1, 3/2,2", "--json").json
    assert listed == tightrope("tradeoff", "categories:3", "--epsilons", "1:2:0.5", "--json").json


def test_a_query_a_measure_and_a_cover_from_files_are_asked_about(tightrope, folder):
    (folder / "q.csv").write_text("dataset,value\n0,1\n1,1\n2,5\n3,6\n")
    (folder / "m.csv").write_text("value,weight\n1,2\n6,1\n")
    (folder / "c.csv").write_text("1\n5\n6\n")
    ask = ("theory", "accuracy", "path:0..3", "--query", "q.csv", "--values", "path:0..7",
           "--radius", 1, "--failure", "0.1")
    found = tightrope(*ask, "--measure", "m.csv", "--cover", "c.csv", "--json").json
    # 1 and 5 are one step apart and share no answer: odds of 9 to 1 in one step
    assert found["lower"] <= log(9) <= found["upper"]
    assert (found["lipschitz"], found["values"]) == (4.0, "path:0..7")
    assert [row["base"] for row in found["exponential"]][3:] == ["given", "given cover"]
    page = tightrope(*ask, "--plot", "p.svg")
    assert "Lipschitz constant 4" in " ".join(page.out.split())
    assert b"<svg" in (folder / "p.svg").read_bytes()


@pytest.mark.parametrize(
    ("content", "option", "said"),
    [
        ("value,weight\n0,0\n1,0\n", "--measure", "zero everywhere"),
        ("0\n", "--cover", "does not cover"),
        ("9\n", "--cover", "not a point"),
    ],
)
def test_a_measure_of_nothing_and_a_cover_with_holes_exit_with_2(
    tightrope, folder, content, option, said
):
    (folder / "f.csv").write_text(content)
    run = tightrope("theory", "accuracy", "path:0..4", "--radius", 1, "--failure", "0.1", option,
                    "f.csv")
    assert run.code == 2
    assert said in run.err
