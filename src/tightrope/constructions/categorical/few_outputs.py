"""Randomizers with few outputs: the best of several families of sets of values.

Which sets are best is a combinatorial question. Tried are the best randomizer of all, from which
the rarest sets leave; single values; the first and the last values up to each place; and unions of
two orbits of sets under a group of permutations, many of which are block designs: any two values
are in equally many sets, so that all shares are told alike. The best two are joined and thinned
again. A bound on all randomizers says how much may be left to gain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tightrope.constructions.categorical.randomizer_program import (
    ProgramSolution,
    all_sets,
    solve_program,
)
from tightrope.errors import SolverFailed
from tightrope.exact import FloatArray, IntArray, tolerances

_MOST_ORBITS = 300
"""Orbits of sets that are tried in pairs: all of sizes near the best one up to 12 values."""
_NEAR = 2
"""Sizes tried differ from values/(e^ε + 1), the best of one size, by at most this."""
_ORDERS = (0.236068, 0.414214)
"""Steps that order equally rare sets: each order takes a second with 16 values."""
_DIGITS = 2
"""Digits of the logarithm of a share beyond which it is rounding that differs."""
_EXCHANGES = 8
"""Rounds of exchanges at most: most end after two or three."""


def solve_few(
    W: FloatArray, prior: FloatArray, ratio: float, best: ProgramSolution, most: int
) -> ProgramSolution:
    """The best found with at most so many sets, none too rare to tell a person about.

    `best` is the best of all.
    """
    if len(best.shares) <= most:
        return _without_unseen(W, prior, ratio, best)
    families = []
    for sets in _families(W, prior, ratio, most):
        try:
            families.append(solve_program(W, prior, ratio, 0, sets))
        except SolverFailed:
            continue
    chosen = [made for step in _ORDERS
              for made in _thin(W, prior, ratio, best, most, families, step)]
    if not chosen:
        raise SolverFailed(f"no randomizer with at most {most} outputs was found.")
    return _without_unseen(W, prior, ratio, min(chosen, key=lambda made: made.moment(W)))


def _thin(
    W: FloatArray, prior: FloatArray, ratio: float, best: ProgramSolution, most: int,
    families: Sequence[ProgramSolution], step: float,
) -> Iterator[ProgramSolution]:
    """The best of the families and of what is left of the best of all, joined and exchanged.

    Nothing if all failed. `step` decides which of equally rare sets leave first.
    """
    solutions = list(families)
    try:
        solutions.append(_prune(W, prior, ratio, best, most, step))
    except SolverFailed:
        if not solutions:
            return
    solutions.sort(key=lambda solution: solution.moment(W))
    if len(solutions) > 1:
        sets = np.unique(np.vstack([solution.sets for solution in solutions[:2]]), axis=0)
        try:
            joined = solve_program(W, prior, ratio, 0, sets)
            solutions.append(_prune(W, prior, ratio, joined, most, step))
        except SolverFailed:
            pass
    start = min(solutions, key=lambda made: made.moment(W))
    yield _exchange(W, prior, ratio, start, most, step)


def _without_unseen(
    W: FloatArray, prior: FloatArray, ratio: float, solution: ProgramSolution
) -> ProgramSolution:
    """The same without sets that nobody would be seen to send, the others solved anew."""
    kept = solution.shares > tolerances.RANDOMIZER_UNSEEN * solution.shares.max()
    if kept.all():
        return solution
    try:
        return solve_program(W, prior, ratio, 0, solution.sets[kept])
    except SolverFailed:
        return solution


def _exchange(
    W: FloatArray, prior: FloatArray, ratio: float, solution: ProgramSolution, most: int,
    step: float,
) -> ProgramSolution:
    """The solution with sets exchanged for those that its multipliers find too cheap.

    As many join as there may be, or fewer; then the rarest leave. It ends where nothing is gained.
    """
    every = all_sets(len(prior))
    rays = 1 + (ratio - 1) * every
    means = rays @ prior
    for _ in range(_EXCHANGES):
        along = rays @ solution.y
        pull = ((rays @ solution.Z) ** 2).sum(axis=1) / means
        needs = pull / np.maximum(along, tolerances.RANDOMIZER_TRACE)
        order = np.argsort(-needs)
        better = solution
        for joining in (most, most // 2, 2, 1):
            sets = np.unique(np.vstack([solution.sets, every[order[:joining]]]), axis=0)
            try:
                tried = _prune(W, prior, ratio, solve_program(W, prior, ratio, 0, sets), most,
                               step)
            except SolverFailed:
                continue
            better = min(better, tried, key=lambda made: made.moment(W))
        if better.moment(W) > (1 - tolerances.RANDOMIZER_GAIN) * solution.moment(W):
            return better
        solution = better
    return solution


def _families(
    W: FloatArray, prior: FloatArray, ratio: float, most: int
) -> Iterator[FloatArray]:
    """Families of at most so many sets of which each value is in some and out of others."""
    values = len(prior)
    upper = np.tril(np.ones((values, values)))
    if most >= values:
        yield np.eye(values)
        for group in _groups(values):
            yield from _orbits_of(W, prior, ratio, most, group)
    if most >= 2 * values - 2:
        yield np.vstack([upper[:-1], 1 - upper[:-1]])


def _groups(values: int) -> Iterator[IntArray]:
    """Groups of permutations, one a row: turns of all values, and of all but one.

    Difference sets are orbits of the first, Hadamard designs two orbits of the second.
    """
    places = np.arange(values)
    yield (places + places[:, None]) % values
    if values > 3:
        others = (places[:-1] + places[:-1, None]) % (values - 1)
        yield np.hstack([others, np.full((values - 1, 1), values - 1)])


def _orbits_of(
    W: FloatArray, prior: FloatArray, ratio: float, most: int, group: IntArray
) -> Iterator[FloatArray]:
    """The two best unions of at most two orbits of sets under a group.

    Sets of an orbit have equal shares θ. With a and b the sums of the columns of an orbit at the
    first value and at the last one, which a group may leave where it is, those of two orbits
    follow from θ a + θ' a' = θ b + θ' b' = 1.
    """
    values = len(prior)
    orbits = _near_orbits(values, ratio, most, group)
    rays = [1 + (ratio - 1) * orbit for orbit in orbits]
    G, J = W.T @ W, np.array([(v.T / (v @ prior)) @ v for v in rays])
    a, b = (np.array([v[:, place].sum() for v in rays]) for place in (0, -1))
    lengths = np.array([len(orbit) for orbit in orbits])
    ranked: list[tuple[float, int, int]] = []
    for place in range(len(orbits)):
        others = np.arange(place, len(orbits))
        wide = a[place] * b[others] - a[others] * b[place]
        even = (a[place] == b[place]) & (a[others] == b[others])
        own, other = b[others] - a[others], np.full(len(others), a[place] - b[place])
        scale = np.where(even, a[place] + a[others], np.where(wide == 0, np.inf, wide))
        own, other = (np.where(even, 1.0, part) / scale for part in (own, other))
        fits = (own > 0) & (other > 0) & (
            np.where(others == place, 0, lengths[others]) + lengths[place] <= most)
        if not fits.any():
            continue
        sums = own[fits, None, None] * J[place] + other[fits, None, None] * J[others[fits]]
        traces = np.trace(sums, axis1=1, axis2=2)[:, None, None]
        sums += tolerances.RANDOMIZER_TRACE * traces * np.eye(values)
        moments = np.einsum("ij,kji->k", G, np.linalg.inv(sums))
        least = int(moments.argmin())
        ranked.append((float(moments[least]), place, int(others[fits][least])))
    for _, *pair in sorted(ranked)[:2]:
        yield np.unique(np.vstack([orbits[place] for place in pair]), axis=0)


def _near_orbits(values: int, ratio: float, most: int, group: IntArray) -> list[FloatArray]:
    """Orbits of at most so many sets, those of sizes near the best one first."""
    every, size = all_sets(values), values / (ratio + 1)
    away = abs(every.sum(axis=1) - size)
    seen: set[bytes] = set()
    orbits: list[FloatArray] = []
    for row in every[np.argsort(away, kind="stable")][: np.count_nonzero(away <= _NEAR)]:
        if row.tobytes() in seen:
            continue
        orbit = np.unique(row[group], axis=0)
        seen.update(image.tobytes() for image in orbit)
        if len(orbit) <= most:
            orbits.append(orbit)
        if len(orbits) == _MOST_ORBITS:
            break
    return orbits


def _prune(
    W: FloatArray, prior: FloatArray, ratio: float, solution: ProgramSolution, most: int,
    step: float,
) -> ProgramSolution:
    """With at most so many sets: the rarest leave, the others are solved anew.

    Where values are alike, many sets are equally rare but for rounding: multiples of the step,
    modulo 1, decide.
    """
    while len(solution.shares) > most:
        rarity = np.round(np.log(solution.shares), _DIGITS)
        order = np.lexsort((np.arange(len(rarity)) * step % 1, rarity))
        leaving = max(1, (len(order) - most) // 3)
        for tried in _leavings(order, leaving):
            kept = np.setdiff1d(order, tried)
            try:
                solution = solve_program(W, prior, ratio, 0, solution.sets[kept])
                break
            except SolverFailed:
                continue
        else:
            raise SolverFailed(f"no randomizer with at most {most} outputs was found.")
    return solution


def _leavings(order: np.ndarray, several: int) -> Sequence[np.ndarray]:
    """The rarest sets together, then each set alone, the rarest first."""
    return [order[:several], *(order[place:place + 1] for place in range(len(order)))]
