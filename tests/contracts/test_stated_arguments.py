"""Spaces, levels, priors and losses are stated in the same ways at every stable name.

The page of the library promises it once for all of them: a text or a number gives what the
value gives, a solution stands for the mechanism that it holds, and what is neither is refused
by an error of this library.
"""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import tightrope as tr

SPACE, LEVEL = tr.spaces.path(0, 3), tr.Level.ratio(2)
SOLVED = tr.design(SPACE, LEVEL)
HELD = SOLVED.certified.mechanism
SHARES = ["1/2", "1/4", "1/8", "1/8"]
SEQUENCES = tr.constructions.privacy_first(tr.files.read_query(SPACE, SPACE, lambda x: x))
TRIANGLE = tr.spaces.Network(4, [0, 0, 1], [1, 2, 2])
ENUMERATED = {"space": SPACE, "level": LEVEL, "mechanism": HELD, "prior": tr.Prior(SHARES),
              "loss": tr.utility.absolute}
STATED = {"space": "path:0..3", "level": "ln(2)", "mechanism": SOLVED,
          "prior": dict(enumerate(SHARES)), "loss": lambda x, z: abs(x - z)}

DOORS = {
    "verify": (lambda a: tr.verify(a.mechanism, a.space, a.level).smallest,
               "mechanism space level"),
    "certified": (
        lambda a: tr.privacy.certified(a.mechanism, a.level).mechanism, "mechanism level"),
    "smallest_level": (lambda a: tr.smallest_level(a.mechanism, a.space), "mechanism space"),
    "delta_curve": (lambda a: tr.delta_curve(a.mechanism, a.space).at_ratio(Fraction(1)),
                    "mechanism space"),
    "tightness": (
        lambda a: tr.privacy.tightness(a.mechanism, a.space, a.level), "mechanism space level"),
    "row_graphs": (lambda a: tr.privacy.row_graphs(a.mechanism, a.space, a.level),
                   "mechanism space level"),
    "sufficient_sets": (
        lambda a: tr.theory.sufficient_sets(a.mechanism, [(0, 1)]).checks, "mechanism"),
    "generalize": (lambda a: tr.theory.generalize(a.mechanism, a.level).certified.mechanism,
                   "mechanism level"),
    "post_processing": (
        lambda a: tr.theory.post_processing(a.mechanism, HELD).channel, "mechanism"),
    "promise": (lambda a: tr.privacy.promise(a.level, a.space), "level space"),
    "sequential": (lambda a: tr.privacy.sequential([a.level, 1]), "level"),
    "parallel": (lambda a: tr.privacy.parallel([a.level, "0.1"]), "level"),
    "group": (lambda a: tr.privacy.group(a.level, 2), "level"),
    "account": (lambda a: tr.privacy.account([(a.mechanism, 2)]).epsilon(0.01), "mechanism"),
    "review": (lambda a: tr.documents.review(a.mechanism, a.level).holds, "mechanism"),
    "inspect": (lambda a: tr.inspect(a.mechanism).leakage, "mechanism"),
    "improve": (lambda a: tr.improve(a.mechanism, a.level, prior=a.prior, loss=a.loss).before,
                "mechanism level prior loss"),
    "certify": (lambda a: tr.certify(a.mechanism, a.space, a.level).mechanism,
                "mechanism space level"),
    "leakage": (lambda a: tr.utility.leakage(a.mechanism, a.prior), "mechanism prior"),
    "min_capacity": (lambda a: tr.utility.min_capacity(a.mechanism), "mechanism"),
    "dobrushin": (lambda a: tr.utility.dobrushin(a.mechanism), "mechanism"),
    "dobrushin_optimum": (lambda a: tr.utility.dobrushin_optimum(3, a.level), "level"),
    "mutual_information": (lambda a: tr.utility.mutual_information(a.mechanism, a.prior),
                           "mechanism prior"),
    "expected_loss": (lambda a: tr.utility.expected_loss(a.mechanism, prior=a.prior, loss=a.loss),
                      "mechanism prior loss"),
    "worst_loss": (lambda a: tr.utility.worst_loss(a.mechanism, loss=a.loss), "mechanism loss"),
    "best_remap": (lambda a: tr.utility.best_remap(a.mechanism, SOLVED.problem), "mechanism"),
    "worst_case_remap": (
        lambda a: tr.utility.worst_case_remap(a.mechanism, loss=a.loss, outputs=range(4)),
                         "mechanism loss"),
    "estimate": (lambda a: tr.utility.estimate([4, 3, 2, 1], a.mechanism), "mechanism"),
    "tight_weights": (
        lambda a: tr.constructions.tight_weights(a.space, a.level).each, "space level"),
    "regularity": (
        lambda a: tr.kernels.regularity(a.space, a.level, tr.utility.uniform).gain, "space level"),
    "regularity of a prior": (lambda a: type(tr.kernels.regularity(SPACE, 9, a.prior)), "prior"),
    "most_leakage": (lambda a: tr.theory.most_leakage(a.space, a.level), "space level"),
    "thresholds": (lambda a: tr.theory.thresholds(a.space, lowest=2).intervals, "space"),
    "least_overlap": (lambda a: tr.theory.least_overlap(a.space, a.level), "space level"),
    "calibrate": (lambda a: tr.constructions.calibrate(SEQUENCES, a.level).root, "level"),
    "median": (lambda a: tr.theory.median(a.level, size=3, low=0, high=9), "level"),
    "quantile": (lambda a: tr.theory.quantile(a.level, size=3, low=0, high=9, rank=1), "level"),
    "mode": (lambda a: tr.theory.mode(a.level, size=3, low=0, high=9), "level"),
    "staircase": (lambda a: tr.constructions.staircase(1, a.level).mean_error, "level"),
    "linear_noise": (lambda a: tr.theory.linear_noise([(0, 1)], a.level).mean_error, "level"),
    "compare_protocols": (lambda a: tr.constructions.compare_protocols(9, a.level), "level"),
    "release_count": (
        lambda a: tr.networks.release_count(TRIANGLE, "edges", a.level,
                                            source=tr.SeededSource(1)).answer,
        "level"),
    "product_sum": (lambda a: tr.spaces.product_sum(a.space, "cycle:3"), "space"),
    "product_max": (lambda a: tr.spaces.product_max("cycle:3", a.space), "space"),
    "query": (
        lambda a: tr.files.read_query(a.space, a.space, lambda x: x).global_sensitivity, "space"),
    "induced_query": (
        lambda a: tr.theory.induced_query(a.space, lambda x: x % 2).codomain, "space"),
    "MatrixMechanism.of": (
        lambda a: tr.mechanisms.MatrixMechanism.of(HELD.to_numpy(), a.space), "space"),
    "KernelMechanism": (lambda a: tr.mechanisms.KernelMechanism(a.space, 2, 1, (1,) * 4), "space"),
    "NoiseMechanism": (lambda a: tr.mechanisms.NoiseMechanism(a.space, 2), "space"),
    "tradeoff": (lambda a: [at.bound for at in tr.tradeoff(a.space, [a.level])], "space level"),
}
CASES = [(door, name) for door, (_, names) in DOORS.items() for name in names.split()]
WRONG = [None, "typo", -1, 1j, object(), [[1, 2], [3]], {"a": 1}, float("nan"), len]
NONE_IS_RIGHT = {"prior", "loss"}
OWN_SPACE = {"smallest_level space", "delta_curve space"}  # a mechanism brings its own


