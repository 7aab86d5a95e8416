"""Randomized-response designs: what a respondent may send, given the true answer.

A design is a matrix of exact probabilities, one row for each true answer and one column for
each response. Warner's, Mangat's, the forced, the unrelated-question and the crosswise design
and one card of Kuk's are all 2 × 2; they differ in what respondents do, and often not in their
matrix. A design from which nothing can be learned (for two answers: p00 + p11 = 1) is refused.
Answers may be written as a text, and a design may stand in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import comb
from os import PathLike
from typing import TYPE_CHECKING

from tightrope.characters import alike, shorten
from tightrope.errors import BadInput, BadMatrix
from tightrope.exact import Number, Weights, fraction_of
from tightrope.files import read_matrix
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism
from tightrope.spaces import Space, categories, split_names
from tightrope.utility import undetermined

if TYPE_CHECKING:  # it loads the search for designs
    from tightrope.documents import LeastVariance

MOST_ANSWERS = 60
NO_YES = ("no", "yes")
TWO_QUESTIONS = frozenset({"crosswise", "unrelated question"})
"""Designs in which the respondent's own answer to a second question is what randomizes."""


@dataclass(frozen=True)
class Design:
    """A matrix of exact probabilities with the names of answers and responses.

    `rows[x][z]` is the probability of response z if the true answer is x; `sensitive` lists
    the answers that a person may want to hide; `how` says in one sentence what to do.
    `optimality` is the claim that no private design estimates its aim with less variance, if it
    was designed for one.

    >>> warner("3/4").rows[1]
    (Fraction(1, 4), Fraction(3, 4))
    """

    name: str
    answers: tuple[str, ...]
    responses: tuple[str, ...]
    rows: tuple[tuple[Fraction, ...], ...]
    sensitive: tuple[str, ...]
    how: str = field(default="", compare=False)
    optimality: LeastVariance | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        _check_names(self)
        _check_rows(self)
        if undetermined(self.rows):
            raise BadMatrix(_nothing_learned(self))

    @cached_property
    def space(self) -> Space:
        """The true answers, any two of them at distance 1."""
        return categories(self.answers)

    @cached_property
    def mechanism(self) -> MatrixMechanism:
        """The design as a mechanism; it claims nothing until it is verified."""
        same = self.responses == self.answers
        outputs = self.space.points if same else self.responses
        return MatrixMechanism(self.space, outputs, Weights.from_fractions(self.rows))

    @property
    def prior(self) -> tuple[Fraction, ...] | None:
        """The shares at which estimates vary least; None if these are equal.

        The variance that a best design is proved for is that of these estimates.
        """
        shares = () if self.optimality is None else self.optimality.prior
        return shares if len(set(shares)) > 1 else None

    @property
    def binary(self) -> bool:
        """Whether there are two answers and two responses."""
        return len(self.answers) == len(self.responses) == 2

    @property
    def p00(self) -> Fraction:
        """The probability that the first answer is sent as the first response."""
        return self.rows[0][0]

    @property
    def p11(self) -> Fraction:
        """The probability that the second answer is sent as the second response."""
        return self.rows[1][1]

    def asking(self, answers: Sequence[str], sensitive: Sequence[str] | None = None) -> Design:
        """The same design for other words, in the same order."""
        words = tuple(answers)
        same = self.responses == self.answers
        kept = tuple(words[self.answers.index(name)] for name in self.sensitive)
        return replace(
            self,
            answers=words,
            responses=words if same else self.responses,
            sensitive=kept if sensitive is None else tuple(sensitive),
        )


def probability(value: Number, what: str = "a probability") -> Fraction:
    """An exact probability, or `BadMatrix` if it is outside [0, 1].

    >>> probability("0.25")
    Fraction(1, 4)
    """
    exact = fraction_of(value, f"{what} from 0 to 1")
    if not 0 <= exact <= 1:
        raise BadMatrix(f"expected {what} from 0 to 1, found {value}.")
    return exact


def binary(p00: Number, p11: Number, name: str = "binary", how: str = "") -> Design:
    """The general 2 × 2 design: P(no | no) = p00, P(yes | yes) = p11 (H16, Definition 6.1)."""
    a, b = probability(p00, "p00"), probability(p11, "p11")
    return Design(name, NO_YES, NO_YES, ((a, 1 - a), (1 - b, b)), ("yes",), how)


def warner(p: Number) -> Design:
    """Warner's design: the true answer with probability p, the opposite otherwise."""
    exact = probability(p, "p")
    return binary(
        exact, exact, "warner", "Your true answer is sent as it is or turned around, by chance."
    )


