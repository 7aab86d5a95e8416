"""Plots: results as figures, and figures as the bytes of a picture. No disk here.

matplotlib is imported inside the functions, without any window or global state.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.plots.bars import MOST_BARS, bars_figure
    from tightrope.plots.bounds import bound_figure, definition_figure, delta_figure
    from tightrope.plots.budgets import spending_figure
    from tightrope.plots.chart_drawing import TINT_COLORS, chart_figure, panel_figures
    from tightrope.plots.charts import (
        Across,
        Chart,
        Contours,
        Dots,
        Heat,
        Line,
        Panel,
        Place,
        Ribbon,
        Shape,
        Span,
        Stairs,
        Strokes,
        Tint,
        Words,
        line,
    )
    from tightrope.plots.comparisons import comparison_figure
    from tightrope.plots.curves import curve_figure
    from tightrope.plots.estimates import estimate_figure, queries_figure
    from tightrope.plots.figures import (
        COLOR,
        blank,
        blank_grid,
        named_positions,
        picture,
        shortened,
        unread,
    )
    from tightrope.plots.heatmaps import log_probabilities, mechanism_figure
    from tightrope.plots.maps import Around, Disc, heat_figure, map_figure
    from tightrope.plots.networks import degree_figure, network_error_figure
    from tightrope.plots.releases import (
        ChanceCurves,
        Drawn,
        answers_figure,
        chance_figure,
        crossed_figure,
        distribution_figure,
        quantiles_figure,
    )
    from tightrope.plots.results import figure
    from tightrope.plots.rowgraphs import row_graph_figure
    from tightrope.plots.surveys import intervals_figure, lines_figure
    from tightrope.plots.tradeoffs import tradeoff_figure
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "COLOR",
    "MOST_BARS",
    "TINT_COLORS",
    "Across",
    "Around",
    "ChanceCurves",
    "Chart",
    "Contours",
    "Disc",
    "Dots",
    "Drawn",
    "Heat",
    "Line",
    "Panel",
    "Place",
    "Ribbon",
    "Shape",
    "Span",
    "Stairs",
    "Strokes",
    "Tint",
    "Words",
    "answers_figure",
    "bars_figure",
    "blank",
    "blank_grid",
    "bound_figure",
    "chance_figure",
    "chart_figure",
    "comparison_figure",
    "crossed_figure",
    "curve_figure",
    "definition_figure",
    "degree_figure",
    "delta_figure",
    "distribution_figure",
    "estimate_figure",
    "figure",
    "heat_figure",
    "intervals_figure",
    "line",
    "lines_figure",
    "log_probabilities",
    "map_figure",
    "mechanism_figure",
    "named_positions",
    "network_error_figure",
    "panel_figures",
    "picture",
    "quantiles_figure",
    "queries_figure",
    "row_graph_figure",
    "shortened",
    "spending_figure",
    "tradeoff_figure",
    "unread",
]
