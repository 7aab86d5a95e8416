"""`tightrope compare`: every construction side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective, extra_of
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import ExtraOption, Force, Json, OutputsOption, PlotFile, SpaceArgument

if TYPE_CHECKING:
    from tightrope.constructions import Row

PATIENCE = 60.0
"""Most seconds for the optimum if --time is not given."""


def compare(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    question: AskedQuery,
    outputs: OutputsOption = None,
    extra: ExtraOption = None,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare all constructions at a level: their loss, and the level each one really has.

    The optimum, and with it the bound, is sought last and for a minute at most, unless --time
    says otherwise.

    Example: tightrope compare path:0..49 --epsilon 0.5 --loss absolute
    """
    from tightrope import constructions
    from tightrope.cli.output import tell
    from tightrope.cli.progress import announce, closing
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import read_space

    picture = PictureTarget(plot, force)
    level = asked.level()
    points = read_space(space)
    aimed = question.aim(aim, points, outputs)
    with closing("comparing", search.gap) as watch:
        effort = search.effort(watch, seconds=PATIENCE)
        result = constructions.compare(
            points,
            level,
            **aimed,
            extra=extra_of(extra, space, normalize=aim.normalize),
            effort=effort,
            told=lambda row: announce(_line(row)),
        )
    if not result.solutions:
        raise constructions.nothing_applies(result)
    picture.draw(result.plot)
    tell(result.facts().also(picture.fact), as_json=as_json)


def _line(row: Row) -> str:
    """A row in one line, for the terminal while other rows are computed."""
    if row.solution is None:
        return f"{row.construction}: not here"
    return f"{row.construction}: loss {row.solution.value:.6g}"
