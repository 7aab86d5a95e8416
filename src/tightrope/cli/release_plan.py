"""`tightrope release --plan`: several questions out of one total, for one charge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tightrope.cli.release import Charged


def release_plan(
    data: str,
    file: Path,
    declaration: Path,
    charged: Charged,
    *,
    table: str | None,
    assume_rows: int | None,
    plot: Path | None,
    force: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Answer the questions of a plan file, or show how they would share the total."""
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.targets import DocumentTarget, PictureTarget, ReportTarget
    from tightrope.facts import Fact
    from tightrope.files import document_bytes
    from tightrope.releases import chance_figure, open_books, plan

    target, page = DocumentTarget(charged.output, force), ReportTarget(charged.report)
    picture = PictureTarget(plot, force)
    if not dry_run:
        charged.check()
    if dry_run:
        charged.check_dry()
        with working("splitting the total"):
            made = plan(file, declaration, assume_rows=assume_rows)
        left = charged.left(made.level)
        after = f"; {left} would be left" if left else ""
        picture.draw(lambda: chance_figure(made.plans))
        tell(made.facts().also(
            Fact("remaining", None, left), picture.fact,
            sentences=[f"Nothing was read and nothing was spent{after}."]), as_json=as_json)
        return
    books = open_books(data, declaration, ledger=charged.ledger, budget=charged.budget,
                       table=table, key=charged.key, asker=charged.asker)
    with working("answering the questions"):
        answer = books.release_plan(file, assume_rows=assume_rows, unbooked=charged.unbooked,
                                    rehearsal=lambda _, parts: page.rehearse(parts))
    try:  # what was paid for is shown even if it cannot be written, and the other way round
        tell(answer.facts().also(target.fact, page.fact), as_json=as_json)
    finally:
        target.write(lambda: document_bytes(answer, target.name or ""))
        page.write(answer)
