"""How a survey reaches people: its open link, the way back, where answers are kept.

Each of these changes what a respondent should know, so each has a sentence on the label.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.facts import Fact
from tightrope.surveys.languages import ENGLISH, Language
from tightrope.surveys.records_database import database_address
from tightrope.surveys.survey_file import Survey

LONGEST_URL = 2000
MOST_LINKS = 10_000_000
"""Links of a survey and answers of its open link: 1.3 GB of a store with short questions."""


@dataclass(frozen=True)
class Fielding:
    """How many answers the open link may bring, where respondents go back to, and the database.

    `link` is the open link; `database` is None where answers are kept in a file.
    """

    open: int = 0
    returns: str | None = None
    database: str | None = None
    link: str | None = None

    @property
    def place(self) -> str:
        """Where the answers of a new survey are."""
        return "empty" if self.database is None else "names the database, empty"

    def facts(self, survey: Survey) -> tuple[Fact, ...]:
        """The open link, the return address, and the languages."""
        spoken = [spoken.code for spoken in survey.languages]
        return (
            Fact("open", "open link", self.link, meaning=f"at most {self.open:,} answers"
                 if self.open else ""),
            Fact("returns", "return address", self.returns),
            Fact("languages", "languages" if spoken != ["en"] else None, spoken),
        )

    def sentences(self, survey: Survey) -> tuple[str, ...]:
        """The sentences that the label adds to the promise, in English."""
        return label_sentences(survey, bool(self.open), self.returns, self.database is not None)


def label_sentences(
    survey: Survey, opened: bool, returns: str | None, in_database: bool,
    language: Language = ENGLISH,
) -> tuple[str, ...]:
    """The sentences of a label on an open link, a return address, and a database."""
    sentences = []
    if opened:
        sentences.append(language.say("fielding.open", level=_level(survey.total, language)))
    if returns is not None:
        sentences.append(language.say("fielding.returns", site=site_of(returns)))
    if in_database:
        sentences.append(language.say("fielding.database"))
    return tuple(sentences)


def site_of(url: str) -> str:
    """The host of an address, with its port if it names one."""
    return urlsplit(url).netloc


def checked_address(url: str) -> str:
    """The address that links start with: http or https, a host, and no path.

    A survey has an origin of its own: scripts of another page under the same one could read what
    its pages keep and show.
    """
    parts = _split(url)
    if parts is None or set(url) & set("?#") or parts.path.strip("/"):
        raise BadInput(
            "expected a url as in https://survey.example.org: https:// or http://, a host, and "
            f"no path, since a survey has a name of its own; found {url!r}."
        )
    return url.rstrip("/")


def port_of(address: str) -> int | None:
    """The port that an address in http names; None behind a proxy that speaks https.

    >>> port_of("http://127.0.0.1:9000"), port_of("https://survey.example.org")
    (9000, None)
    """
    parts = urlsplit(address)
    return parts.port if parts.scheme == "http" else None


def checked_return(url: str) -> str:
    """The address that a button at the end leads to, the same for everybody."""
    parts = _split(url)
    if parts is None or len(url) > LONGEST_URL:
        raise BadInput("expected a return address as in https://panel.example/done?code=C123, "
                       f"found {url[:100]!r}.")
    return url


def checked_site(url: str) -> str:
    """A site that may show the pages in a frame, as an origin."""
    parts = _split(url)
    if parts is None or parts.path.strip("/") or set(url) & set("?#*;,'"):
        raise BadInput("expected a site as in https://panel.example, without a path, found "
                       f"{url[:100]!r}.")
    return f"{parts.scheme}://{parts.netloc}"


def checked_database(url: str) -> str:
    """The URL of a database that may keep answers."""
    database_address(url)
    return url


def _split(url: str) -> SplitResult | None:
    """The parts of an address on the web; None if it is none that a browser opens as written."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return None
    if not good or "@" in parts.netloc or set(url) & set("\\\"<> ") or not url.isprintable():
        return None
    return parts


def _level(level: Level, language: Language) -> str:
    shown = f"ε = {language.decimal(f'{float(level):.5g}')}"
    return shown if level.delta == 0 else f"{shown}, δ = {language.percent_at_most(level.delta)}"
