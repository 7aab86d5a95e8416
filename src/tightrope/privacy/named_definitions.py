"""Privacy definitions that have a name: zCDP and Rényi levels, as they are typed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput
from tightrope.exact import short_text, stated

MOST_ORDER = Fraction(10**6)
"""Largest order, ε and ρ that are asked for."""


@dataclass(frozen=True)
class RenyiDefinition:
    """D_α <= ε between neighbors: `renyi:alpha=2,epsilon=0.1`."""

    alpha: Fraction
    epsilon: Fraction

    @property
    def text(self) -> str:
        """The definition as it is typed."""
        return f"renyi:alpha={short_text(self.alpha)},epsilon={short_text(self.epsilon)}"


@dataclass(frozen=True)
class ZcdpDefinition:
    """D_α <= ρ α between neighbors for every α > 1: `zcdp:rho=0.05`."""

    rho: Fraction

    @property
    def text(self) -> str:
        """The definition as it is typed."""
        return f"zcdp:rho={short_text(self.rho)}"


NamedDefinition = RenyiDefinition | ZcdpDefinition


def named_definition(text: str) -> NamedDefinition | None:
    """The definition that a text such as zcdp:rho=0.05 names; None for any other text.

    >>> named_definition("renyi:alpha=3/2,epsilon=0.1").alpha
    Fraction(3, 2)
    """
    kind, colon, rest = text.partition(":")
    if not colon or kind not in ("renyi", "zcdp"):
        return None
    names = {"renyi": ("alpha", "epsilon"), "zcdp": ("rho",)}[kind]
    parts = dict(part.partition("=")[::2] for part in rest.split(","))
    if set(parts) != set(names) or len(parts) != len(rest.split(",")):
        example = "renyi:alpha=2,epsilon=0.1" if kind == "renyi" else "zcdp:rho=0.05"
        raise BadInput(f"expected a definition such as {example}, found {text[:60]!r}.")
    if parts.get("alpha") == "inf":
        raise BadInput("the Rényi level of order inf is the pure level: state its ε alone.")
    values = [stated(parts[name], f"{name} as a number") for name in names]
    if not 0 <= min(values) <= max(values) <= MOST_ORDER or (kind == "renyi" and values[0] < 1):
        raise BadInput("expected an alpha of at least 1, and an epsilon or rho of at least 0, all "
                       f"up to 1,000,000, found {text[:60]!r}.")
    return RenyiDefinition(*values) if kind == "renyi" else ZcdpDefinition(*values)
