"""`tightrope theory query`: sensitivities of a query, and sets of answers around datasets."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import Json, QueryOption, SpaceArgument, ValuesOption, option
from tightrope.errors import BadInput


def query(
    space: SpaceArgument,
    *,
    query: QueryOption = None,
    values: ValuesOption = None,
    sets: Annotated[str | None, option(
        "--sets", "NAME",
        "Also the sets of answers of this construction, such as inverse-sensitivity or "
        "privacy-first:radius=1.")] = None,
    as_json: Json = False,
) -> None:
    """Show what a query on datasets is like: its global and local sensitivities, its sets.

    Example: tightrope theory query graphs:5 --query triangles --sets inverse-sensitivity
    """
    from tightrope import constructions
    from tightrope.cli.asked import AskedObjective
    from tightrope.cli.report import tell
    from tightrope.files import read_space

    asked = AskedQuery(query, values).aim(AskedObjective(), read_space(space))["query"]
    if asked is None:
        raise BadInput("a query is missing: give --query FILE, or a name such as sum.")
    tell(constructions.profile(asked, sets).facts(), as_json=as_json)
