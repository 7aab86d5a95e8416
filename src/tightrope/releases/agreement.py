"""Answers of one plan that agree: by least squares with public variances, so unbiased.

Counts in the cells of some columns are sums of counts in the cells of more columns, if no row is
left out there: the filter is the same, and every further column is declared total. Such questions
are a family. All of them count the same rows, so each tells of the same effects: of the total, of
every column, of every pair of columns and so on (an analysis of variance). Effects are orthogonal,
and the noise of a question is alike in all cells, so an effect is best estimated by the mean over
the questions that have it, weighted by the inverse variances. That is the generalized least
squares estimate, in closed form and in exact fractions.

Which of a person's rows are kept differs from question to question; where a column names people,
totals alone agree.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import prod
from operator import mul

import numpy as np

from tightrope.declarations import Declaration, Tally
from tightrope.errors import BadInput
from tightrope.releases.answers import Answer, adjusted_counts, mark
from tightrope.releases.cuts import Interval, counts_kept, over_cuts
from tightrope.releases.known import Known, refuse_larger_parts, solve
from tightrope.releases.planning import QuestionPlan
from tightrope.releases.views import Cells, View, cells_of, views_of, within_relations
from tightrope.spaces import Tallies

MOST_CELLS = 200_000
"""Cells of a family whose answers are made to agree: about a minute of exact arithmetic."""

Effect = tuple[str, ...]


@dataclass(frozen=True)
class Member:
    """A question that counts, or adds up, in the cells of its keys: one of a family."""

    place: int
    plan: QuestionPlan

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns whose cells it counts in."""
        return self.plan.tally.keys

    @property
    def shape(self) -> tuple[int, ...]:
        """Cells along each of them."""
        return self.plan.tally.shape

    @cached_property
    def variance(self) -> Fraction:
        """The variance of each of its numbers."""
        part = self.plan.subqueries[0]
        return part.noise.mean_square * part.subquery.unit**2

    def values(self, drawn: Sequence[int]) -> Cells:
        """The drawn numbers in the units of the answers, one a cell."""
        subquery = self.plan.subqueries[0].subquery
        cells = np.empty(len(drawn), dtype=object)
        cells[:] = [subquery.offset + number * subquery.unit for number in drawn]
        return cells.reshape(self.shape)

    def others(self, effect: Effect) -> int:
        """How many of its cells add up to one cell of an effect."""
        return prod(length for key, length in zip(self.keys, self.shape, strict=True)
                    if key not in effect)


@dataclass(frozen=True)
class Met:
    """A known number, a question whose cells add up to it, and its place among its keys."""

    known: Known
    home: Member
    place: tuple[int, ...]


@dataclass(frozen=True)
class Family:
    """Questions about the same rows, whose margins are equal on every table.

    `totals_only` says that only the sums of all cells are. `known` are numbers of theirs that are
    public.
    """

    members: tuple[Member, ...]
    totals_only: bool
    known: tuple[Known, ...] = ()

    @property
    def numbers(self) -> int:
        """The answers of all of its questions."""
        return sum(len(member.plan.cells) for member in self.members)

    def effects(self) -> list[Effect]:
        """The effects that at least two questions have."""
        return [effect for effect in self._every_effect if len(self._with(effect)) > 1]

    @property
    def _every_effect(self) -> list[Effect]:
        if self.totals_only:
            return [()]
        return self._subsets

    @property
    def _subsets(self) -> list[Effect]:
        subsets = (tuple(sorted(subset)) for member in self.members
                   for size in range(len(member.keys) + 1)
                   for subset in combinations(member.keys, size))
        return [*dict.fromkeys(subsets)]

    def _with(self, effect: Effect) -> list[Member]:
        return [member for member in self.members if {*effect} <= {*member.keys}]

    @cached_property
    def met(self) -> tuple[Met, ...]:
        """The known numbers, each with a question that meets it; where totals alone agree, each."""
        declaration = self.members[0].plan.declaration
        return tuple(
            Met(known, home, known.place(declaration)) for known in self.known
            for home in self._with(known.keys)[: None if self.totals_only and known.keys else 1])

    def agreed(self, drawn: Mapping[int, Sequence[int]]) -> dict[int, Cells]:
        """The least-squares values of every question, by its place in the plan."""
        raw = {member.place: member.values(drawn[member.place]) for member in self.members}
        moved = dict(raw)
        for effect in self.effects():
            members = self._with(effect)
            own = [_effect(raw[member.place], member.keys, effect) for member in members]
            weights = [1 / (member.variance * member.others(effect)) for member in members]
            best = sum(map(mul, weights, own)) / sum(weights)
            for member, cells in zip(members, own, strict=True):
                moved[member.place] = cells_of(moved[member.place] + _spread(
                    (best - cells) / Fraction(member.others(effect)), effect, member.keys))
        return self._meeting(moved) if self.known else moved

    def _meeting(self, cells: dict[int, Cells]) -> dict[int, Cells]:
        """The values that are nearest to least squares, by its covariance, and meet the known."""
        own = [_sums(cells[met.home.place], met.home.keys, met.known.keys)[met.place]
               for met in self.met]
        among = [[_sums(self._covariance(met.home, other), met.home.keys, met.known.keys)[met.place]
                  for other in self.met] for met in self.met]
        values = [met.known.value for met in self.met]
        multipliers = solve(among, [a - b for a, b in zip(own, values, strict=True)], values)
        return {member.place: cells_of(cells[member.place] - sum(
            (x * self._covariance(member, met)
             for x, met in zip(multipliers, self.met, strict=True)),
            Fraction(0))) for member in self.members}

    def _covariance(self, member: Member, met: Met) -> Cells:
        """Covariances of the least-squares values of a question with a known cell of another."""
        keys, shape = met.known.keys, dict(zip(member.keys, member.shape, strict=True))
        own = self.totals_only and member is met.home  # its effects are in no other question
        total = np.zeros(member.shape, dtype=object)
        for effect in self._subsets if own else self._every_effect:
            if not {*effect} <= {*keys} & {*member.keys}:
                continue
            having = [member] if own and effect else self._with(effect)
            variance = 1 / sum(1 / (each.variance * each.others(effect)) for each in having)
            beyond = prod(len(member.plan.declaration.column(key).cells)
                          for key in keys if key not in effect)
            part = cells_of(variance / (member.others(effect) * beyond))
            for key in effect:
                along = np.full(shape[key], Fraction(-1, shape[key]), dtype=object)
                along[met.place[keys.index(key)]] += 1
                part = np.multiply.outer(part, along)
            total = total + _spread(part, effect, member.keys)
        return cells_of(total)


