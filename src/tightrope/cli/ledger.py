"""`tightrope ledger`: budgets, what was spent of them, and whether the books are whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.account import account
from tightrope.cli.once import OnceCommand
from tightrope.cli.options import Force, Json, PlotFile, argument, value
from tightrope.cli.signatures import flat
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, data, listing

if TYPE_CHECKING:

    from tightrope.exact import Level
    from tightrope.ledger import Balance, Ledger, Record

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

Asker = Annotated[
    str | None,
    value("--as", "PERSON", "Who asks, where the budget names people."),
]
PersonOption = Annotated[
    list[str] | None,
    value("--person", "NAME[=E[,D]]", "Somebody who may ask, and the ε (and δ) that they may "
          "spend of the whole; again for others."),
]


def open_budget(
    url: Url,
    budget: Annotated[str, value("--budget", "NAME", "A new budget.")],
    epsilon: Annotated[str, value("--epsilon", "E", "What may be spent in all.")],
    declaration: Annotated[Path | None, value(
        "--declaration", "FILE", "Whom it protects: dataset, unit and neighbors.")] = None,
    dataset: Annotated[str | None, value(
        "--dataset", "NAME", "Instead: the dataset, with --unit and --neighbors, as the command "
        "that is charged states them.")] = None,
    unit: Annotated[str | None, value(
        "--unit", "TEXT", "Whom it protects: row, edge, person:COLUMN.")] = None,
    neighbors: Annotated[str | None, value(
        "--neighbors", "TEXT", "Such as add-remove or replace:units=500.")] = None,
    metric: Annotated[str, value(
        "--metric", "TEXT", "What distance 1 is: units, meters:200, "
        "path:0..9.", default=True)] = "units",
    delta: Annotated[str | None, value("--delta", "D", "δ in all.")] = None,
    person: PersonOption = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Open a budget; the ledger and its key are made where there are none.

    Example: tightrope ledger open books.sqlite --budget 2026 --declaration survey.toml
    --epsilon 1
    """
    from tightrope.cli.output import tell
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
        made = ledger.open_budget(asked, _people(person))
        head = ledger.head()

    tell(made.facts().also(Fact("head", "head", head), sentences=(
        "Whoever has both the ledger and its key can write the books anew; keep the head "
        "elsewhere, and the key to its owner.",)), as_json=as_json)


