"""`tightrope theory excess`: the sets of outputs that decide, and by how much each exceeds e^ε."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Json, MechanismFile, Normalize, SpaceOption, value


def excess(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    pair: Annotated[tuple[str, str] | None, value(
        "--pair", "FIRST SECOND",
        "One ordered pair of inputs; all neighbors if not given.")] = None,
    as_json: Json = False,
) -> None:
    """Show which sets of outputs decide for a pair of inputs, and the excess of each part.

    Outputs likelier for the first input fall into parts with one ratio. With δ = 0 each part
    decides alone; with δ above 0 only the sum of the positive excesses does. Exits with 1 if a
    pair exceeds δ.

    Example: tightrope theory excess m.csv --space categories:3 --epsilon 0.5 --delta 0.1 --pair 0 1
    """
    from tightrope.cli.doubles import note_on_doubles, row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import data
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite
    from tightrope.spaces import point_named
    from tightrope.theory import excesses

    level, subject = asked.level(), read_subject(file, space, normalize=normalize)
    with working("taking sets apart"):
        mechanism = finite(subject.mechanism)
        points = mechanism.space
        ends = None if pair is None else [points.index(point_named(points, x)) for x in pair]
        places = None if ends is None else [(ends[0], ends[1])]
        result = excesses(mechanism, level, places)
    note = None if result.holds else note_on_doubles(
        lambda m: excesses(m, level, places).holds, mechanism
    )
    tell(result.facts().also(
        *data(space=points.text, doubles=note), row_fact(subject.row_error),
        sentences=[note] if note else ()), as_json=as_json)
    if not result.holds:
        raise typer.Exit(1)
