"""A curator's questions of one real survey: Tightrope beside four libraries, 200 answers each.

The table is `fair` of statsmodels: 6,366 women, a row each; a neighbor has a row more or less. The
eight questions were fixed before any library was asked. Each has the whole ε; what is compared is
the error of an answer, on average over its cells. Each library is asked as its guide says.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from environments import peers_python
from reports import Report

from tightrope.declarations import CutKey, Declaration
from tightrope.releases import Question, plan_release
from tightrope.releases.answers import answers
from tightrope.releases.releasing import statistics
from tightrope.samplers import fresh_key
from tightrope.tables import open_source

HERE = Path(__file__).resolve().parent
EPSILON = "0.5"
RUNS = int(os.environ.get("TIGHTROPE_BENCH_CURATOR_RUNS", 200))
PEERS = {"OpenDP": ("opendp_errors", ""), "OpenDP, Polars": ("opendp_polars_errors", ""),
         "diffprivlib": ("diffprivlib_errors", ""), "Tumult": ("tumult_errors", "tumult")}
TINY: dict[str, Any] = {"runs": 2, "peers": ()}
LOW, HIGH, JOBS, FAITHS = 15, 45, 6, 4
SURE = 2.5758
"""Standard errors on either side of a 99 % interval."""

DECLARED = {"dataset": "fair", "columns": {
    "job": {"type": "category", "values": list(range(JOBS))},
    "faith": {"type": "category", "values": list(range(FAITHS))},
    "affair": {"type": "category", "values": [0, 1]},
    "age": {"type": "number", "low": LOW, "high": HIGH, "resolution": 1, "missing": LOW}}}


@dataclass(frozen=True)
class Asked:
    """A question, as Tightrope and as the others are asked it, and how answers become errors."""

    name: str
    question: Question
    told: dict[str, Any]
    error: Callable[[Sequence[float]], float]


def fair() -> dict[str, list[int]]:
    """The survey in whole numbers."""
    from statsmodels.datasets import fair as survey

    rows = survey.load_pandas().data
    return {"job": [int(code) - 1 for code in rows["occupation"]],
            "faith": [int(code) - 1 for code in rows["religious"]],
            "affair": [int(share > 0) for share in rows["affairs"]],
            "age": [int(age) for age in rows["age"]]}


def questions(rows: dict[str, list[int]]) -> list[Asked]:
    """All questions."""
    jobs, ages = rows["job"], rows["age"]
    pairs = [FAITHS * job + faith for job, faith in zip(jobs, rows["faith"], strict=True)]
    groups = [[age for job, age in zip(jobs, ages, strict=True) if job == code]
              for code in range(JOBS)]
    unfaithful = [1] * sum(rows["affair"])
    bounds = {"low": LOW, "high": HIGH, "public": False}
    whole, grouped = {**bounds, "values": ages}, {**bounds, "groups": groups}
    return [
        Asked("count of affairs", Question("count", where="affair = 1"),
              {"kind": "count", "values": unfaithful}, apart([len(unfaithful)])),
        Asked("histogram of 6 jobs", Question("histogram", "job"),
              {"kind": "histogram", "values": jobs, "cells": JOBS, "change": 1},
              apart([jobs.count(code) for code in range(JOBS)])),
        Asked("cross table, 6 jobs by 4 faiths", Question("cross", ("job", "faith")),
              {"kind": "histogram", "values": pairs, "cells": JOBS * FAITHS, "change": 1},
              apart([pairs.count(code) for code in range(JOBS * FAITHS)])),
        Asked("sum of ages", Question("sum", "age"), {"kind": "sum", **whole}, apart([sum(ages)])),
        Asked("mean age", Question("mean", "age"), {"kind": "mean", **whole},
              apart([fmean(ages)])),
        Asked("mean age by job", Question("mean", "age", by="job"),
              {"kind": "means", **grouped}, apart([*map(fmean, groups)])),
        Asked("median age, in ranks", Question("median", "age"), {"kind": "median", **whole},
              ranks([ages])),
        Asked("median age by job, in ranks", Question("median", "age", by="job"),
              {"kind": "medians", **grouped}, ranks(groups)),
    ]


def apart(truth: Sequence[float]) -> Callable[[Sequence[float]], float]:
    """The mean distance of answers from the truth."""
    return lambda told: fmean(abs(x - t) for x, t in zip(told, truth, strict=True))


def ranks(groups: Sequence[Sequence[float]]) -> Callable[[Sequence[float]], float]:
    """How far the ranks of answers are from the middle ones, on average."""

    def off(values: Sequence[float], answer: float) -> float:
        half = len(values) / 2
        return max(sum(value < answer for value in values) - half,
                   half - sum(value <= answer for value in values), 0.0)

    return lambda told: fmean(map(off, groups, told))


def own_errors(asked: Asked, rows: dict[str, list[int]], runs: int) -> list[float]:
    """The errors of Tightrope's answers; counts that are left out of a table are not compared."""
    plan = plan_release(asked.question, Declaration.of(DECLARED), EPSILON)
    source = open_source(rows, plan.declaration)
    exact = statistics(plan, source, CutKey(fresh_key()))
    cells = asked.told.get("cells")
    errors = []
    for _ in range(runs):
        drawn = [part.draw(value) for part, value in zip(plan.subqueries, exact, strict=True)]
        told = [float(answer.value) for answer in answers(plan, drawn)]
        errors.append(asked.error(told[:cells]))  # margins follow the cells
    return errors


