"""What a test asks of a real Spark with two executors, in one session: `python … FOLDER`.

Prints one JSON object. Executors are processes of their own here, so that one of them can be
killed and slow tasks are started a second time. With the word `dies` the job itself is killed
while rows are drawn.
"""

import json
import os
import signal
import sys
import tempfile
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from tests.contracts import test_frames_tell_nothing as contract
from tests.releases import test_snapshots
from tests.tables import test_one_row_alone as alone
from tests.tables.plain import tally_rows
from tests.tables.sources import test_conformance as conformance
from tests.tables.sources import test_cuts
from tests.tables.sources.test_same_statistic import (
    KEY,
    ROWS,
    TABLE,
    TALLIES,
    UNITS,
    declared,
    of_people,
    tally_of,
)
from tightrope import curves
from tightrope.declarations import Tally
from tightrope.errors import TightropeError
from tightrope.exact import Level
from tightrope.facts import to_json
from tightrope.files.files import making_folder
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.releases import Question, open_books
from tightrope.tables import clusters, open_source, schema_of
from tightrope.tables.domains import Values, read_domain
from tightrope.tables.recipe import sanitize

ROWS_OF_A_PART, PARTS = 1500, 4
ASKED = {"rows": ("all", "sum by", "by every value"), "people": ("sum", "by every value"),
         "people in one cell": ("sum by", "conditions"), "people in two cells": ("two sums",),
         "people in two of many cells": ("sum by",), "people and areas": ("sum by",),
         "people and votes in one cell": ("two sums",)}


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


def started(master, folder):
    from pyspark.sql import SparkSession

    root = Path(__file__).resolve().parents[2]
    (folder / "elsewhere").mkdir(exist_ok=True)
    settings = {
        "spark.hadoop.fs.viewfs.mounttable.here.link./data": f"file://{folder / 'elsewhere'}",
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "512m",
        "spark.executor.memory": "512m",
        "spark.executorEnv.PYTHONPATH": f"{root}{os.pathsep}{root / 'src'}",
        "spark.sql.shuffle.partitions": "2", "spark.task.maxFailures": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "500", "spark.speculation": "true",
        "spark.speculation.interval": "100ms", "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.5",
        # Of two attempts of a task that keeps rows, the one that is stopped takes the second
        # copy with it: only the task that is made slow may be started twice.
        "spark.speculation.minTaskRuntime": "6s",
        "spark.executor.processTreeMetrics.enabled": "false",
        # after a loss, the executor that is left remembers for a minute that it has no peers,
        # and would keep no second copy of the rows that the next executor is killed over
        "spark.storage.cachedPeersTtl": "0",
    }
    builder = SparkSession.builder.master(master).appName("tightrope")
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
            tallies |= {f"people {place}": tally
                        for place, tally in enumerate(of_people(declaration)[:7])}
        wrong += several_requests(spark, source, list(tallies.values()), unit)
    hospital, wide = test_cuts.declared(), test_cuts.declared(cells=4)
    stays = spark.createDataFrame(test_cuts.TABLE)
    for tally in (Tally(hospital, ("ward",), ("days",)), Tally(wide, ("ward",), people=True)):
        if open_source(stays, tally.declaration).tallies((tally,), KEY)[0] != tally_rows(
            tally, test_cuts.ROWS, KEY
        ):
            wrong.append(("stays", tally.people))
    declaration = declared("people")
    beside = frame.selectExpr("*", "current_timestamp() AS at", "make_interval(1) AS year",
                              "'x' AS VOTE")
    for name in ("sum", "by every value"):
        tally = tally_of(name, declaration)
        opened = open_source(beside, declaration)
        if opened.tallies((tally,), KEY)[0] != tally_rows(tally, ROWS, KEY):
            wrong.append(("beside odd columns", name))
    return {"wrong": wrong, "known": sorted(TALLIES), "schema": schema_of(frame)}


