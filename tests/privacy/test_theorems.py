"""Certificates by theorem: where each begins to hold, what it rests on, and who is refused."""

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from math import nextafter
from typing import get_args

import numpy as np
import pytest

from tests.exact.oracle import wide
from tightrope.choices import Count
from tightrope.errors import BadInput, CannotCheck, NotCertified, NotPrivate
from tightrope.exact import Intervals, Level, Surd
from tightrope.mechanisms import (
    BoxMechanism,
    CauchyLaw,
    DataMechanism,
    DegreeCounts,
    FrequentMechanism,
    GaussianMechanism,
    GlobalCount,
    KeyNoise,
    KeySelection,
    LadderCount,
    LineMechanism,
    ModeMechanism,
    NoiseMechanism,
    PiecewiseNoise,
    PlanarLaplace,
    PlanarLaw,
    PositionNoise,
    PositionSteps,
    PrivacyFirstCount,
    QuantileMechanism,
    RankMechanism,
    RungLaw,
    SmoothCount,
    TallyNoise,
    TraceNoise,
)
from tightrope.privacy import Certified, certified, smallest_level, verify
from tightrope.privacy.lemmas import _one_rung_apart, lemma_holds
from tightrope.samplers import draw, draw_many
from tightrope.spaces import (
    CutGraphs,
    Graphs,
    Network,
    Positions,
    RealLine,
    Records,
    Region,
    Tallies,
    Totals,
    Traces,
    ValueCounts,
    path,
    sums,
)

GRAPHS, RECORDS = Graphs(4), Records(3, 0, 3)
RING = Network(4, np.array([0, 1, 2, 0]), np.array([1, 2, 3, 3]))


def stairs(*rungs, step=2):
    """Noise of ratio 2 with rungs ±[a, b]; None is an empty one."""
    held = [None if rung is None else
            Intervals.of([(-b, -a), (a, b)] if a else [(-b, b)]) for rung in rungs
            for a, b in [rung or (0, 0)]]
    return PiecewiseNoise(Fraction(2), tuple(held), Fraction(step))


def on_line(noise, *changes, grid=1):
    return LineMechanism(RealLine(Intervals.of(changes)), noise, grid)


# each with a dataset, and the ratio by which neighbors are told apart; True: two of them are
FORMS = [
    (on_line(stairs((0, 1), (1, 3)), (0, 2)), Fraction(1, 3), Fraction(2), True),
    (GlobalCount(GRAPHS, Count.STARS2, 2, 3), RING, Fraction(2), True),
    (GlobalCount(CutGraphs(4, 2), Count.EDGES, 3, 2), RING, Fraction(3), False),
    (PrivacyFirstCount(GRAPHS, Count.STARS2, 1, 3), RING, Fraction(9), False),
    (PrivacyFirstCount(GRAPHS, Count.EDGES, 2, 3), RING, Fraction(3), True),
    (DegreeCounts(GRAPHS, 3, 2), RING, Fraction(4), True),
    (DegreeCounts(CutGraphs(4, 2), 2, 2), RING, Fraction(16), True),
    (TallyNoise(Tallies(2, 1, 3), 2, 3, 2), [4, 1], Fraction(2), True),
    (TallyNoise(Tallies(3, 2, 4), 2), [4, 1, 0], Fraction(16), True),
    (RankMechanism(ValueCounts(1, 3, 1, 0), 1, 2, 0, 2), [1, 0, 2], Fraction(16), False),
    (FrequentMechanism(ValueCounts(2, 2, 1, 1), 2, 3), [1, 0, 2, 2], Fraction(81), False),
    (BoxMechanism(Totals(3, 2, 2), 3, 1), [4, 1], Fraction(3), True),
    (PositionNoise(Positions(Region.box(-4, 40, -3, 41), 10, 3), 2), (-3.5, 40.5), Fraction(32),
     False),
    (PlanarLaplace(Positions(Region.box(-4, 40, -3, 41), 10, 3), 2), (-3.5, 40.5), Fraction(32),
     False),
    (TraceNoise(Traces(Positions(Region.box(-4, 40, -3, 41), 10, 3)), 2, 4, 2, 3, 5, 2, 2, 4, 1),
     [(-3.5, 40.5), (-3.4, 40.5)], Fraction((2**5 * 3 * 2**3) ** 2), False),
    (PositionSteps(Positions(Region.box(-4, 40, -3, 41), 10, 3), 3, 2), (-3.5, 40.5), Fraction(3),
     False),
    (LadderCount(GRAPHS, Count.TRIANGLES, 3), RING, Fraction(9), False),
    (SmoothCount(GRAPHS, Count.TRIANGLES, "3/2", 2), RING, Fraction(9), False),
    (QuantileMechanism(RECORDS, 2, 3), [1, 2, 3], Fraction(9), False),
    (ModeMechanism(RECORDS, 3), [1, 1, 3], Fraction(9), False),
]
NAMES = [type(form[0]).__name__ for form in FORMS]


