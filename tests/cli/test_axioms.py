import json
from fractions import Fraction

import pytest

PROGRAM = """
from fractions import Fraction

def allowed(a, b):
    return b <= 2 * a and a <= 2 * b

def loose(a, b):
    return allowed(a, b) or abs(a - b) <= Fraction(1, 10)

def partial(a, b):
    return 1 / a > b

number = 3
"""


@pytest.fixture
def program(folder):
    (folder / "definition.py").write_text(PROGRAM)
    return "definition.py"


def test_a_definition_that_keeps_the_axioms_is_shown_as_a_bound(tightrope, program):
    answer = tightrope("theory", "axioms", f"{program}:allowed", "--json")
    assert answer.code == 0
    found = answer.json
    assert found["transformation_invariance"] is found["choice"] is True
    assert found["counterexample"] is None
    assert found["bound"] == [["0", "0"], ["1/3", "2/3"], ["1", "1"]]
    assert (found["exact"], found["grid"]) == (False, 60)
    assert "(1/3, 2/3)" in tightrope("theory", "axioms", f"{program}:allowed").out


def test_a_definition_that_fails_has_counterexamples_that_can_be_checked(tightrope, program):
    answer = tightrope("theory", "axioms", f"{program}:loose", "--json")
    assert answer.code == 1
    found = answer.json["counterexample"]

    def allowed(a, b):
        return (b <= 2 * a and a <= 2 * b) or abs(a - b) <= Fraction(1, 10)

    choice = found["choice"]
    mixed = [
        sum(Fraction(s) * Fraction(rows[i][0])
            for s, rows in zip(choice["shares"], choice["mechanisms"], strict=True))
        for i in range(2)
    ]
    assert all(allowed(Fraction(r[0][z]), Fraction(r[1][z]))
               for r in choice["mechanisms"] for z in range(2))
    assert not (allowed(*mixed) and allowed(1 - mixed[0], 1 - mixed[1]))
    processed = found["transformation_invariance"]
    after = [
        sum(Fraction(c) * Fraction(p) for c, p in zip(processed["channel"], row, strict=True))
        for row in processed["mechanism"]
    ]
    assert after == [Fraction(x) for x in processed["event"]]
    page = tightrope("theory", "axioms", f"{program}:loose")
    assert page.code == 1
    assert "fails" in page.out


def test_tables_and_corners_are_read_and_decided_exactly(tightrope, folder):
    (folder / "band.csv").write_text("a,lower,upper\n0,0,0.1\n0.5,0.4,0.9\n1,0.9,1\n")
    found = tightrope("theory", "axioms", "band.csv", "--json").json
    assert (found["exact"], found["grid"]) == (True, None)
    (folder / "square.csv").write_text("1,1,0\n1,1,1\n0,1,1\n")
    found = tightrope("theory", "axioms", "square.csv", "--json").json
    assert (found["exact"], found["grid"], found["choice"]) == (True, 2, True)


def test_what_was_tried_on_a_grid_is_not_said_of_every_event(tightrope, folder):
    # as a ratio of at most 2 at multiples of 1/60; between them everything is allowed
    (folder / "odd.py").write_text(
        "def allowed(a, b):\n"
        "    between = (60 * a).denominator > 1 or (60 * b).denominator > 1\n"
        "    return between or (b <= 2 * a and a <= 2 * b)\n"
    )
    answer = tightrope("theory", "axioms", "odd.py:allowed", "--json")
    assert answer.code == 0
    assert answer.json["scope"] == "for events whose probabilities are multiples of 1/60"
    said = " ".join(tightrope("theory", "axioms", "odd.py:allowed").out.split())
    assert "every event" not in said
    assert "no counterexample found" in said
    assert "multiples of 1/60 the same as" in said
    assert tightrope("theory", "axioms", "odd.py:allowed", "--grid", "8").code == 1  # 1/8 tells
    (folder / "band.csv").write_text("a,lower,upper\n0,0,0.1\n0.5,0.4,0.9\n1,0.9,1\n")
    assert tightrope("theory", "axioms", "band.csv", "--json").json["scope"] == "for every event"


def test_a_picture_of_what_is_allowed(tightrope, program, folder):
    answer = tightrope("theory", "axioms", f"{program}:allowed", "--plot", "m.png", "--json")
    assert answer.code == 0
    assert (folder / "m.png").read_bytes().startswith(b"\x89PNG")
    assert tightrope("theory", "axioms", f"{program}:loose", "--plot", "n.png").code == 1


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("definition.py:partial", "not defined on all of"),
        ("definition.py:absent", "no function 'absent'"),
        ("definition.py:number", "no function 'number'"),
        ("none.py:allowed", "no file"),
        ("definition.py", "name one, as in definition.py:name"),
        ("bad.py:allowed", "does not run"),
        ("odd.csv", "not defined on all of"),
        ("few.csv", "expected 0 or 1"),
        ("open.csv", "quotes that end with their cell"),
        ("words.csv", "expected 0 or 1"),
        ("short.csv", "three numbers"),
        ("empty.csv", "is empty"),
    ],
)
def test_what_is_no_predicate_is_refused(tightrope, program, folder, argument, said):
    (folder / "bad.py").write_text("def allowed(a, b) return")
    (folder / "odd.csv").write_text("1,1,1\n1,1,1\n")
    (folder / "few.csv").write_text("1,1\n1\n")
    (folder / "open.csv").write_text('1,1\n1,"1\n')
    (folder / "words.csv").write_text("1,perhaps\n1,1\n")
    (folder / "short.csv").write_text("a,lower,upper\n0,0\n")
    (folder / "empty.csv").write_text("\n")
    answer = tightrope("theory", "axioms", argument)
    assert answer.code == 2
    assert said in answer.sentence


