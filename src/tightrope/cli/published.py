"""`verify` and `inspect` of a release that somebody published."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

import typer


def verify_release(file: Path, *, as_json: bool) -> None:
    """Prove what a document can prove; exits with 1 if it contradicts itself."""
    from tightrope.cli.progress import working
    from tightrope.cli.report import tell
    from tightrope.facts import data
    from tightrope.releases import read_release

    with working("verifying"):
        published = read_release(file)
    check = ("Next:", f"  python -m tightrope.receipt_theorems {quote(str(file))}"
             "   (a stranger's check)")
    tell(published.facts().also(*data(file=str(file)), sentences=check if published.holds else ()),
         as_json=as_json)
    if not published.holds:
        raise typer.Exit(1)


def inspect_release(file: Path, *, as_json: bool) -> None:
    """Show what a release says."""
    from tightrope.cli.report import tell
    from tightrope.releases import content_facts, read_release

    tell(content_facts(read_release(file)), as_json=as_json)
