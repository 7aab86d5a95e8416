"""Whatever is put through a door of the root package is taken for what it is, or refused.

A refusal is an error of this library with one sentence, never one of Python's.
"""

import ast
import re
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import tightrope as tr
from tightrope.errors import BadInput, BadMatrix, NotPrivate, TightropeError
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import repair, smallest_level
from tightrope.samplers import SeededSource

SPACE = tr.space("path:0..2")
LEVEL = tr.Level.ratio(2)
ROWS = [["4/6", "1/6", "1/6"], ["2/6", "2/6", "2/6"], ["1/6", "1/6", "4/6"]]
EXACT = MatrixMechanism.of(ROWS, SPACE)
DOUBLES = np.array([[float(Fraction(p)) for p in row] for row in ROWS])
PROVED = tr.certify(ROWS, SPACE, LEVEL)

WRONG = [
    None, "typo", "", "\x00", [], {}, {"a": 1}, {1}, [1, 2], [[1, 2], [3]], -1, 1.5, 10**400, True,
    1j, float("nan"), float("inf"), b"x", object(), len, np.array([1.5, 2.5]), np.array(["a"]),
    np.array([[1j]]), np.zeros((0, 0)), np.zeros((2, 2, 2)), np.array(None), Decimal("NaN"),
    np.ma.masked_array([0.5], [True]), type, Ellipsis,
]

DOORS = {
    "design space": lambda w: tr.design(w, LEVEL),
    "design level": lambda w: tr.design(SPACE, w),
    "design prior": lambda w: tr.design(SPACE, LEVEL, prior=w),
    "design loss": lambda w: tr.design(SPACE, LEVEL, loss=w),
    "design goal": lambda w: tr.design(SPACE, LEVEL, goal=w),
    "design outputs": lambda w: tr.design(SPACE, LEVEL, outputs=w),
    "design construction": lambda w: tr.design(SPACE, LEVEL, construction=w),
    "design effort": lambda w: tr.design(SPACE, LEVEL, effort=w),
    "compare space": lambda w: tr.compare(w, LEVEL),
    "compare level": lambda w: tr.compare(SPACE, w),
    "compare prior": lambda w: tr.compare(SPACE, LEVEL, prior=w),
    "compare loss": lambda w: tr.compare(SPACE, LEVEL, loss=w),
    "certify matrix": lambda w: tr.certify(w, SPACE, LEVEL),
    "certify space": lambda w: tr.certify(DOUBLES, w, LEVEL),
    "certify level": lambda w: tr.certify(DOUBLES, SPACE, w),
    "certify outputs": lambda w: tr.certify(DOUBLES, SPACE, LEVEL, outputs=w),
    "certify costs": lambda w: tr.certify(np.eye(3), SPACE, LEVEL, costs=w),
    "verify mechanism": lambda w: tr.verify(w, SPACE, LEVEL),
    "verify space": lambda w: tr.verify(EXACT, w, LEVEL),
    "verify space of a matrix": lambda w: tr.verify(DOUBLES, w, LEVEL),
    "verify level": lambda w: tr.verify(EXACT, SPACE, w),
    "draw certified": lambda w: tr.draw(w, 0),
    "draw input": lambda w: tr.draw(PROVED, w),
    "draw source": lambda w: tr.draw(PROVED, 0, w),
    "draw_many certified": lambda w: tr.draw_many(w, [0]),
    "draw_many column": lambda w: tr.draw_many(PROVED, w),
    "draw_many source": lambda w: tr.draw_many(PROVED, [0], w),
    "save certified": lambda w: tr.save(w, "never-written.json"),
    "save name": lambda w: tr.save(PROVED, w),
    "load": tr.load,
    "space": tr.space,
    "Level": lambda w: tr.Level(w, w, w),
    "Level.of": tr.Level.of,
    "Level.epsilon": tr.Level.epsilon,
    "Level.epsilon δ": lambda w: tr.Level.epsilon(1, w),
    "Level.ratio": tr.Level.ratio,
    "Level.parse": tr.Level.parse,
    "Level δ": LEVEL.with_delta,
    "Prior": tr.Prior,
    "Prior.of": tr.Prior.of,
    "Certified mechanism": lambda w: tr.Certified(w, PROVED.certificate),
    "Certified certificate": lambda w: tr.Certified(PROVED.mechanism, w),
    "absolute outputs": lambda w: tr.utility.absolute.matrix(SPACE, w),
}

