"""A mechanism H on the answers of a query f, and H ∘ f on its datasets: private together or not.

If f is uniformly Δ-sensitive, H has level ε on answers iff H ∘ f has level Δ ε on datasets (ECP,
Theorem 1; with the graph that f induces Δ is 1, Corollary 1). The converse holds too. H ∘ f has
that level iff H has level ε in the metric d' of shortest chains, in which a step costs Δ times the
least distance of datasets with its two answers; and d' is the metric d of the answers iff f is
uniformly Δ-sensitive. If d'(a, b) and d(a, b) differ, a mechanism with two outputs tells the sides
apart: one of them has the probability c e^(-ε m(·, a)), m the larger of the two, c small.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tightrope.errors import BadInput
from tightrope.exact import Level, Number
from tightrope.facts import Fact, Facts, Shown, brief_text, card_of, data, lines_of
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, MatrixMechanism, matrix_form
from tightrope.privacy import Certificate, level_of, verify
from tightrope.spaces import MetricQuery, distance_table
from tightrope.theory.queries.queries import UniformSensitivity, uniform_sensitivity


@dataclass(frozen=True)
class ObliviousPrivacy:
    """Verdicts on a mechanism on answers and on datasets, and whether they agree for all of them.

    `scale` is Δ: datasets are judged at Δ ε.
    """

    query: MetricQuery
    level: Level
    scale: Fraction
    on_values: bool
    on_datasets: bool
    uniform: UniformSensitivity

    def facts(self) -> Facts:
        """Both verdicts, and whether they agree for every mechanism."""
        uniform = self.uniform
        why = "" if uniform.holds else f": {uniform.reason}"
        words = {True: "private", False: "not private"}
        return Facts(
            "ObliviousPrivacy",
            f"{words[self.on_values]} on the answers, {words[self.on_datasets]} on the datasets",
            (Fact("on_values", "answers", Shown(
                self.on_values, f"{words[self.on_values]} at ε = {self.level.text}")),
             Fact("on_datasets", "datasets", Shown(
                 self.on_datasets, f"{words[self.on_datasets]} at ε = "
                 f"{self.level.scaled(self.scale).text}, the query asked first")),
             Fact("uniform", "query", Shown(
                 uniform.holds, f"uniformly {self.scale}-sensitive" if uniform.holds else
                 f"not uniformly {self.scale}-sensitive{why}")),
             *data(scale=self.scale, witness=uniform.witness, **self.level.as_json()),
             Fact("values", "space of answers", brief_text(self.query.codomain.text),
                  detail=True)),
            ("For such a query both verdicts agree for every mechanism (ECP, Theorem 1)."
             if uniform.holds else
             "For such a query some mechanism is private on one side only.",),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def least_scale(query: MetricQuery) -> Fraction:
    """The least Δ with d(f(x), f(x')) <= Δ d(x, x') for all datasets.

    >>> from tightrope.spaces import path, query
    >>> least_scale(query(path(0, 2), path(0, 4), lambda x: 2 * x))
    Fraction(2, 1)
    """
    inner, far = distance_table(query.datasets)
    outer, ranks = distance_table(query.codomain)
    values = np.array(query.values)
    codes = np.unique(far.astype(np.int64) * len(outer) + ranks[np.ix_(values, values)])
    largest = Fraction(0)
    for code in codes.tolist():
        above, below = outer[code % len(outer)].rational, inner[code // len(outer)].rational
        if above is None or below is None:
            raise BadInput("expected distances that are fractions, of datasets and of answers.")
        if below:
            largest = max(largest, above / below)
    return largest


def oblivious_privacy(
    query: MetricQuery,
    mechanism: FiniteMechanism | Held | Matrix,
    epsilon: Level | Number | None = None,
    *,
    ratio: Number | None = None,
    scale: Number | None = None,
) -> ObliviousPrivacy:
    """Judge a mechanism on the answers of a query and on its datasets, both exactly.

    Datasets are judged at Δ ε; Δ is the `scale`, the least Lipschitz constant of the query if not
    given.

    Returns: `ObliviousPrivacy`; `on_values` and `on_datasets` are the verdicts, `uniform` says
    whether they agree for every mechanism.

    Raises: `BadInput` for a mechanism that is not on the answers, an ε that is not above 0, or
    distances that are no fractions.

    >>> from tightrope.spaces import hamming, path
    >>> from tightrope.spaces import query as ask
    >>> count = ask(hamming(values=2, people=2), path(0, 2), sum)
    >>> rows = [["4/6", "2/6"], ["2/6", "4/6"], ["1/6", "5/6"]]
    >>> told = oblivious_privacy(count, rows, ratio=2)
    >>> told.on_values, told.on_datasets, told.uniform.holds
    (True, True, True)
    """
    level = Level.positive(level_of(epsilon, ratio=ratio))
    factor = least_scale(query) if scale is None else Fraction(str(scale))
    if factor <= 0:
        raise BadInput(f"expected a query with different answers, and a Δ above 0, found {factor}.")
    form = matrix_form(mechanism, query.codomain)
    rows = [form.row(y) for y in query.codomain.points]
    composed = MatrixMechanism.of([rows[k] for k in query.values], query.datasets, form.outputs)
    inner = verify(form, query.codomain, level)
    outer = verify(composed, query.datasets, level.scaled(factor))
    return ObliviousPrivacy(query, level, factor, isinstance(inner, Certificate),
                            isinstance(outer, Certificate), uniform_sensitivity(query, factor))
