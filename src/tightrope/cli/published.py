"""`verify` and `inspect` of documents that are no mechanism: releases, surveys, definitions."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import typer

from tightrope.errors import BadInput

if TYPE_CHECKING:
    from tightrope.releases import PublishedPlan, PublishedRelease

    Published = PublishedPlan | PublishedRelease


def verify_release(file: Path, *, as_json: bool) -> None:
    """Prove what a document can prove; exits with 1 if it contradicts itself."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import data
    from tightrope.releases import is_plan, read_plan, read_release

    with working("verifying"):
        published: Published = read_plan(file) if is_plan(file) else read_release(file)
    check = ("Next:", f"  python -m tightrope.receipt_theorems {quote(str(file))}"
             "   (a stranger's check)")
    tell(published.facts().also(*data(file=str(file)), sentences=check if published.holds else ()),
         as_json=as_json)
    if not published.holds:
        raise typer.Exit(1)


def verify_own_definition(file: Path, *, as_json: bool) -> None:
    """Judge a design under a definition; exits with 1 if it was changed or claims too much."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import data
    from tightrope.files import verify_definition

    with working("verifying"):
        verdict = verify_definition(file)
    good = verdict.holds and verdict.intact
    check = ("Next:", f"  python -m tightrope.receipt {quote(str(file))}   (a stranger's check)")
    tell(verdict.facts().also(*data(file=str(file)), sentences=check if good else ()),
         as_json=as_json)
    if not good:
        raise typer.Exit(1)


def verify_survey_file(file: Path, *, as_json: bool) -> None:
    """Prove every claim of a survey's file; exits with 1 if one does not hold."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import data
    from tightrope.surveys import verify_survey

    with working("verifying"):
        verdict = verify_survey(file)
    tell(verdict.facts().also(*data(file=str(file))), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(1)


def verify_folder(folder: Path, ledger: str | None, key: Path | None, *, as_json: bool) -> None:
    """Check a report; exits with 1 if a document, an entry or a value in a table does not hold."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.reports import verify_report

    if ledger is None and key is not None:
        raise BadInput("--key is the key of a ledger; name --ledger, too.")
    with working("verifying"):
        verdict = verify_report(folder, ledger=ledger, key=key)
    tell(verdict.facts(), as_json=as_json)
    if not verdict.holds:
        raise typer.Exit(1)


def inspect_release(file: Path, *, as_json: bool) -> None:
    """Show what a release or a plan says."""
    from tightrope.cli.output import tell
    from tightrope.releases import (
        content_facts,
        is_plan,
        plan_content_facts,
        read_plan,
        read_release,
    )

    tell(plan_content_facts(read_plan(file)) if is_plan(file) else
         content_facts(read_release(file)), as_json=as_json)
