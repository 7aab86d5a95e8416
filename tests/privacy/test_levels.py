"""A level is written alike in every public call: epsilon with delta, or ratio."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import tightrope as tr
from tightrope.curves import curve, plan_curve
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.networks import release_count, release_degrees
from tightrope.privacy import level_of, repair
from tightrope.surveys import create_survey, plan_survey

ROWS = [["2/3", "1/3"], ["1/3", "2/3"]]
TABLE = {"vote": ["no", "yes"]}
CURVE = np.ones((5, 3))
GRAPH = tr.spaces.Network(3, np.array([0]), np.array([1]))
VOTES = {"dataset": "votes", "columns": {"vote": {"type": "category", "values": ["no", "yes"]}}}
CALLS = {  # what a call says its level is
    "design": lambda **at: tr.design("path:0..2", **at).problem.level,
    "compare": lambda **at: tr.compare("path:0..1", **at).problem.level,
    "improve": lambda **at: tr.improve(tr.certify(ROWS, "categories:2", **at), **at)
    .after.problem.level,
    "verify": lambda **at: tr.verify(ROWS, "categories:2", **at).level,
    "certify": lambda **at: tr.certify(ROWS, "categories:2", **at).certificate.level,
    "repair": lambda **at: repair(ROWS, "categories:2", **at).certified.certificate.level,
    "sanitize": lambda **at: tr.sanitize(TABLE, {"vote": "no/yes"}, **at).columns[0].level,
    "plan_survey": lambda **at: plan_survey(prevalence="0.1", **at).level,
    "plan_curve": lambda **at: plan_curve(3, people=5, low=0, high=1, **at).level,
    "curve": lambda **at: curve(CURVE, people=5, low=0, high=1, **at).plan.level,
    "release_count": lambda **at: release_count(GRAPH, "edges", **at).level,
    "release_degrees": lambda **at: release_degrees(GRAPH, max_degree=2, **at).level,
    "count": lambda **at: tr.releases.count(TABLE, **at).plan.level,
    "dry_run": lambda **at: tr.open(TABLE, VOTES).dry_run("count", **at).level,
    "ask": lambda **at: tr.open(TABLE, VOTES).ask("count", unbooked=True, **at).plan.level,
}


@pytest.mark.parametrize("call", CALLS)
def test_a_number_a_text_a_level_and_a_ratio_say_the_same(call):
    says = CALLS[call]
    for stated in ({"epsilon": "ln(3)"}, {"epsilon": Level.ratio(3)}, {"ratio": 3}):
        assert says(**stated) == Level.ratio(3), stated
    assert says(epsilon=1.5) == Level.epsilon("3/2")
    with pytest.raises(BadInput, match="either epsilon or ratio"):
        says(epsilon=1, ratio=2)


@pytest.mark.parametrize("call", sorted(set(CALLS) - {"plan_survey", "ask"}))
def test_a_call_without_a_level_is_told_how_one_is_written(call):
    with pytest.raises(BadInput, match=r'epsilon=0\.5, epsilon="ln\(2\)" or ratio=2'):
        CALLS[call]()


@pytest.mark.parametrize("call", ["design", "compare", "verify", "certify", "repair"])
def test_delta_stands_beside_epsilon_or_ratio(call):
    says = CALLS[call]
    assert says(epsilon=1, delta="1e-3") == Level.epsilon(1, "1e-3")
    assert says(ratio=3, delta=Fraction(1, 8)) == Level.ratio(3, "1/8")
    with pytest.raises(BadInput, match="has a δ already"):
        says(epsilon=Level.epsilon(1, "1/8"), delta="1/8")


def test_the_level_is_the_last_argument_by_position():
    for call in (tr.design, tr.compare, tr.verify, tr.certify, tr.sanitize, create_survey):
        parameters = inspect.signature(call).parameters.values()
        placed = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        assert placed[-1] == "epsilon", call.__name__
    assert tr.design("path:0..9", 0.5).problem.level == level_of(0.5)
