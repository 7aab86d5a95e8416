"""The forms of mechanisms, and what each can be asked for.

A new form is one module of this folder and one name below; then the type checker points to
what has to be said of it: how it is proved, drawn from and written down.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tightrope.errors import BadInput, CannotCheck
from tightrope.exact import FloatArray, Number
from tightrope.mechanisms.answers import Answers
from tightrope.mechanisms.boxes import BoxMechanism
from tightrope.mechanisms.degree_counts import DegreeCounts
from tightrope.mechanisms.gaussians import GaussianMechanism
from tightrope.mechanisms.keys import KeyNoise, KeySelection
from tightrope.mechanisms.line import LineMechanism
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.mechanisms.network_counts import CountMechanism
from tightrope.mechanisms.noise import NoiseMechanism
from tightrope.mechanisms.planar_laplace import PlanarLaplace
from tightrope.mechanisms.position_noise import PositionNoise
from tightrope.mechanisms.position_steps import PositionSteps
from tightrope.mechanisms.privacy_first import PrivacyFirstCount
from tightrope.mechanisms.records import ModeMechanism, QuantileMechanism
from tightrope.mechanisms.reports import ReportMechanism
from tightrope.mechanisms.scores import FrequentMechanism, RankMechanism
from tightrope.mechanisms.table import FiniteMechanism, TableMechanism
from tightrope.mechanisms.tallies import TallyNoise
from tightrope.mechanisms.trace_noise import TraceNoise
from tightrope.spaces import Space, categories, space_of

PointMechanism = FiniteMechanism | NoiseMechanism | ReportMechanism | TableMechanism
DataMechanism = (
    CountMechanism
    | PrivacyFirstCount
    | DegreeCounts
    | TallyNoise
    | RankMechanism
    | FrequentMechanism
    | KeySelection
    | KeyNoise
    | QuantileMechanism
    | ModeMechanism
    | LineMechanism
    | BoxMechanism
    | GaussianMechanism
    | PositionNoise
    | PlanarLaplace
    | TraceNoise
    | PositionSteps
)
Mechanism = PointMechanism | DataMechanism
Matrix = FloatArray | Sequence[Sequence[Number]]


class Held(Protocol):
    """A holder of a mechanism: a certified one, the solution of a design."""

    @property
    def mechanism(self) -> Mechanism: ...


def held(given: Any) -> Any:
    """The mechanism of a certified one or of a solution; anything else as it is.

    A frame may have a column of that name, and stays a frame.
    """
    mechanism = getattr(given, "mechanism", given)
    return mechanism if isinstance(mechanism, Mechanism) else given


def mechanism_of(given: Mechanism | Held) -> Mechanism:
    """The mechanism itself, or the one that a certified mechanism or a solution holds."""
    mechanism: object = held(given)
    if not isinstance(mechanism, Mechanism):
        raise BadInput(
            f"expected a mechanism, or what holds one, found {type(mechanism).__name__}"
            + ("; tightrope.load reads one from a file." if isinstance(mechanism, str) else
               '; MatrixMechanism.of(matrix, "path:0..2") says what its inputs are.'
               if is_matrix(mechanism) else ".")
        )
    return mechanism


def finite_form(given: FiniteMechanism | Held) -> FiniteMechanism:
    """The mechanism that is given or held, if it has finitely many inputs and outputs."""
    mechanism = mechanism_of(given)
    if not isinstance(mechanism, FiniteMechanism):
        raise BadInput(
            "expected a mechanism with listed inputs and outputs, "
            f"found {type(mechanism).__name__}."
        )
    return mechanism


def is_matrix(given: Any) -> bool:
    """Whether it is rows of numbers and no mechanism: nested lists, an array, a frame.

    >>> is_matrix([[1, 0], [0, 1]]), is_matrix("m.json"), is_matrix([1, 2])
    (True, False, False)
    """
    if isinstance(given, Mechanism):
        return False
    if len(getattr(given, "shape", ())) == 2:
        return True
    return isinstance(given, Sequence) and len(given) > 0 and all(
        hasattr(row, "__len__") and not isinstance(row, str | bytes) for row in given
    )


def matrix_form(given: FiniteMechanism | Held | Matrix, space: Space | None = None) -> (
    FiniteMechanism
):
    """As `finite_form`; a bare matrix is read on the space, or its inputs are numbered.

    Numbered inputs are told apart and no more: only for what no distance and no neighbors enter.

    >>> matrix_form([["3/4", "1/4"], ["1/2", "1/2"]]).space.text
    'categories:2'
    """
    if not is_matrix(given):
        return finite_form(given)  # type: ignore[arg-type]
    rows: Any = given
    if space is None:
        names = [*rows.axes[0]] if hasattr(rows, "iloc") else []
        named = names and all(isinstance(name, str) for name in names)
        space = categories(names if named else len(rows))
    return MatrixMechanism.of(rows, space)


def own_space(given: Mechanism | Held | Matrix, space: Space | str | None, call: str) -> Space:
    """The space that is given, or the mechanism's own; a bare matrix has none.

    >>> own_space([[1, 0], [0, 1]], None, "delta_curve")
    Traceback (most recent call last):
        ...
    tightrope.errors.BadInput: a bare matrix does not say which inputs are near each other; \
give a space as well, as in delta_curve(matrix, "categories:2") or (matrix, "path:0..1").
    """
    if space is not None:
        return space_of(space)
    if is_matrix(given):
        size = len(given)  # type: ignore[arg-type]
        raise BadInput(
            "a bare matrix does not say which inputs are near each other; give a space as well, "
            f'as in {call}(matrix, "categories:{size}") or (matrix, "path:0..{size - 1}").'
        )
    return on_points(mechanism_of(given)).space  # type: ignore[arg-type]


def on_points(mechanism: Mechanism) -> PointMechanism:
    """The mechanism, if its inputs are the points of a space; else `BadInput`."""
    if isinstance(mechanism, DataMechanism):
        raise BadInput(
            f"expected a mechanism on the points of a space, found one for {mechanism.space.text}."
        )
    return mechanism


def count_outputs(mechanism: Mechanism) -> int | None:
    """How many outputs a mechanism lists; None where they are too many to be listed."""
    base = mechanism.base
    return len(base.outputs) if isinstance(base, FiniteMechanism) else None


def finite(mechanism: Mechanism) -> FiniteMechanism:
    """The part of a mechanism that is a finite matrix: a table's is that of one row.

    Raises `CannotCheck` where there is none.
    """
    base = mechanism.base
    if isinstance(base, FiniteMechanism):
        return base
    if base.answers is Answers.SETS:
        raise CannotCheck("reports of sets are not written out, so they have no matrix here.")
    if isinstance(base, DataMechanism):
        raise CannotCheck(f"the inputs are {base.space.text}, too many to list: no matrix.")
    raise CannotCheck("integer noise has infinitely many outputs, so it has no matrix.")


def csv_of_held(holder: Held) -> str:
    """`to_csv` of the mechanism that is held."""
    return finite(holder.mechanism).matrix().to_csv()


def latex_of_held(holder: Held) -> str:
    """`to_latex` of the mechanism that is held."""
    return finite(holder.mechanism).matrix().to_latex()
