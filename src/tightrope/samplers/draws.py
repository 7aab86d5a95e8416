"""Drawing: what was proved is what is drawn.

Only a `Certified` mechanism is run. Inputs are checked before the first bit of randomness
is used, so a column is randomized as a whole or not at all. Long columns are drawn in
batches, and nothing but the answer outlives a batch.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from copy import copy
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, TypeVar, assert_never

import numpy as np
from numpy.typing import NDArray

from tightrope.errors import BadInput, BadTable
from tightrope.exact import IntArray
from tightrope.mechanisms import (
    DataMechanism,
    FiniteMechanism,
    KernelMechanism,
    MatrixMechanism,
    Mechanism,
    NoiseMechanism,
    PointMechanism,
    RemappedMechanism,
    ReportMechanism,
    SubsetMechanism,
    UnaryMechanism,
)
from tightrope.privacy import Certified, proved
from tightrope.samplers.columns import read_column
from tightrope.samplers.displacements import DisplacementSampler
from tightrope.samplers.mixtures import MixtureSampler
from tightrope.samplers.noise import NoiseSampler
from tightrope.samplers.rows import RowSampler
from tightrope.samplers.rungs import answer
from tightrope.samplers.set_reports import ReportSampler
from tightrope.samplers.sources import SYSTEM, Source, check_source
from tightrope.spaces import Label, Space

BATCH: Final = 1 << 17
"""Rows drawn at a time; their temporary arrays then stay within a processor's cache."""

FEW_ROWS: Final = 64
"""Equidistant kernels with more rows than this are drawn as mixtures."""


_Base = TypeVar("_Base", bound=FiniteMechanism | NoiseMechanism | ReportMechanism)


class Sampler(Protocol):
    """Draws for one mechanism, from codes that are known to be in range."""

    def draw(self, codes: IntArray, source: Source) -> NDArray[Any]: ...


class RemapSampler:
    """Draws an output of a kernel and looks its answer up."""

    def __init__(self, kernel: Sampler, targets: tuple[int, ...]) -> None:
        self._kernel = kernel
        self._targets: IntArray = np.array(targets, dtype=np.int64)

    def draw(self, codes: IntArray, source: Source) -> IntArray:
        """One output index for each input index."""
        return np.asarray(self._targets[self._kernel.draw(codes, source)])


class Holder(Protocol):
    """A holder of a certified mechanism, such as the solution of a design."""

    @property
    def certified(self) -> Certified: ...


Proved: TypeAlias = Certified | Holder


def draw(certified: Proved, x: Any, source: Source = SYSTEM) -> Label | Fraction:
    """The output for one input, from a certified mechanism or what holds one, as a solution does.

    A table's input is the tuple of its rows, that of a mechanism on datasets one of them.

    Parameters: `source` is where random bits come from: the system, or a `SeededSource` in tests.

    Returns: an output of the mechanism; of a table, a tuple with one for each row.

    Raises: `NotCertified` for anything that was not proved, `NotAPoint` for an input outside the
    space, `BadTable` for a table with another number of rows.

    >>> from tightrope.exact import Level, Weights
    >>> from tightrope.privacy import certified
    >>> from tightrope.samplers import SeededSource
    >>> from tightrope.spaces import path
    >>> weights = Weights.from_integers([[4, 1, 1], [2, 2, 2], [1, 1, 4]])
    >>> m = certified(MatrixMechanism(path(0, 2), (0, 1, 2), weights), Level.ratio(2))
    >>> draw(m, 0, SeededSource(1))
    1
    """
    mechanism = _drawable_mechanism(certified, source)
    if isinstance(mechanism, DataMechanism):
        return answer(mechanism, x, source)
    if mechanism.rows is not None:
        if not isinstance(x, tuple):
            raise BadTable(f"expected a tuple of {mechanism.rows} rows.")
        return tuple(draw_many(certified, x, source))
    point = mechanism.space.points[mechanism.space.index(x)]
    (output,) = draw_many(certified, [point], source)
    return output  # type: ignore[no-any-return]


