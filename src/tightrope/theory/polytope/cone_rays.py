"""The extreme rays of the privacy cone of a space, in orbits.

Each column of a mechanism is a sum of extreme rays, and a mechanism whose columns all are extreme
rays is maximally general (KL10, Theorem 3.3.3). Rays are v[i] = e^(ε h[i]): their heights h are the
same at every level above 0. At ε = 0 the cone is one ray, that of equal entries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.characters import counted
from tightrope.exact import Level, Number
from tightrope.facts import Column, Fact, Facts, Shown, Table, brief_text, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.privacy import level_of
from tightrope.spaces import Space, require_connected, space_of
from tightrope.symmetry import symmetries
from tightrope.theory.polytope.half_spaces import ratio_of
from tightrope.theory.polytope.rays import Heights, extreme_rays, rays_at


@dataclass(frozen=True)
class RayOrbit:
    """Rays that differ by an isometry: the heights of one, its point if it is a ball, how many.

    A ball is the ray e^(-ε d(·, z)) of a point z, as tight-constraints mechanisms have them (ECP,
    Definition 6).
    """

    heights: Heights
    center: int | None
    size: int

    __repr__ = brief


@dataclass(frozen=True)
class ConeRays:
    """The extreme rays of a privacy cone: heights for every level above 0, entries at one."""

    space: Space
    level: Level
    rays: tuple[Heights, ...]
    orbits: tuple[RayOrbit, ...]

    @property
    def total(self) -> int:
        """The number of extreme rays."""
        return len(self.rays)

    @property
    def entries(self) -> list[tuple[Fraction, ...]]:
        """The rays at the level, each with least entry 1."""
        if self.level.is_zero:
            return [(Fraction(1),) * self.space.size]
        return rays_at(self.rays, self.level)

    def facts(self) -> Facts:
        """How many rays there are, how many of them balls, and one of each orbit."""
        balls = sum(orbit.size for orbit in self.orbits if orbit.center is not None)
        places = dict(zip(self.rays, self.entries, strict=True))
        columns = (Column("heights", "heights"), Column("entries", "entries"),
                   Column("center", "ball around"), Column("size", "rays"))
        rows = tuple(
            (Shown(orbit.heights, " ".join(map(str, orbit.heights))),
             Shown(places[orbit.heights], " ".join(map(str, places[orbit.heights]))),
             None if orbit.center is None else self.space.points[orbit.center], orbit.size)
            for orbit in self.orbits)
        return Facts(
            "ConeRays",
            f"{counted(self.total, 'extreme ray')} of the privacy cone on {self.space.size} "
            f"points, in {counted(len(self.orbits), 'orbit')}",
            (*data(total=self.total, values=self.space.size),
             Fact("space", "space", brief_text(self.space.text)),
             Fact("ratio", "level", Shown(ratio_of(self.level), self.level.text)),
             Fact("balls", "balls", balls, meaning="rays e^(-ε d(·, z)) around a point z"),
             Table("orbits", "One ray of each orbit, its entries times its least one:", columns,
                   rows, listed=0)),
            ("At ε = 0 all inputs have one law." if self.level.is_zero else
             "The heights hold for every ε above 0: entry i is e^(ε h[i]).",
             "Every column of a private mechanism is a sum of these; with --outputs N the extreme "
             "points with N outputs are listed."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def cone_rays(
    space: Space | str, epsilon: Level | Number | None = None, *, ratio: Number | None = None
) -> ConeRays:
    """The extreme rays of the cone of columns that are private on a space.

    Returns: `ConeRays`; `total` counts them, `orbits` shows one of each kind.

    Raises: `BadInput` for distances that are no fractions or infinite, or a level at which e^ε is
    no fraction; `TooLarge` for too many rays.

    >>> found = cone_rays("cycle:4", ratio=2)
    >>> found.total, [(list(map(int, orbit.heights)), orbit.size) for orbit in found.orbits]
    (6, [([0, 1, 2, 1], 4), ([0, 1, 0, 1], 2)])
    """
    level, points = level_of(epsilon, ratio=ratio), space_of(space)
    ratio_of(level)
    if level.is_zero:
        require_connected(points, "extreme rays are listed on")
        rays: tuple[Heights, ...] = ((Fraction(0),) * points.size,)
    else:
        rays = extreme_rays(points)
    return ConeRays(points, level, rays, tuple(_orbits(points, rays)))


def _orbits(space: Space, rays: Sequence[Heights]) -> Iterator[RayOrbit]:
    """One ray for all that isometries take into each other, balls first."""
    permutations = [p.tolist() for p in symmetries(space)]
    balls = {_ball(space, z): z for z in reversed(range(space.size))}
    left, orbits = set(rays), []
    while left:
        first = min(left)
        members, waiting = {first}, [first]
        while waiting:
            ray = waiting.pop()
            for p in permutations:
                image = tuple(ray[k] for k in p)
                if image not in members:
                    members.add(image)
                    waiting.append(image)
        left -= members
        orbits.append(RayOrbit(first, balls.get(first), len(members)))
    yield from sorted(orbits, key=lambda o: (o.center is None, -o.size, o.heights))


def _ball(space: Space, z: int) -> Heights:
    """The heights of the ball around a point: how much nearer than the farthest each is."""
    distances = [space.distance(z, k).rational for k in range(space.size)]
    exact = [Fraction(0) if d is None else d for d in distances]
    return tuple(max(exact) - d for d in exact)
