"""`tightrope theory sets`: algebras of finite sets, chains, unions of rectangles."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from tightrope.cli.options import Json, argument


def sets(
    file: Annotated[Path, argument(
        "FILE", "A .json file with \"sets\" (lists; beside them \"elements\", \"measure\", "
        "\"within\"), or with \"rectangles\" (pairs of lists; \"within\", lists of pairs).")],
    as_json: Json = False,
) -> None:
    """Show the algebra that sets generate, or a union of rectangles as disjoint ones.

    Sets that grow or shrink are a chain: their measures end at that of the union or
    intersection. With "within", exits with 1 if some set of the algebra is not in that family.

    Example: tightrope theory sets hobbies.json
    """
    from tightrope.cli.output import tell
    from tightrope.facts import data
    from tightrope.files import read_sets
    from tightrope.theory import disjoint_rectangles, set_family

    content = read_sets(file)
    if "rectangles" in content:
        told: Any = disjoint_rectangles(
            content["rectangles"], within=content.get("within"))
    else:
        told = set_family(content["sets"], elements=content.get("elements"),
                          measure=content.get("measure"), within=content.get("within"))
    tell(told.facts().also(*data(file=file)), as_json=as_json)
    if told.missing is not None:
        raise typer.Exit(1)