def families(
    plans: Sequence[QuestionPlan], known: Sequence[Known] = ()
) -> tuple[Family, ...]:
    """The questions of a plan that are related on every table, from the declaration alone."""
    groups: dict[Hashable, list[Member]] = {}
    for place, plan in enumerate(plans):
        key = _family_key(plan, place)
        if key is not None:
            groups.setdefault(key, []).append(Member(place, plan))
    people = plans[0].declaration.unit.person is not None
    public: dict[Hashable, list[Known]] = {}
    for number, each in enumerate(known, start=1):
        homes = _homes(groups, each, plans[0].declaration)
        if not homes:
            raise BadInput(f"known {number}: {_why_unknown(each, people)}.")
        for key in homes:
            public.setdefault(key, []).append(each)
    for same_rows in public.values():
        refuse_larger_parts(same_rows)
    return tuple(Family(tuple(members), people, tuple(public.get(key, ())))
                 for key, members in groups.items() if len(members) > 1 or key in public
                 if sum(member.plan.tally.size for member in members) <= MOST_CELLS)


def _homes(
    groups: Mapping[Hashable, Sequence[Member]], known: Known, declaration: Declaration
) -> list[Hashable]:
    """The questions that meet a known number: those of its rows, or for 0 of its filter.

    Whatever is left out, and whichever rows of people are kept: no rows are no rows.
    """
    known.place(declaration)
    tally = known.tally(declaration)
    having = {key: next((member for member in members if {*known.keys} <= {*member.keys}), None)
              for key, members in groups.items()}
    people = declaration.unit.person is not None
    if having.get(_rows_of(tally)) is not None and not (people and known.keys):
        return [_rows_of(tally)]
    return [key for key, member in having.items() if not known.value and known.keys
            and member is not None and not member.plan.tally.measures
            and member.plan.tally.where == tally.where]


def _why_unknown(known: Known, people: bool) -> str:
    if people and known.keys and known.value:
        return ("where a column names people, the number of counted rows can be known, and cells "
                "that are 0")
    return ("no question of the plan counts these cells in the same rows; further columns must "
            "leave no row out (missing, other)")


def _family_key(plan: QuestionPlan, place: int) -> Hashable | None:
    """The rows that a question counts or adds up; None if its answers are related to no others.

    One that only known zeros are about is a family by itself, named by its place.
    """
    if plan.keys is not None:  # keys appear by chance
        return None
    tally, strategy = plan.tally, plan.strategy
    if not (strategy.counts or strategy.signed) or plan.target is not None:
        return None
    if tally.conditions or tally.once is not None or not isinstance(
            plan.subqueries[0].subquery.space, Tallies):
        return None
    if plan.declaration.unit.person is not None:
        if tally.measures:
            return None
        if tally.cuts_cells or (tally.people and tally.size > 1):
            return place
    return _rows_of(tally)


