"""`tightrope theory measure`: the mechanism that tells most, by a measure without a loss."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Measure
from tightrope.cli.asked import AskedLevel, prior_of
from tightrope.cli.options import (
    Force,
    Json,
    Normalize,
    OutputFile,
    PlotFile,
    PriorOption,
    SpaceArgument,
)

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import MostTelling


def measure(
    space: SpaceArgument,
    measure: Annotated[
        Measure,
        typer.Argument(metavar="MEASURE", show_default=False,
                       help=f"The measure to maximize: {', '.join(Measure)}."),
    ],
    *,
    asked: AskedLevel,
    prior: PriorOption = "uniform",
    normalize: Normalize = False,
    output: OutputFile = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the mechanism that tells most at a level, by a measure instead of a loss.

    Post-processing never raises any of these measures.

    Example: tightrope theory measure path:0..3 determinant --epsilon 1 -o m.json
    """
    from tightrope.characters import shorten
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget
    from tightrope.files import read_space
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure
    from tightrope.theory import max_measure_given_level

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    level, points = asked.level(), read_space(space)
    law = prior_of(prior, points, normalize=normalize)
    start = perf_counter()
    with working("designing and proving"):
        solution = max_measure_given_level(points, level, measure, prior=law)
    seconds = perf_counter() - start
    title = f"{measure.value} on {shorten(points.text)}, {level!s}"
    picture.draw(lambda: mechanism_figure(finite(solution.certified.mechanism), title))
    document.keep(solution.certified)
    answer = {
        **solution.as_json(), "seconds": seconds, "file": document.name, "picture": picture.name,
    }
    deliver(answer, lambda screen: _show(screen, solution, document.name, picture.name),
            as_json=as_json)


def _show(
    screen: Console, solution: MostTelling, file: str | None, picture: str | None
) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import number, probability_table, space_text
    from tightrope.mechanisms import count_outputs
    from tightrope.privacy import promise, protection
    from tightrope.spaces import listed

    unit = " bits" if solution.measure is Measure.MUTUAL_INFORMATION else ""
    certificate, mechanism = solution.certified.certificate, solution.certified.mechanism
    points = listed(mechanism.space)
    exact = solution.value == solution.bound
    best = "the same: this is the optimum" if exact else (
        f"at most {number(float(solution.bound), 10)}{unit}, proved"
    )
    rows: list[tuple[str, object]] = [
        ("measure", f"{solution.measure.value}: {number(float(solution.value), 10)}{unit}"),
        ("best possible", best),
        ("by", solution.theorem),
        ("space", f"{space_text(points.text)}: {points.size:,} inputs, "
         f"{count_outputs(mechanism):,} outputs"),
        ("level asked", str(certificate.level)),
        ("proof", f"{certificate.evidence.value}: {certificate.statement}"),
        ("file", file),
        ("picture", picture),
    ]
    screen.print(facts(rows))
    if (small := probability_table(mechanism)) is not None:
        screen.print()
        screen.print(small)
    paragraph(
        screen,
        promise(certificate.level, mechanism.space),
        protection(mechanism, certificate.level),
    )
    if file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
