"""Traces: rows follow the last output until a test is above its bar."""

from math import isqrt

import numpy as np
import pytest

from tests.samplers.scripts import ScriptedSource
from tightrope.constructions import position_noise, trace_noise
from tightrope.errors import BadInput, NotCertified
from tightrope.samplers import SeededSource, draw, draw_traces
from tightrope.samplers.traces import Drawn, output_cells
from tightrope.spaces import Positions, Region, Traces

HERE = Positions(Region.box(-4, 40, -3, 41), 200, 2)
MADE = trace_noise(Traces(HERE), "ln(2)", fresh=3, jump=2_000)


def test_rows_follow_the_last_output_until_a_test_is_above_the_bar():
    generator = np.random.default_rng(2)
    for _ in range(40):
        rows, fresh, jump = 30, 3, 4
        people = generator.integers(0, 3, rows).tolist()
        cells = tuple(generator.integers(-9, 10, rows) for _ in range(2))
        drawn = Drawn(tuple(generator.integers(-9, 10, rows) for _ in range(2)),
                      generator.integers(-3, 4, rows).tolist(),
                      generator.integers(-3, 4, 3 * fresh).tolist())
        found = output_cells(cells, people, drawn, jump, fresh)
        state = {}
        for row, person in enumerate(people):
            at, used = state.get(person, ((0, 0), 0))
            far = isqrt((cells[0][row] - at[0]) ** 2 + (cells[1][row] - at[1]) ** 2)
            if used < fresh and far + drawn.tests[row] > jump + drawn.bars[3 * person + used]:
                at, used = (drawn.cells[0][row], drawn.cells[1][row]), used + 1
            state[person] = at, used
            assert (found[0][row], found[1][row]) == at


def test_one_trace_is_drawn_as_a_column_of_one_person_is():
    trace = [(-3.5, 40.5), (-3.9, 40.1), (-3.9, 40.1), (-3.1, 40.9)]
    lon, lat = np.array(trace).T
    column = draw_traces(MADE, lon, lat, np.zeros(4, np.int64), SeededSource(4))
    assert draw(MADE, trace, SeededSource(4)) == tuple(zip(*map(np.ndarray.tolist, column),
                                                           strict=True))
    assert draw(MADE, []) == ()
    assert all(len(part) == 0 for part in draw_traces(MADE, *[np.empty(0)] * 2,
                                                      np.empty(0, np.int64)))


def test_bars_and_tests_have_the_noise_that_was_proved():
    """20,000 people of one row at the middle: how many move at once follows from two laws."""
    count = 20_000
    made = trace_noise(Traces(HERE), "ln(10)", fresh=1, jump=500)
    zero = np.zeros(count)
    east, north = draw_traces(made, zero - 3.5, zero + 40.5, np.arange(count), SeededSource(1))
    noise = made.mechanism
    reach = 6_000

    def chances(law):
        z = np.abs(np.arange(-reach, reach + 1))
        rung = np.maximum(0, -(-(z - law.first + 1) // law.step))
        return float(law.ratio) ** -rung / float(law.normalizer)

    test, bar = chances(noise.tests), chances(noise.bars)
    assert test.sum() > 1 - 1e-6
    above = np.concatenate([test[::-1].cumsum()[::-1], [0.0]])  # P(test >= k)
    wanted = np.clip(501 + np.arange(-reach, reach + 1) + reach, 0, 2 * reach + 1)
    moved = float((bar * above[wanted]).sum())
    found = float(((east != 0) | (north != 0)).mean())
    assert 0.02 < moved < 0.5
    assert abs(found - moved) < 4.9 * np.sqrt(moved * (1 - moved) / count)
    off = trace_noise(Traces(HERE), "ln(20)", fresh=1, jump=500)  # another level is told apart
    east, north = draw_traces(off, zero - 3.5, zero + 40.5, np.arange(count), SeededSource(1))
    assert abs(((east != 0) | (north != 0)).mean() - moved) > 4.9 * np.sqrt(moved / count)


def test_how_much_is_drawn_does_not_depend_on_the_rows():
    asked = []
    for lon in (np.full(50, -3.5), np.linspace(-4, -3, 50)):
        source = SeededSource(6)
        draw_traces(MADE, lon, np.full(50, 40.5), np.zeros(50, np.int64), source)
        asked.append(source.bytes(16))
    assert asked[0] == asked[1]


@pytest.mark.parametrize(("lon", "lat", "people"), [
    ([1.0], [np.nan], [0]), ([1.0], [1.0, 2.0], [0]), ([1.0], [95.0], [0]),
    ([1.0], [1.0], [-1]), ([1.0], [1.0], [0.0]), ([1.0], [1.0], [0, 0]),
])
def test_what_is_no_trace_is_refused_before_anything_is_drawn(lon, lat, people):
    silent = ScriptedSource([])
    with pytest.raises(BadInput):
        draw_traces(MADE, np.array(lon), np.array(lat), np.array(people), silent)


def test_only_a_certified_mechanism_for_traces_is_drawn_from():
    one, none = np.array([1.0]), np.array([0])
    with pytest.raises((NotCertified, BadInput)):
        draw_traces(MADE.mechanism, one, one, none)
    with pytest.raises(BadInput, match="noise for traces"):
        draw_traces(position_noise(HERE, "ln(2)"), one, one, none)
    for trace in ("no trace", 3, [(1, 95)], [1, 2]):
        with pytest.raises(BadInput):
            draw(MADE, trace)
