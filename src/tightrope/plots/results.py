"""A result as a figure: `comparison.plot()`, or `figure(mechanism)` for what has no method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.constructions import Comparison, FamilyPieces, Improvement, Tradeoff, ValuePieces
from tightrope.plots.bounds import bound_figure
from tightrope.plots.comparisons import comparison_figure
from tightrope.plots.heatmaps import mechanism_figure
from tightrope.plots.privacy_curves import delta_curve_figure, loss_figure, renyi_figure
from tightrope.plots.tradeoffs import pieces_figure, tradeoff_figure
from tightrope.privacy import DeltaCurve, LossCurve, PairBound, RenyiCurve
from tightrope.utility import GenericSolution, Solution

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def figure(result: Any, title: str = "") -> Figure:
    """The picture of a result: of a comparison, tradeoff, mechanism or curve.

    Returns: a matplotlib `Figure`; `savefig("name.pdf")` writes it. A comparison is drawn as
    bars, a tradeoff as lines, a mechanism or what holds one as a heat map.

    Raises: `BadInput` for what has no picture; `CannotCheck` for a mechanism without a matrix.

    >>> import tightrope as tr
    >>> figure(tr.design("path:0..4", 1)).axes[0].get_ylabel()
    'input'
    """
    match result:
        case Comparison():
            return comparison_figure(result, title)
        case Tradeoff():
            return tradeoff_figure(result, title=title)
        case ValuePieces() | FamilyPieces():
            return pieces_figure(result, title)
        case DeltaCurve():
            return delta_curve_figure(result, title)
        case RenyiCurve():
            return renyi_figure(result, title)
        case LossCurve():
            return loss_figure(result, title)
        case PairBound():
            return bound_figure({"M": result}, title or "Pairs of probabilities that it allows")
        case Improvement():
            return figure(result.after, title)
        case Solution() | GenericSolution():
            title = title or result.facts().title
    return mechanism_figure(result, title)
