"""`tightrope theory response`: randomized response on m values, every closed form at a level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.theory import ResponseForms


def response(
    values: Annotated[
        int, typer.Argument(metavar="VALUES", help="The number m of values.", min=2, max=10**9)
    ],
    *,
    asked: AskedLevel,
    error: Annotated[
        str | None,
        typer.Option(
            "--error",
            metavar="NUMBER",
            help="The probability p of each wrong value in a mechanism that you have: its ε, its "
            "δ, and whether it has the level.",
            show_default=False,
        ),
    ] = None,
    factor: Annotated[
        str | None,
        typer.Option(
            "--factor",
            metavar="NUMBER",
            help="Instead of --error: e^k of the exponential mechanism e^(-k h) of the Hamming "
            "distance.",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Tell which errors of randomized response are private at a level, and what one needs.

    With --error or --factor it exits with 1 if that one does not have the level. --plot draws
    the least δ against k.

    Example: tightrope theory response 5 --epsilon 1 --delta 0.05 --error 0.1
    """
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.theory import response_forms

    picture = PictureTarget(plot, force)
    found = response_forms(values, asked.level(), error=error, factor=factor)
    picture.draw(lambda: _figure(found))
    answer = {**found.as_json(), "picture": picture.name}
    deliver(answer, lambda screen: _show(screen, found), as_json=as_json)
    if found.given is not None and not found.given.holds:
        raise typer.Exit(1)


def _figure(found: ResponseForms) -> Figure:
    from math import log

    from tightrope.plots import delta_figure
    from tightrope.theory import response_curve

    factor = found.factors.high if found.given is None else found.given.factor
    k = log(factor) if factor is not None and factor > 1 else float(found.level)
    curve = response_curve(found.values, found.level, max(1.5 * k, 2 * float(found.level)))
    title = f"{found.values} values at ε = {found.level.text}"
    return delta_figure(curve, (k, float(found.level.delta)), title, "k")


def _show(screen: Console, found: ResponseForms) -> None:
    from tightrope.cli.report import facts, paragraph

    level, given = found.level, found.given
    rows: list[tuple[str, object]] = [
        ("level", f"{level!s}, {found.values:,} values"),
        ("error p", f"private {_range(found.errors.low, found.errors.high)} (H16, Theorem 4.6)"),
        ("factor e^k", f"private {_range(found.factors.low, found.factors.high)} (Theorem 4.3)"),
        ("rows wrong", f"{_range(found.wrong.low, found.wrong.high)} of them on average "
         "(Theorems 4.4 and 4.7)"),
    ]
    if given is not None:
        rows += [
            ("this p", f"{_text(given.error)}, "
             + ("e^k is infinite" if given.factor is None else f"e^k = {_text(given.factor)}")
             + f": {'private' if given.holds else 'not private'} at this level"),
            ("ε needed", "none is enough" if given.ratio is None else
             f"ln({_text(given.ratio)}) at δ = {float(level.delta):g}"),
            ("δ needed", f"{_text(given.delta[1])} at ε = {level.text}"),
        ]
    screen.print(facts(rows))
    paragraph(
        screen,
        "Each wrong value has probability p, the truth the rest. Row by row on a table of any "
        "number of rows the level is the same (Theorem 3.5). No row-by-row mechanism at this level "
        "is wrong less often for its worst value (Theorem 4.8).",
    )


def _range(low: Fraction, high: Fraction | None) -> str:
    """Both ends, decimals rounded inward: what is said to be private is."""
    upto = "" if high is None else f" to {_text(high, up=False)}"
    return f"from {_text(low)}{upto}"


def _text(value: Fraction, *, up: bool = True) -> str:
    """A short fraction, or seven digits rounded up (or down)."""
    from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

    if len(str(value)) <= 12:
        return str(value)
    context = Context(prec=7, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    return f"{context.divide(Decimal(value.numerator), Decimal(value.denominator)):.7g}"
