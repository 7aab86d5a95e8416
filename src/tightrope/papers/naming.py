"""Items by the names that people type, and parameters by their text.

`wxh/figure-6`, `WXH Figure 6` and `wxh fig. 6` are one item; `example-4.2` is that of every
paper that has one; `theorem-2` also stands for `theorem-2-levels` where it is no item itself, and
`figure-6` for `figure-6a` and `figure-6b`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tightrope.characters import meant
from tightrope.errors import BadInput
from tightrope.papers.item import Item, parameter_text

_SHORT = {
    "def": "definition", "thm": "theorem", "prop": "proposition", "lem": "lemma",
    "cor": "corollary", "ex": "example", "fig": "figure", "alg": "algorithm", "app": "appendix",
    "sec": "section", "eq": "equation", "§": "section",
}  # fmt: skip
_ALSO = {"ecp/figure-3": "example-2"}
"""Parts of a paper that the item of another name shows."""
_WORDS = {"yes": True, "true": True, "no": False, "false": False}


def choose(what: str | None, known: Sequence[Item]) -> tuple[Item, ...]:
    """The items that a text names: all, those of one paper, or those of one name."""
    if what is None:
        return tuple(known)
    papers = {item.paper for item in known}
    paper, name = _split(what, papers)
    name = _ALSO.get(f"{paper}/{name}", name)
    here = [item for item in known if paper in (None, item.paper)]
    named = [item for item in here if name in ("", item.name)]
    parts = re.compile(rf"{re.escape(name)}(-.+|[a-z])")
    named = named or [item for item in here if parts.fullmatch(item.name)]
    if not named or (paper is None and not name):
        keys = [item.key for item in here] or [item.key for item in known]
        near = meant(f"{paper}/{name}" if paper else name, keys)
        raise BadInput(f"there is no item {what[:60]!r}{near}; list the items to see them all.")
    return tuple(named)


def choose_pictured(what: str | None, known: Sequence[Item]) -> Item:
    """The one item that a text names, if it has a picture; otherwise those that have one."""
    named = choose(what, known)
    pictured = [item.key for item in named if item.pictured]
    if len(named) == len(pictured) == 1:
        return named[0]
    if pictured:
        raise BadInput(f"a picture shows one item; name one of {', '.join(pictured)}.")
    every = ", ".join(item.key for item in known if item.pictured)
    raise BadInput(f"{what} has no picture; items with pictures are {every}.")


def _split(what: str, papers: set[str]) -> tuple[str | None, str]:
    """A paper, if one is named, and the name of an item in its plain form, if any."""
    words = [w for w in re.split(r"[\s/_]+", what.strip().lower()) if w]
    paper = words[0].replace("-", "") if words else ""
    if paper in papers:
        return paper, _plain(words[1:])
    return None, _plain(words)


def _plain(words: Sequence[str]) -> str:
    parts = "-".join(words).replace("(", "").replace(")", "").replace("§", "§-").split("-")
    return "-".join(_SHORT.get(part.rstrip("."), part) for part in parts if part)


def settings(item: Item, texts: Sequence[str]) -> dict[str, Any]:
    """The parameters of an item that `name=value` texts change.

    >>> from tightrope.papers import items
    >>> lemma, = choose("kl10 lemma 3.3.8", items())
    >>> settings(lemma, ["leaves=4", "ratio=3/2"])
    {'leaves': 4, 'ratio': Fraction(3, 2)}
    """
    known = item.parameters
    changed = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or name not in known:
            listed = ", ".join(f"{key}={parameter_text(default)}" for key, default in known.items())
            raise BadInput(f"{item.key} takes {listed or 'no parameter'}; found {text!r}.")
        changed[name] = _read(item, name, value, known[name])
    return changed


def _read(item: Item, name: str, text: str, like: object) -> object:
    """The value of a text, of the same kind as the paper's own."""
    if isinstance(like, tuple):
        return tuple(_read(item, name, part.strip(), like[0]) for part in text.split(","))
    try:
        if isinstance(like, bool):
            return _WORDS[text.lower()]
        if isinstance(like, int):
            return int(text)
        if isinstance(like, Fraction):
            return Fraction(text)
    except (KeyError, ValueError, ZeroDivisionError):
        raise BadInput(
            f"{name} of {item.key} is read like {parameter_text(like)}; found {text!r}."
        ) from None
    return text
