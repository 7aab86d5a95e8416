"""What is shown of a comparison or several: a small table, or a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, shorten
from tightrope.errors import Refused
from tightrope.markup import LARGEST_PICTURE, card, lines, table
from tightrope.utility import BRIEFLY, question, standing_of

if TYPE_CHECKING:
    import pandas

    from tightrope.constructions.comparison import Comparison, Row
    from tightrope.constructions.tradeoffs import Tradeoff


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


def tradeoff_lines(tradeoff: Tradeoff) -> str:
    """The best construction at the first levels and at the last."""
    count = len(tradeoff)
    shown = range(count) if count <= 4 else (0, 1, count - 1)
    facts = [(str(tradeoff[k].problem.level), _best(tradeoff[k])) for k in shown]
    return lines(f"Tradeoff: {_at_levels(tradeoff)}", facts)


def tradeoff_card(tradeoff: Tradeoff) -> str:
    """The best construction at each level as HTML, beside the least loss that is possible."""
    rows = [
        (str(at.problem.level), _best(at), "not known" if at.bound is None else f"{at.bound:.6g}")
        for at in tradeoff.comparisons[:LARGEST_PICTURE]
    ]
    more = len(tradeoff) - len(rows)
    return card(
        _at_levels(tradeoff),
        picture=table(("level", "the best construction", "least loss of any mechanism"), rows),
        sentences=[f"{counted(more, 'other level')} not shown."] if more else (),
    )


def _at_levels(tradeoff: Tradeoff) -> str:
    return question(tradeoff.problem, counted(len(tradeoff), "level"))


def _best(comparison: Comparison) -> str:
    if not comparison.solutions:
        return "no construction applies"
    best = comparison.solutions[0]
    return f"{shorten(best.construction)}, loss {best.value:.6g}, {standing_of(best)}"


def to_frame(comparison: Comparison) -> pandas.DataFrame:
    """A comparison as a frame of pandas: a row for each construction, in the catalog's order.

    Where a construction does not apply, numbers are missing and `reason` says why.
    """
    try:
        import pandas
    except ImportError:
        raise Refused("a frame needs pandas: pip install pandas.") from None

    return pandas.DataFrame([_fields(row) for row in comparison.rows]).set_index("construction")


def _fields(row: Row) -> dict[str, Any]:
    """What `as_json` says of a row, the error in words, and the bound beside the loss."""
    said, solution = row.as_json(), row.solution
    errors, level = said["errors_expected"], said["level_proved"]
    bound = None if solution is None else solution.bound
    first = {"construction": said["construction"], "value": said["value"], "bound": bound}
    return {**first, "gap": said["gap"], "level_proved": None if level is None else level["upper"],
            "errors_expected": None if errors is None else errors["text"],
            "reason": said["reason"]}


def _absent(comparison: Comparison) -> list[str]:
    names = [row.construction for row in comparison.rows if row.solution is None]
    if not names:
        return []
    listed = shorten(", ".join(names), 200)
    return [f"  {counted(len(names), 'other')} not here: {listed}."]
