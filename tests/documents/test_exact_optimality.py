"""Exact claims of optimality that were forged: both judges refute or refuse them alike."""

from fractions import Fraction

import pytest

from tests.documents.judges import BAD, HOLDS, NO, text_of, verdicts
from tests.documents.samples import document

NAMES = ("exact star", "worst exact")


def judged(content, folder):
    library, receipt = verdicts(text_of(content), folder)
    assert library == receipt
    return library


def forged(name, **changes):
    content = document(name)
    content["optimality"]["exact"].update(changes)
    return content


@pytest.mark.parametrize("name", NAMES)
def test_an_exact_claim_holds(name, tmp_path):
    assert judged(document(name), tmp_path) == HOLDS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("change", [Fraction(1, 10**40), Fraction(-1, 10**40)])
def test_another_value_is_refuted_however_near(name, change, tmp_path):
    value = Fraction(document(name)["optimality"]["exact"]["value"]) + change
    assert judged(forged(name, value=str(value)), tmp_path) == NO


@pytest.mark.parametrize("name", NAMES)
def test_multipliers_that_prove_less_are_refuted(name, tmp_path):
    texts = document(name)["optimality"]["exact"]["multipliers"]
    assert judged(forged(name, multipliers=[""] * len(texts)), tmp_path) == NO
    k = next(k for k, text in enumerate(texts) if text)
    a, b, amount, *rest = texts[k].split()
    larger = " ".join([a, b, str(Fraction(amount) + Fraction(1, 10**30)), *rest])
    assert judged(forged(name, multipliers=[*texts[:k], larger, *texts[k + 1 :]]), tmp_path) == NO


def test_a_worse_mechanism_is_refuted_with_the_proof_of_a_better_one(tmp_path):
    content = document("exact star")
    content["mechanism"]["rows"] = ["1 1 1 1"] * 4
    content["optimality"]["value"] = "0x1.0000000000000p+0"
    assert judged(content, tmp_path) == NO


@pytest.mark.parametrize("changes", [
    {"value": 1}, {"value": "1/0"}, {"value": "x"}, {"multipliers": "0 1 1"},
    {"multipliers": ["0 1 1"]}, {"multipliers": ["0 1 -1", "", "", ""]}, {"more": 1},
    {"multipliers": ["0 1 1/0", "", "", ""]}, {"multipliers": ["0 9 1", "", "", ""]},
    {"multipliers": ["1 1 1", "", "", ""]},
])
def test_what_is_no_exact_claim_is_bad_input_for_both(changes, tmp_path):
    assert judged(forged("exact star", **changes), tmp_path) == BAD
