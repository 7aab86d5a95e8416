"""The first promise: three counts at e^ε = 2, saved, checked by both, and every digit guarded."""

import ast
import copy
import json
import sys
from fractions import Fraction

import pytest

from tests.documents.judges import (
    HOLDS,
    NO,
    RECEIPT,
    library_says,
    receipt_alone,
    receipt_says,
    renewed,
    text_of,
)
from tightrope.constructions import design
from tightrope.documents import accept, compose, read, render
from tightrope.errors import NotIntact, NotPrivate
from tightrope.exact import Level
from tightrope.privacy import Refutation, verify
from tightrope.spaces import path
from tightrope.utility import absolute


@pytest.fixture(scope="module")
def saved():
    solution = design(path(0, 2), Level.ratio(2), loss=absolute)
    return compose(solution.certified, {"name": solution.construction})


def test_row_zero_is_two_thirds_one_sixth_one_sixth_and_the_level_is_ln_two(saved):
    found = accept(read(render(saved)))
    sixth = Fraction(1, 6)
    assert found.mechanism.row(0) == (4 * sixth, sixth, sixth)
    assert found.mechanism.row(1) == (2 * sixth, 2 * sixth, 2 * sixth)
    assert found.mechanism.row(2) == (sixth, sixth, 4 * sixth)
    assert found.certificate.smallest.exact == Level.ln(2)
    assert saved["mechanism"]["form"] == "matrix"
    for row, law in zip(saved["mechanism"]["rows"], range(3), strict=True):
        weights = [int(token, 16) for token in row.split(" ")]
        total = sum(weights)
        assert tuple(Fraction(w, total) for w in weights) == found.mechanism.row_at(law)


def test_both_hold(saved, tmp_path):
    assert library_says(render(saved)) == HOLDS
    code, out, err = receipt_alone(render(saved), tmp_path)
    assert (code, err) == (HOLDS, "")
    assert json.loads(out)["holds"] is True


def other_digits(text):
    for at, digit in enumerate(text):
        if digit in "0123456789abcdef":
            for new in "0123456789abcdef":
                if new != digit:
                    yield text[:at] + new + text[at + 1 :]


def test_any_changed_digit_of_a_weight_is_noticed_by_both(saved, tmp_path):
    for i, row in enumerate(saved["mechanism"]["rows"]):
        for text in other_digits(row):
            changed = copy.deepcopy(saved)
            changed["mechanism"]["rows"][i] = text
            data = text_of(changed, new_digest=False)
            assert read(data).intact is False
            with pytest.raises(NotIntact):
                accept(read(data))
            code, report = receipt_says(data, tmp_path)
            assert code == NO
            assert report["intact"] is False


def test_any_changed_digit_of_the_digest_is_noticed_by_both(saved, tmp_path):
    prefix, digits = saved["digest"].split(":")
    for at, digit in enumerate(digits):
        text = digits[:at] + f"{int(digit, 16) ^ 1:x}" + digits[at + 1 :]
        data = render({**saved, "digest": f"{prefix}:{text}"})
        assert read(data).intact is False
        assert library_says(data) == NO
        assert receipt_says(data, tmp_path)[0] == NO


def holds_by_hand(rows):
    """Both neighbor pairs, three outputs, factor 2, in fractions."""
    laws = []
    for row in rows:
        weights = [int(token, 16) for token in row.split(" ")]
        if not any(weights):
            return None
        laws.append([Fraction(w, sum(weights)) for w in weights])
    return all(
        p <= 2 * q and q <= 2 * p
        for a, b in ((0, 1), (1, 2)) for p, q in zip(laws[a], laws[b], strict=True)
    )


def test_every_single_digit_with_a_new_digest_is_judged_as_by_hand(saved, tmp_path):
    broken = 0
    for i, row in enumerate(saved["mechanism"]["rows"]):
        for text in other_digits(row):
            changed = copy.deepcopy(saved)
            changed["mechanism"]["rows"][i] = text
            data = text_of(changed)
            expected = holds_by_hand(changed["mechanism"]["rows"])
            assert expected is not None
            code, report = receipt_says(data, tmp_path)
            assert library_says(data) == code == (HOLDS if expected else NO)
            if expected:
                continue
            broken += 1
            document = read(data)
            with pytest.raises(NotPrivate) as caught:
                accept(document)
            witness = caught.value.refutation.witness
            high, low = witness.probabilities
            assert high > 2 ** abs(witness.first - witness.second) * low
            named = report["witness"]
            i_, j_ = named["first"], named["second"]
            (output,) = named["outputs"]
            p, q = (document.mechanism.row_at(k)[output] for k in (i_, j_))
            assert p > 2 ** abs(i_ - j_) * q
            assert [Fraction(x) for x in named["probabilities"]] == [p, q]
    assert broken > 50


def test_a_broken_tight_ratio_is_named_even_when_the_digest_does_not_fit(saved, tmp_path):
    changed = copy.deepcopy(saved)
    changed["mechanism"]["rows"][0] = "5 1 1"
    for new_digest in (False, True):
        data = text_of(changed, new_digest=new_digest)
        document = read(data)
        assert document.intact is new_digest
        found = verify(document.mechanism, document.mechanism.space, document.level)
        assert isinstance(found, Refutation)
        code, out, _ = receipt_alone(data, tmp_path)
        report = json.loads(out)
        assert code == NO
        assert report["intact"] is new_digest
        assert report["witness"]["outputs"]


def test_the_receipt_stands_alone_and_imports_nothing_but_the_standard_library(saved, tmp_path):
    names = set()
    for node in ast.walk(ast.parse(RECEIPT.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module.split(".")[0])
    assert names <= set(sys.stdlib_module_names)
    assert receipt_alone(render(renewed(saved)), tmp_path)[0] == HOLDS
