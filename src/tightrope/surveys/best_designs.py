"""The design that is proved best for what a survey wants to know.

The best randomizer of the answers (`constructions`) as a design that a page can draw: with few
responses, and with every share still estimable, so that nothing of the results page is lost.
What that costs is inside the stated gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tightrope.characters import shorten
from tightrope.constructions import Randomizer, best_randomizer
from tightrope.documents import compose, least_variance_of
from tightrope.errors import BadInput
from tightrope.exact import Level, Number, fraction_of
from tightrope.facts import Fact, Facts, card_of, data, lines_of
from tightrope.privacy import level_of
from tightrope.spaces import categories
from tightrope.spellings import LEVEL, spelled
from tightrope.surveys.designs import MOST_ANSWERS, Design, answer_list, probability
from tightrope.utility import prior_of

_BESIDE = Fraction(1, 1000)
"""Weight of all shares beside another aim: smaller ones leave shares with margins of no use,
larger ones cost respondents (1/1000 costs a percent or two)."""
_LONGEST_NAME = 60
"""Characters of a response that lists answers; longer ones list their places."""

Aim = str | Sequence[Number] | Sequence[Sequence[Number]]


@dataclass(frozen=True, repr=False)
class BestDesign:
    """A design with its variance for the aim at the prior, and a bound on all other designs.

    `value` and `bound` are variances of one respondent, added up over the queries of the aim.
    """

    design: Design
    randomizer: Randomizer

    def document(self) -> dict[str, Any]:
        """The document of the mechanism, with the proof of least variance."""
        made = self.randomizer
        return compose(made.certified, {"name": "best-randomizer"},
                       optimality=self.design.optimality)

    @property
    def value(self) -> Fraction:
        """The variance of the best unbiased estimates from one respondent, at most."""
        return self.randomizer.value

    @property
    def bound(self) -> Fraction:
        """A variance that no private design falls below."""
        return self.randomizer.bound

    @property
    def gap(self) -> float:
        """The relative excess of the variance over the bound, at most."""
        return self.randomizer.gap

    def facts(self) -> Facts:
        """The variance, the bound and the gap, the level and the responses."""
        made, design = self.randomizer, self.design
        return Facts(
            "BestDesign",
            f"{len(design.answers)} answers, {len(design.responses)} responses, for "
            f"{made.workload.name}",
            (
                Fact("value", "variance", float(self.value),
                     meaning="of one respondent, all queries together"),
                Fact("bound", "at least", float(self.bound), meaning="for every private design"),
                Fact("gap", "gap", self.gap),
                Fact(None, "level", made.certified.certificate.level),
                Fact(None, "responses", shorten("; ".join(design.responses), 200), detail=True),
                *data(responses=design.responses, answers=design.answers,
                      level=made.certified.certificate.level),
            ),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


@spelled(**LEVEL, scores="aim=[1, 2, 3]", responses="outputs=6", prevalence="prior=[…]")
def best_design(
    answers: Sequence[str],
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    aim: Aim = "shares",
    prior: Sequence[Number] | None = None,
    outputs: int | None = None,
) -> BestDesign:
    """The design with the least variance for an aim, with a bound on every private design.

    Parameters
    ----------
    aim
        `shares`, `cumulative`, `mean` (answers count 0, 1, …), weights of the answers (scores of
        a scale, or a contrast such as 1, 0, -1), or several rows of weights.
    prior
        The expected shares, at which the variance counts; equal ones if not given.
    outputs
        The most responses, twice the number of answers if not given.

    Returns
    -------
    BestDesign, whose `gap` includes what few responses cost, and that all shares can be told.

    Raises
    ------
    BadInput
        for more than 16 answers, a δ above 0, or an aim that does not fit the answers.
    SolverFailed
        if no design with so few responses was found.

    >>> made = best_design(["never", "once", "often"], 1, aim=[1, 0, -1])
    >>> len(made.design.responses) <= 6, made.gap < 0.03
    (True, True)
    """
    names = answer_list(answers)
    space, most = categories(names), 2 * len(names) if outputs is None else outputs
    if type(most) is not int or not 2 <= most <= MOST_ANSWERS:
        raise BadInput(f"expected from 2 to {MOST_ANSWERS} responses, found {most!r:.40}.")
    if isinstance(prior, str | Mapping) or (prior is not None and len(prior) != len(names)):
        raise BadInput(f"expected the shares of all {len(names)} answers in a list, found "
                       f"{prior if isinstance(prior, str | Mapping) else len(prior)!r:.60}.")
    expected = None if prior is None else prior_of(
        [probability(share, "a share") for share in prior], space)
    wanted = aim_of(aim) if isinstance(aim, str) else aim
    all_shares_known = isinstance(wanted, str) and wanted != "mean"
    made = best_randomizer(space, level_of(epsilon, ratio=ratio), workload=wanted, prior=expected,
                           outputs=most, beside=0 if all_shares_known else _BESIDE)
    return BestDesign(_design(made, names), made)


def aim_of(text: str) -> Aim:
    """An aim as a command writes it: a name, or the weights of the answers with commas.

    >>> aim_of("mean"), aim_of("1,0,-1/2")
    ('mean', (Fraction(1, 1), Fraction(0, 1), Fraction(-1, 2)))
    """
    if "," not in text:
        return text.strip()
    return tuple(fraction_of(part.strip(), "a weight") for part in text.split(","))


def _design(made: Randomizer, answers: tuple[str, ...]) -> Design:
    """The design of a randomizer; responses are sets of answers, or of their places."""
    mechanism: Any = made.certified.mechanism
    rows = tuple(mechanism.row_at(place) for place in range(len(answers)))
    sets = [[x for x, entry in enumerate(column) if 2 * entry > min(column) + max(column)]
            for column in zip(*rows, strict=True)]
    names = tuple(" / ".join(answers[x] for x in inside) for inside in sets)
    if max(map(len, names)) > _LONGEST_NAME:
        names = tuple("+".join(str(x + 1) for x in inside) for inside in sets)
    return Design(f"best for {made.workload.name}", answers, names, rows, answers[1:],
                  "One of several sets of answers is sent, more often one that holds yours.",
                  least_variance_of(made))
