"""Results of a verification: a certificate, or a refutation with its witness.

`Certified` pairs a mechanism with its certificate. Only `verify` issues certificates, and
only `Certified` mechanisms are drawn from, saved or released by the rest of the library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from flint import arb, ctx

from tightrope.characters import shorten
from tightrope.choices import member_of
from tightrope.drawing import plot_of
from tightrope.errors import NotCertified
from tightrope.exact import (
    Level,
    Parts,
    Surd,
    ball_of,
    float_above,
    float_below,
    parts,
    short_text,
    told_apart,
    unchanged,
)
from tightrope.markup import brief
from tightrope.mechanisms import Mechanism, array_of_mechanism, csv_of_held, latex_of_held
from tightrope.privacy.cards import (
    certificate_card,
    certificate_line,
    certified_card,
    certified_line,
    refutation_card,
    refutation_line,
    smallest_line,
)
from tightrope.spaces import Datasets, Label, Space, label_to_json

_LONGEST_BITS = 400
"""Exact numbers up to this length are written out in JSON."""


class Evidence(StrEnum):
    """How a certificate was obtained."""

    ENUMERATED = "enumerated"
    KERNEL = "kernel"
    THEOREM = "theorem"


@dataclass(frozen=True)
class Smallest:
    """The smallest level at which a mechanism is private: a proved bracket, or exact.

    `exact` is None where the level is not of the form c · ln(q) with q rational (for
    example with Euclidean distances); `lower` and `upper` are then rounded outward. A
    constant mechanism has lower = upper = 0. Wherever a level is asked for, it stands for
    `level`; `float()` gives the upper end.
    """

    lower: float
    upper: float
    exact: Level | None

    @property
    def level(self) -> Level:
        """A level that holds: the exact one, or else the upper end, as an exact number."""
        return self.exact or Level.epsilon(Fraction(self.upper))

    def __float__(self) -> float:
        return self.upper

    @property
    def text(self) -> str:
        """The level in a few characters: ln(2), or a decimal."""
        if self.exact is not None and len(self.exact.text) <= 24:
            return f"{self.exact.text} = {self.upper:.10g}"
        return f"{self.upper:.12g}"

    @property
    def exact_text(self) -> str | None:
        """The exact level as text such as ln(2), if it has one that is not very long."""
        short = self.exact is not None and total_bits(self.exact.base) <= _LONGEST_BITS
        return self.exact.text if short and self.exact is not None else None

    def as_json(self) -> dict[str, Any]:
        """Both bounds and the exact level, as every command writes them."""
        return {"lower": self.lower, "upper": self.upper, "exact": self.exact_text}

    __repr__ = smallest_line


@dataclass(frozen=True)
class Witness:
    """Two inputs and an output (or a set of outputs) that they reveal too well.

    >>> import tightrope as tr
    >>> shown = tr.verify([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2", 0.5).witness
    >>> shown.first, shown.second, shown.outputs, shown.distance
    (0, 1, (0,), '1')
    """

    first: Label
    second: Label
    outputs: tuple[Label, ...]
    probabilities: tuple[Fraction, Fraction]
    distance: str

    __repr__ = brief


@dataclass(frozen=True)
class Refutation:
    """A proof that a mechanism does not have a level.

    >>> import tightrope as tr
    >>> refutation = tr.verify([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2", 0.5)
    >>> refutation.holds, [str(p) for p in refutation.witness.probabilities]
    (False, ['2/3', '1/3'])
    """

    level: Level | None
    witness: Witness
    reason: str

    @property
    def holds(self) -> bool:
        """False: the claim does not hold."""
        return False

    def __str__(self) -> str:
        return self.reason

    __repr__ = refutation_line
    _repr_html_ = refutation_card

    def as_json(self) -> dict[str, Any]:
        """The witness and the reason, as every command writes them; fractions are text."""
        witness = self.witness
        return {
            "first": label_to_json(witness.first),
            "second": label_to_json(witness.second),
            "outputs": [label_to_json(output) for output in witness.outputs],
            "probabilities": [
                str(p) if total_bits(p) <= _LONGEST_BITS else short_text(p)
                for p in witness.probabilities
            ],
            "distance": witness.distance,
            "reason": self.reason,
        }


@dataclass(frozen=True)
class Certificate:
    """A proof that a mechanism has a level; issued by `verify` alone.

    `checked` counts the comparisons that were made; `delta` brackets the smallest δ at this
    ε (zero for a pure level); `neighbors` says which inputs δ protects, None if any two.

    >>> import tightrope as tr
    >>> certificate = tr.verify([["2/3", "1/3"], ["1/3", "2/3"]], "categories:2", 1)
    >>> certificate.level.text, certificate.evidence.value, certificate.smallest.exact.text
    ('1', 'enumerated', 'ln(2)')
    """

    level: Level
    evidence: Evidence
    smallest: Smallest | None
    delta: tuple[Fraction, Fraction]
    neighbors: str | None
    checked: int
    statement: str
    _proved: object | None = field(init=False, repr=False, compare=False, default=None)
    _sealed: Parts = field(init=False, repr=False, compare=False, default=())
    _claimed: tuple[object, ...] = field(init=False, repr=False, compare=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "evidence", member_of(Evidence, self.evidence))

    @property
    def _claims(self) -> tuple[object, ...]:
        return tuple(value for name, value in vars(self).items() if name[0] != "_")

    @property
    def holds(self) -> bool:
        """True: the claim holds."""
        return True

    __repr__ = certificate_line
    _repr_html_ = certificate_card

    def __getstate__(self) -> dict[str, object]:
        """Pickle the claim only; an unpickled certificate proves nothing until verified again."""
        return {name: value for name, value in vars(self).items() if name[0] != "_"}


def issue(certificate: Certificate, mechanism: Mechanism) -> Certificate:
    """The certificate, bound to the mechanism that was proved. For `verify` alone."""
    claims = certificate._claims
    object.__setattr__(certificate, "_sealed", parts((mechanism, claims)))
    object.__setattr__(certificate, "_claimed", claims)
    object.__setattr__(certificate, "_proved", mechanism)
    return certificate


def check_proved(certificate: object, value: object) -> None:
    """Refuse any value but the one that the certificate was issued for, unchanged."""
    if type(certificate) is not Certificate or certificate._proved is not value:
        raise NotCertified(value)
    same = all(a is b for a, b in zip(certificate._claims, certificate._claimed, strict=True))
    if not same or not unchanged(certificate._sealed):
        raise NotCertified(value, changed=True)


def standing(certificate: Certificate) -> Mechanism | None:
    """The mechanism that the certificate was issued for and still proves; None without one."""
    if certificate._proved is None:
        return None
    try:
        check_proved(certificate, certificate._proved)
    except NotCertified:
        return None
    return certificate._proved  # type: ignore[return-value]


@dataclass(frozen=True)
class Certified:
    """A mechanism together with the proof of its privacy, of this very mechanism.

    >>> import tightrope as tr
    >>> proved = tr.constructions.truncated_geometric("path:0..2", tr.Level.ratio(2))
    >>> proved.certificate.holds, [str(p) for p in proved.mechanism.row(0)]
    (True, ['2/3', '1/6', '1/6'])
    """

    mechanism: Mechanism
    certificate: Certificate

    __repr__ = certified_line
    _repr_html_ = certified_card
    plot = plot_of
    __array__ = array_of_mechanism
    to_csv = csv_of_held
    to_latex = latex_of_held

    def __post_init__(self) -> None:
        check_proved(self.certificate, self.mechanism)


def proved(certified: Certified) -> Mechanism:
    """The certified mechanism, if it is unchanged since the proof; else `NotCertified`."""
    if not isinstance(certified, Certified):
        raise NotCertified(certified)
    mechanism = certified.mechanism
    check_proved(certified.certificate, mechanism)
    return mechanism


def exactly(ratio: Fraction, length: Fraction) -> Smallest:
    """The level ln(ratio)/length, exactly and enclosed by doubles."""
    bits = 128
    while True:
        with ctx.workprec(bits):
            ball = ball_of(ratio, bits).log() / ball_of(length, bits)
        if ball > 0 and ball.rel_accuracy_bits() > 64:
            exact = Level(Fraction(0), 1 / length, ratio)
            return Smallest(float_below(ball), float_above(ball), exact)
        bits *= 2


def named(label: object) -> str:
    """A label as it stands in a sentence: long ones never hide the numbers beside them."""
    return shorten(str(label))


def sentence(witness: Witness, level: Level, distance: Surd) -> str:
    """The sentence of a refutation: the witness, its ratio and the ratio allowed."""
    high, low = witness.probabilities
    ratio, allowed = told_apart(high / low, factor(level, distance))
    return (
        f"inputs {named(witness.first)} and {named(witness.second)}, "
        f"output {named(witness.outputs[0])}: "
        f"probabilities {short_text(high)} and {short_text(low)} have the ratio "
        f"{ratio}, more than the allowed {allowed}."
    )


def factor(level: Level, distance: Surd) -> Fraction | Callable[[int], arb]:
    """e^(ε · distance): the fraction that it is, or balls around it."""
    exact = level.power(distance)
    return exact if exact is not None else lambda bits: level.power_ball(distance, bits)


def relation(space: Space | Datasets) -> str | None:
    """The neighbor relation of a space or set of datasets in words; None without one."""
    if isinstance(space, Datasets):
        return space.relation
    return None if space.neighbors is None else space.neighbors.relation


def total_bits(value: Fraction) -> int:
    """The bits of numerator and denominator together."""
    return value.numerator.bit_length() + value.denominator.bit_length()
