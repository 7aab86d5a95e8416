"""The options that say how a survey reaches people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from tightrope.cli.options import value

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
