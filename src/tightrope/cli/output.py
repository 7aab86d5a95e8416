"""How a command answers: one JSON object for programs, a page for people.

A command ends in `tell`, which prints the facts of its result in one of the two forms. Notes and
progress go to standard error, so that with `--json` standard output holds the object and nothing
else. Text is escaped on its way to the terminal, and nothing in it is markup.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tightrope.characters import counted, escape
from tightrope.facts import to_json

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions
    from rich.table import Table
    from rich.text import Text

    from tightrope.facts import Facts
    from tightrope.facts import Table as FactTable

MOST_ROWS = 60
"""Rows of a table that people are shown; --json has all."""

_NARROW = 14
"""Least width of a column of words."""
_BROKEN = 20
"""Letters of a word that may be broken to fit: shorter ones keep a column as wide as they are."""


class PipeClosed(Exception):
    """The reader of standard output went away."""


def tell(result: Facts, *, as_json: bool) -> None:
    """Print a result in the form that was asked for, from its one description."""
    if as_json:
        print_json(result.json)
        return
    try:
        print_page(console(), result)
        sys.stdout.flush()
    except BrokenPipeError:
        raise PipeClosed from None


def print_page(screen: Console, result: Facts) -> None:
    """Print a result for people: title, leading tables, facts, other tables, sentences."""
    first = result.leading
    if result.title:
        screen.print(result.title)
    for shown in first:
        _print_table(screen, shown)
    if result.labeled:
        screen.print(facts(result.labeled))
    for shown in result.tables[len(first):]:
        _print_table(screen, shown)
    if result.sentences:
        paragraph(screen, *result.sentences)


def _print_table(screen: Console, shown: FactTable) -> None:
    if shown.label:
        screen.print()
        screen.print(shown.label)
    words = sum(column.words for column in shown.columns) or 1
    most = len(shown.rows) if shown.whole else MOST_ROWS
    screen.print(table(shown.titles, shown.cells(most), words=words))
    if (more := len(shown.rows) - most) > 0:
        screen.print(f"… and {counted(more, 'more row')}")


def print_json(answer: Mapping[str, Any]) -> None:
    """One JSON object on one line of standard output."""
    try:
        print(json.dumps(to_json(answer), allow_nan=False), flush=True)
    except BrokenPipeError:
        raise PipeClosed from None


def console(*, stderr: bool = False) -> Console:
    """The terminal; plain text of 80 columns where there is none."""
    from rich.console import Console
    from rich.text import Text

    class Terminal(Console):
        def print(self, *objects: Any, **options: Any) -> None:
            plain = (Text(escape(part)) if isinstance(part, str) else part for part in objects)
            super().print(*plain, **options)

        def on_broken_pipe(self) -> None:
            raise PipeClosed

    return Terminal(stderr=stderr, highlight=False, emoji=False)


def facts(rows: Sequence[tuple[str, object]]) -> Table:
    """A table of names and values. Rows without a value are left out.

    A value may be a list of lines.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True, style="dim")
    table.add_column(overflow="fold")
    for name, value in rows:
        if value is not None:
            lines = value if isinstance(value, list) else [value]
            shown = "\n".join(escape(str(line)) for line in lines)
            table.add_row(Text(escape(name)), Text(shown))
    return table


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> Listing:
    """A table under a line of names; the first `words` columns hold words, the others numbers."""
    return Listing([*map(escape, columns)], [[*map(escape, row)] for row in rows], words)


@dataclass(frozen=True)
class Listing:
    """Rows under names; in a terminal too narrow for them, each row below its first cell."""

    names: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int

    def __rich_console__(
        self, screen: Console, options: ConsoleOptions
    ) -> Iterator[Table | Text]:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        if self._least > options.max_width:
            for first, *cells in self.rows:
                yield Text(first)
                named = zip(self.names[1:], cells, strict=True)
                yield facts([(f"  {name}", cell) for name, cell in named if cell])
            return
        grid = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
        for position, name in enumerate(self.names):
            if position < self.words:
                grid.add_column(Text(name), overflow="fold")
            else:
                grid.add_column(Text(name), justify="right", no_wrap=True)
        for row in self.rows:
            grid.add_row(*map(Text, row))
        yield grid

    @property
    def _least(self) -> int:
        """The characters of a line that it needs: words are broken, numbers are not."""
        columns = [*zip(self.names, *self.rows, strict=True)]
        widths = [max(map(len, column)) for column in columns]
        longest = [max(map(len, " ".join(column).split()), default=0) for column in columns]
        words = [min(width, max(_NARROW, min(word, _BROKEN)))
                 for width, word in zip(widths[: self.words], longest, strict=False)]
        return sum(words) + sum(widths[self.words :]) + 3 * len(widths) - 1


def paragraph(screen: Console, *sentences: str) -> None:
    """Print sentences after an empty line; indented ones are commands and are not wrapped."""
    screen.print()
    for sentence in sentences:
        screen.print(sentence, soft_wrap=sentence.startswith(" "))
