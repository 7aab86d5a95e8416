"""`tightrope sanitize`: columns of a table, randomized row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Epsilon, Force, Json, Ratio
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.constructions import Protocol
    from tightrope.data import Domain, Sanitized
    from tightrope.exact import Level
    from tightrope.privacy import Certified

MOST_ROWS = 2**31 - 1


def sanitize(
    table: Annotated[
        Path, typer.Argument(metavar="TABLE", help="A .parquet, .csv or .tsv file.")
    ],
    columns: Annotated[
        list[str],
        typer.Option("--column", metavar="NAME", help="A column to randomize; may be repeated."),
    ],
    values: Annotated[
        list[str],
        typer.Option(
            "--values",
            metavar="A/B/C",
            help="All its column may hold: a/b/c, bins:0,10,20 or sets:a/b/c; one for each.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", metavar="FILE", help="The new table (.parquet, .csv or .tsv)."
        ),
    ],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    split: Annotated[
        str,
        typer.Option(
            "--split", metavar="error|even", help="How several columns share the level."
        ),
    ] = "error",
    protocol: Annotated[
        str,
        typer.Option(
            "--protocol",
            metavar="NAME",
            help="response (one value), subset or unary (a set of values), or best.",
        ),
    ] = "response",
    missing: Annotated[
        str,
        typer.Option(
            "--missing",
            metavar="refuse|value",
            help="Missing cells: refuse the table, or make them a value of their own.",
        ),
    ] = "refuse",
    curator: Annotated[
        bool,
        typer.Option(
            "--curator",
            metavar="",
            help="Tell how many values are not among the declared ones, and which; name the "
            "columns that there are (not private).",
        ),
    ] = False,
    batch: Annotated[
        int | None,
        typer.Option("--batch", metavar="ROWS", min=1, max=MOST_ROWS,
                     help="Rows held in memory at a time."),
    ] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Randomize columns of a table, so that nobody can be sure of any row.

    Each row is drawn on its own. The level is for a whole row; several
    columns share it so that the estimated proportions err least. Values are
    declared, never read from the data: a list, cells of numbers, or sets of
    items. The mechanism of each column is written beside the new table. For
    many values, a report of a set errs less than one value: --protocol best
    takes what errs least for their number and the level, never for the data.

    Example: tightrope sanitize survey.csv --column answer --values no/yes --epsilon 1 -o out.csv
    """
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import Target
    from tightrope.data import mechanism_path, remove_files, stale_mechanisms

    level = AskedLevel(epsilon, ratio).level()
    if len(columns) != len(values):
        raise BadInput(
            f"expected one --values for each --column, found {len(columns)} columns and "
            f"{len(values)} lists of values."
        )
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"the column {twice!r} is given twice; give each --column once.")
    Target(output, force)
    beside = [mechanism_path(output, name) for name in columns]
    if len({*beside, output}) != len(beside) + 1:
        raise BadInput("two columns have names that are the same in a file name; rename one.")
    for path in beside:
        Target(path, force)  # refused before any row is read
    stale = stale_mechanisms(table, output, columns, force=force)
    domains = [_domain(text, missing) for text in values]
    shares = _shares(level, domains, split, protocol)
    chosen = [_protocol(d, share, protocol) for d, share in zip(domains, shares, strict=True)]
    responses = [_response(*each) for each in zip(domains, shares, chosen, strict=True)]
    given = list(zip(columns, responses, strict=True))
    read = dict(zip(columns, domains, strict=True))
    documents: dict[Path, Callable[[int], bytes]] = {
        path: partial(_document, path, response, share, domain, way)
        for path, response, share, domain, way in zip(
            beside, responses, shares, domains, chosen, strict=True
        )
    }
    done = _run(table, output, given, read, documents, batch, force, curator)
    remove_files(stale)
    answer = {
        "rows": done.rows,
        "seconds": done.seconds,
        "seconds_drawing": done.seconds_drawing,
        "mechanism": str(beside[0]) if len(beside) == 1 else [str(path) for path in beside],
        "epsilon_total": float(level),
        "epsilon_total_text": level.text,
        "columns": [
            {
                "column": name,
                "values": _values(domain),
                "epsilon": float(share),
                "epsilon_text": share.text,
                "protocol": way.value,
                "kept": _kept(response),
                "mechanism": str(path),
            }
            for name, domain, share, response, way, path in zip(
                columns, domains, shares, responses, chosen, beside, strict=True
            )
        ],
        "clear": list(done.clear),
        "removed": [str(path) for path in stale],
        "file": str(output),
    }
    deliver(answer, lambda screen: _show(screen, answer, level, shares), as_json=as_json)


