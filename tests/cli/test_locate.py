"""`tightrope locate`: which noise on all cells, and the documents of positions and of traces."""

import pytest

from tests.cli.runner import receipt

ASKED = ("locate", "--region=-4,40,-3,41", "--within", "200m", "--factor", 2)


def test_planar_laplace_is_planned_without_a_file_and_without_cells(tightrope):
    plain, smooth = (tightrope(*ASKED, "--mechanism", name, "--json").json
                     for name in ("planar", "planar-laplace"))
    assert (plain["construction"], smooth["construction"]) == ("planar", "planar-laplace")
    assert "rounding what is drawn from it reads nothing else" in smooth["statement"]
    for name in ("epsilon", "step", "steps_apart", "factor"):
        assert plain[name] == smooth[name]
    assert smooth["expected_displacement"] == pytest.approx(578.232, abs=0.001)
    assert "planar Laplace, rounded to cells" in tightrope(
        *ASKED, "--mechanism", "planar-laplace").out


@pytest.mark.parametrize("more", [
    ("--mechanism", "planar-laplace", "--cell", "40m"), ("--mechanism", "exponential"),
    ("--mechanism", "optimal-within", "--cell", "40m"),
])
def test_a_mechanism_on_few_cells_has_no_plan_of_its_own(tightrope, more):
    refused = tightrope(*ASKED, *more)
    assert refused.code == 2
    assert refused.sentence == ("expected a file of positions for a mechanism on cells of a "
                                "declared width.")


@pytest.mark.parametrize(("more", "form"), [
    (("--mechanism", "planar-laplace"), "planar-laplace"),
    (("--fresh", 3, "--person", "who"), "trace"),
])
def test_what_stands_beside_the_file_is_proved_by_both_judges(tightrope, folder, more, form):
    (folder / "in.csv").write_text("lon,lat,who\n-3.5,40.5,a\n-3.4,40.5,a\n")
    done = tightrope(*ASKED, "in.csv", "-o", "out.csv", *more, "--json")
    assert done.code == 0
    held = tightrope("verify", "out.csv.mechanism.json", "--json")
    assert (held.code, held.json["holds"]) == (0, True)
    told = receipt("out.csv.mechanism.json", "--json")
    assert told.code == 3
    assert f"the theorem for {form} that the document decides" in told.json["checked"][0]
    assert tightrope("verify", "out.csv.mechanism.json", "--epsilon", "0.69").code == 3


def test_files_of_two_formats_have_a_mechanism_each(tightrope, folder):
    (folder / "in.csv").write_text("lon,lat\n-3.7,40.4\n-3.6,40.5\n", encoding="utf-8")
    for name in ("two.csv", "two.geojson"):
        answer = tightrope(*ASKED, "in.csv", "-o", name, "--json")
        assert answer.code == 0, answer
        assert answer.json["mechanism"] == f"{name}.mechanism.json"
        assert tightrope("verify", f"{name}.mechanism.json").code in (0, 3)
