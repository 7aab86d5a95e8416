"""Optima at irrational levels, as functions of e^ε, beside a plain simplex just around them."""

import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import ctx

import tightrope as tr
from tests.constructions.optimum.test_exact import distances_of
from tests.crosschecks.plain_simplex import plain_optimum, plain_vertices
from tightrope.constructions import all_optima
from tightrope.constructions.optimum.exact_form import Point, _form, functions_program
from tightrope.errors import BadInput, TooLarge
from tightrope.lp import RationalFunction
from tightrope.lp.exact_cones import always_first
from tightrope.utility import Problem, exact_value

F = Fraction
NEAR = F(1, 10**12)


def around(value):
    """Fractions just below and above a number that is given by its double."""
    exact = F(value)
    return exact - NEAR, exact + NEAR


@pytest.mark.parametrize("goal", ["average", "worst"])
@pytest.mark.parametrize("text", ["path:0..2", "cycle:4", "star:3", "categories:3", "cycle:5"])
def test_the_value_lies_between_the_optima_just_around_the_level(text, goal):
    space = tr.space(text)
    for seed, level in enumerate(("0.5", "ln(2)/2", "ln(3)*2/3", "1.25")):
        source = random.Random(seed)
        losses = [[F(source.randrange(0, 7), source.choice((1, 2))) for _ in range(space.size)]
                  for _ in range(space.size)]
        parts = [source.randrange(1, 5) for _ in range(space.size)]
        prior = [F(part, sum(parts)) for part in parts]
        solution = tr.design(space, level, loss=losses, prior=prior, goal=goal, exact=True)
        form, asked = solution.form, prior if goal == "average" else None
        low, high = around(math.exp(float(tr.Level.of(level))))
        most, _ = plain_optimum(distances_of(space), low, losses, asked)
        least, _ = plain_optimum(distances_of(space), high, losses, asked)
        assert form.value.at(high) <= most  # the loss falls as the ratio grows
        assert form.value.at(low) >= least
        assert abs(float(form.enclose(form.value)) - float(most)) < 1e-9
        rows = [[entry.at(low) for entry in row] for row in form.rows]
        assert all(sum(row) == 1 for row in rows)
        means = [sum(p * x for p, x in zip(row, line, strict=True))
                 for row, line in zip(rows, losses, strict=True)]
        own = max(means) if goal == "worst" else sum(
            p * mean for p, mean in zip(prior, means, strict=True))
        assert abs(own - most) < F(1, 10**10)
        for a in range(space.size):
            for z, entry in enumerate(rows[a]):
                assert entry >= -F(1, 10**10), (text, level)
                for b in range(space.size):
                    if (a, b) in distances_of(space):
                        far = high ** distances_of(space)[a, b] * rows[b][z]
                        assert entry <= far + F(1, 10**10)


def test_the_mechanism_has_the_level_and_loses_no_less_than_the_form():
    solution = tr.design("path:0..4", 0.5, loss="squared", exact=True)
    assert tr.verify(solution.mechanism, "path:0..4", 0.5).holds
    assert solution.exact is None
    loss = exact_value(solution.problem, solution.mechanism)
    least = solution.form.enclose(solution.form.value, 256)
    assert float(loss) == pytest.approx(float(least), rel=1e-15)
    with ctx.workprec(256):
        assert tr.exact.ball_of(loss, 256) > least
    assert solution.gap < 1e-14


@pytest.mark.parametrize("size", [2, 3, 6])
def test_randomized_response_and_the_geometric_mechanism_are_recognized(size):
    solution = tr.design(f"categories:{size}", 1, exact=True)
    assert str(solution.form.value) == f"{size - 1}/(r + {size - 1})"
    assert {str(entry) for row in solution.form.rows for entry in row} == {
        f"r/(r + {size - 1})", f"1/(r + {size - 1})"}
    path = tr.design("path:0..2", 1, exact=True).form
    assert [str(entry) for entry in path.rows[0]] == ["r/(r + 1)", "(r - 1)/(r^2 + r)",
                                                      "1/(r^2 + r)"]


