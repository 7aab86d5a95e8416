"""Many mechanisms together, by privacy-loss distributions: numerical, and pessimistic.

The laws of neighboring inputs become privacy-loss distributions of Google's dp-accounting
(extra `accounting`), which composes them by convolution. Losses are rounded up to a grid, so
that ε and δ are upper bounds as far as double arithmetic goes: they are no certificate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, finite_form, written_out
from tightrope.privacy.delta_curves import delta_curve

EVIDENCE = "numerical, pessimistic"
"""Evidence stated with every figure of this module."""

GRID = 2.0**-14
"""Grid to which privacy losses are rounded up; a finer one is tighter and slower."""


@dataclass(frozen=True)
class Account:
    """The composition of mechanisms that are run on the same data.

    `pairs` is the number of pairs of laws whose composition was computed; figures are the
    largest over them. `evidence` is the kind of proof behind a figure.
    """

    losses: tuple[Any, ...]
    evidence: str = EVIDENCE

    __repr__ = brief

    @property
    def pairs(self) -> int:
        """The number of pairs of laws that were composed."""
        return len(self.losses)

    def epsilon(self, delta: float) -> float:
        """ε of the composition at this δ, from above."""
        if not 0 < delta < 1:
            raise BadInput(f"expected a δ between 0 and 1, found {delta}.")
        return max(float(loss.get_epsilon_for_delta(delta)) for loss in self.losses)

    def delta(self, epsilon: float) -> float:
        """δ of the composition at this ε, from above."""
        if not epsilon >= 0:
            raise BadInput(f"expected an ε of at least 0, found {epsilon}.")
        return max(float(loss.get_delta_for_epsilon(epsilon)) for loss in self.losses)


def account(
    mechanisms: Sequence[tuple[FiniteMechanism | Held, int] | FiniteMechanism | Held],
) -> Account:
    """Compose mechanisms on the same data by privacy-loss distributions.

    Numerical and pessimistic: ε at a small δ, mostly far below the sum of all levels. The inputs
    of all mechanisms change together, by one step between declared neighbors. If several
    mechanisms have several kinds of neighboring laws, every combination is composed.

    Parameters: a list of mechanisms, or of pairs of a mechanism and how often it runs.

    Returns: an `Account`, with `epsilon(delta)` and `delta(epsilon)`.

    Raises: `BadInput` for anything but such a list; `Refused` without declared neighbors.

    >>> from tightrope.constructions import randomized_response
    >>> from tightrope.exact import Level
    >>> from tightrope.spaces import categories
    >>> rr = randomized_response(categories(2), Level.ratio(2)).mechanism
    >>> hundred = account([(rr, 100)])
    >>> hundred.epsilon(1 / 2**20) < 69, hundred.evidence  # 100 ln 2 = 69.3
    (True, 'numerical, pessimistic')
    """
    if not isinstance(mechanisms, list | tuple):
        raise BadInput(
            f"expected a list of mechanisms, such as [(m, 10)], found {type(mechanisms).__name__}."
        )
    pairs = [given if isinstance(given, tuple) else (given, 1) for given in mechanisms]
    if not pairs or any(len(pair) != 2 or not pair[1] >= 1 for pair in pairs):
        raise BadInput("expected mechanisms, each run at least once, such as [(m, 10)].")
    combined: list[Any] = []
    for mechanism, times in [(finite_form(given), times) for given, times in pairs]:
        own = [side.self_compose(times) for side in _losses(mechanism)]
        combined = own if not combined else [a.compose(b) for a in combined for b in own]
    return Account(tuple(combined))


def _losses(mechanism: FiniteMechanism) -> list[Any]:
    require("accounting", "adding up levels by convolution")
    from dp_accounting.pld import privacy_loss_distribution as pld

    distributions = []
    for p, q in delta_curve(written_out(mechanism), mechanism.space).sides:
        laws = [
            {z: log(v.numerator) - log(v.denominator) for z, v in enumerate(law) if v > 0}
            for law in (p, q)
        ]
        distributions.append(
            pld.from_two_probability_mass_functions(
                laws[1], laws[0], pessimistic_estimate=True, value_discretization_interval=GRID
            )
        )
    return distributions
