"""`tightrope theory improve`: a mechanism at least as good as that in a file, same level."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective, extra_of
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import (
    ExtraOption,
    Force,
    Json,
    MechanismFile,
    OutputFile,
    PlotFile,
    QueryOption,
    SpaceOption,
    ValuesOption,
    flag,
)
from tightrope.errors import BadInput


def improve(
    file: MechanismFile,
    space: SpaceOption = None,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    query: QueryOption = None,
    values: ValuesOption = None,
    extra: ExtraOption = None,
    exact: Annotated[bool, flag(
        "--exact", "Decide in fractions whether it is optimal; if not, put an optimal vertex in "
        "its place.")] = False,
    priors: Annotated[bool, flag(
        "--priors", "With --exact: all priors for which it is optimal under this loss, and all "
        "costs for which it is.")] = False,
    output: OutputFile = None,
    plot: PlotFile = None,
    search: AskedEffort,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Improve a mechanism: answer better from its outputs, or put a better one in its place.

    The level is the one that the document claims; a bare matrix needs --epsilon or --ratio.
    Nothing gets worse: a mechanism that is as good as the best is kept. With --exact that is
    decided in fractions.

    Example: tightrope theory improve m.json --loss absolute -o better.json
    """
    from tightrope import constructions
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import closing
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite

    if priors and not exact:
        raise BadInput("--priors goes with --exact.")
    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    given = read_subject(file, space, normalize=aim.normalize)
    level = asked.level_for(file, given)
    mechanism = finite(given.mechanism)
    with closing("improving and proving", search.gap) as watch:
        question = AskedQuery(query, values).aim(aim, given.space)
        result = constructions.improve(
            mechanism, level, **question, exact=exact, effort=search.effort(watch),
            extra=extra_of(extra, given.space.text, normalize=aim.normalize))
        when = constructions.when_optimal(
            mechanism, level, loss=question["loss"], effort=search.effort()
        ).facts() if priors else None
    document.keep(result.after)
    picture.draw(result.plot)
    cone = () if when is None else when.items
    sentences = [] if when is None else [f"As given, {when.title}.", *when.sentences]
    tell(result.facts().also(row_fact(given.row_error), document.fact, picture.fact, *cone,
                             sentences=[*sentences, *document.advice]), as_json=as_json)
