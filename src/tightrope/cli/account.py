"""`tightrope ledger account`: the total level of a list of releases."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.options import Json, argument, value


def account(
    items: Annotated[list[str], argument(
        "LEVEL|FILE|TERM…", "Levels, mechanism files, or terms such as zcdp:rho=0.05 and "
        "renyi:alpha=2,epsilon=0.1, each as often as *N says: 0.1*10, m.json.")],
    delta: Annotated[str | None, value(
        "--at-delta", "D", "Also ε at this δ, for lists that are fixed in advance.")] = None,
    as_json: Json = False,
) -> None:
    """Say what a list of levels and mechanisms costs together on the same data.

    Levels add up exactly. At a small δ a long list costs less, if all of it is
    fixed before the first release; no ledger spends by that. Lists with zCDP or
    Rényi terms compose by Rényi divergences, and mechanisms by their own law.

    Example: tightrope ledger account 0.1*100 0.5 --at-delta 1e-6
    """
    from tightrope.cli.output import tell
    from tightrope.ledger import account_for

    tell(account_for(items, delta).facts(), as_json=as_json)
