"""`tightrope draw`: runs what was proved, on values that are typed or on a column of a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.booking import AskedBooking, booking_line
from tightrope.cli.options import Force, Json
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.tables import Drawn

_LISTED = 100
"""Answers that people are shown; --json has all."""


def draw(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A mechanism document.")],
    values: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="VALUE",
            help="The inputs, each answered once: 7, 0,2 or red; after -- if one starts with a "
            "minus. With --column: the TABLE, a .parquet, .csv or .tsv file.",
            show_default=False,
        ),
    ] = None,
    column: Annotated[
        str | None,
        typer.Option(
            "--column", metavar="NAME", help="Draw for this column of a table, row by row.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="OUT", help="The new table (.parquet, .csv or .tsv).",
            show_default=False,
        ),
    ] = None,
    curator: Annotated[
        bool,
        typer.Option(
            "--curator",
            metavar="",
            help="Refuse a column with values that are no inputs, and tell how many and which (not "
            "private); otherwise they count as the first or nearest input.",
        ),
    ] = False,
    *,
    books: AskedBooking,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draw answers from a mechanism document, after proving it again.

    Each answer is drawn from exactly the law that is proved, with the
    randomness of the operating system. It is a full charge of the level: n
    answers about the same person cost n times ε.

    Example: tightrope draw m.json 7
    """
    from tightrope.cli.progress import counting
    from tightrope.cli.report import deliver
    from tightrope.files import is_document
    from tightrope.tables import draw_column, draw_values

    given = values or []
    if not is_document(file, may_be_rows=True):
        raise Refused(
            f"{file} is a bare matrix, and only what was proved is run; certify it on its space "
            "first."
        )
    if column is not None:
        if len(given) != 1 or output is None:
            raise BadInput("with --column, expected one TABLE and -o OUT for the new table.")
        with books.account() as account, counting("rows written") as told:
            drawn = draw_column(
                file, given[0], column, output, force=force, curator=curator, progress=told,
                account=account,
            )
    elif not given:
        raise BadInput("expected values to answer, or --column NAME TABLE -o OUT; found none.")
    elif output is not None or curator:
        raise BadInput("-o and --curator are for a table, which needs --column NAME.")
    else:
        with books.account() as account:
            drawn = draw_values(file, given, account)
    deliver(drawn.as_json(), lambda screen: _show(screen, drawn), as_json=as_json)


def _show(screen: Console, drawn: Drawn) -> None:
    from tightrope.characters import counted
    from tightrope.cli.report import facts, paragraph
    from tightrope.privacy import promise
    from tightrope.tables import SORTED

    certificate, mechanism = drawn.certified.certificate, drawn.certified.mechanism
    if drawn.answers is not None:
        for answer in drawn.texts[:_LISTED]:
            screen.print(answer)
        if len(drawn.answers) > _LISTED:
            screen.print(f"… and {counted(len(drawn.answers) - _LISTED, 'more answer')}")
        screen.print()
    rows: list[tuple[str, object]] = [
        ("rows", None if drawn.answers is not None else f"{drawn.rows:,}"),
        ("column", drawn.column),
        ("level", f"{certificate.level}, proved again ({certificate.evidence.value})"),
        ("in clear", ", ".join(drawn.clear) or None),
        ("file", drawn.output),
    ]
    screen.print(facts(rows))
    paragraph(screen, promise(certificate.level, mechanism.space), _cost(drawn),
              *[SORTED] * (drawn.column is not None))


def _cost(drawn: Drawn) -> str:
    """What was spent: each answer is a full charge; and what was booked."""
    level, n = drawn.certified.certificate.level, drawn.rows
    what = "answer" if drawn.answers is not None else "row"
    each = f"Each {what} is a full charge of {level}"
    if n == 1:
        said = f"{each}; n {what}s about the same person cost n times ε."
    else:
        both = "ε and δ" if level.delta else "ε"
        said = f"{each}: {n:,} {what}s about the same person cost {n:,} times {both}."
    return f"{said} {booking_line(drawn.booked)}"
