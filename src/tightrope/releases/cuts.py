"""The cut of people's rows in words, and an interval that adds its own chance.

Where a column names people, counts are of kept rows: which of a person's rows are kept is drawn
evenly for each release. A count's interval is about the rows that were kept. The interval here is
about the mean of the count over all such draws.

A person's kept rows in a cell, drawn without replacement, vary no more than as many draws with
replacement (Hoeffding 1963, Theorem 4); people are drawn independently. So the moments of a count
are at most those of a Poisson number of the same mean: its variance is at most its mean. Where
cells are cut after rows, a person adds from 0 to `rows` to a cell, and the count over `rows` has
such moments: the variance is at most `rows` times the mean. Bernstein's inequality gives both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, log, sqrt
from typing import TYPE_CHECKING

from tightrope.characters import counted

if TYPE_CHECKING:
    from tightrope.releases.planning import QuestionPlan

Interval = tuple[Fraction, Fraction]


def is_cut(plan: QuestionPlan) -> bool:
    """Whether answers are about kept rows, or about people in some of their cells."""
    if plan.declaration.unit.person is None:
        return False
    if plan.keys is not None:
        return True
    return not plan.tally.people or plan.tally.cuts_cells


def counts_kept(plan: QuestionPlan) -> bool:
    """Whether answers count what was kept, and the count depends on the cut.

    The number of all kept rows does not: it is the same for every cut.
    """
    if plan.keys is not None or not (is_cut(plan) and plan.strategy.counts):
        return False
    return plan.tally.size > 1 or bool(plan.tally.conditions)


def kept(plan: QuestionPlan) -> str | None:
    """The rows or people that count, where people's rows are cut; a part of every title."""
    unit = plan.declaration.unit
    if plan.keys is not None and plan.keys.people:
        return f"{unit.nouns}, each in at most {counted(unit.cells or 1, 'key')}"
    several = isinstance(unit.person, tuple) and plan.keys is None and plan.tally.people
    if not is_cut(plan):
        return "combinations of " + " and ".join(unit.columns) if several else None
    if plan.tally.people:
        return f"{unit.nouns}, each in at most {counted(unit.cells or 1, 'cell')}"
    if plan.strategy.counts:
        return f"kept rows, at most {unit.rows:,} a {unit.noun}"
    if plan.strategy.signed:
        return f"over kept rows, at most {unit.rows:,} a {unit.noun}"
    return f"each {unit.noun} weighs at most {counted(unit.rows, 'row')}"


def notes(plan: QuestionPlan) -> list[str]:
    """The rows that are missing from the answers, and the meaning of a second interval."""
    if not is_cut(plan):
        return []
    unit = plan.declaration.unit
    if plan.keys is not None:
        keys = counted(unit.cells or 1, "key")
        return [f"People with more than {keys} are missing from the others, which are drawn evenly "
                "and anew for each release."]
    tally = plan.tally
    rows, cells = counted(unit.rows, "row"), counted(unit.cells or 1, "cell")
    words = []
    if tally.people:
        words.append(f"{unit.nouns.capitalize()} in more than {cells} are missing from the "
                     "others.")
    else:
        words.append(f"Kept of each {unit.noun}: at most {rows}, drawn evenly and anew for each "
                     "release.")
        if tally.cuts_cells:
            words.append(f"Kept rows of a {unit.noun} lie in at most {cells}, drawn evenly, too.")
    if counts_kept(plan):
        words.append("The second interval is for the mean over all such draws.")
    return words


def over_cuts(
    plan: QuestionPlan, ends: Callable[[QuestionPlan], Sequence[Interval]], together: int = 1
) -> list[Interval]:
    """Intervals for the means of counts over all cuts, as sure as those of the counts.

    `ends` are the intervals of the counts in a plan. Half of what may be missed is left to the
    noise and half to the cut, a quarter at each end, or an equal part of it for each of as many
    numbers as hold together.
    """
    tally = plan.tally
    scale = plan.declaration.unit.rows if tally.cuts_cells and not tally.people else 1
    return [mean_interval(low, high, (1 - plan.confidence) / 4 / together, scale)
            for low, high in ends(plan.surer)]


def mean_interval(low: Fraction, high: Fraction, missed: Fraction, scale: int = 1) -> Interval:
    """Whole ends around the mean of a count between `low` and `high`, each missed so rarely.

    >>> mean_interval(Fraction(1000), Fraction(1000), Fraction(1, 80))
    (Fraction(909, 1), Fraction(1099, 1))
    """
    bound = log(1 / missed)
    below, above = max(float(low), 0.0) / scale, max(float(high), 0.0) / scale
    least = below + 2 * bound / 3 - sqrt(4 * bound**2 / 9 + 2 * bound * below)
    most = above + bound + sqrt(bound**2 + 2 * bound * above)
    return Fraction(max(floor(scale * least), 0)), Fraction(ceil(scale * most))
