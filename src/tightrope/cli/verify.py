"""`tightrope verify`: proves or refutes a privacy level, and names the witness."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    Normalize,
    PlotFile,
    SpaceOption,
)
from tightrope.errors import BadInput, Infeasible

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.cli.targets import PictureTarget
    from tightrope.documents import Optimality, Review
    from tightrope.files import Subject
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.privacy import GenericVerdict


def verify(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    definition: Annotated[
        str | None,
        typer.Option(
            "--definition",
            metavar="FILE",
            help="Instead of a level: a .toml or .json file with a bound for each protected pair, "
            "or FILE.py:NAME, a function q(a, b) or one of the whole matrix.",
            rich_help_panel="Privacy",
            show_default=False,
        ),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Prove or refute the level of a mechanism, exactly.

    A document is judged by its own claim, unless a level is given. A bare
    matrix without a level is judged by whether it is private at any finite
    level. A document that claims to be optimal is judged by that claim too.
    Exits with 1 if the answer is no, or if the document was changed after it
    was written. With --definition it is judged by that definition alone, and --plot draws
    the bound of the pair that comes nearest to it, and that pair's events. Of a
    release, mechanism, level, answers and entry are held against each other;
    what no document can prove is named, and the exit code is 3.

    Example: tightrope verify m.json
    """
    from tightrope.cli.progress import working
    from tightrope.cli.published import verify_release
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.documents import review
    from tightrope.files import read_subject
    from tightrope.releases import is_release

    level = asked.if_any()
    if space is None and is_release(file):
        if level is not None or definition is not None:
            raise BadInput("a release is judged by its own entry; give no level or definition.")
        verify_release(file, as_json=as_json)
        return
    if definition is not None:
        if level is not None:
            raise BadInput("give a level or --definition, not both.")
        subject = read_subject(file, space, normalize=normalize)
        _by_definition(subject, file, definition, PictureTarget(plot, force), as_json=as_json)
        return
    if plot is not None:
        raise BadInput("--plot goes with --definition; `inspect --plot` draws mechanisms.")
    with working("verifying"):
        subject = read_subject(file, space, normalize=normalize)
        found = review(subject.given, level)
    answer = {**found.as_json(), "row_error": subject.row_error, "file": str(file)}

    def show(screen: Console) -> None:
        _show(screen, found, subject.row_error)
        _next(screen, found, file, space)

    deliver(answer, show, as_json=as_json)
    if not found.holds or found.intact is False:
        raise typer.Exit(1)


def _by_definition(
    subject: Subject, file: Path, definition: str, picture: PictureTarget, *, as_json: bool
) -> None:
    """Judge a mechanism by a definition from a file."""
    from tightrope.cli.doubles import note_on_doubles
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver, paragraph
    from tightrope.mechanisms import finite

    with working("verifying"):
        mechanism = finite(subject.mechanism)
        found = _judged(mechanism, definition)
    picture.draw(lambda: _figure(mechanism, definition, file))
    held = _holds(found)
    said = {"holds": held} if isinstance(found, bool) else found.facts().json
    note = None if held else note_on_doubles(lambda m: _holds(_judged(m, definition)), mechanism)
    answer = {
        **said, "row_error": subject.row_error, "file": str(file), "definition": definition,
        "picture": picture.name, "doubles": note,
    }

    def show(screen: Console) -> None:
        if isinstance(found, bool):
            screen.print(f"The function says {'yes' if held else 'no'} to the exact rows.")
        else:
            _show_generic(screen, found, subject.row_error, picture.name)
        if note is not None:
            paragraph(screen, note)

    deliver(answer, show, as_json=as_json)
    if not held:
        raise typer.Exit(1)


def _figure(mechanism: FiniteMechanism, definition: str, file: Path) -> Figure:
    from tightrope.files import read_definition
    from tightrope.plots import definition_figure

    if ".py:" in definition:
        raise Infeasible("a function has no bound to draw here; "
                         "`tightrope theory axioms --plot` has.")
    asked = read_definition(definition, mechanism.space)
    return definition_figure(mechanism, asked, f"{file.name} against {Path(definition).name}")


def _holds(found: GenericVerdict | bool) -> bool:
    return found if isinstance(found, bool) else found.holds


def _judged(mechanism: FiniteMechanism, definition: str) -> GenericVerdict | bool:
    """By bounds, by a predicate on every event, or by a function of the whole matrix."""
    from tightrope.files import read_definition, read_predicate
    from tightrope.privacy import keeps, takes_matrix, verify_events, verify_generic
    from tightrope.spaces import Relation

    if ".py:" not in definition:
        return verify_generic(mechanism, read_definition(definition, mechanism.space))
    asked = read_predicate(definition)
    if takes_matrix(asked):
        return keeps(mechanism, asked)
    return verify_events(mechanism, asked, Relation.on(mechanism.space))


