"""One hostile row changes nothing of an answer in one call but its drawn numbers."""

import decimal
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tightrope as tr
from tightrope.errors import BadInput, SystemFailed
from tightrope.releases import releasing
from tightrope.releases.rehearsing import _stand_ins


class Unhashable(str):
    """A text that fails when it is compared or hashed."""

    def __eq__(self, other):
        raise RuntimeError("eq")

    def __hash__(self):
        raise RuntimeError("hash")


class NoFloat(str):
    def __float__(self):
        raise RuntimeError("float")


class OddText:
    def __str__(self):
        return Unhashable("31")


class NoInt(int):
    def __int__(self):
        raise RuntimeError("int")

    __index__ = __int__


class NoDigits(decimal.Decimal):
    def is_finite(self):
        raise RuntimeError("finite")


NoTruth = type("bool_", (), {"__bool__": NoInt.__int__})

HOSTILE = {
    "unhashable": Unhashable("31"), "no float": NoFloat("31"), "odd text": OddText(),
    "no int": NoInt(3), "no digits": NoDigits("3.5"), "no truth": NoTruth(),
    "complex": np.complex128(1 + 2j), "masked": np.ma.masked, "huge": 10**400,
    "signaling": decimal.Decimal("sNaN"), "surrogate": "\ud800", "missing": pd.NA,
}
CALLS = {
    "count": lambda table: tr.count(table, epsilon=1, where="x in (31, 'a') or x is missing"),
    "mean": lambda table: tr.mean(table, "x", epsilon=1, low=0, high=100),
    "median": lambda table: tr.median(table, "x", epsilon=1, low=0, high=100),
    "histogram": lambda table: tr.histogram(table, "x", epsilon=1, values=[31, "a", True]),
    "proportion": lambda table: tr.proportion(table, "x = 'a'", epsilon=1),
    "by": lambda table: tr.sum(table, "y", epsilon=1, low=0, high=9, by={"x": [31, "a"]}),
    "people": lambda table: tr.count(table, epsilon=1, person="x"),
    "of people": lambda table: tr.mean(table, "y", epsilon=1, low=0, high=9, person="x", rows=2),
}


def columns(cells):
    return {"x": cells, "y": list(range(len(cells)))}


def pandas(cells):
    made = np.empty(len(cells), dtype=object)
    made[:] = cells
    return pd.DataFrame(columns(made)).set_axis([0] * len(cells))


def polars(cells):
    return pl.DataFrame(columns(pl.Series("x", cells, dtype=pl.Object)))


@pytest.fixture
def same_draws(monkeypatch):
    """Draws are made and dropped: what is left of an answer must not depend on rows."""
    draw = releasing._draw

    def stand_ins(plan, numbers):
        drawn = draw(plan, numbers)
        made = [_stand_ins(part, 1000) for part in plan.subqueries]
        assert list(map(len, drawn)) == list(map(len, made))
        return made

    monkeypatch.setattr(releasing, "_draw", stand_ins)


@pytest.mark.usefixtures("same_draws")
@pytest.mark.parametrize("ask", CALLS)
@pytest.mark.parametrize("kind", [columns, pandas, polars])
def test_a_hostile_cell_shows_in_nothing(kind, ask):
    def shown(cells):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            release = CALLS[ask](kind(cells))
            return repr(release), release.facts().json, str(release.to_frame())

    usual = [31, "a", None, 2.5]
    expected = shown(usual)
    for name, cell in HOSTILE.items():
        assert shown([*usual, cell]) == expected, name


@pytest.mark.parametrize("cell", HOSTILE.values(), ids=HOSTILE)
def test_a_cell_that_warns_is_silent(cell):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        tr.mean({"x": [31, cell]}, "x", epsilon=1, low=0, high=100)
    assert not told


@pytest.mark.parametrize("bounds", [("-1e308", "1e308"), (0, "1e400"), (0, "1e-330")])
@pytest.mark.parametrize("ask", [tr.sum, tr.mean, tr.variance, tr.median])
def test_bounds_that_doubles_cannot_tell_apart_are_refused(ask, bounds):
    with pytest.raises(BadInput, match="between -1e100 and 1e100"):
        ask({"x": [1, 2]}, "x", epsilon=1, low=bounds[0], high=bounds[1])


@pytest.mark.parametrize("epsilon", ["1e-13", "1e-17", "1e-310"])
def test_a_level_too_small_for_frames_is_refused(epsilon):
    for ask in (tr.sum, tr.mean, tr.variance, tr.median):
        with pytest.raises(BadInput, match="at least 1e-12"):
            ask({"x": [1, 2]}, "x", epsilon=epsilon, low=0, high=10)
    with pytest.raises(BadInput, match="at least 1e-12"):
        tr.count({"x": [1, 2]}, epsilon=epsilon)


def test_frames_hold_what_the_least_level_draws():
    table = {"x": [1, 2, 3], "who": ["a", "b", "c"]}
    for ask in (tr.sum, tr.mean, tr.variance, tr.median, tr.quantiles):
        for low, high in ((0, 10), ("-1e100", "1e100"), (0, "1e-100")):
            assert ask(table, "x", epsilon="1e-12", low=low, high=high).to_frame().num_rows
    wide = tr.histogram(table, "x", epsilon="1e-12", values=[1, 2], person="who", rows=2**40)
    assert [str(kind) for kind in wide.to_frame().schema.types] == ["string", *["double"] * 3]
    plain = tr.count(table, epsilon=1)
    assert [str(kind) for kind in plain.to_frame().schema.types] == ["int64", "double", "double"]


def test_ranks_of_a_small_level_are_told_to_their_last_digits():
    ranks = [tr.median({"x": [1]}, "x", epsilon=level, low=0, high=10).error
             for level in ("1e-10", "1e-11")]
    assert ranks[1] / ranks[0] == pytest.approx(10, rel=1e-6)


def test_long_whole_numbers_of_polars_are_read():
    table = pl.DataFrame({"x": pl.Series([1, 2**100], dtype=pl.Int128)})
    assert tr.count(table, epsilon=50, where="x > 5").value == 1
    assert float(tr.sum(table, "x", epsilon=10_000, low=0, high=10)) == pytest.approx(11, abs=0.1)


def test_a_lazy_frame_that_fails_quotes_no_cell():
    lazy = pl.LazyFrame({"x": ["1", "secret"]}).with_columns(pl.col("x").cast(pl.Int64))
    with pytest.raises(SystemFailed) as failure:
        tr.sum(lazy, "x", epsilon=1, low=0, high=10)
    assert "secret" not in str(failure.value)
    assert failure.value.__cause__ is None
