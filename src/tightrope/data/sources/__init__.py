"""Data where they are: the same exact statistic from files, frames and databases."""

from tightrope.data.sources.opening import Source, open_source

__all__ = ["Source", "open_source"]