# What is right where it is listed as wrong elsewhere.
RIGHT = {
    ("design loss", "None"), ("compare loss", "None"),
    ("design prior", "None"), ("compare prior", "None"),
    ("design outputs", "None"), ("design construction", "None"), ("certify outputs", "None"),
    ("certify costs", "None"), ("Prior", "None"), ("draw_many column", "[]"),
    ("draw_many column", "[1, 2]"), ("draw_many column", "{1}"),
    ("absolute outputs", "[1, 2]"), ("design outputs", "[1, 2]"),
    ("Level", str(10**400)), ("Level.ratio", str(10**400)),
    *((door, "1.5") for door in ("design level", "compare level", "certify level", "verify level",
                                 "Level", "Level.of", "Level.epsilon", "Level.ratio")),
}


@pytest.mark.parametrize("door", list(DOORS))
def test_what_is_wrong_is_refused_in_one_sentence(door, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for wrong in WRONG:
        if (door, repr(wrong)) in RIGHT:
            DOORS[door](wrong)
            continue
        with pytest.raises(TightropeError) as refused:
            DOORS[door](wrong)
        said = str(refused.value)
        assert said.strip(), (door, wrong)
        assert "\n" not in said, (door, wrong)
        assert len(said) < 400, (door, wrong)
    assert not list(tmp_path.iterdir())


def test_texts_and_numbers_state_a_problem():
    plain = tr.design(SPACE, LEVEL, loss=tr.utility.absolute)
    for stated in (
        tr.design("path:0..2", "ln(2)", loss="absolute"),
        tr.design("path:0..2", LEVEL, loss=[[0, 1, 2], [1, 0, 1], [2, 1, 0]], prior=[1 / 3] * 3),
    ):
        assert stated.value == pytest.approx(plain.value, rel=1e-9)
    assert tr.compare("path:0..1", 0.5, loss="absolute").bound is not None


@pytest.mark.parametrize("value", [0.1, "0.1", "1/10", Fraction(1, 10), Decimal("0.1"),
                                   np.float64(0.1), np.array(0.1), " 0.1 "])
def test_a_level_is_the_number_that_was_stated(value):
    level = tr.Level.of(value)
    assert level.rational == Fraction(1, 10)
    assert tr.Level.epsilon(1, value).delta == Fraction(1, 10)
    assert LEVEL.with_delta(value).delta == Fraction(1, 10)
    assert tr.Level.of(level) is level


def test_a_double_that_is_stated_means_its_shortest_decimal():
    assert tr.Level.epsilon(0.3).text == "0.3"
    assert tr.Level.ratio(1.1).base == Fraction(11, 10)
    assert tr.Level.epsilon(1e-5).rational == Fraction(1, 10**5)


@pytest.mark.parametrize("matrix", [
    ROWS, EXACT, [[Fraction(p) for p in row] for row in ROWS], tuple(map(tuple, ROWS)),
    np.array(ROWS), np.array([[Fraction(p) for p in row] for row in ROWS]),
])
def test_an_exact_matrix_is_verified_as_it_is(matrix):
    found = tr.verify(matrix, SPACE, LEVEL)
    assert found.holds
    assert found.smallest.exact == LEVEL
    assert not tr.verify(matrix, "path:0..2", "ln(1.99)").holds


def test_a_matrix_of_doubles_is_verified_as_the_doubles_it_holds():
    """2/3 and 1/6 are no doubles: the exact ratio of what is held decides, not what was meant."""
    held = [[Fraction(p) for p in row] for row in DOUBLES.tolist()]
    totals = [sum(row) for row in held]
    worst = max(
        (held[a][z] / totals[a]) / (held[b][z] / totals[b])
        for a, b in ((0, 1), (1, 0), (1, 2), (2, 1)) for z in range(3)
    )
    assert tr.verify(DOUBLES, SPACE, tr.Level.ratio(worst)).holds
    below = tr.Level.ratio(worst - Fraction(1, 10**30))
    assert not tr.verify(DOUBLES, SPACE, below).holds
    assert tr.verify(DOUBLES, SPACE, 1).holds
    assert tr.verify(np.array([[1, 0], [0, 1]]), "path:0..1", 5).holds is False


def test_a_matrix_with_other_outputs_has_them_numbered():
    found = tr.verify([["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]], SPACE, 1)
    assert found.holds
    made = MatrixMechanism.of([[1], [1], [1]], SPACE)
    assert tuple(made.outputs) == (0,)
    assert tuple(EXACT.outputs) == (0, 1, 2)


@pytest.mark.parametrize(("matrix", "said"), [
    ([[0.5, 0.6], [0.5, 0.5]], "row 0 adds up to 1.1"),
    ([[0.5, 0.5], [1.5, -0.5]], "row 1 has the negative entry -0.5"),
    ([[0.5, 0.5]], "expected 2 rows"),
    ([[1, 0], [0]], "rows of finite numbers"),
])
def test_what_is_no_matrix_of_probabilities_is_said(matrix, said):
    for ask in (tr.verify, tr.certify):
        with pytest.raises(BadMatrix, match=said):
            ask(matrix, "path:0..1", 1)


def test_a_row_total_close_to_one_becomes_the_denominator():
    off = [[0.5, 0.5 + 1e-8], [0.5, 0.5]]
    mended = repair(off, "path:0..1", 1)
    assert mended.row_error == pytest.approx(1e-8, rel=1e-3)
    assert sum(mended.certified.mechanism.row_at(0)) == 1


def test_a_frame_is_a_matrix():
    import pandas

    frame = pandas.DataFrame(DOUBLES)
    assert tr.verify(frame, SPACE, 1).holds
    assert tr.certify(frame, SPACE, LEVEL).certificate.holds


@pytest.mark.parametrize("named", [[0, 1, 2], ["0", "1", "2"]])
def test_a_frame_is_read_by_its_labels(named):
    import pandas

    frame = pandas.DataFrame(DOUBLES, index=[0, 1, 2], columns=named)
    mixed = frame.iloc[[1, 0, 2], [2, 0, 1]]
    assert MatrixMechanism.of(mixed, SPACE) == MatrixMechanism.of(DOUBLES, SPACE)
    assert tr.verify(mixed, SPACE, 1) == tr.verify(DOUBLES, SPACE, 1)
    assert tr.certify(mixed, SPACE, "0.5").mechanism == tr.certify(DOUBLES, SPACE, "0.5").mechanism


def test_a_prior_with_labels_belongs_to_them():
    import pandas

    shares = [0.5, 0.375, 0.125]  # most frequent first, as value_counts gives them
    counted = pandas.Series(shares, index=[2, 0, 1])
    costs = pandas.DataFrame([[2, 1, 0], [0, 1, 2], [1, 0, 1]], index=[2, 0, 1])
    found = tr.design(SPACE, LEVEL, prior=counted, loss=costs[[0, 1, 2]])
    wanted = tr.design(SPACE, LEVEL, prior=[0.375, 0.125, 0.5], loss=tr.utility.absolute)
    assert found.value == pytest.approx(wanted.value, rel=1e-6)
    with pytest.raises(BadMatrix, match="to_numpy"):
        tr.design(SPACE, LEVEL, prior=pandas.Series(shares, index=["x", "y", "z"]))
    with pytest.raises(BadMatrix, match="expected a prior with 3 entries"):
        tr.design(SPACE, LEVEL, prior=counted[counted > 0.2] / 0.875)
    assert tr.verify(pandas.DataFrame(DOUBLES), "path:1..3", 1).holds  # rows without names


def test_a_solution_is_drawn_from_as_what_it_certifies():
    found = tr.design(SPACE, LEVEL, prior="uniform")
    assert tr.draw(found, 1, SeededSource(4)) == tr.draw(found.certified, 1, SeededSource(4))
    column = [0, 1, 2, 2]
    drawn = tr.draw_many(found, column, SeededSource(4))
    assert drawn == tr.draw_many(found.certified, column, SeededSource(4))
    with pytest.raises(TightropeError, match=r"found Solution; it holds one as \.certified"):
        tr.Certified(found, found.certified.certificate)


def test_a_short_double_is_its_shortest_decimal():
    assert tr.Level.of(np.float32(0.1)) == tr.Level.of("1/10")
    with pytest.raises(BadInput, match=r"such as 0\.5, 1/3 or ln\(2\), found 'ln 2'"):
        tr.Level.of("ln 2")


@pytest.mark.parametrize("whole", [np.int8, np.int64, np.uint16])
def test_integers_of_numpy_are_integers(whole):
    assert tr.Level.of(whole(2)) == tr.Level.of(2)
    assert tr.Level.ratio(whole(2)) == tr.Level.ratio(2)
    assert tr.design("path:0..1", whole(1)).problem.level == tr.Level.of(1)
    assert tr.spaces.path(whole(0), whole(3)) == tr.spaces.path(0, 3)
    assert tr.spaces.grid(np.array([3, 4], whole)) == tr.spaces.grid((3, 4))
    assert tr.spaces.categories(whole(3)) == tr.spaces.categories(3)
    assert tr.spaces.star(whole(3)) == tr.spaces.star(3)
    assert tr.spaces.sums(people=whole(3), maximum=whole(2)) == tr.spaces.sums(people=3, maximum=2)


@pytest.mark.parametrize(("ask", "near"), [
    (lambda: tr.design(SPACE, 1, construction="geometic"), "geometric"),
    (lambda: tr.design(SPACE, 1, goal="Worst"), "worst"),
    (lambda: tr.design(SPACE, 1, loss="sqared"), "squared"),
    (lambda: tr.space("pth:0..9"), "path"),
    (lambda: tr.space("catgories:a/b"), "categories"),
    (lambda: tr.space("grid 10x10"), "grid"),
    (lambda: tr.space("grid:3x3,metrc=euclidean"), "metric"),
])
def test_a_misspelled_name_is_answered_with_the_nearest(ask, near):
    with pytest.raises(BadInput, match=rf"\(did you mean {near}\?\)"):
        ask()


def test_python_is_told_what_it_needs_to_suggest_a_name():
    with pytest.raises(AttributeError) as unknown:
        tr.desing  # noqa: B018
    assert unknown.value.name == "desing"
    assert unknown.value.obj is tr


@pytest.mark.parametrize(("wrong", "said"), [
    (lambda: tr.draw(PROVED, 7.0), r"7\.0 is not a point of path:0\.\.2; its points are 0, 1, 2\."),
    (lambda: tr.draw_many(PROVED, [0, "x"]), "its points are 0, 1, 2"),
    (lambda: tr.verify([[75, 25], [25, 75]], "path:0..1", 2), "adds up to 100.*divide percentages"),
    (lambda: tr.verify([[1.5, -0.5], [0, 1]], "path:0..1", 2), "negative entry -0.5; expected"),
    (lambda: tr.design(SPACE, 1, prior=[25, 25, 50]), "adds up to 100; .*; divide by it"),
    (lambda: tr.design(SPACE, 1, prior=[0, 0, 0]), "every entry of the prior is 0; at least one"),
    (lambda: tr.design(SPACE, 1, prior=0.5), "one list of numbers, found float"),
    (lambda: tr.design(SPACE, 1, prior=np.full((1, 3), 1 / 3)), "found ndarray of 2 dimensions"),
    (lambda: tr.design(SPACE, 1, loss=np.ones(3)), "found an array of 3"),
    (lambda: tr.design(SPACE, 1, loss=lambda x, z: "a"), "for the input 0 and the output 0"),
    (lambda: tr.design(SPACE, 1, loss=lambda x, z: 1 / (1 - z) if z != 1 else np.inf),
     "the input 0 and the output 1 is inf"),
    (lambda: tr.design("points:here.csv", 1), r"tightrope\.space\('points:here\.csv'\)"),
    (lambda: tr.space(["no", "yes"]), "what categories, matrix, points or graph make of values"),
    (lambda: tr.design([[0, 1], [1, 0]], 1), "what categories, matrix"),
    (lambda: tr.spaces.grid(3), r"such as \(10, 10\), found 3"),
    (lambda: tr.space("sum:10,5"), "people=… and max=…"),
    (lambda: tr.design(SPACE, "1e-400"), r"2\.8e-17 per step here, found ε = 1\.00000e-400"),
    (lambda: tr.constructions.truncated_geometric(SPACE, "1e-400"), "found ε = 1.00000e-400"),
])
def test_a_natural_mistake_is_told_what_to_do(wrong, said):
    with pytest.raises(BadInput, match=said):
        wrong()


def test_a_prior_is_a_mapping_or_a_column_of_any_kind():
    import polars
    import pyarrow

    wanted = tr.design(SPACE, 1, prior=["1/4", "1/4", "1/2"]).problem
    for given in (
        {2: 0.5, 0: 0.25, 1: 0.25}, {np.int64(2): "1/2", 1: Fraction(1, 4), 0: Decimal("0.25")},
        pyarrow.array([0.25, 0.25, 0.5]), polars.Series([0.25, 0.25, 0.5]), (0.25, 0.25, 0.5),
    ):
        assert tr.design(SPACE, 1, prior=given).problem == wanted
    assert tr.design(SPACE, 1, prior={1: 1}).problem.prior.weights == (0, 1, 0)
    assert tr.design(SPACE, 1, prior=None).problem.prior == tr.utility.uniform
    with pytest.raises(BadInput, match="3 is not a point"):
        tr.design(SPACE, 1, prior={3: 1})


def test_cells_are_drawn_from_as_tuples_lists_and_rows_of_an_array():
    cells = tr.design("grid:3x3", 1)
    inputs = [(0, 1), (2, 2), (0, 1)]
    drawn = tr.draw_many(cells, inputs, SeededSource(3))
    assert tr.draw_many(cells, [list(cell) for cell in inputs], SeededSource(3)) == drawn
    rows = tr.draw_many(cells, np.array(inputs), SeededSource(3))
    assert rows.shape == (3, 2)
    assert list(map(tuple, rows.tolist())) == drawn
    one = tr.draw(cells, (0, 1), SeededSource(5))
    assert tr.draw(cells, np.array([0, 1]), SeededSource(5)) == one
    assert cells.certified.mechanism.row(np.array([0, 1])) == cells.certified.mechanism.row((0, 1))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_is_no_column(library):
    import importlib

    frame = importlib.import_module(library).DataFrame({"a": [0, 1]})
    with pytest.raises(BadInput, match="found DataFrame; give one of its columns"):
        tr.draw_many(PROVED, frame)


def test_points_are_shown_as_what_they_are():
    assert repr(tr.space("categories:no/yes").points) == "(no, yes)"
    assert repr(tr.space("grid:1000x1000").points) == "((0, 0), (0, 1), (0, 2), …, (999, 999))"
    assert tr.space(SPACE) == SPACE


def test_the_root_package_lists_its_names():
    assert set(tr.__all__) <= set(dir(tr))


def test_certify_keeps_an_exact_matrix_that_has_the_level():
    assert PROVED.mechanism == EXACT
    assert smallest_level(PROVED.mechanism, SPACE).exact == LEVEL
    with pytest.raises(NotPrivate):
        tr.privacy.certified(EXACT, 0.5)


def test_names_of_files_may_be_paths(tmp_path):
    target = Path(tmp_path) / "m.json"
    tr.save(PROVED, target)
    assert tr.load(str(target)).mechanism == EXACT
    assert tr.draw(tr.load(target), 0, SeededSource(1)) in (0, 1, 2)


def test_a_column_of_text_is_no_column():
    letters = tr.certify(np.full((2, 2), 0.5), "categories:a/b", 1)
    for column in ("ab", b"ab", {"a": 1}):
        with pytest.raises(BadInput, match="expected a column of inputs"):
            tr.draw_many(letters, column)
    assert len(tr.draw_many(letters, ["a", "b"])) == 2


def test_errors_of_the_library_name_no_option_of_a_command():
    source = Path(tr.__file__).parent
    named = [
        f"{file.relative_to(source)}:{text.lineno}"
        for file in source.rglob("*.py")
        if file.relative_to(source).parts[0] != "cli" and not file.name.startswith("receipt")
        for raised in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(raised, ast.Raise)
        for text in ast.walk(raised)
        if isinstance(text, ast.Constant) and re.search(r"(^|[ (])--[a-z]", str(text.value))
    ]
    assert named == []


def test_a_frame_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(TightropeError, match=r"pip install pandas"):
        tr.compare("path:0..1", 1).to_frame()
