"""Documents of noise for positions: both judges say the same."""

import json

import pytest

from tests.documents.judges import BAD, CANNOT, library_says, receipt_says
from tests.exact.oracle import ends_within
from tightrope.constructions import position_laplace, position_noise, position_steps
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.privacy import certified
from tightrope.spaces import Positions, Region

RINGS = Region([[(-4, 40), (-3, 40), ("-7/2", 41)]])
PROVED = [made(Positions(region, 200, 2), "ln(2)")
          for made in (position_noise, position_laplace)
          for region in (Region.box(-4, 40, -3, 41), RINGS)]
EACH = pytest.mark.parametrize("noise", PROVED[::2], ids=["geometric", "laplace"])
STEPS = position_steps(Positions(RINGS, 200, 2), "ln(2)")


def changed(proved=PROVED[0], space=None, claim=None, **law):
    content = json.loads(render(compose(proved)))
    content["space"] |= space or {}
    content["mechanism"] |= law
    if claim is not None:
        content["claim"]["epsilon"] = {"rational": "0", "coefficient": "1", "base": claim}
    content["digest"] = digest_of(content)
    return json.dumps(content).encode()


@pytest.mark.parametrize("proved", [*PROVED, STEPS],
                         ids=["box", "rings", "laplace box", "laplace rings", "steps"])
def test_a_true_document_is_proved_and_names_what_only_the_holder_knows(proved, tmp_path):
    data = changed(proved)
    code, report = receipt_says(data, tmp_path)
    assert code == 0
    assert "around the cell of the position" in report["only_holder"][0]
    assert "at most 200 m apart are in cells at most 102 steps apart" in report["checked"][0]
    assert accept(read(data)).mechanism == proved.mechanism


@pytest.mark.parametrize("noise", [*PROVED[::2], STEPS], ids=["geometric", "laplace", "steps"])
@pytest.mark.parametrize("claim", ["19/10", "1999999999/1000000000", "2", "3"])
def test_a_claim_is_followed_by_both_or_by_neither(claim, noise, tmp_path):
    data = changed(noise, claim=claim)
    proved = claim in ("2", "3")
    code, report = receipt_says(data, tmp_path)
    assert library_says(data) == code == (0 if proved else CANNOT)
    assert bool(report["only_holder"]) is proved


@EACH
@pytest.mark.parametrize("law", [
    {"ratio": "NEXT"}, {"space": {"step": "1"}}, {"space": {"within": "202"}},
    {"space": {"step": "1/2"}},
], ids=str)
def test_a_law_that_is_a_little_too_good_is_proved_by_neither(law, noise, tmp_path):
    """The next larger fraction of the same denominator; or other cells, farther apart."""
    if "ratio" in law:
        a, b = noise.mechanism.ratio.as_integer_ratio()
        law = {"ratio": f"{a + 1}/{b}"}
    data = changed(noise, **law)
    assert library_says(data) == CANNOT
    code, report = receipt_says(data, tmp_path)
    assert code == CANNOT
    assert "whether less is true is not known" in report["unchecked"][0]


@EACH
@pytest.mark.parametrize("fields", [
    {"ratio": "nan"}, {"ratio": "inf"}, {"ratio": "2/0"}, {"ratio": "1e3"}, {"ratio": " 2"},
    {"ratio": "2\x07"}, {"ratio": None}, {"ratio": ["2"]}, {"space": {"within": "NaN"}},
    {"space": {"step": "2\u202e"}}, {"form": "planar_laplace"}, {"form": "Planar"},
    {"ratio": "1"}, {"ratio": "1/2"}, {"ratio": 4}, {"form": "plane"},
    {"space": {"within": "0"}}, {"space": {"within": 200}}, {"space": {"within": "2e2"}},
    {"space": {"step": "71"}}, {"space": {"step": "1/100"}}, {"space": {"step": "0"}},
    {"space": {"more": 1}}, {"space": {"region": {}}}, {"space": {"region": "Spain"}},
    {"space": {"region": {"box": ["-4", "40", "-3"]}}},
    {"space": {"region": {"box": ["-4", "40", "-3", "41"], "rings": []}}},
    {"space": {"region": {"box": ["-3", "40", "-4", "41"]}}},
    {"space": {"region": {"box": ["-4", "40", "-3", "91"]}}},
    {"space": {"region": {"box": ["-190", "40", "-3", "41"]}}},
    {"space": {"region": {"rings": []}}}, {"space": {"region": {"rings": [[["0", "1"]]]}}},
    {"space": {"region": {"rings": [[["0", "1"], ["1", "1"], ["0", 2]]]}}},
])
def test_both_judges_refuse_what_is_no_document(fields, noise, tmp_path):
    data = changed(noise, **fields)
    assert library_says(data) == BAD
    assert receipt_says(data, tmp_path)[0] == BAD


def test_a_tie_of_powers_of_a_million_bits_is_decided(tmp_path):
    """e^ε is the very ratio to the power of the steps: no bounds ever tell the two apart."""
    content = json.loads(changed(ratio=str(10**4000)))
    content["claim"]["epsilon"] = {"rational": "0", "coefficient": "102", "base": str(10**4000)}
    content["digest"] = digest_of(content)
    data = json.dumps(content).encode()
    with ends_within(20):
        assert library_says(data) == 0
        code, report = receipt_says(data, tmp_path)
    assert code == 0
    assert report["only_holder"]


@pytest.mark.parametrize("fields", [
    {"first": 0}, {"first": 103}, {"first": "7"}, {"first": 1.5}, {"first": True}, {"first": None},
    {"ratio": "1"}, {"ratio": "2/2"}, {"form": "steps"},
    {"space": {"within": "0"}}, {"space": {"step": "71"}},
])
def test_both_judges_refuse_what_is_no_document_of_noise_in_steps(fields, tmp_path):
    data = changed(STEPS, **fields)
    assert library_says(data) == BAD
    assert receipt_says(data, tmp_path)[0] == BAD


def test_the_level_is_within_a_thousandth_of_what_the_steps_allow():
    """Twice the distance tells apart by less than the square."""
    space = PROVED[0].mechanism.space
    assert PROVED[0].mechanism.ratio**space.apart <= 2
    assert PROVED[0].mechanism.ratio**space.apart > 2 - 1e-9
    assert certified(PROVED[0].mechanism, "ln(2)").certificate.smallest.exact is None
