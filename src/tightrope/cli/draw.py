"""`tightrope draw`: runs what was proved, on values that are typed or on a column of a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.options import Force, Json
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.privacy import Certified
    from tightrope.spaces import Label, Space

_LISTED = 100
"""Answers that people are shown; --json has all."""


@dataclass(frozen=True)
class Drawn:
    """Answers to typed values, or a table of so many rows with one column randomized."""

    certified: Certified
    rows: int
    answers: tuple[Label | Fraction, ...] | None = None
    column: str | None = None
    clear: tuple[str, ...] = ()
    output: Path | None = None


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
            help="Tell how many values of the column are no inputs, and which (not private).",
        ),
    ] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Draw answers from a mechanism document, after proving it again.

    Each answer is drawn from exactly the law that is proved, with the
    randomness of the operating system. It is a full charge of the level: n
    answers about the same person cost n times ε.

    Example: tightrope draw m.json 7
    """
    from tightrope.cli.report import deliver

    certified = _proved(file)
    if column is None:
        drawn = _answered(certified, values or [], output, curator)
    else:
        drawn = _table(certified, file, values or [], column, output, force, curator)
    answer = _json(drawn, file)
    deliver(answer, lambda screen: _show(screen, drawn), as_json=as_json)


def _proved(file: Path) -> Certified:
    from tightrope.data import is_document, load

    if not is_document(file, may_be_rows=True):
        raise Refused(
            f"{file} is a bare matrix, and only what was proved is run; certify it on its space "
            "first."
        )
    return load(file)


def _answered(
    certified: Certified, values: Sequence[str], output: Path | None, curator: bool
) -> Drawn:
    """An answer for each value that was typed."""
    from tightrope import samplers
    from tightrope.spaces import RealLine, point_named

    if not values:
        raise BadInput("expected values to answer, or --column NAME TABLE -o OUT; found none.")
    if output is not None or curator:
        raise BadInput("-o and --curator are for a table, which needs --column NAME.")
    if isinstance(certified.mechanism.space, RealLine):
        answers = [samplers.draw(certified, value) for value in values]
    else:
        space = _points(certified)
        answers = samplers.draw_many(certified, [point_named(space, value) for value in values])
    return Drawn(certified, len(values), tuple(answers))


def _points(certified: Certified) -> Space:
    """The space of a mechanism that answers its points, not whole datasets."""
    from tightrope.spaces import Datasets

    space = certified.mechanism.space
    if isinstance(space, Datasets):
        raise BadInput(
            f"this mechanism answers whole datasets ({space.text}), which are neither typed nor "
            "a column; draw from it in Python."
        )
    return space


def _table(
    certified: Certified,
    file: Path,
    tables: Sequence[str],
    column: str,
    output: Path | None,
    force: bool,
    curator: bool,
) -> Drawn:
    """A copy of a table with one column randomized."""
    from tightrope.cli.progress import counting
    from tightrope.data import Sets, item_names, sanitize_table

    if len(tables) != 1 or output is None:
        raise BadInput("with --column, expected one TABLE and -o OUT for the new table.")
    _points(certified)
    items = item_names(file)
    domains = {} if items is None else {column: Sets(_points(certified), items)}
    with counting("rows written") as told:
        done = sanitize_table(
            tables[0], output, [(column, certified)],
            domains=domains, force=force, curator=curator, progress=told,
        )
    return Drawn(certified, done.rows, None, column, done.clear, output)


def _json(drawn: Drawn, file: Path) -> dict[str, Any]:
    from tightrope.cli.wording import level_json

    level = drawn.certified.certificate.level
    answers = drawn.answers
    return {
        "answers": None if answers is None else [_plain(answer) for answer in answers],
        "rows": drawn.rows,
        **level_json(level),
        "epsilon_one_person": float(level.scaled(drawn.rows)),
        "delta_one_person": min(1.0, float(drawn.rows * level.delta)),
        "clear": list(drawn.clear),
        "mechanism": str(file),
        "file": None if drawn.output is None else str(drawn.output),
    }


def _plain(answer: Label | Fraction) -> Any:
    from tightrope.spaces import label_to_json

    return str(answer) if isinstance(answer, Fraction) else label_to_json(answer)


def _show(screen: Console, drawn: Drawn) -> None:
    from tightrope.characters import counted, label_text
    from tightrope.cli.report import facts, paragraph
    from tightrope.privacy import promise

    certificate, mechanism = drawn.certified.certificate, drawn.certified.mechanism
    if drawn.answers is not None:
        for answer in drawn.answers[:_LISTED]:
            screen.print(label_text(answer))
        if len(drawn.answers) > _LISTED:
            screen.print(f"… and {counted(len(drawn.answers) - _LISTED, 'more answer')}")
        screen.print()
    rows: list[tuple[str, object]] = [
        ("rows", None if drawn.answers is not None else f"{drawn.rows:,}"),
        ("column", drawn.column),
        ("level", f"{certificate.level}, proved again ({certificate.evidence.value})"),
        ("in clear", ", ".join(drawn.clear[:12]) or None),
        ("file", drawn.output),
    ]
    screen.print(facts(rows))
    paragraph(screen, promise(certificate.level, mechanism.space), _cost(drawn))


def _cost(drawn: Drawn) -> str:
    """What was spent: each answer is a full charge, and nobody kept count."""
    level, n = drawn.certified.certificate.level, drawn.rows
    what = "answer" if drawn.answers is not None else "row"
    each = f"Each {what} is a full charge of {level}"
    if n == 1:
        said = f"{each}; n {what}s about the same person cost n times ε."
    else:
        both = "ε and δ" if level.delta else "ε"
        said = f"{each}: {n:,} {what}s about the same person cost {n:,} times {both}."
    return f"{said} Nothing was booked."
