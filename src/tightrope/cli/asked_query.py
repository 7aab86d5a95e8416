"""A query on datasets, as it was typed: --query, --values and --measure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tightrope.cli.asked import Aim, AskedObjective, file_or
from tightrope.cli.options import MeasureOption, QueryOption, ValuesOption, loss_names
from tightrope.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tightrope.spaces import Label, MetricQuery, Space
    from tightrope.utility import LossMatrix


@dataclass(frozen=True)
class AskedQuery:
    """A value for each dataset, the space of the values, and a base measure on it."""

    query: QueryOption = None
    values: ValuesOption = None
    measure: MeasureOption = None

    def aim(self, aim: AskedObjective, space: Space, outputs: Path | None = None) -> Aim:
        """The objective on a space: about its points, or about a query on them."""
        if self.query is None:
            if self.values is not None or self.measure is not None:
                raise BadInput("--values and --measure go with --query.")
            return aim.on(space, outputs)
        query, answers = self._read_query(space, outputs)
        loss: str | LossMatrix | None = aim.loss
        known = ["distance", *loss_names()]
        if aim.loss is not None and aim.loss not in known:
            file_or(aim.loss, f"one of the losses {', '.join(known)}")
            loss = _matrix(aim.loss, query, answers or query.codomain.points)
        return Aim(prior=aim.prior_on(space), loss=loss, goal=aim.goal, outputs=answers,
                   query=query)

    def _read_query(
        self, space: Space, outputs: Path | None
    ) -> tuple[MetricQuery, Sequence[Label] | None]:
        from tightrope.files import query_table, read_measure, read_outputs, read_query, read_space

        assert self.query is not None
        codomain = read_space(self.values) if self.values and ":" in self.values else self.values
        stored = Path(self.query).suffix or Path(self.query).is_file()
        given = query_table(self.query, space, codomain) if stored else self.query
        answers = None
        if outputs is not None:
            line = space if codomain is None or isinstance(codomain, str) else codomain
            answers = read_outputs(outputs, line)
        query = read_query(space, codomain, given, outputs=answers or ())
        if self.measure is None:
            return query, answers
        weights = read_measure(self.measure, query.codomain)
        return read_query(space, codomain, given, weights, outputs=answers or ()), answers


def _matrix(path: str, query: MetricQuery, answers: Sequence[Label]) -> LossMatrix:
    """A loss from a file: a row for each dataset or each value, a column for each answer."""
    from tightrope.files import read_matrix
    from tightrope.utility import LossMatrix

    read = read_matrix(path)
    rows = len(read.values)
    labels = query.datasets.points if rows == query.datasets.size else query.codomain.points
    if rows not in (query.datasets.size, query.codomain.size):
        raise BadInput(
            f"{path}: expected a row for each of {query.datasets.size:,} datasets or each of "
            f"{query.codomain.size:,} values, found {rows:,}."
        )
    return LossMatrix(read.along(labels, answers).numbers)