def test_a_solution_holds_its_mechanism():
    assert SOLVED.mechanism is HELD


@pytest.mark.parametrize(("door", "name"), CASES)
def test_what_is_stated_is_taken_for_what_it_states(door, name):
    ask = DOORS[door][0]
    plain = ask(SimpleNamespace(**ENUMERATED))
    assert ask(SimpleNamespace(**ENUMERATED | {name: STATED[name]})) == plain


@pytest.mark.parametrize(("door", "name"), CASES)
def test_what_states_nothing_is_refused_by_an_error_of_this_library(door, name):
    ask = DOORS[door][0]
    for wrong in WRONG:
        if wrong is None and (name in NONE_IS_RIGHT or f"{door} {name}" in OWN_SPACE):
            continue
        with pytest.raises(tr.TightropeError) as refused:
            ask(SimpleNamespace(**ENUMERATED | {name: wrong}))
        assert "unreachable" not in str(refused.value)


@pytest.mark.parametrize("add", [tr.privacy.sequential, tr.privacy.parallel])
def test_levels_that_are_added_up_are_a_list_of_at_least_one(add):
    for wrong in ([], 0.5, "0.5", None):
        with pytest.raises(tr.errors.BadInput, match="level"):
            add(wrong)


def test_a_share_of_a_mixture_is_any_number():
    for share in (0.1, "1/10", Fraction(1, 10)):
        mixed = tr.mechanisms.mix(HELD, HELD, share)
        assert mixed.row(0) == HELD.row(0)