def test_the_basis_names_tight_pairs():
    form = tr.design("cycle:5", "ln(2)/2", exact=True).form
    for z, pairs in enumerate(form.basis):
        for a, b in pairs:
            with ctx.workprec(256):
                here = form.enclose(form.rows[a][z], 256)
                there = 0 if b is None else form.enclose(form.rows[b][z], 256) / form.ball(256)
                assert abs(here - there) < 1e-30


def test_bases_that_meet_near_a_level_are_told_apart():
    """Binary loss on a star of 4: (4 - r)/4 up to r = 2, then 3/(2 r + 2)."""
    pieces = tr.constructions.value_pieces("star:3")
    assert [str(piece.value) for piece in pieces.pieces] == ["(-r + 4)/4", "3/(2*r + 2)"]
    assert pieces.pieces[0].high.exact == 2
    for level, value in (("ln(4.0000000000001)/2", "3/(2*r + 2)"),
                         ("ln(3.9999999999999)/2", "(-r + 4)/4")):
        assert str(tr.design("star:3", level, exact=True).form.value) == value


@pytest.mark.parametrize("ratio", [2, 3, 4, 5])
def test_a_basis_of_the_other_side_is_not_taken(ratio):
    """Two inputs with prior 1/(q + 1) and q/(q + 1): up to r = q one answer is best, then both.

    The first fraction that is tried is q itself, where both bases are optimal.
    """
    prior, tiny = [F(1, ratio + 1), F(ratio, ratio + 1)], F(1, 10**25)
    for losses in ([[0, 1], [1, 0]], [[0, 1, 1], [1, 0, 1]], [[1, 0], [0, 1]]):
        above = tr.design("categories:2", f"ln({ratio**2 + tiny})/2", prior=prior, loss=losses,
                          outputs=range(len(losses[0])), exact=True)
        assert str(above.form.value) == "1/(r + 1)"
    space = f"star:{ratio + 1}"
    star = tr.design(space, f"ln({ratio**2 + tiny})/2", exact=True)
    assert star.form.value == tr.constructions.value_pieces(space).pieces[-1].value


def test_at_a_root_where_two_bases_meet_either_is_proved():
    """The prior has only c and d, at distance 2: at r = √2 answering d always is as good."""
    space = tr.spaces.matrix(list("abcd"), [[0, 1, 3, 3], [1, 0, 3, 3], [3, 3, 0, 2], [3, 3, 2, 0]])
    prior, level = [0, 0, "1/3", "2/3"], "ln(2)/2"
    form = tr.design(space, level, prior=prior, loss="binary", exact=True).form
    assert str(form.value) in ("1/3", "1/(r^2 + 1)")
    assert abs(form.enclose(form.value, 256) - tr.exact.ball_of(F(1, 3), 256)) < 1e-60


@pytest.mark.parametrize(("level", "signs"), [
    ("ln(2)/2", [0, -1, 1, None]), ("ln(2.0001)/2", [1, 1, 1, 1]), ("0.3465", [-1, -1, 1, -1])])
def test_signs_at_an_irrational_ratio_are_exact(level, signs):
    """Of r^2 - 2, 0 at r = √2; r^2 - 2.00000001, r - 1.41 and 1/(r^2 - 2), which has no value."""
    point = Point.of(Problem("path:0..2", level))
    r, of = RationalFunction.ratio(), RationalFunction.of
    square = r * r - of(2)
    functions = [square, r * r - of(F("2.00000001")), r - of(F("1.41")), of(1) / square]
    assert [point.sign(function) for function in functions] == signs


def test_distances_that_are_fractions_have_a_unit():
    space = tr.spaces.matrix(["a", "b", "c"], [[0, "1/2", "3/2"], ["1/2", 0, 1], ["3/2", 1, 0]])
    form = tr.design(space, 1, loss="binary", exact=True).form
    assert form.ratio == "r = e^(1/2 ε)"
    assert float(form.ball(64)) == pytest.approx(math.exp(0.5), abs=1e-15)
    low, high = around(math.exp(0.5))
    steps = {(0, 1): 1, (1, 0): 1, (1, 2): 2, (2, 1): 2, (0, 2): 3, (2, 0): 3}
    losses = [[int(y != z) for z in range(3)] for y in range(3)]
    most, _ = plain_optimum(steps, low, losses, [F(1, 3)] * 3)
    least, _ = plain_optimum(steps, high, losses, [F(1, 3)] * 3)
    assert least - NEAR <= form.value.at(low) <= most + NEAR


