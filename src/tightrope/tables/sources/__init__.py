"""Data where they are: the same exact statistic from files, frames and databases."""

from tightrope.tables.sources.opening import Source, open_source, schema_of
from tightrope.tables.sources.spark import arrow_schema, is_spark
from tightrope.tables.sources.spark import translating_errors as translating_spark_errors

__all__ = [
    "Source",
    "arrow_schema",
    "is_spark",
    "open_source",
    "schema_of",
    "translating_spark_errors",
]
