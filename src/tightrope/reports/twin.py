"""A report as Markdown: the same sentences and tables as the page, without pictures."""

from __future__ import annotations

import re
from typing import assert_never

from tightrope.characters import escape
from tightrope.reports.blocks import (
    Block,
    Bullets,
    Command,
    Links,
    Paragraph,
    Picture,
    ReportTable,
    Section,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")


def twin(title: str, sections: list[Section]) -> str:
    """The whole text."""
    parts = [f"# {plain(title)}"]
    for section in sections:
        parts += [f"## {plain(section.title)}", *filter(None, map(_block, section.blocks))]
    return "\n\n".join(parts) + "\n"


def plain(text: str) -> str:
    r"""A text that Markdown shows as it is.

    >>> print(plain("a|b <i>*x*</i>"))
    a\|b \<i\>\*x\*\</i\>
    """
    return _SPECIAL.sub(r"\\\1", escape(text))


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return plain(block.text)
        case Bullets():
            items = "\n".join(f"- {plain(item)}" for item in block.items)
            return f"### {plain(block.title)}\n\n{items}"
        case Command():
            return f"    {block.line}"
        case Links():
            return "\n".join(f"- {plain(words)}[{plain(name)}]({name})"
                             for words, name in block.items)
        case Picture():
            return ""
        case ReportTable():
            return table(block)
        case _:
            assert_never(block)


def table(shown: ReportTable) -> str:
    """A table below its caption, with lines between cells."""
    head, *rows = shown.shown
    if shown.across:
        head = [*head[: shown.heads - 1], f"{head[shown.heads - 1]} \\ {escape(shown.across)}",
                *head[shown.heads:]]
    rule = [":--"] * shown.heads + [":--" if shown.words else "--:"] * (len(head) - shown.heads)
    lines = [[plain(cell) for cell in head], rule, *([plain(cell) for cell in row] for row in rows)]
    listed = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"**{plain(shown.caption)}**\n\n{listed}"
