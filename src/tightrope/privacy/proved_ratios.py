"""A proved bound on how neighbors differ: a ratio, how often it is met, and a δ beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tightrope.exact import Level, Surd, bit_size, short_text
from tightrope.privacy.evidence import Refutation, Smallest, Witness, exactly

_LONGEST_BASE = 400  # most bits of q in a level that is written as ln(q)


@dataclass(frozen=True)
class Theorem:
    """A proved bound: probabilities under neighbors differ by at most ratio^times, up to δ.

    The level is `times` ln(ratio). `witness` returns two neighbors that attain it; without one the
    bound need not be attained. Powers are written out only in a witness, for a refutation.
    `delta` brackets the δ that this takes: less than the first is refuted, by `refute`, and the
    second is enough.
    """

    ratio: Fraction
    statement: str
    checked: int
    witness: Callable[[], Witness] | None = None
    times: int = 1
    delta: tuple[Fraction, Fraction] = (Fraction(0), Fraction(0))
    refute: Callable[[Level | None], Refutation] | None = None

    @property
    def part(self) -> Surd:
        """The part of the level that the ratio is compared with."""
        return Surd.of(Fraction(1, self.times))

    @property
    def smallest(self) -> Smallest:
        """The smallest level, or an upper bound on it without a witness; short powers are exact."""
        short = self.times * bit_size(self.ratio) <= _LONGEST_BASE
        reached = (exactly(self.ratio**self.times, Fraction(1)) if short
                   else exactly(self.ratio, Fraction(1, self.times)))
        return reached if self.witness is not None else Smallest(0.0, reached.upper, None)


def key_theorem(ratio: Fraction, delta: Fraction, touched: int) -> Theorem:
    """Keys drawn independently, of which a unit is in a few: ε and δ of these add up.

    A unit in a key that nobody else has is released with the δ of one key, and never without it.
    """
    return Theorem(
        ratio,
        "one unit more changes the law of a key, and of its count, by no more than (ln q, δ) "
        "allows (Desfontaines, Voss, Gipson and Mandayam, 2022); a unit is in at most "
        f"{touched:,}, which are drawn independently: level {touched:,} ln q with {touched:,} δ",
        1, times=touched, delta=(delta, touched * delta),
        refute=lambda level: _refute_key(delta, level))


def _refute_key(delta: Fraction, level: Level | None) -> Refutation:
    """A unit with a key that nobody else has: without it, the key is never released."""
    witness = Witness("a unit with a key of its own", "no units", ("that key is released",),
                      (delta, Fraction(0)), "1")
    allowed = "0" if level is None else short_text(level.delta)
    return Refutation(level, witness, (
        f"a key of one unit alone is released with probability {short_text(delta)}, and never "
        f"without the unit: more than δ = {allowed}, whatever ε is."))
