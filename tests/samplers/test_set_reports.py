"""Reports are drawn from their law: every set of a small one, and the size of large ones."""

from fractions import Fraction

import numpy as np
import pytest

from tests.samplers.scripts import ScriptedSource
from tightrope.errors import BadInput, BadTable, NotCertified
from tightrope.exact import Level
from tightrope.mechanisms import SubsetMechanism, TableMechanism, UnaryMechanism
from tightrope.privacy import certified
from tightrope.samplers import (
    SeededSource,
    draw,
    draw_batches,
    draw_indices,
    draw_many,
    set_reports,
)
from tightrope.samplers.set_reports import ReportSampler, coins, subsets
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
        assert packed.shape == (ROWS, 1)
        numbers = {sum(1 << report.space.index(x) for x in z): at
                   for at, z in enumerate(rows.outputs)}
        places = np.array([numbers.get(int(b), -1) for b in range(256)])[packed[:, 0]]
        assert places.min() >= 0
        counts = np.bincount(places, minlength=len(rows.outputs))
        assert distance(counts, rows.row_at(i)) < LIMIT
        other = [p * (1 + Fraction(8, 100) * (-1) ** z) for z, p in enumerate(rows.row_at(i))]
        assert distance(counts, [p / sum(other) for p in other]) > LIMIT


@pytest.mark.parametrize("report", REPORTS, ids=repr)
def test_a_long_column_of_reports_is_drawn_in_parts_that_follow_one_another(report, monkeypatch):
    monkeypatch.setattr(set_reports, "CELLS", 2 * report.space.size + 1)  # two rows at a time
    codes, source = np.arange(7) % report.space.size, SeededSource(4)
    parts = [ReportSampler(report).draw(codes[at : at + 2], source) for at in range(0, 7, 2)]
    whole = ReportSampler(report).draw(codes, SeededSource(4))
    assert np.array_equal(whole, np.concatenate(parts))


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


@pytest.mark.parametrize(("values", "wide"), [(3, 2), (7, 2), (4095, 2), (4097, 4)])
def test_every_key_of_a_place_is_used_or_none_prefers_a_value(values, wide):
    # One value of `values` wanted and none there yet: every key that is used puts one in. Keys
    # beyond the last whole multiple of `values` would prefer the first ones, and are drawn again.
    whole = 256**wide // values * values
    if wide == 2:
        keys = np.arange(256**wide)
    else:
        keys = np.array([0, values - 1, values, whole - 1, whole, whole + 1, 256**wide - 1])
    again = int((keys >= whole).sum())
    assert again > 0
    source = ScriptedSource([bytes(len(keys) * values), keys.astype(f"<u{wide}").tobytes(),
                             np.full(again, 2, dtype=f"<u{wide}").tobytes()])
    found = subsets(np.ones(len(keys), dtype=np.int64), values, source)
    assert source.finished
    assert (found.sum(axis=1) == 1).all()
    expected = np.where(keys < whole, keys % values, 2)
    assert np.array_equal(np.argmax(found, axis=1), expected)


def test_a_surplus_is_taken_away_and_a_lack_filled_by_places_that_change_something():
    # share = (9 - 3) * 256 // 20 = 76: bytes below 76 take their value
    wanted, values = np.array([9, 9, 8]), 20
    taken = [0] * 10 + [76] * 10 + [75] * 8 + [255] * 12 + [0] * 8 + [200] * 12
    source = ScriptedSource([bytes(taken),
                             np.array([10, 7], "<u2").tobytes(),  # not taken; taken: no change
                             np.array([65535, 65535], "<u2").tobytes(),  # no whole multiple of 20
                             np.array([0, 8], "<u2").tobytes()])
    found = subsets(wanted, values, source)
    assert source.finished
    sets = [np.flatnonzero(row).tolist() for row in found]
    assert sets == [list(range(1, 10)), list(range(9)), list(range(8))]


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


@pytest.mark.parametrize("k", [7, 8, 9, 16, 17])
def test_a_report_has_one_bit_for_each_value_and_no_byte_more(k):
    sampler = ReportSampler(SubsetMechanism(categories(k), Fraction(3), 3))
    drawn = sampler.draw(np.arange(k), SeededSource(1))
    assert drawn.shape == (k, -(-k // 8))
    assert (np.unpackbits(drawn, axis=1, bitorder="little").sum(axis=1) == 3).all()
    assert not np.unpackbits(drawn, axis=1, bitorder="little")[:, k:].any()
