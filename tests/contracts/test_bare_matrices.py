"""A matrix without a space is enough where no distance enters, in whatever form it comes."""

from fractions import Fraction
from math import log2

import numpy as np
import pandas as pd
import pytest

import tightrope as tr
from tightrope.privacy import GenericDefinition, PairBound, keeps

TEXT = [["3/4", "1/4"], ["1/4", "3/4"]]
ROWS = [[0.75, 0.25], [0.25, 0.75]]
FLAT = [[0.5, 0.5], [0.5, 0.5]]
FORMS = {
    "text": TEXT,
    "lists": ROWS,
    "tuples": tuple(map(tuple, ROWS)),
    "array": np.array(ROWS),
    "fractions": [[Fraction(x) for x in row] for row in TEXT],
    "frame": pd.DataFrame(ROWS, index=["no", "yes"], columns=["mechanism", "other"]),
    "mechanism": tr.mechanisms.MatrixMechanism.of(TEXT, "path:0..1"),
}


@pytest.mark.parametrize("given", FORMS.values(), ids=FORMS)
def test_what_no_distance_enters_is_told_of_any_matrix(given):
    assert tr.utility.dobrushin(given) == -0.5
    assert tr.utility.min_capacity(given) == tr.utility.leakage(given) == pytest.approx(log2(1.5))
    assert tr.utility.mutual_information(given) == pytest.approx(1 + 0.75 * log2(0.75) - 0.5)
    assert tr.theory.generality(FLAT, given).order == "less general"
    assert tr.theory.generality(given, FLAT).back.channel == ((Fraction(1, 2),) * 2,) * 2
    assert tr.theory.post_processing(given, FLAT).exists
    assert tr.theory.post_processing(FLAT, given).deficiency == Fraction(1, 4)
    assert tr.theory.sufficient_sets(given, [(0, 1)]).sets[0].outputs == (0,)
    assert tr.utility.estimate([60, 40], given).rows[0].estimate == pytest.approx(0.7)
    two = GenericDefinition({(0, 1): PairBound.of_level(tr.Level.ratio(2))})
    assert not tr.privacy.verify_generic(given, two).holds
    assert keeps(given, lambda rows: rows[0][0] == Fraction(3, 4))


@pytest.mark.parametrize("given", FORMS.values(), ids=FORMS)
def test_a_matrix_is_read_on_the_space_beside_it(given):
    given = given.to_numpy() if hasattr(given, "iloc") else given
    assert tr.delta_curve(given, "path:0..1").at_ratio(1) == Fraction(1, 2)
    assert tr.smallest_level(given, "path:0..1").exact == tr.Level.ratio(3)
    assert tr.privacy.tightness(given, "path:0..1", "ln(3)").tight == 2
    assert len(tr.privacy.row_graphs(given, "path:0..1", "ln(3)")[0].edges) == 1
    assert tr.utility.best_remap(given, tr.Problem("path:0..1", 2)) == (0, 1)
    judged = tr.theory.judge_prior("path:0..1", "ln(3)", mechanism=given)
    assert judged.leaked == pytest.approx(log2(1.5))


def test_the_rows_of_two_frames_are_matched_by_name():
    frame = pd.DataFrame([[0.75, 0.25], [0.5, 0.5]], index=["no", "yes"])
    assert tr.theory.generality(frame, frame.iloc[::-1]).order == "equally general"
    assert tr.theory.post_processing(frame, frame.iloc[::-1]).channel == ((1, 0), (0, 1))


def test_a_mechanism_brings_its_own_space():
    held = tr.constructions.truncated_geometric("path:0..3", "ln(2)")
    assert tr.smallest_level(held) == tr.smallest_level(held.mechanism, "path:0..3")
    assert tr.delta_curve(held).at_ratio(2) == 0


@pytest.mark.parametrize(("call", "said"), [
    (lambda: tr.smallest_level(ROWS), 'smallest_level(matrix, "categories:2")'),
    (lambda: tr.delta_curve(TEXT), 'delta_curve(matrix, "categories:2")'),
    (lambda: tr.theory.generalize(ROWS, 1), 'MatrixMechanism.of(matrix, "path:0..2")'),
    (lambda: tr.utility.beliefs(np.array(ROWS)), 'MatrixMechanism.of(matrix, "path:0..2")'),
    (lambda: tr.inspect(ROWS), 'MatrixMechanism.of(matrix, "path:0..2")'),
    (lambda: tr.utility.dobrushin([]), "found list."),
    (lambda: tr.utility.dobrushin("m.json"), "tightrope.load reads one"),
    (lambda: tr.utility.dobrushin([[0.5, 0.6], [0, 1]]), "row 0 adds up to 1.1"),
    (lambda: tr.theory.generality(ROWS, [[1, 0], [0, 1], [1, 0]]), "found 3 and 2"),
])
def test_where_more_must_be_said_one_sentence_shows_the_call(call, said):
    with pytest.raises(tr.errors.BadInput) as refused:
        call()
    assert said in str(refused.value)
    assert str(refused.value).count(". ") == 0
