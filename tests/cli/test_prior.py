import pytest


def test_a_prior_is_judged_on_one_page(tightrope, folder):
    (folder / "p.csv").write_text("3/5\n2/5\n")
    page = tightrope("theory", "prior", "categories:2", "--prior", "p.csv", "--ratio", 3, "--plot",
                     "p.svg")
    assert page.code == 0
    assert "a mixture of corner priors" in " ".join(page.out.split())
    assert "0.7" in page.out  # its share of the first corner: 3/5 = 0.7 · 3/4 + 0.3 · 1/4
    assert b"<svg" in (folder / "p.svg").read_bytes()


@pytest.mark.parametrize("space", ["cycle:4", "path:0..2", "path:0..30"])
def test_every_size_has_its_picture(tightrope, folder, space):
    found = tightrope("theory", "prior", space, "--epsilon", 1, "--plot", "p.png", "--json").json
    assert found["regular"] is True
    assert (folder / "p.png").stat().st_size > 1000


def test_a_prior_that_is_not_regular_exits_with_1_and_says_where(tightrope, folder):
    (folder / "p.csv").write_text("0.4\n0.4\n0.1\n0.1\n")
    ask = ("theory", "prior", "categories:4", "--prior", "p.csv", "--ratio", 2)
    answer = tightrope(*ask, "--json")
    assert answer.code == 1
    assert answer.json["witness"] in ("2", "3")
    assert answer.json["shares"] is None
    assert "would be negative" in tightrope(*ask).out


def test_a_mechanism_is_held_against_the_bound(tightrope, folder):
    tightrope("design", "categories:3", "--ratio", 4, "--loss", "binary", "-o", "m.json")
    same = tightrope("theory", "prior", "categories:3", "--ratio", 4, "--mechanism", "m.json",
                     "--json").json
    assert same["private"] is True
    assert same["leakage"] <= same["leakage_bound"] + 1e-9
    page = tightrope("theory", "prior", "categories:3", "--ratio", 2, "--mechanism", "m.json").out
    assert "no bound here is about it" in " ".join(page.split())


def test_thresholds_draw_where_a_mechanism_exists(tightrope, folder):
    found = tightrope("theory", "thresholds", "star:4", "--plot", "t.svg", "--json").json
    assert found["picture"] == "t.svg"
    assert b"1.098612" in (folder / "t.svg").read_bytes()  # ln 3
