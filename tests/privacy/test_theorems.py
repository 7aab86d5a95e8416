"""Certificates by theorem: what is checked from the arguments, and who may issue the rest."""

import importlib
import inspect
from decimal import Decimal
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tests.architecture.source import modules
from tests.exact.oracle import wide
from tightrope import privacy
from tightrope.errors import BadInput, NotCertified, NotPrivate
from tightrope.exact import Intervals, Level
from tightrope.mechanisms import CauchyLaw, PiecewiseNoise, RungLaw
from tightrope.privacy import CertifiedLaw, certified_integer_noise, certified_noise
from tightrope.privacy.theorems import Lemma, certified_rungs, certified_smooth, proved_law

NARROW = RungLaw(Fraction(2), np.array([0]), np.array([0]), 1)
STAIRS = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))


def test_nobody_can_state_a_lemma_of_their_own():
    with pytest.raises((TypeError, ValueError)):
        Lemma("any text", "x")
    for stated in ("ladder", ("any text", "x"), None):
        with pytest.raises(BadInput, match="expected a RungLaw and a Lemma"):
            certified_rungs(NARROW, Level.ratio(4), stated)


def test_no_front_door_issues_a_certificate_on_a_lemma():
    """What is public and returns a certified law takes data, or noise that it checks itself."""
    found = set()
    for module in modules():
        if not module.is_door or ".".join(module.parts) != module.unit:
            continue
        door = importlib.import_module(".".join(("tightrope", *module.parts)))
        for name in door.__all__:
            held = getattr(door, name)
            assert held not in (certified_rungs, certified_smooth, Lemma)
            if inspect.isfunction(held) and "CertifiedLaw" in str(held.__annotations__["return"]):
                found.add(name)
    assert found == {"certified_noise", "certified_integer_noise", "quantile_law", "median_law"}


def test_a_law_without_its_certificate_is_not_certified():
    other = certified_integer_noise(NARROW, 1, Level.ratio(2))
    twin = RungLaw(Fraction(2), np.array([0]), np.array([0]), 1)
    with pytest.raises(NotCertified):
        CertifiedLaw(twin, other.certificate)


@pytest.mark.parametrize("sensitivity", [0, -3, 1.0, float("nan"), "1", None, True])
def test_integer_noise_is_for_a_whole_sensitivity_above_0(sensitivity):
    with pytest.raises(BadInput):
        certified_integer_noise(NARROW, sensitivity, Level.ratio(2))


@pytest.mark.parametrize("changes", [Intervals.of([(0, 0)]), [(0, 1)], None])
def test_noise_on_the_line_is_for_changes_that_somebody_can_make(changes):
    with pytest.raises(BadInput):
        certified_noise(STAIRS, changes, Level.ratio(2))


def test_the_certificate_of_noise_names_the_changes_it_is_for():
    proved = certified_noise(STAIRS, Intervals.of([(0, 1), (2, 2)]), Level.ratio(2))
    assert proved.certificate.neighbors == "any two values that differ by 0 to 1, or 2"


def test_noise_whose_rungs_overlap_is_refused():
    """Rung 1 covers rung 0 again: 3/2 beside 1/2 would be a factor of 3, not of 2."""
    twice = (Intervals.of([(-1, 1)]), Intervals.of([("-3/2", "3/2"), ("5/2", "5/2")]))
    with pytest.raises(BadInput, match="each point once"):
        PiecewiseNoise(Fraction(2), twice, Fraction(1, 2))


@pytest.mark.parametrize("ends", [([0, 1], [2, 3]), ([1], [0]), ([0, 1], [1, 2]), ([], [])])
def test_intervals_are_disjoint_and_in_order(ends):
    with pytest.raises(BadInput):
        Intervals(*(np.array(end, dtype=np.int64) for end in ends), Fraction(1))


class Pretended(RungLaw):
    """Looks like one law when it is checked, and could be another when it is drawn."""


def test_a_subclass_of_a_law_is_not_certified():
    law = Pretended(Fraction(2), np.array([0]), np.array([0]), 1)
    for issue in (
        lambda: certified_integer_noise(law, 1, Level.ratio(2)),
        lambda: certified_rungs(law, Level.ratio(4), Lemma.LADDER),
    ):
        with pytest.raises(BadInput, match="found a Pretended"):
            issue()


def test_rungs_that_end_are_for_answers_that_all_datasets_share():
    ended = RungLaw(Fraction(2), np.array([0, 0]), np.array([0, 4]), 0)
    certified_rungs(ended, Level.ratio(4), Lemma.REPLACEMENTS)
    for law, lemma in [
        (ended, Lemma.LADDER), (NARROW, Lemma.REPLACEMENTS), (NARROW, Lemma.SMOOTH)
    ]:
        with pytest.raises(BadInput):
            certified_rungs(law, Level.ratio(4), lemma)


def test_cauchy_noise_needs_an_exact_growth():
    with pytest.raises(BadInput):
        certified_smooth(CauchyLaw(0, Fraction(1), Fraction(2)), 1.5, Level.ratio(9))


