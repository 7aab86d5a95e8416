"""People's rows are cut at random, the same everywhere for one key: against truths and laws."""

import hashlib
import math
import random
import sqlite3
from itertools import combinations

import duckdb
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.systems import postgres
from tests.tables.plain import least_cells, least_rows, tally_rows
from tightrope.declarations import CutKey, Declaration, Tally, read_filter
from tightrope.tables import open_source
from tightrope.tables.sources import people

WARDS = ("heart", "cancer", "psychiatry", "surgery")
PEOPLE, STAYS = 10_000, 3


def keys(count, name="keys"):
    """Keys as good as random, the same in every run."""
    return [CutKey(hashlib.sha256(f"{name} {k}".encode()).digest()) for k in range(count)]


def stays():
    """Three stays of everybody in random wards, each of some days."""
    draw = random.Random(28)
    return [{"id": f"p{k}", "ward": draw.choice(WARDS), "days": draw.randrange(1, 31)}
            for k in range(PEOPLE) for _ in range(STAYS)]


ROWS = stays()
TABLE = pa.Table.from_pylist(ROWS)


def declared(rows=1, cells=None):
    unit = {"person": "id", "rows": rows} | ({} if cells is None else {"cells": cells})
    return Declaration.of({"dataset": "hospital", "unit": unit, "columns": {
        "ward": {"type": "category", "values": list(WARDS)},
        "days": {"type": "number", "low": 0, "high": 31, "resolution": 1}}})


@pytest.fixture(scope="module")
def server():
    from sqlalchemy import create_engine

    with postgres.server() as url:
        engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE stays (id text, ward text, days int)")
            connection.exec_driver_sql(
                "INSERT INTO stays VALUES (%(id)s, %(ward)s, %(days)s)", ROWS)
        engine.dispose()
        yield url


def places(tmp_path, url):
    """The same stays in every kind of table."""
    pandas.DataFrame(ROWS).to_csv(tmp_path / "t.csv", index=False)
    pq.write_table(TABLE, tmp_path / "t.parquet", row_group_size=4001)
    with sqlite3.connect(tmp_path / "t.sqlite") as db:
        db.execute("DROP TABLE IF EXISTS stays")
        db.execute("CREATE TABLE stays (id, ward, days)")
        db.executemany("INSERT INTO stays VALUES (:id, :ward, :days)", ROWS)
    (tmp_path / "t.duckdb").unlink(missing_ok=True)
    file = duckdb.connect(str(tmp_path / "t.duckdb"))
    file.register("held", TABLE)
    file.execute("CREATE TABLE stays AS SELECT * FROM held")
    file.close()
    return {
        "csv": (tmp_path / "t.csv", {}), "parquet": (tmp_path / "t.parquet", {}),
        "pandas": (pandas.DataFrame(ROWS), {}), "polars": (polars.from_arrow(TABLE), {}),
        "arrow": (TABLE, {}), "duckdb": (tmp_path / "t.duckdb", {"table": "stays"}),
        "sqlite": (tmp_path / "t.sqlite", {"table": "stays"}),
        "postgresql": (url, {"table": "stays"}),
    }


def test_wards_are_near_the_truth_and_the_same_in_every_kind_of_table(tmp_path, server):
    """One row of three, drawn evenly, is in a ward as often as all three are on average."""
    one, wide = declared(), declared(cells=4)
    long = read_filter("days >= 15", one.columns)
    tallies = [Tally(one, ("ward",)), Tally(wide, ("ward",), people=True),
               Tally(one, ("ward",), ("days",), conditions=(long,))]
    truth = {ward: [row for row in ROWS if row["ward"] == ward] for ward in WARDS}
    for key in keys(2):
        expected = [tally_rows(tally, ROWS, key) for tally in tallies]
        counts, crowd, sums = expected
        for place, (ward, count) in enumerate(zip(WARDS, counts.counts, strict=True)):
            own, heads, read = truth[ward], crowd.counts[place], sums.counts[place]
            days, met = sums.sums[0][place], sums.met[0][place]
            assert abs(count - len(own) / 3) < 4.5 * math.sqrt(len(own) / 3)
            assert heads == len({row["id"] for row in own})  # nobody is missing
            assert abs(days / read - sum(row["days"] for row in own) / len(own)) < 0.8
            share = sum(row["days"] >= 15 for row in own) / len(own)
            assert abs(met / read - share) < 0.05
        for name, (data, options) in places(tmp_path, server).items():
            for tally, same in zip(tallies, expected, strict=True):
                source = open_source(data, tally.declaration, **options)
                assert source.tallies((tally,), key)[0] == same, name


def chosen(key, readings, most, person="x"):
    return frozenset(least_rows(key, person, readings, most))


