"""Tumult Analytics on Spark: all runs of a question are one query.

The table is repeated under a public number, once for each run, and grouped by it: one row more is
in one repetition alone, so each has the noise of a query of its own.
"""

import json
import os
import sys
import tempfile
from importlib.metadata import version

import pandas as pd

os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}

from pyspark.sql import SparkSession
from tmlt.analytics import AddOneRow, KeySet, PureDPBudget, QueryBuilder, Session


def start():
    settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
                "spark.driver.memory": "3g", "spark.sql.shuffle.partitions": "4",
                "spark.sql.warehouse.dir": tempfile.mkdtemp()}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def rows_of(problem):
    """Cells and ages."""
    kind, one = problem["kind"], len(problem.get("values", ()))
    if "groups" in problem:
        cells = [cell for cell, own in enumerate(problem["groups"]) for _ in own]
        return cells, [age for own in problem["groups"] for age in own]
    return (problem["values"], [0] * one) if kind == "histogram" else ([0] * one, problem["values"])


def answer(spark, problem):
    runs, (cells, ages) = problem["repeats"], rows_of(problem)
    size = len(problem["groups"]) if "groups" in problem else problem.get("cells", 1)
    table = spark.createDataFrame(pd.DataFrame({"cell": cells, "age": ages}))
    table = spark.range(runs).withColumnRenamed("id", "run").crossJoin(table).cache()
    session = Session.from_dataframe(
        PureDPBudget(float("inf")), "t", table, protected_change=AddOneRow())
    keys = KeySet.from_dict({"run": list(range(runs)), "cell": list(range(size))})
    grouped, bounds = QueryBuilder("t").groupby(keys), (problem.get("low"), problem.get("high"))
    query = {"count": lambda: grouped.count(name="x"),
             "histogram": lambda: grouped.count(name="x"),
             "sum": lambda: grouped.sum("age", *bounds, name="x"),
             "mean": lambda: grouped.average("age", *bounds, name="x"),
             "median": lambda: grouped.median("age", *bounds, name="x")}[problem["kind"].rstrip(
                 "s") if "groups" in problem else problem["kind"]]()
    told = session.evaluate(query, PureDPBudget(problem["epsilon"])).toPandas()
    table.unpersist()
    told = told.set_index(["run", "cell"])["x"].to_dict()
    return [[float(told[run, cell]) for cell in range(size)] for run in range(runs)]


spark = start()
answers = [answer(spark, problem) for problem in json.load(sys.stdin)]
print(json.dumps({"library": "Tumult", "version": version("tmlt.analytics"), "answers": answers}))
