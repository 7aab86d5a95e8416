"""Pictures inside a page: plain SVG without styles of its own, names that clash, or colors that
vanish on a dark page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from tightrope.markup import written
from tightrope.plots import COLOR, picture
from tightrope.releases import release_figure
from tightrope.reports.evidence import AnsweredQuestion

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TAGS = frozenset({"svg", "g", "path", "defs", "clipPath", "rect", "use", "text"})
"""Elements of a picture."""
ATTRIBUTES = frozenset({
    "clip-path", "clippathunits", "d", "height", "href", "id", "role", "aria-label",
    "style", "transform", "viewbox", "width", "x", "y",
})
"""Attributes of a picture, in lower case."""
PROPERTIES = frozenset({
    "fill", "fill-opacity", "font-size", "opacity", "stroke", "stroke-dasharray",
    "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit",
    "stroke-opacity", "stroke-width", "text-anchor",
})
"""Properties in the style of an element: none of them moves it out of its picture."""

_MOST_DRAWN = 40
"""Keys, or cells of several columns, that are drawn below each other; more are pages of points."""
_WIDTH = 4.8
"""Inches: text stays legible on a phone, and the picture fits beside none on a desk."""
_COLORS = {COLOR: "var(--ink)", "#000000": "currentColor", "#ffffff": "var(--paper)",
           "white": "var(--paper)"}
_FONT = re.compile(r"(?:^|\s)([0-9.]+)px")
_IMAGE = "data:image/png;base64,"
_LINK = re.compile(r"url\(#([^)]*)\)")


def may_be_drawn(question: AnsweredQuestion) -> bool:
    """Whether answers can have a picture: not a single one, text, a cross, or keys without end."""
    plan, answers = question.plan, question.answers
    if plan.keys is not None and len(answers) > _MOST_DRAWN:
        return False
    return len(answers) > 1 and not isinstance(answers[0].value, str) and (
        len(plan.question.columns) < 2)


def draw_question(question: AnsweredQuestion, number: int, words: str) -> str | None:
    """The answers of a question as SVG, None where their table says more.

    `words` are for those who do not see it.
    """
    plan, answers = question.plan, question.answers
    wide = len(answers[0].cell) > 1 and len(answers) > _MOST_DRAWN
    if wide or not may_be_drawn(question):
        return None
    figure = release_figure(plan, answers)
    figure.set_size_inches(_WIDTH, figure.get_figheight())
    figure.suptitle("")
    if len(figure.axes) == 1:
        figure.axes[0].set_title("")
    return inline_svg(figure, f"picture-{number}-", words)


def inline_svg(
    figure: Figure,
    prefix: str,
    words: str,
    *,
    colors: Mapping[str, str] | None = None,
    images: bool = False,
) -> str:
    """A figure as SVG for a page, every id with the prefix.

    `colors` replaces more colors, written in lower case, by those of the page; with `images` the
    figure may hold images of its own.
    """
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    root = ElementTree.fromstring(picture(figure, "svg"))
    width, height = (float(root.attrib[name].removesuffix("pt")) for name in ("width", "height"))
    writer = _Writer(prefix, {**_COLORS, **(colors or {})},
                     TAGS | {"image"} if images else TAGS)
    inner = "".join(writer.element(child) for child in root)
    return _svg(words, width * 4 / 3, height * 4 / 3, root.attrib["viewBox"], inner)


def empty_svg(words: str) -> str:
    """A picture with nothing but the words for those who do not see it."""
    return _svg(words, 1, 1, "0 0 1 1", "")


def _svg(words: str, width: float, height: float, box: str, inner: str) -> str:
    return (f'<svg role="img" aria-label="{written(words)}" width="{width:.0f}" '
            f'height="{height:.0f}" viewBox="{box}">{inner}</svg>')


@dataclass(frozen=True)
class _Writer:
    """Elements as a page has them."""

    prefix: str
    colors: Mapping[str, str]
    tags: frozenset[str]

    def element(self, element: ElementTree.Element) -> str:
        """An element with what a picture may have; others are left out with all inside."""
        tag = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""
        if tag not in self.tags - {"svg"}:
            return ""
        attributes = "".join(
            f' {name}="{written(value)}"' for key, text in element.attrib.items()
            for name in [key.rpartition("}")[2]] if name.lower() in ATTRIBUTES
            for value in [self._attribute(tag, name, text)] if value)
        inner = "".join(self.element(child) for child in element)
        text = written(element.text) if tag == "text" and element.text else ""
        return f"<{tag}{attributes}>{text}{inner}</{tag}>"

    def _attribute(self, tag: str, name: str, text: str) -> str:
        if name == "id":
            return self.prefix + text
        if name == "href" and tag == "image":
            data = "".join(text.split())
            return data if data.startswith(_IMAGE) else ""
        if name == "href":
            return f"#{self.prefix}{text.removeprefix('#')}"
        if name == "style":
            return self._style(text)
        return _LINK.sub(lambda found: f"url(#{self.prefix}{found[1]})", text)

    def _style(self, text: str) -> str:
        """The properties that a picture may have, in colors that fit light and dark pages."""
        properties = []
        for part in text.split(";"):
            name, _, value = (piece.strip() for piece in part.partition(":"))
            if name == "font" and (size := _FONT.search(value)):
                name, value = "font-size", f"{size[1]}px"
            if name in PROPERTIES:
                properties.append(f"{name}: {self.colors.get(value, value)}")
        return "; ".join(properties)
