"""The choices that users make by name, and how a name becomes one.

A text is turned into the member of an enum at the door, or refused there. Inside the library
choices are compared with `is`, which no text ever satisfies: a text that came through would be
taken for whatever the last branch does. Choices that commands offer stand here, where they
load nothing else.
"""

from enum import Enum, StrEnum
from typing import TypeVar

from tightrope.characters import meant
from tightrope.errors import BadInput

Choice = TypeVar("Choice", bound=Enum)


def member_of(kind: type[Choice], value: object, what: str | None = None) -> Choice:
    """The member that the value is or names; raises `BadInput` with all that are known.

    `what` is the word for the choice, the name of the enum if not given.

    >>> from enum import StrEnum
    >>> Goal = StrEnum("Goal", ["AVERAGE", "WORST"])
    >>> member_of(Goal, "worst") is member_of(Goal, Goal.WORST)
    True
    >>> member_of(Goal, "typo")
    Traceback (most recent call last):
        ...
    tightrope.errors.BadInput: there is no goal 'typo'; expected one of average, worst.
    """
    if isinstance(value, kind):
        return value
    for member in kind:
        if isinstance(value, str) and value == member.value:
            return member
    known = [str(member.value) for member in kind]
    raise BadInput(
        f"there is no {what or kind.__name__.lower()} {str(value)[:40]!r}; "
        f"expected one of {', '.join(known)}{meant(value, known)}.",
        found=value,
    )


class Interval(StrEnum):
    """How an interval is made.

    EXACT keeps every proportion whose count has no tail too rare, and holds for every number of
    rows; it exists where the estimate of a value follows one count. SCORE keeps every
    proportion t at which the estimate is within the usual multiple of its standard deviation
    *at t* and half a step, the other proportions in the ratios of the estimate; without
    randomization it is Wilson's with the continuity correction. NORMAL takes the variance at the
    estimate (Wald): too narrow for rare values and few rows. CHEBYSHEV takes the largest variance
    that any proportions have, and holds for every number of rows.
    """

    EXACT = "exact"
    NORMAL = "normal"
    SCORE = "score"
    CHEBYSHEV = "chebyshev"


class Measure(StrEnum):
    """How much a mechanism tells, by a measure that post-processing never raises.

    DOBRUSHIN is how little the laws of two inputs overlap at least (0 would tell them apart),
    DETERMINANT that of a square matrix, MUTUAL_INFORMATION that of input and output in bits.
    """

    DOBRUSHIN = "dobrushin"
    DETERMINANT = "determinant"
    MUTUAL_INFORMATION = "mutual-information"


class Estimator(StrEnum):
    """Which proportions stand beside the unbiased ones: not negative, adding up to 1, but biased.

    SIMPLEX is the nearest vector of proportions to the unbiased estimate; CLIPPED sets negative
    entries to zero and scales the others, which lowers the largest; LIKELIHOOD is the most likely
    vector.
    """

    SIMPLEX = "simplex"
    CLIPPED = "clipped"
    LIKELIHOOD = "likelihood"


class Reporting(StrEnum):
    """The report of a row of a sanitized column.

    RESPONSE is one value; SUBSET and UNARY are a set of values; BEST is what errs least for
    their number and the level.
    """

    RESPONSE = "response"
    SUBSET = "subset"
    UNARY = "unary"
    BEST = "best"


class Split(StrEnum):
    """How several columns share a level.

    ERROR makes the squared errors of all shares least in sum, MARGINS the largest margin of a
    share least; EVEN gives equal parts.
    """

    ERROR = "error"
    MARGINS = "margins"
    EVEN = "even"


class Estimand(StrEnum):
    """The aim of an estimate: the shares of a column, cumulative shares, or the mean of scores."""

    SHARES = "shares"
    CUMULATIVE = "cumulative"
    MEAN = "mean"


class Missing(StrEnum):
    """The value of a cell that holds no declared one: the first of them, or a value of its own."""

    FIRST = "first"
    VALUE = "value"


class Goal(StrEnum):
    """Which loss counts: on average over the prior, or for the worst input.

    >>> Goal("worst") is Goal.WORST
    True
    """

    AVERAGE = "average"
    WORST = "worst"


class Count(StrEnum):
    """The subgraphs that are counted in a graph."""

    TRIANGLES = "triangles"
    STARS2 = "stars2"
    STARS3 = "stars3"
    EDGES = "edges"


class Method(StrEnum):
    """How a count of a graph is protected."""

    LADDER = "ladder"
    SMOOTH = "smooth"
    GLOBAL = "global"
    PRIVACY_FIRST = "privacy-first"


class Statistic(StrEnum):
    """The statistic of a graph: one of its counts, or its degrees."""

    TRIANGLES = "triangles"
    STARS2 = "stars2"
    STARS3 = "stars3"
    EDGES = "edges"
    DEGREES = "degrees"


class Protect(StrEnum):
    """The difference between neighboring graphs: one edge, or all edges at one node."""

    EDGES = "edges"
    NODES = "nodes"


class Directed(StrEnum):
    """Which pairs of nodes a list of arrows joins: those with an arrow either way, or both ways."""

    EITHER = "either"
    BOTH = "both"


class Shape(StrEnum):
    """Which noise on the line: in steps as wide as the largest change, or in the sets that one,
    two, three people explain, as they are or widened; BEST is what errs least on average."""

    BEST = "best"
    THEOREM_1 = "theorem-1"
    THEOREM_2 = "theorem-2"
    THEOREM_3 = "theorem-3"
    STAIRCASE = "staircase"


class Trend(StrEnum):
    """Which way a curve is known to go."""

    UP = "up"
    DOWN = "down"


class Cost(StrEnum):
    """The cost of a displaced output: its displacement in meters, the square of that, being in
    another cell than the truth, or the longer way to the facility that is nearest to it."""

    METERS = "meters"
    SQUARED = "squared"
    CELL = "cell"
    FACILITY = "facility"


class Blur(StrEnum):
    """Noise in the plane; STEPS keeps a promise at its distance alone, the others at every one."""

    PLANAR = "planar"
    PLANAR_LAPLACE = "planar-laplace"
    STEPS = "steps"


class CellBlur(StrEnum):
    """A construction on the cells of a region.

    OPTIMAL_WITHIN keeps a promise at its distance alone, the others at every distance.
    """

    TIGHT = "tight"
    EXPONENTIAL = "exponential"
    PLANAR_GEOMETRIC = "planar-geometric"
    PLANAR_LAPLACE = "planar-laplace"
    OPTIMAL = "optimal"
    OPTIMAL_WITHIN = "optimal-within"


class Unusable(StrEnum):
    """The fate of a row whose position cannot be used.

    CENTER draws as if it were in the middle of the region, which tells nothing of the row. DROP
    leaves it out: which rows had no position is then in clear.
    """

    CENTER = "center"
    DROP = "drop"
