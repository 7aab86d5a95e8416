"""`tightrope tradeoff`: loss against ε."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedEffort, AskedObjective, exact_number, extra_of
from tightrope.cli.asked_query import AskedQuery
from tightrope.cli.options import (
    Delta,
    ExtraOption,
    Force,
    Json,
    PlotFile,
    SpaceArgument,
    loss_names,
    value,
)
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.cli.targets import PictureTarget
    from tightrope.constructions import FamilyPieces, ValuePieces
    from tightrope.exact import Level

MOST_LEVELS = 1000


def tradeoff(
    space: SpaceArgument,
    *,
    epsilons: Annotated[
        str | None,
        value("--epsilons", "A:B:STEP", "The levels: from A to B in steps, as in 0.25:2:0.25, or "
              "a list, as in 0.5,1,2."),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option("--exact", help="The least loss as rational functions of r = e^ε, exactly; "
                     "for up to 12 inputs and outputs. With N in the space, as in path:0..N, one "
                     "form for many N is sought."),
    ] = False,
    ratios: Annotated[
        str | None,
        value("--ratios", "A:B", "With --exact: only e^ε from A to B; all without it."),
    ] = None,
    upto: Annotated[
        int | None,
        typer.Option("--upto", metavar="N", help="With --exact and N in the space: the largest N; "
                     "8 without it."),
    ] = None,
    delta: Delta = "0",
    aim: AskedObjective,
    question: AskedQuery,
    extra: ExtraOption = None,
    search: AskedEffort,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show the loss of every construction over a range of ε, and the least possible.

    With --exact it lists the intervals of e^ε on which the least loss is one rational function.

    Example: tightrope tradeoff path:0..20 --epsilons 0.25:2:0.25 --loss absolute --plot t.svg
    """
    from tightrope import constructions
    from tightrope.cli.output import tell
    from tightrope.cli.progress import counting
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import read_space

    if exact:
        if epsilons is not None or delta != "0" or extra:
            raise BadInput("--exact goes with --ratios, and without --epsilons, --delta and "
                           "--extra.")
        _tell_pieces(space, aim, question, search, ratios, upto, PictureTarget(plot, force),
                     as_json=as_json)
        return
    if upto is not None:
        raise BadInput("--upto goes with --exact and a family of spaces, such as path:0..N.")
    if epsilons is None:
        raise BadInput("give --epsilons A:B:STEP, such as 0.25:2:0.25, or --exact.")
    if ratios is not None:
        raise BadInput("--ratios goes with --exact; other levels are --epsilons A:B:STEP.")
    picture = PictureTarget(plot, force)
    levels = levels_of(epsilons, delta)
    points = read_space(space)
    aimed, effort = question.aim(aim, points), search.effort()
    with counting("levels") as count:
        done = iter(range(1, len(levels) + 1))
        result = constructions.tradeoff(
            points, levels, **aimed, extra=extra_of(extra, space, normalize=aim.normalize),
            effort=effort, told=lambda _: count(next(done)),
        )
    picture.draw(result.plot)
    tell(result.facts().also(picture.fact), as_json=as_json)


def _tell_pieces(
    space: str,
    aim: AskedObjective,
    question: AskedQuery,
    search: AskedEffort,
    ratios: str | None,
    upto: int | None,
    picture: PictureTarget,
    *,
    as_json: bool,
) -> None:
    """The least loss as a function of e^ε, piece by piece."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.constructions import family_pieces, is_family, value_pieces
    from tightrope.files import read_space

    low, high = _ratios_of(ratios)
    result: FamilyPieces | ValuePieces
    if is_family(space):
        known = loss_names()
        if question != AskedQuery() or aim.prior != "uniform" or aim.loss not in (None, *known):
            raise BadInput("a family of spaces takes the uniform prior and one of the losses "
                           f"{', '.join(known)}, and no --query.")
        with working("solving for all ratios"):
            result = family_pieces(space, low, high, upto=8 if upto is None else upto,
                                   loss=aim.loss, goal=aim.goal, effort=search.effort())
    elif upto is not None:
        raise BadInput("--upto needs a family of spaces with N in place of a number, such as "
                       "path:0..N.")
    else:
        points = read_space(space)
        asked = question.aim(aim, points)
        if asked["query"] is not None:
            raise BadInput("--exact needs points and answers, not a --query.")
        with working("solving for all ratios"):
            result = value_pieces(points, low, high, prior=asked["prior"], loss=asked["loss"],
                                  goal=asked["goal"], effort=search.effort())
    picture.draw(result.plot)
    tell(result.facts().also(picture.fact), as_json=as_json)


def _ratios_of(text: str | None) -> tuple[Fraction, Fraction | None]:
    """The ends of a range of ratios; all from 1 on without one."""
    if text is None:
        return Fraction(1), None
    try:
        low, high = (exact_number(part, "a number") for part in text.split(":"))
    except (ValueError, BadInput):
        raise BadInput(f"expected --ratios as A:B, such as 1:8, found {text!r}.") from None
    return low, high


def levels_of(text: str, delta: str) -> list[Level]:
    """The levels of a range or a list, each exact.

    >>> [level.text for level in levels_of("0.5:1.5:0.5", "0")]
    ['0.5', '1', '1.5']
    >>> [level.text for level in levels_of("ln(2),2", "0")]
    ['ln(2)', '2']
    """
    from tightrope.exact import Level, short_text

    if ":" not in text:
        return [Level.of(part.strip()).with_delta(delta).checked() for part in text.split(",")]
    try:
        first, last, step = (exact_number(part, "a number") for part in text.split(":"))
    except (ValueError, BadInput):
        raise BadInput(
            f"expected --epsilons as A:B:STEP, such as 0.25:2:0.25, or as a list, such as 0.5,1,2, "
            f"found {text!r}."
        ) from None
    if not (first >= 0 and step > 0 and last >= first):
        raise BadInput(f"expected --epsilons from 0 upwards in steps, found {text!r}.")
    count = (last - first) // step + 1
    if count > MOST_LEVELS:
        shown = count if count < MOST_LEVELS**4 else short_text(Fraction(count))
        raise BadInput(f"expected at most {MOST_LEVELS} levels, found {shown}; use a larger step.")
    return [Level.epsilon(first + k * step, delta).checked() for k in range(count)]

