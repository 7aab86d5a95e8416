"""Quantiles of groups against the rows themselves: stated ranks hold, and no value is merged."""

import random
import sqlite3
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import duckdb
import pandas
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from tests.receipts import THEOREMS
from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.ledger import Budget, Ledger
from tightrope.releases import Question, open_books, plan_release
from tightrope.releases.publication import reviewed
from tightrope.tables import open_source

SURE = Fraction(95, 100)


def declared(groups, high):
    return Declaration.of({"dataset": "pay", "columns": {
        "g": {"type": "category", "values": [f"g{k}" for k in range(groups)]},
        "y": {"type": "number", "low": 0, "high": high, "resolution": 1}}})


def skewed(draw, high):
    return min(int(draw.lognormvariate(0, 1) * high / 1000), high)


def tied(draw, high):
    return draw.choice([0, high // 10, high // 10, high // 10 + 1, high])


SHAPES = {  # groups, largest value, ε, rows of each group in turn, values
    "a thousand groups": (1000, 200_000, "2", (40,), skewed),
    "a million values": (100, 1_000_000, "5", (300,), skewed),
    "ties": (300, 200_000, "2", (40,), tied),
    "empty, 1 and 5": (300, 200_000, "2", (0, 1, 5), skewed),
    "few values": (300, 9, "1", (0, 5, 60), lambda draw, high: draw.randint(0, high)),
}


@dataclass
class Groups:
    declaration: Declaration
    epsilon: str
    rows: list

    @classmethod
    def of(cls, name, seed):
        groups, high, epsilon, sizes, value = SHAPES[name]
        draw = random.Random(seed)
        rows = [sorted(value(draw, high) for _ in range(sizes[k % len(sizes)]))
                for k in range(groups)]
        return cls(declared(groups, high), epsilon, rows)

    @property
    def table(self):
        pairs = [(f"g{k}", y) for k, own in enumerate(self.rows) for y in own]
        random.Random(1).shuffle(pairs)
        return pa.table({"g": [g for g, _ in pairs], "y": [y for _, y in pairs]})

    def released(self, folder, ask, **options):
        ledger = Ledger.create(folder / f"{ask}.sqlite")
        ledger.open_budget(Budget.of("b", self.declaration, epsilon=100))
        books = open_books(self.table, self.declaration, ledger=ledger, budget="b")
        return getattr(books, ask)("y", *options.values(), epsilon=self.epsilon, by="g")


def ranks_off(rows, value, p):
    """Rows by which a value is too high or too low to be the p-quantile of sorted rows."""
    low, high = bisect_left(rows, value), len(rows) - bisect_right(rows, value)
    return max(low - p * len(rows), high - (1 - p) * len(rows), 0)


def held(released, rows, p):
    """How many groups have a value that is off by no more than is stated, and the mean error."""
    values = [int(answer.value) for answer in released.answers]
    off = [ranks_off(own, value, p) for own, value in zip(rows, values, strict=True)]
    return sum(ranks <= released.plan.width for ranks in off), float(sum(off) / len(off))


def enough(count, total):
    """Whether so many of `total` are what 95 % of them may be, but for a chance of 10^-4."""
    return count >= SURE * total - 4 * (total * SURE * (1 - SURE)) ** 0.5


@pytest.mark.parametrize("name", SHAPES)
def test_medians_of_groups_are_off_by_no_more_ranks_than_stated(name, tmp_path):
    groups = Groups.of(name, 5)
    found = groups.released(tmp_path, "median")
    count, mean = held(found, groups.rows, Fraction(1, 2))
    assert enough(count, len(groups.rows))
    assert mean < 3


def test_a_thousand_groups_of_many_values_err_by_less_than_a_row(tmp_path):
    """Of 200 merged values the lowest was given: 12.8 ranks on average, and 4.5 stated at most."""
    groups = Groups.of("a thousand groups", 6)
    found = groups.released(tmp_path, "median")
    count, mean = held(found, groups.rows, Fraction(1, 2))
    assert (count, found.plan.width) == (1000, 7)  # ln(2 · 10^6)/1, in halves of a rank
    assert mean < 1
    assert len({answer.value % 200 for answer in found.answers}) > 150


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("ask", ["minimum", "maximum"])
def test_extremes_of_groups_are_exceeded_by_no_more_rows_than_stated(name, ask, tmp_path):
    groups = Groups.of(name, 7)
    found = groups.released(tmp_path, ask)
    beyond = []
    for own, answer in zip(groups.rows, found.answers, strict=True):
        value = int(answer.value)
        beyond.append(bisect_left(own, value) if ask == "minimum"
                      else len(own) - bisect_right(own, value))
    assert enough(sum(rows <= found.plan.width for rows in beyond), len(beyond))


def test_several_quantiles_of_groups_are_off_by_no_more_ranks_than_stated(tmp_path):
    groups = Groups.of("a million values", 8)
    points = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
    found = groups.released(tmp_path, "quantiles", at=points)
    assert found.plan.strategy.tree is None  # 10^8 values have no tree
    values = [int(answer.value) for answer in found.answers]
    all_held = sum(
        all(ranks_off(own, value, p) <= found.plan.width
            for value, p in zip(values[3 * k : 3 * k + 3], points, strict=True))
        for k, own in enumerate(groups.rows))
    assert enough(all_held, len(groups.rows))


def test_stated_ranks_grow_with_the_logarithm_of_the_number_of_values():
    """Weights fall by e^(ε/2) for a score, two scores are a rank: 1/ε ranks for each e-fold."""
    widths = [plan_release(Question("median", "y"), declared(2, 10**k), "0.1").width
              for k in range(3, 10)]
    for before, after in pairwise(widths):
        assert abs(float(after - before) - 2.302585 / 0.1) < 1.1


def test_a_mode_of_many_values_is_one_of_them_and_as_frequent_as_stated(tmp_path):
    groups = Groups.of("ties", 9)
    found = groups.released(tmp_path, "mode")
    short = [max(map(own.count, own)) - own.count(int(float(answer.value)))
             for own, answer in zip(groups.rows, found.answers, strict=True)]
    assert enough(sum(rows <= found.plan.width for rows in short), len(short))


def test_a_variance_of_many_groups_is_of_the_values_themselves(tmp_path):
    """With 200,001 values and a thousand groups all values below 200 were one."""
    declaration = declared(1000, 200_000)
    plan = plan_release(Question("variance", "y", by="g"), declaration, "1")
    part = plan.subqueries[0].subquery
    found = open_source({"g": ["g3"] * 4, "y": [0, 100, 150, 199]}, declaration).tallies(
        (part.tally,), CutKey(bytes(32)))[0]
    top, values = 200_000, (0, 100, 150, 199)
    assert part.numbers(found)[9:12] == [
        sum((top - v) ** 2 for v in values), sum(2 * v * (top - v) for v in values),
        sum(v * v for v in values)]
    assert set(part.numbers(found)[:9]) == {0}


def test_documents_of_such_releases_are_proved_again_by_both(tmp_path):
    groups = Groups.of("a thousand groups", 10)
    document = groups.released(tmp_path, "median").document()
    assert reviewed(document).holds is True
    report = THEOREMS.examine(document)
    assert (report["intact"], report["holds"]) == (True, None)
    assert report["unchecked"] == [THEOREMS.LEFT_OF_A_RELEASE]
    (left,) = [part for part in report["only_holder"] if part not in THEOREMS.ONLY_HOLDER]
    assert left == "that a score is made of how many rows are below and above its value"


def opened(table, kind, folder):
    if kind == "csv":
        pyarrow.csv.write_csv(table, folder / "t.csv")
        return folder / "t.csv", None
    if kind == "parquet":
        pq.write_table(table, folder / "t.parquet")
        return folder / "t.parquet", None
    if kind == "pandas":
        return pandas.DataFrame(table.to_pydict()), None
    if kind == "duckdb":
        return duckdb.from_arrow(table), None
    with sqlite3.connect(folder / "t.sqlite") as made:
        made.execute("CREATE TABLE t (g, y)")
        made.executemany("INSERT INTO t VALUES (?, ?)",
                         zip(*table.to_pydict().values(), strict=True))
    made.close()
    return f"sqlite:///{folder / 't.sqlite'}", "t"


@pytest.mark.parametrize("kind", ["csv", "parquet", "pandas", "duckdb", "sqlite"])
def test_every_source_counts_the_values_of_a_thousand_groups(kind, tmp_path):
    groups = Groups.of("a thousand groups", 11)
    tally = Tally(groups.declaration, ("g", "y"), fine=1)
    assert tally.size == 1000 * 200_001
    data, name = opened(groups.table, kind, tmp_path)
    source = open_source(data, groups.declaration, table=name)
    (found,) = source.tallies((tally,), CutKey(bytes(32)))
    expected = {}
    for k, own in enumerate(groups.rows):
        for y in own:
            expected[k * 200_001 + y] = expected.get(k * 200_001 + y, 0) + 1
    assert dict(zip(found.cells, found.counts, strict=True)) == expected
    assert list(found.cells) == sorted(expected)
