"""The files of links: a table, a folder of QR codes, a sheet of cards; all are written, or none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.files import (
    making_folder,
    refuse_existing,
    refuse_existing_folder,
    replacing_all,
)
from tightrope.surveys.new_store import link_columns
from tightrope.surveys.respondent_pages import render_page
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_records import OPEN
from tightrope.surveys.survey_store import SurveyStore
from tightrope.surveys.words import all_words
from tightrope.tables import fill_table

MOST_CARDS: Final = 5000
"""Links drawn at once: a sheet of them is 500 pages and some 20 MB."""
_PER_PAGE: Final = 10
_LANGUAGES: Final = 3
"""Languages on a card: more do not fit."""


@dataclass(frozen=True)
class Card:
    """A link to print; an open one may be used by many."""

    link: str
    open: bool = False


class LinkFiles:
    """The files of links: all are whole before the first one takes its place."""

    def __init__(
        self, survey: Survey, store: SurveyStore, table: Path, qr: str | PathLike[str] | None,
        png: bool, sheet: str | PathLike[str] | None, force: bool,
    ) -> None:
        self._survey, self._address, self._png, self._force = survey, store.address, png, force
        self._table = table
        self._qr = None if qr is None else Path(qr)
        self._sheet = None if sheet is None else Path(sheet)
        if self._sheet is not None and self._sheet.suffix.lower() not in (".html", ".htm"):
            raise BadInput(f"expected a sheet named .html, found {str(sheet)!r}.")
        if png and qr is None:
            raise BadInput("png says how QR codes are written: give their folder (qr) beside it.")
        if self._qr is not None:
            refuse_existing_folder(self._qr)
        if self._sheet is not None:
            refuse_existing(self._sheet, force=force)

    @property
    def places(self) -> tuple[Path | None, Path | None]:
        """The folder of codes and the sheet."""
        return self._qr, self._sheet

    def write(self, written: ExitStack, links: Mapping[str, str], *, with_table: bool) -> None:
        """Write everything; it takes its place when the stack ends well."""
        if (self._qr or self._sheet) and len(links) > MOST_CARDS:
            raise BadInput(f"expected at most {MOST_CARDS:,} links to draw at once, found "
                           f"{len(links):,}: make them in parts.")
        columns = link_columns(self._address, links)
        cards = [Card(link, group == OPEN) for link, group in
                 zip(columns["link"], columns["group"], strict=True)]
        wanted = [*([self._table] if with_table else []), *([self._sheet] if self._sheet else [])]
        places = dict(zip(wanted, written.enter_context(
            replacing_all(wanted, secret=wanted, force=self._force)), strict=True))
        if with_table:
            fill_table(places[self._table], self._table, columns)
        if self._sheet is not None:
            places[self._sheet].write_bytes(sheet_page(self._survey, cards))
        if self._qr is not None:
            made = written.enter_context(making_folder(self._qr))
            made.mkdir(0o700)
            kind, digits = "png" if self._png else "svg", len(str(len(cards)))
            for i, card in enumerate(cards, start=1):
                (made / f"{i:0{digits}}.{kind}").write_bytes(code_image(card.link, kind))


def code_image(link: str, kind: Literal["svg", "png"] | str) -> bytes:
    """A QR code as an image, with the quiet edge that readers need."""
    content = BytesIO()
    _code(link).save(content, kind=kind, scale=8, border=4)
    return content.getvalue()


def sheet_page(survey: Survey, cards: Sequence[Card]) -> bytes:
    """A page with a card for each link, ten to a sheet of A4 or Letter, with lines to cut along."""
    pages = [cards[i : i + _PER_PAGE] for i in range(0, len(cards), _PER_PAGE)]
    drawn = [[(card, _code(card.link).svg_inline(border=4, omitsize=True)) for card in page]
             for page in pages]
    return render_page("sheet.html", pages=drawn, parts=all_words(survey)[:_LANGUAGES])


def _code(link: str) -> Any:
    """The QR code of a link, readable with 15 % of it spoiled."""
    require("survey", "QR codes")
    import segno

    return segno.make(link, error="m", micro=False)
