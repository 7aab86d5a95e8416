"""What a test asks of a real Spark with two executors, in one session: `python … FOLDER`.

Prints one JSON object. Executors are processes of their own here, so that one of them can be
killed and slow tasks are started a second time.
"""

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.data.sources import test_conformance as conformance
from tests.data.sources import test_cuts
from tests.data.sources.test_same_statistic import (
    KEY,
    ROWS,
    TABLE,
    TALLIES,
    UNITS,
    declared,
    tally_of,
)
from tightrope.data.ledger import Budget, Ledger, Scope
from tightrope.data.recipe import sanitize
from tightrope.data.releases import Question, open_books
from tightrope.data.sources import open_source, schema_of
from tightrope.declarations import Tally, tally_rows
from tightrope.errors import TightropeError

ROWS_OF_A_PART, PARTS = 1500, 4
ASKED = {"rows": ("all", "sum by", "by every value"), "people": ("sum", "by every value"),
         "people in one cell": ("sum by", "conditions"), "people in two cells": ("two sums",)}


def cluster():
    """The address of a cluster of two hosts, of one executor each, in this Java process.

    A task is started a second time only on another host.
    """
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    gateway, jvm = SparkContext._gateway, SparkContext._jvm
    deploy, nothing = jvm.org.apache.spark.deploy, jvm.scala.Option.apply(None)
    conf = jvm.org.apache.spark.SparkConf(False)
    conf.set("spark.master.rest.enabled", "false").set("spark.ui.enabled", "false")
    master = deploy.master.Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf)._1()
    url = master.address().toSparkURL()
    urls = gateway.new_array(jvm.java.lang.String, 1)
    urls[0] = url
    for host in ("127.0.0.1", "127.0.0.2"):
        deploy.worker.Worker.startRpcEnvAndEndpoint(
            host, 0, 0, 1, 600, urls, tempfile.mkdtemp(), nothing, conf, nothing)
    return url


def started():
    from pyspark.sql import SparkSession

    root = Path(__file__).resolve().parents[2]
    settings = {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}",
        "spark.sql.shuffle.partitions": "2", "spark.task.maxFailures": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "500", "spark.speculation": "true",
        "spark.speculation.interval": "100ms", "spark.speculation.minTaskRuntime": "500ms",
        "spark.speculation.quantile": "0.5", "spark.speculation.multiplier": "1.5",
        "spark.executor.processTreeMetrics.enabled": "false",
    }
    builder = SparkSession.builder.master(cluster()).appName("tightrope")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def same_statistics(spark):
    """Which tallies differ from their plain definition."""
    frame = spark.createDataFrame(TABLE)
    wrong = []
    for unit in UNITS:
        declaration = declared(unit)
        source = open_source(frame, declaration)
        tallies = {name: tally_of(name, declaration) for name in ASKED[unit]}
        if unit != "rows":
            tallies["people"] = Tally(declaration, ("vote",), people=True)
        wrong += [(unit, name) for name, tally in tallies.items()
                  if source.tally(tally, KEY) != tally_rows(tally, ROWS, KEY)]
    hospital, wide = test_cuts.declared(), test_cuts.declared(cells=4)
    stays = spark.createDataFrame(test_cuts.TABLE)
    for tally in (Tally(hospital, ("ward",), ("days",)), Tally(wide, ("ward",), people=True)):
        if open_source(stays, tally.declaration).tally(tally, KEY) != tally_rows(
            tally, test_cuts.ROWS, KEY
        ):
            wrong.append(("stays", tally.people))
    return {"wrong": wrong, "known": sorted(TALLIES), "schema": schema_of(frame)}


def written_rule(spark):
    """Which kinds of cells are not read as the written rule says."""
    wrong = []
    for kind, cells in conformance.KINDS.items():
        frame = spark.createDataFrame(conformance.arrow_table(kind, cells))
        rules = {"category": conformance.CATEGORIES["mixed"]} | (
            {} if kind == "text" else {"number": conformance.NUMBERS["coarse"]})
        for type_, rule in rules.items():
            declaration = conformance.declared(cells, {"type": type_, **rule})
            readings = conformance.places(open_source(frame, declaration), declaration, cells)
            expected = [conformance.category(cell, rule) if type_ == "category" else
                        conformance.read(cell, rule)[2] for cell in cells]
            wrong += [(kind, type_)] * (readings != expected)
    return wrong


