"""Reports are drawn from their law: every set of a small one, and the size of large ones."""

from fractions import Fraction

import numpy as np
import pytest

from tightrope.errors import BadInput, BadTable, NotCertified
from tightrope.exact import Level
from tightrope.mechanisms import SubsetMechanism, TableMechanism, UnaryMechanism
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw, draw_batches, draw_indices, draw_many
from tightrope.samplers.reports import coins, subsets
from tightrope.spaces import categories

ROWS = 100_000
# Chi-square with at most 15 degrees of freedom is above 70 with probability below 1e-7; outputs
# that are eight percent likelier and less likely in turn move it by 100,000 · 0.08² = 640.
LIMIT = 70.0


def distance(counts, law):
    expected = np.array([float(p) for p in law]) * counts.sum()
    return float(((counts - expected) ** 2 / expected).sum())


REPORTS = [
    SubsetMechanism(categories(4), 2, Fraction(3)),
    SubsetMechanism(categories(5), 1, Fraction(2)),
    SubsetMechanism(categories(3), 2, Fraction(7, 3)),
    UnaryMechanism(categories(4), Fraction(2, 3), Fraction(1, 3)),
    UnaryMechanism(categories(3), Fraction(1, 2), Fraction(2, 7)),
]


@pytest.mark.parametrize("report", REPORTS, ids=repr)
def test_every_set_comes_as_often_as_the_rows_say(report):
    proved, rows = certified(report, Level.ratio(report.factor)), report.matrix()
    k = report.space.size
    for i in (0, k - 1):
        (packed,) = draw_batches(proved, [np.full(ROWS, i)], SeededSource(i))
        numbers = {sum(1 << report.space.index(x) for x in z): at
                   for at, z in enumerate(rows.outputs)}
        places = np.array([numbers.get(int(b), -1) for b in range(256)])[packed[:, 0]]
        assert places.min() >= 0
        counts = np.bincount(places, minlength=len(rows.outputs))
        assert distance(counts, rows.row(i)) < LIMIT
        other = [p * (1 + Fraction(8, 100) * (-1) ** z) for z, p in enumerate(rows.row(i))]
        assert distance(counts, [p / sum(other) for p in other]) > LIMIT


def test_coins_have_their_chance_whatever_its_denominator():
    for chance in ("1/3", "1/256", "255/256", "1/70000", "12345/54321"):
        count, p = 2_000_000, float(Fraction(chance))
        heads = int(coins(Fraction(chance), count, SeededSource(5)).sum())
        assert abs(heads - count * p) < 5.5 * (count * p * (1 - p)) ** 0.5


class Bytes:
    """A source that says given bytes, then zeros."""

    seeded = True

    def __init__(self, *words):
        self.words = list(words)

    def bytes(self, count):
        taken, self.words = self.words[:count], self.words[count:]
        return bytes(taken + [0] * (count - len(taken)))


def test_a_coin_looks_at_the_next_byte_only_where_the_first_is_equal():
    # 1/3 = 0.555...h: 54h below, 56h above, 55h as the next byte decides
    assert coins(Fraction(1, 3), 3, Bytes(0x54, 0x56, 0x55, 0x54)).tolist() == [True, False, True]
    assert coins(Fraction(1, 3), 1, Bytes(0x55, 0x56)).tolist() == [False]
    assert coins(Fraction(1, 2), 2, Bytes(127, 128)).tolist() == [True, False]


@pytest.mark.parametrize(("values", "sizes"), [(999, (269, 270)), (999, (0, 1)), (5, (4, 5)),
                                               (6000, (5999, 6000)), (1, (0, 1))])
def test_sets_have_their_size_and_prefer_no_value(values, sizes):
    wanted = np.resize(np.array(sizes), 2000)
    found = subsets(wanted, values, SeededSource(1))
    assert (found.sum(axis=1) == wanted).all()
    share = wanted.mean() / values
    spread = (2000 * share * (1 - share)) ** 0.5
    assert (np.abs(found.sum(axis=0) - 2000 * share) <= 6.5 * spread + 2).all()


def test_labels_are_sets_of_points_and_tables_keep_their_rows():
    report = SubsetMechanism(categories(("a", "b", "c", "d")), 2, Fraction(3))
    proved = certified(report, Level.ratio(3))
    assert all(len(held) == 2 and set(held) <= set("abcd")
               for held in draw_many(proved, ["a", "d", "b"], SeededSource(2)))
    assert len(draw(proved, "c", SeededSource(2))) == 2
    table = certified(TableMechanism(report, 2), Level.ratio(3))
    with pytest.raises(BadTable):
        draw_many(table, ["a", "b", "c"], SeededSource(2))
    with pytest.raises(BadInput, match="no index"):
        draw_indices(proved, np.array([0]), SeededSource(2))
    with pytest.raises(NotCertified):
        draw_many(report, ["a"], SeededSource(2))