def _rows_of(tally: Tally) -> Hashable:
    """The rows that a tally counts, or adds up: the filter, and columns that leave cells out."""
    needed = frozenset(name for name in (*tally.keys, *tally.measures)
                       if not tally.declaration.column(name).is_total)
    return tally.where, needed, tally.measures, tally.people


def _sums(cells: Cells, keys: Sequence[str], kept: Sequence[str]) -> Cells:
    """The sums over all other keys, with an axis for each of the kept ones, in their order."""
    summed = cells.sum(axis=tuple(place for place, key in enumerate(keys) if key not in kept))
    left = [key for key in keys if key in kept]
    return np.transpose(cells_of(summed), [left.index(key) for key in kept])


def _effect(cells: Cells, keys: Sequence[str], effect: Effect) -> Cells:
    """The sums over all other keys, less the means along each key of the effect."""
    moved = _sums(cells, keys, effect)
    for axis, length in enumerate(moved.shape):
        moved = moved - moved.sum(axis=axis, keepdims=True) / Fraction(length)
    return moved


def _spread(cells: Cells, effect: Effect, keys: Sequence[str]) -> Cells:
    """The cells of an effect, repeated along all other keys."""
    array = cells_of(cells)
    order = [effect.index(key) for key in keys if key in effect]
    shape = iter(np.transpose(array, order).shape)
    return np.transpose(array, order).reshape([next(shape) if key in effect else 1 for key in keys])


def agree(
    plans: Sequence[QuestionPlan], drawn: Sequence[Sequence[Sequence[int]]],
    answers: Sequence[Sequence[Answer]], known: Sequence[Known] = (),
) -> list[tuple[Answer, ...] | None]:
    """The agreed answers of each question of a plan, None where it is related to no other.

    Intervals hold together for all answers of a family, with the confidence of the plan. They are
    the raw ones at that confidence, narrowed by the relations, and stretched to hold the value.
    """
    agreed: list[tuple[Answer, ...] | None] = [None] * len(plans)
    for family in families(plans, known):
        own = {member.place: drawn[member.place][0] for member in family.members}
        cells = family.agreed(own)
        views = _narrowed(family, own, family.members[0].plan.confidence)
        for member in family.members:
            plan, place = member.plan, member.place
            values = [answer for view in views[place]
                      for answer in _answers(plan, view, view.margins(cells[place]))]
            whole: Sequence[int | None] = [None] * len(values)
            if plan.question.adjusted:
                whole = adjusted_counts(plan, [*cells[place].flat])
            agreed[place] = tuple(
                replace(answer, cell=raw.cell, adjusted=adjusted, over_cuts=means)
                for answer, raw, adjusted, means in zip(
                    values, answers[place], whole, _over_cuts(family, member, own, len(values)),
                    strict=True))
    return agreed


def _over_cuts(
    family: Family, member: Member, drawn: Mapping[int, Sequence[int]], numbers: int
) -> Sequence[Interval | None]:
    """Intervals for the means over all cuts, where kept rows are counted; they hold together."""
    if not counts_kept(member.plan):
        return [None] * numbers
    return over_cuts(member.plan, lambda surer: [
        ends for view in _narrowed(family, drawn, surer.confidence)[member.place]
        for ends in zip(view.low.flat, view.high.flat, strict=True)], family.numbers)


def _narrowed(
    family: Family, drawn: Mapping[int, Sequence[int]], confidence: Fraction
) -> dict[int, list[View]]:
    """The views of each question with intervals that hold together so surely."""
    views = [(member.place, view) for member in family.members
             for view in views_of(member.plan, member.values(drawn[member.place]))]
    sure = 1 - (1 - confidence) / family.numbers
    raw = [(place, view.wide(sure)) for place, view in views]
    exact = [(met.home.place, _exact_view(met, raw)) for met in family.met]
    narrowed = within_relations([*raw, *exact], totals_only=family.totals_only)[: len(raw)]
    return {member.place: [view for place, view in narrowed if place == member.place]
            for member in family.members}


def _exact_view(met: Met, views: Sequence[tuple[int, View]]) -> View:
    """The cells of a known number, of which its own is certain and others are as a view has them.
    """
    keys = met.known.keys
    home = next(view for place, view in views if place == met.home.place)
    low, high = (home.sums(cells, keys).copy() for cells in (home.low, home.high))
    low[met.place] = high[met.place] = Fraction(met.known.value)
    return replace(home, keys=keys, low=low, high=high)


def _answers(plan: QuestionPlan, view: View, values: Cells) -> Iterator[Answer]:
    for value, low, high in zip(values.flat, view.low.flat, view.high.flat, strict=True):
        ends = min(low, value), max(high, value)
        yield Answer((), value, *ends, mark(plan, *ends))
