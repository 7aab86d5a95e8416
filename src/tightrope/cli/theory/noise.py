"""`tightrope theory noise`: noise for a number, by what one person can change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.choices import Shape
from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking, booking_line
from tightrope.cli.options import Epsilon, Force, Json, OutputFile, PlotFile, Ratio

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.ledger import Booked
    from tightrope.mechanisms import PiecewiseNoise
    from tightrope.theory import Noise

_PIECES = 8
"""Sets of a law that people are shown; --json has all."""


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
    law: Annotated[
        Shape, typer.Option("--law", help="Which law; the one that errs least if not given.")
    ] = Shape.BEST,
    widen: Annotated[
        str | None,
        typer.Option(
            "--widen",
            metavar="NUMBER",
            help="The radius δ of the first set, of theorem-3 and the staircase (Example 9's γ); "
            "nearly the best one if not given.",
            show_default=False,
        ),
    ] = None,
    grid: Annotated[
        str | None,
        typer.Option(
            "--grid",
            metavar="NUMBER",
            help="Answers are rounded down to a multiple of this; about a thousandth of the mean "
            "error if not given.",
            show_default=False,
        ),
    ] = None,
    value: Annotated[
        str | None,
        typer.Option(
            "--value", metavar="NUMBER", help="Answer this number, once.", show_default=False
        ),
    ] = None,
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
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import DocumentTarget, PictureTarget, check_apart
    from tightrope.ledger import drawn_once, neighbors_of

    document, picture = DocumentTarget(output, force), PictureTarget(plot, force)
    check_apart(document, picture)
    level = AskedLevel(epsilon, ratio).level()
    with working("comparing laws"):
        found = theory.noise(changes, level, shape=law, widen=widen, grid=grid)
    answer, booked = None, None
    if value is not None:
        with books.account() as account:
            answer, booked = drawn_once(
                found.certified, value, "noise", account, unit="person",
                neighbors=neighbors_of(found.certified))
    picture.draw(lambda: _figure(found))
    document.keep(found.certified)
    shown = _Shown(found, answer, document.name, picture.name, booked)
    whole = {
        **found.as_json(),
        "answer": None if answer is None else str(answer),
        "booked": None if booked is None else booked.as_json(),
        "file": document.name,
        "picture": picture.name,
    }
    deliver(whole, lambda screen: _show(screen, shown), as_json=as_json)


@dataclass(frozen=True)
class _Shown:
    """What people are told: the law, the answer if one was asked for, and the files."""

    found: Noise
    answer: Any
    file: str | None
    picture: str | None
    booked: Booked | None


def _figure(found: Noise) -> Figure:
    from tightrope.theory import noise_figure

    drawn = {law.name: law.noise for law in (found.chosen, *found.laws)}
    laws = [(name, held) for name, held in drawn.items() if held is not None]
    kept = [laws[0], *(law for law in laws[1:] if law[0] == "staircase")]
    title = f"{found.mechanism.space.text}, {found.level!s}"
    return noise_figure(kept, found.laplace_error, title=title)


def _show(screen: Console, shown: _Shown) -> None:
    from shlex import quote

    from tightrope.characters import decimal_text
    from tightrope.cli.report import facts, paragraph, table
    from tightrope.cli.wording import number, smallest_text
    from tightrope.privacy import promise

    found = shown.found
    proof, mechanism = found.certified.certificate, found.mechanism
    screen.print(facts([
        ("answer", None if shown.answer is None else decimal_text(shown.answer)),
        ("law", f"{found.chosen.name}: {_MEANT[found.chosen.name]}"),
        ("one person", f"{proof.neighbors}, up or down; at most {found.sensitivity}"),
        ("mean error", number(found.mean_error)),
        ("level", f"{proof.level}, proved ({proof.evidence.value}): {proof.statement}"),
        ("answers", f"multiples of {decimal_text(mechanism.grid)}, rounded down"),
        ("file", shown.file),
        ("picture", shown.picture),
    ]))
    rows = [
        (law.name, "" if law.delta is None else f"{float(law.delta):.6g}",
         "" if law.mean_error is None else number(law.mean_error),
         "ε" if law.certified is None or law.certified.certificate.smallest is None
         else smallest_text(law.certified.certificate.smallest))
        for law in found.laws if law.mean_error is not None
    ]
    screen.print(table(("law", "δ", "mean error", "exact level"), rows))
    for law in found.laws:
        if law.reason is not None:
            screen.print(f"{law.name}: {law.reason}")
    screen.print()
    screen.print("The law, in sets around the number:")
    screen.print(table(("rung", "noise", "density"), _pieces(mechanism.noise), words=2))
    paragraph(screen, promise(proof.level, mechanism.space),
              f"Each answer is a full charge of ε. {booking_line(shown.booked)}")
    if shown.file is None:
        paragraph(screen, "Nothing was written; add -o FILE to keep this mechanism.")
        return
    file = quote(shown.file)
    paragraph(screen, "Next:", f"  tightrope verify {file}",
              f"  python -m tightrope.receipt_theorems {file}   (a stranger's check)")


_MEANT = {
    "theorem-1": "steps as wide as the largest change",
    "theorem-2": "the sets that one, two, three people explain",
    "theorem-3": "the sets that one, two, three people explain, widened by δ",
    "staircase": "a first step of radius δ, then steps as wide as the largest change",
}


def _pieces(noise: PiecewiseNoise) -> list[tuple[str, str, str]]:
    """The first sets of a law, and what follows the last one."""

    def ends(pairs: list[tuple[Fraction, Fraction]]) -> str:
        listed = [f"[{float(low):g}, {float(high):g}]" for low, high in pairs[:4]]
        return " ".join([*listed, f"… {len(pairs)} in all"] if pairs[4:] else listed)

    top = float(1 / noise.normalizer)
    rows = [
        (str(i), "nothing" if rung is None else ends(rung.pairs()),
         "" if rung is None else f"{top * float(noise.ratio) ** -i:.5g}")
        for i, rung in enumerate(noise.rungs[:_PIECES])
    ]
    left = len(noise.rungs) - len(rows)
    if left:
        rows.append((f"{_PIECES} to {len(noise.rungs) - 1}", "…", "each e^-ε times the last"))
    rows.append((f"{len(noise.rungs)} …",
                 f"{float(noise.step):g} more on either side, up from {float(noise.reach):g}",
                 "each e^-ε times the last"))
    return rows
