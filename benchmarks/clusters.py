"""A table sanitized on Apache Spark: seconds, and whether what was drawn has the law.

Ten million rows of ten categories, randomized response at ε = 1, a session on this machine with
two cores. How often each category became each other one is compared with the proved law.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from reports import Report
from scipy.stats import chi2

from tightrope.tables import sanitize

ROWS = int(os.environ.get("TIGHTROPE_BENCH_SPARK_ROWS", 10_000_000))
PARTS = 16
TINY = {"size": 2000, "parts": 2}
VALUES = [f"v{k}" for k in range(10)]


def measure(size: int = ROWS, parts: int = PARTS) -> Report:
    """Sanitize once, and count pairs of what was and what came."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.driver.memory", "2g").getOrCreate())
    spark.sparkContext.setLogLevel("OFF")
    frame = spark.range(size, numPartitions=parts).selectExpr(
        "concat('v', cast(id % 10 as string)) AS was", "concat('v', cast(id % 10 as string)) AS c")
    with tempfile.TemporaryDirectory() as folder:
        started = perf_counter()
        done = sanitize(frame, {"c": "/".join(VALUES)}, 1, output=Path(folder) / "out")
        seconds = perf_counter() - started
        pairs = {(row["was"], row["c"]): row["count"]
                 for row in done.table.groupBy("was", "c").count().collect()}
    spark.stop()
    mechanism = done.columns[0].response.mechanism
    distance = 0.0
    for was in VALUES:
        law, own = mechanism.row(was), size // 10
        distance += sum((pairs.get((was, came), 0) - own * float(p)) ** 2 / (own * float(p))
                        for came, p in zip(VALUES, law, strict=True))
    chance = float(chi2.sf(distance, 90))
    if chance < 1e-6:
        raise SystemExit(f"what Spark drew has another law: chi-square {distance:.1f} of 90")
    return Report(
        title="Sanitizing on Apache Spark",
        question=f"{size:,} rows of 10 categories, ε = 1, two cores of one machine.",
        columns=["rows", "seconds", "rows per second", "chi-square, 90 degrees", "chance"],
        rows=[[f"{done.rows:,}", f"{seconds:.0f}", f"{done.rows / seconds:,.0f}",
               f"{distance:.1f}", f"{chance:.2f}"]],
        remarks=["Chance: of a chi-square as large or larger, were the law exactly the proved one.",
                 "Drawn once into Parquet files, with the system's entropy in every executor."],
        numbers={"seconds": seconds, "chi-square": distance},
    )
