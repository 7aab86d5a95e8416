"""Plots: results as figures, and figures as the bytes of a picture. No disk here.

matplotlib is imported inside the functions, without any window or global state.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.plots.bounds import bound_figure, definition_figure, delta_figure, odds_figure
    from tightrope.plots.comparisons import comparison_figure
    from tightrope.plots.curves import curve_figure
    from tightrope.plots.estimates import estimate_figure
    from tightrope.plots.families import family_figure
    from tightrope.plots.figures import picture
    from tightrope.plots.gains import GainPanel, gain_figure
    from tightrope.plots.heatmaps import log_probabilities, mechanism_figure
    from tightrope.plots.level_ladders import level_ladder_figure
    from tightrope.plots.levels import thresholds_figure
    from tightrope.plots.maps import Around, Disc, heat_figure, map_figure
    from tightrope.plots.networks import degree_figure, network_error_figure
    from tightrope.plots.polytopes import orbit_figure
    from tightrope.plots.priors import prior_figure
    from tightrope.plots.rates import density_figure, density_steps, noise_figure, rate_figure
    from tightrope.plots.regions import regular_priors_figure
    from tightrope.plots.releases import (
        Drawn,
        answers_figure,
        crossed_figure,
        distribution_figure,
        quantiles_figure,
    )
    from tightrope.plots.rowgraphs import row_graph_figure
    from tightrope.plots.surveys import intervals_figure, level_sets_figure, lines_figure
    from tightrope.plots.tradeoffs import tradeoff_figure
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Around",
    "Disc",
    "Drawn",
    "GainPanel",
    "answers_figure",
    "bound_figure",
    "comparison_figure",
    "crossed_figure",
    "curve_figure",
    "definition_figure",
    "degree_figure",
    "delta_figure",
    "density_figure",
    "density_steps",
    "distribution_figure",
    "estimate_figure",
    "family_figure",
    "gain_figure",
    "heat_figure",
    "intervals_figure",
    "level_ladder_figure",
    "level_sets_figure",
    "lines_figure",
    "log_probabilities",
    "map_figure",
    "mechanism_figure",
    "network_error_figure",
    "noise_figure",
    "odds_figure",
    "orbit_figure",
    "picture",
    "prior_figure",
    "quantiles_figure",
    "rate_figure",
    "regular_priors_figure",
    "row_graph_figure",
    "thresholds_figure",
    "tradeoff_figure",
]
