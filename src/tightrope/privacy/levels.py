"""A level as public calls take it: `epsilon=` with `delta=` beside it, or `ratio=`."""

from __future__ import annotations

from tightrope.errors import BadInput
from tightrope.exact import Level, Number


def level_of(
    epsilon: Level | Number | None = None,
    *,
    delta: Number | None = None,
    ratio: Number | None = None,
) -> Level:
    """The level that ε, with a δ if there is one, or e^ε states.

    `epsilon` is a number, a text such as "ln(2)", or a `Level`; `ratio` is e^ε, exactly.

    >>> level_of("ln(2)") == level_of(ratio=2) == level_of(Level.ratio(2))
    True
    >>> level_of(0.5, delta="1e-6")
    Level(ε = 0.5, δ = 1e-06)

    Raises `BadInput` unless exactly one of `epsilon` and `ratio` is given.
    """
    if epsilon is None and ratio is None:
        raise BadInput('state a privacy level: epsilon=0.5, epsilon="ln(2)" or ratio=2.')
    if epsilon is not None and ratio is not None:
        raise BadInput("state a privacy level once: either epsilon or ratio, which is e^ε.")
    if epsilon is None:
        assert ratio is not None
        level = Level.ratio(ratio)
    else:
        level = Level.of(epsilon)
    if delta is None:
        return level
    if level.delta:
        raise BadInput("the level has a δ already: leave delta out.")
    return level.with_delta(delta)
