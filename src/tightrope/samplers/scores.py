"""Values chosen by their scores, exactly, with one random number for a whole run of values.

Let every value arrive at a time of its own, uniform between 0 and 1, and toss its coin: the first
with heads is one of those with heads, all alike. Of m values whose coins show heads with p, none
arrives with heads before x with probability (1 - p x)^m. So the first of them that does has the
time (1 - U^(1/m))/p, for U uniform, if that is below 1; and the run that is first is chosen. Times
are compared in doubles with room for their errors, and where that does not decide, with more
digits of U: nothing is rounded and no value is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log, log1p

import numpy as np
from flint import arb, ctx

from tightrope.exact import FloatArray, IntArray, ball_of, tolerances
from tightrope.mechanisms import ScoreLaw
from tightrope.samplers.noise import check_drawable
from tightrope.samplers.sources import Source, uniform_below

_WORD = 64
"""Bits of U that are drawn at a time."""


def chosen_values(law: ScoreLaw, source: Source) -> list[int]:
    """The values that are chosen: for every group as many as are picked, in that order."""
    check_drawable(law.ratio)
    left, gone = law.lengths.copy(), dict[int, list[int]]()
    rounds = []
    for _ in range(law.picks):
        runs = _first_runs(law, left, source).tolist()
        rounds.append([_value(law, run, left, gone, source) for run in runs])
    return [value for group in zip(*rounds, strict=True) for value in group]


def _value(
    law: ScoreLaw, run: int, left: IntArray, gone: dict[int, list[int]], source: Source
) -> int:
    """One of the values of a run that are left, all alike."""
    place = uniform_below(int(left[run]), source)
    taken = gone.setdefault(run, [])
    for before in taken:  # in order
        place += before <= place
    taken.append(place)
    taken.sort()
    left[run] -= 1
    return int(law.starts[run]) % law.values + place


def _first_runs(law: ScoreLaw, left: IntArray, source: Source) -> IntArray:
    """The run of each group that is first."""
    firsts, some = law.firsts, left > 0
    far = np.iinfo(np.int64).max
    best = np.minimum.reduceat(np.where(some, law.scores, far), firsts)
    group = np.repeat(np.arange(len(firsts)), np.diff(firsts, append=len(left)))
    runs = np.flatnonzero(some)
    words = np.frombuffer(source.bytes(8 * len(runs)), dtype="<u8")
    race = _Race(law.ratio, (law.scores - best[group])[runs], left[runs], words)
    soonest, latest = race.times
    owner = group[runs]
    starts = np.flatnonzero(np.diff(owner, prepend=-1))
    may = np.flatnonzero(soonest <= np.minimum.reduceat(latest, starts)[owner])
    heads = np.flatnonzero(np.diff(owner[may], prepend=-1))
    winners = may[heads]
    for place in np.flatnonzero(np.diff(heads, append=len(may)) > 1).tolist():
        end = heads[place + 1] if place + 1 < len(heads) else len(may)
        winners[place] = race.decide(may[heads[place] : end].tolist(), source)
    return np.asarray(runs[winners])


@dataclass(frozen=True, eq=False)
class _Race:
    """Runs of values, how far their scores are from the best, and the first bits of each U."""

    ratio: Fraction
    apart: IntArray
    lengths: IntArray
    words: np.ndarray[tuple[int], np.dtype[np.uint64]]

    @property
    def times(self) -> tuple[FloatArray, FloatArray]:
        """Bounds of the logarithm of the time of each run."""
        top, bottom = self.ratio.as_integer_ratio()
        fall = log1p((top - bottom) / bottom) if top < 2 * bottom else log(top) - log(bottom)
        later = self.apart * fall
        room = tolerances.TIME_ERROR * (1 + later)
        ends = []
        for side in (0, 1):  # the later end is that of the least U
            above = 1.0 * (~self.words) + side  # 2^64 (1 - U), at least and at most
            below = 1.0 * self.words + (1 - side)
            with np.errstate(divide="ignore"):
                waits = np.where(above < below, -np.log1p(-above / 2.0**_WORD),
                                 -np.log(below / 2.0**_WORD))
                ends.append(np.log(-np.expm1(-waits / self.lengths)) + later)
        return ends[0] - room, ends[1] + room

    def decide(self, runs: list[int], source: Source) -> int:
        """The first of some runs, by as many bits as tell them apart."""
        words, bits = {run: int(self.words[run]) for run in runs}, _WORD
        while True:
            times = {run: self._time(run, word, bits) for run, word in words.items()}
            for run, time in times.items():
                if all(time < other for rival, other in times.items() if rival != run):
                    return run
            words = {run: word << _WORD | int.from_bytes(source.bytes(_WORD // 8), "little")
                     for run, word in words.items()}
            bits += _WORD

    def _time(self, run: int, word: int, bits: int) -> arb:
        """A ball around the time of a run."""
        with ctx.workprec(2 * bits):
            u = arb((2 * word + 1, -bits - 1), (1, -bits - 1))
            first = -(u.log() / int(self.lengths[run])).expm1()
            return first * ball_of(self.ratio, 2 * bits) ** int(self.apart[run])
