"""Values for people: a few lines in a terminal; a card, a table, a picture in a notebook.

What a notebook shows is HTML and SVG text without scripts, styles of a page or other files, so
that it looks the same wherever it is opened, on a light page or a dark one: colors are a single
hue laid over whatever is behind. Every text goes through `written`, which escapes both what
HTML reads and what cannot be seen; lines in a terminal are escaped and shortened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Sized
from dataclasses import fields
from html import escape as html_escape
from typing import Any, Final

from tightrope.characters import LONGEST_SHOWN, escape, shorten

LARGEST_PICTURE: Final = 40
"""Rows and columns of a matrix of which a picture is shown."""

_LONGEST_FACT = 160
"""Characters of a fact that a terminal shows; of longer ones both ends are."""

_LISTED = 8
"""Parts of a field that are looked at to show it in one line; more are counted."""

_NUMBERED = 8
"""Columns up to which a picture says its numbers."""

_SIDE = 240.0
_SHADES = 24
_PAGE = "font-family:system-ui,sans-serif;font-size:14px;line-height:1.45;max-width:44em"
_CELL = "vertical-align:top;padding:1px 14px 1px 0;border:0;background:none"
_LEFT = f"{_CELL};text-align:left"


def lines(title: str, facts: Iterable[tuple[str, object]] = ()) -> str:
    r"""A title, and facts by name (those that are None are left out), each on its own line.

    >>> print(lines("Review: holds", [("space", "path:0..9"), ("by", None), ("at", "a\nb")]))
    Review: holds
      space  path:0..9
      at     a\nb
    """
    held = [(name, value) for name, value in facts if value is not None]
    wide = max((len(name) for name, _ in held), default=0)
    said = [f"  {name:<{wide}}  {shorten(str(value), _LONGEST_FACT)}" for name, value in held]
    return "\n".join([escape(title), *said])


def brief(value: Any) -> str:
    """A frozen value in one line: its fields, the long ones only counted.

    >>> from tightrope.privacy import RowGraph
    >>> RowGraph(0, tuple((i, i + 1) for i in range(9)), True)
    RowGraph(output=0, edges=(9 in all), connected=True)
    """
    parts = [f"{field.name}={_brief(getattr(value, field.name))}" for field in fields(value)]
    return f"{type(value).__name__}({', '.join(parts)})"


def _brief(part: object) -> str:
    listed = isinstance(part, Sized) and not isinstance(part, str)
    if isinstance(part, Sized) and listed and len(part) > _LISTED:
        return f"({len(part):,} in all)"
    try:
        said = " ".join(repr(part).split())
    except ValueError:  # a number of more digits than Python writes out
        return "(too long to be shown)"
    if isinstance(part, Sized) and listed and len(said) > LONGEST_SHOWN:
        return f"({len(part):,} in all)"
    return shorten(said)


def written(text: object) -> str:
    r"""A text as HTML shows it, whatever it holds.

    >>> written("<b>\u202e & more")
    '&lt;b&gt;\\u202e &amp; more'
    """
    return html_escape(escape(str(text)))


def card(
    title: str,
    facts: Iterable[tuple[str, object]] = (),
    *,
    answer: str = "",
    picture: str = "",
    sentences: Iterable[str] = (),
) -> str:
    """A title, an answer, facts by name (without None), a picture, and what it means."""
    lines = "".join(
        f'<tr><th scope="row" style="{_LEFT};font-weight:normal;opacity:.7">{written(name)}</th>'
        f'<td style="{_LEFT}">{written(value)}</td></tr>'
        for name, value in facts
        if value is not None
    )
    body = f'<table style="border-collapse:collapse;margin:4px 0">{lines}</table>' if lines else ""
    said = "".join(f'<p style="margin:4px 0">{written(sentence)}</p>' for sentence in sentences)
    head = f"<strong>{written(title)}</strong>{answer}"
    return f'<div style="{_PAGE}">{head}{body}{picture}{said}</div>'


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """Rows under a line of names; the first column holds words, the others numbers."""

    def line(cells: Sequence[str], tag: str) -> str:
        sides = ("left", *("right",) * (len(cells) - 1))
        return "".join(
            f'<{tag} style="{_CELL};text-align:{side}">{written(cell)}</{tag}>'
            for side, cell in zip(sides, cells, strict=True)
        )

    body = "".join(f"<tr>{line(row, 'td')}</tr>" for row in rows)
    above = f'<caption style="text-align:left">{written(caption)}</caption>' if caption else ""
    return (
        '<div style="overflow-x:auto"><table style="border-collapse:collapse;margin:4px 0">'
        f"{above}<thead><tr>{line(columns, 'th')}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def heat_map(
    rows: Sequence[Sequence[float]],
    down: Sequence[str],
    across: Sequence[str],
    *,
    names: tuple[str, str] = ("input", "output"),
    what: str,
) -> str:
    """A picture of a small matrix, the darker the larger; nothing if it is not small.

    `down` and `across` are the labels of rows and columns, `what` says what is shown.
    """
    high, wide = len(rows), len(rows[0])
    if max(high, wide) > LARGEST_PICTURE:
        return ""
    most = max(max(row) for row in rows) or 1.0
    side = min(44.0, _SIDE / max(high, wide))
    left = 32.0 + 7 * min(12, max(len(shorten(label, 12)) for label in down))
    shades: dict[int, list[str]] = {}
    for y, row in enumerate(rows):
        for z, value in enumerate(row):
            shade = round(_SHADES * (value / most) ** 0.5)
            shades.setdefault(shade, []).append(f"M{z} {y}h1v1h-1z")
    cells = "".join(
        f'<path fill-opacity="{shade / _SHADES:.2f}" d="{"".join(boxes)}"/>'
        for shade, boxes in sorted(shades.items())
    )
    cells = (
        f'<g fill="#3572c6" stroke="#3572c6" stroke-opacity=".25" stroke-width=".02" '
        f'transform="translate({left:.1f} 4) scale({side:.2f})">{cells}</g>'
    )
    if wide <= _NUMBERED:
        cells += "".join(
            _label(left + side * (z + 0.5), 8 + side * (y + 0.5), "middle", _number(value))
            for y, row in enumerate(rows)
            for z, value in enumerate(row)
        )
    width, height = left + side * wide + 40, side * high + 40
    ticks = [
        *(_label(left - 6, 8 + side * (y + 0.5), "end", down[y]) for y in _ends(down)),
        *(_label(left + side * (z + 0.5), 18 + side * high, "middle", across[z])
          for z in _ends(across)),
        _label(left + side * wide / 2, 34 + side * high, "middle", names[1], faint=True),
        f'<g transform="rotate(-90 11 {4 + side * high / 2:.1f})">'
        f'{_label(11, 4 + side * high / 2, "middle", names[0], faint=True)}</g>',
    ]
    return (
        f'<svg role="img" aria-label="{written(what)}" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" '
        'style="max-width:100%;height:auto;display:block;margin:6px 0">'
        f"<title>{written(what)}</title>{cells}{''.join(ticks)}</svg>"
    )


def _number(value: float) -> str:
    """A number in the four characters that a cell has room for."""
    near = f"{value:.2f}" if value >= 0.005 or not value else f"{value:.0e}"
    return (near.removeprefix("0") if near.startswith("0.") else near).removesuffix(".00") or "0"


def _label(x: float, y: float, anchor: str, text: str, *, faint: bool = False) -> str:
    dim = ' fill-opacity=".7"' if faint else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="12" '
        f'font-family="system-ui,sans-serif" fill="currentColor"{dim}>'
        f"{written(shorten(text, 12))}</text>"
    )


def _ends(labels: Sequence[str]) -> list[int]:
    """The places of labels that are written: all of few, else the first and the last."""
    return list(range(len(labels))) if len(labels) <= _NUMBERED else [0, len(labels) - 1]


def latex_table(head: Sequence[str], rows: Iterable[Sequence[str]], columns: str) -> str:
    """Rows of LaTeX under a head, as a tabular with these columns."""
    body = " \\\\\n".join(" & ".join(row) for row in rows)
    title = " & ".join(head)
    return f"\\begin{{tabular}}{{{columns}}}\n{title} \\\\\n\\hline\n{body}\n\\end{{tabular}}\n"


def latex_text(text: str) -> str:
    r"""A text as LaTeX shows it, whatever it holds.

    >>> latex_text("a_b\n& 5 %")
    'a\\_b\\textbackslash{}n\\& 5 \\%'
    """
    return "".join(_LATEX.get(c, c) for c in escape(text))


_LATEX: Final = {
    **{c: f"\\{c}" for c in "&%$#_{}"},
    **{c: f"{{{c}}}" for c in "[]*"},  # after the end of a line these are read as its options
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    **{letter: f"${formula}$" for letter, formula in (
        ("ε", r"\varepsilon"), ("δ", r"\delta"), ("ρ", r"\rho"), ("α", r"\alpha"), ("σ", r"\sigma"),
        ("π", r"\pi"), ("λ", r"\lambda"), ("√", r"\surd"), ("∞", r"\infty"), ("≤", r"\le"),
        ("≥", r"\ge"), ("≈", r"\approx"), ("−", "-"), ("→", r"\to"))},
}
