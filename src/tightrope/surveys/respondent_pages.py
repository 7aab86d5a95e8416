"""The pages that people see: questions, notices and the front page, in every language.

A page holds all languages of the survey, so that nobody learns which one is read. Pages follow
the survey's file: when its texts were edited, they are made anew, as long as the law of the
answers is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from tightrope.errors import TightropeError
from tightrope.surveys.fielding import label_sentences, site_of
from tightrope.surveys.label import device_promise, question_label, total_promise
from tightrope.surveys.page_code import page_code, page_file
from tightrope.surveys.survey_file import Survey
from tightrope.surveys.survey_records import OPEN
from tightrope.surveys.survey_store import SurveyStore
from tightrope.surveys.words import Words, all_words
from tightrope.web import Asset, RateLimit, code_asset, style_asset

_NAMED: Final = 12
"""Digits of its hash by which a page asks for its code."""
_CODES: Final = 8
"""Codes of earlier texts that are kept, each for pages that are being loaded."""
_SETTLING: Final = frozenset({"used", "full", "closed"})
"""Notices whose code sends a draw once more that was kept because no word came of it."""


class RespondentPages:
    """The pages of a survey with the texts of now; `reread` reads its file again."""

    def __init__(
        self, survey: Survey, store: SurveyStore, reread: Callable[[], Survey] | None = None
    ) -> None:
        self._store, self._reread = store, reread
        self._retries = RateLimit(1, 1.0)
        self._made: dict[str, bytes] = {}
        self._codes: dict[str, Asset] = {}
        self._show(survey)

    def refresh(self) -> None:
        """Follow the file of the survey, if the store says that its texts were edited."""
        digest = self._store.survey
        if self._reread is None or digest == self.survey.digest or not self._retries.allows(""):
            return
        try:
            fresh = self._reread()
        except TightropeError:
            return  # the file is not there yet, or is wrong: these texts stay
        if fresh.digest == digest and fresh.law == self.survey.law:
            self._show(fresh)

    def code_named(self, start: str) -> Asset:
        """The code whose hash starts so, else that of now.

        A page that was sent just before an edit asks for the code of its own texts.
        """
        return self._codes.get(start, self.code)

    def questions(self, group: str) -> bytes:
        """The page of a respondent with a link of this group."""
        return self._kept(f"group {group}", lambda: respondent_page(
            self.survey, group, opened=group == OPEN and self._store.open > 0,
            returns=self._store.returns, in_database=self._store.in_database))

    def notice(self, name: str) -> bytes:
        """A page that says why there are no questions."""
        return self._kept(f"notice {name}", lambda: render_page(
            "notice.html",
            code=self.code if name in _SETTLING else None,
            returns=self._store.returns if name == "used" else None,
            site=site_of(self._store.returns or ""),
            name=name,
            parts=all_words(self.survey),
        ))

    def front(self) -> bytes:
        """The page at the survey's address itself."""
        closed = self._store.closed
        return self._kept(f"front {closed}", lambda: render_page(
            "front.html",
            code=self.code,
            closed=closed,
            opened=self._store.open_token,
            parts=[_promises(self.survey, words) for words in all_words(self.survey)],
        ))

    def _show(self, survey: Survey) -> None:
        self.survey, self.code = survey, code_asset(page_code(survey))
        self._codes[self.code.sha256[:_NAMED]] = self.code
        while len(self._codes) > _CODES:
            del self._codes[next(iter(self._codes))]
        self.style = style_asset(page_file("page.css"))
        self._made.clear()

    def _kept(self, key: str, make: Callable[[], bytes]) -> bytes:
        """A page, which is made once: there are as many as groups and notices."""
        page = self._made.get(key)
        if page is None:
            page = self._made[key] = make()
        return page


def respondent_page(
    survey: Survey,
    group: str,
    *,
    opened: bool = False,
    returns: str | None = None,
    in_database: bool = False,
) -> bytes:
    """The page of a respondent with a link of this group."""
    return render_page(
        "respondent.html",
        survey=survey,
        parts=[{**_part(survey, words), "fielding": label_sentences(
            survey, opened, returns, in_database, words.language)}
            for words in all_words(survey)],
        group=group if len(survey.groups) > 1 else None,
        opened=opened,
        returns=returns,
        site=site_of(returns or ""),
        code=code_asset(page_code(survey)),
        style=style_asset(page_file("page.css")),
    )


def _part(survey: Survey, words: Words) -> dict[str, Any]:
    """The words of a respondent's page in one language."""
    return {
        **_promises(survey, words),
        "labels": [question_label(question, words.language, words.questions[question.key])
                   for question in survey.questions],
    }


def _promises(survey: Survey, words: Words) -> dict[str, Any]:
    """The promises in one language: about the device, and about sent answers."""
    return {"words": words, "device": device_promise(survey, words.language),
            "total": total_promise(survey, words.language)}


def render_page(template: str, **values: Any) -> bytes:
    """A page from its template: values are escaped, and no line ends between ε and its value."""
    text: str = _templates().get_template(template).render(**values)
    return text.replace("ε = ", "ε\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}").encode()


@lru_cache(maxsize=1)
def _templates() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(page_file), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )
