"""Mechanisms as measurements of OpenDP, in front of a stand-in that keeps what it is given."""

import sys
from fractions import Fraction
from types import ModuleType, SimpleNamespace

import pytest

import tightrope as tr
from tightrope.errors import BadInput, Refused
from tightrope.samplers import to_opendp


@pytest.fixture
def opendp(monkeypatch):
    prelude, package, inner = (ModuleType(name) for name in ("opendp.prelude", "opendp",
                                                             "opendp.mod"))
    inner.GLOBAL_FEATURES = {"contrib", "honest-but-curious"}
    prelude.atom_domain = lambda T: ("atom", T)
    prelude.absolute_distance = lambda T: ("absolute", T)
    prelude.user_domain = lambda name, member: SimpleNamespace(name=name, member=member)
    prelude.user_distance = lambda name: name
    prelude.max_divergence = lambda: "ε"
    prelude.fixed_smoothed_max_divergence = lambda: "ε, δ"
    prelude.m = SimpleNamespace(make_user_measurement=lambda *parts, **more: SimpleNamespace(
        domain=parts[0], metric=parts[1], measure=parts[2], draw=parts[3], map=parts[4], **more))
    package.prelude, package.mod = prelude, inner
    for name, module in (("opendp", package), ("opendp.prelude", prelude), ("opendp.mod", inner)):
        monkeypatch.setitem(sys.modules, name, module)
    return inner


def test_a_path_becomes_a_measurement_of_whole_numbers_that_clamps(opendp):
    made = to_opendp(tr.constructions.truncated_geometric("path:0..9", "1/2"))
    assert (made.domain, made.metric, made.measure) == (("atom", "i32"), ("absolute", "i32"), "ε")
    assert made.TO == "i32"
    assert {made.draw(x) for x in (-(10**6), 3, 10**6)} <= {*range(10)}
    assert (made.map(0), made.map(1), made.map(3)) == (0.0, 0.5, 1.5)
    far = to_opendp(tr.constructions.truncated_geometric("path:0..9", 60))
    assert (far.draw(-4), far.draw(99)) == (0, 9)


@pytest.mark.parametrize("level", ["1/3", "0.1", "ln(2)", "1/7"])
def test_a_cost_is_never_rounded_down(opendp, level):
    made = to_opendp(tr.constructions.randomized_response("categories:2", level))
    exact = tr.Level.of(level)
    for distance in (1, 2, 3):
        stated = tr.Level.epsilon(Fraction(made.map(distance)))
        assert stated.compare_level(exact.scaled(distance)) >= 0


def test_other_spaces_name_their_domain_and_a_delta_holds_for_neighbors(opendp):
    response = tr.constructions.randomized_response("categories:red/blue", 60)
    made = to_opendp(response)
    assert made.domain.member("red")
    assert not made.domain.member("green")
    assert made.draw("blue") == "blue"
    loose = tr.certify([["0.7", "0.3"], ["0.3", "0.7"]], "categories:2",
                       tr.Level.epsilon("0.5", delta="0.3"))
    found = to_opendp(loose)
    assert found.measure == "ε, δ"
    assert found.map(1)[0] == 0.5
    assert Fraction(found.map(1)[1]) >= Fraction(3, 10)
    with pytest.raises(BadInput, match="at most 1"):
        found.map(2)


def test_without_opendp_or_its_features_there_is_one_sentence(opendp, monkeypatch):
    opendp.GLOBAL_FEATURES = {"contrib"}
    with pytest.raises(Refused, match="honest-but-curious"):
        to_opendp(tr.constructions.randomized_response("categories:2", 1))
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(Refused, match="not installed"):
        to_opendp(tr.constructions.randomized_response("categories:2", 1))
