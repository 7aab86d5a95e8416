"""`tightrope draw`: runs what was proved, on values that are typed or on a column of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import Force, Json, argument, flag, value
from tightrope.errors import BadInput, Refused


def draw(
    file: Annotated[Path, argument("FILE", "A mechanism document.")],
    values: Annotated[list[str] | None, argument(
        "VALUE", "The inputs, each answered once: 7, 0,2 or red; after -- if one starts with a "
        "minus. With --column: the TABLE, a .parquet, .csv or .tsv file.")] = None,
    column: Annotated[str | None, value(
        "--column", "NAME", "Draw for this column of a table, row by row.")] = None,
    output: Annotated[Path | None, value(
        "--output", "OUT", "The new table (.parquet, .csv or .tsv).", short="-o")] = None,
    curator: Annotated[bool, flag(
        "--curator", "Refuse a column with values that are no inputs, and tell how many and which "
        "(not private); otherwise they count as the first or nearest input.")] = False,
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
    from tightrope.cli.output import tell
    from tightrope.cli.progress import counting
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
        with books.account() as account, counting("rows written") as progress:
            drawn = draw_column(
                file, given[0], column, output, force=force, curator=curator, progress=progress,
                account=account,
            )
    elif not given:
        raise BadInput("expected values to answer, or --column NAME TABLE -o OUT; found none.")
    elif output is not None or curator:
        raise BadInput("-o and --curator are for a table, which needs --column NAME.")
    else:
        with books.account() as account:
            drawn = draw_values(file, given, account)
    tell(drawn.facts(), as_json=as_json)
