"""What `verify` and `inspect` say of a release that somebody published."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.releases import PublishedRelease


def verify_release(file: Path, *, as_json: bool) -> None:
    """Prove what a document can prove; exits with 1 if it contradicts itself."""
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.releases import read_release

    with working("verifying"):
        found = read_release(file)
    deliver({**found.as_json(), "file": str(file)}, lambda screen: _judged(screen, found, file),
            as_json=as_json)
    if not found.holds:
        raise typer.Exit(1)


def inspect_release(file: Path, *, as_json: bool) -> None:
    """Show what a release says."""
    from tightrope.cli.report import deliver
    from tightrope.releases import read_release

    found = read_release(file)
    deliver({**found.content, "intact": found.intact},
            lambda screen: _told(screen, found), as_json=as_json)


def _judged(screen: Console, found: PublishedRelease, file: Path) -> None:
    from shlex import quote

    from tightrope.cli.report import facts, paragraph

    if not found.intact:
        screen.print("The document was changed after it was written: its digest does not fit.")
    if found.reason is not None:
        screen.print(f"The release contradicts itself: {found.reason}.")
    if found.holds:
        screen.print("Everything that a document can prove holds.")
    screen.print(facts([
        ("question", found.plan.title),
        ("level", found.plan.level),
        ("protects", found.plan.declaration.unit.shown),
        *(("proved", what) for what in found.checked),
        *(("only the holder", what) for what in found.only_holder),
    ]))
    if found.holds:
        paragraph(screen, "Next:", f"  python -m tightrope.receipt_theorems {quote(str(file))}"
                  "   (a stranger's check)")


def _told(screen: Console, found: PublishedRelease) -> None:
    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.results import answer_table
    from tightrope.releases import error_facts, legends

    entry = found.content["entry"]
    answer_table(screen, found.plan, found.answers)
    screen.print(facts([
        ("question", found.plan.title),
        ("dataset", found.plan.declaration.dataset),
        ("level", found.plan.level),
        ("mechanism", found.plan.mechanism),
        *error_facts(found.plan),
        ("protects", found.plan.declaration.unit.shown),
        ("entry", f"{entry['number']} of {entry['budget']}, {entry['time']}"),
        ("digest", "fits" if found.intact else "does not fit: the file was changed"),
    ]))
    paragraph(screen, *legends(found.plan), "Nothing is judged here; that is for `verify`.")
