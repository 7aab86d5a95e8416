"""Apache Spark with two executors of its own, started once for all that is asked of it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.systems import spark, spark_job

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_spark_counts_the_same_and_every_row_is_drawn_once_whatever_fails(tmp_path):
    spark.needed()
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.systems.spark_job", tmp_path],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
             "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}",
             # jobs are short: compiling them well takes longer than running them
             "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"},
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    found = json.loads(ended.stdout.splitlines()[-1])

    statistics = found["statistics"]
    assert statistics["wrong"] == []
    assert found["rule"] == []
    assert statistics["schema"] == {"who": "category", "age": "number", "pay": "whole",
                                    "vote": "category", "area": "whole"}
    assert found["released"]["spark"] == found["released"]["arrow"]

    rows = spark_job.ROWS_OF_A_PART * spark_job.PARTS
    for name in ("plain", "killed", "slow"):
        drawn = found[name]
        assert drawn["rows"] == drawn["counted"] == rows
        assert drawn["numbers"], "each number once"
        assert drawn["same"], "two actions see the same draws"
        assert drawn["parts"] == spark_job.PARTS, "each executor has entropy of its own"
        # at ln(3) a no stays with 3/4: 4500 of 6000, standard deviation 33.5
        assert abs(drawn["kept"] - 4500) < 6 * 33.5
        assert drawn["clear"] == ["id"]
        assert drawn["beside"] == [f"{name}.answer.mechanism.json"]
    assert "killed" in found["killed"]["marks"], "an executor was killed"
    twice = [mark for mark in found["slow"]["marks"] if mark.endswith("part 2 attempt 1")]
    assert twice, "a task was started a second time while the first still ran"

    said = found["refused"]["said"]
    assert "name it (output)" in said["no folder"]
    assert "exists already" in said["there already"]
    assert "has no column 'answer'" in said["no column"]
    assert "it is not drawn again" in said["answered"]
    assert {"spent", "other rows"} <= {*said}
    assert (found["refused"]["left"], found["refused"]["charges"]) == ([], 1)
    assert [found[name]["left"] for name in ("plain", "killed")] == [
        "ε = 1.09861 (about)", None]  # ln(9) - ln(3)