def test_every_form_on_datasets_is_tried_here():
    with_delta = {KeySelection, KeyNoise, GaussianMechanism}  # tests/mechanisms
    assert {type(form[0]) for form in FORMS} == set(get_args(DataMechanism)) - with_delta


@pytest.mark.parametrize(("mechanism", "data", "ratio", "attained"), FORMS, ids=NAMES)
def test_a_theorem_is_applied_at_its_ratio_and_not_a_hair_below(mechanism, data, ratio, attained):
    found = certified(mechanism, Level.ratio(ratio)).certificate.smallest
    log = Fraction(wide(90).ln(Decimal(int(ratio))))
    assert Fraction(nextafter(found.upper, 0)) < log < Fraction(found.upper)  # the next double
    assert found == smallest_level(mechanism, mechanism.space)
    if attained:
        assert Fraction(found.lower) < log < Fraction(nextafter(found.lower, 9))
        assert found.exact == Level.ratio(ratio)
    else:  # a bound that need not be reached: no smallest level is claimed
        assert (found.lower, found.exact) == (0, None)
    refused = NotPrivate if attained else CannotCheck
    for digits in (8, 16, 30, 60):
        hair = Fraction(1, 10**digits)
        assert certified(mechanism, Level.ratio(ratio + hair)).certificate.smallest == found
        with pytest.raises(refused):
            certified(mechanism, Level.ratio(ratio - hair))
        assert certified(mechanism, Level.epsilon(log + hair / 10)).certificate.smallest == found
        with pytest.raises(refused):
            certified(mechanism, Level.epsilon(log - hair / 10))


@pytest.mark.parametrize(("mechanism", "data", "ratio", "attained"), FORMS, ids=NAMES)
def test_what_may_be_kept_of_a_mechanism_does_not_depend_on_the_data(
    mechanism, data, ratio, attained
):
    proved = certified(mechanism, Level.ratio(ratio))
    before = {name: held for name, held in vars(mechanism).items() if name != "noise"}
    draw(proved, data)
    assert {name: held for name, held in vars(mechanism).items() if name != "noise"} == before
    declared = {field.name for field in fields(mechanism)}
    assert set(vars(mechanism)) - {"noise"} == declared - {"noise"}  # which is kept, and declared
    assert proved.certificate.neighbors == mechanism.space.relation


@pytest.mark.parametrize(("mechanism", "data", "ratio", "attained"), FORMS, ids=NAMES)
def test_a_subclass_or_a_look_alike_is_not_certified(mechanism, data, ratio, attained):
    held = {field.name: getattr(mechanism, field.name) for field in fields(mechanism)}
    pretended = type("Pretended", (type(mechanism),), {})(**held)
    alike = type("Alike", (), {**held, "law": mechanism.law, "base": mechanism, "rows": None})()
    for other in (pretended, alike):
        with pytest.raises(BadInput):
            certified(other, Level.ratio(ratio))
        with pytest.raises(BadInput):
            verify(other, mechanism.space, Level.ratio(ratio))
    proved = certified(mechanism, Level.ratio(ratio))
    with pytest.raises(NotCertified):
        Certified(pretended, proved.certificate)
    with pytest.raises(NotCertified):
        Certified(type(mechanism)(**held), proved.certificate)  # a twin is proved anew


