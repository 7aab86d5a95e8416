"""Values that post-processing implies between two allowed ones (KL10, Proposition 2.2.2).

If q(a, b) is allowed, a channel that keeps the event's probability a under the first input turns b
into c b + d (1 - b), where c a + d (1 - a) = a and c, d lie between 0 and 1. So q(a, b') must be
allowed for every b' between b and the other end of the interval. The paper swaps the two cases: the
other end is (1 - b) a / (1 - a) for a <= 1/2, and 1 - b (1 - a) / a for a >= 1/2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput
from tightrope.exact import Number, stated
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.privacy.predicates import Predicate, ask

_ONE = Fraction(1)
_STEPS = 60
"""Values between the ends at which a predicate is asked."""


@dataclass(frozen=True)
class ImpliedValues:
    """The values b' that must be allowed beside a if b is, and one that the predicate forbids.

    `channel` turns b into the other end: the chances of the event after the event, and after its
    complement. `forbidden` is None where every value asked about is allowed.
    """

    a: Fraction
    b: Fraction
    other: Fraction
    channel: tuple[Fraction, Fraction]
    forbidden: Fraction | None

    @property
    def holds(self) -> bool:
        """Whether the predicate allows every value that was asked about."""
        return self.forbidden is None

    def facts(self) -> Facts:
        """The interval, the channel to its other end, and what the predicate forbids."""
        low, high = sorted((self.b, self.other))
        return Facts("ImpliedValues", f"q({self.a}, {self.b}) implies q({self.a}, b')", (
            Fact("interval", "for b' from", Shown([str(low), str(high)], f"{low} to {high}")),
            Fact("channel", "channel", Shown([str(x) for x in self.channel],
                 f"keep the event with {self.channel[0]}, its complement becomes it with "
                 f"{self.channel[1]}")),
            Fact("forbidden", "forbidden", None if self.forbidden is None else str(
                self.forbidden), meaning="the predicate is not closed under post-processing"),
            *data(holds=self.holds)))

    __repr__ = lines_of
    _repr_html_ = card_of


def implied_values(predicate: Predicate, a: Number, b: Number) -> ImpliedValues:
    """The interval of values that q(a, b) implies, and whether the predicate has it.

    Raises: `BadInput` for numbers that are no probabilities, or a pair that q does not allow.

    >>> implied_values(lambda a, b: b <= 2 * a and a <= 2 * b, "1/4", "1/2").other
    Fraction(1, 6)
    """
    first, second = stated(a, "a probability"), stated(b, "a probability")
    if not (0 <= first <= 1 and 0 <= second <= 1):
        raise BadInput("expected a pair of probabilities from 0 to 1, such as 1/4,1/2.")

    def allowed(value: Fraction) -> bool:
        return ask(predicate, first, value) and ask(predicate, 1 - first, 1 - value)

    if not allowed(second):
        raise BadInput(f"the predicate does not allow ({first}, {second}), so that nothing is "
                       "implied.")
    if first <= _ONE / 2:  # c = 0, d = a / (1 - a)
        channel = (Fraction(0), first / (1 - first))
    else:  # d = 1, c = 1 - (1 - a) / a
        channel = (1 - (1 - first) / first, _ONE)
    other = channel[0] * second + channel[1] * (1 - second)
    between = (second + (other - second) * Fraction(k, _STEPS) for k in range(_STEPS + 1))
    return ImpliedValues(first, second, other, channel,
                         next((value for value in between if not allowed(value)), None))
