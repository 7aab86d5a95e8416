"""`tightrope polytope`."""

import json

from tests.cli.runner import Answer


def test_counts_and_orbits_are_told(tightrope):
    answer = tightrope("polytope", 4, "--json").json
    assert answer["total"] == 904
    assert answer["by_columns"] == {"1": 4, "2": 84, "3": 288, "4": 528}
    assert len(answer["orbits"]) == 10
    assert answer["loose"] == 0
    assert sum(orbit["size"] for orbit in answer["orbits"]) == 904


def test_a_number_of_columns_restricts_the_list(tightrope):
    answer = tightrope("polytope", 3, "--columns", 2, "--ratio", "3/2", "--json").json
    assert answer["total"] == 18
    assert answer["orbits"][0]["matrix"][0] == ["3/5", "2/5", "0"]


def test_the_catalog_and_the_picture_are_written(tightrope, folder):
    tightrope("polytope", 3, "-o", "all.json", "--plot", "all.svg")
    assert json.loads((folder / "all.json").read_text(encoding="utf-8"))["total"] == 33
    assert (folder / "all.svg").read_text(encoding="utf-8").count("<image") == 4
    assert tightrope("polytope", 3, "-o", "all.json").code == 2


def test_bad_input_is_one_sentence(tightrope):
    def refused(*arguments: object) -> Answer:
        answer = tightrope("polytope", *arguments)
        assert answer.code == 2
        return answer

    assert "at least 2 values" in refused(1).sentence
    assert "limit" in refused(6).sentence or "5" in refused(6).sentence
    assert "above 1" in refused(3, "--ratio", 1).sentence
    assert "from 1 to 3" in refused(3, "--columns", 4).sentence


def test_people_read_what_it_means(tightrope):
    said = tightrope("polytope", 5).out
    assert "points have one" in said
    assert "for every ε above 0" in said
