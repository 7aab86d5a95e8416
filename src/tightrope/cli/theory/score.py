"""`tightrope theory score`: the exponential mechanism of any score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, OutputFile, SpaceArgument, argument, value


def score(
    space: SpaceArgument,
    file: Annotated[Path, argument(
        "FILE", "The scores: a row for each input, a column for each output; more is better. The "
        "first row may name the outputs.")],
    *,
    asked: AskedLevel,
    rate: Annotated[str | None, value(
        "--rate", "NUMBER", "Judge weights e^(rate · score) with this rate, such as 1 or "
        "\"ln(2)\"; the largest with the level if not given.")] = None,
    measure: Annotated[Path | None, value(
        "--measure", "FILE", "A base measure: an output and its weight on each row; all weigh the "
        "same if not given.")] = None,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Choose an output by its score with the exponential mechanism, at exactly a level.

    Shows the sensitivity of the score, the rate ε/(2Δ) as stated with the level it really has,
    and the largest rate with the level. With --rate: exits with 1 if it does not have the level.

    Example: tightrope theory score path:0..2 scores.csv --epsilon 1 -o choice.json
    """
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget
    from tightrope.constructions import choose_by_score, outputs_space
    from tightrope.facts import data
    from tightrope.files import read_matrix, read_measure, read_space
    from tightrope.privacy import probability_table

    document, level, inputs = DocumentTarget(output, force), asked.level(), read_space(space)
    table = read_matrix(file)
    labels = table.column_labels or tuple(range(table.values.shape[1]))
    weights = None if measure is None else read_measure(measure, outputs_space(labels))
    with working("finding the rate"):
        result = choose_by_score(
            inputs, table.along(inputs.points, labels).numbers.tolist(), level, outputs=labels,
            measure=None if weights is None else [weights.get(r, 0) for r in labels], rate=rate)
    if result.certified is not None:
        document.keep(result.certified)
    kept = (document.fact,) if result.holds else ()
    tell(result.facts().also(
        *data(scores=file), *kept, *probability_table(result.mechanism),
        sentences=document.advice if result.holds else ()), as_json=as_json)
    if not result.holds:
        raise typer.Exit(1)
