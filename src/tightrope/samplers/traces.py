"""Traces: fresh positions where a noisy test is above its bar, and the last one elsewhere.

All noise is drawn before any row is looked at: a cell and a test for every row, and bars for every
trace. So the amount of noise tells nothing; unused noise is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray
from tightrope.mechanisms import InSteps, TraceLaw, TraceNoise
from tightrope.privacy import Certified, proved
from tightrope.samplers.noise import stepped_noise
from tightrope.samplers.planar import planar_noise
from tightrope.samplers.sources import SYSTEM, Source, check_source
from tightrope.spaces import usable

Cells = tuple[IntArray, IntArray]


@dataclass(frozen=True)
class Drawn:
    """The draws for traces: a noisy cell and a test for each row, bars for each trace."""

    cells: Cells
    tests: Sequence[int]
    bars: Sequence[int]


def output_cells(cells: Cells, people: Sequence[int], drawn: Drawn, jump: int, fresh: int) -> Cells:
    """The cells that are put out.

    Each trace starts at the middle of the region. A row whose distance to the last output, with
    the noise of its test, is above the bar takes its noisy cell; after so many there is no test.
    """
    (east, north), (new_east, new_north) = cells, drawn.cells
    outputs: Cells = np.zeros(len(people), np.int64), np.zeros(len(people), np.int64)
    at = [(0, 0)] * len(drawn.bars)
    used = [0] * len(drawn.bars)
    for row, person in enumerate(people):
        k = used[person]
        if k < fresh:
            x, y = at[person]
            far = isqrt((int(east[row]) - x) ** 2 + (int(north[row]) - y) ** 2)
            if far + drawn.tests[row] > jump + drawn.bars[person * fresh + k]:
                at[person], used[person] = (int(new_east[row]), int(new_north[row])), k + 1
        outputs[0][row], outputs[1][row] = at[person]
    return outputs


def draw_traces(
    certified: Certified, lon: FloatArray, lat: FloatArray, people: IntArray,
    source: Source = SYSTEM,
) -> Cells:
    """A cell for each row of traces, as whole steps east and north of the middle.

    `people` numbers the traces from 0 on, row by row. Raises `NotCertified` for what was not
    proved, and `BadInput` if anything is no position, without telling which.
    """
    check_source(source)
    mechanism = proved(certified)
    if not isinstance(mechanism, TraceNoise):
        raise BadInput("expected noise for traces.")
    if lon.shape != lat.shape or lon.ndim != 1 or not usable(lon, lat).all():
        raise BadInput("expected columns of longitudes and latitudes in degrees.")
    if people.shape != lon.shape or people.dtype.kind not in "iu" or (
        len(people) and int(people.min()) < 0
    ):
        raise BadInput("expected the number of a trace for each row, from 0 on.")
    return _draw_cells(mechanism, mechanism.space.positions.cells(lon, lat), people, source)


def trace_cells(law: TraceLaw, source: Source) -> tuple[tuple[int, int], ...]:
    """The cells that are put out for one trace."""
    cells = np.array(law.cells, dtype=np.int64).reshape(-1, 2)
    people = np.zeros(len(cells), np.int64)
    east, north = _draw_cells(law.noise, (cells[:, 0], cells[:, 1]), people, source)
    return tuple(zip(east.tolist(), north.tolist(), strict=True))


def _draw_cells(mechanism: TraceNoise, cells: Cells, people: IntArray, source: Source) -> Cells:
    rows, traces = len(people), int(people.max()) + 1 if len(people) else 0
    east, north = planar_noise(mechanism.ratio).draw(rows, source)
    drawn = Drawn((cells[0] + east, cells[1] + north), _numbers(mechanism.tests, rows, source),
                  _numbers(mechanism.bars, traces * mechanism.fresh, source))
    return output_cells(cells, people.tolist(), drawn, mechanism.jump, mechanism.fresh)


def _numbers(noise: InSteps, count: int, source: Source) -> list[int]:
    """Independent numbers of a noise in steps."""
    numbers = stepped_noise(noise.ratio, noise.step, noise.first).draw(count, source)
    return [int(number) for number in numbers.tolist()]
