"""`tightrope survey new`: the file of a survey, its empty store, and its links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.booking import AskedBooking
from tightrope.cli.options import Force, Json, value
from tightrope.cli.survey_plan import AskedDesign
from tightrope.errors import BadInput, SystemFailed

if TYPE_CHECKING:
    from tightrope.exact import Level
    from tightrope.surveys import Design

SurveyFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file of the survey, named .json.")
]


def new(
    file: SurveyFile,
    question: Annotated[list[str], value(
        "--question", "TEXT", "A question; “text | never/once/often” gives it answers of its own, "
        "the harmless one first.")],
    *,
    asked: AskedLevel,
    own: AskedDesign,
    design: Annotated[str | None, value(
        "--design", "NAME", "Where every question has two answers: a name that `plan` lists, or "
        "best (with δ above 0, a response may then prove the true answer). Without it, warner; "
        "with more than two answers, k-ary.")] = None,
    title: Annotated[str, value("--title", "TEXT", "Of the page.", default=True)] = "Survey",
    about: Annotated[str, value("--about", "TEXT", "Who asks, and why.", default=True)] = "",
    links: Annotated[list[str] | None, value(
        "--links", "NUMBER|GROUP=NUMBER", "Links to make, 100 if not given; each works once. May "
        "be repeated for groups, which are stored in clear.")] = None,
    url: Annotated[str, value(
        "--url", "URL", "Where the survey will be served.",
        default=True)] = "http://127.0.0.1:8000",
    books: AskedBooking,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a survey: its file with the proofs, its store, and links for respondents.

    Example: tightrope survey new s.json --question "Ever stolen?" --ratio 3 --links 500
    """
    from tightrope import surveys
    from tightrope.cli.output import PipeClosed, tell

    level = asked.level() if own.matrix is None else asked.if_any()
    with books.account() as account:
        made = surveys.create_survey(
            file, [_question(text, level, own, design) for text in question], level,
            links=_counts(links or []), title=title, about=about, url=url, force=force,
            account=account,
        )
    try:
        tell(made.facts(), as_json=as_json)
    except (OSError, PipeClosed):
        made.remove()
        raise SystemFailed(
            "the owner's token could not be shown, and it is kept nowhere: the new survey was "
            "taken back; make it again."
        ) from None


def _question(
    text: str, level: Level | None, own: AskedDesign, name: str | None
) -> tuple[str, Design]:
    """The words of a question and its design."""
    from tightrope import surveys

    before, bar, after = text.rpartition("|")
    words, answers = (before, after) if bar else (text, own.answers)
    if own.matrix is not None and (name or own.prevalence):
        raise BadInput("--matrix is a design of its own: leave --design and --prevalence out.")
    if own.prevalence is not None and name != "best":
        raise BadInput("--prevalence chooses the best design: give --design best beside it.")
    given = own.design(answers)
    if given is not None:
        return words.strip(), given
    assert level is not None
    names = ("no", "yes") if answers is None else surveys.answer_names(answers)
    if len(names) > 2 and name not in (None, "k-ary"):
        raise BadInput(
            f"--design {name} is for two answers, and “{words.strip()}” has {len(names)}, "
            "which k-ary randomizes: leave --design out, or ask it in a survey of its own."
        )
    return words.strip(), surveys.design_at(names, level, name, prevalence=own.prevalence)


def _counts(texts: list[str]) -> dict[str, int] | int:
    """How many links, or how many for each group."""
    if not texts:
        return 100
    counts: dict[str, int] = {}
    for text in texts:
        name, equals, number = text.rpartition("=")
        good = number.isascii() and number.isdecimal() and len(number) <= 9
        if not good or name in counts or (not name and (equals or len(texts) > 1)):
            raise BadInput("expected --links as a number, or as GROUP=NUMBER for each group once, "
                           f"found {text!r}.")
        counts[name] = int(number)
    return counts.get("", counts)
