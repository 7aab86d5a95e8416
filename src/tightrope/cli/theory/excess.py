"""`tightrope theory excess`: the sets of outputs that decide, and by how much each exceeds e^ε."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import few, label_text
from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Json, MechanismFile, Normalize, SpaceOption

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import Excesses, PartExcess

SHOWN = 6
"""Pairs that people are shown; --json has all."""

PARTS = 12
"""Parts of a pair that people are shown."""


def excess(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    pair: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--pair",
            metavar="FIRST SECOND",
            help="One ordered pair of inputs; all neighbors if not given.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show which sets of outputs decide for a pair of inputs, and the excess of each part.

    Outputs likelier for the first input fall into parts with one ratio. With δ = 0 each part
    decides alone; with δ above 0 only the sum of the positive excesses does. Exits with 1 if a
    pair exceeds δ.

    Example: tightrope theory excess m.csv --space categories:3 --epsilon 0.5 --delta 0.1 --pair 0 1
    """
    from tightrope.cli.doubles import note_on_doubles
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver, paragraph
    from tightrope.cli.wording import row_totals
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite
    from tightrope.spaces import point_named
    from tightrope.theory import excesses

    level, subject = asked.level(), read_subject(file, space, normalize=normalize)
    with working("taking sets apart"):
        held = finite(subject.mechanism)
        points = held.space
        ends = None if pair is None else [points.index(point_named(points, x)) for x in pair]
        places = None if ends is None else [(ends[0], ends[1])]
        found = excesses(held, level, places)
    note = None if found.holds else note_on_doubles(
        lambda m: excesses(m, level, places).holds, held
    )
    answer = {**found.as_json(), "space": points.text, "row_error": subject.row_error,
              "doubles": note}

    def show(screen: Console) -> None:
        _show(screen, found)
        totals = row_totals(subject.row_error)
        told = [*([f"Row totals: {totals}."] if totals else []), *([note] if note else [])]
        if told:
            paragraph(screen, *told)

    deliver(answer, show, as_json=as_json)
    if not found.holds:
        raise typer.Exit(1)


def _show(screen: Console, found: Excesses) -> None:
    from tightrope.cli.report import paragraph, table
    from tightrope.cli.wording import number

    level, sets = found.level, found.sets
    worst = found.rows[0]
    screen.print(
        f"{level!s}: {'holds' if found.holds else 'does not hold'}; the largest excess is "
        f"{number(float(worst.excess[1]))}, for {label_text(worst.first)} against "
        f"{label_text(worst.second)}"
    )
    rows = []
    for row in found.rows[:SHOWN]:
        names = label_text(row.first), label_text(row.second)
        for place, part in enumerate(row.parts[-PARTS:]):
            rows.append((*(names if not place else ("", "")), *_part(part)))
        rows.append(("", "", "in sum", "", number(float(row.excess[1]))))
    screen.print(table(("first", "second", "part of S", "ratio", "excess"), rows, words=3))
    left = len(found.rows) - SHOWN
    split = [row for row in found.rows if row.parts_hold and not row.holds]
    paragraph(
        screen,
        f"Sets to check: {_count(sets.all_checks)} in all, {_count(sets.checks)} within S "
        f"(H16, Theorem 4.1), {sets.part_checks:,} parts (enough for δ = 0, Corollary 4.1), "
        f"{sets.pairs:,} at this ε: one for each pair.",
        *([f"{left:,} more pairs are in --json."] if left > 0 else []),
        *([
            f"Where each part is within δ and the sum is not ({len(split):,} here), checking parts "
            "one by one would miss it (an erratum to Theorem 4.2)."
        ] if split else []),
    )


def _part(part: PartExcess) -> tuple[str, str, str]:
    from tightrope.cli.wording import number

    ratio = "infinite" if part.ratio is None else number(float(part.ratio))
    shown = number(float(part.excess[1])) if part.counts else "none"
    return few(part.outputs), ratio, shown


def _count(checks: int) -> str:
    bits = checks.bit_length()
    return f"{checks:,}" if bits <= 53 else f"about 2^{bits}"
