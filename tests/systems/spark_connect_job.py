"""What a test asks of Spark Connect, where a client without Java talks to a server.

Prints one JSON object. The server is started beside the client, which reaches it by its port.
"""

import json
import sys
from pathlib import Path

from tests.systems.spark_job import account, materialized, one_snapshot, released
from tests.tables.plain import tally_rows
from tests.tables.sources.test_same_statistic import KEY, ROWS, TABLE, declared, tally_of
from tightrope.errors import TightropeError
from tightrope.tables import open_source
from tightrope.tables.recipe import sanitize

ASKED = {"rows": ("all", "sum by", "by every value"), "people": ("sum", "by every value")}


def started(folder):
    from pyspark.sql import SparkSession

    (folder / "elsewhere").mkdir()
    return (SparkSession.builder.remote("local[2]")
            .config("spark.hadoop.fs.viewfs.mounttable.here.link./data",
                    f"file://{folder / 'elsewhere'}")
            .config("spark.sql.shuffle.partitions", "2").getOrCreate())


def same_statistics(spark):
    """Which tallies differ from their plain definition."""
    wrong = []
    for unit, names in ASKED.items():
        declaration = declared(unit)
        tallies = [tally_of(name, declaration) for name in names]
        counted = open_source(spark.createDataFrame(TABLE), declaration).tallies(tallies, KEY)
        wrong += [(unit, name) for name, tally, statistic
                  in zip(names, tallies, counted, strict=True)
                  if statistic != tally_rows(tally, ROWS, KEY)]
    return wrong


def drawn(spark, folder):
    """A charged table here, and one at another address."""
    frame = spark.range(6000, numPartitions=4).selectExpr("id", "'no' AS answer")
    here = sanitize(frame, {"answer": "no/yes"}, "ln(3)", output=folder / "plain",
                    account=account(folder))
    far = sanitize(frame.limit(7), {"answer": "no/yes"}, 1, output="viewfs://here/data/far[1]")
    first, second = (sorted(map(tuple, here.table.collect())) for _ in range(2))
    return {"rows": here.rows, "far": far.table.count(), "same": first == second,
            "numbers": [number for number, _ in first] == [*range(6000)],
            "kept": [answer for _, answer in first].count("no")}


def refused(spark, folder):
    """What is said to requests that cannot be met."""
    frame = spark.range(7).selectExpr("id", "'no' AS answer")
    missing = spark.table("no_such_table")  # a client does not look yet

    def draw(output, frame=frame):
        return sanitize(frame, {"answer": "no/yes"}, 1, output=output)

    said = {}
    for name, ask in {
        "far already": lambda: draw("viewfs://here/data/far[1]"),
        "nowhere": lambda: draw("nosuch://x/y"),
        "no table": lambda: open_source(missing, declared("rows")),
        "no table to draw": lambda: draw(folder / "x", missing),
    }.items():
        try:
            ask()
        except TightropeError as error:
            said[name] = str(error)
    return said


def main(folder):
    spark = started(folder)
    frame = spark.range(1)
    print(json.dumps({
        "module": type(frame).__module__, "wrong": same_statistics(spark),
        "released": released(spark, folder), "drawn": drawn(spark, folder),
        "materialized": materialized(spark, folder)["kept"],
        "snapshot": one_snapshot(spark, folder), "refused": refused(spark, folder)}))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