def draw_many(certified: Proved, column: Any, source: Source = SYSTEM) -> Any:
    """One independent output for each input of a column, as a column of the same kind.

    Returns: a list, a numpy array, a Series of pandas or Polars, or an array of Arrow, as was
    given; pandas keeps its index and name.

    Raises: as `draw` does, and `BadTable` where values are missing, before anything is drawn.

    >>> from fractions import Fraction
    >>> from tightrope.exact import Level
    >>> from tightrope.privacy import certified
    >>> from tightrope.samplers import SeededSource
    >>> from tightrope.spaces import path
    >>> m = certified(NoiseMechanism(path(0, 9), Fraction(2)), Level.ratio(2))
    >>> draw_many(m, [3, 3, 3, 3], SeededSource(1))
    [3, 7, 4, 1]
    >>> draw_many(m, np.array([3, 3, 3, 3]), SeededSource(1))
    array([3, 7, 4, 1])
    """
    mechanism = _ready(certified, source)
    read = read_column(column, mechanism.space)
    base = mechanism.base
    if isinstance(base, ReportMechanism):
        sets = [label for part in draw_batches(certified, [read.codes], source)
                for label in _sets(part, base.space)]
        return read.rebuild(np.fromiter(sets, dtype=object, count=len(sets)), None)
    drawn = draw_indices(certified, read.codes, source)
    return read.rebuild(drawn, None if isinstance(base, NoiseMechanism) else base.outputs)


def draw_indices(
    certified: Proved, inputs: NDArray[Any], source: Source = SYSTEM
) -> NDArray[Any]:
    """One independent output for each input of a column, by index.

    Outputs of integer noise are the integers themselves: 64-bit ones, or Python integers
    (an object array) should any not fit. Raises `BadInput` for codes that are not indices of
    points, without telling which.
    """
    mechanism = _ready(certified, source)
    if isinstance(mechanism.base, ReportMechanism):
        raise BadInput("reports of sets have no index; draw_many and draw_batches draw them.")
    codes = _codes(mechanism, inputs)
    if mechanism.rows is not None and len(codes) != mechanism.rows:
        raise BadTable(f"the mechanism is for {mechanism.rows} rows, found {len(codes)}.")
    sampler = _sampler(mechanism)
    if len(codes) <= BATCH:
        return sampler.draw(codes.astype(np.int64, copy=False), source)
    drawn: NDArray[Any] = np.empty(len(codes), dtype=np.int64)
    for start in range(0, len(codes), BATCH):
        batch = codes[start : start + BATCH].astype(np.int64, copy=False)
        part = sampler.draw(batch, source)
        if part.dtype != drawn.dtype:
            drawn = drawn.astype(object)
        drawn[start : start + BATCH] = part
    return drawn


def draw_steadily(
    certified: Proved, inputs: NDArray[Any], rounds: int = 256, source: Source = SYSTEM
) -> NDArray[Any]:
    """As `draw_indices`, from a rounded kernel, with the same work for every input.

    Each input is proposed `rounds` displacements whatever was accepted before; only where
    none of them was do more follow. Raises `BadInput` for other mechanisms: they do not reject.
    """
    mechanism = _ready(certified, source)
    if not isinstance(mechanism, KernelMechanism) or not mechanism.rounded:
        raise BadInput("expected a rounded kernel on a grid; other mechanisms reject nothing.")
    codes = _codes(mechanism, inputs).astype(np.int64, copy=False)
    sampler = DisplacementSampler(mechanism, rounds)
    starts = range(0, max(len(codes), 1), BATCH)
    return np.concatenate([sampler.draw(codes[at : at + BATCH], source) for at in starts])


