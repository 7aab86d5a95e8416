"""Laws with infinitely many outputs: proved by a theorem whose hypotheses are checked.

Noise in steps: if one person moves the value by a point of W, and B_i + W lies in B_(i+1)
for all i (B_i: rungs 0 to i), the rung of an answer changes by at most 1, so the density
changes by a factor of at most q: level ln q. Rungs that depend on the data have different
normalizers, each within a factor q of its neighbors': level 2 ln q (WXH, Theorems 2 and 3).
Cauchy noise of smooth sensitivity: neighbors differ by a factor of at most k² q².
Noise is checked here and may come from anywhere. What rests on a lemma about all datasets may
be issued only by the modules that work the law out from the data: tests/architecture names them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import pairwise

from tightrope.errors import BadInput, NotCertified, NotPrivate
from tightrope.exact import (
    Intervals,
    Level,
    Surd,
    ball_of,
    float_above,
    float_below,
    told_apart,
)
from tightrope.mechanisms import CauchyLaw, PiecewiseNoise, RungLaw
from tightrope.privacy.evidence import (
    Certificate,
    Evidence,
    Refutation,
    Smallest,
    Witness,
    check_proved,
    factor,
    issue,
)

_ONE = Surd.of(1)

Law = PiecewiseNoise | RungLaw | CauchyLaw


@dataclass(frozen=True)
class CertifiedLaw:
    """A law on the line or on the integers with the proof of its privacy, of this very law."""

    law: Law
    certificate: Certificate

    def __post_init__(self) -> None:
        check_proved(self.certificate, self.law)


def proved_law(certified: CertifiedLaw) -> Law:
    """The law of a certified one, if it is still what was proved; else `NotCertified`."""
    if not isinstance(certified, CertifiedLaw):
        raise NotCertified(certified)
    law = certified.law
    check_proved(certified.certificate, law)
    return law


class Lemma(Enum):
    """What holds for any two neighboring datasets, and who they are: the known ones alone."""

    LADDER = (
        "the local sensitivity at distance t of a graph at most that at distance t + 1 of its "
        "neighbor, so that the rung of an answer changes by at most 1",
        "all graphs on these nodes that differ in one edge; the nodes are public",
    )
    SMOOTH = (
        "S the largest of the local sensitivities at distance t over q^t, at least the local "
        "sensitivity and at most q times the S of a neighbor",
        LADDER[1],
    )
    REPLACEMENTS = (
        "rung = how many records must be replaced for the answer to be right, which changes by "
        "at most 1 with one record",
        "databases of equal size that differ in one record; values outside the bounds are moved "
        "to the nearest bound",
    )

    @property
    def statement(self) -> str:
        """What holds."""
        return self.value[0]

    @property
    def neighbors(self) -> str:
        """Between which datasets."""
        return self.value[1]


def certified_noise(noise: PiecewiseNoise, changes: Intervals, level: Level) -> CertifiedLaw:
    """Noise in steps, proved for a query that one person moves by a point of the changes.

    Checks by exact arithmetic on intervals that B_i + W lies in B_(i+1) for every listed
    rung and that no change exceeds the step. Raises `NotPrivate` if ln q exceeds the level,
    `BadInput` if a rung could be jumped.

    >>> stairs = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))
    >>> certified_noise(stairs, Intervals.of([(0, 3)]), Level.ratio(2)).certificate.evidence.value
    'theorem'
    """
    _check_forms(noise, PiecewiseNoise, changes, Intervals)
    moves = (changes | Intervals.of([(0, 0)])).symmetric()
    if moves.reach == 0:
        raise BadInput("nobody can change the value (sensitivity 0); expected a change above 0.")
    if moves.reach > noise.step:
        raise BadInput(f"a person changes the value by {moves.reach}, more than {noise.step}.")
    grown: Intervals | None = None
    for i, larger in enumerate([*noise.rungs[1:], None]):
        rung = noise.rungs[i]
        if rung is not None:
            grown = rung if grown is None else grown | rung
        if grown is None:
            continue
        if i + 1 == len(noise.rungs):
            larger = Intervals.of([(-noise.reach - noise.step, noise.reach + noise.step)])
        if not (grown if larger is None else grown | larger).contains(grown + moves):
            raise BadInput(f"one person can move an answer from rung {i} beyond rung {i + 1}.")
    return _issued(
        noise,
        level,
        noise.ratio,
        f"any two values that differ by {_shown(changes)}",
        len(noise.rungs) + 1,
        "additive noise whose rung changes by at most 1 when one person changes the value "
        "(B_i + W inside B_(i+1), checked exactly for every rung) has level ln q "
        "(WXH, Theorem 3 and Corollary 1)",
    )


def certified_integer_noise(law: RungLaw, sensitivity: int, level: Level) -> CertifiedLaw:
    """Integer noise in steps around 0, proved for a query of the given sensitivity."""
    _check_forms(law, RungLaw, sensitivity, int)
    if sensitivity < 1:
        raise BadInput(f"expected a sensitivity of 1 or more, found {sensitivity}.")
    if (law.lows != -law.highs).any():
        raise BadInput("expected noise with as many rungs below 0 as above.")
    widths = [outer - inner for inner, outer in pairwise(law.highs.tolist())]
    if min([law.step, *widths]) < sensitivity:
        raise BadInput(f"expected steps of at least the sensitivity, {sensitivity}.")
    return _issued(
        law,
        level,
        law.ratio,
        f"whole numbers at most {sensitivity} apart",
        len(law.highs),
        "additive integer noise whose rungs are at least as wide as the sensitivity has level "
        "ln q (Geng and Viswanath)",
    )


def certified_rungs(law: RungLaw, level: Level, lemma: Lemma) -> CertifiedLaw:
    """The law of an answer for one dataset, proved by a lemma on the rungs of all datasets.

    If the rung of every answer changes by at most 1 between neighbors (the lemma), and all
    datasets share the same answers, the level is below 2 ln q. For the modules that work out
    the rungs from the data.
    """
    _check_forms(law, RungLaw, lemma, Lemma)
    if lemma is Lemma.SMOOTH or (law.step > 0) is not (lemma is Lemma.LADDER):
        raise BadInput(f"expected rungs that go on for ever on a ladder alone, found {lemma.name}.")
    return _issued(
        law,
        level,
        law.ratio**2,
        lemma.neighbors,
        len(law.lows),
        f"weights q^-rung with {lemma.statement}: normalizers and weights of neighbors each "
        "differ by at most q, so the level is below 2 ln q (WXH, Theorem 2)",
    )


def certified_smooth(law: CauchyLaw, growth: Fraction, level: Level) -> CertifiedLaw:
    """Cauchy noise for one dataset, proved by a lemma on the smooth sensitivity of all.

    If S is at most q times that of any neighbor, and a neighbor's value at most S away (the
    lemma), moving the center by S changes weights by a factor of at most k² and not their
    sum over all integers; then scaling σ by at most q changes weights and sum by at most q
    each. So neighbors differ by a factor of at most k² q². All datasets share k and q. For the
    modules that work out S from the data.

    >>> law = CauchyLaw(5, Fraction(3), Fraction(2))
    >>> certified_smooth(law, Fraction(3, 2), Level.ratio(9)).certificate.evidence.value
    'theorem'
    """
    _check_forms(law, CauchyLaw, growth, Fraction)
    lemma = Lemma.SMOOTH
    if growth <= 1:
        raise BadInput(f"expected a factor q above 1, found {growth}.")
    return _issued(
        law,
        level,
        (law.shift * growth) ** 2,
        lemma.neighbors,
        1,
        f"Cauchy noise of scale S k/(k^2 - 1) with {lemma.statement}: weights of neighbors "
        "differ by at most k^2 q and their sums by at most q, so the level is at most 2 ln(k q)",
    )


def _check_forms(law: object, form: type, given: object, expected: type) -> None:
    """Refuse what is not a law of that very form, with the hypotheses that go with it."""
    if type(law) is not form or type(given) is not expected:
        raise BadInput(
            f"expected a {form.__name__} and a {expected.__name__}, "
            f"found a {type(law).__name__} and a {type(given).__name__}."
        )


def _shown(changes: Intervals, most: int = 4) -> str:
    """The changes in words: each interval, or where they end if there are many."""
    pairs = changes.pairs()
    listed = [str(a) if a == b else f"{a} to {b}" for a, b in pairs[:most]]
    return ", or ".join([*listed, *([f"more, up to {changes.reach}"] if pairs[most:] else [])])


def _issued(
    law: Law,
    level: Level,
    ratio: Fraction,
    neighbors: str,
    checked: int,
    statement: str,
) -> CertifiedLaw:
    """The certificate, if the ratio between neighbors is at most e^ε."""
    if level.compare(ratio, _ONE) > 0:
        witness = Witness("a value", "its neighbor", (), (Fraction(1), 1 / ratio), "1")
        found, allowed = told_apart(ratio, factor(level, _ONE))
        raise NotPrivate(
            Refutation(level, witness, f"neighbors are told apart by a factor of up to {found}, "
                       f"more than the allowed e^ε = {allowed}.")
        )
    ball = ball_of(ratio, 192).log()
    attained = not isinstance(law, CauchyLaw) and ratio == law.ratio
    exact = Level.ratio(ratio) if attained else None
    smallest = Smallest(float_below(ball) if exact else 0.0, float_above(ball), exact)
    zero = (Fraction(0), Fraction(0))
    certificate = Certificate(
        level, Evidence.THEOREM, smallest, zero, neighbors, checked, statement
    )
    return CertifiedLaw(law, issue(certificate, law))


