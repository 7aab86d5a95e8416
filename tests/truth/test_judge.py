"""The judge passes what is true and fails what is not."""

from random import Random

import pytest

from tests.truth.judge import Tally, faults


def tally(mean=0.0, half=2.0, **stated):
    """Two thousand normal errors of deviation 1 around a mean, with an interval of ± half."""
    random, kept = Random(7), Tally("t", **stated)
    for _ in range(2000):
        error = random.gauss(mean, 1)
        kept.add(error, abs(error) <= half)
    return kept


@pytest.mark.parametrize("stated", [
    {"unbiased": True}, {"stated": 0.95}, {"stated": 0.9}, {"expected": 0.7979}, {"bound": 0.85},
])
def test_what_is_true_passes(stated):
    assert faults(tally(**stated), 100) == []


@pytest.mark.parametrize(("stated", "said"), [
    ({"mean": 0.2, "unbiased": True}, "called unbiased"),
    ({"half": 1.5, "stated": 0.95}, "interval stated at 0.95 held in 0.85"),
    ({"expected": 1.0}, "expected error 1, found"),
    ({"expected": 0.6}, "expected error 0.6, found"),
    ({"bound": 0.7}, "bounded by 0.7, found"),
])
def test_what_is_false_fails(stated, said):
    (fault,) = faults(tally(**stated), 100)
    assert said in fault


def test_an_interval_that_is_never_stated_is_a_fault():
    assert faults(Tally("t", stated=0.95), 1) == ["t: no interval was ever stated"]


def test_nothing_repeated_is_no_evidence():
    with pytest.raises(ValueError, match="nothing was repeated"):
        faults(Tally("t", unbiased=True), 1)
