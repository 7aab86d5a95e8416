"""`tightrope theory prior`: is a prior regular at a level, and what can leak under it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.characters import label_text, shorten
from tightrope.cli.asked import AskedLevel, prior_of
from tightrope.cli.options import Force, Json, Normalize, PlotFile, PriorOption, SpaceArgument

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.theory import PriorJudgment

SHOWN = 16
"""Points of a space that are shown one by one."""


def prior(
    space: SpaceArgument,
    *,
    asked: AskedLevel,
    prior: PriorOption = "uniform",
    mechanism: Annotated[
        Path | None,
        typer.Option(
            "--mechanism",
            metavar="FILE",
            help="A document or a bare matrix: what it leaks under the prior.",
            show_default=False,
        ),
    ] = None,
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
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver, paragraph
    from tightrope.cli.targets import PictureTarget
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
        held = None if subject is None else finite(subject.mechanism)
        found = theory.judge_prior(points, level, law, held)
    title = f"{shorten(points.text)} at ε = {level.text}"
    picture.draw(lambda: prior_figure(found, title))
    row_error = None if subject is None else subject.row_error
    note = None if found.regular else _doubles(prior, found, normalize=normalize)
    answer = {**found.as_json(), "prior": prior, "picture": picture.name,
              "row_error": row_error, "doubles": note}

    def show(screen: Console) -> None:
        _show(screen, found, row_error)
        if note is not None:
            paragraph(screen, note)

    deliver(answer, show, as_json=as_json)
    if not found.regular:
        raise typer.Exit(1)


def _doubles(file: str, found: PriorJudgment, *, normalize: bool) -> str | None:
    """A sentence if a prior of doubles would be regular as their decimals."""
    from tightrope.exact import shortest_decimal, told_as_binary
    from tightrope.files import extension, read_vector
    from tightrope.kernels import Regular, regularity
    from tightrope.utility import Prior

    if extension(file) not in (".npy", ".parquet", ".pq"):
        return None
    doubles = [float(p) for p in read_vector(file, found.space.points)]
    decimals = [shortest_decimal(p) for p in doubles]
    total = sum(decimals) if normalize else 1
    told, law = told_as_binary(doubles), Prior.of([decimal / total for decimal in decimals])
    if told is None or not isinstance(regularity(found.space, found.level, law), Regular):
        return None
    return f"{told}, and the prior is regular."


def _show(screen: Console, found: PriorJudgment, row_error: float | None) -> None:
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number, row_totals, space_text
    from tightrope.utility import min_entropy

    law = found.prior.on(found.space).tolist()
    leaked = None if found.leaked is None else f"{number(found.leaked, 6)} bits"
    if found.private is False:
        leaked = f"{leaked}; it is not proved at this level, so no bound here is about it"
    screen.print(
        facts(
            [
                ("space", space_text(found.space.text)),
                ("prior", _verdict(found)),
                ("guessed right", None if found.gain is None else
                 f"with a probability of at most {number(found.gain, 6)}, by any mechanism at "
                 "this level"),
                ("leakage", None if found.most_leaked is None else
                 f"at most {number(found.most_leaked, 6)} bits under this prior"),
                ("any prior", "the uniform prior is not regular: no bound by Corollary 2"
                 if found.any_prior is None else
                 f"at most {number(found.any_prior, 6)} bits under any"),
                ("this mechanism", leaked),
                ("row totals", row_totals(row_error)),
                ("before", f"{number(min_entropy(found.space, found.prior), 6)} bits of "
                 "min-entropy"),
                ("regular priors", None if found.volume is None else
                 f"a share of {number(found.volume[1], 6)} of all priors, by volume"),
            ]
        )
    )
    if found.space.size <= SHOWN:
        shares = found.shares or [None] * found.space.size
        screen.print(
            table(
                ("point", "probability", "least", "most", "share of its corner"),
                [
                    (label_text(label), number(p), number(low), number(high),
                     "" if share is None else number(share))
                    for label, p, low, high, share in zip(
                        found.space.points, law, found.least.tolist(), found.most.tolist(), shares,
                        strict=True,
                    )
                ],
            )
        )
        paragraph(
            screen,
            "Least and most are the ranges of single probabilities under regular priors; a prior "
            "within them need not be regular.",
        )


def _verdict(found: PriorJudgment) -> str:
    if found.regular:
        return f"regular at ε = {found.level.text}: a mixture of corner priors"
    return (
        f"not regular at ε = {found.level.text}: its coefficient at {label_text(found.point)} "
        "would be negative"
    )
