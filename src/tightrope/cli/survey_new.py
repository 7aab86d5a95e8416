"""`tightrope survey new`: the file of a survey, its empty store, and its links."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import Force, Json, value
from tightrope.cli.survey_plan import AskedDesign
from tightrope.errors import BadInput, SystemFailed

if TYPE_CHECKING:
    from tightrope.exact import Level
    from tightrope.surveys import Design, Study

SurveyFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file of the survey, named .json.")
]
_PANEL = "In the field"

Languages = Annotated[list[str] | None, value(
    "--language", "CODE|FILE", "A language of the pages: en or es, in which title and questions "
    "are written, or a file that `translate` drafted. May be repeated.", panel=_PANEL)]


@dataclass(frozen=True)
class AskedFielding:
    """An open link, the way back, the database of the answers, and languages."""

    open: Annotated[int, typer.Option(
        "--open", metavar="NUMBER", min=0, rich_help_panel=_PANEL, show_default=False,
        help="Also one open link, for so many answers: each answer sent costs ε anew, and "
        "nothing limits how many of them one person sends.")] = 0
    returns: Annotated[str | None, value(
        "--returns", "URL", "Where a button at the end leads, such as a panel: the same address "
        "for everybody, with nothing of the answers.", panel=_PANEL)] = None
    store: Annotated[str | None, value(
        "--store", "URL", "A PostgreSQL database that keeps the answers, instead of a file; its "
        "log shows what came when.", panel=_PANEL)] = None
    language: Languages = None

    def given(self) -> dict[str, Any]:
        """The parameters of `create_survey`."""
        return {"open": self.open, "returns": self.returns, "store": self.store,
                "languages": self.language or ("en",)}


def new(
    file: SurveyFile,
    question: Annotated[list[str] | None, value(
        "--question", "TEXT", "A question; “text | never/once/often” gives it answers of its own, "
        "the harmless one first. The level is that of each.")] = None,
    study: Annotated[Path | None, value(
        "--study", "FILE", "The whole survey in a .toml or .json file: questions of every kind, "
        "and one total level, which options give if the file does not.")] = None,
    *,
    asked: AskedLevel,
    own: AskedDesign,
    design: Annotated[str | None, value(
        "--design", "NAME", "Where every question has two answers: a name that `plan` lists, or "
        "best (with δ above 0, a response may then prove the true answer). Without it, warner. "
        "With more answers: k-ary, or best, for what --aim says.")] = None,
    title: Annotated[str | None, value(
        "--title", "TEXT", "Of the page; Survey if not given.")] = None,
    about: Annotated[str | None, value("--about", "TEXT", "Who asks, and why.")] = None,
    links: Annotated[list[str] | None, value(
        "--links", "NUMBER|GROUP=NUMBER", "Links to make, 100 if not given (none beside --open); "
        "each works once. May be repeated for groups, which are stored in clear.")] = None,
    fielding: AskedFielding,
    url: Annotated[str, value(
        "--url", "URL", "Where the survey will be served.",
        default=True)] = "http://127.0.0.1:8000",
    books: AskedBooking,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a survey: its file with the proofs, its store, and links for respondents.

    Example: tightrope survey new s.json --question "Ever stolen?" --ratio 3 --links 500

    Example: tightrope survey new s.json --study study.toml
    """
    from tightrope import surveys
    from tightrope.cli.output import PipeClosed, tell

    stated, level = _study(question or [], study, asked, own, design)
    with books.account() as account:
        made = surveys.create_survey(
            file, stated, level, links=_counts(links or []), title=title, about=about, url=url,
            force=force, account=account, **fielding.given(),
        )
    try:
        tell(made.facts(), as_json=as_json)
    except (OSError, PipeClosed):
        made.remove()
        raise SystemFailed(
            "the owner's token could not be shown, and it is kept nowhere: the new survey was "
            "taken back; make it again."
        ) from None


def _study(
    questions: list[str], study: Path | None, asked: AskedLevel, own: AskedDesign,
    design: str | None,
) -> tuple[Study | list[tuple[str, Design]], Level | None]:
    """The study of a file, or questions with their designs; and the level that options state."""
    from tightrope import surveys

    if (study is None) != bool(questions):
        raise BadInput('state the questions once: --question "Ever stolen?", or --study FILE.')
    if study is None:
        level = asked.level() if own.matrix is None else asked.if_any()
        return [_question(text, level, own, design) for text in questions], level
    if design or any((own.answers, own.matrix, own.prevalence, own.aim)):
        raise BadInput("--study states answers and designs itself: leave --aim, --answers, "
                       "--design, --matrix and --prevalence out.")
    return surveys.read_study(study), asked.if_any()


def _question(
    text: str, level: Level | None, own: AskedDesign, name: str | None
) -> tuple[str, Design]:
    """The words of a question and its design."""
    from tightrope import surveys

    before, bar, after = text.rpartition("|")
    words, answers = (before, after) if bar else (text, own.answers)
    if own.matrix is not None and (name or own.prevalence or own.aim):
        raise BadInput("--matrix is a design of its own: leave --design, --prevalence and --aim "
                       "out.")
    if own.aim is not None and name != "best":
        raise BadInput("--aim chooses the best design: give --design best beside it.")
    if own.prevalence is not None and name != "best":
        raise BadInput("--prevalence chooses the best design: give --design best beside it.")
    given = own.design(answers)
    if given is not None:
        return words.strip(), given
    assert level is not None
    names = ("no", "yes") if answers is None else surveys.answer_names(answers)
    if len(names) > 2 and name not in (None, "k-ary", "best"):
        raise BadInput(
            f"--design {name} is for two answers, and “{words.strip()}” has {len(names)}, "
            "which k-ary randomizes: leave --design out, or ask it in a survey of its own."
        )
    aim = None if own.aim is None else surveys.aim_of(own.aim)
    return words.strip(), surveys.design_at(names, level, name, prevalence=own.shares(), aim=aim)


def _counts(texts: list[str]) -> dict[str, int] | int | None:
    """How many links, or how many for each group; None if no option states it."""
    if not texts:
        return None
    counts: dict[str, int] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        good = number.isascii() and number.isdecimal() and len(number) <= 9
        if not good or name in counts or (not name and (equals or len(texts) > 1)):
            raise BadInput("expected --links as a number, or as GROUP=NUMBER for each group once, "
                           f"found {text!r}.")
        counts[name] = int(number)
    return counts.get("", counts)