@pytest.mark.parametrize(("mechanism", "data", "ratio", "attained"), FORMS, ids=NAMES)
def test_a_mechanism_on_datasets_is_proved_for_those_and_drawn_one_at_a_time(
    mechanism, data, ratio, attained
):
    for other in (path(0, 3), Graphs(5), Records(4, 0, 3)):
        with pytest.raises(BadInput):
            verify(mechanism, other, Level.ratio(ratio))
    with pytest.raises(BadInput, match="use draw"):
        draw_many(certified(mechanism, Level.ratio(ratio)), [data])
    with pytest.raises(NotCertified):
        draw(mechanism, data)
    for wrong in (None, "x", [0.5], Network(5, np.array([0]), np.array([1]))):
        with pytest.raises(BadInput):
            draw(certified(mechanism, Level.ratio(ratio)), wrong)


def test_a_matrix_is_not_read_on_datasets():
    with pytest.raises(BadInput, match="expected a mechanism for graphs:nodes=4"):
        verify([["2/3", "1/3"], ["1/3", "2/3"]], GRAPHS, Level.ratio(2))


def test_the_certificate_of_noise_names_the_changes_it_is_for():
    noise = stairs((0, 1), step=3)
    proved = certified(on_line(noise, (0, 1), (2, 2)), Level.ratio(2))
    assert proved.certificate.neighbors == "any two values that differ by 0 to 1, or 2"


@pytest.mark.parametrize("ends", [([0, 1], [2, 3]), ([1], [0]), ([0, 1], [1, 2]), ([], [])])
def test_intervals_are_disjoint_and_in_order(ends):
    with pytest.raises(BadInput):
        Intervals(*(np.array(end, dtype=np.int64) for end in ends), Fraction(1))


@pytest.mark.parametrize("wrong", [
    lambda: on_line(stairs((0, 1)), (0, 0)),  # nobody changes anything
    lambda: LineMechanism([(0, 1)], stairs((0, 1)), 1),
    lambda: on_line(stairs((0, 1)), (0, 1), grid=0),
    lambda: on_line(PiecewiseNoise(2, (Intervals.of([(-1, 1)]),), 1, center=1), (0, 1)),
    lambda: PiecewiseNoise(2, (Intervals.of([(-1, 1)]), Intervals.of([("-3/2", "3/2")])), 1),
    lambda: GlobalCount(GRAPHS, Count.STARS2, 2, 0),
    lambda: GlobalCount(GRAPHS, Count.STARS2, 2, 5),
    lambda: GlobalCount(GRAPHS, Count.STARS2, 1, 1),
    lambda: GlobalCount(path(0, 3), Count.STARS2, 2, 1),
    lambda: LadderCount(Graphs(3), Count.STARS3, 2),  # no graph has any
    lambda: LadderCount(GRAPHS, "squares", 2),
    lambda: LadderCount(GRAPHS, Count.EDGES, True),
    lambda: SmoothCount(GRAPHS, Count.EDGES, 1, 2),
    lambda: SmoothCount(GRAPHS, Count.EDGES, 2, 1),
    lambda: Graphs(2),
    lambda: CutGraphs(4, 4),
    lambda: CutGraphs(4, 0),
    lambda: GlobalCount(CutGraphs(4, 2), Count.TRIANGLES, 2, 1),
    lambda: GlobalCount(CutGraphs(4, 2), Count.STARS3, 2, 1),  # none has any
    lambda: LadderCount(CutGraphs(4, 2), Count.EDGES, 2),
    lambda: PrivacyFirstCount(GRAPHS, Count.TRIANGLES, -1, 2),
    lambda: PrivacyFirstCount(GRAPHS, Count.TRIANGLES, 5, 2),
    lambda: PrivacyFirstCount(GRAPHS, Count.TRIANGLES, 0, 1),
    lambda: PrivacyFirstCount(Graphs(8), Count.TRIANGLES, 0, 2),
    lambda: PrivacyFirstCount(Graphs(3), Count.STARS3, 0, 2),
    lambda: PrivacyFirstCount(CutGraphs(4, 2), Count.EDGES, 0, 2),
    lambda: DegreeCounts(GRAPHS, 4, 2),
    lambda: DegreeCounts(GRAPHS, 0, 2),
    lambda: DegreeCounts(GRAPHS, 2, 1),
    lambda: DegreeCounts(CutGraphs(9, 2), 3, 2),
    lambda: DegreeCounts(Graphs(2000), 1001, 2),
    lambda: DegreeCounts(RECORDS, 2, 2),
    lambda: TallyNoise(Tallies(2, 1, 1), 1),
    lambda: TallyNoise(Tallies(2, 1, 1), 2, 2, 3),
    lambda: TallyNoise(Tallies(2, 1, 10_001), 2),
    lambda: TallyNoise(RECORDS, 2),
    lambda: Tallies(2, 3, 5),
    lambda: ValueCounts(0, 3, 1, 0),
    lambda: ValueCounts(1, 3, 0, 0),
    lambda: ValueCounts(1, 3, 1, 2),
    lambda: ValueCounts(10, 2**57, 1, 0),
    lambda: RankMechanism(ValueCounts(1, 3, 1, 0), 0, 0, 0, 2),
    lambda: RankMechanism(ValueCounts(1, 3, 1, 0), 1, 1, 0, 1),
    lambda: RankMechanism(ValueCounts(1, 3, 5001, 0), 1, 1, 0, 2),
    lambda: RankMechanism(Tallies(2, 1, 1), 1, 1, 0, 2),
    lambda: FrequentMechanism(ValueCounts(1, 3, 1, 0), 4, 2),
    lambda: FrequentMechanism(ValueCounts(1, 3, 1, 0), 1, 2, 0),
    lambda: Tallies(2, 0, 5),
    lambda: Tallies(2, 2, 1),
    lambda: QuantileMechanism(RECORDS, 0, 2),
    lambda: QuantileMechanism(RECORDS, 4, 2),
    lambda: ModeMechanism(RECORDS, 1),
    lambda: ModeMechanism(Records(2, 0, 10**7), 2),
    lambda: NoiseMechanism(sums(people=3, maximum=2), 2, 1, 1),  # a person jumps a rung
    lambda: NoiseMechanism(path(0, 3), 2, 3, 4),
])
def test_declarations_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadInput):
        wrong()