def several_requests(spark, source, tallies, unit):
    """What is wrong with requests at once: other statistics, or more jobs than one of them has."""
    context, jobs, wrong = spark.sparkContext, {}, []
    for name, asked in (("one", tallies[:1]), ("several", tallies)):
        context.setJobGroup(f"{unit} {name}", name)
        statistics = source.tallies(asked, KEY)
        jobs[name] = len(context.statusTracker().getJobIdsForGroup(f"{unit} {name}"))
        context.setJobGroup("others", "others")
        wrong += [(unit, name, str(tally)) for tally, statistic
                  in zip(asked, statistics, strict=True)
                  if statistic != tally_rows(tally, ROWS, KEY)]
    return wrong + [(unit, jobs)] * (not jobs["one"] > 0 or jobs["several"] != jobs["one"])


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


ROW_KINDS = {  # a type of Spark, its ordinary cells, and hostile ones
    "double": ([3.0, 7.0] * 5, alone.DOUBLES),
    "float": ([3.0, 7.0] * 5, alone.DOUBLES[:2]),
    "long": ([3, 7] * 5, [None, 2**63 - 1, -(2**63)]),
    "boolean": ([True, False] * 5, [None]),
    "string": (["3", "yes", "7"] * 5, alone.TEXTS),
}


def one_row_alone(spark, folder):
    """Which statistics, curves and drawn cells of ordinary rows a hostile one changes."""
    wrong = []
    for kind, (rows, hostile) in ROW_KINDS.items():
        number = "double" if kind == "string" else kind

        def frame(cells, kind=kind, number=number):
            held = [(place, 3.0 if kind == "string" else cell, cell)
                    for place, cell in enumerate(cells)]
            return spark.createDataFrame(held, f"id long, x {number}, c {kind}").coalesce(1)

        parts = [alone.released(frame(cells)) for cells in (rows, *([odd] for odd in hostile))]
        whole = alone.released(frame([*hostile, *rows]))
        counts = [sum(part) for part in zip(*(part.counts for part in parts), strict=True)]
        sums = [sum(part) for part in zip(*(part.sums[0] for part in parts), strict=True)]
        wrong += [(kind, "release")] * ([*whole.counts] != counts or [*whole.sums[0]] != sums)
        totals = [curves.release(alone.CURVE, frame(cells)).totals[0]
                  for cells in (rows, hostile, [*hostile, *rows])]
        wrong += [(kind, "curve")] * (totals[0] + totals[1] != totals[2] or not totals[0])
        drawn = []
        for name, cells in (("rows", rows), ("all", [*hostile, *rows, *hostile])):
            values = "false/true" if kind == "boolean" else "3/7"
            done = sanitize(frame(cells), {"c": values}, Level.ratio(10**30),
                            output=folder / f"{kind} {name}")
            drawn.append([row["c"] for row in done.table.orderBy("id").collect()])
        ordinary = drawn[1][len(hostile) : len(hostile) + len(rows)]
        wrong += [(kind, "sanitize")] * (drawn[0] != ordinary or len({*map(str, ordinary)}) < 2)
    return wrong


def rows_tell_nothing(spark, folder):
    """How each function ends on rows of any kind, where that differs from ordinary rows."""
    (folder / "contract").mkdir()
    ledger, wrong = contract.books(folder / "contract"), []
    tables = {"ordinary": [contract.ORDINARY] * 3, "empty": [], "hostile": contract.MISSING}
    frames = {name: spark.createDataFrame(contract.arrow(rows)) for name, rows in tables.items()}

    def sanitized(table, _):
        (name,) = (name for name, frame in frames.items() if frame is table)
        done = sanitize(table, {"c": "no/yes", "x": "bins:0,5,10"}, 1,
                        output=folder / "contract" / name)
        return str(done.table.schema), done.clear, sorted(set(to_json(done)) - {"rows"})

    doors = {name: contract.DOORS[name][0] for name in ("count", "mean", "median", "curve",
                                                        "locate", "heat map")}
    for door, act in {**doors, "sanitize": sanitized}.items():
        ended = {name: contract.told(act, frame, ledger) for name, frame in frames.items()}
        refused = ended["ordinary"][0] in ("BadInput", "BadTable", "SystemFailed")
        if refused != (door in ("locate", "heat map")) or len({*map(str, ended.values())}) > 1:
            wrong.append((door, {name: str(how) for name, how in ended.items()}))
    return wrong


