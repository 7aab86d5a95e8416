"""Certificates: only `verify` issues them, and only for the mechanism that it saw."""

import copy
import dataclasses
import re
from fractions import Fraction

import pytest

from tests.privacy.brute import mechanism_of
from tightrope.errors import NotCertified, NotPrivate, Refused
from tightrope.exact import Level
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import (
    Certificate,
    Certified,
    Refutation,
    Smallest,
    Witness,
    certified,
    verify,
)
from tightrope.spaces import categories

RESPONSE = KernelMechanism(categories(3), Fraction(2), Fraction(1), (Fraction(1),) * 3)
TELLS_ALL = mechanism_of(categories(3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]])


def test_a_private_mechanism_is_certified_and_another_is_not():
    found = certified(RESPONSE, Level.ratio(2))
    assert found.mechanism is RESPONSE
    assert found.certificate.holds
    with pytest.raises(NotPrivate) as caught:
        certified(RESPONSE, Level.ratio("1.999"))
    assert not caught.value.refutation.holds
    assert "ratio 2" in str(caught.value)


def test_a_certificate_made_by_hand_is_refused():
    issued = verify(RESPONSE, RESPONSE.space, Level.ratio(2))
    fields = {f.name: getattr(issued, f.name) for f in dataclasses.fields(issued)
              if not f.name.startswith("_")}
    with pytest.raises(NotCertified):
        Certified(TELLS_ALL, Certificate(**fields))
    for forged in (None, True, "certificate", verify(TELLS_ALL, TELLS_ALL.space, Level.ratio(2))):
        with pytest.raises(NotCertified) as caught:
            Certified(TELLS_ALL, forged)
        assert isinstance(caught.value, Refused)


def test_a_certificate_does_not_fit_another_mechanism():
    issued = verify(RESPONSE, RESPONSE.space, Level.ratio(2))
    with pytest.raises(NotCertified):
        Certified(TELLS_ALL, issued)


def test_a_changed_certificate_is_no_longer_issued():
    issued = verify(RESPONSE, RESPONSE.space, Level.ratio(2))
    for change in ({"level": Level.epsilon("0.001")}, {"checked": 0}):
        with pytest.raises((NotCertified, TypeError, ValueError)):
            Certified(RESPONSE, dataclasses.replace(issued, **change))


def test_a_changed_certified_mechanism_is_refused():
    found = certified(RESPONSE, Level.ratio(2))
    with pytest.raises(NotCertified):
        dataclasses.replace(found, mechanism=TELLS_ALL)
    assert copy.copy(found).certificate.holds


def test_certified_values_are_frozen():
    found = certified(RESPONSE, Level.ratio(2))
    with pytest.raises(AttributeError):
        found.mechanism = TELLS_ALL
    with pytest.raises(AttributeError):
        found.certificate.level = Level.epsilon("0.001")


@pytest.mark.parametrize(("width", "named", "more"), [
    (1, "output", ""), (2, "one of the outputs", ""), (3, "one of the outputs", ""),
    (4, "one of the outputs", " and 1 more"), (5, "one of the outputs", " and 2 more")])
def test_the_card_of_a_refutation_names_what_it_is_about(width, named, more):
    witness = Witness("x", "y", tuple("abcde"[:width]), (Fraction(2, 3), Fraction(1, 7)), "5/2")
    for level, at in ((Level.ratio(2), "ε = ln(2)"), (None, "any level")):
        card = Refutation(level, witness, "told apart too well")._repr_html_()
        cells = re.findall("<t[hd][^>]*>(.*?)</t[hd]>", card)
        assert f"Not private at {at}" in card
        assert "told apart too well" in card
        facts = dict(zip(cells[::2], cells[1::2], strict=True))
        assert facts == {"inputs": "x and y, at distance 5/2",
                         named: ", ".join("abcde"[:min(width, 3)]) + more,
                         "probabilities": "2/3 and 1/7"}


def test_the_card_of_what_was_not_proved_is_that_of_a_claim():
    proved = certified(RESPONSE, Level.ratio(3))
    assert "proved: ε = ln(3)" in proved._repr_html_()
    forged = copy.copy(proved.certificate)
    object.__setattr__(proved, "certificate", forged)
    assert "proved" not in proved._repr_html_()
    assert "proves nothing" in proved._repr_html_()


@pytest.mark.parametrize(("smallest", "said"), [
    (Smallest(0.69, 0.7, Level.ratio(2)), "Smallest(ε = ln(2) = 0.6931472, exactly)"),
    (Smallest(0.0, 0.0, None), "Smallest(ε = 0)"),
    (Smallest(0.25, 0.5, None), "Smallest(ε from 0.25 to 0.5)")])
def test_a_smallest_level_is_exact_or_between_its_ends(smallest, said):
    assert repr(smallest) == said


def test_a_card_says_the_smallest_level_where_it_is_known():
    known = certified(RESPONSE, Level.ratio(3)).certificate
    assert f">{known.smallest.text}<" in known._repr_html_()
    seldom = mechanism_of(categories(2), [[9, 1], [10, 0]])  # private with a δ alone
    unknown = certified(seldom, Level.ratio(3, "1/10")).certificate
    assert unknown.smallest is None
    assert "smallest level" not in unknown._repr_html_()
