"""Predicates judged by the axioms; counterexamples are checked again by plain arithmetic."""

import math
import random
from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput
from tightrope.privacy import Band, PairBound, TablePredicate, judge

F = Fraction


def dp(ratio, delta=0):
    return lambda a, b: b <= ratio * a + delta and a <= ratio * b + delta


# name, predicate, does it keep the axioms (both or none: see the docstring of `axioms`)
PREDICATES = [
    ("pure differential privacy", dp(2), True),
    ("approximate differential privacy", dp(F(3, 2), F(1, 10)), True),
    ("total variation", lambda a, b: abs(a - b) <= F(1, 4), True),
    ("anything goes", lambda a, b: True, True),
    ("nothing is revealed", lambda a, b: a == b, True),
    ("same support", lambda a, b: (a == 0) == (b == 0) and (a == 1) == (b == 1), True),
    ("one direction only", lambda a, b: b <= 3 * a, True),
    ("pure, with a float", lambda a, b: b <= math.e * a and a <= math.e * b, True),
    ("root", lambda a, b: b * b <= a, True),
    ("ratio or difference", lambda a, b: dp(2)(a, b) or abs(a - b) <= F(1, 10), False),
    ("only likely events count", lambda a, b: a < F(1, 10) or b < F(1, 10) or dp(2)(a, b), False),
    ("only rare events count", lambda a, b: a > F(1, 2) or dp(2)(a, b), False),
    ("equal or swapped", lambda a, b: b in (a, 1 - a), False),
    ("certainty of one is shared", lambda a, b: (a, b) in {(0, 0), (1, 1)} or 0 < a < 1, True),
    ("not exactly one half", lambda a, b: a != F(1, 2), False),
    ("far from the middle", lambda a, b: abs(a - b) <= (a - F(1, 2)) ** 2, False),
    ("same fifth", lambda a, b: int(5 * a) == int(5 * b), False),
]


def subsets(rows):
    """Both probabilities of every event of a mechanism on two inputs."""
    for chosen in product((0, 1), repeat=len(rows[0])):
        yield tuple(sum((c * x for c, x in zip(chosen, row, strict=True)), F(0)) for row in rows)


def is_allowed(predicate, rows):
    """The definition itself: every event, by name or by its complement."""
    assert all(sum(row) == 1 and min(row) >= 0 for row in rows)
    return all(bool(predicate(a, b)) for a, b in subsets(rows))


def refutes_processing(predicate, found):
    """The mechanism is allowed; after the channel the event is exactly the one named, and not."""
    assert all(0 <= c <= 1 for c in found.channel)
    after = [
        [sum(c * x for c, x in zip(found.channel, row, strict=True)),
         sum((1 - c) * x for c, x in zip(found.channel, row, strict=True))]
        for row in found.mechanism
    ]
    assert (after[0][0], after[1][0]) == found.event
    return is_allowed(predicate, found.mechanism) and not is_allowed(predicate, after)


def refutes_choice(predicate, found):
    """Every mechanism is allowed; the mixture with these chances is not."""
    assert sum(found.shares) == 1
    assert min(found.shares) > 0
    mixed = [
        [sum(s * rows[i][z] for s, rows in zip(found.shares, found.mechanisms, strict=True))
         for z in range(2)]
        for i in range(2)
    ]
    assert (mixed[0][0], mixed[1][0]) == found.event
    each = all(is_allowed(predicate, rows) for rows in found.mechanisms)
    return each and not is_allowed(predicate, mixed)


@pytest.mark.parametrize(("name", "predicate", "keeps"), PREDICATES, ids=lambda v: str(v)[:24])
def test_verdicts_and_counterexamples(name, predicate, keeps):
    verdict = judge(predicate, grid=20)
    assert verdict.satisfiable
    assert verdict.transformation_invariance is verdict.axiom_of_choice is keeps
    if keeps:
        assert verdict.definition is not None
        for i, j in product(range(21), repeat=2):
            a, b = F(i, 20), F(j, 20)
            if predicate(a, b) and predicate(1 - a, 1 - b):
                assert verdict.definition.least(a) <= b <= verdict.definition(a)
    else:
        assert refutes_processing(predicate, verdict.processing)
        assert refutes_choice(predicate, verdict.choice)


