"""What may be drawn from, what comes out, and what is refused before anything is drawn."""

from __future__ import annotations

import gc
import os
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from tests.samplers.scripts import ScriptedSource
from tightrope.errors import BadInput, BadTable, NotAPoint, NotCertified
from tightrope.exact import Level, Weights
from tightrope.mechanisms import (
    KernelMechanism,
    MatrixMechanism,
    NoiseMechanism,
    QuantileMechanism,
    TableMechanism,
)
from tightrope.privacy import Certified, certified
from tightrope.samplers import SeededSource, draw, draw_batches, draw_indices, draw_many, draws
from tightrope.samplers.draws import _SAMPLERS, BATCH
from tightrope.samplers.noise import Staircase
from tightrope.spaces import Records, categories, path, sums

ONE = Fraction(1)


def matrix() -> Certified:
    weights = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])
    return certified(MatrixMechanism(path(0, 2), ("low", "mid", "high"), weights), Level.ratio(2))


def response(k: int = 3) -> Certified:
    names = tuple(f"c{z}" for z in range(k))
    return certified(
        KernelMechanism(categories(names), Fraction(5), ONE, (ONE,) * k), Level.ratio(5)
    )


def noise() -> Certified:
    return certified(NoiseMechanism(path(10, 19), Fraction(2)), Level.ratio(2))


def table(rows: int) -> Certified:
    return certified(TableMechanism(response().mechanism, rows), Level.ratio(5))


UNREAD = ScriptedSource([])


def test_outputs_are_labels_of_the_mechanism():
    assert {draw(matrix(), 0, SeededSource(s)) for s in range(60)} == {"low", "mid", "high"}
    assert set(draw_many(response(), ["c1"] * 200, SeededSource(1))) == {"c0", "c1", "c2"}


def test_noise_gives_python_integers_around_its_input():
    drawn = draw_many(noise(), [12] * 400, SeededSource(1))
    assert all(type(z) is int for z in drawn)
    assert min(drawn) < 10 < 12 < max(drawn)
    assert type(draw(noise(), 12)) is int


def test_a_table_is_drawn_as_a_whole():
    assert len(draw(table(3), ("c0", "c1", "c2"))) == 3
    assert len(draw_many(table(4), ["c0"] * 4)) == 4
    assert draw_indices(table(2), np.array([0, 1])).shape == (2,)


@pytest.mark.parametrize("found", [2, 4])
def test_a_table_with_another_number_of_rows_is_refused(found):
    with pytest.raises(BadTable, match="3 rows"):
        draw_indices(table(3), np.zeros(found, dtype=np.int64), UNREAD)
    with pytest.raises(BadTable, match="3 rows"):
        draw(table(3), ("c0",) * found, UNREAD)
    with pytest.raises(BadTable):
        draw(table(3), "c0", UNREAD)


@pytest.mark.parametrize("run", [draw, draw_many, draw_indices])
@pytest.mark.parametrize("given", [None, [[1.0]], "m.json"])
def test_only_certified_mechanisms_are_run(run, given):
    with pytest.raises(NotCertified):
        run(given, 0)


def test_a_bare_mechanism_is_not_run():
    with pytest.raises(NotCertified):
        draw(matrix().mechanism, 0)
    with pytest.raises(NotCertified):
        list(draw_batches(matrix().mechanism, []))


@pytest.mark.parametrize("label", [3, -1, "0", 1.5, True, None, (0,), [0], float("nan")])
def test_a_label_that_is_no_point_is_refused(label):
    with pytest.raises(NotAPoint):
        draw(matrix(), label, UNREAD)
    missing = label is None or label != label
    with pytest.raises(BadTable if missing else NotAPoint):
        draw_many(matrix(), [0, 1, label], UNREAD)


@pytest.mark.parametrize(
    "codes",
    [
        np.array([0, 3]),
        np.array([-1]),
        np.array([-1, 1]),
        np.array([0.0, 1.0]),
        np.array([True, False]),
        np.array(["0"]),
        np.array([[0, 1]]),
        np.array(1),
        np.array([2**63], dtype=np.uint64),
        np.ma.masked_array([0, 1], mask=[False, True]),
    ],
    ids=str,
)
def test_codes_that_are_no_indices_are_refused(codes):
    with pytest.raises(BadInput):
        draw_indices(matrix(), codes, UNREAD)


def test_the_refusal_does_not_tell_what_was_found():
    with pytest.raises(BadInput) as refusal:
        draw_indices(matrix(), np.array([0, 77_777]))
    assert "77" not in str(refusal.value)


@pytest.mark.parametrize("dtype", ["i1", "u1", "<i2", "<u4", "<u8", "<i8"])
def test_codes_of_any_width_give_the_same_draws(dtype):
    codes = np.arange(3000) % 3
    expected = draw_indices(matrix(), codes, SeededSource(1))
    assert np.array_equal(draw_indices(matrix(), codes.astype(dtype), SeededSource(1)), expected)
    assert expected.dtype == np.int64


def test_the_column_is_left_as_it_was():
    codes = np.arange(3000) % 200
    held = codes.copy()
    draw_indices(response(200), codes, SeededSource(1))
    assert np.array_equal(codes, held)