def mangat(p: Number) -> Design:
    """Mangat's design: a yes is always sent; a no is sent as no with probability p only.

    A no can never come from a yes, so no ε is finite; δ is p (H16, Section 6.2.3).
    """
    exact = probability(p, "p")
    return binary(exact, 1, "mangat", "A yes is sent as yes; a no is sometimes sent as yes.")


def forced_response(truth: Number, forced_yes: Number = "1/2") -> Design:
    """The truth with probability `truth`, else a forced answer, yes with `forced_yes`."""
    t, y = probability(truth, "the chance of the truth"), probability(forced_yes, "a forced yes")
    return binary(
        t + (1 - t) * (1 - y), t + (1 - t) * y, "forced response",
        "By chance, either your true answer is sent or an answer that was decided by lot.",
    )


def unrelated_question(truth: Number, prevalence: Number) -> Design:
    """The sensitive question with probability `truth`, else one whose prevalence is known.

    The other question (say, a birthday in spring) is answered yes by a share `prevalence`
    that is independent of the first; the matrix is that of the forced response.
    """
    known = probability(prevalence, "the prevalence of the unrelated question")
    return replace(
        forced_response(truth, known), name="unrelated question",
        how="By chance, you answer either this question or one that has nothing to do with it.",
    )


def crosswise(prevalence: Number) -> Design:
    """Only whether two answers are the same is sent; the second has a known prevalence.

    P(same | yes) = P(different | no) = prevalence: Warner's matrix with other words.
    """
    p = probability(prevalence, "the prevalence of the other question")
    return Design(
        "crosswise", NO_YES, ("different", "same"), ((p, 1 - p), (1 - p, p)), ("yes",),
        "Only whether your answers to two questions are the same is sent.",
    )


def kuk(red_if_no: Number, red_if_yes: Number, draws: int = 1) -> Design:
    """The number of red cards among `draws` from one of two decks; the answer says which.

    P(j red | answer) = C(draws, j) θ^j (1 - θ)^(draws - j) with the deck's share θ of red.
    """
    if not 1 <= draws <= MOST_ANSWERS - 1:
        raise BadMatrix(f"expected from 1 to {MOST_ANSWERS - 1} draws, found {draws}.")
    shares = [probability(red, "a share of red cards") for red in (red_if_no, red_if_yes)]
    rows = tuple(
        tuple(comb(draws, j) * s**j * (1 - s) ** (draws - j) for j in range(draws + 1))
        for s in shares
    )
    names = tuple(f"{j} red" for j in range(draws + 1))
    name = "kuk" if draws == 1 else f"kuk, {draws} cards"
    return Design(name, NO_YES, names, rows, ("yes",),
                  "The number of red cards drawn from a deck that depends on your answer is sent.")


def answer_list(answers: Sequence[str]) -> tuple[str, ...]:
    """The answers of a list; raises `BadInput` for a number, or a text as a command takes it.

    >>> answer_list(["no", "yes"]), answer_list("abc")
    (('no', 'yes'), ('a', 'b', 'c'))
    """
    if not isinstance(answers, Sequence) or (isinstance(answers, str) and "/" in answers):
        names = str(answers).split("/") if isinstance(answers, str) else ["no", "yes"]
        raise BadInput("expected the answers in a list, the harmless one first, as in "
                       f"{shorten(str(names))}, found {shorten(repr(answers))}.")
    return tuple(answers)


def k_ary(answers: Sequence[str], ratio: Number) -> Design:
    """The truth with probability r/(r + k - 1), every other answer with 1/(r + k - 1)."""
    names, r = answer_list(answers), fraction_of(ratio, "an e^ε above 1")
    if r <= 1:
        raise BadMatrix(f"expected an e^ε above 1, found {ratio}; at 1 nothing can be learned.")
    total = r + len(names) - 1
    rows = tuple(tuple((r if x == z else 1) / total for z in names) for x in names)
    return Design("k-ary", names, names, rows, names,
                  "Your true answer is sent most often; by chance, another one is.")


def direct_question(answers: Sequence[str]) -> Design:
    """The question asked directly: every response is the true answer.

    >>> direct_question(("no", "yes")).rows[0]
    (Fraction(1, 1), Fraction(0, 1))
    """
    names = tuple(answers)
    rows = tuple(tuple(Fraction(x == z) for z in names) for x in names)
    return Design("direct question", names, names, rows, names)


def custom(
    answers: Sequence[str],
    responses: Sequence[str],
    rows: Sequence[Sequence[Number]],
    sensitive: Sequence[str] | None = None,
) -> Design:
    """Any matrix of probabilities whose rows add up to 1 exactly."""
    exact = tuple(tuple(probability(p) for p in row) for row in rows)
    chosen = tuple(answers) if sensitive is None else tuple(sensitive)
    return Design("custom", tuple(answers), tuple(responses), exact, chosen,
                  "Your answer is randomized by a table of probabilities.")


