"""Batches: products of rows on one dataset, and the level that is really theirs."""

from fractions import Fraction
from itertools import product
from math import log

import pytest

from tests.privacy.brute import has_level, lengths_of
from tightrope import Level, design
from tightrope.errors import BadInput
from tightrope.mechanisms import MatrixMechanism, together
from tightrope.privacy import certified
from tightrope.spaces import categories, path
from tightrope.theory import batch

THIRDS = [["2/3", "1/3"], ["1/3", "2/3"]]


def test_rows_are_products_and_answers_pairs():
    one = MatrixMechanism.of([["1/2", "1/2"], ["1/4", "3/4"]], path(0, 1), outputs=["a", "b"])
    two = MatrixMechanism.of(THIRDS, path(0, 1))
    both = together(one, two)
    for x in (0, 1):
        expected = [p * q for p, q in product(one.row(x), two.row(x))]
        assert list(both.row(x)) == expected
    assert both.outputs == (("a", 0), ("a", 1), ("b", 0), ("b", 1))


def test_the_same_strain_twice_attains_the_sum_and_different_strains_do_not():
    space, level = path(0, 2), Level.ratio(2)
    left = MatrixMechanism.of([["2/3", "1/3"], ["1/3", "2/3"], ["1/3", "2/3"]], space)
    right = MatrixMechanism.of([["1/3", "2/3"], ["1/3", "2/3"], ["2/3", "1/3"]], space)
    twice = batch([certified(left, level), certified(left, level)])
    assert twice.certified.certificate.smallest.exact.text == "ln(4)"
    apart = batch([certified(left, level), certified(right, level)])
    assert apart.certified.certificate.level.text == "ln(4)"
    assert apart.certified.certificate.smallest.exact.text == "ln(2)"  # not the sum
    rows = [apart.certified.mechanism.row_at(i) for i in range(3)]
    assert has_level(rows, lengths_of(space), level)


def test_designs_of_three_queries_are_one_mechanism():
    people = "hamming:values=2,people=2"
    made = [design(people, Level.ratio(2), query=f) for f in (sum, max, min)]
    found = batch(made)
    assert len(found.certified.mechanism.outputs) == 3 * 2 * 2
    assert found.certified.certificate.smallest.upper <= log(8)
    assert [level.text for level in found.levels] == ["ln(2)"] * 3


def test_what_is_no_batch_is_refused():
    level = Level.ratio(2)
    one = certified(MatrixMechanism.of(THIRDS, path(0, 1)), level)
    other = certified(MatrixMechanism.of(THIRDS, categories(["a", "b"])), level)
    with pytest.raises(BadInput, match="the same inputs"):
        batch([one, other])
    for wrong in ([one], [one, one.mechanism], []):
        with pytest.raises(BadInput, match="two certified mechanisms"):
            batch(wrong)


def test_the_command_writes_what_the_library_proves(tmp_path):
    from tightrope import load, save
    from tightrope.cli import main

    files = [tmp_path / name for name in ("a.json", "b.json", "both.json")]
    for file, question in zip(files, (sum, max), strict=False):
        save(design("hamming:values=2,people=2", Level.ratio(2), query=question), file)
    with pytest.raises(SystemExit) as left:
        main(["theory", "batch", *map(str, files[:2]), "-o", str(files[2])])
    assert not left.value.code
    both = load(files[2])
    assert both.mechanism.row((0, 1))[0] == load(files[0]).mechanism.row((0, 1))[0] * load(
        files[1]).mechanism.row((0, 1))[0]
    assert sum(both.mechanism.row((1, 1))) == Fraction(1)
