"""What a level makes of a prior: is it regular, of which corners, what can leak under it.

All that ECP says about one prior, in one value: Definition 4 with its proof or its refutation,
the shares of the corner priors (Proposition 3), the ranges of single probabilities
(Proposition 2), the bounds on gain and leakage (Theorem 2, Proposition 5, Corollary 2), and how
large the region of regular priors is. It is the simplex of the corner priors, so its share of
all priors is the absolute value of their determinant.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, prod
from typing import Any

import numpy as np
from flint import arb, arb_mat, ctx

from tightrope.characters import counted, shorten
from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import FloatArray, Level, Number, ball_of, float_above, float_below
from tightrope.kernels import Irregular, Regular, corner_priors, regular_bounds, regularity
from tightrope.markup import lines
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.privacy import Certificate, verify
from tightrope.spaces import Label, Space, distance_table, require_connected, space_of
from tightrope.theory.priors.leakage import check_pure, most_leakage_of_any_prior
from tightrope.utility import Prior, PriorLike, leakage, min_entropy, prior_of, uniform

MOST_LISTED = 64
"""Points of a space whose corner priors are listed one by one."""

MOST_MEASURED = 200
"""Points of a space whose region of regular priors is measured."""


@dataclass(frozen=True, eq=False)
class PriorJudgment:
    """What a level makes of a prior.

    `least` and `most` bound the probabilities of regular priors, `corners` are the corner priors
    row by row (None for many points). `volume` is the share of all priors that are
    regular, between two doubles. `leaked` is what a given mechanism leaks, in bits, and
    `private` whether it was proved at the level; both None without one.
    """

    space: Space
    level: Level
    prior: Prior
    verdict: Regular | Irregular
    least: FloatArray
    most: FloatArray
    corners: FloatArray | None
    volume: tuple[float, float] | None
    any_prior: float | None
    leaked: float | None = None
    private: bool | None = None

    @property
    def regular(self) -> bool:
        """Whether the prior is regular, proved."""
        return isinstance(self.verdict, Regular)

    @property
    def shares(self) -> tuple[float, ...] | None:
        """γ: the shares of the corner priors; None if the prior is not regular."""
        if not isinstance(self.verdict, Regular):
            return None
        return tuple((self.verdict.floats / self.most).tolist())

    @property
    def gain(self) -> float | None:
        """No mechanism at the level guesses right more often; None if not regular."""
        return float(self.verdict.gain) if isinstance(self.verdict, Regular) else None

    @property
    def most_leaked(self) -> float | None:
        """The most that any mechanism at the level leaks under the prior, in bits."""
        if self.gain is None:
            return None
        return log2(self.gain / float(self.prior.on(self.space).max()))

    @property
    def point(self) -> Label | None:
        """Where a coefficient is negative, if the prior is not regular."""
        return self.verdict.proof.point if isinstance(self.verdict, Irregular) else None

    def as_json(self) -> dict[str, Any]:
        """The object that `tightrope theory prior --json` prints."""
        points = [str(label) for label in self.space.points]
        return {
            "space": self.space.text,
            **self.level.as_json(),
            "regular": self.regular,
            "witness": None if self.regular else str(self.point),
            "shares": None if self.shares is None else list(self.shares),
            "gain": self.gain,
            "leakage_bound": self.most_leaked,
            "leakage_bound_any_prior": self.any_prior,
            "min_entropy": min_entropy(self.space, self.prior),
            "leakage": self.leaked,
            "private": self.private,
            "volume": None if self.volume is None else list(self.volume),
            "rows": [
                {"point": name, "probability": float(p), "least": low, "most": high}
                for name, p, low, high in zip(
                    points, self.prior.on(self.space).tolist(), self.least.tolist(),
                    self.most.tolist(), strict=True,
                )
            ],
            "corners": None if self.corners is None else self.corners.tolist(),
        }

    def __repr__(self) -> str:
        given = "uniform" if self.prior.weights is None else "given"
        bound = self.most_leaked
        return lines(
            f"PriorJudgment: the {given} prior on {shorten(self.space.text)} is "
            f"{'regular' if self.regular else 'not regular'} at ε = {self.level.text}",
            [
                ("guessed right", None if self.gain is None else f"at most {self.gain:.6g}"),
                ("leaks", None if bound is None else f"at most {bound:.6g} bits"),
                ("negative at", None if self.regular else self.point),
                ("regular priors", None if self.volume is None else
                 f"a share of {self.volume[1]:.3g} of all on {counted(self.space.size, 'point')}"),
            ],
        )


def judge_prior(
    space: Space | str,
    level: Level | Number,
    prior: PriorLike = uniform,
    mechanism: FiniteMechanism | Held | Matrix | None = None,
) -> PriorJudgment:
    """Whether a prior is regular at a level, its shares of corner priors, and what can leak.

    With a mechanism also what that one leaks under the prior; the bound is about it only if it is
    proved at the level.

    >>> found = judge_prior("categories:2", "ln(3)", ["3/5", "2/5"])
    >>> found.regular, [round(share, 6) for share in found.shares], round(found.volume[1], 9)
    (True, [0.7, 0.3], 0.5)
    >>> round(found.gain, 6), round(found.most_leaked, 6)
    (0.75, 0.321928)
    """
    space, level = space_of(space), Level.positive(level)
    law = prior_of(prior, space)
    check_pure(level)
    require_connected(space, "regular priors are for")
    verdict = regularity(space, level, law)
    least, most = regular_bounds(space, level)
    try:
        everybody: float | None = most_leakage_of_any_prior(space, level)
    except (Infeasible, CannotCheck):
        everybody = None
    leaked = private = None
    if mechanism is not None:
        form = matrix_form(mechanism, space)
        leaked = leakage(form, law)
        private = isinstance(verify(form, space, level), Certificate)
    return PriorJudgment(
        space, level, law, verdict, least, most,
        corner_priors(space, level) if space.size <= MOST_LISTED else None,
        _volume(space, level), everybody, leaked, private,
    )


def _volume(space: Space, level: Level) -> tuple[float, float] | None:
    """|det| of the corner priors, between two doubles; None for many points."""
    size = space.size
    if size > MOST_MEASURED:
        return None
    classes, table = distance_table(space)
    powers = [level.power(distance) for distance in classes]
    bits = 128 + 8 * size
    with ctx.workprec(bits):
        values = [
            (-level.ball(bits) * distance.ball(bits)).exp() if power is None
            else ball_of(1 / power, bits)
            for distance, power in zip(classes, powers, strict=True)
        ]
        rows = [[values[k] for k in line] for line in np.asarray(table).tolist()]
        share = abs(arb_mat(rows).det()) / prod((sum(row, arb(0)) for row in rows), start=arb(1))
        return max(0.0, float_below(share)), min(1.0, float_above(share))
