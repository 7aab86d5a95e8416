"""`tightrope theory compatible`: does one level serve all members of a family of spaces."""

from __future__ import annotations

from typing import Annotated

import typer

from tightrope.cli.options import Force, Json, PlotFile, argument, value


def compatible(
    family: Annotated[str, argument(
        "FAMILY", "Spaces with N in place of a number: categories:N, path:0..N * path:0..N, "
        "interval:0..N, cube:N; or FILE.py:space_of_n, a function from N to a space. Each is "
        "scaled to diameter 1.")],
    radius: Annotated[str, value(
        "--radius", "NUMBER", "How far off an answer may be.", default=True)] = "1/8",
    failure: Annotated[str, value(
        "--failure", "NUMBER", "How often it may be further off.", default=True)] = "1/10",
    upto: Annotated[int, value(
        "--upto", "N", "The largest member that is looked at.", default=True)] = 64,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say whether a family of spaces is privacy-compatible: one ε serves all members, or none.

    If not, points that stay apart while they become more and more are shown, with the ε that they
    force. Exits with 1 if the family is not compatible. For a function only a few members are
    looked at, nothing is decided, and the exit code is 3.

    Example: tightrope theory compatible star:N --plot f.svg
    """
    from tightrope import theory
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import PictureTarget
    from tightrope.files import function_in

    picture = PictureTarget(plot, force)
    with working("looking at the members"):
        verdict = theory.family_verdict(
            function_in(family, "(n)") or family, radius, failure, upto=upto)
    picture.draw(lambda: theory.family_figure(verdict))
    tell(verdict.facts().also(picture.fact), as_json=as_json)
    if not verdict.compatible:
        raise typer.Exit(3 if verdict.compatible is None else 1)