def draw_batches(
    certified: Proved, batches: Iterable[NDArray[Any]], source: Source = SYSTEM
) -> Iterator[NDArray[Any]]:
    """A column that arrives in batches, drawn batch by batch in bounded memory.

    Reports of sets come as rows of packed bits, bit v mod 8 of byte v // 8 for the value v.
    A mechanism for a table refuses a batch that goes beyond its rows, and refuses at the
    end a column that had fewer.
    """
    mechanism = _ready(certified, source)
    sampler, seen = _sampler(mechanism), 0
    for batch in batches:
        codes = _codes(mechanism, batch)
        seen += len(codes)
        if mechanism.rows is not None and seen > mechanism.rows:
            raise BadTable(f"the mechanism is for {mechanism.rows} rows, found more.")
        for start in range(0, len(codes), BATCH):
            part = codes[start : start + BATCH]
            yield sampler.draw(part.astype(np.int64, copy=False), source)
    if mechanism.rows is not None and seen < mechanism.rows:
        raise BadTable(f"the mechanism is for {mechanism.rows} rows, found {seen}.")


def _drawable_mechanism(certified: Proved, source: Source) -> Mechanism:
    """The mechanism, if it may be drawn from with this source."""
    check_source(source)
    holder: Any = certified
    return proved(getattr(holder, "certified", holder))


def _ready(certified: Proved, source: Source) -> PointMechanism:
    """The mechanism, if a column may be drawn from it with this source."""
    mechanism = _drawable_mechanism(certified, source)
    if isinstance(mechanism, DataMechanism):
        raise BadInput("a mechanism on datasets answers once for one of them; use draw.")
    return mechanism


def _codes(mechanism: PointMechanism, inputs: NDArray[Any]) -> NDArray[Any]:
    """The column, if it holds indices of points; what it holds instead is not told."""
    codes = np.asarray(inputs)
    if codes.ndim == 1 and not len(codes):
        return codes.astype(np.int64)
    if codes.ndim != 1 or codes.dtype.kind not in "iu" or isinstance(inputs, np.ma.MaskedArray):
        raise BadInput("expected a column of whole numbers, the indices of points.")
    if int(codes.min()) < 0 or int(codes.max()) >= mechanism.space.size:
        raise BadInput(
            f"expected indices from 0 to {mechanism.space.size - 1}, "
            f"the points of {mechanism.space.text}."
        )
    return codes


def _sets(packed: NDArray[Any], space: Space) -> list[Label]:
    bits = np.unpackbits(packed, axis=1, count=space.size, bitorder="little")
    return [tuple(space.points[v] for v in np.flatnonzero(row).tolist()) for row in bits]


_SAMPLERS: dict[int, tuple[weakref.ref[Any], Sampler]] = {}


def _sampler(mechanism: PointMechanism) -> Sampler:
    """The sampler of a mechanism, kept as long as the mechanism is."""
    cached = _SAMPLERS.get(id(mechanism))
    if cached is not None and cached[0]() is mechanism:
        return cached[1]
    sampler = _make_sampler(_bare(mechanism.base))
    key = id(mechanism)
    _SAMPLERS[key] = weakref.ref(mechanism, lambda _: _SAMPLERS.pop(key, None)), sampler
    return sampler


def _bare(mechanism: _Base) -> _Base:
    """A copy with the fields alone: what a sampler works out, it works out from what was proved.

    If it held the mechanism itself, neither would ever be freed.
    """
    bare = copy(mechanism)
    for name in vars(bare).keys() - {field.name for field in fields(bare)}:
        del vars(bare)[name]
    return bare


def _make_sampler(mechanism: FiniteMechanism | NoiseMechanism | ReportMechanism) -> Sampler:
    match mechanism:
        case NoiseMechanism():
            return NoiseSampler(mechanism)
        case SubsetMechanism() | UnaryMechanism():
            return ReportSampler(mechanism)
        case KernelMechanism() if mechanism.rounded:
            return DisplacementSampler(mechanism)
        case KernelMechanism() if mechanism.space.size > FEW_ROWS and mechanism.equidistant:
            return MixtureSampler(mechanism)
        case RemappedMechanism():
            return RemapSampler(_make_sampler(_bare(mechanism.kernel)), mechanism.targets)
        case KernelMechanism() | MatrixMechanism():
            return RowSampler(mechanism)
        case _:
            assert_never(mechanism)