def _domain(text: str, missing: str) -> Domain:
    from tightrope.data import read_domain

    if missing not in ("refuse", "value"):
        raise BadInput(f"expected --missing refuse or value, found {missing!r}.")
    return read_domain(text, missing=missing == "value")


def _protocol(domain: Domain, level: Level, name: str) -> Protocol:
    """The protocol of a column, from what it may hold and its level alone."""
    from tightrope.constructions import Protocol
    from tightrope.data import Sets

    if isinstance(domain, Sets):
        if name not in ("response", "best"):
            raise BadInput(
                f"a column of sets is randomized item by item; --protocol {name} is for listed "
                "values and cells."
            )
        return Protocol.RESPONSE
    return _least(domain.space.size, level, name)


def _least(values: int, level: Level | float, name: str) -> Protocol:
    """Of the protocols with this name, the one that errs least."""
    from tightrope.constructions import compare_protocols

    allowed = _named(name)
    if len(allowed) == 1:
        return next(iter(allowed))
    return next(r.protocol for r in compare_protocols(values, level) if r.protocol in allowed)


def _named(name: str) -> frozenset[Protocol]:
    from tightrope.constructions import Protocol

    known = {
        "response": {Protocol.RESPONSE},
        "subset": {Protocol.SUBSETS},
        "unary": {Protocol.SYMMETRIC, Protocol.OPTIMIZED},
        "best": set(Protocol),
    }
    if name not in known:
        raise BadInput(f"expected --protocol {', '.join(known)}, found {name!r}.")
    return frozenset(known[name])


def _kept(response: Certified) -> float:
    """The probability that a row comes out as it was, or in the set that is reported."""
    from tightrope.mechanisms import SubsetMechanism, UnaryMechanism, finite

    mechanism = response.mechanism
    if isinstance(mechanism, SubsetMechanism | UnaryMechanism):
        return float(mechanism.held)
    return float(finite(mechanism).row_at(0)[0])


def _shares(level: Level, domains: Sequence[Domain], split: str, protocol: str) -> list[Level]:
    """The level of each column; an item of a set-valued column has a part of it."""
    from tightrope.constructions import compare_protocols, response_error, split_level
    from tightrope.data import Sets

    allowed = _named(protocol)

    def error(values: int, epsilon: float) -> float:
        if values == 2 or protocol == "response":
            return response_error(values, epsilon)
        rows = compare_protocols(values, epsilon)
        return min(row.error for row in rows if row.protocol in allowed)

    if split == "even":
        return [level.scaled(Fraction(1, len(domains)))] * len(domains)
    if split != "error":
        raise BadInput(f"expected --split error or even, found {split!r}.")
    if len(domains) == 1:
        return [level]
    items = [len(domain.items) if isinstance(domain, Sets) else 1 for domain in domains]
    sizes = [2 if isinstance(domain, Sets) else domain.space.size for domain in domains]
    return split_level(level, sizes, repeats=items, errors=error)


def _values(domain: Domain) -> list[Any]:
    from tightrope.data import Sets

    return list(domain.items) if isinstance(domain, Sets) else list(domain.space.points)


