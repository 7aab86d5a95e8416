"""Packages that a plain install leaves out, and the line that installs them.

A plain install does every everyday job on one machine. Pictures, reports, pages, PostgreSQL, Spark
and composition by convolution need packages of an extra, imported where they are used.
"""

from importlib.util import find_spec

from tightrope.errors import Refused

PACKAGES = {
    "accounting": ("dp_accounting",),
    "fast": ("numba",),
    "plot": ("matplotlib",),
    "postgres": ("psycopg",),
    "report": ("openpyxl", "matplotlib"),
    "spark": ("py4j", "pyspark"),
    "survey": ("jinja2", "fastapi", "uvicorn", "segno", "pyreadstat"),
    "web": ("fastapi", "uvicorn"),
}
"""Import names of the packages that each extra brings."""


def install_line(extra: str) -> str:
    """The command that installs an extra.

    >>> install_line("plot")
    'pip install "tightrope[plot]"'
    """
    return f'pip install "tightrope[{extra}]"'


def available(extra: str) -> bool:
    """Whether the packages of an extra are installed."""
    return all(find_spec(package) is not None for package in PACKAGES[extra])


def require(extra: str, purpose: str) -> None:
    """Refuse a purpose whose extra is not installed, with the line that installs it."""
    if not available(extra):
        packages = " and ".join(PACKAGES[extra])
        raise Refused(f"{purpose} needs {packages}: {install_line(extra)}.")
