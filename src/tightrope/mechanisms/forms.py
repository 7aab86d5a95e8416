"""The forms of mechanisms, and what each can be asked for.

A new form is one module of this folder and one name below; then the type checker points to
what has to be said of it: how it is proved, drawn from and written down.
"""

from __future__ import annotations

from typing import Protocol

from tightrope.errors import BadInput, CannotCheck
from tightrope.mechanisms.answers import Answers
from tightrope.mechanisms.boxes import BoxMechanism
from tightrope.mechanisms.degree_counts import DegreeCounts
from tightrope.mechanisms.line import LineMechanism
from tightrope.mechanisms.network_counts import CountMechanism
from tightrope.mechanisms.noise import NoiseMechanism
from tightrope.mechanisms.position_noise import PositionNoise
from tightrope.mechanisms.privacy_first import PrivacyFirstCount
from tightrope.mechanisms.records import ModeMechanism, QuantileMechanism
from tightrope.mechanisms.reports import ReportMechanism
from tightrope.mechanisms.scores import FrequentMechanism, RankMechanism
from tightrope.mechanisms.table import FiniteMechanism, TableMechanism
from tightrope.mechanisms.tallies import TallyNoise

PointMechanism = FiniteMechanism | NoiseMechanism | ReportMechanism | TableMechanism
DataMechanism = (
    CountMechanism
    | PrivacyFirstCount
    | DegreeCounts
    | TallyNoise
    | RankMechanism
    | FrequentMechanism
    | QuantileMechanism
    | ModeMechanism
    | LineMechanism
    | BoxMechanism
    | PositionNoise
)
Mechanism = PointMechanism | DataMechanism


class Held(Protocol):
    """What holds a mechanism: a certified one, the solution of a design."""

    @property
    def mechanism(self) -> Mechanism: ...


def mechanism_of(given: Mechanism | Held) -> Mechanism:
    """The mechanism itself, or the one that a certified mechanism or a solution holds."""
    found: object = getattr(given, "mechanism", given)
    if not isinstance(found, Mechanism):
        raise BadInput(
            f"expected a mechanism, or what holds one, found {type(found).__name__}"
            + ("; tightrope.load reads one from a file." if isinstance(found, str) else ".")
        )
    return found


def finite_form(given: FiniteMechanism | Held) -> FiniteMechanism:
    """The mechanism that is given or held, if it has finitely many inputs and outputs."""
    found = mechanism_of(given)
    if not isinstance(found, FiniteMechanism):
        raise BadInput(
            "expected a mechanism with listed inputs and outputs, "
            f"found {type(found).__name__}."
        )
    return found


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
