"""Axiom 3.1.4 for measures that respect post-processing, and for measures that do not."""

import pytest

from tightrope.errors import BadInput
from tightrope.theory import judge_measure


def total_variation(rows):
    return sum(abs(a - b) for a, b in zip(rows[0], rows[1], strict=True)) / 2


def guess(rows):
    """The chance of a right guess of a uniform input."""
    return sum(max(column) for column in zip(*rows, strict=True)) / len(rows)


def entropy_of_answers(rows):
    return -max(sum(column) for column in zip(*rows, strict=True))


def cascade(rows, channel):
    return [[sum(p * line[z] for p, line in zip(row, channel, strict=True))
             for z in range(len(channel[0]))] for row in rows]


@pytest.mark.parametrize("inputs", [2, 3])
@pytest.mark.parametrize("measure", [total_variation, guess])
def test_measures_of_information_are_never_raised(measure, inputs):
    verdict = judge_measure(measure, inputs=inputs)
    assert verdict.holds
    assert verdict.tried == 6 * 5**inputs + 400


@pytest.mark.parametrize("measure", [
    entropy_of_answers, lambda rows: max(rows[0]), lambda rows: -len(rows[0]),
    lambda rows: len(rows[0]),
    lambda rows: -total_variation(rows), lambda rows: rows[0][0]])
def test_other_measures_come_with_a_channel_that_raises_them(measure):
    verdict = judge_measure(measure)
    assert not verdict.holds
    before, after = measure(verdict.mechanism), measure(cascade(verdict.mechanism, verdict.channel))
    assert after > before
    assert verdict.values == (float(before), float(after))
    assert all(sum(row) == 1 and min(row) >= 0 for row in (*verdict.mechanism, *verdict.channel))


def test_what_is_no_measure_is_refused():
    with pytest.raises(BadInput, match="measure failed"):
        judge_measure(lambda rows: rows[9])
    with pytest.raises(BadInput, match="no number"):
        judge_measure(lambda rows: float("nan"))
    with pytest.raises(BadInput, match="2 to 4 inputs"):
        judge_measure(guess, inputs=9)
