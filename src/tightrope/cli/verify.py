"""`tightrope verify`: proves or refutes a privacy level, and names the witness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import (
    Force,
    Json,
    Normalize,
    PlotFile,
    SpaceOption,
    value,
)
from tightrope.errors import BadInput, Infeasible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.cli.targets import PictureTarget
    from tightrope.documents import Review
    from tightrope.files import Subject
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.privacy import GenericVerdict, RenyiVerdict


def verify(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="A document of a mechanism or a release, a survey, the "
                       "folder of a report, or a bare matrix (.csv, .tsv, .parquet, .npy, .json)."),
    ],
    space: SpaceOption = None,
    normalize: Normalize = False,
    *,
    asked: AskedLevel,
    definition: Annotated[
        str | None,
        value("--definition", "FILE", "Instead of a level: a .toml or .json file with a bound for "
              "each protected pair, FILE.py:NAME, a function q(a, b) or one of the whole matrix, "
              "or renyi:alpha=2,epsilon=0.1 or zcdp:rho=0.05.", panel="Privacy"),
    ] = None,
    ledger: Annotated[
        str | None,
        value("--ledger", "URL", "The ledger, or its export, that must hold a report's entries.",
              panel="A report"),
    ] = None,
    key: Annotated[
        Path | None,
        value("--key", "FILE", "The key of the ledger.", panel="A report"),
    ] = None,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Prove or refute the level of a mechanism, exactly.

    A document is judged by its own claim, unless a level is given. A bare matrix without a level is
    judged by whether it is private at any finite level. A document that claims to be optimal is
    judged by that claim too. Exits with 1 if the answer is no, or if the document was changed after
    it was written. With --definition it is judged by that definition alone (exit 3 if a Rényi level
    is too close to be decided). --plot then draws the bound and the events of the pair that comes
    nearest to it. Of a release, mechanism, level, answers and entry are held against each other;
    what only the holder of the data can know is named. Of the folder of a report, every document
    and every value in its tables is checked. Of a survey, every design, and the fingerprint of its
    page's code is printed.

    Example: tightrope verify m.json
    """
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.published import (
        verify_folder,
        verify_own_definition,
        verify_release,
        verify_survey_file,
    )
    from tightrope.cli.targets import PictureTarget
    from tightrope.documents import review
    from tightrope.facts import data
    from tightrope.files import is_definition, is_survey, read_subject
    from tightrope.releases import is_release

    level = asked.if_any()
    if file.name in ("index.html", "report.md", "tables.xlsx") and file.is_file():
        raise BadInput("a report is judged whole: give its folder, `tightrope verify "
                       f"{file.parent}`.")
    if file.is_dir():
        if level is not None or definition is not None or space is not None:
            raise BadInput("a report is judged by its documents; give no space, level or "
                           "definition.")
        verify_folder(file, ledger, key, as_json=as_json)
        return
    if ledger is not None or key is not None:
        if not file.exists():
            raise BadInput(f"there is no folder {file}.", path=str(file))
        raise BadInput("--ledger and --key go with the folder of a report; for one release type "
                       "`tightrope ledger verify URL --release FILE`.")
    if space is None and is_release(file):
        if level is not None or definition is not None:
            raise BadInput("a release is judged by its own entry; give no level or definition.")
        verify_release(file, as_json=as_json)
        return
    if level is None and definition is None and plot is None and is_definition(file):
        verify_own_definition(file, as_json=as_json)
        return
    if space is None and is_survey(file):
        if level is not None or definition is not None or plot is not None:
            raise BadInput("a survey is judged by its own claims; give no level, definition or "
                           "plot.")
        verify_survey_file(file, as_json=as_json)
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
        verdict = review(subject.given, level)
    tell(verdict.facts().also(row_fact(subject.row_error), *data(file=str(file)),
                            sentences=_next(verdict, file, space)), as_json=as_json)
    if not verdict.holds or verdict.intact is False:
        raise typer.Exit(1)


def _by_definition(
    subject: Subject, file: Path, definition: str, picture: PictureTarget, *, as_json: bool
) -> None:
    """Judge a mechanism by a definition from a file."""
    from tightrope.cli.doubles import note_on_doubles, row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import Facts, data
    from tightrope.mechanisms import finite

    with working("verifying"):
        mechanism = finite(subject.mechanism)
        verdict = _judge(mechanism, definition)
    picture.draw(lambda: _figure(mechanism, definition, file))
    holds = _holds(verdict)
    note = None if holds is not False else note_on_doubles(
        lambda m: bool(_holds(_judge(m, definition))), mechanism)
    facts = verdict.facts() if not isinstance(verdict, bool) else Facts(
        "Verdict", f"The function says {'yes' if holds else 'no'} to the exact rows.",
        data(holds=holds))
    tell(facts.also(row_fact(subject.row_error), picture.fact,
                    *data(file=str(file), definition=definition, doubles=note),
                    sentences=[note] if note else []), as_json=as_json)
    if not holds:
        raise typer.Exit(3 if holds is None else 1)


def _figure(mechanism: FiniteMechanism, definition: str, file: Path) -> Figure:
    from tightrope.files import read_definition
    from tightrope.plots import definition_figure
    from tightrope.privacy import named_definition

    if named_definition(definition) is not None:
        raise Infeasible("a Rényi level has no bound on events to draw; `inspect --orders` lists "
                         "divergences.")
    if ".py:" in definition:
        raise Infeasible("a function has no bound to draw here; "
                         "`tightrope theory axioms --plot` has.")
    asked = read_definition(definition, mechanism.space)
    return definition_figure(mechanism, asked, f"{file.name} against {Path(definition).name}")


def _holds(verdict: GenericVerdict | RenyiVerdict | bool) -> bool | None:
    return verdict if isinstance(verdict, bool) else verdict.holds


def _judge(mechanism: FiniteMechanism, definition: str) -> GenericVerdict | RenyiVerdict | bool:
    """By its name, by bounds, by a predicate on every event, or by a function of the matrix."""
    from tightrope.files import read_definition, read_predicate
    from tightrope.privacy import (
        keeps,
        named_definition,
        takes_matrix,
        verify_events,
        verify_generic,
        verify_renyi,
    )
    from tightrope.spaces import Relation

    named = named_definition(definition)
    if named is not None:
        return verify_renyi(mechanism, named)
    if ".py:" not in definition:
        return verify_generic(mechanism, read_definition(definition, mechanism.space))
    asked = read_predicate(definition)
    if takes_matrix(asked):
        return keeps(mechanism, asked)
    return verify_events(mechanism, asked, Relation.on(mechanism.space))


def _next(review: Review, file: Path, space: str | None) -> list[str]:
    """The command that a reader of the verdict runs next."""
    from shlex import quote

    from tightrope.documents import checker

    if review.refutation is None and review.claim is not None and not review.asked:
        own = f"  python -m tightrope.{checker(review.mechanism)} {quote(str(file))}"
        return ["Next:", f"{own}   (a stranger's check)"]
    if review.refutation is not None and review.claim is None and space is not None:
        repair = f"  tightrope certify {quote(str(file))} --space {quote(space)}"
        return ["Next:", f"{repair} --epsilon … -o FILE   (repairs and proves)"]
    return []
