"""Documents of discrete Gaussian noise: both judges say the same of true, false and malformed."""

import json
from fractions import Fraction

import pytest

from tests.documents.judges import BAD, CANNOT, NO, library_says, receipt_alone, receipt_says
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.exact import Level
from tightrope.mechanisms import GaussianMechanism
from tightrope.privacy import certified, largest_rho
from tightrope.spaces import Totals

LEVEL = Level.of(1).with_delta("1/1000")
ROWS = ((1, 1, 1), (-1, 0, 1))
PROVED = certified(GaussianMechanism(Totals(5, 3, 3), (690, 460), ROWS), LEVEL)
PLAIN = certified(GaussianMechanism(Totals(5, 3, 3), ("1640/7", 230, 230)), LEVEL)


def changed(proved=PROVED, space=None, delta=None, base=None, **law):
    content = json.loads(render(compose(proved)))
    content["space"] |= space or {}
    content["mechanism"] |= law
    if delta is not None:
        content["claim"]["delta"] = delta
    if base is not None:
        content["claim"]["epsilon"] = {"rational": "0", "coefficient": "1", "base": base}
    content["digest"] = digest_of(content)
    return json.dumps(content).encode()


@pytest.mark.parametrize("proved", [PROVED, PLAIN])
def test_a_true_document_is_proved_and_names_what_only_the_holder_knows(proved, tmp_path):
    data = changed(proved)
    code, report = receipt_says(data, tmp_path)
    assert code == 0
    assert "each person adds 0 to 3" in report["only_holder"][0]
    accepted = accept(read(data))
    assert accepted.mechanism == proved.mechanism
    assert accepted.certificate == proved.certificate
    assert receipt_alone(data, tmp_path)[0] == 0  # with nothing but the standard library


@pytest.mark.parametrize("fields", [
    {"variances": []}, {"variances": ["690"]}, {"variances": ["690", "0"]},
    {"variances": ["690", "-960"]}, {"variances": [690, 460]}, {"variances": "690 460"},
    {"variances": ["690", str(2**400)]}, {"variances": ["690", f"1/{2**400 + 1}"]},
    {"functions": None}, {"functions": []}, {"functions": ["1 1 1"]}, {"functions": "1 1 1"},
    {"functions": ["1 1 1", "-1 0"]}, {"functions": ["1 1 1", "0 0 0"]},
    {"functions": ["1 1 1", "-1 0 1/2"]}, {"functions": ["1 1 1", [-1, 0, 1]]},
    {"functions": ["1 1 1", "-1  0 1"]}, {"functions": ["1 1 1", f"-1 0 {2**400}"]},
    {"functions": ["1 1 1", "-1 0 ١"]}, {"functions": ["1 1 1"] * 51, "variances": ["690"] * 51},
    {"form": "gaussians"}, {"space": {"length": 4}}, {"space": {"people": 0}},
    {"space": {"most": 2**61}}, {"space": {"family": "tallies"}}, {"delta": "1"}, {"delta": 0},
])
def test_both_judges_refuse_what_is_no_document(fields, tmp_path):
    data = changed(**fields)
    assert library_says(data) == BAD
    assert receipt_says(data, tmp_path)[0] == BAD


def test_without_a_delta_both_refute(tmp_path):
    data = changed(delta="0")
    assert library_says(data) == NO
    code, report = receipt_says(data, tmp_path)
    assert code == NO
    assert "without a δ" in report["witness"]["reason"]
    data = changed(variances=["690", str(10**15)], functions=["1 -1 0", "0 1 1"], delta="0")
    assert (library_says(data), receipt_says(data, tmp_path)[0]) == (NO, NO)
    data = changed(variances=[str(10**7)] * 2, delta="0", base=str(3**100))
    assert (library_says(data), receipt_says(data, tmp_path)[0]) == (CANNOT, CANNOT)


@pytest.mark.parametrize("fields", [
    {"delta": "1/2000"}, {"variances": ["690", "450"]}, {"base": "5/2"},
    {"functions": ["1 1 1", "-2 0 2"]}, {"functions": ["1 1 1", "-1 0 2"]}, {"space": {"most": 4}},
    {"functions": ["1 1 1", "1 1 2"], "variances": ["690", "1400"]},  # Bessel alone would do
])
def test_both_leave_open_what_zcdp_does_not_prove(fields, tmp_path):
    data = changed(**fields)
    assert library_says(data) == CANNOT
    assert receipt_says(data, tmp_path)[0] == CANNOT


@pytest.mark.parametrize("fields", [
    {"delta": "1/500"}, {"variances": ["691", "461"]}, {"base": "3"},
    {"functions": ["1 1 0", "-1 1 0"]},
])
def test_both_prove_what_follows(fields, tmp_path):
    data = changed(**fields)
    assert library_says(data) == receipt_says(data, tmp_path)[0] == 0


@pytest.mark.parametrize("delta", ["1/1000", "1/10000000000", "1/3"])
@pytest.mark.parametrize("epsilon", ["1/1000", "ln(3)", "100"])
def test_at_the_largest_rho_both_judges_agree_on_either_side(epsilon, delta, tmp_path):
    level = Level.of(epsilon).with_delta(delta)
    variance = 3**2 / (2 * largest_rho(level))
    for factor, says in ((Fraction(1_000_001, 1_000_000), 0), (Fraction(999, 1000), CANNOT)):
        exact = str((variance * factor).limit_denominator(10**30))
        wide = certified(GaussianMechanism(Totals(5, 3, 1), (variance * 2,)), level)
        data = changed(wide, variances=[exact])
        assert library_says(data) == receipt_says(data, tmp_path)[0] == says
