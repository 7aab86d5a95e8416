"""Tables of other libraries, whose rows and columns carry labels: read by these, as files are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tightrope.errors import BadMatrix
from tightrope.spaces.protocol import Label


def in_order(given: Any, rows: Sequence[Label], columns: Sequence[Label] | None = None) -> Any:
    """A pandas Series or DataFrame with its rows in this order; anything else as it is.

    Rows that are numbered from 0 on are in order already, and other rows must be named by these
    labels. Columns may have other names; named by `columns`, they are put into their order.
    """
    axes = getattr(given, "axes", None)
    if not isinstance(axes, list) or not hasattr(given, "iloc"):
        return given
    down = _order(axes[0], rows)
    if down is None and len(axes[0]) == len(rows) and [*axes[0]] != [*range(len(rows))]:
        raise BadMatrix(
            f"the rows of a {type(given).__name__} are named neither by the {len(rows)} inputs "
            "nor 0, 1, 2, …; give .to_numpy() if they are in the order of the inputs."
        )
    across = None if columns is None or len(axes) < 2 else _order(axes[1], columns)
    given = given if down is None else given.iloc[down]
    return given if across is None else given.iloc[:, across]


def _order(labels: Any, wanted: Sequence[Label]) -> list[int] | None:
    """Where each wanted label stands; None where these are not the labels."""
    if len(labels) != len(wanted):
        return None
    places = {str(label): place for place, label in enumerate(labels)}
    names = [str(label) for label in wanted]
    if len(places) < len(names) or not places.keys() >= set(names):
        return None
    return [places[name] for name in names]
