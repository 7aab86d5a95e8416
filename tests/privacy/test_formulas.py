"""Reports of sets: the formula says what the written-out rows say, exactly."""

from fractions import Fraction

import pytest

from tests.exact.oracle import power_of
from tightrope.errors import BadMatrix, BadSpace
from tightrope.exact import Level
from tightrope.mechanisms import SubsetMechanism, TableMechanism, UnaryMechanism
from tightrope.privacy import certified, delta_curve, smallest_level, verify
from tightrope.spaces import categories, complete, path

REPORTS = [
    SubsetMechanism(categories(2), 1, Fraction(3)),
    SubsetMechanism(categories(4), 1, Fraction(7, 2)),
    SubsetMechanism(complete(5), 2, Fraction(3)),
    SubsetMechanism(categories(5), 4, Fraction(11, 10)),
    SubsetMechanism(categories(7), 3, Fraction(40)),
    UnaryMechanism(categories(2), Fraction(1, 2), Fraction(1, 4)),
    UnaryMechanism(categories(4), Fraction(2, 3), Fraction(1, 3)),
    UnaryMechanism(complete(6), Fraction(9, 10), Fraction(1, 100)),
]


@pytest.mark.parametrize("report", REPORTS, ids=repr)
def test_the_smallest_level_is_that_of_all_rows(report):
    rows = report.matrix()
    assert smallest_level(report, report.space) == smallest_level(rows, report.space)
    assert smallest_level(TableMechanism(report, 9), report.space).exact.text == (
        Level.ratio(report.factor).text
    )


@pytest.mark.parametrize("report", REPORTS, ids=repr)
@pytest.mark.parametrize("share", ["1/3", "2/3", "99/100"])
def test_delta_is_the_hockey_stick_sum_of_the_rows(report, share):
    factor = 1 + (report.factor - 1) * Fraction(share)
    stated = delta_curve(report.matrix(), report.space).at_ratio(factor)
    level = Level.ratio(factor, delta=stated)
    assert verify(report, report.space, level).holds
    assert verify(report, report.space, level).delta == (stated, stated)
    less = Level.ratio(factor, delta=stated * Fraction(999, 1000))
    assert not verify(report, report.space, less).holds
    assert not verify(report.matrix(), report.space, less).holds


@pytest.mark.parametrize("report", REPORTS, ids=repr)
def test_a_witness_has_the_probabilities_of_its_sets(report):
    found = verify(report, report.space, Level.ratio((1 + report.factor) / 2))
    rows, (first, second) = report.matrix(), (found.witness.first, found.witness.second)
    told = [z for z, held in enumerate(rows.outputs) if first in held and second not in held]
    inputs = [report.space.index(x) for x in (first, second)]
    assert found.witness.probabilities == tuple(
        sum(rows.row_at(i)[z] for z in told) for i in inputs
    )


@pytest.mark.parametrize("report", REPORTS, ids=repr)
def test_held_and_added_are_those_of_the_rows(report):
    rows = report.matrix()
    for v, stated in ((0, report.held), (1, report.added)):
        held = [z for z, label in enumerate(rows.outputs) if report.space.points[v] in label]
        assert sum(rows.row_at(0)[z] for z in held) == stated


def test_a_thousand_values_are_decided_by_the_formula():
    report = SubsetMechanism(categories(1000), 269, Fraction(27, 10))
    assert certified(report, Level.epsilon(1)).certificate.evidence.value == "theorem"
    assert not verify(report, report.space, Level.epsilon("0.99")).holds


def test_reports_that_are_none_are_refused():
    space = categories(4)
    for size, ratio in ((0, 2), (4, 2), (2, 1)):
        with pytest.raises(BadMatrix):
            SubsetMechanism(space, size, Fraction(ratio))
    for held, added in (("1/2", "1/2"), ("1", "1/2"), ("1/2", "0"), ("1/4", "1/2")):
        with pytest.raises(BadMatrix):
            UnaryMechanism(space, Fraction(held), Fraction(added))
    with pytest.raises(BadSpace):
        SubsetMechanism(path(0, 3), 2, Fraction(2))


@pytest.mark.parametrize("report", REPORTS, ids=repr)
@pytest.mark.parametrize("epsilon", ["0.05", "ln(3)/40"])
def test_delta_at_an_irrational_level_is_enclosed(report, epsilon):
    level, rows = Level.parse(epsilon), report.matrix()
    parts = level.rational, level.coefficient, level.base
    factor = Fraction(power_of(parts, [(Fraction(1), Fraction(1))], 200))
    exact = sum(max(Fraction(0), p - factor * q)
                for p, q in zip(rows.row_at(0), rows.row_at(1), strict=True))
    for digits in (9, 30, 60):
        gap = Fraction(1, 10**digits)
        low, high = verify(report, report.space, level.with_delta(exact + gap)).delta
        assert low < exact < high < low + Fraction(1, 10**30)
        assert not verify(report, report.space, level.with_delta(exact - gap)).holds
