"""Data where they are: the same exact statistic from files, frames and databases."""

from tightrope.data.sources.opening import Source, open_source, schema_of
from tightrope.data.sources.spark import arrow_schema, is_spark
from tightrope.data.sources.spark import speaking as spark_speaking
from tightrope.data.sources.text_rows import text_source

__all__ = [
    "Source",
    "arrow_schema",
    "is_spark",
    "open_source",
    "schema_of",
    "spark_speaking",
    "text_source",
]
