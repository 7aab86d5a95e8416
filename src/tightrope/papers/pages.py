"""All that was tried as one page: items with verdicts and reasons, and the pictures in them.

The page is one file: no script, no network, for phones and desks, light and dark, and for paper.
Beside it lie the pictures once more, each as a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tightrope.characters import counted
from tightrope.extras import require
from tightrope.files import StrPath, write_folder
from tightrope.markup import written
from tightrope.papers.item import Attempt, Reproduction, Verdict
from tightrope.plots import TINT_COLORS, Tint, chart_figure, panel_figures, picture
from tightrope.reports import ReportTable, TableCell, head_of, inline_svg, table

PAGE, PICTURES = "index.html", "pictures"
"""Names in the folder of a report."""

PAPERS = {
    "ecp": "ElSalamouny, Chatzikokolakis, Palamidessi: Generalized differential privacy",
    "h16": "Holohan: Mathematical foundations of differential privacy",
    "kl10": "Kifer, Lin: Towards an axiomatization of statistical privacy and utility",
    "klpc": "Kleinberg, Ligett: Privacy-compatibility for general utility metrics",
    "wxh": "Wu, Xia, He: The policies of designing differentially private mechanisms",
}
"""Authors and titles, by the keys of the papers."""

_TITLE = "Five papers, tried again"
_MEANING = {
    Verdict.CONFIRMED: "the published claim held in every case tried; found names the cases",
    Verdict.CORRECTED: "the published claim failed, and the one that is given here held",
    Verdict.NOT_REPRODUCIBLE: "the published claim failed, and none is given in its place",
}
_DARK = {Tint.SECOND: "#7cc17c", Tint.THIRD: "#e0b64a", Tint.FOURTH: "#b79ce0",
         Tint.FAINT: "#a3adb8", Tint.WRONG: "#ff8a7a"}
"""Colors of marks on a dark page; the main one is that of every picture in a page."""


def _variables(colors: dict[Tint, str]) -> str:
    return "".join(f"--mark-{tint.name.lower()}:{color};" for tint, color in colors.items())


_LIGHT = {tint: TINT_COLORS[tint] for tint in _DARK}
_NAMES = {color: f"var(--mark-{tint.name.lower()})" for tint, color in _LIGHT.items()}
_STYLE = f"""
:root{{{_variables(_LIGHT)}}}
@media (prefers-color-scheme:dark){{:root{{{_variables(_DARK)}}}}}
article{{border-top:1px solid var(--line);padding:.2rem 0 .6rem}}
article h3{{font-size:1.05rem;overflow-wrap:anywhere}}
.verdict{{font-weight:600;border-left:.3rem solid var(--mark-second);padding-left:.5rem}}
.corrected,.not-reproducible{{border-color:var(--mark-wrong)}}
dl{{margin:.4rem 0;max-width:48rem}}
dt{{font-size:.85rem;color:var(--faint);margin-top:.4rem}}
dd{{margin:0;overflow-wrap:anywhere}}
.panels{{display:flex;flex-wrap:wrap;gap:1rem}}
.panels svg{{flex:1 1 19rem;max-width:min(100%,29rem)}}
@media(max-width:30rem){{thead th{{white-space:normal;overflow-wrap:normal}}
th,td{{padding-left:.35rem;font-size:.78rem}}}}
.wrong{{color:var(--mark-wrong)}}
nav ul{{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.1rem .8rem}}
@media print{{:root{{{_variables(_LIGHT)}}}article,.panels svg{{break-inside:avoid}}
.panels svg{{max-width:8.5cm}}}}
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""As in every report, and images inside the pictures."""


def report(reproduction: Reproduction, folder: StrPath) -> Path:
    """Write what was tried as a page into a new folder, with its pictures as files beside it.

    Returns: the path of the page, `index.html`.

    Raises: `BadInput` if the folder exists; `Refused` without the packages that draw.
    """
    require("plot", "a report")
    files = {PAGE: page_of(reproduction).encode()}
    for attempt in reproduction.attempts:
        if (chart := attempt.finding.chart) is not None:
            name = attempt.item.key.replace("/", "-")
            files[f"{PICTURES}/{name}.svg"] = picture(chart_figure(chart, attempt.title), "svg")
    write_folder(folder, files)
    return Path(folder) / PAGE


def page_of(reproduction: Reproduction) -> str:
    """The whole page."""
    parts = "\n".join(_parts(reproduction))
    return (f"{head_of(_TITLE, more=_STYLE, policy=_POLICY)}\n<main>\n{parts}\n</main>\n"
            "</body>\n</html>\n")


def _parts(reproduction: Reproduction) -> Iterator[str]:
    attempts = reproduction.attempts
    yield f"<h1>{_TITLE}</h1>"
    drifted = reproduction.drifted
    yield (f"<p>{counted(len(attempts), 'item')} of the papers below, computed again: what is "
           "published, what was found, a verdict and its reason. Pictures show the numbers of "
           "these very runs, drawn as in the papers; what is wrong in print is red and dashed. "
           f"{counted(drifted, 'verdict') if drifted else 'No verdict'} differs from the one on "
           "record.</p>")
    yield "<ul>" + "".join(f"<li>{written(kind)}: {written(text)}.</li>"
                           for kind, text in _MEANING.items()) + "</ul>"
    yield _summary(reproduction)
    for paper in reproduction.summary:
        yield f'<section id="{written(paper)}">\n<h2>{written(_name(paper))}</h2>'
        own = [attempt for attempt in attempts if attempt.item.paper == paper]
        for kind in Verdict:
            yield from _links(kind, [each for each in own if each.finding.verdict is kind])
        yield from map(_article, own)
        yield "</section>"


def _summary(reproduction: Reproduction) -> str:
    """How many verdicts of each kind, paper by paper."""
    rows = [(paper.upper(), *counts.values(), sum(counts.values()))
            for paper, counts in reproduction.summary.items()]
    rows.append(("all", *(sum(column) for column in list(zip(*rows, strict=True))[1:])))
    cells = tuple(tuple(TableCell(str(cell)) for cell in row) for row in rows)
    return table(ReportTable("Verdicts, paper by paper", ("paper", *Verdict, "items"), cells))


def _name(paper: str) -> str:
    """The key of a paper, its authors and its title."""
    return f"{paper.upper()}. {PAPERS[paper]}" if paper in PAPERS else paper


def _links(kind: Verdict, attempts: list[Attempt]) -> Iterator[str]:
    """The items with one verdict."""
    if attempts:
        links = "".join(f'<li><a href="#{_anchor(each)}">{written(each.item.name)}</a></li>'
                        for each in attempts)
        yield f"<nav><p>{written(kind)} ({len(attempts)})</p>\n<ul>{links}</ul></nav>"


def _anchor(attempt: Attempt) -> str:
    return written(attempt.item.key.replace("/", "-"))


def _article(attempt: Attempt) -> str:
    """One item with its verdict, its texts and its picture."""
    finding = attempt.finding
    drift = f"; on record: {attempt.item.recorded}" if attempt.drifted else ""
    texts = "".join(f"<dt>{name}</dt><dd>{written(text)}</dd>" for name, text in (
        ("published", finding.published), ("found", finding.found), ("reason", finding.reason)))
    return (f'<article id="{_anchor(attempt)}">\n<h3>{written(attempt.title)}</h3>\n'
            f'<p class="verdict {finding.verdict.replace(" ", "-")}">'
            f"{written(finding.verdict + drift)}</p>\n<dl>{texts}</dl>\n{_pictures(attempt)}"
            "</article>")


def _pictures(attempt: Attempt) -> str:
    """The panels side by side, or below each other where the page is narrow."""
    chart = attempt.finding.chart
    if chart is None:
        return ""
    panels = "\n".join(
        inline_svg(figure, f"{attempt.item.paper}-{attempt.item.name}-{place}-",
                   f"{attempt.title}. {panel.title}", colors=_NAMES, images=True)
        for place, (panel, figure) in enumerate(
            zip(chart.panels, panel_figures(chart), strict=True)))
    wrong = (f'<figcaption class="wrong">Wrong in print: {written(chart.wrong)}</figcaption>\n'
             if chart.wrong else "")
    return f'<figure>\n<div class="panels">\n{panels}\n</div>\n{wrong}</figure>\n'
