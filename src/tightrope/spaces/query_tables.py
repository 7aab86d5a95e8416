"""A query as it is given: a value for each dataset, and what the values mean.

Numbers are points of a line. Vectors of numbers are points at their Euclidean, Manhattan or
Chebyshev distance. Any other value needs the space that it is a point of. A table that misses a
dataset, names one twice or has a value outside the space is refused in one sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tightrope.choices import member_of
from tightrope.errors import BadInput, BadLevel, NotAPoint
from tightrope.exact import Number, stated
from tightrope.spaces.checks import decimal
from tightrope.spaces.frames import in_order
from tightrope.spaces.matrices import matrix
from tightrope.spaces.named_queries import named_query
from tightrope.spaces.norms import Metric
from tightrope.spaces.positions import points
from tightrope.spaces.protocol import Label, Space, label_of
from tightrope.spaces.sensitivity import MetricQuery
from tightrope.spaces.text import space_of

QueryLike: TypeAlias = (
    MetricQuery | Callable[[Any], Any] | Mapping[Any, Any] | Sequence[Any] | Iterable[Any] | str
)
"""A query: a function, a table from datasets to values, values in the order of the datasets (a
list, an array, a Series), or the name of one (sum, median, triangles, …)."""

_VECTORS = {Metric.EUCLIDEAN.value, Metric.MANHATTAN.value, Metric.CHEBYSHEV.value}

Values = Space | str | None


def query(
    datasets: Space | str,
    codomain: Values,
    function: QueryLike,
    measure: Mapping[Any, Number] | Sequence[Number] | None = None,
    *,
    outputs: Sequence[Any] = (),
) -> MetricQuery:
    """A question about datasets: a value for each of them, in a space of values (codomain).

    It knows how much one step changes the answer: globally, or near one dataset. Without a
    codomain values are numbers, or vectors of them ("manhattan", "chebyshev" or "euclidean" says
    how far apart those are); `outputs` are answers beside the values that occur. `measure` weighs
    the answers, evenly if not given.

    >>> from tightrope.spaces import path
    >>> f = query(path(0, 3), path(0, 9), lambda x: x * x)
    >>> str(f.global_sensitivity), str(f.local_sensitivity(0)), str(f.local_sensitivity(0, 1))
    ('5', '1', '3')
    >>> f.is_monotone, f.is_linear
    (False, False)
    >>> query("path:0..2", None, {0: 0, 1: 0.5, 2: 7}).codomain.points
    (0, '0.5', 7)
    """
    space = space_of(datasets)
    given = _values_in_order(function, space)
    if codomain is None or (isinstance(codomain, str) and codomain.lower() in _VECTORS):
        labels, line = _numbers(given, outputs, codomain or "euclidean", space)
    else:
        line = space_of(codomain)
        labels = given
    values = tuple(_place(line, x, value) for x, value in zip(space.points, labels, strict=True))
    return MetricQuery(space, line, values, _weights(measure, line))


def query_of(given: QueryLike, datasets: Space, outputs: Sequence[Any] | None) -> MetricQuery:
    """The query as it was given; one that is made must be about these datasets."""
    if not isinstance(given, MetricQuery):
        return query(datasets, None, given, outputs=outputs or ())
    if given.datasets != datasets:
        raise BadInput(
            f"the query is about {given.datasets.text}, and the space is {datasets.text}."
        )
    return given


def number_label(value: Fraction) -> Label:
    """A number as the label of a point: whole, else a short decimal, else p/q.

    >>> number_label(Fraction(2)), number_label(Fraction(1, 4)), number_label(Fraction(1, 3))
    (2, '0.25', '1/3')
    """
    return int(value) if value.denominator == 1 else decimal(value)


def _values_in_order(given: Any, space: Space) -> list[Any]:
    """The values in the order of the datasets."""
    if isinstance(given, str):
        given = named_query(given, space)
    if isinstance(given, Mapping):
        return _look_up(given, space)
    if callable(given):
        return [_call(given, x) for x in space.points]
    given = in_order(given, space.points)
    values = given.tolist() if hasattr(given, "tolist") else given
    if not isinstance(values, Iterable):
        raise BadInput(
            "expected a query as a function, a table from datasets to values, a list of values "
            f"or a name, found {type(given).__name__}."
        )
    answers = list(values)
    if len(answers) != space.size:
        raise BadInput(
            f"expected a value for each of {space.size:,} datasets, found {len(answers):,}."
        )
    return answers


def _call(function: Callable[[Any], Any], x: Label) -> Any:
    try:
        return function(x)
    except NotAPoint:
        raise
    except Exception as failure:
        raise BadInput(
            f"the query could not be computed for the dataset {x!r}: "
            f"{type(failure).__name__}: {failure}."
        ) from failure


def _look_up(table: Mapping[Any, Any], space: Space) -> list[Any]:
    values: dict[int, Any] = {}
    for key, value in table.items():
        place = space.index(label_of(key))
        if place in values:
            raise BadInput(f"the query names the dataset {space.points[place]!r} twice.")
        values[place] = value
    if len(values) < space.size:
        missing = next(x for k, x in enumerate(space.points) if k not in values)
        raise BadInput(f"the query has no value for the dataset {missing!r}.")
    return [values[k] for k in range(space.size)]


def _numbers(
    given: list[Any], outputs: Sequence[Any], metric: str, space: Space
) -> tuple[list[Label], Space]:
    """Values as labels, and the space of all numbers or vectors that occur or may be answered."""
    vectors = [_vector(value, x) for x, value in zip(space.points, given, strict=True)]
    also = [_vector(value, "an output") for value in outputs]
    widths = {len(vector) for vector in (*vectors, *also)}
    if len(widths) > 1:
        raise BadInput(f"expected values of one length, found {sorted(widths)[:3]}.")
    distinct = sorted({*vectors, *also})
    if len(distinct) < 2:
        raise BadInput("the query has one value only: there is nothing to protect.")
    single = len(distinct[0]) == 1
    names = {
        vector: number_label(vector[0]) if single else tuple(map(number_label, vector))
        for vector in distinct
    }
    labels = [names[vector] for vector in distinct]
    kind = member_of(Metric, metric.lower())
    if single or kind is Metric.EUCLIDEAN:
        line: Space = points(labels, distinct)
    else:
        combine = sum if kind is Metric.MANHATTAN else max
        line = matrix(labels, [[combine(abs(a - b) for a, b in zip(u, v, strict=True))
                                for v in distinct] for u in distinct])
    return [names[vector] for vector in vectors], line


def _vector(value: Any, x: object) -> tuple[Fraction, ...]:
    plain = value.tolist() if hasattr(value, "tolist") else value
    parts = plain if isinstance(plain, list | tuple) and plain else (plain,)
    try:
        return tuple(stated(part, "a number") for part in parts)
    except (BadLevel, ValueError, TypeError, OverflowError):
        raise BadInput(
            f"expected a number as the value of {x!r}, found {str(value)[:60]!r}; values that are "
            "no numbers need their space, such as categories:red/green."
        ) from None


def _place(line: Space, x: Label, value: Any) -> int:
    try:
        return line.index(label_of(value))
    except NotAPoint as outside:
        raise NotAPoint(value, line) from outside


def _weights(measure: Any, line: Space) -> tuple[Fraction, ...]:
    if measure is None:
        return (Fraction(1),) * line.size
    if isinstance(measure, Mapping):
        weights = {_answer(line, key): value for key, value in measure.items()}
        if len(weights) < len(measure):
            raise BadInput("the base measure names a value twice.")
        measure = [weights.get(r, 0) for r in range(line.size)]
    try:
        return tuple(stated(weight, "a weight") for weight in in_order(measure, line.points))
    except (BadLevel, ValueError, TypeError):
        raise BadInput("expected a base measure as numbers, one for each value.") from None


def _answer(line: Space, key: Any) -> int:
    """Where a value stands, by its label or as the number or vector that it is."""
    try:
        return line.index(label_of(key))
    except NotAPoint:
        try:
            parts = tuple(map(number_label, _vector(key, key)))
        except BadInput:
            parts = ()
        if not parts:
            raise
        return line.index(parts[0] if len(parts) == 1 else parts)
