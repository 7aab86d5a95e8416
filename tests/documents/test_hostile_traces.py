"""Documents of noise for traces: both judges say the same."""

import json

import pytest

from tests.documents.judges import BAD, CANNOT, library_says, receipt_says
from tests.documents.mutations import parent, places
from tests.exact.oracle import ends_within
from tightrope.constructions import trace_noise
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.spaces import Positions, Region, Traces

BOX = Positions(Region.box(-4, 40, -3, 41), 200, 2)
PROVED = trace_noise(Traces(BOX), "ln(2)", fresh=5, jump=3_000)
DOCUMENT = json.loads(render(compose(PROVED)))


def changed(space=None, claim=None, **law):
    content = json.loads(json.dumps(DOCUMENT))
    content["space"] |= space or {}
    content["mechanism"] |= law
    if claim is not None:
        content["claim"]["epsilon"] = {"rational": "0", "coefficient": "1", "base": claim}
    content["digest"] = digest_of(content)
    return json.dumps(content).encode()


def judged(data, folder):
    """The library's code, the receipt's, and whether it names what only the holder knows."""
    code, report = receipt_says(data, folder)
    return library_says(data), code, code == 0 and len(report["only_holder"]) == 1


def test_a_true_document_is_proved_and_names_what_only_the_holder_knows(tmp_path):
    data = changed()
    assert judged(data, tmp_path) == (0, 0, True)
    assert accept(read(data)).mechanism == PROVED.mechanism
    report = receipt_says(data, tmp_path)[1]
    assert "in cells at most 102 steps apart" in report["checked"][0]


@pytest.mark.parametrize(("claim", "holds"), [
    ("19/10", False), ("1999999999/1000000000", False), ("2", True), ("3", True)])
def test_a_claim_is_followed_by_both_or_by_neither(claim, holds, tmp_path):
    assert judged(changed(claim=claim), tmp_path) == (*[0 if holds else CANNOT] * 2, holds)


EXACT = {"ratio": "2", "bar": "2", "bar_step": 200, "bar_first": 1, "test": "2", "test_step": 300,
         "test_first": 1, "fresh": 2, "claim": str(2 ** (2 * (102 + 1 + 1)))}
HAIR = f"{2 * 10**40 + 1}/{10**40}"


@pytest.mark.parametrize("law", [
    {"claim": str(2**208 - 1)}, {"ratio": HAIR}, {"bar": HAIR}, {"test": HAIR}, {"fresh": 3},
    {"space": {"step": "1"}}, {"space": {"within": "202"}}, {"bar_step": 101}, {"test_step": 203},
], ids=str)
def test_a_law_that_is_a_hair_too_good_is_proved_by_neither(law, tmp_path):
    """e^ε is the very ratio, to the power of as many fresh positions; cells or rungs that are
    farther apart, or one more fresh position, are beyond it."""
    with ends_within(20):
        assert judged(changed(**EXACT), tmp_path) == (0, 0, True)
        assert judged(changed(**{**EXACT, **law}), tmp_path) == (CANNOT, CANNOT, False)


@pytest.mark.parametrize("law", [{"fresh": 4}, {"jump": 0}, {"jump": 2**100}, {"bar_first": 1},
                                 {"space": {"within": "199"}}], ids=str)
def test_what_costs_less_or_nothing_is_proved_by_both(law, tmp_path):
    assert judged(changed(**law), tmp_path) == (0, 0, True)


@pytest.mark.parametrize("fields", [
    {"fresh": 0}, {"fresh": 101}, {"fresh": "5"}, {"fresh": True}, {"fresh": 5.0},
    {"jump": -1}, {"jump": 2**101}, {"jump": None}, {"bar_step": 0}, {"test_step": 2**101},
    {"bar_first": 0}, {"test_first": 10**6}, {"ratio": "nan"}, {"bar": "inf"}, {"test": "1"},
    {"test": "2/0"}, {"bar": 2}, {"bar": "2\x07"}, {"test": "2\u202e"}, {"ratio": " 2"},
    {"form": "traces"}, {"space": {"family": "positions"}}, {"space": {"step": "NaN"}},
    {"space": {"within": "0"}}, {"space": {"more": 1}}, {"space": {"region": {"box": []}}},
], ids=str)
def test_both_judges_refuse_what_is_no_document(fields, tmp_path):
    assert judged(changed(**fields), tmp_path) == (BAD, BAD, False)


def test_a_trace_is_no_form_for_positions_and_a_position_none_for_traces(tmp_path):
    for space, form in (("traces", "planar"), ("traces", "planar-laplace"),
                        ("positions", "trace")):
        data = changed(space={"family": space}, form=form)
        assert judged(data, tmp_path) == (BAD, BAD, False)


def test_a_ratio_too_long_to_be_compared_is_named_by_both(tmp_path):
    """All three together: each by itself would still be compared."""
    long = "1" + "0" * 2_000
    data = changed(ratio=f"{long}1/{long}0", bar=f"{long}1/{long}0", bar_step=1, bar_first=1,
                   test=f"{long}1/{long}0", test_step=1, test_first=1)
    with ends_within(20):
        assert judged(data, tmp_path) == (CANNOT, CANNOT, False)


@pytest.mark.parametrize(("claim", "holds"), [
    ({"rational": "8", "coefficient": "1", "base": "1/2"}, True),
    ({"rational": "13862943611/10000000000", "coefficient": "1", "base": "1/2"}, False),
    ({"rational": "13862943612/10000000000", "coefficient": "1", "base": "1/2"}, True),
    ({"rational": "7/10", "coefficient": "0", "base": "1"}, True),
    ({"rational": "-1/10", "coefficient": "1/2", "base": "4"}, False)])
def test_levels_of_every_kind_are_shared_by_fresh_positions(claim, holds, tmp_path):
    """2 ln 2 = 1.38629436111...: the level ln 2 stated in other words."""
    content = json.loads(json.dumps(DOCUMENT))
    content["claim"]["epsilon"] = claim
    content["digest"] = digest_of(content)
    data = json.dumps(content).encode()
    assert judged(data, tmp_path) == (*[0 if holds else CANNOT] * 2, holds)


def test_dropping_or_changing_any_field_is_judged_alike(tmp_path):
    for path in places(DOCUMENT):
        for other in ("drop", None, 1.5, "1", [], {}):
            content = json.loads(json.dumps(DOCUMENT))
            holder = parent(content, path)
            if other == "drop":
                if not isinstance(holder, dict):
                    continue
                del holder[path[-1]]
            else:
                holder[path[-1]] = other
            if path[0] != "digest":
                content["digest"] = digest_of(content)
            library, receipt, proved = judged(json.dumps(content).encode(), tmp_path)
            assert library == receipt, (path, other)
            assert proved is (library == 0), (path, other)
