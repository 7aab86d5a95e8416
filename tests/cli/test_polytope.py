"""`tightrope theory polytope`."""

import json

from tests.cli.runner import Answer


def test_counts_and_orbits_are_told(tightrope):
    answer = tightrope("theory", "polytope", 4, "--json").json
    assert answer["total"] == 904
    assert answer["by_columns"] == {"1": 4, "2": 84, "3": 288, "4": 528}
    assert len(answer["orbits"]) == 10
    assert (answer["loose"], answer["loose_several"]) == (4, 0)  # the single columns
    assert sum(orbit["size"] for orbit in answer["orbits"]) == 904


def test_a_number_of_columns_restricts_the_list(tightrope):
    answer = tightrope("theory", "polytope", 3, "--columns", 2, "--ratio", "3/2", "--json").json
    assert answer["total"] == 18
    assert answer["orbits"][0]["matrix"][0] == ["3/5", "2/5", "0"]


def test_the_catalog_and_the_picture_are_written(tightrope, folder):
    tightrope("theory", "polytope", 3, "-o", "all.json", "--plot", "all.svg")
    assert json.loads((folder / "all.json").read_text(encoding="utf-8"))["total"] == 33
    assert (folder / "all.svg").read_text(encoding="utf-8").count("<image") == 4
    assert tightrope("theory", "polytope", 3, "-o", "all.json").code == 2


def test_bad_input_is_one_sentence(tightrope):
    def refused(*arguments: object) -> Answer:
        answer = tightrope("theory", "polytope", *arguments)
        assert answer.code == 2
        return answer

    assert "at least 2 values" in refused(1).sentence
    assert "limit of 3" in refused(7).sentence
    assert "limit of 8" in refused(9, "--outputs", 2).sentence
    assert "at least 1 output" in refused(3, "--outputs", 0).sentence
    assert "--matrix FILE" in refused().sentence
    assert "judged alone" in refused(3, "--matrix", "m.csv").sentence
    assert "at least 1" in refused(3, "--ratio", "1/2").sentence
    assert "from 1 to 3" in refused(3, "--columns", 4).sentence


def test_people_read_what_it_means(tightrope):
    page = " ".join(tightrope("theory", "polytope", 5).out.split())
    assert "164,825 extreme points on 5 values, 5 outputs" in page
    assert "loose entries 14,400 with 1, of points with two or more columns" in page
    assert "for every ε above 0" in page


def test_points_with_two_loose_entries_are_counted_as_points(tightrope):
    # six values: 21,081,600 points with one loose entry and 388,800 with two
    said = " ".join(tightrope("theory", "polytope", 6).out.split())
    assert "loose entries 21,081,600 with 1, 388,800 with 2, of points" in said
    none = " ".join(tightrope("theory", "polytope", 4).out.split())
    assert "loose entries none, of points with two or more columns" in none


def test_a_matrix_of_a_file_is_judged_with_its_proof(tightrope, folder):
    (folder / "m.csv").write_text("0.6,0.2,0.2\n0.2,0.6,0.2\n0.2,0.2,0.6\n")
    found = tightrope("theory", "polytope", "--matrix", "m.csv", "--json").json
    assert (found["extreme"], found["ratio"], found["direction"]) == (True, "3", None)
    assert found["tight_rank"] == found["entries"] == 9
    assert "of 9 needed" in tightrope("theory", "polytope", "--matrix", "m.csv").out


def test_a_matrix_that_can_move_is_the_answer_no(tightrope, folder):
    (folder / "m.csv").write_text("4/7,1/7,2/7\n3/7,2/7,2/7\n2/7,1/7,4/7\n")
    answer = tightrope("theory", "polytope", "--matrix", "m.csv", "--ratio", 2, "--json")
    assert answer.code == 1
    assert answer.json["loose"] == [[1, 0]]
    assert any(step != "0" for row in answer.json["direction"] for step in row)
    said = tightrope("theory", "polytope", "--matrix", "m.csv")
    assert said.code == 1
    assert "row 2, column 1" in said.out


def test_a_document_of_a_mechanism_is_judged_too(tightrope, folder):
    tightrope("design", "categories:3", "--ratio", 2, "--construction", "randomized-response",
              "-o", "rr.json")
    assert tightrope("theory", "polytope", "--matrix", "rr.json", "--json").json["extreme"] is True


def test_matrices_that_cannot_be_judged_are_told_apart(tightrope, folder):
    for text, code, words in [
        ("0.3,0.7\n0.7,0.2\n", 2, "add up to 1"), ("0,1\n1,0\n", 2, "at no level"),
        ("1\n", 2, "at least 2 rows"),
    ]:
        (folder / "m.csv").write_text(text)
        answer = tightrope("theory", "polytope", "--matrix", "m.csv")
        assert (answer.code, words in answer.sentence) == (code, True), answer
    (folder / "m.csv").write_text("0.75,0.25\n0.25,0.75\n")
    assert tightrope("theory", "polytope", "--matrix", "m.csv", "--ratio", 2).code == 1
    assert tightrope("theory", "polytope", "--matrix", "none.csv").code == 2


def test_fewer_outputs_than_values_are_listed_and_exported(tightrope, folder):
    answer = tightrope("theory", "polytope", 3, "--outputs", 2, "--export", "d.sage", "--json").json
    assert (answer["total"], answer["export"]) == (8, "d.sage")
    assert (folder / "d.sage").read_text(encoding="utf-8").startswith("# Private 3 × 2 matrices")
    assert tightrope("theory", "polytope", 3, "--export", "d.txt").code == 2
    assert tightrope("theory", "polytope", 3, "--columns", 2, "--export", "d.poly").code == 2
    assert {path.name for path in folder.iterdir()} >= {"d.sage"}
    assert not (folder / "d.poly").exists()