@pytest.mark.parametrize(
    ("noise", "widest"),  # the largest change that keeps every answer within one rung
    [
        (stairs((0, 1), (1, 2), step=2), 1),
        (stairs((0, 2), (2, 3), step=2), 1),
        (stairs((0, 1), (1, 3), step=2), 2),
        (stairs((0, 1), (1, 3), (3, 4), step=2), 1),
        (stairs((0, 1), (1, 3), (3, 6), step=1), 1),
        (stairs(None, (0, 1), (1, 2), step=2), 1),
    ],
)
def test_noise_is_for_changes_that_jump_no_rung_and_not_for_a_hair_more(noise, widest):
    density = cache(noise.density)
    spots = [Fraction(k, 4) + Fraction(1, 8) for k in range(-28, 28)]

    def factor(change):
        """The largest ratio of densities at points `change` apart, on a fine grid."""
        return max(density(z) / density(z + change) for z in spots)

    def proved(change):
        return certified(on_line(noise, (0, change)), Level.ratio(2))

    assert max(factor(Fraction(k, 4)) for k in range(-4 * widest, 4 * widest + 1)) == 2
    assert proved(widest).certificate.level == Level.ratio(2)
    if widest < noise.step:
        assert factor(widest + Fraction(1, 4)) > 2
    for more in (Fraction(1, 4), Fraction(1, 10**12)):
        with pytest.raises(BadInput):
            proved(widest + more)


def chance_from(noise, value, least):
    """P(value + noise >= least) by adding up pieces of length 1/4, and the tail as a series."""
    quarter, total, z = Fraction(1, 4), Fraction(0), Fraction(least) - value
    end = 12 + noise.reach
    while z < end:
        total += quarter * noise.density(z + quarter / 2)
        z += quarter
    # beyond, whole steps weigh 1/q each of the one before
    first = sum(quarter * noise.density(end + k * quarter + quarter / 2)
                for k in range(int(noise.step * 4)))
    return total + first / (1 - 1 / noise.ratio)


