"""Apache Spark with two executors of its own, started once for all that is asked of it."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systems import spark, spark_job

ROOT = Path(__file__).resolve().parents[2]


def job(folder, *words, module="spark_job"):
    """A job of Spark in a process of its own."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", f"tests.systems.{module}", folder, *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
             "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
             # jobs are short: compiling them well takes longer than running them
             "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
    )


@pytest.mark.slow
def test_spark_counts_the_same_and_every_row_is_drawn_once_whatever_fails(tmp_path):
    spark.needed()
    killed = job(tmp_path, "dies")
    assert killed.returncode == -signal.SIGKILL, killed.stderr[-3000:]
    private = tmp_path / ".dead.parts"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert [*private.rglob("*.parquet")], "drawn rows were left, for their owner alone"
    assert not (tmp_path / "dead").exists()

    ended = job(tmp_path)
    assert ended.returncode == 0, ended.stderr[-2500:]
    found = json.loads(ended.stdout.splitlines()[-1])

    statistics = found["statistics"]
    assert statistics["wrong"] == []
    assert found["rule"] == []
    assert statistics["schema"] == {"who": "category", "age": "number", "pay": "whole",
                                    "vote": "category", "area": "whole"}
    assert found["released"]["spark"] == found["released"]["arrow"]
    assert found["one_row_alone"] == found["rows_tell_nothing"] == []

    rows = spark_job.ROWS_OF_A_PART * spark_job.PARTS
    for name in ("plain", "killed", "slow"):
        drawn = found[name]
        assert drawn["rows"] == drawn["counted"] == rows
        assert drawn["numbers"], "each number once"
        assert drawn["same"], "two actions see the same draws"
        assert drawn["parts"] == spark_job.PARTS, "each executor has entropy of its own"
        # at ln(3) a no stays with 3/4: 4500 of 6000, standard deviation 33.5
        assert abs(drawn["kept"] - 4500) < 6 * 33.5
        assert drawn["clear"] == ["id", "(order of rows)"]
        assert drawn["beside"] == [f"{name}.answer.mechanism.json"]
    assert "killed" in found["killed"]["marks"], "an executor was killed"
    twice = [mark for mark in found["slow"]["marks"] if mark.endswith("part 2 attempt 1")]
    assert twice, "a task was started a second time while the first still ran"

    assert found["charged"] == {"rows": rows, "drawn": rows, "numbers": True, "killed": True}
    assert found["materialized"]["kept"] == [100, 100, 100]
    assert found["one_snapshot"] == [[100, 0], [100]]
    name, words, left = found["materialized"]["careless"]
    assert (name, left) == ("SystemFailed", [])
    assert "another number of rows" in words
    assert found["kinds"] == {"equal": True, "types": [True, True, True]}

    places = found["places"]
    for name in ("a[1]", "b{x,y}*", "c:d e#%20", "_e"):
        assert places[name] == [7, True, True, oct(0o77 & ~umask())], name
    assert places["far"] == [7, True, None]
    for name in ("empty", "none"):
        assert places[name] == [0, 0, [name, f"{name}.answer.mechanism.json"]]
    assert places["dead"] == [7, ["dead", "dead.answer.mechanism.json"]]
    assert places["case"] == [["no", "yes"]]

    said = found["refused"]["said"]
    assert "replace:units=0" in said["empty"]
    for name in ("curator", "curator, not charged"):
        assert "1 missing values and 3 values outside" in said[name]
        assert "'maybe' (2), '?' (1)" in said[name]
    assert "differ in case alone; rename them" in said["case"]
    assert "column 'age' holds intervals" in said["interval"]
    assert "exists already" in said["far already"]
    assert said["nowhere"] == "Spark failed or could not be reached."
    assert "there is no folder" in said["no parent"]
    assert "mechanism of a column that would be in clear" in said["stale"]
    assert "another run is writing busy" in said["busy"]
    assert "name it (output)" in said["no folder"]
    assert "exists already" in said["there already"]
    assert "has no column 'answer'" in said["no column"]
    assert "it is not drawn again" in said["answered"]
    assert {"spent", "other rows"} <= {*said}
    assert (found["refused"]["left"], found["refused"]["charges"]) == ([], 1)
    assert [found[name]["left"] for name in ("plain", "killed")] == [
        "ε = 1.09861 (about)", None]  # ln(9) - ln(3)


@pytest.mark.slow
def test_a_client_of_spark_connect_asks_and_draws_the_same(tmp_path):
    spark.needed("grpc_status", "zstandard")
    ended = job(tmp_path, module="spark_connect_job")
    assert ended.returncode == 0, ended.stderr[-2500:]
    found = json.loads(ended.stdout.splitlines()[-1])
    assert found["module"].startswith("pyspark.sql.connect.")
    assert found["wrong"] == []
    assert found["released"]["spark"] == found["released"]["arrow"]
    assert abs(found["drawn"].pop("kept") - 4500) < 6 * 33.5
    assert found["drawn"] == {"rows": 6000, "far": 7, "same": True, "numbers": True}
    assert (found["materialized"], found["snapshot"]) == ([100, 100, 100], [[100, 0], [100]])
    failed = "Spark failed or could not be reached."
    assert found["refused"] == {
        "far already": "viewfs://here/data/far[1] exists already; name a new folder.",
        "nowhere": failed, "no table": failed, "no table to draw": failed}


def umask():
    """The rights that new files do not have here."""
    held = os.umask(0o077)
    os.umask(held)
    return held