def fits(times, outcomes):
    """Whether so many outcomes are as even as a fair draw's, at a chance of 1e-6 to say no."""
    total = sum(times.get(outcome, 0) for outcome in outcomes)
    mean = total / len(outcomes)
    square = sum((times.get(outcome, 0) - mean) ** 2 / mean for outcome in outcomes)
    freedom = len(outcomes) - 1  # Wilson and Hilferty's normal approximation
    z = ((square / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / math.sqrt(2 / (9 * freedom))
    return z < 4.75


def drawn(choose, count=4000):
    times = {}
    for key in keys(count):
        found = choose(key)
        times[found] = times.get(found, 0) + 1
    return times


@pytest.mark.parametrize("readings", [
    ["0,1", "1,1", "2,1", "3,1", "4,1"], ["0", "0", "0", "1", "2"], [""] * 5,
])
def test_over_keys_every_choice_of_rows_is_as_likely_equal_rows_or_not(readings):
    outcomes = [frozenset(pair) for pair in combinations(range(5), 2)]
    assert fits(drawn(lambda key: chosen(key, readings, 2)), outcomes)


def test_a_hash_of_contents_alone_is_no_even_draw():
    """Equal rows that share a hash are chosen together: the test above must tell."""
    readings, outcomes = ["0", "0", "1"], [frozenset({k}) for k in range(3)]

    def by_content(key):
        order = sorted(range(3), key=lambda k: key.digest(readings[k].encode()))
        return frozenset(order[:1])

    assert not fits(drawn(by_content), outcomes)
    assert fits(drawn(lambda key: chosen(key, readings, 1)), outcomes)


def test_people_are_cut_apart_from_each_other():
    """With one key everybody who has the same rows keeps any of them, not all the same one."""
    [key] = keys(1)
    readings = ["0", "1", "2"]
    times = {}
    for k in range(4000):
        found = chosen(key, readings, 1, f"p{k}")
        times[found] = times.get(found, 0) + 1
    assert fits(times, [frozenset({k}) for k in range(3)])
    pairs = {}
    for number in keys(4000):
        both = tuple(min(chosen(number, readings, 1, who)) for who in ("Ann", "Ben"))
        pairs[both] = pairs.get(both, 0) + 1
    assert fits(pairs, [(a, b) for a in range(3) for b in range(3)])


def test_over_keys_every_choice_of_cells_is_as_likely():
    outcomes = [frozenset(pair) for pair in combinations(range(4), 2)]
    assert fits(drawn(lambda key: frozenset(least_cells(key, "x", range(4), 2))), outcomes)


def test_rows_outside_the_filter_or_without_a_needed_cell_go_first():
    declaration = declared()
    rows = [{"id": "x", "ward": "heart", "days": 1}] * 50 + [
        {"id": "x", "ward": "unheard of", "days": 9}] * 50 + [
        {"id": "x", "ward": "cancer", "days": 9}]
    late = Tally(declaration, ("ward",), where=read_filter("days > 5", declaration.columns))
    assert all(tally_rows(late, rows, key).counts == (0, 1, 0, 0) for key in keys(20))


@pytest.mark.parametrize("same", [50, 64])
def test_hashes_whose_beginnings_are_equal_are_told_apart_by_their_ends(monkeypatch, same):
    """Few bits are sorted by first, then 64; where two rows begin alike, all 256 bits decide."""
    declaration = declared(rows=2)
    tally = Tally(declaration, ("ward",), ("days",))
    few, whole, by = ROWS[:300], people.Hashed.short, []

    def begun(text_hash):
        return (text_hash >> same) if same < 64 else 0

    def hashed(self, text):
        by.append(text)
        digest = hashlib.sha256(self.prefix.encode() + text).digest()
        return begun(int.from_bytes(digest[:8])).to_bytes(8) + digest[8:]

    monkeypatch.setattr(people.Hashed, "short", lambda texts: np.array(
        [begun(int(number)) for number in whole(texts)], dtype=np.uint64))
    monkeypatch.setattr(CutKey, "digest", hashed)
    [key] = keys(1)
    found = open_source(pa.Table.from_pylist(few), declaration).tallies((tally,), key)[0]
    assert bool(by) is (same == 64)
    assert found == tally_rows(tally, few, key)


def test_a_key_is_never_shown():
    [key] = keys(1)
    assert key.secret.hex() not in f"{key!r} {key!s} {[key]}"


def test_rows_of_many_large_readings_are_told_apart():
    """As one number of two readings of 2^40 values each, some would be the same modulo 2^64."""
    amount = {"type": "number", "low": 0, "high": 2**40, "resolution": 1}
    declaration = Declaration.of({"dataset": "d", "unit": {"person": "id", "rows": 1},
                                  "columns": {"a": amount, "b": amount}})
    rows = [{"id": f"p{who}", "a": copy * 2**24, "b": who}
            for who in range(40) for copy in range(4)]
    rows += [{"id": "most", "a": 2**40 - 2, "b": 2**40 - 2}] * 2
    tally = Tally(declaration, (), ("a", "b"))
    [key] = keys(1)
    found = open_source(pa.Table.from_pylist(rows), declaration).tallies((tally,), key)[0]
    assert found == tally_rows(tally, rows, key)


@pytest.mark.parametrize("at_once", [1, 7, 2**17])
def test_many_people_are_hashed_some_at_a_time(monkeypatch, at_once):
    monkeypatch.setattr(people, "_AT_ONCE", at_once)
    tally, few = Tally(declared(), ("ward",), ("days",)), ROWS[:1500]
    [key] = keys(1)
    found = open_source(pa.Table.from_pylist(few), tally.declaration).tallies((tally,), key)[0]
    assert found == tally_rows(tally, few, key)
