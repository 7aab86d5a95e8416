"""The proved mechanism of each column, from what it may hold and the level alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted
from tightrope.choices import Estimand, Missing, Reporting, Split, member_of
from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, fraction_of
from tightrope.privacy import Certified, level_of
from tightrope.spaces import categories
from tightrope.spellings import DECLARED, LEVEL, TABLE, spelled
from tightrope.tables.columns import MISSING
from tightrope.tables.domains import (
    Bins,
    Domain,
    Sets,
    Values,
    counting_missing_as,
    read_domain,
)
from tightrope.tables.protected import ProtectedColumn
from tightrope.tables.scores import scores_of
from tightrope.tables.splits import Shared, share_level
from tightrope.utility import LARGEST_RANDOMIZER

if TYPE_CHECKING:  # constructions are slow to load, and not for reading a document
    from tightrope.constructions import FrequencyProtocol, Randomizer

Declared = str | Sequence[Any] | Domain
"""The domain of a column: a text as `read_domain` takes it, the values themselves, a domain."""

Each = str | Mapping[str, str]
"""A choice for all columns, or for columns by their names."""


@spelled(DECLARED, **LEVEL, **TABLE)
def protect(
    columns: Mapping[str, Declared],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    protocol: Reporting | str | None = None,
    split: Split | str = Split.ERROR,
    weights: Mapping[str, Number] | Sequence[Number] | None = None,
    missing: Each = Missing.FIRST,
    aim: Each | None = None,
) -> tuple[ProtectedColumn, ...]:
    """The proved mechanism of each column, from what it may hold and the level alone.

    Parameters: as of `sanitize`, which takes its mechanisms from here.

    Returns: a `ProtectedColumn` for each column, in order; their levels share the whole one.

    Raises: `BadInput` for no columns, or values, a protocol or an aim that cannot be used.
    `BadLevel` for an ε that is not above 0, or a δ.

    >>> both = protect({"answer": "no/yes", "color": ["red", "green", "blue"]}, Level.ratio(9),
    ...                split="even")
    >>> [(column.level.text, column.kept) for column in both]
    [('ln(3)', 0.75), ('ln(3)', 0.6)]
    """
    return protect_all(columns, epsilon, ratio=ratio, protocol=protocol, split=split,
                       weights=weights, missing=missing, aim=aim)[0]


def protect_all(
    columns: Mapping[str, Declared],
    epsilon: Level | Number | None,
    *,
    ratio: Number | None,
    protocol: Reporting | str | None,
    split: Split | str,
    weights: Mapping[str, Number] | Sequence[Number] | None,
    missing: Each,
    aim: Each | None,
) -> tuple[tuple[ProtectedColumn, ...], Shared]:
    """As `protect`, and how the level was split."""
    chosen = None if protocol is None else member_of(Reporting, protocol, "protocol")
    total, shared = Level.positive(level_of(epsilon, ratio=ratio)), member_of(Split, split)
    if not columns:
        raise BadInput("name at least one column to randomize.")
    if total.delta:
        raise BadLevel(f"δ = {total.delta}", "a level with δ = 0: rows are randomized at an ε")
    names = list(columns)
    if missing is None:
        raise BadInput("expected first, value, or a declared value for missing cells, found None.")
    rules, aims = _of_each(missing, names, Missing.FIRST.value), _of_each(aim, names, None)
    domains = [_domain(values, rule) for values, rule in zip(columns.values(), rules, strict=True)]
    estimands = [None if aim is None else member_of(Estimand, aim, "aim") for aim in aims]
    for domain, estimand in zip(domains, estimands, strict=True):
        _check_aim(domain, estimand, chosen)
    allowed = [_protocols(domain, chosen if estimand is None else Reporting.BEST)
               for domain, estimand in zip(domains, estimands, strict=True)]
    designed = [estimand if _can_be_designed(domain) else None
                for domain, estimand in zip(domains, estimands, strict=True)]
    shares = share_level(total, domains, allowed, shared, _weights(weights, names), designed)
    made = []
    for name, domain, level, ways, estimand, own in zip(
            names, domains, shares.levels, allowed, estimands, designed, strict=True):
        way, response, design = _response(domain, level, ways, own)
        made.append(ProtectedColumn(name, domain, level, way, response, aim=estimand,
                                    design=design))
    return tuple(made), shares


def _of_each(given: Each | None, names: Sequence[str], absent: str | None) -> list[str | None]:
    """The choice for each column."""
    if not isinstance(given, Mapping):
        return [given] * len(names)
    unknown = [name for name in given if name not in names]
    if unknown:
        raise BadInput(f"column {unknown[0]!r} is not randomized; these are: {', '.join(names)}.")
    return [given.get(name, absent) for name in names]


def _weights(
    given: Mapping[str, Number] | Sequence[Number] | None, names: Sequence[str]
) -> list[Fraction] | None:
    """The positive weights of the columns, None if there are none."""
    if given is None:
        return None
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence):
        raise BadInput("expected a weight for each column, as in [1, 2], found "
                       f"{str(given)!r:.40}.")
    if isinstance(given, Mapping) and given.keys() == set(names):
        listed = [given[name] for name in names]
    else:
        listed = list(given.values() if isinstance(given, Mapping) else given)
    weights = [fraction_of(weight, "a weight") for weight in listed]
    if len(weights) != len(names) or min(weights) <= 0:
        raise BadInput(f"expected a weight above 0 for each of {counted(len(names), 'column')}, "
                       f"found {', '.join(map(str, listed)):.60}.")
    return weights


def _domain(values: Declared, rule: str | None) -> Domain:
    own = rule == Missing.VALUE
    if isinstance(values, Values | Bins | Sets):
        domain: Domain = values
    elif isinstance(values, str):
        domain = read_domain(values, missing=own)
    else:
        if isinstance(values, set | frozenset) or not isinstance(values, Iterable):
            raise BadInput("expected what a column may hold in an order, as in no/yes or "
                           f"[\"no\", \"yes\"], found {values!r:.60}.")
        names = [str(value) for value in values]
        domain = Values(categories([*names, *[MISSING] * (own and MISSING not in names)]))
    return domain if rule in (*Missing, None) else counting_missing_as(domain, str(rule))


def _protocols(domain: Domain, chosen: Reporting | None) -> frozenset[FrequencyProtocol]:
    """The protocols that a column may use."""
    from tightrope.constructions import FrequencyProtocol

    if isinstance(domain, Sets) and domain.most is None:
        if chosen not in (None, Reporting.RESPONSE, Reporting.BEST):
            raise BadInput(
                f"a column of sets is randomized item by item; the protocol {chosen} is for "
                "listed values, cells, and sets of at most so many items, as in sets3:a/b/c."
            )
        return frozenset({FrequencyProtocol.RESPONSE})
    if chosen is None:
        chosen = Reporting.BEST if isinstance(domain, Sets) else Reporting.RESPONSE
    return {
        Reporting.RESPONSE: frozenset({FrequencyProtocol.RESPONSE}),
        Reporting.SUBSET: frozenset({FrequencyProtocol.SUBSETS}),
        Reporting.UNARY: frozenset({FrequencyProtocol.SYMMETRIC, FrequencyProtocol.OPTIMIZED}),
        Reporting.BEST: frozenset(FrequencyProtocol) - {FrequencyProtocol.DESIGNED},
    }[chosen]


def _check_aim(domain: Domain, aim: Estimand | None, chosen: Reporting | None) -> None:
    """Refuse an aim for which no mechanism is designed."""
    if aim is None or (aim is Estimand.SHARES and isinstance(domain, Sets)):
        return
    if chosen not in (None, Reporting.BEST):
        raise BadInput(f"an aim has a design of its own; leave out the protocol {chosen}.")
    if isinstance(domain, Sets):
        raise BadInput(f"items of sets have no {aim}; the aim of a column of sets is shares.")
    if not _can_be_designed(domain) and aim is not Estimand.SHARES:
        raise BadInput(f"mechanisms are designed for up to {LARGEST_RANDOMIZER} values, found "
                       f"{domain.space.size}; declare fewer, or cells as in bins:0,10,20.")
    if MISSING in domain.space.points and aim is not Estimand.SHARES:
        raise BadInput(f"the aim {aim} needs every cell to have a place among the values: let "
                       "missing cells count as a declared value.")


def _can_be_designed(domain: Domain) -> bool:
    """Whether a mechanism is designed for an aim; other columns use the best protocol."""
    return not isinstance(domain, Sets) and domain.space.size <= LARGEST_RANDOMIZER


def _response(
    domain: Domain, level: Level, allowed: frozenset[FrequencyProtocol], aim: Estimand | None
) -> tuple[FrequencyProtocol, Certified, Randomizer | None]:
    """The protocol that errs least of those allowed, or a design for the aim, proved."""
    from tightrope.constructions import (
        FrequencyProtocol,
        compare_protocols,
        design_report,
        item_response,
        reporting,
    )
    if isinstance(domain, Sets) and domain.most is None:
        each = level.scaled(Fraction(1, len(domain.items)))
        return FrequencyProtocol.RESPONSE, item_response(domain.space, each), None
    size = domain.space.size
    if aim is not None:
        weights = [scores_of(domain.space.points)] if aim is Estimand.MEAN else aim.value
        design = design_report(domain.space, level, weights)
        return FrequencyProtocol.DESIGNED, design.certified, design.randomizer
    way = next(iter(allowed)) if len(allowed) == 1 else next(
        row.protocol for row in compare_protocols(size, level) if row.protocol in allowed)
    return way, reporting(domain.space, level, way), None


