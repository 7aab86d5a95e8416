"""True proportions behind randomized columns of a table: of each column, or of several jointly.

Only randomized columns are read, so an estimate costs no privacy. What a column went through is
given, or kept with what `sanitize` returned, or in TABLE.COLUMN.mechanism.json beside a file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any, Generic, TypeVar

from tightrope.characters import counted, few, label_text
from tightrope.choices import Estimator, Interval
from tightrope.errors import BadInput
from tightrope.facts import Facts, card_of, data, lines_of
from tightrope.files import StrPath, mechanism_path
from tightrope.mechanisms import ReportMechanism, finite
from tightrope.spellings import RESULT, spelled
from tightrope.tables.counting import count_column, count_items, count_joint
from tightrope.tables.frames import frame_of, name_alone
from tightrope.tables.passages import Passage, Through
from tightrope.tables.protected import ProtectedColumn, Sanitized
from tightrope.tables.report_columns import count_reports
from tightrope.tables.tables import STANDARD_INPUT, FileTable, Table, open_table
from tightrope.utility import (
    Estimate,
    QueryEstimates,
    check_joint,
    estimate,
    estimate_items,
    estimate_joint,
    estimate_reports,
    estimate_sampled,
)

Estimated = TypeVar("Estimated", bound=Estimate | QueryEstimates, covariant=True)

_SPELLED = {
    "aim": 'tr.tables.estimate_aim(table, "stars", "mean")',
    "scores": 'tr.tables.estimate_aim(table, "stars", scores=[1, 2, 3])',
    "joint": 'tr.tables.cross_table(table, ["a", "b"])',
    "json": RESULT["json"],
}
"""The calls that make other estimates, by the option that asks for them."""


@dataclass(frozen=True)
class Estimates(Generic[Estimated]):
    """The estimates of several randomized columns of one table, each on its own.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"a": [0, 1, 1], "b": ["x", "y", "x"]}, {"a": "0/1", "b": "x/y"}, 200)
    >>> both = estimate_columns(done)
    >>> [row.value for row in both["b"].rows if row.estimate > 0.5]
    ['x']
    """

    columns: tuple[str, ...]
    estimates: tuple[Estimated, ...]

    def __getitem__(self, column: str) -> Estimated:
        """The estimate of a column; `BadInput` for one that was not estimated."""
        if column not in self.columns:
            raise BadInput(f"{column!r} was not estimated; these were: {few(self.columns)}.")
        return self.estimates[self.columns.index(column)]

    def facts(self) -> Facts:
        """A table for each column, and what a reader must know of all."""
        first = self.estimates[0]
        tables = (replace(one.table(), key=None, label=label_text(name))
                  for name, one in zip(self.columns, self.estimates, strict=True))
        listed = [{"column": name, **one.facts().json}
                  for name, one in zip(self.columns, self.estimates, strict=True)]
        return Facts(
            "Estimates",
            f"{counted(len(self.columns), 'column')} of "
            f"{counted(first.n, 'randomized row')}, {first.facts().title.split(', ', 1)[1]}",
            (*tables, *data(columns=listed, n=first.n, confidence=first.confidence,
                            sampling=first.sampling),
             *(data(estimator=first.estimator) if isinstance(first, Estimate) else ())),
            (*dict.fromkeys(remark for one in self.estimates for remark in one.remarks),
             "Each interval holds for its own estimate, not all of them at once."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    **_SPELLED, columns='tr.tables.estimate_columns(table, ["a", "b"])',
    mechanisms="tr.tables.estimate_columns(table, mechanisms={…})",
)
def estimate_column(
    table: Any,
    column: str | None = None,
    mechanism: Through | None = None,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    curator: bool = False,
) -> Estimate:
    """The true proportions of a column, estimated from what its mechanism made of it.

    Only the randomized column is read, so the estimate costs no privacy. Its `missing` is the
    value that cells without a declared value were randomized as, and count in.

    Parameters
    ----------
    table
        What `sanitize` returned, or a table as it takes it.
    column
        Its name; None if there is one randomized column, as in a list, an array or a Series.
    mechanism
        What the column went through: a document by its path, a certified mechanism, or a
        column of what `sanitize` returned. None takes the document beside a file, or what
        `sanitize` returned.
    curator
        Whether an error may tell which values are no outputs of the mechanism, and how many.

    Returns
    -------
    Estimate
        Its `rows` have the share of each value, with an interval.

    Raises
    ------
    NotCertified
        If the mechanism was not proved.
    BadInput
        If the column is not named, or the confidence is not between 0 and 1.
    BadTable
        If there is no such column, no row, or a value that is no output of the mechanism.

    >>> from tightrope.tables import sanitize
    >>> from tightrope.exact import Level
    >>> done = sanitize(["no", "yes", "no", "no"], "no/yes", Level.ratio(10**12))
    >>> [(row.value, round(row.estimate, 6)) for row in estimate_column(done).rows]
    [('no', 0.75), ('yes', 0.25)]
    """
    table = _once(table, curator)
    name, through = _one_column(table, column, mechanism, curator)
    return _estimate(table, name, through, curator, {
        "confidence": confidence, "sampling": sampling, "interval": interval,
        "estimator": estimator})


@spelled(**_SPELLED, column='columns=["a", "b"]', mechanism='mechanisms={"a": "m.json"}')
def estimate_columns(
    table: Any,
    columns: Sequence[str] | None = None,
    mechanisms: Mapping[str, Through] | Sequence[ProtectedColumn] | None = None,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    curator: bool = False,
) -> Estimates[Estimate]:
    """The true proportions of several columns, or of all that were randomized.

    Parameters
    ----------
    table
        What `sanitize` returned, or a table as it takes it.
    columns
        Their names; None takes all whose mechanisms are known.
    mechanisms
        What they went through, by name; None takes what `estimate_column` takes.

    Returns
    -------
    Estimates
        One `Estimate` for each column, by its name.

    Raises
    ------
    BadInput
        If no column is named and none is known to be randomized; else as `estimate_column`.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"a": [0, 1, 1], "b": ["x", "y", "x"]}, {"a": "0/1", "b": "x/y"}, 200)
    >>> estimate_columns(done).columns
    ('a', 'b')
    """
    table = _once(table, curator)
    known = _known(table, columns, mechanisms, curator)
    how = {"confidence": confidence, "sampling": sampling, "interval": interval,
           "estimator": estimator}
    return Estimates(tuple(known), tuple(
        _estimate(table, name, through, curator, how) for name, through in known.items()))


@spelled(**_SPELLED, column='columns=["a", "b"]', mechanism='mechanisms={"a": "m.json"}')
def cross_table(
    table: Any,
    columns: Sequence[str] | None = None,
    mechanisms: Mapping[str, Through] | Sequence[ProtectedColumn] | None = None,
    *,
    confidence: float = 0.95,
    sampling: bool = False,
    interval: Interval | str | None = None,
    estimator: Estimator | str = Estimator.SIMPLEX,
    curator: bool = False,
) -> Estimate:
    """The share of each combination of values of two or more randomized columns.

    Parameters: as of `estimate_columns`.

    Returns: an `Estimate` whose values are tuples; those of the last column vary first.

    Raises: as `estimate_columns`; `BadInput` for one column alone, or columns of sets; `TooLarge`
    for more than 10,000 combinations of values.

    >>> from tightrope.tables import sanitize
    >>> done = sanitize({"a": [0, 1, 1], "b": ["x", "y", "x"]}, {"a": "0/1", "b": "x/y"}, 200)
    >>> [row.value for row in cross_table(done, ["a", "b"]).rows if row.estimate > 0.3]
    [('0', 'x'), ('1', 'x'), ('1', 'y')]
    """
    table = _once(table, curator)
    known = _known(table, columns, mechanisms, curator)
    passages = {name: Passage.of(through) for name, through in known.items()}
    bases = []
    for name, passage in passages.items():
        if passage.items is not None:
            raise BadInput(f"column {name!r} holds sets, whose items have no joint table; "
                           "estimate it on its own.")
        base = passage.base
        bases.append(base if isinstance(base, ReportMechanism) else finite(base))
    check_joint([base.space.size for base in bases])
    opened = _open(table, list(known), curator)
    counts, n = count_joint(opened, tuple(known), bases, curator=curator)
    joint = estimate_joint(counts, n, *bases, confidence=confidence, sampling=sampling,
                           interval=interval, estimator=estimator,
                           priors=[passage.prior for passage in passages.values()])
    absent = [f"{passage.missing} ({name})" for name, passage in passages.items()
              if passage.missing is not None]
    return replace(joint, missing=", ".join(absent) or None)


def randomized_columns(table: Any, *, curator: bool = False) -> tuple[str, ...]:
    """The names of the columns whose mechanisms are known: beside a file, or kept with a table.

    Raises: `BadInput` if there is none.

    >>> from tightrope.tables import sanitize
    >>> randomized_columns(sanitize({"a": [0, 1], "b": ["x", "y"]}, {"a": "0/1"}, 1))
    ('a',)
    """
    return tuple(_known(table, None, None, curator))


def _estimate(
    table: Any, name: str, through: Through, curator: bool, how: Mapping[str, Any]
) -> Estimate:
    """The estimate of a column, however its mechanism writes what it drew."""
    passage = Passage.of(through)
    base, items, most = passage.base, passage.items, passage.most
    opened = _open(table, [name], curator)
    if items is not None and most is None:
        holding, n = count_items(opened, name, items, curator=curator)
        estimated = estimate_items(holding, n, items, finite(base), **how)
    elif isinstance(base, ReportMechanism):
        holding, n = count_reports(opened, name, base, curator=curator)
        estimated = (estimate_reports(holding, n, base, **how) if items is None or most is None
                     else estimate_sampled(holding[:-1], n, items, base, most, **how))
    else:
        listed = finite(base)
        counts = count_column(opened, name, listed.outputs, curator=curator)
        estimated = (estimate(counts, listed, prior=passage.prior, **how)
                     if items is None or most is None else
                     estimate_sampled(counts[:-1], int(counts.sum()), items, listed, most, **how))
    return replace(estimated, missing=passage.missing)


def passage_of(
    table: Any, column: str | None, mechanism: Through | None, curator: bool
) -> tuple[str, Passage, Table]:
    """The name of the one column to estimate, what it went through, and the rows."""
    table = _once(table, curator)
    name, through = _one_column(table, column, mechanism, curator)
    return name, Passage.of(through), _open(table, [name], curator)


def passages_of(
    table: Any, columns: Sequence[str] | None,
    mechanisms: Mapping[str, Through] | Sequence[ProtectedColumn] | None, curator: bool,
) -> dict[str, tuple[Passage, Table]]:
    """The passage and the rows of each of several columns to estimate, by its name."""
    table = _once(table, curator)
    known = _known(table, columns, mechanisms, curator)
    return {name: (Passage.of(through), _open(table, [name], curator))
            for name, through in known.items()}


def _one_column(
    table: Any, column: str | None, mechanism: Through | None, curator: bool
) -> tuple[str, Through]:
    """The one column to estimate, and what it went through."""
    rows = _rows(table)
    in_file = isinstance(rows, str | PathLike)
    if column is not None and not isinstance(column, str):
        raise BadInput("expected the name of a column, then what it went through, found "
                       f"{type(column).__name__}.")
    if column is None and not in_file and not isinstance(rows, FileTable):
        column = name_alone(rows)
    if mechanism is not None and column is None:
        raise BadInput("name the column whose proportions are to be estimated.")
    if mechanism is not None and column is not None:
        return column, mechanism
    known = _known(table, None if column is None else [column], None, curator)
    if len(known) > 1:
        raise BadInput(f"name one of the columns {few(tuple(known))}, or estimate all of them: "
                       "tables.estimate_columns(…).")
    return next(iter(known.items()))


def _known(
    table: Any, columns: Sequence[str] | None,
    mechanisms: Mapping[str, Through] | Sequence[ProtectedColumn] | None, curator: bool,
) -> dict[str, Through]:
    """The columns to estimate, and what each went through."""
    if isinstance(columns, str):
        raise BadInput(f"expected a list of columns, as in [{columns!r}].")
    given: dict[str, Through]
    if isinstance(mechanisms, Mapping):
        given = dict(mechanisms)
    elif mechanisms is not None:
        given = {column.name: column for column in mechanisms}
    else:
        given = ({column.name: column for column in table.columns}
                 if isinstance(table, Sanitized) else {})
    rows = _rows(table)
    beside = isinstance(rows, str | PathLike) and mechanisms is None and not given
    if beside and columns is None:
        given = _beside(rows, curator)
    elif beside and columns is not None:
        given = {name: _document(rows, name) for name in columns}
    wanted = list(given) if columns is None else list(columns)
    if not wanted:
        raise BadInput(
            "no column is known to be randomized: name columns and what they went through, the "
            "documents that sanitize wrote, or the columns of what it returned.")
    for name in wanted:
        if name not in given:
            raise BadInput(f"name what column {name!r} went through: a document that sanitize "
                           "wrote, or a column of what it returned.")
        if wanted.count(name) > 1:
            raise BadInput(f"column {name!r} is named twice.")
    return {name: given[name] for name in wanted}


def _beside(table: StrPath, curator: bool) -> dict[str, Through]:
    """The documents beside a file, by the columns that they belong to."""
    names = list(open_table(table, curator=curator).schema.names)
    places = {name: mechanism_path(table, name) for name in names}
    documents: dict[str, Through] = {}
    for name, place in places.items():
        if not place.is_file():
            continue
        if list(places.values()).count(place) > 1:
            raise BadInput(f"{place} may belong to several columns; name one, and its mechanism.")
        documents[name] = place
    return documents


def _document(table: StrPath, column: str) -> Path:
    """The document beside a file that a column of this name has."""
    place = mechanism_path(table, column)
    if not place.is_file():
        raise BadInput(f"{place} is not there; name the document of what column {column!r} went "
                       "through (mechanism).", path=str(place))
    return place


def _once(table: Any, curator: bool) -> Any:
    """The table; standard input, which can be read only once, as it was read."""
    read_once = isinstance(table, str | PathLike) and str(table) == STANDARD_INPUT
    return open_table(table, curator=curator) if read_once else table


def _rows(table: Any) -> Any:
    """The rows of what `sanitize` returned, or the table itself."""
    return table.table if isinstance(table, Sanitized) else table


def _open(table: Any, columns: list[str], curator: bool) -> Table:
    rows = _rows(table)
    if isinstance(rows, FileTable):
        return rows
    return (open_table(rows, curator=curator) if isinstance(rows, str | PathLike)
            else frame_of(rows, columns))