def test_the_smallest_level_for_a_radius(tightrope):
    answer = tightrope("theory", "accuracy", "categories:8", "--radius", 0, "--failure", "0.1",
                       "--json")
    assert answer.code == 0
    found = answer.json
    assert found["lower"] <= 4.143134726391533 <= found["upper"]  # ln 63
    assert found["balls"] == "closed"
    assert found["packing"]["points"] == 8
    page = tightrope("theory", "accuracy", "path:0..4", "--radius", "1.2", "--failure", "0.1",
                     "--rows-for", "0.1")
    assert "0.9938301682" in page.out  # a quarter of 3.9753206728: four steps are one diameter
    assert "10 for ε = 0.1" in page.out


def test_open_balls_are_stricter(tightrope):
    ask = ("theory", "accuracy", "path:0..4", "--radius", 1, "--failure", "0.1", "--json")
    closed, strict = tightrope(*ask).json, tightrope(*ask, "--open").json
    assert strict["balls"] == "open"
    assert strict["lower"] > closed["upper"]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--radius", "1"), 2, "missing option '--failure'"),
        (("--radius", "x", "--failure", "0.1"), 2, "--radius as a number"),
        (("--radius", "1", "--failure", "1"), 2, "expected a failure"),
        (("--radius", "0", "--failure", "0"), 1, "no level is finite"),
        (("--radius", "1", "--failure", "0.1", "--epsilons", "1:2:1"), 2, "--epsilons"),
        (("--radius", "1", "--failure", "0.1", "--delta", "0.1"), 2, "--delta"),
        (("--radius", "1", "--failure", "0.1", "--loss", "absolute"), 2, "--loss"),
    ],
)
def test_questions_that_do_not_fit_together_are_refused(tightrope, options, code, said):
    answer = tightrope("theory", "accuracy", "path:0..4", *options)
    assert answer.code == code
    assert said in answer.sentence


def test_inspect_lists_row_graphs_and_the_best_coefficient(tightrope, document, folder):
    answer = tightrope("inspect", document, "--row-graphs", "r.svg", "--json")
    found = answer.json
    assert found["row_graphs"][1] == {"output": 1, "connected": True, "edges": [[1, 0], [1, 2]]}
    assert found["dobrushin"] == pytest.approx(found["dobrushin_best"])
    assert found["tradeoff_curve"] == [[0, 0], [pytest.approx(1 / 3), pytest.approx(2 / 3)], [1, 1]]
    assert "output 1: connected" in (folder / "r.svg").read_text()
    json.dumps(found)
    said = " ".join(tightrope("inspect", document).out.split())
    assert said.count("the best at this level is") == 1


def test_no_best_coefficient_is_told_where_links_have_other_lengths(tightrope, folder):
    """[9 1] [8 2] [2 8] over 10 has e^ε = 2 and the coefficient -0.3, nearer 0 than the -1/3 that
    would be best on three steps of length 1."""
    (folder / "space.csv").write_text("from,to,length\na,b,1\nb,c,2\n")
    (folder / "m.csv").write_text("input,x,y\na,9/10,1/10\nb,8/10,2/10\nc,2/10,8/10\n")
    found = tightrope("inspect", "m.csv", "--space", "edges:space.csv", "--json").json
    assert found["level"]["exact"] == "ln(2)"
    assert found["dobrushin"] == pytest.approx(-0.3)
    assert found["dobrushin_best"] is None


def test_inspect_refuses_row_graphs_of_noise(tightrope):
    tightrope("design", "path:0..9", "--epsilon", "1", "--construction", "two-sided-geometric",
              "-o", "n.json")
    assert tightrope("inspect", "n.json", "--row-graphs", "r.svg").code == 3


@pytest.mark.parametrize(
    ("source", "name", "said"),
    [
        ("def f(a, b):\n    raise SystemExit(0)\n", "f", "it raised SystemExit"),
        ("raise SystemExit(0)\n", "f", "does not run: SystemExit"),
        ("def f(a, b):\n    return True\n", "", "expected a predicate as FILE.py:name"),
    ],
)
def test_a_file_that_ends_the_program_is_no_verdict(tightrope, folder, source, name, said):
    (folder / "ends.py").write_text(source)
    answer = tightrope("theory", "axioms", f"ends.py:{name}")
    assert answer.code == 2
    assert said in answer.err


def test_corners_given_twice_are_named(tightrope, folder):
    (folder / "twice.csv").write_text("a,lower,upper\n0,0,0\n0.5,0,1\n0.5,0,1\n1,1,1\n")
    answer = tightrope("theory", "axioms", "twice.csv")
    assert answer.code == 2
    assert "every a once" in answer.err
