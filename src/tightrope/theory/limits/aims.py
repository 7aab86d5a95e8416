"""The accuracy asked for: which answers are near enough to which input.

Inputs are points x of a space with the metric of privacy, answers are points y of a space with
the metric of utility, and y is near enough if it is in the ball of radius γ around f(x)
(KL-pc, Definition 2.2). Without a query both are the same space, and f(x) = x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import label_text
from tightrope.errors import BadInput
from tightrope.exact import Surd, float_above, own, short_text
from tightrope.markup import brief
from tightrope.spaces import MetricQuery, Space, distance_table, pair_classes, require_connected
from tightrope.utility import LossMatrix

Asked: TypeAlias = Space | MetricQuery
"""A space, or a query from a space of datasets to a space of values."""


def balls(space: Space, radius: Fraction, *, closed: bool = True) -> NDArray[np.bool_]:
    """For every point (row), which points lie in its ball; decided exactly."""
    if radius < 0:
        raise BadInput(f"expected a radius that is not negative, found {short_text(radius)}.")
    classes, table = distance_table(space)
    edge = Surd.of(radius)
    near = np.array([d <= edge if closed else d < edge for d in classes])
    return np.asarray(near[table])


def check_request(radius: Fraction, failure: Fraction) -> None:
    """Refuse a radius or a failure without meaning."""
    if radius < 0:
        raise BadInput(f"expected a radius that is not negative, found {short_text(radius)}.")
    if not 0 <= failure < 1:
        raise BadInput(
            f"expected a failure from 0 up to, not including, 1, found {short_text(failure)}.")


def inputs_of(asked: Asked) -> Space:
    """The space of the inputs."""
    return asked.datasets if isinstance(asked, MetricQuery) else asked


def answers_of(asked: Asked) -> Space:
    """The space of the answers."""
    return asked.codomain if isinstance(asked, MetricQuery) else asked


def values_of(asked: Asked) -> list[int]:
    """For every input, which answer is the right one."""
    return list(asked.values if isinstance(asked, MetricQuery) else range(asked.size))


@dataclass(frozen=True, eq=False)
class Aim:
    """An accuracy that is asked for: a radius and a failure, with closed or open balls."""

    asked: Asked
    radius: Fraction
    failure: Fraction
    closed: bool = True

    __repr__ = brief

    def __post_init__(self) -> None:
        own(self)
        check_request(self.radius, self.failure)
        require_connected(self.space, "what an accuracy costs is asked on")
        require_connected(self.answers, "answers are near or far on")

    @property
    def space(self) -> Space:
        """The space of the inputs."""
        return inputs_of(self.asked)

    @property
    def answers(self) -> Space:
        """The space of the answers."""
        return answers_of(self.asked)

    @cached_property
    def near(self) -> NDArray[np.bool_]:
        """For every input (row), which answers are near enough."""
        around = balls(self.answers, self.radius, closed=self.closed)
        return np.asarray(around[values_of(self.asked)])

    @property
    def loss(self) -> LossMatrix:
        """1 for an answer that is too far off."""
        return LossMatrix((~self.near).astype(np.float64))


@dataclass(frozen=True)
class Lipschitz:
    """The least C with σ(f(x), f(z)) <= C ρ(x, z), and two inputs that need it.

    `upper` is C itself where both distances are rational (`exact`), else a number just above.
    """

    upper: Fraction
    exact: bool
    witness: tuple[object, object]

    @property
    def text(self) -> str:
        """The constant, and the two inputs that need it."""
        constant = short_text(self.upper) if self.exact else f"about {float(self.upper):.10g}"
        first, second = map(label_text, self.witness)
        return f"{constant}, as from {first} to {second}"


def lipschitz(query: MetricQuery) -> Lipschitz:
    """How much a query stretches distances at most (KL-pc, Remark 2.4): its Lipschitz constant.

    Pairs of inputs with no input between them are enough.

    >>> from tightrope.spaces import query as asked
    >>> found = lipschitz(asked("path:0..3", "path:0..9", lambda x: x * x))
    >>> str(found.upper), found.witness
    ('5', (2, 3))
    """
    space, values = query.datasets, np.array(query.values)
    pairs = space.edges()
    inner, far = pair_classes(space, pairs)
    outer, ranks = distance_table(query.codomain)
    moved = ranks[values[pairs.first], values[pairs.second]]
    best, which, exact = Fraction(0), 0, True
    seen: set[tuple[int, int]] = set()
    for k, kinds in enumerate(zip(moved.tolist(), np.asarray(far).tolist(), strict=True)):
        if kinds in seen:
            continue
        seen.add(kinds)
        over, under = outer[kinds[0]], inner[kinds[1]]
        top, bottom = over.rational, under.rational
        if top is not None and bottom is not None:
            ratio, sharp = top / bottom, True
        else:
            ratio, sharp = Fraction(float_above(over.ball(160) / under.ball(160))), False
        if ratio > best:
            best, which, exact = ratio, k, sharp
    labels = space.points[int(pairs.first[which])], space.points[int(pairs.second[which])]
    return Lipschitz(best, exact, labels)
