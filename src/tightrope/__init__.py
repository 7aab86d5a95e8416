"""Tightrope: the most useful mechanism a privacy budget allows, found, proved and run.

import tightrope as tr
s = tr.design(tr.space("path:0..49"), tr.Level.epsilon("0.5"), loss=tr.absolute)
s.value, s.certified.certificate.smallest
tr.draw(s.certified, 7)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tightrope import constructions, kernels, mechanisms, privacy, spaces, theory, utility
    from tightrope.constructions import Solution, compare, design
    from tightrope.data import load, read_space, save
    from tightrope.exact import Level
    from tightrope.privacy import Certified, certify, verify
    from tightrope.samplers import draw, draw_many
    from tightrope.utility import Prior, absolute, binary, euclidean, squared, uniform

    space = read_space

__version__ = "0.1.0"

_HOMES = {
    "Certified": "privacy",
    "Level": "exact",
    "Prior": "utility",
    "Solution": "constructions",
    "absolute": "utility",
    "binary": "utility",
    "certify": "privacy",
    "compare": "constructions",
    "design": "constructions",
    "draw": "samplers",
    "draw_many": "samplers",
    "euclidean": "utility",
    "load": "data",
    "save": "data",
    "squared": "utility",
    "uniform": "utility",
    "verify": "privacy",
}
_FOLDERS = ("constructions", "kernels", "mechanisms", "privacy", "spaces", "theory", "utility")

__all__ = [
    "Certified",
    "Level",
    "Prior",
    "Solution",
    "absolute",
    "binary",
    "certify",
    "compare",
    "constructions",
    "design",
    "draw",
    "draw_many",
    "euclidean",
    "kernels",
    "load",
    "mechanisms",
    "privacy",
    "save",
    "space",
    "spaces",
    "squared",
    "theory",
    "uniform",
    "utility",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Names are imported when first used, so that `tightrope --help` stays quick."""
    from importlib import import_module

    if name == "space":
        return import_module("tightrope.data").read_space
    if name in _HOMES:
        return getattr(import_module(f"tightrope.{_HOMES[name]}"), name)
    if name in _FOLDERS:
        return import_module(f"tightrope.{name}")
    raise AttributeError(f"module 'tightrope' has no attribute {name!r}")


def __dir__() -> list[str]:
    """What help and completion list, before anything is imported."""
    return [*__all__, "__version__"]
