"""Randomized response on m values, every closed form at once (H16, Chapters 3 and 4).

At a level: which errors p and which exponents k are private, and how often a row is then wrong
at least and at most. For a p that one has: its own ε and δ. Where e^ε is irrational, ranges are
rounded inward, so what lies in them is private.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import exp, inf, log, nextafter

from tightrope.errors import BadInput, BadLevel
from tightrope.exact import Level, Number, Surd, short_text, stated, stated_whole
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.privacy import (
    PrivateRange,
    exponent_of_error,
    private_errors,
    private_exponents,
    smallest_delta,
    smallest_ratio,
)

_STEP = Surd.of(1)
_LARGEST = 400
"""The largest ε; and p or e^k may be within e^±400 of 1, so that doubles hold all forms."""


@dataclass(frozen=True)
class ErrorJudged:
    """One error p at the level: does it hold, and what ε and δ does it need.

    `factor` is e^k of the exponential mechanism that it is (None for p = 0), `ratio` the smallest
    e^ε at the δ of the level (None if no ε is enough), `delta` bounds on the smallest δ at its ε.
    """

    error: Fraction
    holds: bool
    factor: Fraction | None
    ratio: Fraction | None
    delta: tuple[Fraction, Fraction]

    @property
    def json(self) -> dict[str, object]:
        """The verdict as programs get it."""
        return {
            "error": float(self.error),
            "error_text": short_text(self.error),
            "holds": self.holds,
            "factor": None if self.factor is None else float(self.factor),
            "epsilon_needed": None if self.ratio is None else log(self.ratio),
            "ratio_needed": None if self.ratio is None else short_text(self.ratio),
            "delta_needed": float(self.delta[1]),
        }

    @property
    def text(self) -> str:
        """The error, its factor, and whether it is private."""
        factor = "e^k is infinite" if self.factor is None else f"e^k = {_text(self.factor)}"
        return f"{_text(self.error)}, {factor}: {'private' if self.holds else 'not private'}"


@dataclass(frozen=True)
class ResponseForms:
    """Randomized response on `values` values at a level: private p, private e^k, wrong rows.

    `wrong` is the chance (m - 1)p that a row is wrong, from the least that any row-by-row
    mechanism has at the level (Theorem 4.8) to the most that is still private.
    """

    values: int
    level: Level
    errors: PrivateRange
    factors: PrivateRange
    wrong: PrivateRange
    given: ErrorJudged | None

    def facts(self) -> Facts:
        """The verdict on an error that was given, the private ranges, how often rows are wrong."""
        level, given = self.level, self.given
        needed = () if given is None else (
            Fact(None, "ε needed", "none is enough" if given.ratio is None else
                 f"ln({_text(given.ratio)}) at δ = {float(level.delta):g}", detail=True),
            Fact(None, "δ needed", f"{_text(given.delta[1])} at ε = {level.text}",
                 detail=True))
        return Facts(
            "ResponseForms",
            f"randomized response on {self.values:,} values, {level!s}",
            (Fact("given", "this p", given and Shown(given.json, given.text)),
             *needed,
             Fact("errors", "private p", _ends(self.errors), meaning="H16, Theorem 4.6"),
             Fact("factors", "private e^k", _ends(self.factors), meaning="Theorem 4.3"),
             Fact("wrong", "share of rows wrong", _ends(self.wrong),
                  meaning="Theorems 4.4 and 4.7"),
             *data(values=self.values, **level.as_json())),
            ("Each wrong value has probability p, the truth the rest. Row by row a table of any "
             "length has the same level (Theorem 3.5).",
             "No row-by-row mechanism at this level is wrong less often for its worst value "
             "(Theorem 4.8)."),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def response_forms(
    values: int,
    level: Level | Number,
    *,
    error: Number | None = None,
    factor: Number | None = None,
) -> ResponseForms:
    """All closed forms for m values at a level, and the verdict on an error p or a factor e^k.

    >>> found = response_forms(5, Level.ratio(2, "0.1"), error="0.1")
    >>> str(found.errors.low), str(found.wrong.low), str(found.factors.high)
    ('3/20', '3/5', '8/3')
    >>> found.given.holds, str(found.given.ratio), str(found.given.delta[0])
    (False, '5', '2/5')
    """
    values = stated_whole(values, "a whole number of values")
    level = Level.of(level)
    if float(level) > _LARGEST:
        raise BadLevel(f"ε = {level.text}", f"an ε of at most {_LARGEST} for closed forms")
    if error is not None and factor is not None:
        raise BadInput("give an error or a factor e^k, not both.")
    below = level.pure.ratio_below(_STEP)
    errors = private_errors(values, below, level.delta)
    assert errors.high is not None
    wrong = PrivateRange((values - 1) * errors.low, (values - 1) * errors.high)
    given = None
    if error is not None:
        given = _judge(values, level, stated(error, "an error as a number"))
    elif factor is not None:
        given = _judge(values, level, _error_of(values, factor))
    return ResponseForms(
        values, level, errors, private_exponents(values, below, level.delta), wrong, given
    )


def _error_of(values: int, factor: Number) -> Fraction:
    """The p with e^k = 1 + 1/p - m."""
    power = stated(factor, "a factor e^k of at least 0")
    if power < 0:
        raise BadInput(f"expected a factor e^k of at least 0, found {short_text(power)}.")
    return 1 / (power + values - 1)


def _judge(values: int, level: Level, error: Fraction) -> ErrorJudged:
    if 0 < error < Fraction(exp(-_LARGEST)):
        raise BadInput(f"expected an error of 0 or of at least {exp(-_LARGEST):.0e}.")
    if 0 < 1 - (values - 1) * error < Fraction(exp(-_LARGEST)):
        raise BadInput(f"expected a right answer with chance 0 or at least {exp(-_LARGEST):.0e}.")
    low = smallest_delta(values, error, level.pure.ratio_above(_STEP))
    high = smallest_delta(values, error, level.pure.ratio_below(_STEP))
    ratio = smallest_ratio(values, error, level.delta)
    return ErrorJudged(
        error,
        ratio is not None and level.compare(ratio, _STEP) <= 0,
        exponent_of_error(values, error) if error else None,
        ratio,
        (low, high),
    )


def response_curve(
    values: int, level: Level | Number, most: float, points: int = 121
) -> list[tuple[float, float]]:
    """The least δ against k from 0 to `most`, at the ε of the level (H16, Figure 4.1).

    >>> [(k, round(d, 3)) for k, d in response_curve(2, Level.ratio(2), 2.0, 3)]
    [(0.0, 0.0), (1.0, 0.193), (2.0, 0.642)]
    """
    level = Level.of(level)
    most = min(most, float(_LARGEST))
    steps = [Fraction(most) * i / (points - 1) for i in range(points)]
    factors = [Level.epsilon(step).ratio_above(_STEP) if step else Fraction(1) for step in steps]
    below = level.pure.ratio_below(_STEP)
    return [
        (float(step), float(smallest_delta(values, 1 / (factor + values - 1), below)))
        for step, factor in zip(steps, factors, strict=True)
    ]


def _ends(private: PrivateRange) -> Shown:
    """Both ends as doubles, rounded inward, and exactly where that is short."""
    low = float(private.low)
    high = None if private.high is None else float(private.high)
    if high is not None and private.high is not None and private.high < Fraction(high):
        high = nextafter(high, -inf)
    upto = "" if private.high is None else f" to {_text(private.high, ROUND_FLOOR)}"
    return Shown({
        "low": low if private.low <= Fraction(low) else nextafter(low, inf),
        "high": high,
        "low_text": short_text(private.low),
        "high_text": None if private.high is None else short_text(private.high),
    }, f"from {_text(private.low)}{upto}")


def _text(value: Fraction, rounding: str = ROUND_CEILING) -> str:
    """A short fraction, or seven digits, rounded so that what is said to be private is."""
    if len(str(value)) <= 12:
        return str(value)
    context = Context(prec=7, rounding=rounding)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):.7g}"
