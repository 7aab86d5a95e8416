def test_a_family_that_no_level_serves_exits_with_1_and_shows_its_witness(tightrope, folder):
    answer = tightrope("theory", "compatible", "star:N", "--upto", 8, "--plot", "f.svg", "--json")
    assert answer.code == 1
    assert answer.json["compatible"] is False
    assert [row["apart"] for row in answer.json["rows"]] == [2, 4, 8]
    assert b"<svg" in (folder / "f.svg").read_bytes()
    assert "grows without bound" in tightrope("theory", "compatible", "star:N", "--upto", 4).out


def test_a_family_that_one_level_serves_exits_with_0(tightrope):
    page = tightrope("theory", "compatible", "cycle:N", "--upto", 8)
    assert page.code == 0
    assert "enough for all" in page.out


def test_what_is_no_family_exits_with_2_and_what_is_not_settled_with_3(tightrope):
    assert tightrope("theory", "compatible", "path:0..4").code == 2
    assert tightrope("theory", "compatible", "matrix:N").code == 3


def test_a_function_of_the_users_is_looked_at_and_exits_with_3(tightrope, folder):
    (folder / "own.py").write_text(
        "def space_of_n(n):\n    return f'path:0..{n} ^ cycle:{n + 1}'\n")
    answer = tightrope("theory", "compatible", "own.py:space_of_n", "--upto", 8, "--json")
    assert answer.code == 3
    assert answer.json["compatible"] is None
    assert [row["N"] for row in answer.json["rows"]] == [2, 4, 8]
    assert tightrope("theory", "compatible", "own.py:other").code == 2
    assert tightrope("theory", "compatible", "interval:0..N", "--plot", "i.svg").code == 0


def test_a_body_has_a_bracket_and_a_picture(tightrope, folder):
    ask = ("theory", "accuracy", "cube:3", "--radius", "1/4", "--failure", "0.1")
    found = tightrope(*ask, "--plot", "b.png", "--json").json
    assert 0 < found["lower"] <= found["upper"]
    assert (folder / "b.png").stat().st_size > 1000
    assert tightrope(*ask, "--rows-for", "0.5").code == 2