@pytest.mark.parametrize("make", [matrix, response, noise])
def test_an_empty_column_gives_an_empty_column(make):
    assert draw_many(make(), []) == []
    assert len(draw_indices(make(), np.array([]))) == 0


@pytest.mark.parametrize("make", [matrix, response, noise])
def test_a_column_longer_than_a_batch_is_drawn_whole(make):
    codes = np.arange(2 * BATCH + 17) % 3
    drawn = draw_indices(make(), codes, SeededSource(1))
    assert len(drawn) == len(codes)
    for value in range(3):
        last = drawn[-BATCH:][codes[-BATCH:] == value]
        assert len(np.unique(last)) >= 3


def test_batches_give_what_the_column_gives():
    codes = np.arange(5000) % 3
    whole = draw_indices(matrix(), codes, SeededSource(1))
    assert np.array_equal(next(draw_batches(matrix(), [codes], SeededSource(1))), whole)
    parts = list(draw_batches(matrix(), np.array_split(codes, 7), SeededSource(1)))
    assert [len(part) for part in parts] == [len(part) for part in np.array_split(codes, 7)]


def test_a_long_batch_is_drawn_in_parts_that_follow_one_another(monkeypatch):
    monkeypatch.setattr(draws, "BATCH", 4)
    codes = np.arange(11) % 10
    parts = list(draw_batches(noise(), [codes], SeededSource(1)))
    assert [len(part) for part in parts] == [4, 4, 3]
    assert np.array_equal(np.concatenate(parts), draw_indices(noise(), codes, SeededSource(1)))


def test_one_long_answer_makes_all_parts_of_a_column_python_integers(monkeypatch):
    wide = certified(NoiseMechanism(path(0, 3), 1 + Fraction(1, 2**61)), "ln(2)")
    monkeypatch.setattr(draws, "BATCH", 1)
    drawn = draw_indices(wide, np.zeros(64, dtype=np.int64), SeededSource(2))
    assert max(map(abs, drawn.tolist())) >= 2**62
    assert all(type(z) is int for z in drawn.tolist())
    assert len(drawn) == 64
    assert drawn.dtype == object


@pytest.mark.parametrize("run", [draw, draw_many])
@pytest.mark.parametrize("source", [7, None, SimpleNamespace(seeded=True),
                                    SimpleNamespace(bytes=os.urandom)])
def test_what_is_no_source_is_refused(run, source):
    with pytest.raises(BadInput, match="expected a source"):
        run(matrix(), 0, source)


@pytest.mark.parametrize("run", [draw_many, draw_indices, lambda *a: list(draw_batches(*a))])
def test_a_mechanism_on_datasets_draws_no_column(run):
    proved = certified(QuantileMechanism(Records(3, 0, 9), 2, 2), Level.ratio(4))
    with pytest.raises(BadInput, match="use draw"):
        run(proved, np.array([0]))


@pytest.mark.parametrize("step", [2, 3])
def test_noise_of_every_step_is_drawn_in_its_steps(step):
    proved = certified(NoiseMechanism(sums(people=4, maximum=step), Fraction(6), step, step),
                       Level.ratio(6))
    draw_indices(proved, np.array([0]))
    assert isinstance(_SAMPLERS[id(proved.mechanism)][1].noise, Staircase)


def test_a_batch_is_drawn_when_it_is_asked_for():
    def column():
        yield np.zeros(4, dtype=np.int64)
        raise AssertionError

    assert len(next(draw_batches(matrix(), column()))) == 4


def test_batches_of_a_table_must_have_its_rows():
    batch = np.zeros(2, dtype=np.int64)
    assert [len(part) for part in draw_batches(table(4), [batch, batch])] == [2, 2]
    with pytest.raises(BadTable, match="found more"):
        list(draw_batches(table(3), [batch, batch]))
    with pytest.raises(BadTable, match="found 4"):
        list(draw_batches(table(5), [batch, batch]))


def test_the_same_seed_gives_the_same_draws_however_often_it_is_used():
    mechanism, codes = response(200), np.arange(4000) % 200
    first = draw_indices(mechanism, codes, SeededSource(5))
    draw_many(mechanism, ["c7"] * 10)
    assert np.array_equal(draw_indices(mechanism, codes, SeededSource(5)), first)
    assert np.array_equal(draw_indices(response(200), codes, SeededSource(5)), first)


def test_a_sampler_is_freed_with_its_mechanism():
    gc.collect()
    before = len(_SAMPLERS)
    held = [matrix(), response(), response(200), noise(), table(2)]
    for certified_ in held:
        draw_indices(certified_, np.zeros(2, dtype=np.int64))
    assert len(_SAMPLERS) == before + 5
    del held, certified_
    gc.collect()
    assert len(_SAMPLERS) == before


def test_a_whole_double_is_the_whole_number_that_it_is():
    sure = certified(MatrixMechanism.of([[1, 0, 0], [1, 0, 0], [1, 0, 0]], path(0, 2)), 1)
    for one in (1, 1.0, np.float64(1), np.float32(1)):
        assert draw(sure, one) == 0
        assert sure.mechanism.row(one) == sure.mechanism.row_at(1)
    for wrong in (0.5, float("nan"), float("inf"), 3.0):
        with pytest.raises(NotAPoint):
            draw(sure, wrong)