def test_a_mechanism_runs_once_where_no_number_is_given():
    assert tr.privacy.account([HELD]).epsilon(0.01) == tr.privacy.account([(HELD, 1)]).epsilon(0.01)
    with pytest.raises(tr.errors.BadInput, match=r"such as \[\(m, 10\)\]"):
        tr.privacy.account(HELD)


def test_a_matrix_has_a_smallest_level():
    found = tr.smallest_level(np.array([[0.75, 0.25], [0.25, 0.75]]), "path:0..1")
    assert found.exact == tr.Level.ratio(3)


def test_the_name_of_a_file_is_told_how_it_is_read():
    for ask in (tr.inspect, tr.documents.review, tr.utility.leakage,
                lambda name: tr.verify(name, SPACE, LEVEL)):
        with pytest.raises(tr.errors.BadInput, match=r"tightrope\.load reads"):
            ask("m.json")


HALF = [[Fraction(1, 2)] * 2] * 2
COSTS = [[Fraction(y != z) for z in range(2)] for y in range(2)]
PAIR = tr.privacy.tradeoff_curve(*HALF)
NUMBERS = {
    "extremality": (tr.theory.extremality, (HALF, Fraction(2)), ([["1/2", "0.5"]] * 2, "2")),
    "best_extreme_point": (tr.theory.best_extreme_point, (COSTS, Fraction(2)), (
        [["0", 1], np.array(["1", "0"])], "2.0")),
    "extreme_points": (tr.theory.extreme_points, (3,), ("3",)),
    "smallest_delta": (
        tr.privacy.smallest_delta, (5, Fraction(1, 10), Fraction(4)), ("5", "0.1", 4.0)),
    "tradeoff_curve": (tr.privacy.tradeoff_curve, HALF, (["1/2", 0.5], np.array(["0.5", "1/2"]))),
    "odds_change": (tr.privacy.odds_change, (PAIR, Fraction(4)), (PAIR, "4")),
}
NO_NUMBERS = [None, "typo", "1/0", "", 1j, object(), [], [1], [[1, 2], [3]], [["a"]], ["12", "21"],
              {"a": 1}, float("nan"), float("inf"), -1, True, len, b"3", "٣", "9" * 2000]


@pytest.mark.parametrize("door", NUMBERS)
def test_a_number_may_be_a_text(door):
    ask, plain, stated = NUMBERS[door]
    assert ask(*stated) == ask(*plain)
    if door == "extreme_points":
        assert ask("3", ratio="2", columns="2") == ask(3, ratio=2, columns=2)


@pytest.mark.parametrize("door", NUMBERS)
def test_what_is_no_number_is_refused_in_one_sentence(door):
    ask, plain, _ = NUMBERS[door]
    for place, right in enumerate(plain):
        if right is PAIR:
            continue
        for wrong in NO_NUMBERS:
            if door == "extremality" and place == 1 and wrong is None:
                continue  # then the least ratio is taken
            with pytest.raises(tr.TightropeError) as refused:
                ask(*plain[:place], wrong, *plain[place + 1:])
            assert str(refused.value).endswith(".")
            assert "\n" not in str(refused.value)
            assert len(str(refused.value)) < 200