def people(
    url: Url,
    budget: Annotated[str, value("--budget", "NAME", "The budget that they spend of.")],
    person: PersonOption = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Name who may ask, or show who may and what each has left.

    From the first name on, every charge says who asks (--as). A person's budget
    may be changed later: never above the whole, nor below what was spent. Names
    are declared and sealed into the entries; nobody proves who they are.

    Example: tightrope ledger people books.sqlite --budget 2026 --person ana=1
    """
    from tightrope.cli.output import tell
    from tightrope.ledger import Ledger

    with Ledger(url, key=key) as ledger:
        balance = ledger.set_people(budget, _people(person)) if person else ledger.balance(budget)

    nobody = () if balance.people else ("The budget names nobody: anybody with the key may ask.",)
    tell(balance.facts().also(sentences=nobody), as_json=as_json)


def _people(texts: list[str] | None) -> dict[str, Level | None]:
    """People as they are typed: ana, ana=1 or ana=1,1e-6."""
    from tightrope.exact import Level

    people: dict[str, Level | None] = {}
    for text in texts or []:
        name, given, level = text.partition("=")
        epsilon, both, delta = level.partition(",")
        if name in people:
            raise BadInput(f"--person {name} is given twice, and only one can count; give it once.")
        people[name] = None if not given else (
            Level.positive(epsilon).with_delta(delta if both else 0))
    return people


def show(
    url: Url,
    budget: Annotated[str | None, value(
        "--budget", "NAME", "This budget alone, with its entries.")] = None,
    plot: PlotFile = None,
    key: KeyFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show budgets, what is left of them, and the entries of one.

    A ledger with one budget shows its entries at once, and so does an export
    (.jsonl). --plot draws what was spent over time, in all and by each person.

    Example: tightrope ledger show books.sqlite --budget 2026 --plot year.png
    """
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.ledger import history, history_figure, history_table

    picture = PictureTarget(plot, force)
    every, records = _read(url, key)
    budgets = every if budget is None else tuple(
        balance for balance in every if balance.budget.name == budget)
    if budget is not None and not budgets:
        raise BadInput(f"the ledger has no budget {budget!r}.")
    head = records[-1].seal if records else "0" * 64
    if len(budgets) != 1 and plot is not None:
        raise BadInput("--plot draws one budget: name it, --budget NAME.")
    only = budgets[0] if len(budgets) == 1 else None
    entries = [] if only is None else [
        record for record in records if record.budget == only.budget.name]
    lines = () if only is None else history(records, only)
    if only is not None:
        picture.draw(lambda: history_figure(lines, only, entries[0].time))
    tell(Facts("Ledger", "" if budgets else "The ledger has no budget.", (
        *(fact for balance in budgets for fact in _balance(balance)),
        *(() if only is None else (history_table(lines), *only.facts().tables)),
        Fact("head", "head", head), picture.fact,
        *data(budgets=budgets, entries=entries, history=lines)),
        tuple(f"Note: {line.superseded.shown}." for line in lines if line.superseded)),
        as_json=as_json)


def _read(
    url: str, key: Path | None
) -> tuple[tuple[Balance, ...], tuple[Record, ...]]:
    """The budgets and records of a ledger, or of an export."""
    from tightrope.ledger import Ledger, export_balances, is_export

    if is_export(url):
        return export_balances(url, key=key)
    with Ledger(url, key=key) as ledger:
        return ledger.balances(), ledger.records()


def supersede(
    url: Url,
    release: Annotated[str, argument(
        "FILE|ENTRY", "The release that was wrong: its file, or the number of its entry.")],
    reason: Annotated[str, value(
        "--reason", "TEXT", "Why, in one line; it stands in the books for good.")],
    by: Annotated[str | None, value(
        "--by", "FILE|ENTRY", "The release in its place, if there is one.")] = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Mark a release that was wrong, with a reason, and name the one in its place.

    Both stay in the ledger, and nothing is refunded: what was published was
    seen. `ledger show` and `ledger verify --release` tell of it.

    Example: tightrope ledger supersede books.sqlite old.json --by new.json --reason
    "a wrong filter"
    """
    from tightrope.cli.output import tell
    from tightrope.ledger import Ledger

    with Ledger(url, key=key) as ledger:
        made = ledger.supersede(_entry(ledger, release), None if by is None else _entry(ledger, by),
                                reason)
        head = ledger.head()

    tell(Facts("Superseded", f"{made.shown[0].upper()}{made.shown[1:]}.", (
        Fact("head", "head", head), *data(**made.as_json())), ("Nothing was refunded.",)),
        as_json=as_json)


def _entry(ledger: Ledger, text: str) -> int:
    """The number of the entry of a release, given by itself or by the file."""
    from tightrope.errors import AnswerIsNo
    from tightrope.releases import release_content

    if text.isascii() and text.isdigit():
        return int(text)
    content = release_content(text)
    report = ledger.verify(releases=[content])
    if not report.holds:
        raise AnswerIsNo(f"{text} is not in this ledger: {report.reason}.")
    return int(content["entry"]["number"])


def _balance(balance: Balance) -> list[Fact]:
    """A budget among others: its name and its facts, for people alone."""
    return [Fact(None, "budget", balance.budget.name),
            *(Fact(None, label, text) for label, text in balance.facts().labeled)]


def verify(
    url: Url,
    head: Annotated[str | None, value(
        "--head", "HEX", "A head that was kept: nothing before it may be gone.")] = None,
    release: Annotated[list[Path] | None, value(
        "--release", "FILE", "A release whose entry and answers must be in the books.")] = None,
    key: KeyFile = None,
    as_json: Json = False,
) -> None:
    """Check that every record follows from those before it, and that every sum is right.

    An export (.jsonl) is checked like the ledger itself; its chain only with the
    key. Without a head that was kept, nobody can tell whether records were cut off
    at the end, or an old copy was put in place; the head that this client kept
    beside the key is checked in any case. Exits with 1 if the books are broken.

    Example: tightrope ledger verify books.sqlite --head 8f3a…
    """
    from tightrope.cli.output import tell
    from tightrope.ledger import audit_books
    from tightrope.releases import release_content

    report = audit_books(url, key=key, head=head,
                         releases=[release_content(path) for path in release or []])

    tell(report.facts(), as_json=as_json)
    if not report.holds:
        raise typer.Exit(1)


def export(
    url: Url,
    output: Annotated[Path | None, value(
        "--output", "FILE", "Write one record to a line.", short="-o")] = None,
    key: KeyFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Export all records with their seals, one JSON object to a line.

    Auditors check it without the ledger: `ledger verify books.jsonl`. It holds
    every answer and every name; the key is not in it.

    Example: tightrope ledger export books.sqlite -o books.jsonl
    """
    from tightrope.cli.output import tell
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
for name, command in (("open", open_budget), ("people", people), ("show", show),
                      ("supersede", supersede), ("verify", verify),
                      ("export", export), ("account", account)):
    ledger.command(name, cls=OnceCommand)(flat(command))
