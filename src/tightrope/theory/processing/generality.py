"""Mechanisms that no other one yields: connected row graphs, splitting (KL10, Section 3).

Mechanisms that are no post-processing of another one at the level, but for those that are one
of them too, are those with connected row graphs: every column is an extreme ray of the privacy
cone. `generalize` writes each column as a sum of such rays, at most one for each input, and
merges those that are proportional (KL10, Appendix B; maxima there run over related pairs only).
On a relation that is not connected, each ray lies in one component: outputs then tell which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush

from flint import fmpq

from tightrope.errors import TooLarge
from tightrope.exact import Level, Number, Weights, from_flint, to_flint, tolerances
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.mechanisms import (
    FiniteMechanism,
    Held,
    MatrixMechanism,
    cascade,
    finite_form,
    mechanism_picture,
)
from tightrope.privacy import Certified, certified, level_of
from tightrope.spaces import Label, Relation, Space, pair_classes, require_both_ways
from tightrope.spellings import LEVEL, RESULT, spelled
from tightrope.theory.processing.postprocessing import Channel, texts

_ZERO = Fraction(0)
_MARGIN = fmpq(1, int(1 / tolerances.TIGHT_MARGIN))
MOST_WORK = 500_000
"""Inputs times outputs times ordered irreducible pairs of a mechanism that is generalized.