def released(spark, folder):
    """The entries of one release, from Spark and from Arrow."""
    declaration, entries = declared("people"), {}
    for name, data in (("spark", spark.createDataFrame(TABLE)), ("arrow", TABLE)):
        ledger = Ledger.create(folder / f"{name}.sqlite")
        ledger.open_budget(Budget.of("b", declaration, epsilon=3))
        books = open_books(data, declaration, ledger=ledger, budget="b")
        done = books.ask(Question("histogram", "vote"), 1)
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
                for _ in range(1200):
                    if list(folder.glob("stage * part 2 attempt 1")):
                        break
                    time.sleep(0.1)
                time.sleep(1)
    return run


@dataclass(frozen=True)
class Deadly(Values):
    """Declared values; the executor that draws the second part of them is killed, once."""

    folder: Path | None = None

    def matcher(self, table, name):
        from pyspark import TaskContext

        context = TaskContext.get()
        if context and context.partitionId() == 1 and self.drawing() and self.first():
            parent = Path(f"/proc/{os.getppid()}/stat").read_text().rpartition(")")[2]
            os.kill(int(parent.split()[1]), signal.SIGKILL)
            time.sleep(60)
        return super().matcher(table, name)

    def first(self):
        """Whether this is the only attempt that kills: the other executor lives on."""
        try:
            (self.folder / "killed").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    def drawing(self):
        return any(self.folder.parent.glob(".charged.parts/*/_temporary"))


def account(folder, name="tables", rows=ROWS_OF_A_PART * PARTS, request="once"):
    """A budget for two tables of as many rows as there are here."""
    ledger = Ledger.create(folder / f"{name}.sqlite")
    ledger.open_budget(Budget("b", Scope("answers", "row", f"replace:units={rows}"), "ln(9)"))
    return ledger.account("b", request=request)


def drawn(spark, folder, name, trouble=None):
    """What came out of a sanitized frame, asked for twice."""
    charged = account(folder) if name == "plain" else None
    wait_for_both_executors(spark)
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


def wait_for_both_executors(spark):
    """A killed executor is replaced after a while."""
    for _ in range(1200):
        if spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == 3:  # and the driver
            return
        time.sleep(0.1)
    raise TimeoutError("there are no two executors after two minutes")


def charged(spark, folder):
    """A table that is charged and drawn while an executor is killed."""
    marks = folder / "charged marks"
    marks.mkdir()
    wait_for_both_executors(spark)
    domain = Deadly(read_domain("no/yes").space, folder=marks)
    done = sanitize(numbered(spark), {"answer": domain}, "ln(3)", output=folder / "charged",
                    account=account(folder, "charged"))
    rows = sorted(row[0] for row in done.table.collect())
    return {"rows": done.rows, "numbers": rows == list(range(len(rows))),
            "drawn": len(rows), "killed": (marks / "killed").exists()}


def grows(folder):
    """Each evaluation but the first has six times as many rows."""
    def run(batches):
        for batch in batches:
            marks = len(list(folder.glob("*")))
            (folder / f"evaluation {marks}").touch()
            yield from [batch] * (6 if marks else 1)
    return run


