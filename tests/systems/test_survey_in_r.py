"""A survey's folder is analyzed by R: the script that it holds comes to the same estimates."""

import csv
import re
import shutil
import subprocess

import numpy as np
import pytest

from tests.surveys.field import best_survey, drawn_truths, field_survey, kept, people
from tests.surveys.test_exports import SEED, even, hostile_survey
from tightrope import surveys as sv

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed"),
]


def run(folder, *words):
    return subprocess.run(["Rscript", "--vanilla", *words], cwd=folder, capture_output=True,
                          text=True, timeout=300, check=False)


def exported(survey, folder, n, laws=None, **options):
    rng = np.random.default_rng(SEED)
    groups = [survey.groups[i % len(survey.groups)] for i in range(n)]
    sent = people(survey, drawn_truths(survey, laws or even(survey), n, rng), SEED, groups)
    with kept(folder, survey, sent) as store:
        report = sv.report(survey, store, **options)
    sv.write_export(report, folder / "out")
    return report


@pytest.mark.parametrize("survey", [field_survey, hostile_survey, best_survey],
                         ids=["field", "hostile", "best"])
@pytest.mark.parametrize("options", [
    {}, {"confidence": 0.8, "interval": "normal"}, {"interval": "score"},
    {"interval": "chebyshev", "sampling": False}, {"sampling": False},
    {"interval": "score", "sampling": False},
], ids=str)
def test_r_comes_to_the_same_estimates(survey, options, tmp_path):
    exported(survey(), tmp_path, 300, **options)
    answer = run(tmp_path / "out", "analysis.R")
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stderr == ""
    largest = re.search(r"Largest difference from estimates.csv: (\S+)", answer.stdout)
    assert float(largest[1]) < 1e-6


def test_r_notices_an_estimate_that_is_wrong(tmp_path):
    exported(field_survey(), tmp_path, 200)
    place = tmp_path / "out" / "estimates.csv"
    with place.open(newline="") as lines:
        names, *rows = csv.reader(lines)
    rows[0][names.index("low")] = str(float(rows[0][names.index("low")]) + 0.01)
    with place.open("w", newline="") as out:
        csv.writer(out).writerows([names, *rows])
    answer = run(tmp_path / "out", "analysis.R")
    assert answer.returncode == 1
    assert "0.01" in answer.stdout.splitlines()[-1]


def test_texts_never_run_as_code(tmp_path):
    """The first answer of the hostile survey would end R with status 9."""
    exported(hostile_survey(), tmp_path, 60)
    answer = run(tmp_path / "out", "analysis.R")
    assert answer.returncode == 0
    assert "quit(status = 9)" in answer.stdout


@pytest.mark.parametrize("ending", ["sav", "dta"])
def test_haven_reads_labels(ending, tmp_path):
    report = exported(field_survey(), tmp_path, 80)
    sv.write_export(report, tmp_path / f"a.{ending}")
    answer = run(tmp_path, "-e", f"""
        d <- haven::read_{ending}("a.{ending}")
        q <- haven::as_factor(d$q2)
        cat(attr(d$q2, "label"), paste(levels(q), collapse = "|"), sum(q == "3"), sep = "\n")""")
    assert answer.returncode == 0, answer.stderr
    question = report.survey.questions[1]
    threes = sum(sent.responses["q2"] == 2 for sent in report.people.sent)
    assert answer.stdout.splitlines() == [
        question.text, "|".join(question.responses), str(threes)]
