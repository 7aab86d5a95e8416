"""Links of a survey: more of them while it runs, as a table, QR codes, and a sheet to print.

The store keeps hashes of tokens only, so links are written when they are made, or read again from
the table in which they were written. All files are written, or none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from tightrope.characters import counted, label_text
from tightrope.errors import BadInput
from tightrope.extras import require
from tightrope.facts import Fact, Facts, lines_of
from tightrope.files import (
    making_folder,
    read_column,
    refuse_existing,
    refuse_existing_folder,
    replacing_all,
)
from tightrope.samplers import token
from tightrope.surveys.fielding import MOST_LINKS
from tightrope.surveys.new_store import link_columns
from tightrope.surveys.respondent_pages import render_page
from tightrope.surveys.survey_file import Survey, store_path, survey_in
from tightrope.surveys.survey_records import OPEN
from tightrope.surveys.survey_store import LinkState, SurveyStore
from tightrope.surveys.words import all_words
from tightrope.tables import fill_table

MOST_CARDS: Final = 5000
"""Links drawn at once: a sheet of them is 500 pages and some 20 MB."""
_PER_PAGE: Final = 10
_LANGUAGES: Final = 3
"""Languages on a card: more do not fit."""


@dataclass(frozen=True)
class PrintedLinks:
    """Links that were made or printed, and where: a table, a folder of codes, a sheet."""

    number: int
    made: bool
    table: Path
    qr: Path | None = None
    sheet: Path | None = None

    def facts(self) -> Facts:
        """The files, and what to do with them."""
        new = ("Give none of them to somebody who has a link already: who answers twice spends "
               "twice.",) if self.made else ()
        return Facts(
            "PrintedLinks",
            counted(self.number, "more link" if self.made else "link"),
            (
                Fact("number", None, self.number),
                Fact("made", None, self.made),
                Fact("links", "links", self.table,
                     meaning="send each to one person, then delete the file"),
                Fact("qr", "QR codes", self.qr, meaning="numbered as the links are"
                     if self.qr else ""),
                Fact("sheet", "sheet", self.sheet, meaning="print it from a browser"
                     if self.sheet else ""),
            ),
            (*new, "Whoever holds one of these files can answer for these people: delete them "
             "when they are sent or printed.",),
        )

    __repr__ = lines_of


def add_links(
    file: str | PathLike[str],
    number: int,
    *,
    group: str | None = None,
    output: str | PathLike[str] | None = None,
    qr: str | PathLike[str] | None = None,
    png: bool = False,
    sheet: str | PathLike[str] | None = None,
    force: bool = False,
) -> PrintedLinks:
    """Make more links of a survey; servers go on and take them at once.

    All files are written and the links made, or nothing is.

    Parameters
    ----------
    group
        The group of people they are for, if the survey has several.
    output
        The table of the new links; if not given, `s.links-2.csv` beside `s.json`, or the next
        number that is free.
    qr, png
        A new folder of QR codes as SVG, or PNG.
    sheet
        A page to print, with a card for each link.

    Raises
    ------
    BadInput
        if there is no such group, the survey is closed, or a file exists (without `force`).
    """
    place = Path(file)
    survey = survey_in(place)
    table = _free_table(place) if output is None else Path(output)
    with SurveyStore(store_path(place), survey.digest) as store:
        made = sum(total for name, (total, _) in store.links().items())
        if not isinstance(number, int) or not 1 <= number <= MOST_LINKS - made:
            raise BadInput(f"expected from 1 to {MOST_LINKS - made:,} more links.")
        named = _group(store.groups, group)
        links = {token(): named for _ in range(number)}
        with ExitStack() as written:
            outputs = LinkFiles(survey, store, table, qr, png, sheet, force)
            outputs.write(written, links, with_table=True)
            store.add_links(links)  # last: a link that nobody was given does no harm
    return PrintedLinks(number, True, table, *outputs.places)


def print_links(
    file: str | PathLike[str],
    table: str | PathLike[str] | None = None,
    *,
    qr: str | PathLike[str] | None = None,
    png: bool = False,
    sheet: str | PathLike[str] | None = None,
    force: bool = False,
) -> PrintedLinks:
    """Draw the links in a table as QR codes, or as a sheet of cards to print.

    Parameters
    ----------
    table
        The table of links as `new` wrote it, `s.links.csv` beside `s.json` if not given.

    Raises
    ------
    BadInput
        if the table has links of another survey, or nothing is to be drawn.
    """
    place = Path(file)
    if qr is None and sheet is None:
        raise BadInput("say what to make: a folder of QR codes (qr) or a sheet to print (sheet).")
    survey = survey_in(place)
    source = place.with_suffix(".links.csv") if table is None else Path(table)
    with SurveyStore(store_path(place), survey.digest) as store, ExitStack() as written:
        links = _links_in(source, store)
        outputs = LinkFiles(survey, store, source, qr, png, sheet, force)
        outputs.write(written, links, with_table=False)
    return PrintedLinks(len(links), False, source, *outputs.places)


def _group(groups: Sequence[str], asked: str | None) -> str:
    """The group that links are for; of personal links only."""
    known = [name for name in groups if name != OPEN]
    listed = ", ".join(map(label_text, known)) or "none but the open link"
    if asked is None and len(known) == 1:
        return known[0]
    if asked is None:
        raise BadInput(f"say which group the links are for; those of this survey are {listed}.")
    if asked not in known:
        raise BadInput(f"there is no group {label_text(asked)}; those of this survey are {listed}.")
    return asked


def _free_table(place: Path) -> Path:
    """The first name for a further table of links that is free."""
    names = (place.with_suffix(f".links-{i}.csv") for i in count(2))
    return next(name for name in names if not name.exists())


def _links_in(source: Path, store: SurveyStore) -> dict[str, str]:
    """The tokens and groups in a table of links, every one known to the store."""
    links: dict[str, str] = {}
    begin = f"{store.address}/r/"
    for link in read_column(source, "link"):
        name = str(link).removeprefix(begin)
        known = store.link(name) if str(link).startswith(begin) else None
        if known is None or known.state is LinkState.UNKNOWN:
            raise BadInput(f"{source} has a link that is not one of this survey.")
        links[name] = known.group
    if not links:
        raise BadInput(f"{source} has no links.")
    return links


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