def materialized(spark, folder):
    """A frame of 100 rows that has 600 when it is evaluated again, with and without our care."""
    found = {}
    for name, keep in (("kept", clusters.checkpoint), ("careless", lambda frame: frame)):
        (folder / f"{name} marks").mkdir()
        frame = spark.range(100, numPartitions=1).selectExpr("id", "'no' AS answer").mapInArrow(
            grows(folder / f"{name} marks"), "id long, answer string")
        books, kept = account(folder, name, 100), clusters.checkpoint
        clusters.checkpoint = keep
        try:
            done = sanitize(frame, {"answer": "no/yes"}, "ln(3)", output=folder / name,
                            account=books)
            found[name] = [done.rows, done.table.count(), done.booked.answer["rows"]]
        except TightropeError as error:
            found[name] = [type(error).__name__, str(error), left_of(folder, name)]
        clusters.checkpoint = kept
    return found


def one_snapshot(spark, folder):
    """The rows that a plan counts by a declared and by an undeclared column of such a frame."""
    (folder / "snapshot marks").mkdir()
    frame = spark.range(100, numPartitions=1).selectExpr("'a' AS c", "'u' AS t").mapInArrow(
        grows(folder / "snapshot marks"), "c string, t string")
    counts, keys = test_snapshots.read_both(open_source(frame, test_snapshots.both()))
    return [counts, sorted(keys.values())]


def left_of(folder, name):
    """What lies in the folder of a table, its books apart."""
    return sorted(path.name for path in [*folder.glob(f"{name}*"), *folder.glob(f".{name}*")]
                  if path.suffix not in (".sqlite", ".key", ".heads")
                  and not path.name.endswith("marks"))


def kinds(spark, folder):
    """Columns of every type beside drawn ones, and the types of these."""
    from pyspark.sql.pandas.types import to_arrow_schema

    frame = spark.range(6).selectExpr(
        "id", "'no' AS answer", "id % 3 AS grade", "id % 2 = 0 AS truth",
        "timestamp_seconds(id) AS at", "timestamp_ntz'2020-01-01 00:00:00' AS local",
        "array(timestamp_seconds(id)) AS many", "interval '1' day AS length", "map('a', id) AS m",
        "cast(id AS decimal(9, 2)) AS pay", "date'2020-01-01' AS day", "'x' AS `new job?, {0}`")
    declared = {"answer": "no/yes", "grade": "0/1/2", "truth": "false/true"}
    done = sanitize(frame, declared, 300, output=folder / "kinds")
    plain = pa.table({"answer": ["no"], "grade": pa.array([1]), "truth": [True]})
    same = sanitize(plain, declared, 300).table.schema
    return {"equal": sorted(map(str, done.table.collect())) == sorted(map(str, frame.collect())),
            "types": [to_arrow_schema(done.table.select(name).schema).field(0).type
                      == same.field(name).type for name in declared]}