def test_a_grid_that_is_too_coarse_sees_nothing_and_says_which_grid_it_was():
    def same_tenth(a, b):
        return int(10 * a) == int(10 * b)

    coarse, fine = judge(same_tenth, grid=20), judge(same_tenth, grid=40)
    assert (coarse.transformation_invariance, coarse.exact, coarse.grid) == (True, False, 20)
    assert coarse.scope == "for events whose probabilities are multiples of 1/20"
    assert judge(Band.of([(0, 0), (1, 0)], [(0, 0), (1, 1)])).scope == "for every event"
    assert refutes_processing(same_tenth, fine.processing)


def test_a_definition_that_allows_nothing_keeps_the_axioms_emptily():
    verdict = judge(lambda a, b: a + b < 2)  # forbids the certain event
    assert not verdict.satisfiable
    assert verdict.transformation_invariance
    assert verdict.axiom_of_choice
    assert verdict.definition is None


def test_bands_are_decided_exactly():
    level = PairBound.of([(0, "1/10"), ("1/3", "3/4"), (1, 1)])
    lower = [(1 - a, 1 - b) for a, b in reversed(level.knots)]
    verdict = judge(Band.of(lower, level.knots))
    assert verdict.exact
    assert verdict.definition.knots == level.knots
    # bent by one part in 10^30: no grid would see it
    tiny = F(1, 10**30)
    bent = [(0, 0), (F(1, 3), F(2, 3)), (F(2, 3), F(5, 6) - tiny), (1, 1)]
    bent.insert(2, (F(1, 2), F(3, 4) - tiny))
    predicate = Band.of([(0, 0), (1, 0)], bent)
    verdict = judge(predicate)
    assert not verdict.transformation_invariance
    assert refutes_processing(predicate, verdict.processing)
    assert refutes_choice(predicate, verdict.choice)


def line(source, heights):
    """Random corners over [0, 1] with the first and last heights given."""
    places = sorted(source.sample(range(1, 6), source.randrange(0, 3)))
    inner = [(F(k, 6), F(source.randrange(0, 7), 6)) for k in places]
    return [(F(0), heights[0]), *inner, (F(1), heights[1])]


def test_random_bands_are_their_definition_or_break_both_axioms():
    source, verdicts = random.Random(5), {True: 0, False: 0}
    twelfths = [F(k, 12) for k in range(13)]
    for _ in range(150):
        top, bottom = (F(source.randrange(0, 7), 6) for _ in range(2))
        jump = source.choice((None, 0, F(source.randrange(0, 7), 6)))
        predicate = Band.of(line(source, (F(0), bottom)), line(source, (top, F(1))), jump)
        verdict = judge(predicate)
        assert verdict.satisfiable
        assert verdict.exact
        assert verdict.axiom_of_choice is verdict.transformation_invariance
        verdicts[verdict.axiom_of_choice] += 1
        if verdict.axiom_of_choice:
            for a, b in product(twelfths, repeat=2):
                kept = predicate(a, b) and predicate(1 - a, 1 - b)
                assert kept is (verdict.definition.least(a) <= b <= verdict.definition(a))
        else:
            assert refutes_processing(predicate, verdict.processing)
            assert refutes_choice(predicate, verdict.choice)
    assert min(verdicts.values()) > 10


def test_random_bands_agree_with_convexity():
    source = random.Random(8)
    verdicts = {True: 0, False: 0}
    for _ in range(250):
        places = sorted(source.sample(range(1, 12), source.randrange(0, 3)))
        upper = [(F(0), F(source.randrange(0, 3), 4))]
        upper += [(F(k, 12), F(source.randrange(k, 13), 12)) for k in places]
        upper.append((F(1), F(1)))
        start = source.choice((None, None, 0))
        predicate = Band.of([(0, 0), (1, 0)], upper, start)
        verdict = judge(predicate)
        tops = upper
        concave = all(
            (m[1] - p[1]) * (r[0] - p[0]) >= (r[1] - p[1]) * (m[0] - p[0])
            for p, m, r in zip(tops, tops[1:], tops[2:], strict=False)
        )
        assert verdict.axiom_of_choice is verdict.transformation_invariance is concave
        verdicts[concave] += 1
        if concave:
            assert verdict.definition(F(1, 2)) == predicate.highest(F(1, 2))
            assert verdict.definition(F(0)) == predicate.highest(F(0))
        else:
            assert refutes_processing(predicate, verdict.processing)
            assert refutes_choice(predicate, verdict.choice)
    assert min(verdicts.values()) > 20


