"""Two questions of a survey together: the shares of pairs of answers, and whether they depend.

Each question is randomized by itself, so the pair went through the product of both designs, and is
undone by both inverses. The true answers to the two are independent exactly when the responses
are: the law of the responses is that of the answers times matrices with independent rows. So a
test of independence of the responses keeps its level for the answers: Fisher's exact test of two
by two, else the likelihood ratio G² with its χ² law, or, where fewer than 5 responses are expected
of some pair, Fisher's test of every cell, the least p-value times the number of cells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from tightrope.characters import counted, shorten
from tightrope.errors import BadInput
from tightrope.exact import FloatArray
from tightrope.facts import Column, Fact, Facts, Table, card_of, data, lines_of
from tightrope.surveys.designs import Design
from tightrope.surveys.means import FEW, exact_ends, response_values
from tightrope.surveys.respondents import check_results
from tightrope.utility import Estimate, Tally, estimate_joint

if TYPE_CHECKING:
    from tightrope.surveys.findings import Report
    from tightrope.surveys.questions import Question

LEAST_EXPECTED: Final = 5
"""Expected responses of every pair from which on the χ² law of G² is taken."""


@dataclass(frozen=True)
class IndependenceTest:
    """A test whether the true answers to two questions are independent.

    `exact` says that its level holds for every number of people. `statistic` and `degrees` are
    those of G², None for Fisher's tests.
    """

    method: str
    p_value: float
    exact: bool
    statistic: float | None = None
    degrees: int | None = None


@dataclass(frozen=True)
class CrossTable:
    """The shares of the pairs of true answers to two questions, and a test of independence.

    The rows of `shares` have a pair each; answers to the second question vary first. Where fewer
    than 30 people gave a clear answer, intervals of its pairs are exact: `exact_cells`.
    """

    first: Question
    second: Question
    shares: Estimate
    test: IndependenceTest
    exact_cells: bool

    @property
    def sentences(self) -> tuple[str, ...]:
        """Sentences that a reader of the table must know."""
        span = any(question.second is not None for question in (self.first, self.second))
        whose = "a population" if self.shares.sampling else "the respondents themselves"
        return (
            f"From and to: {self.shares.interval} intervals for the shares of {whose}, each at "
            f"confidence {self.shares.confidence:g}{self._rare}.",
            f"The test of independence is {self.test.method}"
            f"{'.' if self.test.exact else ', whose law is approximate.'} It is of the responses, "
            "which are independent in a population exactly if the true answers are.",
            *(["Intervals hold, and the test keeps its level, if the second question's answer has "
               "nothing to do with either question here."] if span else []),
        )

    @property
    def _rare(self) -> str:
        return (f"; exact where fewer than {FEW} people gave the clear answer"
                if self.exact_cells else "")

    def facts(self) -> Facts:
        """The shares of the pairs with intervals, then the test."""
        columns = (Column(None, self.first.key, words=True),
                   Column(None, self.second.key, words=True),
                   *(Column(None, name) for name in ("unbiased", "from", "to")),
                   Column("answers", None), Column("estimate", None), Column("low", None),
                   Column("high", None), Column("error", None))
        rows = []
        for row in self.shares.rows:
            pair = tuple(map(str, row.value)) if isinstance(row.value, tuple) else ()
            numbers = (f"{100 * x:.1f}%" for x in (row.estimate, row.low, row.high))
            rows.append((*map(shorten, pair), *numbers, list(pair), row.estimate, row.low,
                         row.high, row.error))
        title = (f"{self.first.key}: {shorten(self.first.text)} by "
                 f"{self.second.key}: {shorten(self.second.text)}")
        test = self.test
        return Facts(
            "CrossTable", f"{title}, {counted(self.shares.n, 'answer')}",
            (Table("rows", title, columns, tuple(rows), listed=2),
             Fact("p_value", f"{self.first.key}, {self.second.key} independent", test.p_value,
                  meaning="p-value"),
             *data(first=self.first.key, second=self.second.key, n=self.shares.n,
                   method=test.method, exact=test.exact, statistic=test.statistic,
                   degrees=test.degrees, confidence=self.shares.confidence,
                   interval=self.shares.interval)),
            self.sentences,
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def cross_table(report: Report, first: str, second: str) -> CrossTable:
    """The shares of the pairs of true answers to two questions, and whether these depend.

    Parameters
    ----------
    first, second
        The keys of two questions, randomized or clear.

    Returns
    -------
    CrossTable
        Its `shares` have an estimate with an interval for each pair, its `test` a p-value.

    Raises
    ------
    BadInput
        If there is no such question, the two are one, nobody answered, or answers have weights.

    >>> import tightrope as tr
    >>> ask = [("Ever?", tr.surveys.warner("3/4")), ("Never?", tr.surveys.warner("3/4"))]
    >>> made = tr.surveys.create_survey("s.json", ask, links=3)
    >>> try:
    ...     tr.surveys.cross_table(tr.surveys.results("s.json"), "q1", "q2")
    ... except tr.errors.BadInput as error:
    ...     print(error)
    there are no answers yet.
    """
    check_results(report)
    people, how = report.people, report.how
    one, other = people.question(first), people.question(second)
    if one is other:
        raise BadInput(f"expected two different questions for a table, found {first} twice.")
    if people.weights:
        raise BadInput("a table of two questions takes no weights; leave them out.")
    if not len(people):
        raise BadInput("there are no answers yet.")
    counts = np.zeros((len(one.responses), len(other.responses)), dtype=np.int64)
    np.add.at(counts, (people.codes(one), people.codes(other)), 1)
    middle, *ends = (
        estimate_joint(counts, len(people), a.mechanism, b.mechanism, confidence=how.confidence,
                       interval=how.interval, sampling=how.sampling, priors=(a.prior, b.prior))
        for a, b in ((one.middle, other.middle), *product(one.ends, other.ends)))
    rows = tuple(
        replace(row, low=min(same.low for same in beside), high=max(same.high for same in beside))
        for row, *beside in zip(middle.rows, *(end.rows for end in ends), strict=True))
    shares = replace(middle, rows=rows)
    rare = how.sampling and how.interval is None and one.clear != other.clear
    exact = _with_rare_cells(shares, one, other, counts) if rare else shares
    return CrossTable(one, other, exact, independence_test(counts), exact != shares)


def _with_rare_cells(
    shares: Estimate, one: Question, other: Question, counts: NDArray[np.integer]
) -> Estimate:
    """The shares, with exact intervals where few people gave the clear answer of a pair."""
    tally, given = Tally.of(counts.ravel()), counts.sum(axis=int(one.clear)).tolist()
    pairs = product(range(len(one.answers)), range(len(other.answers)))
    rows = list(shares.rows)
    for place, (x, y) in enumerate(pairs):
        if given[x if one.clear else y] < FEW:
            lows, highs = zip(*(
                exact_ends(np.outer(_values(a, x), _values(b, y)).ravel(), tally,
                           shares.confidence)
                for a, b in product(one.ends, other.ends)), strict=True)
            low, high = np.clip([min(lows), max(highs)], 0, 1).tolist()
            rows[place] = replace(rows[place], low=low, high=high)
    return replace(shares, rows=tuple(rows))


def _values(design: Design, answer: int) -> FloatArray:
    """The weight of each response in the estimate of an answer."""
    return response_values(design, [Fraction(x == answer) for x in range(len(design.answers))])


def independence_test(counts: NDArray[np.integer]) -> IndependenceTest:
    """A test whether rows and columns of counts are independent.

    >>> test = independence_test(np.array([[40, 20], [20, 40]]))
    >>> test.method, f"{test.p_value:.5f}"
    ("Fisher's exact test", '0.00047')
    """
    from scipy.stats import chi2, fisher_exact

    table = np.asarray(counts)[:, counts.any(axis=0)][counts.any(axis=1)]
    if min(table.shape) < 2:
        return IndependenceTest("of a question with one response only", 1.0, exact=True)
    if table.shape == (2, 2):
        return IndependenceTest("Fisher's exact test", float(fisher_exact(table)[1]), exact=True)
    n = table.sum()
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / n
    if expected.min() < LEAST_EXPECTED:
        least = min(float(fisher_exact(_collapse(table, i, j))[1])
                    for i, j in np.ndindex(*table.shape))
        return IndependenceTest("Fisher's exact test of every cell, adjusted for their number",
                                min(1.0, least * table.size), exact=True)
    ratio = np.log(table / expected, where=table > 0, out=np.zeros(table.shape))
    statistic = 2 * float((table * ratio).sum())
    degrees = (table.shape[0] - 1) * (table.shape[1] - 1)
    return IndependenceTest("the likelihood ratio G²", float(chi2.sf(statistic, degrees)),
                            exact=False, statistic=statistic, degrees=degrees)


def _collapse(table: NDArray[np.integer], row: int, column: int) -> list[list[int]]:
    """One cell beside all others: a table of two by two."""
    cell, total = int(table[row, column]), int(table.sum())
    across, down = int(table[row].sum()), int(table[:, column].sum())
    return [[cell, across - cell], [down - cell, total - across - down + cell]]