def test_the_front_door_of_privacy_names_no_issuer():
    assert not {"Lemma", "certified_rungs", "certified_smooth", "issue"} & set(privacy.__all__)


def stairs(*rungs, step=2):
    """Noise of ratio 2 with rungs ±[a, b]; None is an empty one."""
    held = [None if rung is None else
            Intervals.of([(-b, -a), (a, b)] if a else [(-b, b)]) for rung in rungs
            for a, b in [rung or (0, 0)]]
    return PiecewiseNoise(Fraction(2), tuple(held), Fraction(step))


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
        return certified_noise(noise, Intervals.of([(0, change)]), Level.ratio(2))

    assert max(factor(Fraction(k, 4)) for k in range(-4 * widest, 4 * widest + 1)) == 2
    assert proved(widest).certificate.level == Level.ratio(2)
    if widest < noise.step:
        assert factor(widest + Fraction(1, 4)) > 2
    for more in (Fraction(1, 4), Fraction(1, 10**12)):
        with pytest.raises(BadInput):
            proved(widest + more)


def issued(kind):
    """Every kind of certificate by theorem, with the ratio that neighbors are told apart by."""
    ended = RungLaw(Fraction(3), np.array([0, 0]), np.array([0, 4]), 0)
    cauchy = CauchyLaw(5, Fraction(3), Fraction(2))
    line = stairs((0, 1), (1, 3))
    return [
        (Fraction(2), True, lambda level: certified_noise(line, Intervals.of([(0, 2)]), level)),
        (Fraction(2), True, lambda level: certified_integer_noise(NARROW, 1, level)),
        (Fraction(9), False, lambda level: certified_rungs(ended, level, Lemma.REPLACEMENTS)),
        (Fraction(9), False, lambda level: certified_smooth(cauchy, Fraction(3, 2), level)),
    ][kind]


@pytest.mark.parametrize("kind", range(4))
def test_a_theorem_is_applied_at_its_ratio_and_not_a_hair_below(kind):
    ratio, attained, prove = issued(kind)
    found = prove(Level.ratio(ratio)).certificate.smallest
    log = Fraction(wide(90).ln(Decimal(int(ratio))))
    assert Fraction(found.upper) > log
    assert found.upper - float(log) < 1e-15
    if attained:
        assert 0 <= log - Fraction(found.lower) < Fraction(1, 10**15)
        assert found.exact == Level.ratio(ratio)
    else:  # a bound that need not be reached: no smallest level is claimed
        assert (found.lower, found.exact) == (0, None)
    for digits in (8, 16, 30, 60):
        hair = Fraction(1, 10**digits)
        assert prove(Level.ratio(ratio + hair)).certificate.smallest == found
        with pytest.raises(NotPrivate):
            prove(Level.ratio(ratio - hair))
        assert prove(Level.epsilon(log + hair / 10)).certificate.smallest == found
        with pytest.raises(NotPrivate):
            prove(Level.epsilon(log - hair / 10))


def test_integer_noise_has_steps_of_at_least_the_sensitivity_everywhere():
    rungs = RungLaw(Fraction(2), np.array([-1, -4, -6]), np.array([1, 4, 6]), 5)
    assert certified_integer_noise(rungs, 2, Level.ratio(2)).certificate.checked == 3
    for law, sensitivity in (
        (rungs, 3),  # from 4 to 6 it is only 2
        (RungLaw(Fraction(2), np.array([-1, -4]), np.array([1, 4]), 1), 2),  # and 1 after that
    ):
        with pytest.raises(BadInput, match="at least the sensitivity"):
            certified_integer_noise(law, sensitivity, Level.ratio(2))
    lopsided = RungLaw(Fraction(2), np.array([-1, -3]), np.array([1, 4]), 5)
    with pytest.raises(BadInput, match="as many rungs"):
        certified_integer_noise(lopsided, 1, Level.ratio(2))


@pytest.mark.parametrize("growth", [Fraction(1), Fraction(1, 2), Fraction(0)])
def test_cauchy_noise_is_for_a_sensitivity_that_may_grow(growth):
    with pytest.raises(BadInput, match="above 1"):
        certified_smooth(CauchyLaw(5, Fraction(3), Fraction(2)), growth, Level.ratio(9))


@pytest.mark.parametrize("kind", range(4))
def test_a_theorem_that_does_not_reach_the_claim_says_by_which_factor(kind):
    ratio, _, prove = issued(kind)
    with pytest.raises(NotPrivate) as told:
        prove(Level.ratio(ratio - Fraction(1, 10)))
    assert told.value.refutation.witness.probabilities == (1, 1 / ratio)


def test_only_a_certified_law_is_given_out_to_draw_from():
    proved = certified_integer_noise(NARROW, 1, Level.ratio(2))
    assert proved_law(proved) is NARROW
    for other in (NARROW, proved.certificate, None):
        with pytest.raises(NotCertified):
            proved_law(other)