def _response(domain: Domain, level: Level, protocol: Protocol) -> Certified:
    """A protocol on the declared values, or a response on each item of a set, proved."""
    from tightrope.constructions import item_response, reporting
    from tightrope.data import Sets
    from tightrope.privacy import certified

    if isinstance(domain, Sets):
        each = level.scaled(Fraction(1, len(domain.items)))
        return certified(item_response(domain.space, each), each)
    return certified(reporting(domain.space, level, protocol), level)


def _run(
    source: Path,
    target: Path,
    columns: Sequence[tuple[str, Certified]],
    domains: dict[str, Domain],
    documents: dict[Path, Callable[[int], bytes]],
    batch: int | None,
    force: bool,
    curator: bool,
) -> Sanitized:
    from tightrope.cli.progress import counting
    from tightrope.data import sanitize_table

    size: dict[str, Any] = {} if batch is None else {"batch_rows": batch}
    with counting("rows written") as told:
        return sanitize_table(
            source, target, columns, domains=domains, beside=documents, force=force,
            curator=curator, progress=told, **size,
        )


def _document(
    path: Path, response: Certified, level: Level, domain: Domain, protocol: Protocol, rows: int
) -> bytes:
    """What was run, written down: the same response for each row, independently."""
    from tightrope.data import ITEMS, Sets, document_bytes
    from tightrope.mechanisms import FiniteMechanism, ReportMechanism, TableMechanism
    from tightrope.privacy import certified

    base = response.mechanism
    assert isinstance(base, FiniteMechanism | ReportMechanism)
    construction: dict[str, Any] = {"name": protocol.value}
    if isinstance(domain, Sets):
        level = level.scaled(Fraction(1, len(domain.items)))
        construction = {"name": ITEMS, "items": list(domain.items)}
    proved = certified(TableMechanism(base, rows), level)
    return document_bytes(proved, path, construction)


def _show(
    screen: Console, answer: dict[str, Any], level: Level, shares: Sequence[Level]
) -> None:
    from shlex import quote

    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import level_text, number

    listed = answer["columns"]
    speed = f"{answer['seconds']:.2f} s, of which {answer['seconds_drawing']:.2f} s drawing"
    rows: list[tuple[str, object]] = [
        ("rows", f"{answer['rows']:,} in {speed}"),
        *(("protected", f"{column['column']}: {level_text(share)}")
          for column, share in zip(listed, shares, strict=True)),
        ("in total", f"{level_text(level)} for one row; a person with k rows has k times that"),
        ("in clear", _listed(answer["clear"]) if answer["clear"] else "no other column"),
        ("file", answer["file"]),
        *(("mechanism", column["mechanism"]) for column in listed),
        *(("removed", f"{path}: its column is in clear now") for path in answer["removed"]),
    ]
    screen.print(facts(rows))
    paragraph(
        screen,
        *(
            f"A row {_does(column)} its value of {column['column']} with probability "
            f"{number(column['kept'], 3)}; nobody can tell which rows did."
            for column in listed
        ),
        "The new table answers any number of questions about these columns at no further cost "
        "(H16, Theorem 3.4): every answer is computed from what is already randomized. "
        f"Protected is {_listed([column['column'] for column in listed])} alone.",
        "Sanitizing the same rows again adds up: two runs at ε are 2ε.",
    )
    if answer["clear"]:
        paragraph(
            screen,
            "The columns in clear are as they were. If they identify people or tell the "
            "protected value, remove them.",
        )
    first = answer["columns"][0]
    paragraph(
        screen,
        "Next:",
        f"  tightrope estimate {quote(answer['file'])} --column {quote(first['column'])} "
        f"--mechanism {quote(first['mechanism'])}",
    )


def _does(column: dict[str, Any]) -> str:
    one = column["protocol"] == "randomized-response"
    return "keeps" if one else f"reports a set ({column['protocol']}), which holds"


def _listed(names: Sequence[str], most: int = 12) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
