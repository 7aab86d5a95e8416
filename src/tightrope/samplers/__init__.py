"""Samplers: the only entropy, and draws from exactly the law that was proved.

Each call runs a certified mechanism: `draw` on one input or dataset, `draw_many` on a column of
labels, `draw_indices` on a column of indices, `draw_batches` on a stream of columns.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.samplers.draws import draw, draw_batches, draw_indices, draw_many
    from tightrope.samplers.measurements import to_opendp
    from tightrope.samplers.orders import uniform_order, uniform_parts, uniform_slots
    from tightrope.samplers.positions import draw_cells
    from tightrope.samplers.sources import SYSTEM, SeededSource, Source
    from tightrope.samplers.tokens import fresh_key, token
    from tightrope.samplers.traces import draw_traces
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "SYSTEM",
    "SeededSource",
    "Source",
    "draw",
    "draw_batches",
    "draw_cells",
    "draw_indices",
    "draw_many",
    "draw_traces",
    "fresh_key",
    "to_opendp",
    "token",
    "uniform_order",
    "uniform_parts",
    "uniform_slots",
]