def released(spark, folder):
    """The entries of one release, from Spark and from Arrow."""
    declaration, entries = declared("people"), {}
    for name, data in (("spark", spark.createDataFrame(TABLE)), ("arrow", TABLE)):
        ledger = Ledger.create(folder / f"{name}.sqlite")
        ledger.open_budget(Budget.of("b", declaration, epsilon=3))
        books = open_books(data, declaration, ledger=ledger, budget="b")
        done = books.release(Question("histogram", "vote"), 1)
        entries[name] = {key: value for key, value in done.booked.entry.as_json().items()
                         if key not in ("time", "at", "seal", "previous", "digest")}
    return entries


def numbered(spark, trouble=None):
    """Rows with a number and an answer, all of them no; `trouble` meets each part of them."""
    frame = spark.range(ROWS_OF_A_PART * PARTS, numPartitions=PARTS).selectExpr(
        "id", "'no' AS answer")
    return frame if trouble is None else frame.mapInArrow(trouble, "id long, answer string")


def kills_its_executor(folder):
    """A part kills the Java process that runs it, once, after rows went through."""
    def run(batches):
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
        for place, batch in enumerate(batches):
            if part == 1 and place == 2 and not (folder / "killed").exists():
                (folder / "killed").touch()
                parent = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2]
                os.kill(int(parent.split()[1]), signal.SIGKILL)
                time.sleep(60)
            yield batch
    return run


def is_slow_at_first(folder):
    """The first attempt of a part waits for the second."""
    def run(batches):
        from pyspark import TaskContext

        context = TaskContext.get()
        part, attempt = context.partitionId(), context.attemptNumber()
        (folder / f"stage {context.stageId()} part {part} attempt {attempt}").touch()
        for batch in batches:
            yield batch
            if part == 2 and attempt == 0:
                for _ in range(200):
                    if list(folder.glob("stage * part 2 attempt 1")):
                        break
                    time.sleep(0.1)
                time.sleep(1)
    return run


def account(folder):
    """A budget for two tables of as many rows as there are here."""
    ledger = Ledger.create(folder / "tables.sqlite")
    scope = Scope("answers", "row", f"replace, of {ROWS_OF_A_PART * PARTS} units")
    ledger.open_budget(Budget("b", scope, "ln(9)"))
    return ledger.account("b", request="once")


def drawn(spark, folder, name, trouble=None):
    """What came out of a sanitized frame, asked for twice."""
    charged = account(folder) if name == "plain" else None
    done = sanitize(numbered(spark, trouble), {"answer": "no/yes"}, "ln(3)",
                    output=folder / name, account=charged)
    first, second = (sorted(tuple(row) for row in done.table.collect()) for _ in range(2))
    answers = [answer for _, answer in first]
    parts = {tuple(answers[k * ROWS_OF_A_PART:][:ROWS_OF_A_PART]) for k in range(PARTS)}
    return {
        "rows": done.rows, "same": first == second, "counted": done.table.count(),
        "numbers": [number for number, _ in first] == list(range(len(first))),
        "kept": answers.count("no"), "parts": len(parts), "clear": done.clear,
        "beside": sorted(path.name for path in folder.glob(f"{name}*.json")),
        "left": None if done.booked is None else done.booked.remaining,
    }


def refused(spark, folder):
    """What is said to requests that cannot be met."""
    said = {}
    books = Ledger(folder / "tables.sqlite")
    asked = {
        "no folder": (numbered(spark), None, None),
        "there already": (numbered(spark), folder / "plain", books.account("b")),
        "no column": (numbered(spark).select("id"), folder / "x", None),
        "answered": (numbered(spark), folder / "x", books.account("b", request="once")),
        "spent": (numbered(spark), folder / "x", books.account("b")),
        "other rows": (numbered(spark).limit(5), folder / "x", books.account("b")),
    }
    for name, (frame, output, account) in asked.items():
        level = 9 if name == "spent" else "ln(3)"
        try:
            sanitize(frame, {"answer": "no/yes"}, level, output=output, account=account)
        except TightropeError as error:
            said[name] = str(error)
    return {"said": said, "left": sorted(path.name for path in folder.glob("x*")),
            "charges": books.balance("b").charges}


def main(folder):
    spark = started()
    troubles = {"plain": None, "killed": kills_its_executor, "slow": is_slow_at_first}
    found = {"statistics": same_statistics(spark), "rule": written_rule(spark),
             "released": released(spark, folder)}
    for name, trouble in troubles.items():
        (folder / f"{name} marks").mkdir()
        found[name] = drawn(spark, folder, name,
                            trouble and trouble(folder / f"{name} marks"))
        found[name]["marks"] = sorted(path.name for path in (folder / f"{name} marks").glob("*"))
    found["refused"] = refused(spark, folder)
    print(json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
