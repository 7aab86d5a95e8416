"""Options of research commands are keywords in Python, or refused with the call that has them."""

import inspect
import re
from functools import reduce

import pytest

import tightrope as tr
from tests.golden.options import COMMANDS
from tightrope.errors import BadInput
from tightrope.privacy import GenericDefinition, PairBound
from tightrope.spellings import spelled

COIN = [["2/3", "1/3"], ["1/3", "2/3"]]
DEFINITION = GenericDefinition.on_neighbors("categories:2", PairBound.of_level(tr.Level.ratio(2)))
CALLS = {
    ("design",): tr.design,
    ("compare",): tr.compare,
    ("tradeoff",): tr.tradeoff,
    ("verify",): tr.verify,
    ("inspect",): tr.inspect,
    ("certify",): tr.certify,
    ("theory", "improve"): tr.improve,
    ("theory", "accuracy"): tr.theory.accuracy,
    ("theory", "generalize"): tr.theory.generalize,
    ("theory", "prior"): tr.theory.judge_prior,
}
ELSEWHERE = {"help", "json", "force", "goal", "normalize", "values", "measure", "query",
             "prior", "key", "ledger", "files", "file"}
"""Options of every command, how files are read, and what a document is checked with."""


def options_of(command):
    options = [p for p in COMMANDS[command] if p.param_type_name == "option"]
    typed = {max(p.opts, key=len).removeprefix("--").replace("-", "_") for p in options}
    return typed - ELSEWHERE


@pytest.mark.parametrize("command", CALLS, ids=" ".join)
def test_an_option_is_a_keyword_or_is_refused_with_its_spelling(command):
    call = CALLS[command]
    keywords = {*inspect.signature(call).parameters, *call.instead}
    assert options_of(command) - keywords == set()
    assert options_of(command)


@pytest.mark.parametrize("call", [*CALLS.values(), tr.delta_curve, tr.privacy.renyi_curve,
                                  tr.constructions.all_optima, tr.theory.extreme_points,
                                  tr.theory.mechanism_vertices, tr.theory.thresholds,
                                  tr.account], ids=lambda call: call.__name__)
def test_spellings_name_calls_that_exist_and_no_keyword_of_the_call(call):
    assert not set(call.instead) & set(inspect.signature(call).parameters)
    for name, spelling in call.instead.items():
        for path in re.findall(r"\btr\.([A-Za-z_.]*[a-z])", spelling):
            assert reduce(getattr, path.split("."), tr), name
        with pytest.raises(BadInput, match=f"has no option {name}; use {re.escape(spelling)}"):
            call(**{name: 1})


def test_the_spellings_that_are_named_work():
    pieces = tr.constructions.value_pieces("path:0..2", 1, 4)
    assert pieces.pieces
    assert tr.constructions.family_pieces("path:0..N", upto=4)
    solution = tr.design("path:0..2", ratio=2, exact=True)
    assert tr.constructions.all_optima(solution).vertices
    assert tr.privacy.verify_generic(COIN, DEFINITION, "categories:2").holds
    assert tr.privacy.verify_renyi(COIN, "zcdp:rho=0.3", "categories:2").holds
    assert tr.theory.generalize_under(COIN, DEFINITION)
    mechanism = tr.mechanisms.MatrixMechanism.of(COIN, tr.space("categories:2"))
    assert tr.inspect(mechanism).level.exact_text == "ln(2)"
    assert tr.privacy.renyi_curve(mechanism).at(2)
    assert tr.privacy.row_graphs(mechanism, mechanism.space, ratio=2)
    assert tr.constructions.when_optimal(COIN, ratio=2, space="categories:2").priors
    assert tr.constructions.min_level_given_loss("path:0..3", "0.5")
    assert tr.tradeoff("categories:2", [tr.Level.ratio(2)])
    assert tr.theory.accuracy("path:0..3", 1, "0.1", base=[1, 1, 1, 1], closed=False, times=3)


def test_a_body_is_sent_to_the_call_for_bodies():
    with pytest.raises(BadInput, match=r"tr\.theory\.body_accuracy"):
        tr.theory.accuracy("cube:2", "0.3", "0.1")


def test_a_call_that_is_spelled_right_passes_through():
    assert tr.design("categories:2", ratio=2).value == pytest.approx(1 / 3)
    assert tr.design.__wrapped__.__name__ == "design"


@pytest.mark.parametrize(("call", "sentence"), [
    (lambda: tr.verify(COIN, ratio=2),
     r"verify: missing .*'space'; write verify\(mechanism, space, epsilon=…, delta=…, ratio=…\)\."),
    (lambda: tr.privacy.renyi_curve(COIN, "categories:2", 3),
     r"too many positional .*; write renyi_curve\(mechanism, space=…\)\."),
    (lambda: tr.theory.thresholds("path:0..2", 3),
     r"too many positional .*; write thresholds\(space, prior=…, lowest=…, seconds=…\)\."),
    (lambda: tr.account(at_delta=1e-6),
     r"no option at_delta; use tr\.account\(items, delta=1e-6\)\."),
], ids=["verify", "renyi_curve", "thresholds", "account"])
def test_a_call_that_does_not_fit_is_refused_with_one_that_does(call, sentence):
    with pytest.raises(BadInput, match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_an_error_inside_a_call_stays_what_it_is():
    def fail(space):
        raise TypeError("inside")

    with pytest.raises(TypeError, match="inside"):
        spelled()(fail)("path:0..2")


@pytest.mark.parametrize(("curve", "wrong", "way", "right"), [
    (tr.delta_curve, {"ratio": 2}, "at_ratio(2)", lambda c: c.at_ratio(2)),
    (tr.delta_curve, {"delta": 0.1}, "epsilon(0.1)", lambda c: c.epsilon(0.1)),
    (tr.delta_curve, {"eps": 1}, "epsilon=1", lambda c: c.at(epsilon=1)),
    (tr.privacy.renyi_curve, {"alpha": 2}, "at(2)", lambda c: c.at(2)),
    (tr.privacy.privacy_loss, {"ratio": 2}, 'at("ln(2)")', lambda c: c.at("ln(2)")),
])
def test_curves_say_which_number_they_are_asked_for(curve, wrong, way, right):
    asked = curve(COIN, "categories:2")
    with pytest.raises(BadInput, match=f"at has no option .*{re.escape(way)}"):
        asked.at(**wrong)
    with pytest.raises(BadInput, match=r"write at\((epsilon|order)\)"):
        asked.at()
    assert right(asked) is not None


@pytest.mark.parametrize("name", ["epsilon_curve", "rdp", "renyi", "zcdp", "renyi_curve",
                                  "LossCurve", "all_optima", "losses"])
def test_names_of_curves_that_people_try_say_where_to_go(name):
    with pytest.raises(AttributeError, match=r"take tr\.") as refused:
        getattr(tr, name)
    for path in re.findall(r"\btr\.([A-Za-z_.]*[a-z])", str(refused.value)):
        assert reduce(getattr, path.split("."), tr)