def test_what_has_no_form_is_refused():
    with pytest.raises(BadInput, match="√2"):
        tr.design("grid:2x2", 1, loss="binary", exact=True)
    with pytest.raises(BadInput, match="δ = 0"):
        tr.design("path:0..2", 1, delta="0.1", exact=True)
    with pytest.raises(TooLarge, match="leave out exact"):
        tr.design("path:0..50", 1, exact=True)


def test_page_and_json_show_the_functions():
    solution = tr.design("categories:2", 1, exact=True)
    assert "1/(r + 1), with r = e^ε" in repr(solution)
    facts = solution.facts().json
    assert facts["exact_entries"][0] == ["r/(r + 1)", "1/(r + 1)"]


def test_irrational_distances_are_refused_with_what_works():
    with pytest.raises(BadInput, match=r"has √2: leave out exact, or use metric=manhattan") as no:
        tr.design("grid:2x2", ratio=2, loss="binary", exact=True)
    assert "\n" not in str(no.value)
    assert tr.design("grid:2x2,metric=manhattan", ratio=2, loss="binary",
                     exact=True).exact.value == F(5, 9)  # 1 - (2/3)²: two bits, each told apart
    assert tr.design("grid:2x2", ratio=2, loss="binary").gap < 1e-6


@pytest.mark.parametrize("level", [{"epsilon": 20_000}, {"ratio": 10**400}])
def test_a_loss_below_doubles_is_shown_by_its_digits(level):
    """On two inputs the error is 1 / (e^ε + 1)."""
    solution = tr.design("path:0..1", exact=True, **level)
    with localcontext(prec=30, Emax=10**6, Emin=-10**6):
        ratio = Decimal(level["ratio"]) if "ratio" in level else Decimal(20_000).exp()
        expected = 1 / (ratio + 1)
        shown = Decimal(str(solution).split("  loss ")[1].split(",")[0].strip())
        assert abs(shown / expected - 1) < Decimal("1e-6")
    assert solution.value == 0


def test_no_loss_at_all_is_shown_as_0():
    constant = tr.design("path:0..1", ratio=2, prior=[1, 0], exact=True)
    assert "loss     0, on average; optimal" in str(constant)


@pytest.mark.parametrize("text", ["categories:2", "path:0..2", "categories:3"])
def test_whether_a_form_is_unique_is_what_an_enumeration_near_its_level_says(text):
    """Between two close fractions around e^(1/2) no two of these small optima change places."""
    space, told = tr.space(text), []
    for seed in range(25):
        source = random.Random(seed)
        losses = [[F(source.randrange(0, 3)) for _ in range(2)] for _ in range(space.size)]
        parts = [source.choice((0, 1, 1, 2)) for _ in range(space.size)]
        parts[0] += 1
        prior = [F(part, sum(parts)) for part in parts]
        solution = tr.design(space, "1/2", prior=prior, loss=losses, outputs=range(2), exact=True)
        few, many = (plain_vertices(distances_of(space), ratio, losses, prior)
                     for ratio in around(math.exp(0.5)))
        assert (len(few) == 1) == (len(many) == 1)
        if solution.form.unique is not None:
            assert solution.form.unique == (len(few) == 1)
        told.append(solution.form.unique)
    assert {True, False} <= set(told)


def test_a_free_constraint_that_others_hold_back_is_not_taken_for_another_optimum():
    """All entries of a column that is 0 are at an end: only some of them can leave alone."""
    solution = tr.design("categories:2", "1/2", loss=[[0, 0], [0, 0]], exact=True)
    assert solution.form.unique is not True
    with pytest.raises(BadInput, match=r"form\.unique"):
        all_optima(solution)


def test_a_feasible_basis_with_negative_multipliers_is_no_form():
    problem = Problem("path:0..2", "1/2", loss="absolute")
    program = functions_program(problem, F(1))
    assert _form(program, always_first(program), Point.of(problem)) is None
