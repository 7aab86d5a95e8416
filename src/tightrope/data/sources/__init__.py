"""Data where they are: the same exact statistic from files, frames and databases."""

from tightrope.data.sources.opening import Source, open_source, schema_of

__all__ = ["Source", "open_source", "schema_of"]
