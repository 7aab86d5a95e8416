"""`tightrope locate`: which noise on all cells, and the documents of positions and of traces."""

import pytest

from tests.cli.runner import receipt

PROMISE = ("--region=-4,40,-3,41", "--within", "200m", "--factor", 2)
ASKED = ("locate", "blur", *PROMISE)


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


def test_the_page_gives_the_promise_and_the_displacement_first(tightrope):
    """2/ε with ε = ln(2)/200 m is 577 m, and rounding adds a fifth of a percent."""
    title, displacement, best, *_ = tightrope(*ASKED).out.splitlines()
    assert title == "positions within 200 m look alike up to factor 2; they move 578 m on average"
    assert displacement.split()[:2] == ["displacement", "578"]
    assert best.split()[:3] == ["best", "possible", "577"]


def test_outputs_move_to_the_hull_or_to_the_region(tightrope, folder):
    (folder / "in.csv").write_text("lon,lat\n" + "-3.5,40.5\n" * 50)
    promise = ("--region", "-3.502,40.498,-3.498,40.502", "--within", "100m", "--factor", 2)
    for number, where in enumerate(("hull", "region")):
        done = tightrope("locate", "blur", "in.csv", *promise, "--to", where, "-o",
                         f"{number}.csv", "--json").json
        assert (done["cut"], done["moved"]) == (where == "hull", where == "region")
        rows = [line.split(",") for line in (folder / f"{number}.csv").read_text().splitlines()[1:]]
        assert all(abs(float(lon) + 3.5) < 0.00201 and abs(float(lat) - 40.5) < 0.00201
                   for lon, lat in rows)
    refused = tightrope("locate", "cells", "in.csv", *promise, "--cell", "20m", "--mechanism",
                        "exponential", "--to", "hull", "-o", "c.csv")
    assert (refused.code, "nothing to cut" in refused.sentence) == (2, True)


@pytest.mark.parametrize("name", ["planar-laplace", "exponential", "optimal-within"])
def test_a_mechanism_on_few_cells_is_planned_without_a_file(tightrope, name):
    plan = tightrope("locate", "cells", "--region=-4,40,-3.995,40.005", "--within", "400m",
                     "--factor", 20, "--cell", "140m", "--mechanism", name, "--json")
    assert (plan.json["construction"], plan.json["cells"], plan.json["rows"]) == (name, 25, None)


@pytest.mark.parametrize(("more", "said"), [
    (("--around", "1,2"), "--around is for a map"),
    (("--plot", "m.svg", "--around", "north"), "longitude,latitude in degrees"),
    (("--curator", "--plot", "m.svg"), "--curator draws true positions on a map"),
    (("-o", "out.csv"), "or neither"),
    (("--ledger", "books.sqlite"), "nothing is booked"),
])
def test_what_a_plan_alone_does_not_take_is_refused_in_a_sentence(tightrope, more, said):
    for words in (ASKED, ("locate", "traces", *PROMISE, "--fresh", 3),
                  ("locate", "cells", *PROMISE, "--cell", "10km", "--mechanism", "exponential")):
        refused = tightrope(*words, *more)
        assert refused.code == 2
        assert said in refused.sentence


@pytest.mark.parametrize(("more", "form"), [
    (("blur", "--mechanism", "planar-laplace"), "planar-laplace"),
    (("traces", "--fresh", 3, "--person", "who"), "trace"),
])
def test_what_stands_beside_the_file_is_proved_by_both_judges(tightrope, folder, more, form):
    (folder / "in.csv").write_text("lon,lat,who\n-3.5,40.5,a\n-3.4,40.5,a\n")
    done = tightrope("locate", *more, *PROMISE, "in.csv", "-o", "out.csv", "--json")
    assert done.code == 0
    held = tightrope("verify", "out.csv.mechanism.json", "--json")
    assert (held.code, held.json["holds"]) == (0, True)
    told = receipt("out.csv.mechanism.json", "--json")
    assert told.code == 0
    assert f"the theorem for {form} that the document decides" in told.json["checked"][0]
    assert tightrope("verify", "out.csv.mechanism.json", "--epsilon", "0.69").code == 3


def test_files_of_two_formats_have_a_mechanism_each(tightrope, folder):
    (folder / "in.csv").write_text("lon,lat\n-3.7,40.4\n-3.6,40.5\n", encoding="utf-8")
    for name in ("two.csv", "two.geojson"):
        answer = tightrope(*ASKED, "in.csv", "-o", name, "--json")
        assert answer.code == 0, answer
        assert answer.json["mechanism"] == f"{name}.mechanism.json"
        assert tightrope("verify", f"{name}.mechanism.json").code in (0, 3)
