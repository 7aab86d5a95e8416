"""`tightrope theory generalize`: a maximally general mechanism at the same level."""

from __future__ import annotations

from typing import Annotated

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    Normalize,
    OutputFile,
    SpaceOption,
    value,
)
from tightrope.errors import BadInput


def generalize(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    definition: Annotated[str | None, value(
        "--definition", "FILE", "Instead of a level: a .toml or .json file with a piecewise linear "
        "bound for each protected pair.", panel="Privacy")] = None,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find a mechanism with the same ε from which this one follows by post-processing.

    The level is the one that the document claims; a bare matrix needs
    --epsilon or --ratio. Every output of the new mechanism is as telling as
    the level allows: no mechanism at the level tells more. With --definition
    outputs are split for as long as the definition is kept.

    Example: tightrope theory generalize m.json -o general.json
    """
    from tightrope import theory
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import read_definition, read_subject
    from tightrope.mechanisms import finite
    from tightrope.privacy import probability_table

    document = DocumentTarget(output, force)
    given = read_subject(file, space, normalize=normalize)
    if definition is not None:
        if asked.if_any() is not None or output is not None:
            raise BadInput("--definition stands in place of a level, and its mechanism has none "
                           "to be written with; leave out the level and -o.")
        with working("splitting outputs and proving"):
            split = theory.generalize_under(
                finite(given.mechanism), read_definition(definition, given.space))
        tell(split.facts().also(row_fact(given.row_error), *probability_table(split.mechanism)),
             as_json=as_json)
        return
    level = asked.level_for(file, given)
    if level.delta:
        raise BadInput("a mechanism is generalized at δ = 0: give a level without a δ.")
    with working("splitting outputs and proving"):
        result = theory.generalize(finite(given.mechanism), level)
    document.keep(result.certified)
    tell(result.facts().also(
        row_fact(given.row_error), document.fact,
        *probability_table(result.certified.mechanism), sentences=document.advice), as_json=as_json)