def of_mechanism(mechanism: FiniteMechanism, name: str, sensitive: Sequence[str]) -> Design:
    """The design of a finite mechanism whose inputs and outputs have text labels."""
    rows = tuple(mechanism.row_at(i) for i in range(mechanism.space.size))
    answers = tuple(str(label) for label in mechanism.space.points)
    responses = tuple(str(label) for label in mechanism.outputs)
    return Design(name, answers, responses, rows, tuple(sensitive))


def _check_names(design: Design) -> None:
    for what, names in (("answers", design.answers), ("responses", design.responses)):
        looks = {alike(str(name)) for name in names}
        if not 2 <= len(names) <= MOST_ANSWERS or len(looks) < len(names) or "" in looks:
            raise BadMatrix(
                f"expected from 2 to {MOST_ANSWERS} {what} that look different, and none empty, "
                f"found {len(names)}."
            )
    if not design.sensitive or not set(design.sensitive) <= set(design.answers):
        raise BadMatrix(
            f"expected sensitive answers among {', '.join(design.answers)}, "
            f"found {', '.join(design.sensitive) or 'none'}."
        )


def _check_rows(design: Design) -> None:
    if len(design.rows) != len(design.answers):
        raise BadMatrix(f"expected {len(design.answers)} rows, found {len(design.rows)}.")
    for answer, row in zip(design.answers, design.rows, strict=True):
        if len(row) != len(design.responses):
            raise BadMatrix(
                f"expected {len(design.responses)} probabilities for {answer}, found {len(row)}."
            )
        if not all(0 <= p <= 1 for p in row) or sum(row) != 1:
            raise BadMatrix(
                f"the probabilities for {answer} must lie in [0, 1] and add up to 1 exactly; "
                f"they add up to {float(sum(row)):.12g}."
            )


def _nothing_learned(design: Design) -> str:
    if design.binary:
        return (
            "p00 + p11 = 1: a response has the same probability whatever the truth is, "
            "so nothing can be learned; choose p00 + p11 other than 1."
        )
    return (
        "different shares of the answers give the same responses, so they cannot be learned; "
        "the rows of the design must be linearly independent."
    )


def answer_names(text: str) -> tuple[str, ...]:
    """The answers in a text such as no/yes, the harmless one first.

    >>> answer_names("never / once/often"), answer_names("yes*/no")
    (('never', 'once', 'often'), ('no', 'yes'))
    """
    listed = split_names(text)
    names = [name.removesuffix("*").strip() for name in listed]
    marked = [name for name, raw in zip(names, listed, strict=True) if raw.endswith("*")]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        raise BadInput(f"expected at least two different answers as no/yes, found {text!r}.")
    if marked and (len(names), len(marked)) != (2, 1):
        raise BadInput(
            "a star marks the sensitive one of two answers (of more, all but the first are "
            f"sensitive), found {text!r}."
        )
    if not marked:
        _check_order(names)
    return tuple(sorted(names, key=lambda name: name in marked))


def read_design(file: str | PathLike[str], answers: str | None = None) -> Design:
    """The design in a file: a row for each answer, a column for each response.

    A decimal means what is written there: 0.1 is 1/10, not the double beside it.
    """
    read = read_matrix(file)
    height, width = read.values.shape
    asked = NO_YES if answers is None else answer_names(answers)
    if answers is not None and answers.strip().startswith(f"{asked[1]}*"):
        raise BadInput(f"the rows of {file} are the answers, the harmless one first: write it so.")
    names = asked if read.row_labels is None else tuple(map(str, read.row_labels))
    if answers is None:
        _check_order(names)
    elif names != asked:
        raise BadInput(
            f"the rows of {file} are named {', '.join(names)}, not {', '.join(asked)}: "
            "leave the answers out, or name them alike."
        )
    if len(names) != height:
        raise BadInput(
            f"expected a row of {file} for each of the answers {', '.join(names)}, "
            f"found {height} rows."
        )
    if read.column_labels is not None:
        responses = tuple(map(str, read.column_labels))
    else:
        responses = names if width == height else tuple(f"response {j + 1}" for j in range(width))
    cells = read.exact or [[repr(float(value)) for value in row] for row in read.values]
    return custom(names, responses, cells, names[1:])


def _check_order(names: Sequence[str]) -> None:
    if [name.casefold() for name in names] == ["yes", "no"]:
        raise BadInput(
            "the harmless answer comes first, so that “no” would be the sensitive one of yes/no: "
            "write no/yes, or yes/no* if that is meant."
        )
