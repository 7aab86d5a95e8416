"""A proof as a few lines in a terminal, or as a card with its meaning in a notebook.

A certificate that `verify` did not issue, or whose claim was changed, is shown as a claim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.characters import counted, label_text, shorten
from tightrope.exact import short_text
from tightrope.markup import card
from tightrope.mechanisms import Mechanism, mechanism_facts, mechanism_picture

if TYPE_CHECKING:
    from tightrope.privacy.evidence import Certificate, Certified, Refutation, Smallest

_UNPROVED = "not issued by verify for any mechanism, so it proves nothing"


def smallest_line(smallest: Smallest) -> str:
    """A smallest level in one line: exactly, or between two bounds."""
    if smallest.exact is not None:
        return f"Smallest({smallest.exact}, exactly)"
    if smallest.lower == smallest.upper:
        return f"Smallest(ε = {smallest.upper:g})"
    return f"Smallest(ε from {smallest.lower!r} to {smallest.upper!r})"


def certificate_line(certificate: Certificate) -> str:
    """A certificate in one line, or that it is none."""
    return f"Certificate({level_shown(certificate)})"


def level_shown(certificate: Certificate) -> str:
    """The level that is proved and how, or that it is only a claim."""
    if _mechanism(certificate) is None:
        return f"claims {certificate.level}; {_UNPROVED}"
    smallest = certificate.smallest
    named = "smallest level" if certificate.level.delta == 0 else "level at δ = 0:"
    least = "" if smallest is None else f"; {named} {shorten(smallest.text)}"
    return f"{certificate.level} proved, {certificate.evidence.value}{least}"


def certificate_card(certificate: Certificate) -> str:
    """A certificate as HTML: the level, how it was proved, and what it promises."""
    if _mechanism(certificate) is None:
        return card(f"Claim {certificate.level}", sentences=(f"It is {_UNPROVED}.",))
    return card(
        f"Proved: {certificate.level}",
        [*certificate_facts(certificate), ("checked", shorten(certificate.statement, 400))],
        sentences=meaning(certificate),
    )


def certificate_facts(certificate: Certificate) -> list[tuple[str, object]]:
    """The smallest level, the kind of proof and who is protected."""
    smallest = certificate.smallest
    return [
        ("smallest level", smallest and shorten(smallest.text)),
        ("proof", f"{certificate.evidence.value}, {counted(certificate.checked, 'comparison')}"),
        ("neighbors", certificate.neighbors),
    ]


def meaning(certificate: Certificate) -> list[str]:
    """The promise of the level on the space of the mechanism that was proved; else nothing."""
    from tightrope.privacy.semantics import promise

    mechanism = _mechanism(certificate)
    return [] if mechanism is None else [promise(certificate.level, mechanism.space)]


def certified_line(certified: Certified) -> str:
    """A certified mechanism in two lines: the mechanism and its certificate."""
    return f"Certified({certified.mechanism!r},\n  {certified.certificate!r})"


def certified_card(certified: Certified) -> str:
    """A certified mechanism as HTML, with a picture where it is small."""
    certificate, mechanism = certified.certificate, certified.mechanism
    if _mechanism(certificate) is None:
        return certificate_card(certificate)
    return card(
        f"{type(mechanism).__name__}, proved: {certificate.level}",
        [*mechanism_facts(mechanism), *certificate_facts(certificate)],
        picture=mechanism_picture(mechanism),
        sentences=meaning(certificate),
    )


def refutation_line(refutation: Refutation) -> str:
    """A refutation in one line: its reason."""
    return f"Refutation({_refuted_level(refutation)}: {shorten(refutation.reason, 400)})"


def refutation_card(refutation: Refutation) -> str:
    """A refutation as HTML: two inputs that an output, or a set of outputs, tells apart."""
    witness = refutation.witness
    high, low = map(short_text, witness.probabilities)
    outputs = witness.outputs
    more = f" and {len(outputs) - 3:,} more" if len(outputs) > 3 else ""
    return card(
        f"Not private at {_refuted_level(refutation)}",
        [
            ("inputs", f"{label_text(witness.first)} and {label_text(witness.second)}, "
                       f"at distance {witness.distance}"),
            ("output" if len(outputs) == 1 else "one of the outputs",
             ", ".join(map(label_text, outputs[:3])) + more),
            ("probabilities", f"{high} and {low}"),
        ],
        sentences=(shorten(refutation.reason, 400),),
    )


def _refuted_level(refutation: Refutation) -> str:
    return "any level" if refutation.level is None else str(refutation.level)


def _mechanism(certificate: Certificate) -> Mechanism | None:
    from tightrope.privacy.evidence import standing

    return standing(certificate)
