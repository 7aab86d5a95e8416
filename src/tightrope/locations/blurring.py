"""Rows of positions: which share a position, which have none, where outputs may lie.

Each row has noise of its own, but for the rows of a trace (`traces`) and those of one place:
where a column names the place, and who visits which place when is public, one position is drawn
for each place. Whether two rows are at the same place must never be read off their positions:
that two outputs are equal would then tell that somebody came back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Final, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tightrope.choices import Unusable, member_of
from tightrope.errors import BadInput
from tightrope.exact import FloatArray, IntArray, Level
from tightrope.facts import Facts
from tightrope.locations.allowed import Allowed
from tightrope.locations.places import Places
from tightrope.locations.rows import DERIVED, Rows, check_kept
from tightrope.privacy import Certified
from tightrope.samplers import SYSTEM, Source
from tightrope.spaces import Positions

_DECIMALS: Final = 7
"""Places of a degree in outputs: about a centimeter."""
_BATCH: Final = 1 << 18


class Plan(Protocol):
    """A proved mechanism for positions, whatever its kind.

    `traced` says that all rows of a person are drawn together; `refused` has a sentence for each
    declaration of rows that does not apply.
    """

    traced: ClassVar[bool]
    refused: ClassVar[Mapping[str, str]]

    @property
    def certified(self) -> Certified: ...
    @property
    def space(self) -> Positions: ...
    @property
    def prior(self) -> Places | None: ...
    @property
    def releases(self) -> int: ...
    @property
    def factor(self) -> Fraction: ...
    @property
    def level(self) -> Level: ...
    @property
    def mean_displacement(self) -> float: ...
    @property
    def promise(self) -> str: ...
    @property
    def draw(self) -> Callable[..., tuple[FloatArray, FloatArray]]: ...
    def document_fields(self) -> dict[str, Any]: ...
    def facts(self) -> Facts: ...


@dataclass(frozen=True)
class Handling:
    """Declarations on rows; `person` and `place` are columns that are read and not kept."""

    keep: tuple[str, ...] = ()
    unusable: Unusable = Unusable.CENTER
    cut: bool = False
    allowed: Allowed | None = None
    person: str | None = None
    place: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "unusable", member_of(Unusable, self.unusable, "rule"))
        check_kept(self.keep)
        if self.place is not None and self.place.strip().lower() in DERIVED:
            raise BadInput(
                f"the column {self.place!r} tells the position: one output for each true place "
                "would tell who came back. Expected a column that names places, whose visits are "
                "public."
            )

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns that are read beside the position."""
        return tuple(dict.fromkeys([*self.keep, *self._shared_columns]))

    @property
    def _shared_columns(self) -> list[str]:
        return [name for name in (self.person, self.place) if name is not None]

    def groups(self, rows: Rows) -> IntArray | None:
        """A number for each row, the same for rows of one person, or of one place of a person."""
        if not self._shared_columns:
            return None
        numbers = np.zeros(len(rows.lon), np.int64)
        for name in self._shared_columns:
            codes = _codes(rows.columns.column(name))
            numbers = np.unique(numbers * (int(codes.max(initial=0)) + 1) + codes,
                              return_inverse=True)[1]
        return numbers


def _codes(column: pa.ChunkedArray) -> IntArray:
    """Equal cells have equal numbers; missing ones are equal too."""
    cells = column.combine_chunks()
    if isinstance(cells, pa.DictionaryArray):
        cells = cells.dictionary_decode()
    indices = pc.fill_null(pc.dictionary_encode(cells).indices, -1)
    return np.asarray(indices.to_numpy(zero_copy_only=False), dtype=np.int64) + 1


def blur_rows(
    plan: Plan, rows: Rows, handling: Handling,
    progress: Callable[[int], None] | None = None, source: Source = SYSTEM,
) -> Rows:
    """The rows with new positions, and the columns that stay."""
    kept, lon, lat = None, rows.lon, rows.lat
    fits, groups = rows.usable, handling.groups(rows)
    if handling.unusable is Unusable.DROP:
        kept, lon, lat = fits, lon[fits], lat[fits]
        groups = None if groups is None else np.unique(groups[fits], return_inverse=True)[1]
    else:
        middle = plan.space.region.plane
        before = _before(fits, groups) if plan.traced else np.arange(len(lon))
        known = (before >= 0) & fits[before]
        lon = np.where(known, lon[before], middle.lon)
        lat = np.where(known, lat[before], middle.lat)
    new = _draw(plan, lon, lat, groups, handling, progress, source)
    if handling.allowed is not None:
        new = handling.allowed.move(*new)
    x, y = (np.round(part, _DECIMALS) + 0.0 for part in new)
    return rows.only(handling.keep).with_positions(x, y, kept)


def _before(fits: Any, people: IntArray | None) -> IntArray:
    """The last row with a position of the same trace, this one or one before; -1 if none is."""
    latest = np.arange(len(fits))
    last: dict[int, int] = {}
    whose = [0] * len(fits) if people is None else people.tolist()
    for row, (usable, person) in enumerate(zip(fits.tolist(), whose, strict=True)):
        if usable:
            last[person] = row
        latest[row] = last.get(person, -1)
    return latest


def _draw(
    plan: Plan, lon: FloatArray, lat: FloatArray, groups: IntArray | None, handling: Handling,
    progress: Callable[[int], None] | None, source: Source,
) -> tuple[FloatArray, FloatArray]:
    if plan.traced:
        people = np.zeros(len(lon), np.int64) if groups is None else groups
        return plan.draw(lon, lat, people, cut=handling.cut, source=source)
    if groups is not None and handling.place is not None:
        _, first, which = np.unique(groups, return_index=True, return_inverse=True)
        x, y = _draw(plan, lon[first], lat[first], None, handling, progress, source)
        return x[which], y[which]
    new: tuple[FloatArray, FloatArray] = np.empty(len(lon)), np.empty(len(lon))
    for start in range(0, len(lon), _BATCH):
        part = slice(start, start + _BATCH)
        moved: Sequence[Any] = plan.draw(lon[part], lat[part], cut=handling.cut, source=source)
        for output, made in zip(new, moved, strict=True):
            output[part] = made
        if progress is not None:
            progress(min(start + _BATCH, len(lon)))
    return new
