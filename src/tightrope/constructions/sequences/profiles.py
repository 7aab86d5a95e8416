"""Profile of a query: its sensitivities, and the sets that mechanisms make of it.

Global and local sensitivity, linear, monotone, permutation and identity queries are Definitions
9 to 12 of WXH; Theorems 1 to 6 draw from the sets of answers around each dataset, and those of
Theorem 2 are the table of Algorithm 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tightrope.constructions.obstacles import refuse
from tightrope.constructions.sequences.offers import OFFERS, Offer
from tightrope.constructions.sequences.set_sequences import NEVER, SetSequences
from tightrope.constructions.sequences.solving import QueryTask
from tightrope.errors import BadInput
from tightrope.markup import brief
from tightrope.spaces import Label, MetricQuery, label_to_json
from tightrope.utility import Problem


@dataclass(frozen=True)
class QueryProfile:
    """A query, and the sets of one construction if they were asked for."""

    query: MetricQuery
    construction: str | None = None
    sets: SetSequences | None = None

    __repr__ = brief

    @property
    def steepest(self) -> tuple[Label, Label] | None:
        """Two neighbors whose values differ most; None if no neighbors differ."""
        pairs, ranks = self.query.neighbors, self.query.ranks[:, list(self.query.values)]
        far = ranks[pairs.first, pairs.second]
        if not len(far) or not far.max():
            return None
        k, points = int(np.argmax(far)), self.query.datasets.points
        return points[int(pairs.first[k])], points[int(pairs.second[k])]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Which of the words linear, monotone, permutation and identity the query deserves."""
        query = self.query
        properties = (("linear", query.is_linear), ("monotone", query.is_monotone),
                ("permutation", query.is_permutation), ("identity", query.is_identity))
        return tuple(word for word, holds in properties if holds)

    def local(self, x: int) -> tuple[str, ...]:
        """The local sensitivity of dataset x at distance 0, 1, … as long as it grows."""
        widths = self.query.ladder(x)
        last = widths.index(widths[-1])
        return tuple(str(self.query.lengths[width]) for width in widths[: last + 1])

    def sets_of(self, x: int) -> list[tuple[str, tuple[Label, ...]]]:
        """The index of every set around dataset x, and the answers in it."""
        if self.sets is None:
            return []
        sets: dict[int, list[Label]] = {}
        for step, answer in zip(self.sets.indices[x].tolist(), self.query.codomain.points,
                                strict=True):
            if step != NEVER:
                sets.setdefault(step, []).append(answer)
        return [(_index(step, self.sets.fineness), tuple(sets[step])) for step in sorted(sets)]

    def as_json(self) -> dict[str, Any]:
        """The query dataset by dataset, as `tightrope theory query --json` prints it."""
        query, steepest, uneven = self.query, self.steepest, self.query.uneven
        points, values = query.datasets.points, query.codomain.points
        return {
            "space": query.datasets.text,
            "values": query.codomain.text,
            "sensitivity": str(query.global_sensitivity),
            "steepest": None if steepest is None else [label_to_json(x) for x in steepest],
            "kinds": list(self.kinds),
            "uneven": None if uneven is None else [label_to_json(x) for x in uneven],
            "construction": self.construction,
            "rows": [
                {"dataset": label_to_json(points[x]),
                 "value": label_to_json(values[query.values[x]]),
                 "local": list(self.local(x)),
                 "sets": [[step, [label_to_json(answer) for answer in answers]]
                          for step, answers in self.sets_of(x)]}
                for x in range(query.datasets.size)
            ],
        }


def profile(query: MetricQuery, construction: str | None = None) -> QueryProfile:
    """The sensitivities of a query, and the sets that a construction makes of it.

    >>> from tightrope.spaces import query
    >>> squares = profile(query("path:0..3", None, [0, 1, 4, 9]), "inverse-sensitivity")
    >>> str(squares.query.global_sensitivity), squares.steepest, squares.local(0), squares.kinds
    ('5', (2, 3), ('1', '3', '5'), ())
    >>> squares.sets_of(1)
    [('0', (1,)), ('1', (0, 4)), ('2', (9,))]
    """
    if construction is None:
        return QueryProfile(query)
    name, _, text = construction.partition(":")
    offer = next((candidate for candidate in OFFERS if candidate.name == name), None)
    if offer is None:
        listed = ", ".join(candidate.name for candidate in OFFERS)
        raise BadInput(f"expected sets of one of {listed}, found {construction[:40]!r}.")
    problem = Problem(query.datasets, 1, query=query)
    refuse(name, offer.obstacle(problem))
    options = parameters(offer, text) if text else {}
    candidates = list(offer.sets(QueryTask.of(problem), options))
    if not candidates:
        raise BadInput(f"{name} has no sets that cover the same answers for all datasets.")
    return QueryProfile(query, candidates[0].text, candidates[0].sets)


def parameters(offer: Offer, text: str) -> dict[str, str]:
    """Parameters written as name=value, with commas between."""
    values: dict[str, str] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or key in values:
            example = ",".join(f"{option}=…" for option in offer.options) or "no parameters"
            raise BadInput(f"expected {offer.name}:{example}, each once, found {text[:60]!r}.")
        values[key] = value
    return values


def _index(step: int, fineness: int) -> str:
    whole, rest = divmod(step, fineness)
    return str(whole) if not rest else f"{step}/{fineness}"
