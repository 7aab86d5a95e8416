"""`tightrope survey new`: the file of a survey, its empty store, and its links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json
from tightrope.cli.survey_plan import NO_YES, AskedDesign, answer_names
from tightrope.errors import BadInput, SystemFailed

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.applications.surveys import Design
    from tightrope.exact import Level

MOST_LINKS = 10_000_000

SurveyFile = Annotated[
    Path, typer.Argument(metavar="FILE", help="The file of the survey, named .json.")
]


def new(
    file: SurveyFile,
    question: Annotated[
        list[str],
        typer.Option(
            "--question",
            metavar="TEXT",
            help="A question; “text | never/once/often” gives it answers of its own, the harmless "
            "one first.",
        ),
    ],
    *,
    asked: AskedLevel,
    own: AskedDesign,
    design: Annotated[
        str | None,
        typer.Option(
            "--design",
            metavar="NAME",
            help="Where every question has two answers: a name that `plan` lists, or best (with "
            "δ above 0, a response may then prove the true answer). Without it, warner; with more "
            "than two answers, k-ary.",
            show_default=False,
        ),
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Of the page.")] = "Survey",
    about: Annotated[
        str, typer.Option("--about", metavar="TEXT", help="Who asks, and why.")
    ] = "",
    links: Annotated[
        int, typer.Option("--links", metavar="NUMBER", help="Links to make; each works once.")
    ] = 100,
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME=NUMBER",
            help="Links for a group, instead of --links; the group is stored in clear.",
        ),
    ] = None,
    url: Annotated[
        str, typer.Option("--url", metavar="URL", help="Where the survey will be served.")
    ] = "http://127.0.0.1:8000",
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Make a survey: its file with the proofs, its store, and links for respondents.

    Example: tightrope survey new s.json --question "Ever stolen?" --ratio 3 --links 500
    """
    from tightrope.applications import surveys
    from tightrope.cli.report import PipeClosed, deliver
    from tightrope.cli.wording import level_json
    from tightrope.data import NewSurvey, refuse_existing, remove_files, write_survey
    from tightrope.samplers import token
    from tightrope.web import code_asset

    counts = _counts(links, group)
    level = asked.level() if own.matrix is None else asked.if_any()
    address = _address(url)
    if file.suffix.lower() != ".json":
        raise BadInput(f"expected a file named .json, found {file}.")
    store, listed = surveys.store_path(file), file.with_suffix(".links.csv")
    for path in (file, store, listed):
        refuse_existing(path, force=force)
    questions = [_asked(text, level, own, design) for text in question]
    made = surveys.survey_of(
        title,
        [(text, chosen, surveys.prove(chosen, level)) for text, chosen in questions],
        about=about,
        groups=tuple(counts),
    )
    total, owner = made.total, token()
    answer = {
        "file": str(file),
        "store": str(store),
        "links": str(listed),
        "owner": owner,
        "code_sha256": code_asset(surveys.page_code(made)).sha256,
        "questions": [
            {
                "key": q.key,
                "text": q.text,
                "answers": list(q.design.answers),
                "sensitive": list(q.sensitive),
                "design": q.design_name,
                **level_json(q.level),
            }
            for q in made.questions
        ],
        "epsilon_total": float(total),
        "delta_total": float(total.delta),
        "digest": made.digest,
    }
    promise = surveys.total_promise(made)
    tokens = {token(): name for name, count in counts.items() for _ in range(count)}
    new = NewSurvey(surveys.survey_bytes(made), made.digest, owner, tokens, address)
    write_survey(file, store, listed, new, force=force)  # last: whatever fails, fails before
    try:
        deliver(answer, lambda screen: _show(screen, answer, promise), as_json=as_json)
    except (OSError, PipeClosed):
        remove_files([file, store, listed])
        raise SystemFailed(
            "the owner's token could not be shown, and it is kept nowhere: the new survey was "
            "taken back; make it again."
        ) from None


def _asked(
    text: str, level: Level | None, own: AskedDesign, name: str | None
) -> tuple[str, Design]:
    """The words of a question and its design."""
    from tightrope.applications import surveys

    before, bar, after = text.rpartition("|")
    words, answers = (before, after) if bar else (text, own.answers)
    if own.matrix is not None and (name or own.prevalence):
        raise BadInput("--matrix is a design of its own: leave --design and --prevalence out.")
    if own.prevalence is not None and name != "best":
        raise BadInput("--prevalence chooses the best design: give --design best beside it.")
    given = own.own(answers)
    if given is not None:
        return words.strip(), given
    assert level is not None
    names = answer_names(answers or NO_YES)
    if len(names) > 2:
        if name not in (None, "k-ary"):
            raise BadInput(
                f"--design {name} is for two answers, and “{words.strip()}” has {len(names)}, "
                "which k-ary randomizes: leave --design out, or ask it in a survey of its own."
            )
        (chosen,) = surveys.designs_at(level, answers=names)
        return words.strip(), chosen.asking(names, names[1:])
    if name == "best":
        chosen = surveys.best_binary(level, own.prevalence).design.asking(names)
    else:
        found = {one.name: one for one in reversed(surveys.designs_at(level, answers=names))}
        wanted = name or "warner"
        if wanted not in found:
            listed = [one for one in reversed(found) if one not in surveys.TWO_QUESTIONS]
            raise BadInput(
                f"there is no design {wanted!r} at this level; expected best or one of "
                f"{', '.join(map(repr, listed))}."
            )
        chosen = found[wanted]
    return words.strip(), chosen


def _address(url: str) -> str:
    """The address that links start with: http or https, a host, at most a path."""
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or set(url) & set("?#\\\"<>") or not url.isprintable() or " " in url:
        raise BadInput(
            f"expected a --url that starts with https:// or http://, names a host and has no "
            f"spaces, ? or #, found {url!r}."
        )
    return url.rstrip("/")


def _counts(links: int, groups: list[str] | None) -> dict[str, int]:
    counts: dict[str, int] = {}
    for text in groups or [f"all={max(links, 0)}"]:
        name, _, number = text.rpartition("=")
        good = number.isascii() and number.isdecimal() and len(number) <= 9
        if not name or not good or name in counts:
            raise BadInput(f"expected a group as NAME=NUMBER, each once, found {text!r}.")
        counts[name] = int(number)
    if not 1 <= sum(counts.values()) <= MOST_LINKS:
        raise BadInput(f"expected from 1 to {MOST_LINKS:,} links.")
    return counts


def _question_line(one: dict[str, Any]) -> str:
    harmless = [name for name in one["answers"] if name not in one["sensitive"]]
    return (
        f"{one['key']}, {one['design']}: {', '.join(harmless) or 'none'} harmless; "
        f"{', '.join(one['sensitive'])} sensitive"
    )


def _show(screen: Console, answer: dict[str, Any], promise: str) -> None:
    from shlex import quote

    from tightrope.cli.report import facts, paragraph

    rows: list[tuple[str, object]] = [
        ("survey", answer["file"]),
        ("answers", f"{answer['store']} (empty)"),
        ("links", f"{answer['links']}: send each to one person, and delete the file"),
        ("owner's token", f"{answer['owner']} (shown only now)"),
        ("page's code", f"SHA-256 {answer['code_sha256']}"),
        ("questions", [_question_line(one) for one in answer["questions"]]),
    ]
    screen.print(facts(rows))
    paragraph(screen, promise)
    paragraph(screen, "Next:", f"  tightrope survey serve {quote(answer['file'])}")
