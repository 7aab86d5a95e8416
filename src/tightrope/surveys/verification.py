"""The verdict on a survey's file: every proof that it carries, and what no file can prove."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tightrope.characters import counted
from tightrope.documents import Review, read, review
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.files import StrPath
from tightrope.surveys.label import total_promise
from tightrope.surveys.page_code import page_code
from tightrope.surveys.survey_file import Survey, survey_in
from tightrope.web import code_asset

_ONLY_HOLDER = (
    "Only the researcher can know that this page was served, with this code, and that nothing "
    "but its answers was stored."
)


@dataclass(frozen=True)
class SurveyReview:
    """A survey whose file was read and proved, with the review of each private question.

    `code_sha256` is the fingerprint of the code of its pages, which the label shows.
    """

    survey: Survey
    reviews: tuple[tuple[str, Review], ...]
    code_sha256: str

    @property
    def holds(self) -> bool:
        """Whether every claim of the file holds."""
        return all(each.holds for _, each in self.reviews)

    def facts(self) -> Facts:
        """The level of each question, whether its design is best as claimed, and the promise."""
        survey, known = self.survey, dict(self.reviews)
        rows = []
        for question in survey.questions:
            each = known.get(question.key)
            level = "clear" if question.level is None else str(question.level)
            rows.append((
                question.key, question.text, question.kind, question.design_name, level,
                *((None, None, "") if each is None else (each.holds, each.optimal, _best(each)))))
        columns = (
            Column("key", "key"), Column("text", "question", words=True), Column("kind", None),
            Column("design", "design", words=True), Column("epsilon_text", "ε"),
            Column("holds", None), Column("optimal", None), Column(None, "best", words=True))
        conditions = tuple(f"The promise of {question.key} holds if: "
                           f"{' '.join(question.conditions)}"
                           for question in survey.questions if question.conditions)
        return Facts(
            "SurveyReview",
            f"{'holds' if self.holds else 'DOES NOT HOLD'}: "
            f"{counted(len(survey.questions), 'question')}, {survey.total} together",
            (
                Table("questions", "", columns, tuple(rows), listed=0),
                Fact("code_sha256", "page's code", self.code_sha256,
                     meaning="SHA-256, as the label shows it"),
                *data(holds=self.holds, intact=True, epsilon=float(survey.total),
                      delta=float(survey.total.delta), digest=survey.digest),
            ),
            (total_promise(survey), *conditions, _ONLY_HOLDER),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def _best(verdict: Review) -> str:
    """Whether a design is as good as it says, nothing where it says nothing."""
    if verdict.optimality is None:
        return ""
    return (f"variance within {verdict.optimality.gap:.1g} of the least: "
            f"{'proved' if verdict.optimal else 'NOT proved'}")


def verify_survey(file: StrPath) -> SurveyReview:
    """Prove again every claim in the file of a survey.

    Parameters
    ----------
    file
        The file that `create_survey` wrote.

    Returns
    -------
    SurveyReview, with a review of each question's mechanism and design.

    Raises
    ------
    BadDocument
        if it is no file of a survey.
    NotIntact
        if it was changed after it was written.
    NotPrivate
        if a claimed level does not hold.

    >>> from tempfile import TemporaryDirectory
    >>> from tightrope.surveys import create_survey, warner
    >>> with TemporaryDirectory() as folder:
    ...     file = create_survey(f"{folder}/s.json", [("Tax?", warner("3/4"))], "ln(3)").file
    ...     verify_survey(file).holds
    True
    """
    survey = survey_in(file)
    reviews = tuple((question.key, review(read(json.dumps(question.document).encode())))
                    for question in survey.private)
    return SurveyReview(survey, reviews, code_asset(page_code(survey)).sha256)
