"""`tightrope locate traces`: many rows of a person for one level."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.asked_positions import AskedBlur, AskedPromise
from tightrope.cli.options import value


def traces(
    promise: AskedPromise,
    fresh: Annotated[int, value(
        "--fresh", "K",
        "So many positions of a person are fresh, the others repeat the last one.")],
    *,
    person: Annotated[str | None, value(
        "--person", "NAME",
        "The column that names people; without it, the file is one trace.")] = None,
    jump: Annotated[str | None, value(
        "--jump", "LENGTH", "A new position is likely beyond this far from the last.")] = None,
    rows: Annotated[int, value(
        "--rows", "K", "Without --jump: rows of a person, about; one who stays put over as many is "
        "seldom moved.", default=True)] = 100,
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
