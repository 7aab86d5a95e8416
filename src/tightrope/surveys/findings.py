"""The findings of a survey: estimates for every question, overall and by group, from its store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.characters import counted, meant, shorten
from tightrope.choices import Interval
from tightrope.errors import BadInput
from tightrope.facts import Fact, Facts, Table, card_of, data, lines_of
from tightrope.spellings import spelled
from tightrope.surveys.cross_tables import CrossTable, cross_table
from tightrope.surveys.estimation import QuestionEstimate
from tightrope.surveys.finding import Finding, bars, find
from tightrope.surveys.group_differences import GroupDifferences, compare_groups
from tightrope.surveys.regression import Regression, regress
from tightrope.surveys.respondents import GROUP, Respondents
from tightrope.surveys.survey_file import Survey, store_path, survey_in
from tightrope.surveys.survey_store import SurveyStore
from tightrope.utility import HowIntervals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Analysis = GroupDifferences | CrossTable | Regression


@dataclass(frozen=True)
class Report:
    """All questions of a survey, what was sent, and how many of the links were used.

    `analyses` are differences of groups, tables of two questions and regressions, as asked for.
    """

    survey: Survey
    findings: tuple[Finding, ...]
    links: Mapping[str, tuple[int, int]]
    people: Respondents
    closed: bool
    how: HowIntervals
    analyses: tuple[Analysis, ...] = ()

    @property
    def answers(self) -> int:
        """How many people answered."""
        return len(self.people)

    def columns(self) -> dict[str, list[str]]:
        """The randomized answers as columns of a table: the group, and a column per question.

        Rows are sorted by what they hold, so their order says nothing else.
        """
        keys = [question.key for question in self.survey.questions]
        sent = sorted(self.people.sent, key=lambda answer: (
            answer.group, *(answer.responses[key] for key in keys)))
        columns = {GROUP: [answer.group for answer in sent]}
        for question in self.survey.questions:
            names = question.responses
            columns[question.key] = [names[answer.responses[question.key]] for answer in sent]
        return columns

    @property
    def reading(self) -> str:
        """How intervals and estimates are to be read; empty while there are no answers."""
        first = next((finding.estimate for finding in self.findings), None)
        return "" if first is None else (
            f"{_interval_sentence(self.findings)} {first.shares.remarks[0]}"
            f"{self._weights_sentence(first)}")

    def _weights_sentence(self, first: QuestionEstimate) -> str:
        return "" if not self.people.weights else (
            f" With weights they count as {first.shares.effective:,.0f} answers (Kish), so that "
            "intervals are approximate: short where people who count more differ more.")

    def analyzed(
        self, *, by: str | Sequence[str] = (), reference: str | None = None,
        tables: Sequence[tuple[str, str]] = (), formulas: str | Sequence[str] = (),
    ) -> Report:
        """The same report with analyses: differences of groups, tables, regressions."""
        by, formulas = _several(by), _several(formulas)
        if any(len(pair) != 2 or isinstance(pair, str) for pair in tables):
            raise BadInput("expected tables as pairs of questions: [(\"q1\", \"q2\")].")
        if reference is not None and len(by) != 1:
            raise BadInput("a reference is a group of one division; name that.")
        return replace(self, analyses=(
            *(compare_groups(self, division, reference=reference) for division in by),
            *(cross_table(self, *pair) for pair in tables),
            *(regress(self, formula) for formula in formulas)))

    def plot(self, *, title: str = "") -> Figure:
        """The estimated shares with their intervals, a line for each answer; named as asked."""
        from tightrope.plots import intervals_figure

        many = len(self.findings) > 1
        drawn = [(f"{finding.question.key}: {name}" if many else name, *rest)
                 for finding in self.findings for name, *rest in bars(finding)]
        if not drawn:
            raise BadInput("there are no answers to draw yet.")
        own = self.survey.title if many else self.survey.questions[0].text
        return intervals_figure(drawn, title or own)  # type: ignore[arg-type]

    def facts(self) -> Facts:
        """The analyses, the estimated shares of each question, and what is behind them."""
        analyses = [analysis.facts() for analysis in self.analyses]
        state = "closed" if self.closed else "open"
        return Facts(
            "Report",
            f"{counted(self.answers, 'answer')} to {shorten(self.survey.title)}; the survey is "
            f"{state}",
            (
                *(item for facts in analyses for item in _for_people(facts)),
                *(finding.table() for finding in self.findings),
                *data(differences=self._of(GroupDifferences), tables=self._of(CrossTable),
                      regressions=self._of(Regression)),
                *data(answers=self.answers, closed=self.closed,
                      links={name: {"made": made, "used": used}
                             for name, (made, used) in self.links.items()},
                      questions=[finding.json() for finding in self.findings]),
            ),
            (
                *(sentence for facts in analyses for sentence in facts.sentences),
                *(f"{', '.join(keys)}: {remark}" for remark, keys in self._remarks().items()),
                self.reading or "No answers yet.",
            ),
        )

    def _remarks(self) -> dict[str, list[str]]:
        """Every remark with the keys of the questions that it is on."""
        keys: dict[str, list[str]] = {}
        for finding in self.findings:
            for remark in finding.remarks:
                keys.setdefault(remark, []).append(finding.question.key)
        return keys

    def _of(self, kind: type[Analysis]) -> list[Analysis]:
        """The analyses of one kind."""
        return [analysis for analysis in self.analyses if isinstance(analysis, kind)]

    __repr__ = lines_of
    _repr_html_ = card_of


def _several(given: str | Sequence[str]) -> Sequence[str]:
    return [given] if isinstance(given, str) else given


def _for_people(facts: Facts) -> list[Fact | Table]:
    """The facts of an analysis that people see; programs read it as a whole."""
    return [replace(item, key=None) for item in facts.items if item.label is not None]


def _interval_sentence(findings: Sequence[Finding]) -> str:
    """How the intervals of shares were made; questions are named where they differ."""
    kinds: dict[Interval, list[str]] = {}
    for finding in findings:
        for kind in dict.fromkeys(part.estimate.shares.interval for part in finding.each):
            kinds.setdefault(kind, []).append(finding.question.key)
    shares = findings[0].each[0].estimate.shares
    whose = "a population" if shares.sampling else "the respondents themselves"
    made = " and ".join(
        f"{kind} intervals" if len(kinds) == 1 else f"{kind} intervals ({', '.join(keys)})"
        for kind, keys in kinds.items())
    return (f"From and to: {made} for the shares of {whose}, each at confidence "
            f"{shares.confidence:g}.")


@spelled(
    regress='formulas="q1 ~ group"', table='tables=[("q1", "q2")]', census="sampling=False",
    weight='weights={"group": 2}', output='tr.surveys.write_export(report, "out.csv")',
    plot="plot() of the result", page="tr.surveys.results_page(report, alone=True)",
    trend="tr.surveys.compare_waves(reports)",
)
def results(
    file: str | PathLike[str],
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
    weights: Mapping[str, float] | None = None,
    by: str | Sequence[str] = (),
    reference: str | None = None,
    tables: Sequence[tuple[str, str]] = (),
    formulas: str | Sequence[str] = (),
    close: bool = False,
) -> Report:
    """The findings so far of the survey in a file.

    Parameters
    ----------
    sampling
        Whether intervals are for a population, or for the respondents themselves.
    weights
        How much answers count, by their group.
    by, reference
        Divisions whose groups are compared (see `compare_groups`): `group`, or clear questions.
    tables
        Pairs of questions that are estimated together (see `cross_table`).
    formulas
        Regressions such as `q1 ~ group` (see `regress`).
    close
        End the survey: no further answers.

    Returns
    -------
    Report
        Its `findings` have the estimates of each question, its `analyses` what else was asked.

    Raises
    ------
    BadInput
        If the file is no survey, or what is asked for does not fit it; nothing is closed then.
    Infeasible, SolverFailed
        If a regression has no coefficients.

    >>> import tightrope as tr
    >>> made = tr.surveys.create_survey("s.json", [("Ever?", tr.surveys.warner("3/4"))], links=3)
    >>> tr.surveys.results("s.json").answers
    0
    """
    survey = survey_in(file)
    with SurveyStore(store_path(Path(file)), survey.digest) as store:
        def read() -> Report:
            made = report(survey, store, confidence=confidence, interval=interval,
                          sampling=sampling, weights=weights)
            return made.analyzed(by=by, reference=reference, tables=tables, formulas=formulas)

        made = read()
        if not close:
            return made
        store.finish()  # only once everything that was asked proved right
        return read()


def report(
    survey: Survey,
    store: SurveyStore,
    *,
    confidence: float = 0.95,
    interval: Interval | str | None = None,
    sampling: bool = True,
    weights: Mapping[str, float] | None = None,
) -> Report:
    """The report on the stored answers; `weights` count answers by their group."""
    for name in sorted(set(weights or {}) - set(survey.groups)):
        raise BadInput(f"there is no group {shorten(name)!r} in this survey; groups here: "
                       f"{', '.join(map(shorten, survey.groups))}{meant(name, survey.groups)}.")
    if not all(0 < weight < inf for weight in (weights or {}).values()):
        raise BadInput("expected weights that are finite and above 0.")
    how = HowIntervals.of(confidence, interval, sampling)
    people = Respondents(survey, tuple(store.answers()), weights)
    findings = tuple(find(question, people, how) for question in survey.questions)
    return Report(survey, findings, store.links(), people, store.closed, how)
