"""`tightrope theory prior`: is a prior regular at a level, and what can leak under it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import shorten
from tightrope.cli.asked import AskedLevel, prior_of
from tightrope.cli.options import (
    Force,
    Json,
    Normalize,
    PlotFile,
    PriorOption,
    SpaceArgument,
    value,
)

if TYPE_CHECKING:
    from tightrope.theory import PriorJudgment


def prior(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    prior: PriorOption = "uniform",
    mechanism: Annotated[Path | None, value(
        "--mechanism", "FILE",
        "A document or a bare matrix: what it leaks under the prior.")] = None,
    normalize: Normalize = False,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Judge a prior at a level: is it regular, of which corner priors, and what can leak.

    A regular prior is a mixture of the corner priors. Under it no mechanism at the level is
    right more often, or leaks more, than shown. Exits with 1 if it is not regular.

    Example: tightrope theory prior path:0..5 --epsilon 1 --plot p.svg
    """
    from tightrope import theory
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.facts import data
    from tightrope.files import read_space, read_subject
    from tightrope.mechanisms import finite
    from tightrope.theory import prior_figure

    picture = PictureTarget(plot, force)
    level, points = asked.level(), read_space(space)
    law = prior_of(prior, points, normalize=normalize)
    subject = (
        None if mechanism is None else read_subject(mechanism, space, normalize=normalize)
    )
    with working("judging the prior"):
        tested = None if subject is None else finite(subject.mechanism)
        judgment = theory.judge_prior(points, level, law, tested)
    title = f"{shorten(points.text)} at ε = {level.text}"
    picture.draw(lambda: prior_figure(judgment, title))
    note = None if judgment.regular else _doubles(prior, judgment, normalize=normalize)
    tell(judgment.facts().also(
        *data(prior=prior, doubles=note), picture.fact,
        row_fact(None if subject is None else subject.row_error),
        sentences=[note] if note else ()), as_json=as_json)
    if not judgment.regular:
        raise typer.Exit(1)


def _doubles(file: str, judgment: PriorJudgment, *, normalize: bool) -> str | None:
    """A sentence if a prior of doubles would be regular as their decimals."""
    from tightrope.exact import shortest_decimal, told_as_binary
    from tightrope.files import extension, read_vector
    from tightrope.kernels import Regular, regularity
    from tightrope.utility import Prior

    if extension(file) not in (".npy", ".parquet", ".pq"):
        return None
    doubles = [float(p) for p in read_vector(file, judgment.space.points)]
    decimals = [shortest_decimal(p) for p in doubles]
    total = sum(decimals) if normalize else 1
    told, law = told_as_binary(doubles), Prior.of([decimal / total for decimal in decimals])
    if told is None or not isinstance(regularity(judgment.space, judgment.level, law), Regular):
        return None
    return f"{told}, and the prior is regular."