def test_three_outputs_are_needed_where_each_parallelogram_is_allowed():
    def within(p):
        """In the parallelogram of (0, 0), p, (1, 1) and 1 - p."""
        def holds(a, b):
            x, y = p
            first = F(a * (1 - y) - b * (1 - x)) / (x - y)
            second = F(x * b - y * a) / (x - y)
            return 0 <= first <= 1 and 0 <= second <= 1
        return holds

    one, two = within((F(1, 5), F(1, 2))), within((F(1, 2), F(4, 5)))
    verdict = judge(lambda a, b: one(a, b) or two(a, b), grid=20)
    assert len(verdict.processing.channel) == 3
    assert refutes_processing(lambda a, b: one(a, b) or two(a, b), verdict.processing)


def test_tables_are_judged_by_whether_a_definition_agrees_with_them():
    rows = (tuple(dp(2)(F(i, 12), F(j, 12)) for j in range(13)) for i in range(13))
    good = TablePredicate(tuple(rows))
    assert judge(good).exact
    assert judge(good).axiom_of_choice
    rows = [list(row) for row in good.allowed]
    rows[6][6] = False  # one hole on the diagonal
    holed = TablePredicate(tuple(map(tuple, rows)))
    verdict = judge(holed)
    assert not verdict.axiom_of_choice
    assert refutes_choice(holed, verdict.choice)
    assert refutes_processing(holed, verdict.processing)


def test_random_tables_agree_with_brute_force_mixtures():
    source = random.Random(9)
    for _ in range(60):
        steps = 4
        allowed = [[source.random() < 0.75 or i == j for j in range(steps + 1)]
                   for i in range(steps + 1)]
        table = TablePredicate(tuple(map(tuple, allowed)))
        inside = {(i, j) for i in range(steps + 1) for j in range(steps + 1)
                  if allowed[i][j] and allowed[steps - i][steps - j]}
        if (0, 0) not in inside:
            assert not judge(table).satisfiable
            continue
        closed = all(
            (i, j) in inside
            for i in range(steps + 1) for j in range(steps + 1)
            if in_hull((i, j), sorted(inside))
        )
        verdict = judge(table)
        assert verdict.axiom_of_choice is closed
        if not closed:
            assert refutes_choice(table, verdict.choice)
            assert refutes_processing(table, verdict.processing)


def in_hull(point, points):
    """Whether a point lies in a triangle of the points (Carathéodory)."""
    def side(o, p, q):
        return (p[0] - o[0]) * (q[1] - o[1]) - (p[1] - o[1]) * (q[0] - o[0])

    for a, b, c in product(points, repeat=3):
        signs = [side(a, b, point), side(b, c, point), side(c, a, point)]
        box = all(min(v) <= x <= max(v) for v, x in zip(zip(a, b, c, strict=True), point,
                                                        strict=True))
        if box and (min(signs) >= 0 or max(signs) <= 0):
            return True
    return False


@pytest.mark.parametrize(
    ("predicate", "reason"),
    [
        (lambda a, b: 1 / a > b, "raised ZeroDivisionError"),
        (lambda a, b: None, "found None"),
        (lambda a, b: a <= b or "maybe", "found 'maybe'"),
    ],
)
def test_predicates_that_are_not_defined_everywhere_are_refused(predicate, reason):
    with pytest.raises(BadInput, match=f"not defined on all of .*{reason}"):
        judge(predicate)


