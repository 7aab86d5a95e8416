"""`tightrope theory response`: randomized response on m values, every closed form at a level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile, value

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.theory import ResponseForms


def response(
    values: Annotated[
        int, typer.Argument(metavar="VALUES", help="The number m of values.", min=2, max=10**9)
    ],
    *,
    asked: AskedLevel,
    error: Annotated[str | None, value(
        "--error", "NUMBER", "The probability p of each wrong value in a mechanism that you have: "
        "its ε, its δ, and whether it has the level.")] = None,
    factor: Annotated[str | None, value(
        "--factor", "NUMBER", "Instead of --error: e^k of the exponential mechanism e^(-k h) of "
        "the Hamming distance.")] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Tell which errors of randomized response are private at a level, and what one needs.

    With --error or --factor it exits with 1 if that one does not have the level. --plot draws
    the least δ against k.

    Example: tightrope theory response 5 --epsilon 1 --delta 0.05 --error 0.1
    """
    from tightrope.cli.output import tell
    from tightrope.cli.targets import PictureTarget
    from tightrope.theory import response_forms

    picture = PictureTarget(plot, force)
    forms = response_forms(values, asked.level(), error=error, factor=factor)
    picture.draw(lambda: _figure(forms))
    tell(forms.facts().also(picture.fact), as_json=as_json)
    if forms.given is not None and not forms.given.holds:
        raise typer.Exit(1)


def _figure(forms: ResponseForms) -> Figure:
    from math import log

    from tightrope.plots import delta_figure
    from tightrope.theory import response_curve

    factor = forms.factors.high if forms.given is None else forms.given.factor
    k = log(factor) if factor is not None and factor > 1 else float(forms.level)
    curve = response_curve(forms.values, forms.level, max(1.5 * k, 2 * float(forms.level)))
    title = f"{forms.values} values at ε = {forms.level.text}"
    return delta_figure(curve, (k, float(forms.level.delta)), title, "k")
