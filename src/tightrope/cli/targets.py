"""The files that a command is asked to write.

Each is checked when it is named, before any work is done; without a path nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, ClassVar

from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.facts import Fact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.privacy import Certified
    from tightrope.releases import AnsweredPart, PlanRelease, Release
    from tightrope.utility import GenericSolution, Solution

DOCUMENTS = (".json", ".json.gz")
PICTURES = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Target:
    """A file to write, if one was asked for; one that exists only if `force`."""

    path: Path | None
    force: bool

    def __post_init__(self) -> None:
        from tightrope.files import refuse_existing

        if self.path is not None:
            refuse_existing(self.path, force=self.force)

    @property
    def name(self) -> str | None:
        """The file as it was asked for, None if none was."""
        return None if self.path is None else str(self.path)

    @property
    def fact(self) -> Fact:
        """The file as a fact of the answer."""
        key = "picture" if isinstance(self, PictureTarget) else "file"
        return Fact(key, key, self.name)

    def write(self, content: Callable[[], bytes]) -> None:
        """Write the content; it is made only if a file was asked for."""
        from tightrope.files import write_bytes

        if self.path is not None:
            write_bytes(self.path, content(), force=self.force)


@dataclass(frozen=True)
class FolderTarget:
    """The folder of a page to write, if one was asked for; it must be new."""

    path: Path | None
    extra: ClassVar[str] = "plot"

    def __post_init__(self) -> None:
        from tightrope.files import refuse_existing_folder

        if self.path is not None:
            require(self.extra, "a report")
            refuse_existing_folder(self.path)

    @property
    def fact(self) -> Fact:
        """The folder as a fact of the answer."""
        return Fact("report", "report", None if self.path is None else str(self.path))


class ReportTarget(FolderTarget):
    """The folder of a report of releases, with its workbook."""

    extra = "report"

    def rehearse(self, parts: Sequence[AnsweredPart]) -> None:
        """Compose tables and pictures of stand-in answers, if a report was asked for."""
        if self.path is not None:
            from tightrope.reports import rehearse_report

            rehearse_report(parts)

    def write(self, release: Release | PlanRelease) -> None:
        """Write the report of a release."""
        if self.path is not None:
            from tightrope.reports import report

            report(release, self.path)


def check_apart(*targets: Target) -> None:
    """Refuse two targets that are one file."""
    places = [os.path.realpath(target.path) for target in targets if target.path is not None]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise BadInput(f"{twice} is named twice; give each answer a file of its own.")


class DocumentTarget(Target):
    """A document of a mechanism to write."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name is not None and not self.name.lower().endswith(DOCUMENTS):
            raise BadInput(
                f"{self.path}: expected the name of a document, which ends in .json or .json.gz."
            )

    def keep(self, mechanism: Solution | GenericSolution | Certified) -> None:
        """Write a solution with its proof of optimality, or a certified mechanism alone."""
        from tightrope.files import save

        if self.path is not None:
            save(mechanism, self.path, force=self.force)

    @property
    def advice(self) -> tuple[str, ...]:
        """How to keep the mechanism, where nothing was written."""
        return () if self.path is not None else (
            "Nothing was written; add -o FILE to keep this mechanism.",)

    @property
    def next(self) -> tuple[str, ...]:
        """How to check the document, where one was written."""
        return () if self.name is None else (
            "Next:", f"  tightrope verify {quote(self.name)}",
            f"  python -m tightrope.receipt_theorems {quote(self.name)}   (a stranger's check)")


class PictureTarget(Target):
    """A picture to draw."""

    def __post_init__(self) -> None:
        if self.path is None:
            return
        if self.path.suffix.lower() not in PICTURES:
            raise BadInput("expected a picture named .svg, .png or .pdf, found "
                           f"{str(self.path)!r}.")
        require("plot", "a picture")
        super().__post_init__()

    def rehearse(self, figure: Callable[[], Figure]) -> None:
        """Draw a figure of the same kind without writing it, if one was asked for."""
        from tightrope.plots import picture

        if self.path is not None:
            picture(figure(), self.path.suffix.lower().lstrip("."))

    def draw(self, figure: Callable[[], Figure]) -> None:
        """Draw the figure in the format of the file; it is made only if one was asked for."""
        from tightrope.plots import picture

        if self.path is not None:
            kind = self.path.suffix.lower().lstrip(".")
            self.write(lambda: picture(figure(), kind))
