"""Mean errors against ε: what another level, method or largest degree would give; public."""

from __future__ import annotations

from fractions import Fraction

from tightrope.choices import Method
from tightrope.exact import sizes
from tightrope.networks.mean_errors import worst_mean_error
from tightrope.networks.methods import methods_for
from tightrope.networks.release import NetworkAnswer

_FACTORS = tuple(Fraction(n, 16) for n in (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128))

Curve = tuple[str, tuple[float, ...], tuple[float, ...]]


def error_curves(answer: NetworkAnswer) -> list[Curve]:
    """Name, levels and worst mean errors: by method, or by the largest degree near this one.

    Levels are from an eighth to eight times that of the answer; nothing depends on the edges.

    >>> import numpy as np
    >>> from tightrope.networks import release_count
    >>> from tightrope.spaces import Network
    >>> empty = Network(9, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
    >>> [name for name, _, _ in error_curves(release_count(empty, "edges", 1))]
    ['ladder', 'smooth', 'global', 'privacy-first']
    """
    least, most = sizes.SMALLEST_DRAWN_EPSILON, sizes.LARGEST_CONE_REACH
    scaled = (answer.level.pure.scaled(factor) for factor in _FACTORS)
    levels = [level for level in scaled if least <= float(level) <= most]
    lines: list[tuple[str, Method, int | None, int]] = []
    if answer.max_degree is None:
        for way in methods_for(answer.nodes, answer.count):
            lines.append((way.value, way, None, answer.radius * (way is answer.method)))
    else:
        near = {max(1, answer.max_degree // 2), answer.max_degree, 2 * answer.max_degree}
        for top in sorted(degree for degree in near if degree < answer.nodes):
            lines.append((f"at most {top} edges at a node", answer.method, top, 0))
    return [
        (name, tuple(map(float, levels)), tuple(
            worst_mean_error(answer.nodes, answer.count, level, way, radius=radius, max_degree=top)
            for level in levels))
        for name, way, top, radius in lines
    ]
