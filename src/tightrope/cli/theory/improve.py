"""`tightrope theory improve`: a mechanism at least as good as that in a file, same level."""

from __future__ import annotations

from tightrope.cli.asked import AskedEffort, AskedLevel, AskedObjective
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    OutputFile,
    QueryOption,
    SpaceOption,
    ValuesOption,
)


def improve(
    file: MechanismFile,
    space: SpaceOption = None,
    *,
    asked: AskedLevel,
    aim: AskedObjective,
    query: QueryOption = None,
    values: ValuesOption = None,
    output: OutputFile = None,
    search: AskedEffort,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Improve a mechanism: answer better from its outputs, or put a better one in its place.

    The level is the one that the document claims; a bare matrix needs --epsilon or --ratio.
    Nothing gets worse: a mechanism that is as good as the best is kept.

    Example: tightrope theory improve m.json --loss absolute -o better.json
    """
    from tightrope import constructions
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.progress import closing
    from tightrope.cli.report import tell
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite

    document = DocumentTarget(output, force)
    given = read_subject(file, space, normalize=aim.normalize)
    level = asked.level_for(file, given)
    mechanism = finite(given.mechanism)
    with closing("improving and proving", search.gap) as watch:
        question = AskedQuery(query, values).aim(aim, given.space)
        result = constructions.improve(mechanism, level, **question, effort=search.effort(watch))
    document.keep(result.after)
    tell(result.facts().also(row_fact(given.row_error), document.fact,
                             sentences=document.advice), as_json=as_json)
