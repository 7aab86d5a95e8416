"""Links of a survey: more of them while it runs, as a table, QR codes, and a sheet to print.

The store keeps hashes of tokens only, so links are written when they are made, or read again from
the table in which they were written.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count
from os import PathLike
from pathlib import Path

from tightrope.characters import counted, label_text
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, lines_of
from tightrope.files import read_column
from tightrope.samplers import token
from tightrope.surveys.fielding import MOST_LINKS
from tightrope.surveys.link_files import LinkFiles
from tightrope.surveys.survey_file import store_path, survey_in
from tightrope.surveys.survey_records import OPEN
from tightrope.surveys.survey_store import LinkState, SurveyStore


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
