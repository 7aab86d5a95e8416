"""`tightrope locate cells`: positions, blurred by a mechanism on cells of a declared width."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

from tightrope.choices import CellBlur
from tightrope.cli.asked_positions import (
    AskedBlur,
    AskedPlaces,
    AskedPromise,
    PriorFile,
    SearchTime,
)
from tightrope.cli.options import choice, value

if TYPE_CHECKING:
    from tightrope.locations import GridPlan


def cells(
    promise: AskedPromise,
    cell: Annotated[str, value("--cell", "LENGTH", "The width of cells: 500m, 2km.")],
    *,
    mechanism: Annotated[CellBlur, choice(
        "--mechanism", "The best on these cells (optimal), the best that keeps the factor at the "
        "distance and nothing finer (optimal-within), or a construction for grids.",
        default=True)] = CellBlur.OPTIMAL,
    prior: PriorFile = None,
    time: SearchTime = None,
    places: AskedPlaces,
    asked: AskedBlur,
) -> None:
    """Blur positions by the best mechanism on cells, or by another one.

    The promise is that of `locate blur`: about true positions, not cells. Wide
    cells cost some of it; `locate compare` shows how much. With a prior the
    best mechanism is made for it.

    Example: tightrope locate cells trips.csv --region=-4,40,-3.99,40.01 --within 400m
    --factor 10 --cell 120m --prior towns.csv -o blurred.csv
    """
    from tightrope.cli.asked import AskedEffort
    from tightrope.cli.progress import closing
    from tightrope.locations import cells

    search = AskedEffort(gap=1e-3, time=time)
    search.effort()

    def make() -> GridPlan:
        sought = mechanism in (CellBlur.OPTIMAL, CellBlur.OPTIMAL_WITHIN)
        with (closing("designing and proving", search.gap) if sought
              else nullcontext()) as watch:
            return cells(*promise.words, cell, mechanism=mechanism, prior=prior,
                         effort=search.effort(watch))

    asked.run(make, **places.options())
