"""`tightrope locate traces`: many rows of a person for one level."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.asked_positions import AskedBlur, AskedPromise


def traces(
    promise: AskedPromise,
    fresh: Annotated[
        int,
        typer.Option("--fresh", metavar="K", help="So many positions of a person are fresh, the "
                     "others repeat the last one."),
    ],
    *,
    person: Annotated[
        str | None,
        typer.Option("--person", metavar="NAME", show_default=False,
                     help="The column that names people; without it, the file is one trace."),
    ] = None,
    jump: Annotated[
        str | None,
        typer.Option("--jump", metavar="LENGTH", show_default=False,
                     help="A new position is likely beyond this far from the last."),
    ] = None,
    rows: Annotated[
        int,
        typer.Option("--rows", metavar="K", help="Without --jump: rows of a person, about; one who "
                     "stays put over as many is seldom moved."),
    ] = 100,
    asked: AskedBlur,
) -> None:
    """Blur traces: any number of rows of a person keep the promise together.

    A row repeats the last position that was put out, unless a noisy test says
    that the person is too far from it; then a fresh one is drawn. Half of the
    level is for fresh positions, so that few of them have little noise.

    Example: tightrope locate traces trips.csv --region Spain --within 200m --factor 2
    --fresh 5 --person phone -o blurred.csv
    """
    from tightrope.locations import traces

    asked.run(lambda: traces(*promise.words, fresh=fresh, jump=jump, rows=rows),
              person=person)
