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


@pytest.mark.parametrize("text", ["1", "1:2", "0:1:0.5", "2:1:0.5", "1:2:0", "a:b:c", "1:2:1e-9"])
def test_a_range_that_is_none_is_refused(tightrope, text):
    answer = tightrope("tradeoff", "categories:3", "--epsilons", text)
    assert answer.code == 2
    assert answer.sentence


@pytest.mark.parametrize(
    "options",
    [
        ["--radius", "1", "--failure", "0.1", "--delta", "0.1"],
        ["--radius", "1", "--failure", "0.1", "--loss", "absolute"],
        ["--radius", "1", "--failure", "0.1", "--goal", "worst"],
        ["--epsilons", "1:1:1", "--open"],
        ["--epsilons", "1:1:1", "--rows-for", "1"],
    ],
)
def test_options_that_would_be_ignored_are_refused(tightrope, options):
    answer = tightrope("tradeoff", "path:0..4", *options)
    assert answer.code == 2
    assert "go with" in answer.err
