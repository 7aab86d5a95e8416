"""ECP, Section 7: binary gains of tight-constraints mechanisms over a range of levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tightrope.constructions import tight_weights
from tightrope.errors import Infeasible
from tightrope.exact import Level
from tightrope.papers.item import Finding, finding
from tightrope.spaces import Space


@dataclass(frozen=True)
class Curve:
    """Gains for the uniform prior at the levels that have a mechanism, and the levels without.

    Both are proved: weights are known to be positive, or one of them to be negative.
    """

    gains: Mapping[str, float]
    refused: tuple[str, ...]


def curve(space: Space, epsilons: Sequence[str]) -> Curve:
    """The gain Σ w / n of the tight-constraints mechanism at every level that has one."""
    gains, refused = {}, []
    for epsilon in epsilons:
        try:
            low, high = tight_weights(space, Level.epsilon(epsilon)).total
        except Infeasible:
            refused.append(epsilon)
            continue
        gains[epsilon] = float((low + high) / 2 / space.size)
    return Curve(gains, tuple(refused))


def compared(
    space: Space,
    published: str,
    absent: Sequence[str],
    present: Sequence[str],
    others: Mapping[str, Callable[[float], float]],
    reason: str,
) -> Finding:
    """The curve beside other mechanisms; `absent` ends, and `present` begins, at the endpoint."""
    tried = curve(space, [*absent, *present])
    as_expected = tried.refused == tuple(absent)
    rows, better = [], True
    for epsilon, gain in tried.gains.items():
        beside = {name: other(float(epsilon)) for name, other in others.items()}
        better = better and gain > max(beside.values())
        against = ", ".join(f"{value:.6f}" for value in beside.values())
        rows.append(f"at {epsilon} {gain:.6f} ({against})")
    return finding(
        published,
        f"none at {', '.join(tried.refused) or 'no level tried'}; exists at "
        f"{', '.join(tried.gains) or 'no level tried'}: all proved; gain, and that of the "
        f"{' and the '.join(others)}: {'; '.join(rows)}",
        not tried.refused and better,
        reason,
        ours=as_expected and better,
    )
