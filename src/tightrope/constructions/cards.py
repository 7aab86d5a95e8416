"""What is shown of a comparison: a small table in a terminal and in a notebook, or a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, shorten
from tightrope.errors import Refused
from tightrope.markup import card, table
from tightrope.utility import BRIEFLY, question, standing_of

if TYPE_CHECKING:
    import pandas

    from tightrope.constructions.comparison import Comparison, Row


def comparison_lines(comparison: Comparison) -> str:
    """The constructions that apply, the best one first, and how many do not."""
    lines = [
        f"  {shorten(one.construction):<20} loss {one.value:<10.6g} {standing_of(one)}"
        for one in comparison.solutions
    ]
    return "\n".join([f"Comparison: {question(comparison.problem)}", *lines, *_absent(comparison)])


def comparison_card(comparison: Comparison) -> str:
    """A comparison as HTML."""
    rows = [
        (shorten(one.construction), f"{one.value:.6g}",
         standing_of(one).removeprefix("the best saves "),
         "" if one.closeness is None else one.closeness.brief)
        for one in comparison.solutions
    ]
    columns = ("construction", "loss", "the best saves", "error")
    explained = [BRIEFLY] if any(row[-1].startswith("±") for row in rows) else []
    bound = comparison.bound
    least = "not known" if bound is None else f"{bound:.7g}"
    return card(
        question(comparison.problem),
        picture=table(columns, rows),
        sentences=[
            *(line.strip() for line in _absent(comparison)),
            f"Each level is proved. The least loss of any mechanism at the level asked for: "
            f"{least}.",
            *explained,
        ],
    )


def to_frame(comparison: Comparison) -> pandas.DataFrame:
    """A comparison as a frame of pandas: a row for each construction, in the catalog's order.

    Where a construction does not apply, numbers are missing and `reason` says why.
    """
    try:
        import pandas
    except ImportError:
        raise Refused("a frame needs pandas: pip install 'tightrope[frames]'.") from None

    return pandas.DataFrame([_fields(row) for row in comparison.rows]).set_index("construction")


def _fields(row: Row) -> dict[str, Any]:
    """What `as_json` says of a row, the error in words, and the bound beside the loss."""
    said, solution = row.as_json(), row.solution
    error = None if said["error"] is None else said["error"]["text"]
    bound = None if solution is None else solution.bound
    first = {"construction": said["construction"], "value": said["value"], "bound": bound}
    return {**first, "gap": said["gap"], "epsilon": said["epsilon"], "error": error,
            "reason": said["reason"]}


def _absent(comparison: Comparison) -> list[str]:
    names = [row.construction for row in comparison.rows if row.solution is None]
    if not names:
        return []
    listed = shorten(", ".join(names), 200)
    return [f"  {counted(len(names), 'other')} not here: {listed}."]