def test_bands_and_tables_that_leave_something_out_are_refused():
    with pytest.raises(BadInput, match="not defined on all"):
        Band.of([(0, 0), (1, 0)], [("1/4", 0), (1, 1)])
    with pytest.raises(BadInput, match="not defined on all"):
        Band.of([(0, 0), ("3/4", 0)], [(0, 0), (1, 1)])
    for low, high in ("-1/4", 1), (0, "3/2"):
        with pytest.raises(BadInput, match="from 0 to 1"):
            Band.of([(0, low), (1, 0)], [(0, 0), (1, high)])
    with pytest.raises(BadInput, match="every a once"):
        Band.of([(0, 0), (1, 0)], [(0, 0), ("1/2", 1), ("1/2", 0), (1, 1)])
    with pytest.raises(BadInput, match="pairs of exact numbers"):
        Band.of([(0, 0), (1, 0)], [(0, 0), (1, "one")])
    for lines in ([], [(0, 0), (1, 1)]), ([(0, 0), (1, 1)], []):
        with pytest.raises(BadInput, match="a lower and an upper line"):
            Band.of(*lines)
    with pytest.raises(BadInput, match="square table"):
        TablePredicate(((True,),))
    everything = TablePredicate(((True,) * 3,) * 3)
    assert everything(F(1, 2), F(1))
    for place in (F(1, 4), F(1)), (F(1), F(1, 4)):
        with pytest.raises(BadInput, match="says nothing"):
            everything(*place)
    with pytest.raises(BadInput, match="square table"):
        TablePredicate(((True, True), (True,)))
    with pytest.raises(BadInput, match="grid"):
        judge(lambda a, b: True, grid=1)


def test_a_band_that_jumps_at_zero_allows_less_there():
    band = Band.of([(0, 0), (1, 1)], [(0, "1/2"), (1, 1)], upper_at_zero=0)
    quarter = Fraction(1, 4)
    assert not band(Fraction(0), quarter)
    assert band(Fraction(1, 100), quarter)
    assert Band.of([(0, 0), (1, 1)], [(0, "1/2"), (1, 1)])(Fraction(0), quarter)


def test_the_smallest_table_and_the_coarsest_grid_have_two_rows_and_two_steps():
    nothing = judge(TablePredicate(((True, False), (False, True))))
    assert nothing.axiom_of_choice
    assert nothing.definition.knots == ((0, 0), (1, 1))
    assert judge(lambda a, b: a == b, grid=2).definition.knots == ((0, 0), (1, 1))


def test_a_band_has_no_grid_and_says_nothing_beyond_one():
    band = Band.of([(0, 0), (1, 1)], [(0, "1/2"), (1, 1)])
    assert judge(band, grid=1).grid is None
    with pytest.raises(BadInput, match="from 0 to 1"):
        band(F(5, 4), F(1))


def test_what_a_predicate_refuses_is_refused_in_its_own_words():
    def refuses(a, b):
        raise BadInput("not about these")

    with pytest.raises(BadInput, match=r"^not about these"):
        judge(refuses)


def test_two_outputs_are_told_where_a_third_alone_would_not_be_allowed():
    """Beside the diagonal (0, 1/6), (1/2, 5/6) and their complements: (1/2, 4/6) is not allowed."""
    beside = {(0, 1), (3, 5), (6, 5), (3, 1)}
    table = TablePredicate(
        tuple(tuple(i == j or (i, j) in beside for j in range(7)) for i in range(7))
    )
    verdict = judge(table)
    assert len(verdict.processing.channel) == 2
    assert refutes_processing(table, verdict.processing)
    assert refutes_choice(table, verdict.choice)


def test_a_point_below_the_line_is_made_from_three_outputs_too():
    """(1/5, 3/5) lies between (0, 2/5) and (2/5, 1), below their line."""
    above = {(0, 1), (0, 2), (1, 2), (2, 3), (2, 5)}
    table = TablePredicate(tuple(
        tuple(i == j or (i, j) in above or (5 - i, 5 - j) in above for j in range(6))
        for i in range(6)
    ))
    verdict = judge(table)
    assert (verdict.processing.event, len(verdict.processing.channel)) == ((F(1, 5), F(3, 5)), 3)
    assert refutes_processing(table, verdict.processing)


def test_a_band_lies_between_its_lines_wherever_their_corners_are():
    bent = Band.of([(0, 0), ("1/2", "1/4"), (1, "1/2")], [(0, "1/2"), ("1/4", "1/2"), (1, 1)])
    assert bent(F(3, 4), F(3, 8))
    assert not bent(F(3, 4), F(3, 8) - F(1, 100))
    assert bent(F(1, 8), F(1, 2))
    assert not bent(F(1, 8), F(1, 2) + F(1, 100))
    steep = Band.of([(0, 0), ("1/4", "1/2"), ("1/2", 1), (1, 1)], [(0, 1), (1, 1)])
    assert steep(F(3, 8), F(3, 4))
    assert not steep(F(3, 8), F(3, 4) - F(1, 100))
