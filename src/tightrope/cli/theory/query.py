"""`tightrope theory query`: sensitivities of a query, and sets of answers around datasets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import (
    Epsilon,
    Json,
    QueryOption,
    Ratio,
    SpaceArgument,
    ValuesOption,
    value,
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.spaces import MetricQuery


def query(
    space: SpaceArgument,
    *,
    query: QueryOption = None,
    values: ValuesOption = None,
    sets: Annotated[str | None, value(
        "--sets", "NAME",
        "Also the sets of answers of this construction, such as inverse-sensitivity or "
        "privacy-first:radius=1; with a level also how far from the value answers are.")] = None,
    within: Annotated[str | None, value(
        "--within", "NUMBER", "With --sets and a level: how likely the answer is at most this far "
        "from the value, for every dataset.")] = None,
    mechanism: Annotated[Path | None, value(
        "--mechanism", "FILE", "A document or a bare matrix on the values: is it private there, "
        "and on the datasets once the query is asked first? It needs a level.")] = None,
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    as_json: Json = False,
) -> None:
    """Show what a query on datasets is like: its global and local sensitivities, its sets.

    With --sets and a level: the mean distance of answers from the value, dataset by dataset.
    With --mechanism: whether it is private on the values, whether it is on the datasets, and
    whether both go together for every mechanism. Exits with 1 unless it is private on both.

    Example: tightrope theory query graphs:5 --query triangles --sets inverse-sensitivity
    """
    from tightrope import constructions
    from tightrope.cli.asked import AskedObjective
    from tightrope.cli.output import tell
    from tightrope.files import read_space

    asked = AskedQuery(query, values).aim(AskedObjective(), read_space(space))["query"]
    if asked is None:
        raise BadInput("a query is missing: give --query FILE, or a name such as sum.")
    if mechanism is not None:
        if sets is not None:
            raise BadInput("--sets and --mechanism are two questions: ask one at a time.")
        if within is not None:
            raise BadInput("--within goes with --sets NAME and a level.")
        _judge(asked, mechanism, AskedLevel(epsilon, ratio), as_json=as_json)
        return
    level = AskedLevel(epsilon, ratio).if_any()
    if level is not None and sets is None:
        raise BadInput("a level goes with --sets NAME or --mechanism FILE.")
    if within is not None and level is None:
        raise BadInput("--within goes with --sets NAME and a level.")
    tell(constructions.profile(asked, sets, level, within=within).facts(), as_json=as_json)


def _judge(query: MetricQuery, file: Path, asked: AskedLevel, *, as_json: bool) -> None:
    from tightrope.cli.output import tell
    from tightrope.facts import data
    from tightrope.files import read_rows
    from tightrope.theory import oblivious_privacy

    level = asked.level()
    rows, _ = read_rows(file)
    verdict = oblivious_privacy(query, rows, level)
    tell(verdict.facts().also(*data(file=file)), as_json=as_json)
    if not (verdict.on_values and verdict.on_datasets):
        raise typer.Exit(1)
