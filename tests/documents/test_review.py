"""A document or mechanism judged from Python."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.documents.judges import text_of
from tests.documents.samples import document as document_of
from tightrope.documents import compose, read, render, review
from tightrope.errors import BadLevel, CannotCheck
from tightrope.exact import Level, Weights
from tightrope.exact.sizes import LONGEST_ROW
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import categories

THIRDS = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"]], categories(2))
NEVER = MatrixMechanism.of([[1, 0], ["1/2", "1/2"]], categories(2))


def document(level):
    return read(render(compose(certified(THIRDS, level))))


def test_a_mechanism_without_a_level_is_judged_by_whether_it_has_any():
    found = review(THIRDS)
    assert found.holds
    assert (found.level, found.claim, found.intact, found.certificate) == (None,) * 4
    assert found.smallest.exact == Level.ratio(2)
    found = review(NEVER)
    assert not found.holds
    assert (found.smallest, found.unknown) == (None, None)
    assert found.refutation.witness.probabilities == (Fraction(1, 2), 0)


def test_a_refuted_level_comes_with_the_smallest_that_holds():
    found = review(THIRDS, Level.ratio("3/2"))
    assert not found.holds
    assert found.asked
    assert found.refutation.witness.probabilities == (Fraction(2, 3), Fraction(1, 3))
    assert found.smallest.exact == Level.ratio(2)
    assert found.facts().json["witness"]["probabilities"] == ["2/3", "1/3"]


def test_a_document_is_judged_by_its_claim_unless_asked_otherwise():
    claimed = document(Level.ratio(3))
    found = review(claimed)
    assert found.holds
    assert (found.asked, found.claim, found.level) == (False, Level.ratio(3), Level.ratio(3))
    assert found.intact is True
    found = review(claimed, "ln(3/2)")
    assert not found.holds
    assert (found.asked, found.claim, found.level) == (True, Level.ratio(3), Level.ratio("3/2"))


def test_a_document_that_claims_too_much_is_refuted():
    boasting = replace(document(Level.ratio(3)), level=Level.ratio("3/2"))
    assert not review(boasting).holds


def test_a_document_holds_only_with_what_it_says_of_its_loss():
    claimed = read(text_of(document_of("proved geometric")))
    found = review(claimed)
    assert (found.optimal, found.holds) == (True, True)
    boasting = replace(claimed.optimality, bound=claimed.optimality.bound * 2)
    found = review(replace(claimed, optimality=boasting))
    assert found.refutation is None
    assert (found.optimal, found.holds) == (False, False)
    assert found.facts().json["optimality"]["holds"] is False
    found = review(replace(claimed, optimality=boasting), "1/1000")
    assert found.refutation is not None
    assert (found.optimal, found.holds) == (None, False)


def test_a_level_that_cannot_be_found_is_no_level_that_holds():
    long = Weights.from_integers([[1, 1], [1, 1]], [[0, -LONGEST_ROW], [0, -LONGEST_ROW]])
    with pytest.raises(CannotCheck):
        review(MatrixMechanism(categories(2), (0, 1), long))


def test_the_witness_is_that_of_the_level_asked_for():
    table = [["3/4", "1/4", 0], ["1/4", "1/2", "1/4"]]
    rows = MatrixMechanism.of(table, categories(2), ("a", "b", "c"))
    found = review(rows, Level.ratio(2, delta="1/9"))
    assert found.refutation.level == Level.ratio(2, delta="1/9")
    assert review(rows).refutation.level is None


def test_a_level_that_is_none_is_refused():
    with pytest.raises(BadLevel):
        review(THIRDS, -1)


def test_what_is_printed_of_a_review_is_its_verdict():
    held, refuted = repr(review(THIRDS, Level.ratio(3))), repr(review(THIRDS, Level.ratio("3/2")))
    assert held.startswith("Review: holds, ")
    assert "\n  proved          private at ε = ln(3)" in held
    assert "\n  smallest level  ln(2)" in held
    assert not any(f"\n  {word}" in held for word in ("refuted", "witness", "loss", "digest"))
    assert refuted.startswith("Review: does not hold, ")
    assert "\n  proved" not in refuted
    assert all(f"\n  {word}" in refuted for word in ("refuted", "smallest level  ln(2)"))
    assert review(THIRDS, Level.ratio("3/2")).refutation.reason[:60] in refuted
    assert "\n  smallest level  ln(2)" in repr(review(THIRDS))
    assert "smallest level  none is finite" in repr(review(NEVER))


def test_what_is_printed_of_a_loss_is_whether_it_is_proved():
    claimed = read(text_of(document_of("proved geometric")))
    boasting = replace(claimed, optimality=replace(claimed.optimality, value=0.0))
    assert "and no mechanism's is below 0.5555556, proved" in repr(review(claimed))
    assert "is NOT supported by its proof" in repr(review(boasting))
    assert repr(review(boasting)).startswith("Review: does not hold, ")
    assert "not judged" in repr(review(claimed, "1/1000"))
    for intact in (True, False):
        said = repr(review(replace(claimed, intact=intact)))
        assert ("does not fit: the document was changed" in said) is not intact


def test_what_is_said_of_a_loss_names_its_prior_and_its_gap():
    found = review(read(text_of(document_of("proved geometric")))).facts().json["optimality"]
    assert (found["prior"], found["goal"], found["loss"]) == ("uniform", "average", "absolute")
    assert found["gap"] == pytest.approx((found["value"] - found["bound"]) / found["value"])
    claimed = read(text_of(document_of("optimal points")))
    found = review(claimed).facts().json["optimality"]
    assert (found["prior"], found["loss"]) == ("given", "euclidean")
    none = replace(claimed, optimality=replace(claimed.optimality, value=0.0, bound=-1.0))
    assert review(none).facts().json["optimality"]["gap"] is None
