"""Documents of noise in boxes: both judges say the same, with the same witness."""

import json
from fractions import Fraction
from itertools import product

import pytest

from tests.documents.judges import BAD, NO, library_says, receipt_says
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.errors import NotPrivate
from tightrope.mechanisms import BoxMechanism
from tightrope.privacy import certified
from tightrope.spaces import Totals

PROVED = certified(BoxMechanism(Totals(people=5, most=3, length=2), Fraction(4), 2), "ln(4)")


def changed(space=None, claim=None, **law):
    content = json.loads(render(compose(PROVED)))
    content["space"] |= space or {}
    content["mechanism"] |= law
    if claim is not None:
        content["claim"]["epsilon"] = {"rational": "0", "coefficient": "1", "base": claim}
    content["digest"] = digest_of(content)
    return json.dumps(content).encode()


def test_a_true_document_is_proved_and_names_what_only_the_holder_knows(tmp_path):
    data = changed()
    code, report = receipt_says(data, tmp_path)
    assert code == 0
    assert "each person adds 0 to 3" in report["only_holder"][0]
    assert accept(read(data)).certificate.level.text == "ln(4)"


@pytest.mark.parametrize("fields", [
    {"ratio": "1"}, {"ratio": "1/2"}, {"ratio": 4}, {"first": 0}, {"first": 4}, {"first": "2"},
    {"form": "boxes"}, {"space": {"people": 0}}, {"space": {"most": 0}}, {"space": {"length": 0}},
    {"space": {"length": 251}}, {"space": {"most": 2**61}}, {"space": {"more": 1}},
    {"space": {"people": True}}, {"space": {"family": "sums"}},
])
def test_both_judges_refuse_what_is_no_document(fields, tmp_path):
    data = changed(**fields)
    assert library_says(data) == BAD
    assert receipt_says(data, tmp_path)[0] == BAD


def test_both_witnesses_have_the_probability_that_is_counted_by_hand(tmp_path):
    # |z| < 2 in both: 9 points; each further box 3 wider: (2 (2 + 3t) - 1)^2 points, 1/4 each
    total = 9 + sum(Fraction((4 + 6 * t - 1) ** 2 - (4 + 6 * t - 7) ** 2, 4**t)
                    for t in range(1, 200))
    data = changed(claim="3")
    code, report = receipt_says(data, tmp_path)
    assert (code, library_says(data)) == (NO, NO)
    chance = Fraction(report["witness"]["probabilities"][0])
    assert float(chance) == pytest.approx(float(1 / total), rel=1e-12)
    with pytest.raises(NotPrivate) as caught:
        accept(read(data))
    assert caught.value.refutation.witness.probabilities == (chance, chance / 4)


def test_a_level_above_the_ratio_is_proved_by_both(tmp_path):
    for claim, first in product(("4", "5"), (1, 3)):
        data = changed(claim=claim, first=first)
        assert receipt_says(data, tmp_path)[0] == library_says(data) == 0