def _show_generic(
    screen: Console, found: GenericVerdict, row_error: float | None, picture: str | None
) -> None:
    from tightrope.characters import few, label_text
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import row_totals

    relation, broken = found.relation, found.broken
    way = "each protected both ways" if relation.symmetric else "directed"
    witness = None
    if broken is not None:
        a, b = broken.probabilities
        witness = [
            f"input {label_text(broken.first)} against {label_text(broken.second)}: an output in "
            f"{{{few(broken.outputs, len(broken.outputs))}}} has probability {a} and {b};",
            "the function says no" if broken.allowed is None else
            f"allowed is {'at most' if broken.allowed < b else 'less than'} "
            f"{float(broken.allowed):.12g} ({broken.bound})",
        ]
    rows: list[tuple[str, object]] = [
        ("proved" if found.holds else "refuted", "every protected pair keeps its bound"),
        ("witness", witness),
        ("pairs", f"{len(relation):,} ordered pairs, {way}"),
        ("events", f"{found.events:,} compared exactly; they decide for all events"),
        ("row totals", row_totals(row_error)),
        ("picture", picture),
    ]
    screen.print(facts(rows))
    parts = len(relation.components)
    if found.holds and parts > 1:
        paragraph(
            screen,
            f"The relation has {parts:,} components: which of them an input lies in is NOT "
            "protected at all.",
        )


def _show(screen: Console, found: Review, row_error: float | None) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import row_totals, space_text
    from tightrope.privacy import promise, protection
    from tightrope.spaces import distances_text

    certificate, refutation, level = found.certificate, found.refutation, found.level
    space = found.mechanism.space
    if found.intact is False:
        screen.print("The document was changed after it was written: its digest does not fit.")
        screen.print()
    question = f"private at {'some finite level' if level is None else level}"
    rows: list[tuple[str, object]] = [
        ("proved" if refutation is None else "refuted",
         question + ("" if found.asked or found.claim is None else ", as claimed")),
        ("smallest level" if level is None or level.delta == 0 else "level at δ = 0",
         _least(found)),
        ("witness", None if refutation is None else refutation.reason),
        ("proof", None if certificate is None
         else f"{certificate.evidence.value}: {certificate.statement}"),
        ("comparisons", None if certificate is None else f"{certificate.checked:,}"),
        ("loss", None if found.optimality is None else _best(found.optimality, found.optimal)),
        ("space", space_text(space.text)),
        ("distances", distances_text(space)),
        ("digest", None if found.intact is None else
         "fits" if found.intact else "does not fit"),
        ("row totals", row_totals(row_error)),
    ]
    screen.print(facts(rows))
    if refutation is None and level is not None:
        paragraph(screen, promise(level, space), protection(found.mechanism, level))


def _next(screen: Console, found: Review, file: Path, space: str | None) -> None:
    from shlex import quote

    from tightrope.cli.report import paragraph
    from tightrope.documents import checker

    if found.refutation is None and found.claim is not None and not found.asked:
        own = f"  python -m tightrope.{checker(found.mechanism)} {quote(str(file))}"
        paragraph(screen, "Next:", f"{own}   (a stranger's check)")
    elif found.refutation is not None and found.claim is None and space is not None:
        repair = f"  tightrope certify {quote(str(file))} --space {quote(space)}"
        paragraph(screen, "Next:", f"{repair} --epsilon … -o FILE   (repairs and proves)")


def _least(found: Review) -> str:
    """The smallest level in words; that there is none, or why it is not known."""
    from tightrope.privacy import smallest_text

    if found.smallest is not None:
        return smallest_text(found.smallest, found.level)
    return "none is finite" if found.unknown is None else f"not known: {found.unknown}"


def _best(claim: Optimality, holds: bool | None) -> str:
    """What was proved, or not, about the loss."""
    from tightrope.cli.wording import number

    prior = "uniform" if claim.prior.weights is None else "given"
    what = f"{claim.goal.value} {claim.loss.name} loss, {prior} prior"
    said = f"at most {number(claim.value)}, and no mechanism's is below {number(claim.bound)}"
    if holds is None:
        return f"{what}: claimed to be {said}; not judged"
    if not holds:
        return f"{what}: the claim that it is {said} is NOT supported by its proof"
    gap = f" (gap {claim.gap:.1e})" if claim.gap and isfinite(claim.gap) else ""
    return f"{what}: {said}, proved{gap}"
