"""Certified mechanisms as measurements of OpenDP, to be chained and composed there."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from math import inf, nextafter
from typing import Any

from tightrope.errors import BadInput, Refused
from tightrope.exact import Level
from tightrope.privacy import Certified
from tightrope.samplers.draws import Proved, draw
from tightrope.spaces import Datasets, Space

FEATURES = ("contrib", "honest-but-curious")
"""Features that OpenDP asks for before it takes a measurement from elsewhere."""


def to_opendp(mechanism: Proved) -> Any:
    """An OpenDP measurement that draws from exactly the law that was proved.

    Where the inputs are the whole numbers of a path, the measurement takes any whole number; those
    outside are clamped to the ends, which brings no two further apart. Its metric is then OpenDP's
    absolute distance, so that it can follow a count. Elsewhere domain and metric are named after
    the space. The privacy map of a distance d is ε·d, rounded up; with δ it is the pair (ε, δ), for
    a distance of at most 1. Needs `opendp`, and its features "contrib" and "honest-but-curious".

    >>> import tightrope as tr
    >>> try:
    ...     count = to_opendp(tr.constructions.truncated_geometric("path:0..9", 1))
    ... except tr.TightropeError:  # OpenDP is not installed, or its features are not enabled
    ...     count = None
    """
    certified = mechanism if isinstance(mechanism, Certified) else mechanism.certified
    dp = _opendp()
    space, level = certified.mechanism.space, certified.certificate.level
    points = None if isinstance(space, Datasets) else _whole_numbers(space)
    if points is not None:
        domain: Any = dp.atom_domain(T="i32")
        metric: Any = dp.absolute_distance(T="i32")
    else:
        domain = dp.user_domain(f"Tightrope({space.text})", lambda x: _belongs(space, x))
        metric = dp.user_distance(f"TightropeDistance({space.text})")

    def answer(x: Any) -> Any:
        return draw(certified, x if points is None else min(max(x, points[0]), points[1]))

    measure = (dp.fixed_smoothed_max_divergence() if level.delta else dp.max_divergence())
    return dp.m.make_user_measurement(
        domain, metric, measure, answer, lambda distance: _cost(level, distance),
        **({"TO": "i32"} if points is not None and _answers_are_whole(certified) else {}))


def _opendp() -> Any:
    try:
        dp, enabled = import_module("opendp.prelude"), import_module("opendp.mod")
    except ImportError:
        raise Refused("OpenDP is not installed: pip install opendp.") from None
    if not {*FEATURES} <= {*enabled.GLOBAL_FEATURES}:
        raise Refused("OpenDP takes measurements from elsewhere only where its features are "
                      'enabled: dp.enable_features("contrib", "honest-but-curious").')
    return dp


def _whole_numbers(space: Space) -> tuple[int, int] | None:
    """The first and the last of a path of whole numbers, None for other spaces."""
    form = space.describe()
    return (int(form["low"]), int(form["high"])) if form.get("family") == "path" else None


def _answers_are_whole(certified: Certified) -> bool:
    outputs = getattr(certified.mechanism, "outputs", None)
    return outputs is None or all(type(output) is int for output in outputs)


def _belongs(space: Any, x: Any) -> bool:
    try:
        if isinstance(space, Datasets):
            space.accept(x)
        else:
            space.index(x)
    except BadInput:
        return False
    return True


def _cost(level: Level, distance: Any) -> Any:
    """The privacy loss at a distance, rounded up."""
    steps = Fraction(distance)
    if level.delta:
        if steps > 1:
            raise BadInput("this level has a δ, and holds for a distance of at most 1.")
        return _above(level.pure), _above(Level.epsilon(level.delta))
    return 0.0 if steps <= 0 else _above(level.scaled(steps))


def _above(level: Level) -> float:
    """A double that is not below the level; the level itself where it is one."""
    near = float(level)
    if not level.coefficient and Fraction(near) >= level.rational:
        return near
    return nextafter(near, inf)