def drawn(script: str, alone: str, asked: Sequence[Asked], runs: int) -> dict[str, Any]:
    """The answers of a library, in a process of its own environment."""
    problems = [{**each.told, "epsilon": float(EPSILON), "repeats": runs} for each in asked]
    ended = subprocess.run(
        [peers_python(alone), "-W", "ignore", HERE / "peers" / f"{script}.py"],
        input=json.dumps(problems), capture_output=True, text=True, check=False)
    if ended.returncode:
        raise SystemExit(f"{script} failed:\n{ended.stderr[-3000:]}")
    return dict(json.loads(ended.stdout.splitlines()[-1]))


def measure(runs: int = RUNS, peers: Sequence[str] = tuple(PEERS)) -> Report:
    """Ask everybody everything."""
    rows = fair()
    asked = questions(rows)
    public = [replace(each, told={**each.told, "public": True}) if "public" in each.told else each
              for each in asked]
    theirs = {name: drawn(*PEERS[name], public if name == "diffprivlib" else asked, runs)
              for name in peers}
    table, numbers = [], {}
    for place, each in enumerate(asked):
        own = own_errors(each, rows, runs)
        row = [each.name, f"{fmean(own):.4g}"]
        numbers[f"{each.name}, Tightrope"] = fmean(own)
        for name in peers:
            given = theirs[name]["answers"][place]
            errors = None if given is None else [each.error(told) for told in given]
            row.append("" if errors is None else compared(
                errors, own, name == "diffprivlib" and "public" in each.told))
            if errors is not None:
                numbers[f"{each.name}, {name}"] = fmean(errors)
        table.append(row)
    versions = ", ".join(f"{name} {theirs[name]['version']}" for name in peers)
    return Report(
        title="A curator's questions beside other libraries",
        question=f"`fair` of statsmodels, {len(rows['age']):,} rows, each a unit, add or remove; "
        f"ε = {EPSILON} for each question; mean absolute error of {runs} answers"
        + (f", beside {versions}." if versions else "."),
        columns=["question", "Tightrope", *peers], rows=table, remarks=REMARKS, numbers=numbers)


def compared(errors: Sequence[float], own: Sequence[float], public: bool) -> str:
    """An error, and whether 99 % intervals tell it apart from ours."""
    spread = sqrt((stdev(errors) ** 2 + stdev(own) ** 2) / len(own))
    more = fmean(errors) - fmean(own)
    verdict = "alike" if abs(more) <= SURE * spread else "more" if more > 0 else "**less**"
    return f"{fmean(errors):.4g}{'*' if public else ''} ({verdict})"


REMARKS = [
    "In brackets: whether a library errs more or less than Tightrope, or 99 % intervals do not "
    "tell them apart.",
    "\\* takes the number of rows (of each group) as public: a neighbor replaces a row within its "
    "group. The same ε then protects against one change instead of two.",
    "diffprivlib errs less on the sum, by that promise alone: a replaced row moves it by "
    f"{HIGH} - {LOW} = {HIGH - LOW}, a row more by {HIGH}. Both add noise for the whole ε, with "
    f"mean errors near {HIGH - LOW} / ε = {2 * (HIGH - LOW)} and {HIGH} / ε = {2 * HIGH}.",
    "Counts are alike because the laws are: two-sided geometric noise for a change by 1, with "
    "mean error 1.919 (diffprivlib's is truncated at 0, OpenDP calls it integer Laplace).",
    f"Means: OpenDP halves the ε between a sum, which a row moves by {HIGH}, and a count. Tightrope "
    f"spends it once on the sums of x - {LOW} and {HIGH} - x, which a row moves by {HIGH - LOW} in "
    "all; their sum tells the count.",
    "Medians: ages have few values and long ties. diffprivlib draws a point of a gap between two "
    "ages, by the ranks of the gap, so it rarely is the age in the middle; here it is rounded.",
    "OpenDP's core has no groups: they are left out. All runs of a question are one query of "
    "Tumult and of OpenDP's API for Polars, on the table repeated by a public number.",
]
