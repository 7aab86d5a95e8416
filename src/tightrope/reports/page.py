"""A report as one page of HTML: no script, no network, light and dark, for phones and paper."""

from __future__ import annotations

from typing import Final, assert_never

from tightrope.markup import written
from tightrope.reports.blocks import (
    Block,
    Bullets,
    Command,
    Links,
    Paragraph,
    Picture,
    ReportTable,
    Section,
    TableCell,
)
from tightrope.reports.texts import LANGUAGE

STYLE: Final = """
:root{--paper:#fff;--text:#1b1f24;--faint:#57606a;--line:#d0d7de;--shade:#f1ece0;--ink:#1f4e79;
--link:#0b5cad}
@media (prefers-color-scheme:dark){:root{--paper:#14181d;--text:#e6e9ec;--faint:#a3adb8;
--line:#39424c;--shade:#3a3426;--ink:#7db3e8;--link:#8ab8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--text);line-height:1.5;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:60rem;margin:0 auto;padding:1rem 1rem 3rem}
h1{font-size:1.7rem;line-height:1.25;margin:1rem 0;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1rem 0 .2rem}
h2{font-size:1.25rem;line-height:1.3;margin:2.2rem 0 .6rem;overflow-wrap:anywhere}
p,li{max-width:44rem;overflow-wrap:anywhere}
ul{padding-left:1.2rem;margin:.3rem 0}
li{color:var(--faint);font-size:.92rem;margin:.2rem 0}
a{color:var(--link)}
pre{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;
font-size:.88rem}
.box{overflow:auto;max-height:120rem;margin:.8rem 0}
thead{position:sticky;top:0;background:var(--paper)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
caption{text-align:left;font-size:.88rem;color:var(--faint);padding:0 0 .4rem}
table{min-width:min(100%,22rem)}
th,td{padding:.3rem 0 .3rem 1.1rem;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child,td:first-child{padding-left:0}
td.noisy{padding-right:.3rem}
th{text-align:left;font-weight:600}
.words thead th,.list thead th{white-space:nowrap}
tbody th{font-weight:500;min-width:6.5rem;max-width:26rem;overflow-wrap:anywhere}
.grid thead th{max-width:9rem;vertical-align:bottom}
.grid thead th:first-child{min-width:4rem}
td,.list thead th,.grid thead th{text-align:right}
thead th:first-child,.words td,.words thead th{text-align:left}
.grid thead th[scope=colgroup]{text-align:center}
td small{display:block;color:var(--faint);white-space:nowrap}
td.noisy{background:var(--shade)}
.words td{white-space:nowrap}
.words td:last-child{min-width:13rem}
.words td:last-child,.words td:nth-child(2):nth-last-child(4){white-space:normal}
.words td:nth-child(2):nth-last-child(4){min-width:9rem}
.words tbody th{min-width:2rem;overflow-wrap:normal}
.list td{white-space:nowrap}
figure{margin:1rem 0}
figcaption{font-size:.88rem;color:var(--faint);max-width:44rem}
svg{max-width:100%;height:auto;display:block;color:var(--text)}
svg text{fill:currentColor;font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@page{margin:15mm}
@media print{:root{--paper:#fff;--text:#000;--faint:#444;--line:#bbb;--shade:#eee;--ink:#1f4e79;
--link:#000}
.box{max-height:none;overflow:visible}section{break-inside:auto}thead{position:static}
th,td{padding-left:.7rem}
svg{max-height:24cm}h2,figure,tr,.box{break-inside:avoid}h2,h3,caption{break-after:avoid}
td.noisy{-webkit-print-color-adjust:exact;print-color-adjust:exact}main{max-width:none;padding:0}
body{font-size:10pt}}
"""
"""The style of pages that are written today."""

STYLES: Final = frozenset({
    "4ecc6ea3f362b9d307db8c87f796fa381275e15a29bf7652c6e5d9eb22b6ca70",
    "cfe18abd06b71fb06136711e3a571904ba582e9919f34855402b5b2e9dee3433",
    "9585e1c7258c0f7bdff48843fcfa24b4f576b70f22f05813231a08e6482b04a3",
})
"""SHA-256 of every style that reports were written with: of today's, and of each before it.

A page with another style is refused: a style can hide cells, reorder them, or add words.
"""

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""Nothing is loaded from anywhere, and nothing runs."""


def page(title: str, sections: list[Section]) -> str:
    """The whole page."""
    body = "\n".join(map(_section, sections))
    return (f"{head_of(written(title))}\n<main>\n<h1>{written(title)}</h1>\n{body}\n</main>\n"
            "</body>\n</html>\n")


def head_of(
    title: str, *, more: str = "", policy: str = POLICY, style: str | None = None
) -> str:
    """The page up to its body; the title is written as HTML.

    Other pages than releases may add `more` rules to the style and state another policy. Pages
    that were written before have a `style` of their own.
    """
    style = STYLE if style is None else style
    return (
        f'<!DOCTYPE html>\n<html lang="{LANGUAGE}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>{style}{more}</style>\n</head>\n<body>"
    )


def _section(section: Section) -> str:
    inner = "\n".join(map(_block, section.blocks))
    return (f'<section id="{written(section.anchor)}">\n<h2>{written(section.title)}</h2>\n{inner}'
            "\n</section>")


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return f"<p>{written(block.text)}</p>"
        case Bullets():
            items = "\n".join(f"<li>{written(item)}</li>" for item in block.items)
            return f"<h3>{written(block.title)}</h3>\n<ul>\n{items}\n</ul>"
        case Command():
            return f"<pre><code>{written(block.line)}</code></pre>"
        case Links():
            items = "\n".join(
                f'<li>{written(words)}<a href="{written(name)}">{written(name)}</a></li>'
                for words, name in block.items)
            return f"<ul>\n{items}\n</ul>"
        case Picture():
            return (f"<figure>\n{block.svg}\n<figcaption>{written(block.words)}</figcaption>\n"
                    "</figure>")
        case ReportTable():
            return table(block)
        case _:
            assert_never(block)


def table(shown: ReportTable) -> str:
    """A table with its caption and headings, in a box that scrolls by itself."""
    over = ""
    if shown.across:
        empty = "<td></td>" * shown.heads
        span = len(shown.columns) - shown.heads
        over = (f'<tr>{empty}<th scope="colgroup" colspan="{span}">{written(shown.across)}</th>'
                "</tr>\n")
    head = "".join(f'<th scope="col">{written(name)}</th>' for name in shown.columns)
    body = "\n".join(f"<tr>{_row(row, shown.heads)}</tr>" for row in shown.rows)
    return (f'<div class="box" tabindex="0"><table class="{shown.kind}">\n'
            f"<caption>{written(shown.caption)}</caption>\n"
            f"<thead>\n{over}<tr>{head}</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table></div>")


def _row(row: tuple[TableCell, ...], heads: int) -> str:
    return "".join(_cell(cell, place < heads) for place, cell in enumerate(row))


def _cell(cell: TableCell, head: bool) -> str:
    if head:
        return f'<th scope="row">{written(cell.text)}</th>'
    noisy = ' class="noisy"' if cell.noisy else ""
    beside = f" <small>{written(cell.beside)}</small>" if cell.beside else ""
    return f"<td{noisy}>{written(cell.text)}{beside}</td>"
