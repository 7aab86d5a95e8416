"""Apache Spark at one core and at two: rows per second of processor, bytes shuffled, and the law.

Each number of cores has a Java process of its own, which reads the same rows from Parquet files.
Beside every statistic stands the same one in Spark's own functions, without privacy. Processor
seconds are those of Java and of all Python workers, so that a busy machine blurs them little.
How often each category became each other one is compared with the proved law.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from reports import Report
from scipy.stats import chi2

from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.tables import open_source, sanitize

ROWS = int(os.environ.get("TIGHTROPE_BENCH_SPARK_ROWS", 5_000_000))
PARTS = 8
TINY = {"size": 2000, "parts": 2}
VALUES = [f"v{k}" for k in range(10)]
MOST = 3
COLUMNS = {"answer": {"type": "category", "values": VALUES},
           "age": {"type": "number", "low": 10, "high": 90, "resolution": "0.5"}}
KEY = CutKey(bytes(32))
WORKS = ("histogram", "mean", "twelve questions", "histogram of people", "sanitize")


def measure(size: int = ROWS, parts: int = PARTS) -> Report:
    """Every work at one core and at two, and pairs of what was and what came."""
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        for cores in (1, 2):
            runs[cores] = _in_own_process(cores, size, parts, folder)
    distance, chance = _law(runs[2], size)
    rows, numbers = [], {"chi-square": distance}
    for work in WORKS:
        for cores, run in runs.items():
            ours, plain = run["ours"][work], run["plain"].get(work)
            speed = size / ours["processor"]
            beside = ours["processor"] / plain["processor"] if plain else None
            numbers[f"{work}, {cores}"] = speed
            if beside is not None:
                numbers[f"{work}, {cores}, beside plain"] = beside
            rows.append([
                work, str(cores), f"{ours['seconds']:.1f}", f"{ours['processor']:.1f}",
                f"{speed:,.0f}", "" if beside is None else f"{beside:.1f}",
                f"{ours['shuffled'] / size:.1f}",
                "" if plain is None else f"{plain['shuffled'] / size:.1f}"])
    memory = max(run["python"] for run in runs.values()) / 2**20
    sorting = max(run["ours"]["histogram of people"]["sorting"] for run in runs.values())
    numbers |= {"python worker MB": memory, "sorting bytes a row": sorting * parts / size}
    return Report(
        title="Apache Spark at one core and at two",
        question=f"{size:,} rows of Parquet, 10 categories, a number, people named by 12 letters "
        f"with 10 rows each on average, of which {MOST} count; {parts} parts.",
        columns=["work", "cores", "seconds", "processor seconds", "rows per processor second",
                 "times plain Spark", "bytes shuffled a row", "plain: bytes shuffled a row"],
        rows=rows,
        remarks=[
            "Processor seconds are of Java and all Python workers; the machine was shared, so "
            "that seconds say less. Each work ran once, after a small run of the same kind.",
            "Plain: the same aggregate in Spark's own functions, of people after a window that "
            "keeps as many rows; sanitize beside a column of Spark's rand().",
            f"A Python worker took at most {memory:.0f} MB; sorting people's rows took "
            f"{sorting * parts / size:.0f} bytes of Java's memory for each row.",
            f"Sanitized cells beside the proved law: chi-square {distance:.1f} of 90 degrees; "
            f"one as large has the chance {chance:.2f}.",
        ],
        numbers=numbers,
    )


def _in_own_process(cores: int, size: int, parts: int, folder: str) -> dict[str, Any]:
    """What a Java process with so many cores needs."""
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, str(cores), str(size), str(parts), folder],
        capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(ended.stderr[-3000:])
    run: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return run


def _law(run: dict[str, Any], size: int) -> tuple[float, float]:
    """The chi-square of the drawn cells, and the chance of one as large."""
    pairs = {(was, came): count for was, came, count in run["pairs"]}
    distance = 0.0
    for was, law in run["law"].items():
        for came, share in zip(VALUES, law, strict=True):
            expected = size // 10 * share
            distance += (pairs.get((was, came), 0) - expected) ** 2 / expected
    chance = float(chi2.sf(distance, 90))
    if chance < 1e-6:
        raise SystemExit(f"what Spark drew has another law: chi-square {distance:.1f} of 90")
    return distance, chance


def _run(cores: int, size: int, parts: int, folder: Path) -> dict[str, Any]:
    """All works in this process, small and then full, and what Spark logged of them."""
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as say

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    events = folder / f"events {cores}"
    events.mkdir()
    builder = SparkSession.builder.master(f"local[{cores}]")
    for name, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g", "spark.sql.shuffle.partitions": str(parts),
        "spark.sql.adaptive.enabled": "false", "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": events.as_uri(), "spark.eventLog.compress": "false",
        "spark.eventLog.rolling.enabled": "false",
    }.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    tables = {}
    for name, count in (("small", min(size, 20_000)), ("full", size)):
        path = str(folder / f"{name}.parquet")
        if not Path(path).exists():
            _rows(spark, count, parts).write.parquet(path)
        tables[name] = spark.read.parquet(path)
    found: dict[str, Any] = {"ours": {}, "plain": {}}
    for name, frame in tables.items():
        place = folder / f"{name} {cores}"
        for kind, works in (("ours", _ours(frame, place)), ("plain", _plain(frame, say, place))):
            for work, act in works.items():
                spark.sparkContext.setJobGroup(f"{name} {kind} {work}", work)
                started, used = perf_counter(), _processor()
                act()
                found[kind][work] = {"seconds": perf_counter() - started,
                                     "processor": _processor() - used}
    spark.sparkContext.setJobGroup("law", "law")
    drawn = spark.read.parquet(f"{place} ours")
    counted = drawn.groupBy("was", "answer").count().collect()
    done = sanitize(tables["small"], {"answer": "/".join(VALUES)}, 1, output=f"{place} law")
    mechanism = done.columns[0].response.mechanism
    found["pairs"] = [list(row) for row in counted]
    found["law"] = {was: [float(share) for share in mechanism.row(was)] for was in VALUES}
    found["python"] = max(peak for pid, peak in _peaks() if pid != os.getpid())
    spark.stop()
    [log] = [path for path in events.iterdir() if path.is_file() and "crc" not in path.name]
    for kind in ("ours", "plain"):
        for work, numbers in found[kind].items():
            numbers |= _logged(log, f"full {kind} {work}")
    return found


def _rows(spark: Any, size: int, parts: int) -> Any:
    """Rows made of their numbers alone."""
    return spark.range(size, numPartitions=parts).selectExpr(
        "concat('v', cast(id % 10 as string)) AS was",
        "concat('v', cast(id % 10 as string)) AS answer",
        "10 + pmod(hash(id, 1), 8001) / 100.0D AS age",
        f"concat('p', lpad(cast(pmod(hash(id), {max(1, size // 10)}) as string), 11, '0')) AS who")


def _ours(frame: Any, place: Path) -> dict[str, Callable[[], object]]:
    """The statistics behind a release, and a sanitized table."""
    rows = Declaration.of({"dataset": "d", "columns": COLUMNS})
    people = Declaration.of({"dataset": "d", "columns": COLUMNS,
                             "unit": {"person": "who", "rows": MOST}})
    plan = [Tally(rows, ("answer",)), Tally(rows, (), ("age",)),
            Tally(rows, ("answer",), ("age",))] * 4

    def tally(*tallies: Tally) -> Callable[[], object]:
        return lambda: open_source(frame, tallies[0].declaration).tallies(tallies, KEY)

    return {"histogram": tally(plan[0]), "mean": tally(plan[1]),
            "twelve questions": tally(*plan),
            "histogram of people": tally(Tally(people, ("answer",))),
            "sanitize": lambda: sanitize(frame, {"answer": "/".join(VALUES)}, 1,
                                         output=f"{place} ours")}


def _plain(frame: Any, say: Any, place: Path) -> dict[str, Callable[[], object]]:
    """The same without privacy, in Spark's own functions."""
    from pyspark.sql import Window

    by_person = Window.partitionBy("who").orderBy(say.hash("age", "answer"))
    kept = frame.withColumn("place", say.row_number().over(by_person)).where(f"place <= {MOST}")
    clamped = say.least(say.greatest("age", say.lit(10.0)), say.lit(90.0))
    values = say.array(*map(say.lit, VALUES))
    other = say.element_at(values, (1 + say.floor(10 * say.rand())).cast("int"))
    flipped = say.when(say.rand() < 0.2, frame["answer"]).otherwise(other)
    return {"histogram": lambda: frame.groupBy("answer").count().collect(),
            "mean": lambda: frame.agg(say.sum(clamped), say.count("age")).collect(),
            "histogram of people": lambda: kept.groupBy("answer").count().collect(),
            "sanitize": lambda: frame.withColumn("answer", flipped).write.parquet(
                f"{place} plain")}