@pytest.mark.parametrize("grid", [Fraction(1, 4), Fraction(1), Fraction(7)])
def test_the_witness_on_the_line_has_the_probabilities_that_it_states(grid):
    noise = stairs((0, 1), (1, 3))
    refuted = verify(on_line(noise, (0, 2), grid=grid), RealLine(Intervals.of([(0, 2)])),
                     Level.ratio("19/10"))
    first, second = (Fraction(held) for held in (refuted.witness.first, refuted.witness.second))
    assert abs(first - second) == 2
    assert refuted.witness.outputs == ("every answer of 0 or more",)  # 0 is on every grid
    stated = (chance_from(noise, first, 0), chance_from(noise, second, 0))
    assert refuted.witness.probabilities == stated
    assert stated[0] == 2 * stated[1]


def test_noise_wider_than_the_changes_need_not_reach_its_ratio():
    """On a grid of 6 every answer of changes up to 1 is blurred: no smallest level is claimed."""
    loose = on_line(stairs((0, 1), (1, 3)), (0, 1), grid=6)
    found = certified(loose, Level.ratio(2)).certificate.smallest
    assert (found.lower, found.exact) == (0, None)
    with pytest.raises(CannotCheck, match="not known"):
        certified(loose, Level.ratio("19/10"))


def test_a_bound_that_is_not_reached_refutes_nothing():
    ladder = LadderCount(GRAPHS, Count.TRIANGLES, 3)
    with pytest.raises(CannotCheck, match="below 9"):
        verify(ladder, GRAPHS, Level.ratio(8))
    with pytest.raises(CannotCheck, match="not known"):
        verify(ladder, GRAPHS, Level.ratio(8, delta="1/2"))


def test_a_power_too_long_to_write_out_is_compared_and_only_its_witness_is_left_open():
    hair = Fraction(1, 10**25_000)
    long = DegreeCounts(CutGraphs(9, 8), 8, 1 + hair)
    assert verify(long, long.space, Level.ratio(2)).holds
    assert verify(long, long.space, Level.ratio(1 + 17 * hair)).holds
    with pytest.raises(CannotCheck, match="power of 16"):
        verify(long, long.space, Level.ratio(1 + 15 * hair))


@pytest.mark.parametrize("level", [Level.epsilon("0.1"), Level.epsilon("1e-6"), Level.ratio("9/8")])
def test_ten_thousand_rungs_are_proved_just_inside_a_level_and_not_a_hair_beyond(level):
    """A ratio q^10000 with q of over a hundred bits has a million."""
    q = level.scaled(Fraction(1, 10_000)).ratio_below(Surd.of(1))
    space = Tallies(10_000, 10_000, 10_000)
    assert verify(TallyNoise(space, q), space, level).holds
    with pytest.raises(CannotCheck, match="to the power of 10000"):
        verify(TallyNoise(space, q + (q - 1) / 2**30), space, level)


