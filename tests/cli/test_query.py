"""`tightrope theory query`: sensitivities and sets, against definitions written out here."""

import pytest


def test_sensitivities_and_sets_of_squares(tightrope, tmp_path):
    squares = tmp_path / "squares.csv"
    squares.write_text("dataset,value\n" + "".join(f"{x},{x * x}\n" for x in range(5)))
    found = tightrope("theory", "query", "path:0..4", "--query", squares, "--sets",
                      "privacy-first:radius=3",
                      "--json").json
    assert (found["sensitivity"], found["steepest"], found["kinds"]) == ("7", [3, 4], [])
    rows = {row["dataset"]: row for row in found["rows"]}
    assert rows[0]["local"] == ["1", "3", "5", "7"]
    assert rows[4]["local"] == ["7"]
    for x, row in rows.items():
        answers = {z: min(abs(x - y) for y in range(5) if abs(y * y - z) <= 3)
                   for z in (0, 1, 4, 9, 16)}
        assert {z: int(step) for step, held in row["sets"] for z in held} == answers


def test_words_for_queries(tightrope):
    for space, query, kinds in (
        ("cycle:5", "identity", ["linear", "monotone", "permutation", "identity"]),
        ("path:0..4", "identity", ["monotone", "permutation", "identity"]),
        ("hamming:values=2,people=3", "sum", []),
        ("hamming:values=2,people=3", "largest", []),
    ):
        values = ("--values", space) if query == "identity" else ()
        found = tightrope("theory", "query", space, "--query", query, *values, "--json").json
        assert found["kinds"] == kinds


def test_two_datasets_show_that_a_query_is_not_linear(tightrope):
    typed = ("theory", "query", "hamming:values=3,people=2", "--query", "sum")
    assert tightrope(*typed, "--json").json["uneven"] == [[0, 0], [0, 1]]
    shown = " ".join(tightrope(*typed).out.split())
    assert "not linear one step from (0, 0) changes the value by other amounts" in shown
    around = tightrope("theory", "query", "cycle:5", "--query", "identity", "--values", "cycle:5",
                       "--json")
    assert around.json["uneven"] is None


def test_people_see_a_table(tightrope):
    said = tightrope("theory", "query", "graphs:4", "--query", "triangles", "--sets", "ladder").out
    assert "sensitivity  2" in said
    said = tightrope("theory", "query", "graphs:6", "--query", "edges").out
    assert "… and 96 more rows" in said  # 156 graphs on six nodes


@pytest.mark.parametrize(("options", "told"), [
    ((), "a query is missing"),
    (("--query", "sum", "--sets", "geometric"), "expected sets of one of"),
    (("--query", "sum", "--sets", "stairs:gamma=9"), "below the sensitivity"),
])
def test_what_cannot_be_shown_is_refused(tightrope, options, told):
    said = tightrope("theory", "query", "hamming:values=2,people=3", *options)
    assert said.code == 2
    assert told in said.sentence
