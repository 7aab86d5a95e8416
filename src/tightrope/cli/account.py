"""`tightrope ledger account`: the total level of a list of releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Json

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.ledger import ListAccount


def account(
    items: Annotated[
        list[str],
        typer.Argument(metavar="LEVEL|FILE…", show_default=False,
                       help="Levels or mechanism files, each as often as *N says: 0.1*10, m.json."),
    ],
    delta: Annotated[
        str | None,
        typer.Option("--at-delta", metavar="D", show_default=False,
                     help="Also ε at this δ, for lists that are fixed in advance."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what a list of levels and mechanisms costs together on the same data.

    Levels add up exactly. At a small δ a long list costs less, if all of it is
    fixed before the first release; no ledger spends by that.

    Example: tightrope ledger account 0.1*100 0.5 --at-delta 1e-6
    """
    from tightrope.cli.report import deliver
    from tightrope.ledger import account_for

    total = account_for(items, delta)
    deliver(total.as_json(), lambda screen: _show(screen, total), as_json=as_json)


def _show(screen: Console, total: ListAccount) -> None:
    from tightrope.cli.report import facts, paragraph

    at = None if total.at_delta is None else (
        f"{total.epsilon_at_delta:.6g} at δ = {float(total.at_delta):g}")
    screen.print(facts([("added up", total.total), ("ε", at), ("evidence", total.evidence)]))
    paragraph(screen, f"This is {total.as_json()['meaning']}.")
