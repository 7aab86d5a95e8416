"""Noise on the line, with numbers that nobody means: judged alike, within seconds, or refused."""

import copy
from fractions import Fraction
from math import lcm

import pytest

from tests.documents.judges import BAD, CANNOT, HOLDS, NO, receipt_says, text_of, verdicts
from tests.exact.oracle import ends_within
from tightrope.documents import accept, compose, read
from tightrope.errors import BadInput, NotPrivate, TooLarge
from tightrope.exact import Intervals
from tightrope.mechanisms import LineMechanism, PiecewiseNoise
from tightrope.privacy import certified
from tightrope.spaces import RealLine

LONG = "9" * 4300
NEAR_ONE = f"1{'0' * 999}1/1{'0' * 1000}"
STAIRS = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))
SPACE = RealLine(Intervals.of([(0, 3)]))
PROVED = certified(LineMechanism(SPACE, STAIRS, Fraction(1, 10)), "ln(2)")


def changed(changes=None, ratio="2", claim="2", **fields) -> bytes:
    document = copy.deepcopy(compose(PROVED))
    document["mechanism"].update(fields, ratio=ratio)
    document["claim"]["epsilon"]["base"] = claim
    document["space"]["changes"] = changes or document["space"]["changes"]
    return text_of(document)


HOSTILE = {
    "the document as it is": ({}, HOLDS),
    "a false claim": ({"claim": "3/2"}, NO),
    "a step of thousands of digits": ({"step": LONG}, BAD),
    "a step as fine": ({"step": f"1/{LONG}"}, BAD),
    "a step beyond whole doubles": ({"step": str(2**53 - 1)}, BAD),
    "the widest step": ({"step": str(2**53 - 2)}, HOLDS),
    "changes of thousands of digits": ({"changes": [["0", LONG]], "step": LONG}, BAD),
    "changes with a long denominator": ({"changes": [["0", f"1/{3**700}"]]}, BAD),
    "rungs of thousands of digits": ({"rungs": [[[f"-{LONG}", LONG]]]}, BAD),
    "a thousand denominators": (
        {"rungs": [[[f"{-k}/{10**999 + k}", f"{k}/{10**999 + k}"] for k in range(1, 1000)]]}, BAD),
    "a grid of thousands of digits": ({"grid": f"1/{LONG}"}, HOLDS),
    "a thousand empty rungs": ({"rungs": [None] * 1000 + [[["-1", "1"]]]}, HOLDS),
    "a hundred thousand": ({"rungs": [None] * 100_000 + [[["-1", "1"]]]}, CANNOT),
    "a thousand with a long ratio": (
        {"rungs": [None] * 1000 + [[["-1", "1"]]], "ratio": NEAR_ONE}, CANNOT),
    "the same, falsely claimed": (
        {"rungs": [None] * 1000 + [[["-1", "1"]]], "ratio": NEAR_ONE, "claim": NEAR_ONE}, CANNOT),
    "two million intervals": (
        {"changes": [[str(3 * k), str(3 * k + 1)] for k in range(1500)], "step": "4498",
         "rungs": [[[str(2 * k), str(2 * k + 1)] for k in range(-500, 500)],
                   [[str(2 * k + 1), str(2 * k + 2)] for k in range(-500, 500)]]}, CANNOT),
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_both_judges_say_the_same_within_seconds(name, tmp_path):
    fields, expected = HOSTILE[name]
    with ends_within(20):
        assert verdicts(changed(**fields), tmp_path) == (expected, expected)


def test_both_witnesses_have_the_same_probabilities(tmp_path):
    # 2 on the listed rung, then 6/2 + 6/4 + ... = 6 in the tails: one tail has 3 of 8
    data = changed(claim="3/2")
    _, report = receipt_says(data, tmp_path)
    assert report["witness"]["probabilities"] == ["3/8", "3/16"]
    with pytest.raises(NotPrivate) as caught:
        accept(read(data))
    assert caught.value.refutation.witness.probabilities == (Fraction(3, 8), Fraction(3, 16))


def test_ends_that_would_overflow_are_refused_however_they_are_given():
    with pytest.raises(BadInput):
        Intervals([-(2**62)], [2**62], Fraction(1))
    with pytest.raises(TooLarge):
        Intervals.of([(0, Fraction(1, 3**700)), (1, Fraction(4, 3))])
    assert Intervals.of([(0, 0.1)]).unit == Fraction(1, 2**55)  # a double is what it is


def test_a_number_of_any_length_is_refused_in_one_sentence():
    long = lcm(*range(1, 30_000))
    assert "about 10^" in str(TooLarge("the number", long, 10, "use another"))