def _logged(log: Path, group: str) -> dict[str, float]:
    """The bytes shuffled by the jobs of a group, and the most that a task sorted in memory."""
    stages: set[int] = set()
    shuffled = sorting = 0
    for line in log.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        if event["Event"] == "SparkListenerJobStart" and (
                event["Properties"].get("spark.jobGroup.id") == group):
            stages |= {*event["Stage IDs"]}
        elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in stages:
            metrics = event["Task Metrics"]
            shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
            sorting = max(sorting, metrics["Peak Execution Memory"])
    return {"shuffled": shuffled, "sorting": sorting}


def _processor() -> float:
    """The processor seconds of this process, Java and its workers, with those that ended."""
    ticks = sum(sum(map(int, fields[11:15])) for _, fields in _processes())
    return ticks / os.sysconf("SC_CLK_TCK")


def _peaks() -> Iterator[tuple[int, int]]:
    """The most memory that each Python process below this one had, in bytes."""
    for pid, _ in _processes():
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        values = dict(line.split(":", 1) for line in status.splitlines())
        if "python" in values["Name"]:
            yield pid, int(values["VmHWM"].split()[0]) * 1024


def _processes() -> list[tuple[int, list[str]]]:
    """This process and all below it, with what the system counts of them."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            found[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
    family = {os.getpid()}
    while more := {pid for pid, fields in found.items() if int(fields[1]) in family} - family:
        family |= more
    return [(pid, found[pid]) for pid in sorted(family)]


if __name__ == "__main__":
    CORES, SIZE, NUMBER, FOLDER = sys.argv[1:]
    print(json.dumps(_run(int(CORES), int(SIZE), int(NUMBER), Path(FOLDER))))
