"""`tightrope theory generality`: is one mechanism a post-processing of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Json, Normalize, SpaceOption

if TYPE_CHECKING:
    from fractions import Fraction

    from rich.console import Console

    from tightrope.cli.report import Listing
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.theory import GeneralityOrder, PostProcessing

MOST_SHOWN = 8
"""Rows and columns of a channel that is shown."""


def generality(
    first: Annotated[
        Path, typer.Argument(metavar="A", help="A mechanism document, or a matrix with --space.")
    ],
    second: Annotated[
        Path, typer.Argument(metavar="B", help="The mechanism that it may be made from.")
    ],
    space: SpaceOption = None,
    normalize: Normalize = False,
    as_json: Json = False,
) -> None:
    """Decide whether A is a post-processing of B: whether its answers can be made from B's alone.

    Shows the channel that makes them, or a decision problem in which A is
    worth more than anything made from B; both ways, and how far away each
    stays (deficiency). All of it is exact. Exits with 1 if A is none, with 3
    if that is too close to be decided.

    Example: tightrope theory generality coarse.json fine.json
    """
    from tightrope.cli.doubles import note_on_doubles
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver, paragraph
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite
    from tightrope.theory import generality as compared

    with working("comparing"):
        given = [read_subject(file, space, normalize=normalize) for file in (first, second)]
        one, two = (finite(subject.mechanism) for subject in given)
        found = compared(one, two)
    row_error = max(subject.row_error or 0.0 for subject in given)
    note = None if found.forth.exists else note_on_doubles(
        lambda a, b: compared(a, b).forth.exists, one, two
    )
    answer = {**found.as_json(), "row_error": row_error, "doubles": note, "first": str(first),
              "second": str(second)}

    def show(screen: Console) -> None:
        _show(screen, found, one, two, row_error)
        if note is not None:
            paragraph(screen, note)

    deliver(answer, show, as_json=as_json)
    if not found.forth.exists:
        raise typer.Exit(1 if found.forth.decided else 3)


def _show(
    screen: Console,
    found: GeneralityOrder,
    one: FiniteMechanism,
    two: FiniteMechanism,
    row_error: float,
) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import row_totals

    than = " than B" if found.order in ("less general", "more general") else ""
    rows: list[tuple[str, object]] = [
        ("A is", found.order + than),
        ("A from B", _said(found.forth)),
        ("B from A", _said(found.back)),
        ("row totals", row_totals(row_error)),
    ]
    screen.print(facts(rows))
    if found.forth.channel is not None:
        paragraph(screen, "The channel, from outputs of B to outputs of A:")
        _table(screen, "B \\ A", found.forth.channel, two.outputs, one.outputs)
    elif found.forth.least > 0:
        paragraph(
            screen,
            "A decision problem that separates them: inputs have these probabilities, and to "
            "decide on an output of A gains what stands below it. To decide as A answers gains "
            "more on average than any decision from an answer of B, by the distance above.",
        )
        table = [(p, *row) for p, row in zip(found.forth.prior, found.forth.gains, strict=True)]
        _table(screen, "input", table, one.space.points, ["probability", *one.outputs])


def _said(found: PostProcessing) -> str:
    low, high = found.bracket
    if found.exists:
        return "yes, exactly"
    if not found.decided:
        return f"not decided: a channel comes within {high:.3g} in total variation"
    exact = found.as_json()["deficiency_text"]
    if exact is not None and len(exact) <= 24:
        return f"no: every channel stays {exact} = {high:.6g} away for some input"
    return f"no: every channel stays at least {low:.12g} away, the best {high:.12g}"


def _table(
    screen: Console,
    corner: str,
    rows: tuple[tuple[Fraction, ...], ...] | list[tuple[Fraction, ...]],
    names: object,
    columns: object,
) -> None:
    from collections.abc import Sequence

    from tightrope.characters import label_text
    from tightrope.cli.report import table
    from tightrope.exact import short_text

    assert isinstance(names, Sequence)
    assert isinstance(columns, Sequence)
    if len(rows) > MOST_SHOWN or len(rows[0]) > MOST_SHOWN + 1:
        screen.print(f"{len(rows):,} rows and {len(rows[0]):,} columns: --json lists them.")
        return
    shown: Listing = table(
        [corner, *map(label_text, columns)],
        [[label_text(name), *map(short_text, row)] for name, row in zip(names, rows, strict=True)],
    )
    screen.print(shown)