def places(spark, folder):
    """How many rows are read from folders with odd names, and what lies beside them."""
    found, frame = {}, numbered(spark).limit(7).coalesce(1)
    for name, output in (("a[1]", folder / "a[1]"), ("b{x,y}*", f"file://{folder}/b{{x,y}}*"),
                         ("c:d e#%20", f"file:{folder}/c:d e#%20"), ("_e", str(folder / "_e"))):
        done = sanitize(frame, {"answer": "no/yes"}, 1, output=output)
        found[name] = [done.table.count(), (folder / name / "_SUCCESS").exists(),
                       done.columns[0].document.parent == folder,
                       oct((folder / name).stat().st_mode & 0o77)]
    remote = sanitize(frame, {"answer": "no/yes"}, 1, output="viewfs://here/data/far[1]")
    found["far"] = [remote.table.count(), (folder / "elsewhere" / "far[1]" / "_SUCCESS").exists(),
                    remote.columns[0].document]
    for name, books in (("empty", None), ("none", account(folder, "none", 0))):
        done = sanitize(numbered(spark).limit(0), {"answer": "no/yes"}, 1, output=folder / name,
                        account=books)
        found[name] = [done.rows, done.table.count(), left_of(folder, name)]
    again = sanitize(frame, {"answer": "no/yes"}, 1, output=folder / "dead")
    found["dead"] = [again.table.count(), left_of(folder, "dead")]
    spark.conf.set("spark.sql.caseSensitive", "true")
    both = frame.selectExpr("*", "'yes' AS ANSWER")
    done = sanitize(both, {"ANSWER": "no/yes"}, 300, output=folder / "case")
    found["case"] = sorted({(row["answer"], row["ANSWER"]) for row in done.table.collect()})
    spark.conf.set("spark.sql.caseSensitive", "false")
    return found


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
        "empty": (numbered(spark).limit(0), folder / "x", books.account("b")),
        "curator": (odd(spark), folder / "x", books.account("b")),
        "curator, not charged": (odd(spark), folder / "x", None),
        "case": (numbered(spark).selectExpr("*", "'x' AS ANSWER"), folder / "x",
                 books.account("b")),
        "interval": (numbered(spark).selectExpr("*", "interval '1' year AS age"), folder / "x",
                     books.account("b")),
        "far already": (numbered(spark), "viewfs://here/data/far[1]", books.account("b")),
        "nowhere": (numbered(spark), "nosuch://x/y", books.account("b")),
        "no parent": (numbered(spark), folder / "xx" / "y", books.account("b")),
        "stale": (numbered(spark), folder / "stale", books.account("b")),
        "busy": (numbered(spark), folder / "busy", books.account("b")),
    }
    (folder / "stale.id.mechanism.json").touch()
    with making_folder(folder / "busy") as made:
        made.mkdir()
        for name, (frame, output, account) in asked.items():
            level = 9 if name == "spent" else "ln(3)"
            try:
                sanitize(frame, {"answer": "no/yes"}, level, output=output, account=account,
                         curator="curator" in name)
            except TightropeError as error:
                said[name] = str(error)
    return {"said": said, "left": sorted(path.name for path in folder.glob("x*")),
            "charges": books.balance("b").charges}


def odd(spark):
    """Answers of which three were not declared and one is missing."""
    return spark.createDataFrame([("no",), ("maybe",), ("yes",), ("maybe",), (None,), ("?",)],
                                 "answer string").repartition(3)


def dies(folder):
    """Be killed when one part was drawn and the other is not."""
    spark = started("local[2]", folder)

    def kill():
        while not [*folder.glob(".dead.parts/*/_temporary/**/*.parquet")]:
            time.sleep(0.05)
        time.sleep(1)
        spark.sparkContext._gateway.proc.kill()
        os.kill(os.getpid(), signal.SIGKILL)

    def waits(batches):
        from pyspark import TaskContext

        for batch in batches:
            yield batch
            if TaskContext.get().partitionId() == 1:
                time.sleep(60)

    threading.Thread(target=kill, daemon=True).start()
    sanitize(numbered(spark, waits), {"answer": "no/yes"}, "ln(3)", output=folder / "dead")


def main(folder):
    spark = started(cluster(), folder)
    troubles = {"plain": None, "killed": kills_its_executor, "slow": is_slow_at_first}
    found = {"statistics": same_statistics(spark), "rule": written_rule(spark),
             "released": released(spark, folder)}
    for name, trouble in troubles.items():
        (folder / f"{name} marks").mkdir()
        found[name] = drawn(spark, folder, name,
                            trouble and trouble(folder / f"{name} marks"))
        found[name]["marks"] = sorted(path.name for path in (folder / f"{name} marks").glob("*"))
    for ask in (charged, materialized, one_snapshot, kinds, places, refused, one_row_alone,
                rows_tell_nothing):
        found[ask.__name__] = ask(spark, folder)
    print(json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    try:
        (dies if "dies" in sys.argv[2:] else main)(Path(sys.argv[1]))
    except TightropeError as error:  # its message keeps to itself what Spark said
        raise SystemExit(f"{error}\n{traceback.format_exc()[-1000:]}\n"
                         f"{str(error.__context__)[:1000]}") from None
