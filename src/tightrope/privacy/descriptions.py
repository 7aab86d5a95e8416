"""A proof as facts: the level, the smallest one that is proved, the evidence, who is protected.

Every result that carries a certificate describes it by these, so that each surface says the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import label_text
from tightrope.exact import Level, Surd, ball_of, told_apart
from tightrope.facts import Fact, Table, data, listing
from tightrope.mechanisms import FiniteMechanism, Mechanism
from tightrope.privacy.cards import level_shown
from tightrope.privacy.evidence import total_bits
from tightrope.spaces import Combine, Datasets, Directed, Product, Space, is_connected

if TYPE_CHECKING:
    from fractions import Fraction

    from tightrope.privacy.evidence import Certified, Smallest

_LARGEST_SHOWN = 8
"""Mechanisms up to this many inputs and outputs are shown row by row."""

_SHORT = 7
"""Characters of a fraction up to which probabilities are shown exactly."""

_WIDEST = 80
"""Characters of a line of probabilities."""


def proof_facts(certified: Certified, asked: Level | None = None) -> tuple[Fact, ...]:
    """The level of a certified mechanism, or the larger one `asked` for, and its proof."""
    certificate = certified.certificate
    smallest, level = certificate.smallest, asked or certificate.level
    return (
        *data(**level.as_json()),
        Fact(None, "level", level_shown(certificate)),
        Fact(None, "level asked", None if level == certificate.level else level),
        *data(level_proved=smallest, certified=certificate.holds),
        Fact("evidence", "proof", certificate.evidence, meaning=certificate.statement,
             detail=True),
        *data(checked=certificate.checked, neighbors=certificate.neighbors),
    )


def space_facts(space: Space, outputs: int | None) -> tuple[Fact, ...]:
    """A space and the numbers of inputs and outputs; None stands for all integers."""
    listed = "all integers" if outputs is None else f"{outputs:,} outputs"
    return (Fact("space", "space", space.text, meaning=f"{space.size:,} inputs, {listed}",
                 detail=True),
            *data(inputs=space.size, outputs=outputs))


def promises(certified: Certified) -> tuple[str, str]:
    """The guarantee of a certified mechanism in two sentences: how much it reveals, and of whom."""
    from tightrope.privacy.semantics import promise

    level, mechanism = certified.certificate.level, certified.mechanism
    return promise(level, mechanism.space), protection(mechanism, level)


def smallest_text(smallest: Smallest, asked: Level | None = None) -> str:
    """A proved smallest level in few characters, but enough to tell it from the one asked for.

    >>> from tightrope.exact import Level
    >>> from tightrope.privacy import Smallest
    >>> smallest_text(Smallest(0.6931471805599453, 0.6931471805599454, Level.ratio(2)))
    'ln(2) = 0.6931471806 exactly'
    >>> smallest_text(Smallest(0.49999999999999, 0.499999999999991, None), Level.epsilon("0.5"))
    '0.499999999999991'
    >>> smallest_text(Smallest(0.195, 0.2, None))  # a bracket that is not narrow
    '0.2 at most, 0.195 at least'
    """
    plain = _number(smallest.upper, 10)
    if bracket := at_least(smallest.lower, smallest.upper):
        return plain + bracket
    if asked is not None and plain == _number(float(asked), 10):
        plain = _apart(smallest, asked)
    exact = smallest.exact_text
    if exact == plain:
        return f"{plain} exactly"
    return plain if exact is None or len(exact) > 24 else f"{exact} = {plain} exactly"


def at_least(lower: float, upper: float) -> str:
    """The text after the upper end of a bracket, if the bracket is not narrow."""
    low, high = _number(lower, 6), _number(upper, 6)
    return "" if low == high else f" at most, {low} at least"


def _apart(smallest: Smallest, asked: Level) -> str:
    """The smallest level with digits enough to tell it from another one close to it."""
    exact = smallest.exact
    if exact is None:
        return repr(smallest.upper)
    if exact.compare_level(asked.pure) == 0:
        return _number(smallest.upper, 10)
    return told_apart(exact.ball, asked.ball, 10)[0]


def protection(mechanism: Mechanism, level: Level) -> str:
    """Who is protected: declared neighbors, one row of a table, or any two inputs."""
    space = mechanism.space
    if isinstance(space, Datasets):
        return f"Protected: {space.relation}."
    relation = space.neighbors
    if mechanism.rows is not None:
        within = "" if relation is None else f": {relation.relation}"
        return f"Protected: one row of a table of {mechanism.rows:,} rows{within}."
    if relation is not None:
        text = f"Protected: {relation.relation}."
        if level.delta == 0 or space.diameter == space.least_distance:
            return text
        if relation.apart == (Surd.of(1), Surd.of(1)):
            return f"{text} At d steps the level is dε, and δ grows to δ(e^(dε) - 1)/(e^ε - 1)."
        return f"{text} Over several steps ε d adds up, and δ grows faster than their number."
    if isinstance(space, Directed):
        return "Protected: the ordered pairs of the relation and paths of them, one way."
    inside = "" if is_connected(space) else " of one component"
    text = f"Protected: any two inputs{inside}; no neighbors are declared."
    if not isinstance(space, Product):
        return text
    both = 2 if space.combine is Combine.SUM else 1
    return f"{text} Inputs that differ by 1 in both parts are at distance {both}."


def probability_table(mechanism: Mechanism) -> tuple[Table, ...]:
    """All probabilities of a small mechanism, as fractions where those are short; else nothing."""
    small = mechanism.base
    if not isinstance(small, FiniteMechanism) or max(
            len(small.outputs), small.space.size) > _LARGEST_SHOWN:
        return ()
    rows = [small.row_at(i) for i in range(small.space.size)]
    short = all(total_bits(p) <= 24 and len(str(p)) <= _SHORT for row in rows for p in row)
    cells = [[str(p) if short else probability_text(p) for p in row] for row in rows]
    header = ["input", *map(label_text, small.outputs)]
    labeled = [[label_text(p), *row] for p, row in zip(small.space.points, cells, strict=True)]
    width = sum(3 + max(map(len, column)) for column in zip(header, *labeled, strict=True))
    return (listing("", header, labeled, listed=0),) if width <= _WIDEST else ()


def probability_text(p: Fraction) -> str:
    """A probability to four digits; one below the range of doubles is not shown as zero.

    >>> from fractions import Fraction
    >>> probability_text(Fraction(1, 3)), probability_text(Fraction(1, 2**4000))
    ('0.3333', '7.586e-1205')
    """
    near = float(p)
    return _number(near, 4) if near or not p else str(ball_of(p, 80).str(4, radius=False))


def _number(value: float, digits: int) -> str:
    return f"{value:.{digits}g}"
