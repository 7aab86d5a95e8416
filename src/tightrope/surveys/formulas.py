"""A formula such as `q1 ~ group + q3`: an outcome and the terms that it may depend on.

The outcome is the key of a question, or `q1=often` for the share of one answer. A term is `group`
or the key of a clear question; `1` alone asks for no terms. Answers without order become a column
for each of them but the first that occurs, the reference; a scale or number is one column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tightrope.characters import shorten
from tightrope.errors import BadInput
from tightrope.exact import FloatArray
from tightrope.surveys.means import FEW
from tightrope.surveys.respondents import GROUP, Respondents

_TERM = re.compile("[a-z][a-z0-9]{0,19}")


@dataclass(frozen=True)
class Formula:
    """An outcome, the answer whose share is asked for, and the terms.

    >>> Formula.of("q1 ~ group + q3")
    Formula(outcome='q1', answer=None, terms=('group', 'q3'))
    """

    outcome: str
    answer: str | None
    terms: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Formula:
        """The formula in a text."""
        if not isinstance(text, str):
            raise BadInput("expected a formula in a text, such as \"q1 ~ group + q3\", found "
                           f"{type(text).__name__}.")
        left, tilde, right = text.rpartition("~")
        key, equals, answer = left.partition("=")
        terms = tuple(part.strip() for part in right.split("+"))
        if not tilde or not _TERM.fullmatch(key.strip()) or (equals and not answer.strip()):
            raise BadInput("expected a formula such as q1 ~ group + q3, or q1=often ~ group, found "
                           f"{shorten(text)!r}.")
        if terms == ("1",):
            terms = ()
        if not all(map(_TERM.fullmatch, terms)) or len({*terms, key.strip()}) <= len(terms):
            raise BadInput(
                "expected different terms with + between: group, or keys of clear questions other "
                f"than the outcome, found {shorten(right.strip())!r}.")
        return cls(key.strip(), answer.strip() if equals else None, terms)

    def __str__(self) -> str:
        left = self.outcome if self.answer is None else f"{self.outcome}={self.answer}"
        return f"{left} ~ {' + '.join(self.terms) or '1'}"


@dataclass(frozen=True)
class Covariates:
    """The columns of a regression: a name and a number for each person who has all of them.

    `kept` tells which people these are; `references` are the answers that columns compare with.
    """

    names: tuple[str, ...]
    matrix: FloatArray
    kept: tuple[bool, ...]
    references: tuple[str, ...]

    @property
    def rare(self) -> tuple[str, ...]:
        """The columns in which fewer than 30 people differ from the most common number.

        All columns if there are fewer than 30 people.
        """
        if len(self.matrix) < FEW:
            return self.names
        return tuple(
            name for name, column in zip(self.names[1:], self.matrix.T[1:], strict=True)
            if len(column) - np.unique(column, return_counts=True)[1].max() < FEW)


def covariates(terms: tuple[str, ...], people: Respondents) -> Covariates:
    """The columns of the terms, an intercept first."""
    columns: list[tuple[str, FloatArray]] = [("intercept", np.ones(len(people)))]
    references = []
    for term in terms:
        question = None if term == GROUP else people.question(term, beside=(GROUP,))
        if question is not None and not question.clear:
            raise BadInput(f"the answers to {term} are randomized, so they cannot be a term: name "
                           f"{GROUP} or a clear question, or make {term} the outcome.")
        names, places = people.levels(term)
        if question is not None and question.scores is not None:
            scores = np.array([np.nan if s is None else float(s) for s in question.scores])
            columns.append((term, scores[places]))
            continue
        first, *others = [i for i in range(len(names)) if i in set(places)]
        references.append(f"{term} = {names[first]}")
        columns += [(f"{term} = {names[i]}", (np.array(places) == i).astype(float))
                    for i in others]
    matrix = np.column_stack([values for _, values in columns])
    kept = np.array([not np.isnan(row).any() for row in matrix])
    named = tuple(name for name, _ in columns)
    _check_rank(named, matrix[kept])
    return Covariates(named, matrix[kept], tuple(kept.tolist()), tuple(references))


def _check_rank(names: tuple[str, ...], matrix: FloatArray) -> None:
    for place in range(1, len(names) + 1):
        if np.linalg.matrix_rank(matrix[:, :place]) < place:
            raise BadInput(f"the term {names[place - 1]!r} follows from those before it (or is the "
                           "same for all people), so its effect cannot be told: leave it out.")
    if len(matrix) <= len(names):
        raise BadInput(f"expected more people than columns, found {len(matrix)} and {len(names)}.")
