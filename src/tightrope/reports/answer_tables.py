"""Answers as people expect them: a list for one column, a grid with margins for several.

The columns of a grid are the values of one part of the cells: of the last one, or of the one with
the fewest values where the last has many. Where cells are counts or sums that do not overlap,
sums of them stand in the margins with the width of as many noises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from tightrope.releases import (
    Answer,
    Difference,
    Margin,
    QuestionPlan,
    cell_names,
    mark,
    shown_cell,
    shown_choice,
)
from tightrope.reports.blocks import ReportTable, TableCell
from tightrope.reports.evidence import AnsweredQuestion
from tightrope.reports.texts import say

_MOST_ACROSS = 8
"""Columns of a grid that fit a page; with more, another part of the cells may lie across."""

Key = tuple[bool, str]
"""A part of a cell: whether it stands for all values, and its text."""


def confidence_text(plan: QuestionPlan) -> str:
    """The confidence of intervals as a percentage."""
    return f"{100 * float(plan.confidence):g} %"


def answer_tables(question: AnsweredQuestion) -> tuple[ReportTable, ...]:
    """The tables of one question: answers with intervals; adjusted ones and means over cuts."""
    plan = question.plan
    answers = [replace(answer, value=shown_choice(plan, answer) or answer.value)
               for answer in question.answers]
    title = plan.question.title
    caption = say("caption-plain", question=title)
    if answers and answers[0].low is not None:
        caption = say("caption", question=title, unit=plan.unit_of_error,
                      confidence=confidence_text(plan))
    if plan.keys is not None or len(answers[0].cell) < 2:
        return (_listing(plan, answers, question.agreed, caption),)
    tables = [_grid(plan, [*answers, *margins(plan, answers)], caption, answer_cell)]
    if question.agreed is not None:
        tables.append(_grid(plan, question.agreed, say("caption-agreed", question=title),
                            answer_cell))
    if plan.question.adjusted:
        tables.append(_grid(plan, answers, say("caption-adjusted", question=title), _adjusted))
    if answers[0].over_cuts is not None:
        tables.append(_grid(plan, answers, say("caption-cuts", question=title), _over_cuts))
    return tuple(tables)


def change_table(change: Difference, first: str, second: str) -> ReportTable:
    """The difference of two releases, cell by cell."""
    caption = say("caption-change", question=change.second.question.title, first=first,
                  second=second)
    if len(change.answers[0].cell) >= 2:
        return _grid(change.second, change.answers, caption, lambda answer: _interval_cell(
            answer, noisy=bool(change.note(answer))))
    names = cell_names(change.second) or [""]
    rows = tuple((TableCell(_label(change.second, answer)),
                  _value(answer, noisy=bool(change.note(answer))),
                  _number(answer, answer.low), _number(answer, answer.high),
                  TableCell(change.note(answer))) for answer in change.answers)
    return ReportTable(caption, (names[0], say("column-change"), say("column-from"),
                                 say("column-to"), say("column-note")), rows)


def answer_cell(answer: Answer) -> TableCell:
    """An answer with its interval, in one cell; one that is mostly noise is shaded."""
    return _interval_cell(answer, noisy=answer.mark is not None)


def is_marked(tables: Sequence[ReportTable]) -> bool:
    """Whether some cell is shaded."""
    return any(cell.noisy for table in tables for row in table.rows for cell in row)


def margins(plan: QuestionPlan, answers: Sequence[Answer]) -> list[Answer]:
    """Sums of cells along the grid, where cells do not overlap and margins were not asked for."""
    if not plan.strategy.sums or len(plan.strategy.sums) > 1 or plan.tally.people:
        return []  # a cross table has its margins; a person may be in several cells
    across = _across(plan)
    columns: dict[str, list[Answer]] = {}
    rows: dict[tuple[str, ...], list[Answer]] = {}
    for answer in answers:
        columns.setdefault(answer.cell[across], []).append(answer)
        rows.setdefault((*answer.cell[:across], *answer.cell[across + 1:]), []).append(answer)
    everything = (ALL,) * len(answers[0].cell)
    sums = [_sum(plan, cells, (*row[:across], ALL, *row[across:])) for row, cells in rows.items()]
    sums += [_sum(plan, cells, (*everything[:across], column, *everything[across + 1:]))
             for column, cells in columns.items()]
    return [*sums, _sum(plan, answers, everything)]


ALL = Margin("all")


def _sum(plan: QuestionPlan, cells: Sequence[Answer], name: tuple[str, ...]) -> Answer:
    value = sum((cell.value for cell in cells if isinstance(cell.value, Fraction)), Fraction(0))
    width = plan.subqueries[0].width(plan.confidence, len(cells))
    low, high = value - width, value + width
    return Answer(name, value, low, high, mark(plan, low, high))


def _listing(
    plan: QuestionPlan, answers: Sequence[Answer], agreed: Sequence[Answer] | None, caption: str
) -> ReportTable:
    """One row for each answer; columns that have nothing in them are left out."""
    columns: dict[str, list[TableCell]] = {
        "": [TableCell(_label(plan, answer)) for answer in answers],
        "column-answer": [_value(answer, noisy=answer.mark is not None)
                          for answer in answers],
        "column-from": [_number(answer, answer.low) for answer in answers],
        "column-to": [_number(answer, answer.high) for answer in answers],
        "column-agreed": [TableCell("") if agreed is None else answer_cell(answer)
                          for answer in agreed or answers],
        "column-note": [TableCell(answer.note or "") for answer in answers],
        "column-cuts": [_over_cuts(answer) for answer in answers],
        "column-adjusted": [_number(answer, answer.adjusted) for answer in answers],
        "column-possible": [_possible(answer) for answer in answers],
    }
    used = {key: cells for key, cells in columns.items() if any(cell.text for cell in cells)}
    names = tuple((cell_names(plan) or [""])[0] if not key else say(key) for key in used)
    return ReportTable(caption, names, tuple(zip(*used.values(), strict=True)))


def _label(plan: QuestionPlan, answer: Answer) -> str:
    return ", ".join(shown_cell(plan, answer.cell)) or plan.question.noun


def _grid(
    plan: QuestionPlan, answers: Sequence[Answer], caption: str,
    cell: Callable[[Answer], TableCell],
) -> ReportTable:
    """Answers with the values of one part across, and a row for all others."""
    cells = {tuple(map(_key, answer.cell)): answer for answer in answers}
    across = _across(plan)
    values = [sorted(dict.fromkeys(key[part] for key in cells), key=lambda key: key[0])
              for part in range(len(answers[0].cell))]
    down = [part for part in range(len(values)) if part != across]
    if _is_cross(plan):
        down = [*down[1:], down[0]]  # groups first, the margins of each below its cells
    names, rows = cell_names(plan), []
    texts = {(part, _key(code)): shown for answer in answers for part, (code, shown) in enumerate(
        zip(answer.cell, shown_cell(plan, answer.cell), strict=True))}

    def text(part: int, key: Key) -> str:
        return say("all") if key[0] else texts[part, key]

    for row in product(*(values[part] for part in down)):
        known = dict(zip(down, row, strict=True))
        line = [cells.get(tuple(known.get(part, column) for part in range(len(values))))
                for column in values[across]]
        if any(line):
            rows.append((*(TableCell(text(*place)) for place in zip(down, row, strict=True)),
                         *(TableCell("") if answer is None else cell(answer) for answer in line)))
    columns = (*(names[part] for part in down), *(text(across, key) for key in values[across]))
    return ReportTable(caption, columns, tuple(rows), len(down), names[across])


def _across(plan: QuestionPlan) -> int:
    """The part of the cells whose values lie across: the last, or the one with the fewest."""
    parts = range(len(plan.cells[0]))
    sizes = [len({_key(cell[part]) for cell in plan.cells}) for part in parts]
    last = 1 if _is_cross(plan) else len(sizes) - 1
    if sizes[last] <= _MOST_ACROSS:
        return last
    return min(parts, key=lambda part: (sizes[part], part != last))


def _is_cross(plan: QuestionPlan) -> bool:
    """Whether two columns are counted in pairs, with margins; others are groups."""
    return len(plan.question.columns) > 1


def _key(part: str) -> Key:
    return isinstance(part, Margin), str(part)


def _interval_cell(answer: Answer, *, noisy: bool) -> TableCell:
    shown = _value(answer, noisy=noisy)
    if answer.low is None or answer.high is None:
        return shown
    middle = answer.value
    if isinstance(middle, Fraction) and answer.high - middle == middle - answer.low:
        beside = f"± {answer.number_text(answer.high - middle)}"
    else:
        beside = f"({_range(answer, (answer.low, answer.high))})"
    return TableCell(shown.text, beside, shown.noisy)


def _value(answer: Answer, *, noisy: bool) -> TableCell:
    """The value of an answer, with a dagger where it is mostly noise."""
    if answer.value is None:
        return TableCell(say("withheld"))
    text = _number(answer, answer.value).text
    return TableCell(f"{text} †" if noisy else text, noisy=noisy)


def _number(answer: Answer, number: Fraction | int | str | None) -> TableCell:
    """A number in the digits of an answer, or a text; nothing where there is none."""
    if number is None or isinstance(number, str):
        return TableCell(number or "")
    return TableCell(answer.number_text(number))


def _adjusted(answer: Answer) -> TableCell:
    return TableCell(_number(answer, answer.adjusted).text, _possible(answer).text)


def _possible(answer: Answer) -> TableCell:
    if answer.adjusted is None:
        return TableCell("")
    return TableCell(_range(answer, answer.possible))


def _over_cuts(answer: Answer) -> TableCell:
    if answer.over_cuts is None:
        return TableCell("")
    return TableCell(_range(answer, answer.over_cuts))


def _range(answer: Answer, ends: Sequence[Fraction | int]) -> str:
    low, high = map(answer.number_text, ends)
    return say("range", low=low, high=high)
