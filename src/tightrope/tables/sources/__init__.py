"""Data where they are: the same exact statistic from files, frames and databases."""

from tightrope.tables.sources.opening import Source, open_source, schema_of
from tightrope.tables.sources.spark import arrow_schema, is_spark
from tightrope.tables.sources.spark import speaking as spark_speaking

__all__ = [
    "Source",
    "arrow_schema",
    "is_spark",
    "open_source",
    "schema_of",
    "spark_speaking",
]
