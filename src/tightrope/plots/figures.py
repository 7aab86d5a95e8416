"""Blank figures in one style, and figures as the bytes of a picture.

The same figure always gives the same bytes: no date, no random names inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO
from math import isfinite
from typing import TYPE_CHECKING, Any

from tightrope.characters import escape
from tightrope.errors import BadInput
from tightrope.extras import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE: dict[Any, Any] = {
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": "medium",
    "font.size": 10.0,
    "pdf.fonttype": 42,  # TrueType, which journals ask for
    "svg.fonttype": "none",
    "svg.hashsalt": "tightrope",
}
COLOR = "#1f4e79"
MOST_NAMES = 24
"""Labels along an axis; with more points only some of them are named."""


def blank(width: float, height: float, columns: int = 1) -> tuple[Figure, Sequence[Axes]]:
    """A figure with axes side by side; sizes in inches."""
    return blank_grid(width, height, 1, columns)


def blank_grid(
    width: float, height: float, rows: int, columns: int, *, shared: bool = False
) -> tuple[Figure, Sequence[Axes]]:
    """A figure with rows of axes, listed row by row; sizes in inches; scales shared or not."""
    require("plot", "a picture")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(rows, columns, squeeze=False, sharex=shared, sharey=shared)
    return figure, list(axes.flat)


_UNDATED: dict[str, dict[str, None]] = {
    "svg": {"Date": None}, "png": {"Software": None}, "pdf": {"CreationDate": None}}
"""Entries that each kind of file is written without, so that equal figures give equal files."""


def picture(figure: Figure | Any, kind: str) -> bytes:
    """A figure, or the picture of a result, as a file of the kind "png", "svg" or "pdf".

    Returns: the bytes of the file, without a date, so that equal figures give equal files.

    Raises: `BadInput` for another kind.

    >>> from tightrope.plots import comparison_figure
    >>> picture(comparison_figure([("geometric", 0.56)], "Losses"), "png")[1:4]
    b'PNG'
    """
    from matplotlib import rc_context

    if not hasattr(figure, "canvas"):
        from tightrope.plots.results import figure as figure_of  # which knows this module

        figure = figure_of(figure)
    if kind not in _UNDATED:
        raise BadInput(f"expected the kind of a picture, png, svg or pdf, found {kind!r:.60}.")
    buffer = BytesIO()
    with rc_context(STYLE):
        figure.canvas.print_figure(buffer, format=kind, dpi=150, metadata=_UNDATED[kind])
    return buffer.getvalue()


def named_positions(names: Sequence[str]) -> list[int]:
    """Which positions of an axis to name, so that the names stay legible.

    >>> named_positions("abc"), named_positions("x" * 50)[:3]
    ([0, 1, 2], [0, 5, 10])
    """
    size = len(names)
    if size <= MOST_NAMES:
        return list(range(size))
    step = next(s * 10**k for k in range(20) for s in (1, 2, 5) if size <= s * 10**k * 12)
    return list(range(0, size, step))


def number_text(number: float, _: object = None) -> str:
    """A number beside an axis, its thousands set apart.

    >>> number_text(12000.0), number_text(0.25)
    ('12,000', '0.25')
    """
    return f"{number:,.10g}"


def write_numbers(axes: Axes, numbers: Iterable[float], room: int = 42) -> None:
    """Write the numbers of the lower axis in full, as many as have room beside each other.

    `room` are the characters of a page that is as narrow as a phone's.
    """
    from matplotlib.ticker import MaxNLocator

    longest = max((len(number_text(float(f"{number:.4g}"))) for number in numbers
                   if isfinite(number)), default=1)
    axes.xaxis.set_major_locator(MaxNLocator(max(2, min(8, room // (longest + 2)))))
    axes.xaxis.set_major_formatter(number_text)


def shortened(label: object, most: int = 16) -> str:
    """A label as a name that fits beside an axis.

    >>> shortened((0, "red")), shortened("a name that goes on and on")
    ('(0, red)', 'a name that goe…')
    """
    name = escape(str(label).replace("'", "") if isinstance(label, tuple) else str(label))
    return unread(name if len(name) <= most else f"{name[: most - 1]}…")


def unread(text: str) -> str:
    """The text for a figure that does not read formulas into it.

    >>> print(unread("from $5 to $9"))
    from \\$5 to \\$9
    """
    return text.replace("$", r"\$")
