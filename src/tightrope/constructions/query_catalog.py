"""The catalog for queries on datasets: mechanisms that see the dataset, and the optimum.

Every construction of sets is here twice: calibrated to the level asked for, and nominal, as its
theorem states it. Parameters follow its name (`sequences.offers`).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt

from tightrope.characters import meant
from tightrope.constructions.catalog import CATALOG, Entry
from tightrope.constructions.sequences import sanitized
from tightrope.constructions.sequences.offers import OFFERS, Offer
from tightrope.constructions.sequences.on_values import NAME, obstacle, solve
from tightrope.constructions.sequences.profiles import parameters
from tightrope.errors import BadInput
from tightrope.exact import sizes
from tightrope.utility import Problem

_LARGEST = isqrt(sizes.LARGEST_MATRIX)
_NOMINAL = "-nominal"
_OPTIMUM = next(entry for entry in CATALOG if entry.name == "optimal")


def _entry(offer: Offer, nominal: bool, options: Mapping[str, str]) -> Entry:
    name = offer.name + (_NOMINAL if nominal else "")
    told = "as its theorem states it" if nominal else "calibrated to the exact level"
    return Entry(
        name,
        f"{offer.reason}, {told}",
        _LARGEST,
        lambda problem: offer.obstacle(problem, nominal),
        lambda problem, _: offer.solve(problem, options, nominal=nominal),
        any_outputs=True,
    )


QUERIES: tuple[Entry, ...] = (
    _OPTIMUM,
    Entry(NAME, "the best mechanism that sees the value of the query alone", _LARGEST, obstacle,
          solve, any_outputs=True, one_way=True),
    Entry(sanitized.NAME, "every value of the dataset is randomized, then the query is asked",
          _LARGEST, sanitized.obstacle, sanitized.solve, any_outputs=True),
    Entry(sanitized.REMAPPED, "the same, and each outcome gets the answer that loses least",
          _LARGEST, lambda problem: sanitized.obstacle(problem, remapped=True),
          sanitized.solve_remapped, any_outputs=True),
    *(_entry(offer, nominal, {}) for offer in OFFERS for nominal in (False, True)),
)


def entries_for(problem: Problem) -> tuple[Entry, ...]:
    """The constructions that a problem may be solved by: those for queries, if it has one."""
    return CATALOG if problem.query is None else QUERIES


def entry(name: str) -> Entry:
    """The construction of that name; those for queries may have parameters after it.

    >>> entry("geometric").reason
    'two-sided geometric noise, moved back into the range'
    >>> entry("stairs:gamma=1/2").name
    'stairs'
    """
    if isinstance(name, str):
        for candidate in (*CATALOG, *QUERIES):
            if candidate.name == name:
                return candidate
        base, colon, options = name.partition(":")
        for offer in OFFERS if colon else ():
            if offer.name == base.removesuffix(_NOMINAL):
                return _entry(offer, base.endswith(_NOMINAL), parameters(offer, options))
    known = [candidate.name for candidate in (*CATALOG, *QUERIES[1:])]
    listed = ", ".join(candidate.name for candidate in CATALOG)
    raise BadInput(
        f"there is no construction {str(name)[:40]!r}; expected one of {listed}, or for a query "
        f"on datasets one that a comparison lists{meant(name, known)}."
    )
