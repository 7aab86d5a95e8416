"""`tightrope theory noise`: noise for a number, by what one person can change."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.choices import Shape
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking, booking_line
from tightrope.cli.options import Epsilon, Force, Json, OutputFile, PlotFile, Ratio, choice, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.theory import Noise


def noise(
    changes: Annotated[
        str,
        typer.Argument(
            metavar="SET",
            help='By how much one person can change the number: "[-1, 1]", "[1, 2] | [5, 6]", '
            '"{1, 3}". Put -- before one that starts with a minus.',
        ),
    ],
    epsilon: Epsilon = None,
    ratio: Ratio = None,
    law: Annotated[Shape, choice(
        "--law", "Which law; the one that errs least if not given.", default=True)] = Shape.BEST,
    widen: Annotated[str | None, value(
        "--widen", "NUMBER",
        "The radius δ of the first set, of theorem-3 and the staircase (Example 9's γ); nearly "
        "the best one if not given.")] = None,
    grid: Annotated[str | None, value(
        "--grid", "NUMBER",
        "Answers are rounded down to a multiple of this; about a thousandth of the mean error if "
        "not given.")] = None,
    value: Annotated[str | None, value("--value", "NUMBER", "Answer this number, once.")] = None,
    *,
    books: AskedBooking,
    output: OutputFile = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Find the noise that protects a number and errs least, prove it, draw it.

    SET holds the changes that one person can make; people also leave, so its
    mirror image is added. Laws are compared before any number is seen.

    Example: tightrope theory noise "[0, 1] | [10, 11]" --epsilon 1 --value 42
    """
    from tightrope import theory
    from tightrope.characters import decimal_text
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart
    from tightrope.facts import Fact, Shown, data
    from tightrope.ledger import drawn_once, neighbors_of

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    level = AskedLevel(epsilon, ratio).level()
    with working("comparing laws"):
        result = theory.noise(changes, level, shape=law, widen=widen, grid=grid)
    answer, booked = None, None
    if value is not None:
        with books.account() as account:
            answer, booked = drawn_once(
                result.certified, value, "noise", account, unit="person",
                neighbors=neighbors_of(result.certified))
    picture.draw(lambda: _figure(result))
    document.keep(result.certified)
    shown = None if answer is None else Shown(answer, decimal_text(answer))
    tell(result.facts().also(
        *data(booked=booked), document.fact, picture.fact, first=[Fact("answer", "answer", shown)],
        sentences=[booking_line(booked), *document.advice, *_next(document.name)]),
        as_json=as_json)


def _next(file: str | None) -> list[str]:
    """The commands that check a document."""
    return [] if file is None else [
        "Next:", f"  tightrope verify {quote(file)}",
        f"  python -m tightrope.receipt_theorems {quote(file)}   (a stranger's check)"]


def _figure(result: Noise) -> Figure:
    from tightrope.theory import noise_figure

    drawn = {law.name: law.noise for law in (result.chosen, *result.laws)}
    laws = [(name, density) for name, density in drawn.items() if density is not None]
    kept = [laws[0], *(law for law in laws[1:] if law[0] == "staircase")]
    title = f"{result.mechanism.space.text}, {result.level!s}"
    return noise_figure(kept, result.laplace_error, title=title)
