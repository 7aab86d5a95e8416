"""A prior at a level: is it regular, of which corners, what can leak under it.

All that ECP says about one prior, in one value: Definition 4 with its proof or its refutation,
the shares of the corner priors (Proposition 3), the ranges of single probabilities
(Proposition 2), the bounds on gain and leakage (Theorem 2, Proposition 5, Corollary 2), and how
large the region of regular priors is. It is the simplex of the corner priors, so its share of
all priors is the absolute value of their determinant.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import prod

import numpy as np
from flint import arb, arb_mat, ctx

from tightrope.characters import label_text, shorten
from tightrope.constructions import design
from tightrope.errors import CannotCheck, Infeasible
from tightrope.exact import FloatArray, Level, Number, ball_of, float_above, float_below
from tightrope.facts import (
    Column,
    Fact,
    Facts,
    Shown,
    Table,
    brief_text,
    card_of,
    data,
    lines_of,
)
from tightrope.kernels import Irregular, Regular, corner_priors, regular_bounds, regularity
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.privacy import Certificate, level_of, verify
from tightrope.spaces import Label, Space, distance_table, require_connected, space_of
from tightrope.spellings import LEVEL, RESULT, spelled
from tightrope.theory.priors.ball_sizes import BallSizes, ball_sizes
from tightrope.theory.priors.leakage import (
    bits_above,
    check_pure,
    largest_of,
    most_leakage_of_any_prior,
)
from tightrope.theory.priors.regular_optima import (
    MOST_REFUTED,
    RegularOptimum,
    Rows,
    decide,
    exact_kernel,
    gain_of,
    largest_slack,
)
from tightrope.utility import Prior, PriorLike, leakage, min_entropy, prior_of, uniform

MOST_LISTED = 64
"""Points of a space whose corner priors are listed one by one."""

MOST_DESIGNED = 40
"""Points of a space on which the optimum bounds what leaks under a prior that is not regular."""

MOST_MEASURED = 200
"""Points of a space whose region of regular priors is measured."""


@dataclass(frozen=True, eq=False)
class PriorJudgment:
    """A prior at a level: the verdict on its regularity, and the bounds that follow.

    `least` and `most` bound the probabilities of regular priors, `corners` are the corner priors
    row by row (None for many points). `volume` is the share of all priors that are
    regular, between two doubles. `leaked` is the leakage of a given mechanism, in bits, and
    `private` whether it was proved at the level; both None without one. `best_gain` bounds the
    gain under a prior that is not regular, by the dual of the optimum over all mechanisms. `phi` is
    Φ and `mu` the coefficients in fractions, where they are; `optimum` says whether the mechanism
    is optimal for every regular prior, `shortfall` how much less than the most it gains under any
    of them, as a share and at most.
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
    best_gain: Fraction | None = None
    phi: Rows | None = None
    optimum: RegularOptimum | None = None
    balls: BallSizes | None = None
    shortfall: float | None = None

    @property
    def mu(self) -> tuple[Fraction, ...] | None:
        """The coefficients μ >= 0 with μ Φ = π, if they are known in fractions."""
        if self.phi is None or not isinstance(self.verdict, Regular):
            return None
        weights = self.verdict.coefficients
        return None if weights.error else tuple(w * self.verdict.scale for w in weights.each)

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
        """No mechanism at the level guesses right more often; None where that is not known."""
        return None if self._gain is None else float_above(ball_of(self._gain, 128))

    @property
    def _gain(self) -> Fraction | None:
        return self.verdict.gain if isinstance(self.verdict, Regular) else self.best_gain

    @property
    def most_leaked(self) -> float | None:
        """The most that any mechanism at the level leaks under the prior, in bits."""
        if self._gain is None:
            return None
        return bits_above(self._gain, largest_of(self.prior, self.space))

    @property
    def point(self) -> Label | None:
        """Where a coefficient is negative, if the prior is not regular."""
        return self.verdict.proof.point if isinstance(self.verdict, Irregular) else None

    def facts(self) -> Facts:
        """The verdict, how much can be guessed or leak, and the range of each probability."""
        space, bound = self.space, self.most_leaked
        kind = "uniform" if self.prior.weights is None else "given"
        verdict = "regular" if self.regular else "not regular"
        mixture = ": a mixture of corner priors" if self.regular else ""
        unproved = "" if self.private is not False else (
            "it is not proved at this level, so no bound here is about it")
        columns = (Column("point", "point"), Column("probability", "probability", 7),
                   Column("least", "least", 7), Column("most", "most", 7),
                   Column(None, "share of its corner", 7))
        numbers = (self.prior.on(space).tolist(), self.least.tolist(), self.most.tolist(),
                   self.shares or [None] * space.size)
        rows = tuple((Shown(str(label), label_text(label)), *line)
                     for label, *line in zip(space.points, *numbers, strict=True))
        return Facts(
            "PriorJudgment",
            f"the {kind} prior on {shorten(space.text)} is {verdict} at ε = {self.level.text}"
            f"{mixture}",
            (*data(regular=self.regular),
             Fact("witness", "corner priors", None if self.regular else Shown(
                 str(self.point), f"its coefficient at {label_text(self.point)} would be "
                 "negative")),
             Fact("gain", "guessed right", None if self._gain is None else Shown(
                 self.gain, f"with probability {_up(self._gain)} at most, by any mechanism at this "
                 "level" + ("" if self.regular else " (a dual of the optimum proves it)"))),
             Fact("leakage_bound", "leakage", None if bound is None else Shown(
                 bound, f"at most {_up(bound)} bits under this prior")),
             Fact("leakage_bound_any_prior", "any prior", Shown(
                 self.any_prior, "the uniform prior is not regular: no bound by Corollary 2"
                 if self.any_prior is None else f"at most {_up(self.any_prior)} bits"),
                  detail=True),
             Fact("leakage", "this mechanism", self.leaked, "bits", unproved),
             *self._optimality(),
             Fact("balls", "balls", self.balls and Shown(
                 {"symmetric": self.balls.symmetric,
                  "numbers": [(str(d), number) for d, number in self.balls.numbers]},
                 self.balls.text), detail=True),
             Fact("min_entropy", "before", min_entropy(space, self.prior), "bits of min-entropy",
                  detail=True),
             Fact("volume", "regular priors", self.volume and Shown(
                 self.volume, f"a share of {self.volume[1]:.6g} of all priors, by volume")),
             Fact("space", "space", brief_text(space.text), detail=True),
             *data(**self.level.as_json(), private=self.private, shares=self.shares,
                   phi=self.phi, mu=self.mu,
                   corners=None if self.corners is None else self.corners.tolist()),
             Table("rows", "", columns, rows, listed=0)),
            ("Least and most are the ranges of single probabilities under regular priors; a prior "
             "within them need not be regular.",),
        )

    def _optimality(self) -> tuple[Fact, ...]:
        """Whether the mechanism is optimal for every regular prior, its remap and its slack."""
        told, most = self.optimum, self.shortfall
        short = Fact("shortfall", "shortfall" if most else None, most and Shown(
            most, f"at most a share of {_up(most)} of the gain, under any regular prior"))
        if told is None:
            return (short, *data(optimal_for_regular_priors=None, optimal_for_uniform=None,
                                 slack=None, weights=None, remap=None))
        text = "optimal for every regular prior: remapped, its constraints are tight"
        if told.weights is not None and not told.optimal:
            text = "not optimal for every regular prior: some constraint has slack"
        elif told.better is not None:
            text = ("not optimal for every regular prior: under the mean of the corner priors "
                    "another mechanism gains more")
        elif told.optimal is None:
            text = ("for all regular priors not decided: no tight-constraints mechanism exists, "
                    "so no bound here is attained everywhere")
        return (
            Fact("optimal_for_regular_priors", "optimality", Shown(told.optimal, text)), short,
            *data(optimal_for_uniform=told.uniform, slack=told.slack, weights=told.weights,
                  remap=dict(zip(map(str, told.outputs), map(str, told.remap), strict=True))),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(
    delta="ratio or epsilon alone: regular priors are about δ = 0",
    **LEVEL, **RESULT,
)
def judge_prior(
    space: Space | str,
    epsilon: Level | Number | None = None,
    prior: PriorLike = uniform,
    mechanism: FiniteMechanism | Held | Matrix | None = None,
    *,
    ratio: Number | None = None,
) -> PriorJudgment:
    """Whether a prior is regular at a level, its shares of corner priors, and what can leak.

    With a mechanism also what that one leaks under the prior; the bound is about it only if it is
    proved at the level. Where every e^(ε d) is a fraction, also whether it is optimal for every
    regular prior. A prior that is not regular gets its bound from the optimum over mechanisms, on
    up to 40 points.

    Returns: a `PriorJudgment`; `regular` is the verdict, `most_leaked` a bound in bits.

    Raises: `BadInput` for an ε that is not above 0, a δ that is, an infinite distance, or a prior
    or mechanism that does not fit.

    >>> found = judge_prior("categories:2", "ln(3)", ["3/5", "2/5"])
    >>> found.regular, [round(share, 6) for share in found.shares], round(found.volume[1], 9)
    (True, [0.7, 0.3], 0.5)
    >>> round(found.gain, 6), round(found.most_leaked, 6)
    (0.75, 0.321928)
    """
    level, space = Level.positive(level_of(epsilon, ratio=ratio)), space_of(space)
    law = prior_of(prior, space)
    check_pure(level)
    require_connected(space, "regular priors are for")
    verdict = regularity(space, level, law)
    least, most = regular_bounds(space, level)
    try:
        everybody: float | None = most_leakage_of_any_prior(space, level)
    except (Infeasible, CannotCheck):
        everybody = None
    leaked = private = optimum = shortfall = None
    phi = exact_kernel(space, level)
    if mechanism is not None:
        form = matrix_form(mechanism, space)
        leaked = leakage(form, law)
        private = isinstance(verify(form, space, level), Certificate)
        if private and space.size <= MOST_MEASURED:
            rows = tuple(tuple(form.row(x)) for x in space.points)
            chances = law.weights or (Fraction(1, space.size),) * space.size
            leaked = bits_above(gain_of(chances, zip(*rows, strict=True)), max(chances))
            if phi is None:
                shortfall = largest_slack(space, level, rows)
            else:
                optimum = decide(space, level, phi, rows, tuple(form.outputs))
                shortfall = float_above(ball_of(max(optimum.slack), 128))
    best = None
    if isinstance(verdict, Irregular) and space.size <= MOST_DESIGNED:
        best = _best_gain(space, level, law,
                          exact=phi is not None and space.size <= MOST_REFUTED)
    return PriorJudgment(
        space, level, law, verdict, least, most,
        corner_priors(space, level) if space.size <= MOST_LISTED else None,
        _volume(space, level), everybody, leaked, private, best, phi, optimum,
        ball_sizes(space) if space.size <= MOST_MEASURED else None, shortfall,
    )


def _best_gain(space: Space, level: Level, prior: Prior, *, exact: bool) -> Fraction | None:
    """The most that any mechanism gains: exact, or 1 less a proved bound on the loss."""
    solution = design(space, level, prior=prior, loss="binary", exact=exact)
    if solution.exact is not None:
        return 1 - solution.exact.value
    return None if solution.bound is None else 1 - Fraction(solution.bound)


def _up(value: float | Fraction) -> str:
    """A number in six digits, rounded up."""
    exact = Fraction(value)
    context = Context(prec=6, rounding=ROUND_CEILING)
    return f"{context.divide(Decimal(exact.numerator), Decimal(exact.denominator)):.6g}"


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
