"""Documents of mechanisms on datasets at the terminal: verified, and nothing else is tried."""

import pytest

from tests.privacy.test_theorems import FORMS, NAMES
from tightrope.exact import Level
from tightrope.files import save
from tightrope.privacy import certified


@pytest.fixture(params=FORMS, ids=NAMES)
def case(request, folder):
    mechanism, _, ratio, attained = request.param
    save(certified(mechanism, Level.ratio(ratio)), folder / "m.json")
    return mechanism, ratio, attained


def test_a_document_is_verified_and_says_who_is_protected(tightrope, case):
    mechanism, _, attained = case
    answer = tightrope("verify", "m.json")
    said = " ".join(answer.out.split())
    assert answer.code == 0
    assert mechanism.space.relation in said
    assert "between any two neighbors by at most a factor e^ε" in said
    found = tightrope("verify", "m.json", "--json").json
    assert (found["holds"], found["evidence"], found["space"]) == (
        True, "theorem", mechanism.space.text)
    assert (found["epsilon_exact"] is not None) is attained


def test_a_smaller_level_is_refuted_where_the_ratio_is_attained_and_else_not_known(tightrope, case):
    _, ratio, attained = case
    answer = tightrope("verify", "m.json", "--ratio", ratio - 1 / ratio)
    assert answer.code == (1 if attained else 3)
    assert attained or "not known" in answer.sentence


def test_what_needs_a_list_of_inputs_says_that_there_is_none(tightrope, case):
    for command in (("inspect",), ("theory", "improve")):
        answer = tightrope(*command, "m.json")
        assert answer.code == 3
        assert "too many to list" in answer.sentence
