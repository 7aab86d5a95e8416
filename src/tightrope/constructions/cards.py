"""What is shown of a comparison: a small table in a terminal and in a notebook, or a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, shorten
from tightrope.markup import card, table
from tightrope.utility import BRIEFLY, Solution, question, standing_of

if TYPE_CHECKING:
    import pandas

    from tightrope.constructions.designing import Comparison, Row


def comparison_lines(comparison: Comparison) -> str:
    """The constructions that apply, the best one first, and how many do not."""
    lines = [
        f"  {name:<20} loss {solution.value:<10.6g} {standing_of(solution)}"
        for name, solution in _ranked(comparison)
    ]
    return "\n".join([f"Comparison: {question(comparison.problem)}", *lines, *_absent(comparison)])


def comparison_card(comparison: Comparison) -> str:
    """A comparison as HTML."""
    rows = [
        (name, f"{solution.value:.6g}", standing_of(solution).removeprefix("the best saves "),
         "" if solution.closeness is None else solution.closeness.brief)
        for name, solution in _ranked(comparison)
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
    import pandas

    return pandas.DataFrame([_fields(row) for row in comparison.rows]).set_index("construction")


def _fields(row: Row) -> dict[str, Any]:
    solution = row.solution
    smallest = None if solution is None else solution.certified.certificate.smallest
    close = None if solution is None else solution.closeness
    return {
        "construction": row.construction,
        "value": None if solution is None else solution.value,
        "bound": None if solution is None else solution.bound,
        "gap": None if solution is None else solution.gap,
        "epsilon": None if smallest is None else smallest.upper,
        "error": None if close is None else str(close),
        "reason": row.reason,
    }


def _ranked(comparison: Comparison) -> list[tuple[str, Solution]]:
    found = [(shorten(row.construction), row.solution) for row in comparison.rows if row.solution]
    return sorted(found, key=lambda pair: pair[1].value)


def _absent(comparison: Comparison) -> list[str]:
    names = [row.construction for row in comparison.rows if row.solution is None]
    if not names:
        return []
    listed = shorten(", ".join(names), 200)
    return [f"  {counted(len(names), 'other')} not here: {listed}."]