def test_the_lemma_fails_for_datasets_that_are_no_neighbors():
    far = Network(4, np.array([0, 0, 0, 1, 1, 2]), np.array([1, 2, 3, 2, 3, 3]))
    empty = Network(4, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    for mechanism, one, other in [
        (LadderCount(GRAPHS, Count.TRIANGLES, 3), empty, far),
        (SmoothCount(GRAPHS, Count.TRIANGLES, "3/2", 2), empty, far),
        (PrivacyFirstCount(GRAPHS, Count.TRIANGLES, 0, 3), empty, far),
        (PrivacyFirstCount(GRAPHS, Count.EDGES, 1, 3), empty, far),
        (GlobalCount(CutGraphs(4, 2), Count.EDGES, 3, 1), empty, far),
        (DegreeCounts(GRAPHS, 3, 3), empty, far),
        (DegreeCounts(CutGraphs(4, 2), 2, 3), empty, far),
        (TallyNoise(Tallies(2, 1, 2), 3), [0, 0], [1, 1]),
        (TallyNoise(Tallies(2, 2, 2), 3), [0, 0], [1, 2]),
        (QuantileMechanism(RECORDS, 2, 3), [0, 0, 0], [3, 3, 3]),
        (RankMechanism(ValueCounts(1, 3, 1, 0), 1, 1, 0, 3), [3, 0, 0], [0, 0, 3]),
        (FrequentMechanism(ValueCounts(1, 2, 1, 0), 1, 3), [0, 0], [2, 0]),
        (ModeMechanism(RECORDS, 3), [0, 0, 0], [3, 3, 3]),
        (on_line(stairs((0, 1)), (0, 1)), 0, 2),
    ]:
        assert not lemma_holds(mechanism, one, other)
        assert lemma_holds(mechanism, one, one)


def test_a_witness_without_delta_refutes_nothing_with_delta():
    mechanism, _, ratio, attained = FORMS[0]
    assert attained
    below = Level.ratio(ratio * Fraction(9, 10))
    assert not verify(mechanism, mechanism.space, below).holds
    with pytest.raises(CannotCheck):
        verify(mechanism, mechanism.space, below.with_delta("1/2"))


def rungs(*growth):
    """The integer 0, then rungs that reach so much farther down and up."""
    lows, highs = (np.cumsum([0, *side]) for side in zip(*growth, strict=True))
    return RungLaw(Fraction(2), -lows, highs, 1)


def first_rungs(law, t):
    """The integers of rungs 0 to t, by the docstring of `RungLaw`."""
    last = len(law.lows) - 1
    more = max(0, t - last) * law.step
    return range(law.lows[min(t, last)] - more, law.highs[min(t, last)] + more + 1)


def test_one_rung_apart_is_what_it_says():
    sides = list(product((0, 1, 2), repeat=2))
    laws = [rungs(one) for one in sides] + [rungs(one, two) for one in sides for two in sides[::2]]
    laws.append(rungs(*[(1, 1)] * 4, (9, 9)))  # of which only the last is far away
    verdicts = set()
    for one, other in product(laws, repeat=2):
        within = all(set(first_rungs(inner, t)) <= set(first_rungs(outer, t + 1))
                     for inner, outer in ((one, other), (other, one)) for t in range(6))
        assert _one_rung_apart(one, other) is within
        verdicts.add(within)
    assert verdicts == {True, False}


@pytest.mark.parametrize(("center", "smooth", "holds"), [
    (5, 2, True), (7, 2, True), (8, 2, False), (3, 3, True), (5, "301/100", False), (7, 3, True),
    (8, 3, False),
])
def test_the_lemma_of_smooth_counts_needs_near_centers_and_near_scales(
    center, smooth, holds, monkeypatch
):
    mechanism = SmoothCount(GRAPHS, Count.TRIANGLES, "3/2", 2)
    monkeypatch.setattr(SmoothCount, "law", lambda self, law: law)
    one = CauchyLaw(5, Fraction(2), Fraction(2))
    other = CauchyLaw(center, Fraction(smooth), Fraction(2))
    assert mechanism.growth == Fraction(3, 2)
    assert lemma_holds(mechanism, one, other) is lemma_holds(mechanism, other, one) is holds


OTHERS = [Records(4, 0, 3), Records(3, 0, 4), Graphs(5), path(0, 3)]


@pytest.mark.parametrize("other", OTHERS, ids=str)
def test_the_smallest_level_is_told_on_the_datasets_of_the_mechanism_alone(other):
    for mechanism in (QuantileMechanism(RECORDS, 2, 3), GlobalCount(GRAPHS, Count.STARS2, 2, 3)):
        with pytest.raises(BadInput, match="and for nothing else"):
            smallest_level(mechanism, other)


@pytest.mark.parametrize(("mechanism", "witness", "chance", "less"), [
    # 3 answers on rung 0 and 2/(q - 1) = 4 beyond; -1 is within the radius of 0, not of 1
    (PrivacyFirstCount(Graphs(9), Count.EDGES, 1, "3/2"), ("no edges", "one edge", -1),
     Fraction(1, 7), Fraction(2, 3)),
    # noise 0 on both counts: ((q - 1)/(q + 1))² = 1/25; an edge has two ends
    (DegreeCounts(Graphs(5), 2, "3/2"), ("one edge", "no edges", (2, 0)),
     Fraction(1, 25), Fraction(4, 9)),
    (DegreeCounts(CutGraphs(5, 2), 2, "3/2"), ("a star with 2 leaves", "no edges", (3, 1)),
     Fraction(1, 25), Fraction(16, 81)),
    # 3 answers on rung 0 and 2 · 2/(q - 1) = 8 beyond; -1 is 2 + 1 rungs away from 4 and 1
    (TallyNoise(Tallies(3, 2, 5), "3/2", 2, 2), ((0, 0, 0), (4, 1, 0), (-1, -1, 0)),
     Fraction(1, 11**3), Fraction(8, 27)),
    # squares with 9, 49, 121, ... points: 9 + Σ (32 t + 8) (2/3)^t = 9 + 32 · 6 + 8 · 2 = 217
    (BoxMechanism(Totals(4, 2, 2), "3/2", 2), ((0, 0), (2, 0), (-1, 0)), Fraction(1, 217),
     Fraction(2, 3)),
], ids=["edges", "degrees", "cut degrees", "tally", "box"])
def test_a_witness_is_an_answer_with_its_probabilities(mechanism, witness, chance, less):
    found = verify(mechanism, mechanism.space, Level.ratio("5/4")).witness
    assert [*map(str, (found.first, found.second, *found.outputs))] == [*map(str, witness)]
    assert found.probabilities == (chance, chance * less)


def test_the_lemma_of_totals_is_about_the_largest_of_all_changes():
    totals = BoxMechanism(Totals(9, 2, 3), 3, 1)
    assert lemma_holds(totals, [4, 1, 6], [2, 3, 6])
    assert not lemma_holds(totals, [4, 1, 6], [4, 1, 3])


@pytest.mark.parametrize(("neighbor", "holds"), [
    ([2, 3, 0], True),  # two numbers, by 4 in all
    ([3, 2, 1], False), ([1, 3, 0], False), ([4, 5, 0], True), ([4, 6, 0], False)])
def test_the_lemma_of_tallies_is_about_how_many_numbers_change_and_by_how_much(neighbor, holds):
    assert lemma_holds(TallyNoise(Tallies(3, 2, 4), 2), [4, 1, 0], neighbor) is holds


def test_the_lemma_holds_for_neighbors_that_are_as_far_apart_as_neighbors_can_be():
    empty, edge = (Network(4, np.arange(k), np.arange(k) + 1) for k in (0, 1))
    for mechanism, one, other in [
        (DegreeCounts(GRAPHS, 3, 3), empty, edge),  # two degrees by one each
        (FrequentMechanism(ValueCounts(1, 2, 1, 0), 1, 3), [4, 0], [5, 0]),
        (FrequentMechanism(ValueCounts(1, 2, 1, 0), 2, 3), [4, 0], [5, 0]),  # told twice
        (on_line(stairs((0, 1)), (0, 1)), 5, 6),
    ]:
        assert lemma_holds(mechanism, one, other)
        assert lemma_holds(mechanism, other, one)


@pytest.mark.parametrize(("cell", "holds"), [((3, 4), True), ((5, 0), True), ((4, 4), False)])
def test_the_lemma_of_positions_is_about_the_distance_of_their_cells(cell, holds, monkeypatch):
    region = Positions(Region.box(-4, 40, -3, 41), 10, 3)
    monkeypatch.setattr(PositionNoise, "law", lambda self, center: PlanarLaw(center, 2))
    assert region.apart == 5
    assert lemma_holds(PositionNoise(region, 2), (7, 7), (7 + cell[0], 7 - cell[1])) is holds


def test_rungs_of_different_steps_are_not_compared():
    one, two = (RungLaw(Fraction(2), np.zeros(1, int), np.zeros(1, int), step) for step in (1, 2))
    assert _one_rung_apart(one, one)
    assert not _one_rung_apart(one, two)


def test_the_lemma_of_modes_is_about_one_rung():
    modes = ModeMechanism(Records(4, 0, 2), 3)
    assert lemma_holds(modes, [0, 0, 0, 1], [0, 0, 1, 1])  # all of which are one rung apart
    assert not lemma_holds(modes, [0, 0, 0, 0], [1, 1, 1, 1])
