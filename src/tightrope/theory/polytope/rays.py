"""The extreme rays of a privacy cone: columns that no mechanism at the level splits further.

A ray is v[i] = e^(ε h[i]) with h[i] - h[j] <= d(i, j) and pairs with equality that join all
inputs (KL10: a connected row graph). So heights are sums and differences of distances, the same
at every level, and a search that adds one tied input after the other finds all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm

from tightrope.errors import BadInput, TooLarge
from tightrope.exact import Level, Surd
from tightrope.spaces import Space, require_connected

Heights = tuple[Fraction, ...]
State = tuple[int | None, ...]
MOST_RAYS = 3_000
"""Extreme rays that are listed, at most."""
MOST_STATES = 25_000
"""Partial rays that the search goes through, at most."""


def extreme_rays(space: Space) -> tuple[Heights, ...]:
    """The heights of all extreme rays, the least of each 0, in order.

    >>> from tightrope.spaces import path
    >>> [[int(h) for h in ray] for ray in extreme_rays(path(0, 2))]
    [[0, 1, 0], [0, 1, 2], [1, 0, 1], [2, 1, 0]]
    """
    require_connected(space, "extreme rays are listed on")
    size = space.size
    if size > MOST_STATES:
        raise TooLarge("the number of inputs", size, MOST_STATES, "use a smaller space")
    edges = [(i, j, _rational(space, i, j)) for i, j in space.edges()]
    unit = lcm(*(d.denominator for _, _, d in edges))
    beyond: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for i, j, d in edges:
        beyond[i].append((j, int(d * unit)))
        beyond[j].append((i, int(d * unit)))
    rays: set[tuple[int, ...]] = set()
    start: State = (0, *((None,) * (size - 1)))
    waiting, seen = [start], {start}
    while waiting:
        state = waiting.pop()
        whole = [h for h in state if h is not None]
        if len(whole) == size:
            rays.add(tuple(h - min(whole) for h in whole))
            continue
        for new in _extend(state, beyond):
            if new not in seen:
                seen.add(new)
                waiting.append(new)
        for what, number, most in (("partial rays", len(seen), MOST_STATES),
                                   ("extreme rays", len(rays), MOST_RAYS)):
            if number > most:
                raise TooLarge(f"the number of {what} that were met", number, most,
                               "use a space with fewer points")
    return tuple(tuple(Fraction(h, unit) for h in ray) for ray in sorted(rays))


def _extend(state: State, beyond: list[list[tuple[int, int]]]) -> list[State]:
    """The state with one input more that is tied to one of those that it has."""
    made: list[State] = []
    for x, height in enumerate(state):
        if height is None:
            continue
        for y, d in beyond[x]:
            if state[y] is not None:
                continue
            for value in (height + d, height - d):
                near = ((state[z], apart) for z, apart in beyond[y])
                if all(h is None or abs(value - h) <= apart for h, apart in near):
                    made.append((*state[:y], value, *state[y + 1 :]))
    return made


def _rational(space: Space, i: int, j: int) -> Fraction:
    exact = space.distance(i, j).rational
    if exact is None:
        raise BadInput(
            f"expected distances that are fractions, found {space.distance(i, j).short}; "
            "its extreme rays are not listed."
        )
    return exact


def rays_at(
    rays: Sequence[Heights], level: Level, *, above: bool = False
) -> list[tuple[Fraction, ...]]:
    """The rays at a level; where e^(ε h) is irrational, those of a ratio just below, or above.

    All are rays of one cone: that of the level, one inside it, or (`above`) one around it.

    >>> from tightrope.spaces import path
    >>> [str(v) for v in rays_at(extreme_rays(path(0, 2)), Level.ratio(3))[1]]
    ['1', '3', '9']
    """
    heights = sorted({h for ray in rays for h in ray})
    exact = {h: level.power(Surd.of(h)) for h in heights}
    if None in exact.values():
        if any(h.denominator != 1 for h in heights):
            raise BadInput(
                "expected whole distances, or a level at which every e^(ε d) is a fraction."
            )
        step = Surd.of(1)
        q = level.ratio_above(step) if above else level.ratio_below(step)
        exact = {h: q ** int(h) for h in heights}
    table = {h: value for h, value in exact.items() if value is not None}
    return [tuple(table[h] for h in ray) for ray in rays]
