"""`tightrope ledger`: budgets, what was spent of them, and whether the books are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.account import account
from tightrope.cli.once import OnceCommand
from tightrope.cli.options import Force, Json, value
from tightrope.cli.signatures import flat
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, data, listing

if TYPE_CHECKING:

    from tightrope.ledger import Balance

Url = Annotated[
    str,
    typer.Argument(
        metavar="URL",
        help="The ledger: the name of a SQLite file, or the URL of a SQLite or PostgreSQL "
        "database.",
    ),
]
KeyFile = Annotated[
    Path | None,
    value("--key", "FILE", "The key (without it: TIGHTROPE_LEDGER_KEY, or beside a SQLite file)."),
]


def open_budget(
    url: Url,
    budget: Annotated[
        str,
        value("--budget", "NAME", "A new budget."),
    ],
    epsilon: Annotated[
        str,
        value("--epsilon", "E", "What may be spent in all."),
    ],
    declaration: Annotated[
        Path | None,
        value("--declaration", "FILE", "Whom it protects: dataset, unit and neighbors."),
    ] = None,
    dataset: Annotated[
        str | None,
        value("--dataset", "NAME", "Instead: the dataset, with --unit and --neighbors, as the "
              "command that is charged states them."),
    ] = None,
    unit: Annotated[
        str | None,
        value("--unit", "TEXT", "Whom it protects: row, edge, person:COLUMN."),
    ] = None,
    neighbors: Annotated[
        str | None,
        value("--neighbors", "TEXT", "Such as add-remove or replace:units=500."),
    ] = None,
    metric: Annotated[
        str,
        value("--metric", "TEXT", "What distance 1 is: units, meters:200, path:0..9.",
              default=True),
    ] = "units",
    delta: Annotated[
        str | None,
        value("--delta", "D", "δ in all."),
    ] = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Open a budget; the ledger and its key are made where there are none.

    Example: tightrope ledger open books.sqlite --budget 2026 --declaration survey.toml
    --epsilon 1
    """
    from tightrope.cli.report import tell
    from tightrope.files import read_declaration
    from tightrope.ledger import Budget, Ledger, Scope

    stated = [dataset, unit, neighbors]
    if declaration is not None and stated == [None] * 3:
        asked = Budget.of(budget, read_declaration(declaration), epsilon, delta)
    elif declaration is None and None not in stated:
        scope = Scope(str(dataset), str(unit), str(neighbors), metric)
        asked = Budget.of(budget, scope, epsilon, delta)
    else:
        raise BadInput("say once whom the budget protects: --declaration FILE, or --dataset, "
                       "--unit and --neighbors.")
    with Ledger.create(url, key=key) as ledger:
        made = ledger.open_budget(asked)
        head = ledger.head()

    tell(made.facts().also(Fact("head", "head", head), sentences=(
        "Whoever has both the ledger and its key can write the books anew; keep the head "
        "elsewhere, and the key to its owner.",)), as_json=as_json)


def show(
    url: Url,
    budget: Annotated[
        str | None,
        value("--budget", "NAME", "This budget alone, with its entries."),
    ] = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Show budgets, and what is left of them.

    Example: tightrope ledger show books.sqlite
    """
    from tightrope.cli.report import tell
    from tightrope.ledger import Ledger, level_of

    with Ledger(url, key=key) as ledger:
        budgets = ledger.balances() if budget is None else (ledger.balance(budget),)
        entries = [] if budget is None else [
            record for record in ledger.records() if record.budget == budget]
        head = ledger.head()
    charges = [(str(record.body["question"]), record.time, level_of(record).text, record.number)
               for record in entries if record.kind == "charge"]
    tell(Facts("Ledger", "" if budgets else "The ledger has no budget.", (
        *(fact for balance in budgets for fact in _balance(balance)),
        listing("", ("question", "time", "ε", "entry"), charges, words=2),
        Fact("head", "head", head), *data(budgets=budgets, entries=entries))), as_json=as_json)


def _balance(balance: Balance) -> list[Fact]:
    """A budget among others: its name and its facts, for people alone."""
    return [Fact(None, "budget", balance.budget.name),
            *(Fact(None, label, text) for label, text in balance.facts().labeled)]


def verify(
    url: Url,
    head: Annotated[
        str | None,
        value("--head", "HEX", "A head that was kept: nothing before it may be gone."),
    ] = None,
    release: Annotated[
        list[Path] | None,
        value("--release", "FILE", "A release whose entry and answers must be in the books."),
    ] = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Check that every record follows from those before it, and that every sum is right.

    Without a head that was kept, nobody can tell whether records were cut off
    at the end, or an old copy was put in place. Exits with 1 if the books are
    broken.

    Example: tightrope ledger verify books.sqlite --head 8f3a…
    """
    from tightrope.cli.report import tell
    from tightrope.ledger import Ledger
    from tightrope.releases import release_content

    report = Ledger.audit(url, key=key, head=head,
                          releases=[release_content(path) for path in release or []])

    tell(report.facts(), as_json=as_json)
    if not report.holds:
        raise typer.Exit(1)


def export(
    url: Url,
    output: Annotated[
        Path | None,
        value("--output", "FILE", "Write one record to a line.", short="-o"),
    ] = None,
    key: KeyFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Export all records with their seals, one JSON object to a line.

    Example: tightrope ledger export books.sqlite -o books.jsonl
    """
    from tightrope.cli.report import tell
    from tightrope.cli.targets import Target
    from tightrope.ledger import Ledger

    target = Target(output, force)
    with Ledger(url, key=key) as ledger:
        records = [record.as_json() for record in ledger.records()]
    written = "".join(json.dumps(record, sort_keys=True) + "\n" for record in records)
    target.write(written.encode)

    names = ("kind", "budget", "time", "number")
    shown = () if output else (listing("", names, [
        [str(record[name]) for name in names] for record in records], words=3),)
    advice = () if output else ("With -o or --json, whole records with their seals.",)
    tell(Facts("Export", f"{len(records):,} records", (
        *shown, target.fact, *data(records=records)), advice), as_json=as_json)


ledger = typer.Typer(
    name="ledger",
    help="Keep the books: open budgets, show what was spent, check that nothing was changed.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, command in (("open", open_budget), ("show", show), ("verify", verify),
                      ("export", export), ("account", account)):
    ledger.command(name, cls=OnceCommand)(flat(command))