Each column is a sum of at most as many rays as there are inputs, each found from all pairs."""


@dataclass(frozen=True)
class Generalized:
    """A mechanism with connected row graphs, and the channel that leads back.

    The original is exactly the new mechanism then `channel`. `unchanged` says that every row
    graph was connected and no two outputs proportional: nothing was to be done.
    """

    certified: Certified
    channel: Channel
    unchanged: bool

    @property
    def outputs(self) -> tuple[int, int]:
        """How many outputs the original had, and how many the new mechanism has."""
        return len(self.channel[0]), len(self.channel)

    def facts(self) -> Facts:
        """The outputs before and after, the level with its proof, and the channel back."""
        before, after = self.outputs
        certificate = self.certified.certificate
        return Facts(
            "Generalized",
            "nothing to do: it was maximally general" if self.unchanged else
            f"{before:,} outputs became {after:,}, each with a connected row graph",
            (*data(unchanged=self.unchanged, outputs_before=before, outputs=after,
                   **certificate.level.as_json()),
             Fact(None, "level", certificate.level),
             Fact(None, "proof", certificate.evidence.value, meaning=certificate.statement,
                  detail=True),
             Fact("channel", "back", Shown(
                 [texts(row) for row in self.channel],
                 "a channel makes the original again, exactly (listed by --json)"))),
            picture=lambda: mechanism_picture(self.certified.mechanism),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    definition="tr.theory.generalize_under(mechanism, definition)",
    delta="tr.theory.generalize_under(mechanism, definition), as δ = 0 alone is meant here",
    space="tr.mechanisms.MatrixMechanism.of(matrix, space) for a matrix without a space",
    **LEVEL, **RESULT,
)
def generalize(
    mechanism: FiniteMechanism | Held,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
) -> Generalized:
    """A mechanism at the same level whose answers tell all that this one's do, or more.

    This one can be made from it by post-processing, and it from no other at the level.

    Where e^(ε d) is irrational the new columns are tight at a rational just below it (within
    a relative 2^-40), and it is there that no other one yields it.

    Returns: `Generalized`: the new mechanism, certified, and the `channel` that leads back.

    Raises: `NotPrivate` if the mechanism does not have the level; `TooLarge` for a large one;
    `BadInput` where outputs are not listed.

    >>> from tightrope.spaces import categories
    >>> flat = MatrixMechanism(categories(2), (0,), Weights.from_integers([[1], [1]]))
    >>> found = generalize(flat, Level.ratio(2))
    >>> [found.certified.mechanism.row_at(i) for i in range(2)]
    [(Fraction(2, 3), Fraction(1, 3)), (Fraction(1, 3), Fraction(2, 3))]
    """
    level, mechanism = Level.positive(level_of(epsilon, ratio=ratio)), finite_form(mechanism)
    space = mechanism.space
    require_both_ways(space, "a mechanism is generalized on")
    work = 2 * len(space.edges()) * space.size * len(mechanism.outputs)
    if work > MOST_WORK:
        raise TooLarge(
            "the number of entries times ordered irreducible pairs", work, MOST_WORK,
            "only small mechanisms are generalized",
        )
    certified(mechanism, level.pure)
    cones = _Cone.of(space, level).by_component(Relation.on(space).components)
    rows = [mechanism.row_at(i) for i in range(space.size)]
    rays: dict[tuple[Fraction, ...], dict[int, Fraction]] = {}
    for z, column in enumerate(zip(*rows, strict=True)):
        for ray in _rays(cones, column):
            total = sum(ray)
            shares = rays.setdefault(tuple(v / total for v in ray), {})
            shares[z] = shares.get(z, _ZERO) + total
    weights = [sum(shares.values()) for shares in rays.values()]
    table = [
        [ray[i] * weight for ray, weight in zip(rays, weights, strict=True)]
        for i in range(space.size)
    ]
    outputs: tuple[Label, ...] = tuple(range(len(rays)))
    made = MatrixMechanism(space, outputs, Weights.from_fractions(table))
    channel = tuple(
        tuple(shares.get(z, _ZERO) / weight for z in range(len(mechanism.outputs)))
        for shares, weight in zip(rays.values(), weights, strict=True)
    )
    back = cascade(made, channel, mechanism.outputs)
    if any(back.row_at(i) != tuple(rows[i]) for i in range(space.size)):
        raise AssertionError("the channel leads back to the original")
    alone = sorted(z for shares in rays.values() for z in shares)  # one ray to each, one to a ray
    same = alone == list(range(len(mechanism.outputs))) and len(alone) == len(rays)
    return Generalized(certified(made, level.pure), channel, same)


def _rays(
    cones: Sequence[tuple[Sequence[int], _Cone]], column: Sequence[Fraction]
) -> Iterator[list[Fraction]]:
    """Extreme rays that add up to a column: each lies in one component, and is 0 elsewhere."""
    for members, cone in cones:
        own = [column[x] for x in members]
        for ray in cone.decompose(own) if any(own) else ():
            places = dict(zip(members, ray, strict=True))
            yield [places.get(x, _ZERO) for x in range(len(column))]


@dataclass(frozen=True)
class _Cone:
    """The privacy cone over rational factors: v[x] <= factor · v[y] for irreducible pairs."""

    size: int
    pairs: tuple[tuple[int, int, fmpq, fmpq], ...]

    @classmethod
    def of(cls, space: Space, level: Level) -> _Cone:
        pairs = space.edges()
        classes, index = pair_classes(space, pairs)
        factors = [to_flint(level.pure.ratio_below(d)) for d in classes]
        # an irrational factor is approached, not met: close to it counts as tight
        least = [
            f if level.power(d) is not None else f * (1 - _MARGIN)
            for f, d in zip(factors, classes, strict=True)
        ]
        listed = [
            (x, y, factors[k], least[k])
            for (x, y), k in zip(pairs, index.tolist(), strict=True)
        ]
        both = [*listed, *((y, x, f, t) for x, y, f, t in listed)]
        return cls(space.size, tuple(both))

    def by_component(
        self, components: Sequence[Sequence[int]]
    ) -> list[tuple[Sequence[int], _Cone]]:
        """The cone of every component, whose product this one is."""
        cones = []
        for members in components:
            place = {x: k for k, x in enumerate(members)}
            cones.append((members, _Cone(len(members), tuple(
                (place[x], place[y], f, t) for x, y, f, t in self.pairs if x in place))))
        return cones

    def parts(self, v: Sequence[fmpq]) -> list[int]:
        """For every input the name of its component in the row graph of the column."""
        name = list(range(self.size))

        def root(x: int) -> int:
            while name[x] != x:
                x = name[x]
            return x

        for x, y, _, tight in self.pairs:
            if v[x] >= tight * v[y]:
                name[root(x)] = root(y)
        return [root(x) for x in range(self.size)]

    def decompose(self, column: Sequence[Fraction]) -> list[list[Fraction]]:
        """Extreme rays of the cone that add up to the column, at most one for each input."""
        rays: list[list[Fraction]] = []
        rest = [to_flint(value) for value in column]
        while any(rest):
            ray = self._extreme(rest)
            room = [
                (factor * rest[y] - rest[x]) / (factor * ray[y] - ray[x])
                for x, y, factor, _ in self.pairs
                if factor * ray[y] > ray[x] and not self._same(rest, ray, x, y)
            ]
            step = min([*room, *(a / b for a, b in zip(rest, ray, strict=True))])
            rays.append([from_flint(step * value) for value in ray])
            rest = [a - step * b for a, b in zip(rest, ray, strict=True)]
        return rays

    def _extreme(self, column: Sequence[fmpq]) -> list[fmpq]:
        """An extreme ray with all tight pairs of the column.

        The component of the first input is raised until it joins another one, and so on. `joined`
        says how far it had been raised when an input joined it; the pair (x, y) is tight once it
        has been raised by joined[x] · factor · v[y] / v[x].
        """
        part = self.parts(column)
        members: dict[int, list[int]] = {}
        for x in range(self.size):
            members.setdefault(part[x], []).append(x)
        joined: dict[int, fmpq] = {}
        waiting: list[tuple[fmpq, fmpq, int]] = []

        def join(name: int) -> None:
            joined.update(dict.fromkeys(members[name], raised))
            for x in members[name]:
                for y, factor, tight in self.beyond[x]:
                    if y not in joined:
                        scale = raised * column[y] / column[x]
                        heappush(waiting, (scale * factor, scale * tight, y))

        raised = fmpq(1)
        join(part[0])
        while len(joined) < self.size:
            while waiting[0][2] in joined:
                heappop(waiting)
            raised = max(raised, waiting[0][0])
            later = []
            while waiting and waiting[0][0] * (1 - _MARGIN) <= raised:
                entry = heappop(waiting)
                if entry[2] not in joined and entry[1] <= raised:
                    join(part[entry[2]])
                elif entry[2] not in joined:
                    later.append(entry)
            for entry in later:
                heappush(waiting, entry)
        return [v * (raised / joined[x]) for x, v in enumerate(column)]

    @cached_property
    def beyond(self) -> list[list[tuple[int, fmpq, fmpq]]]:
        """For every input x the pairs (x, y) with their factors."""
        pairs: list[list[tuple[int, fmpq, fmpq]]] = [[] for _ in range(self.size)]
        for x, y, factor, tight in self.pairs:
            pairs[x].append((y, factor, tight))
        return pairs

    @staticmethod
    def _same(rest: Sequence[fmpq], ray: Sequence[fmpq], x: int, y: int) -> bool:
        """Whether the pair keeps its ratio: such a pair never gets in the way."""
        return rest[x] * ray[y] == rest[y] * ray[x]
