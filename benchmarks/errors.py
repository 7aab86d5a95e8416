"""The error of private statistics, Tightrope beside three libraries: same data, bounds and ε.

Every question is asked of all libraries that have it, of the same rows, with the same neighbors.
Where the law of an answer is known its mean error is computed from it, and draws are compared with
that; elsewhere errors are averages of many answers, and what is stated beside them is a 99 %
interval of the difference. The libraries run in processes of their own environment.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import exp, sinh, sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance
from typing import Any

import numpy as np
from environments import peers_python
from reports import Report

from tightrope.declarations import CutKey, Declaration
from tightrope.releases import Question, QuestionPlan, plan_release
from tightrope.releases.answers import answers
from tightrope.releases.releasing import statistics
from tightrope.samplers import fresh_key
from tightrope.tables import open_source

HERE = Path(__file__).resolve().parent
PEERS = ("OpenDP", "diffprivlib", "PyDP")
REPEATS = int(os.environ.get("TIGHTROPE_BENCH_REPEATS", 2000))
TINY = {"repeats": 2, "peers": ()}
CHECKED = 400
"""Answers that are drawn where the law is known, to see that it is the library's."""

SURE = 2.5758
"""Standard errors on either side of a 99 % interval."""


@dataclass(frozen=True)
class Problem:
    """A question of rows, as Tightrope and as the libraries are asked it.

    `laws` are the exact mean errors of libraries whose law is known; `told` turns the answers
    of a library into errors.
    """

    name: str
    epsilon: float
    neighbors: str
    question: Question
    declared: dict[str, Any]
    rows: dict[str, list[Any]]
    asked: dict[str, Any]
    told: Callable[[Sequence[float]], float]
    laws: dict[str, float]

    @property
    def plans(self) -> dict[str, QuestionPlan]:
        """Tightrope's answers by name: the default, and the optimum where a range is known."""
        ways = {"unbiased (default)": None, "optimum": "average"} if "clamp" in self.asked else {
            "default": None}
        declaration = Declaration.of(self.declared)
        return {name: plan_release(replace(self.question, optimal=best), declaration,
                                   str(self.epsilon)) for name, best in ways.items()}


def geometric(change: int, epsilon: float) -> float:
    """The mean error of two-sided geometric noise, the discrete Laplace law."""
    return 1 / sinh(epsilon / change)


def rounded_laplace(change: int, epsilon: float) -> float:
    """The mean error of Laplace noise that is rounded to whole numbers."""
    return 1 / (2 * sinh(epsilon / change / 2))


def clamped(chances: Callable[[int], float], most: int) -> float:
    """The mean error of noise whose answers are clamped, on average over numbers 0 to `most`.

    Noise z errs by |z|, or by what is left up to the end on its side.
    """
    z = np.arange(1, 8001)
    law = np.array([chances(int(k)) for k in z])
    return float(2 * law @ [mean_of_least(int(k), most) for k in z])


def mean_of_least(z: int, most: int) -> float:
    """The mean of min(z, x) over x from 0 to `most`."""
    inside = min(z, most)
    return (inside * (inside + 1) / 2 + z * max(most - z, 0)) / (most + 1)


def clamped_laplace(scale: float, length: float) -> float:
    """The mean error of Laplace noise whose answers are clamped, over a range of this length."""
    return scale * (1 - scale / length * (1 - exp(-length / scale)))


def geometric_law(epsilon: float) -> Callable[[int], float]:
    return lambda z: (1 - exp(-epsilon)) / (1 + exp(-epsilon)) * exp(-epsilon * abs(z))


def rounded_law(epsilon: float) -> Callable[[int], float]:
    return lambda z: (1 - exp(-epsilon / 2) if z == 0 else
                      exp(-epsilon * abs(z)) * sinh(epsilon / 2))


def mean_apart(truth: Sequence[float]) -> Callable[[Sequence[float]], float]:
    """The mean distance of answers from the truth."""
    return lambda found: fmean(abs(x - t) for x, t in zip(found, truth, strict=True))


def ranks_off(values: Sequence[float]) -> Callable[[Sequence[float]], float]:
    """How far the rank of an answer is from the middle one."""
    half = len(values) / 2

    def off(found: Sequence[float]) -> float:
        below = sum(value < found[0] for value in values)
        upto = sum(value <= found[0] for value in values)
        return max(below - half, half - upto, 0.0)

    return off


def _rows(size: int) -> dict[str, list[Any]]:
    """Rows of a small survey, the same at every run; `rounded` has an age of every five."""
    source = Random(2026)
    ages = [17.5, 22, 27, 27, 32, 37, 42]
    return {
        "occupation": [f"o{min(int(source.expovariate(0.5)), 5)}" for _ in range(size)],
        "religious": [f"r{source.choice([1, 2, 2, 3, 3, 4])}" for _ in range(size)],
        "rating": [min(int(source.expovariate(0.6)), 5) for _ in range(size)],
        "age": [int(source.choice(ages)) + source.randrange(-2, 3) for _ in range(size)],
        "rounded": [int(source.choice(ages)) for _ in range(size)],
    }


def _declared(**unit: Any) -> dict[str, Any]:
    return {
        "dataset": "survey", "unit": unit,
        "columns": {
            "occupation": {"type": "category", "values": [f"o{k}" for k in range(6)]},
            "religious": {"type": "category", "values": [f"r{k}" for k in range(1, 5)]},
            "rating": {"type": "number", "low": 0, "high": 5, "resolution": 1, "missing": 0},
            **{name: {"type": "number", "low": 15, "high": 44, "resolution": 1, "missing": 15}
               for name in ("age", "rounded")},
        },
    }


ADDED, REPLACED = "add or remove", "replace"


def problems() -> list[Problem]:
    """All questions."""
    return [*_counts(), *_histograms(), *_sums(), *_overlapping(), *_means(), *_medians(),
            *_crossed(), *_with_delta()]


def _counts() -> list[Problem]:
    found, rows = [], _rows(12)
    for epsilon in (0.1, 0.5, 1.0):
        laws = {"OpenDP": clamped(geometric_law(epsilon), 20),
                "diffprivlib": clamped(geometric_law(epsilon), 20),
                "PyDP": clamped(rounded_law(epsilon), 20)}
        found.append(Problem("count, 0 to 20 declared", epsilon, ADDED, Question("count"),
                             _declared(most=20), rows,
                             {"kind": "count", "values": rows["rating"], "clamp": 20},
                             mean_apart([12]), laws))
    for epsilon in (0.1, 1.0):
        laws = {"OpenDP": geometric(1, epsilon), "diffprivlib": geometric(1, epsilon),
                "PyDP": rounded_laplace(1, epsilon)}
        rows = _rows(1000)
        found.append(Problem("count, no range", epsilon, ADDED, Question("count"), _declared(),
                             rows, {"kind": "count", "values": rows["rating"]},
                             mean_apart([1000]), laws))
    return found


def _histograms() -> list[Problem]:
    found, rows = [], _rows(1000)
    codes = [int(text[1:]) for text in rows["occupation"]]
    truth = [codes.count(k) for k in range(6)]
    for epsilon, neighbors, change in ((0.5, ADDED, 1), (0.5, REPLACED, 2)):
        unit: dict[str, Any] = {} if neighbors is ADDED else {"neighbors": "replace", "size": 1000}
        laws = {"OpenDP": geometric(change, epsilon), "diffprivlib": geometric(change, epsilon),
                "PyDP": rounded_laplace(change, epsilon)}
        found.append(Problem(
            "histogram of 6 cells", epsilon, neighbors, Question("histogram", "occupation"),
            _declared(**unit), rows,
            {"kind": "histogram", "values": codes, "cells": 6, "change": change},
            mean_apart(truth), laws))
    return found


def _sums() -> list[Problem]:
    levels = (0.1, 0.5, 1.0, 2.0)
    return [*(_sum("rating", epsilon, neighbors) for epsilon in levels
              for neighbors in (ADDED, REPLACED)),
            _sum("age", 1.0, ADDED), _sum("age", 1.0, REPLACED),
            *(_sum("rating", epsilon, neighbors, 20) for epsilon in levels
              for neighbors in (ADDED, REPLACED))]


def _sum(column: str, epsilon: float, neighbors: str, people: int = 1000) -> Problem:
    """A sum; few people are declared to be so many, or so many at most."""
    rows, (low, high) = _rows(people), (0, 5) if column == "rating" else (15, 44)
    few, public = people < 1000, neighbors is REPLACED
    unit: dict[str, Any] = {"neighbors": "replace", "size": people} if public else (
        {"most": people} if few else {})
    change = high - low if public else high
    laws = {"OpenDP": geometric_law, "diffprivlib" if public else "PyDP":
            geometric_law if public else rounded_law}
    if public or few:
        known = {name: clamped(law(epsilon / change), people * change)
                 for name, law in laws.items()}
    else:
        known = {"OpenDP": geometric(change, epsilon), "PyDP": rounded_laplace(change, epsilon)}
    asked = {"kind": "sum", "values": rows[column], "low": low, "high": high, "public": public}
    return Problem(
        f"sum of values {low} to {high}{f' of {people} people' if few else ''}", epsilon,
        neighbors, Question("sum", column), _declared(**unit), rows,
        {**asked, "clamp": people * change} if public or few else asked,
        mean_apart([sum(rows[column])]), known)


def _overlapping() -> list[Problem]:
    found, rows = [], _rows(1000)
    for number in (2, 4, 8):
        asked = [f"age >= {20 + 2 * k}" for k in range(number)]
        held = [[int(age >= 20 + 2 * k) for age in rows["age"]] for k in range(number)]
        laws = {"OpenDP": geometric(number, 1), "diffprivlib": geometric(number, 1),
                "PyDP": rounded_laplace(number, 1)}
        found.append(Problem(
            f"{number} overlapping counts", 1.0, ADDED, Question("counts", at=asked), _declared(),
            rows, {"kind": "counts", "values": held}, mean_apart([sum(one) for one in held]), laws))
    return found


def _means() -> list[Problem]:
    found, rows = [], _rows(1000)
    for neighbors, epsilon in ((REPLACED, 0.1), (REPLACED, 1.0), (ADDED, 0.1), (ADDED, 1.0)):
        unit: dict[str, Any] = {} if neighbors is ADDED else {"neighbors": "replace", "size": 1000}
        laplace = dict.fromkeys(("OpenDP", "diffprivlib"),
                                clamped_laplace(5 / epsilon / 1000, 5))
        laws = {} if neighbors is ADDED else laplace
        found.append(Problem(
            "mean of values 0 to 5", epsilon, neighbors, Question("mean", "rating"),
            _declared(**unit), rows,
            {"kind": "mean", "values": rows["rating"], "low": 0, "high": 5,
             "public": neighbors is REPLACED, **({"clamp": 5} if laws else {})},
            mean_apart([fmean(rows["rating"])]), laws))
    return found


def _medians() -> list[Problem]:
    found = []
    rows = _rows(200)
    for column, epsilon, neighbors in (
            ("age", 0.1, ADDED), ("age", 0.5, ADDED), ("age", 0.1, REPLACED),
            ("age", 0.5, REPLACED), ("rounded", 0.1, ADDED), ("rounded", 0.1, REPLACED)):
        unit: dict[str, Any] = {} if neighbors is ADDED else {"neighbors": "replace", "size": 200}
        found.append(Problem(
            f"median of 200 {'ages' if column == 'age' else 'rounded ages'}, in ranks", epsilon,
            neighbors, Question("median", column), _declared(**unit), rows,
            {"kind": "median", "values": rows[column], "low": 15, "high": 44,
             "public": neighbors is REPLACED},
            ranks_off(rows[column]), {}))
    return found


def _crossed() -> list[Problem]:
    rows, found = _rows(1000), []
    pairs = [4 * int(a[1:]) + int(b[1:]) - 1
             for a, b in zip(rows["occupation"], rows["religious"], strict=True)]
    cells = [pairs.count(k) for k in range(24)]

    def margins(held: Sequence[float]) -> list[float]:
        return [*(sum(held[4 * k:4 * k + 4]) for k in range(6)),
                *(sum(held[k::4]) for k in range(4)), sum(held)]

    truth = margins(cells)
    for what, told in (("cells", mean_apart(cells)),
                       ("margins", lambda held: mean_apart(truth)(margins(held)))):
        found.append(Problem(
            f"cross-table of 6 x 4, {what}", 0.5, ADDED,
            Question("cross", ("occupation", "religious")), _declared(), rows,
            {"kind": "histogram", "values": pairs, "cells": 24, "change": 1, "whole": True},
            lambda held, told=told: told(held[:24]), {}))
    return found


def _with_delta() -> list[Problem]:
    """People in many cells, where noise with a δ may err less than any without."""
    source, people, found = Random(7), 300, []
    for touched in (4, 25):
        held = [(f"p{k}", cell) for k in range(people)
                for cell in source.sample(range(32), touched)]
        codes = [cell for _, cell in held]
        rows: dict[str, list[Any]] = {"who": [who for who, _ in held],
                                      "item": [f"i{cell}" for cell in codes]}
        declared = {"dataset": "items", "unit": {"person": "who", "rows": touched},
                    "columns": {"item": {"type": "category",
                                         "values": [f"i{cell}" for cell in range(32)]}}}
        found.append(Problem(
            f"histogram of 32 cells, {touched} to a person; OpenDP with δ = 10^-6", 1.0, ADDED,
            Question("histogram", "item"), declared, rows,
            {"kind": "histogram", "values": codes, "cells": 32, "change": touched, "delta": 1e-6},
            mean_apart([codes.count(cell) for cell in range(32)]),
            {"diffprivlib": geometric(touched, 1), "PyDP": rounded_laplace(touched, 1)}))
    return found


def measure(repeats: int = REPEATS, peers: tuple[str, ...] = PEERS) -> Report:
    """Ask every question of everybody."""
    asked = problems()
    told = [{**one.asked, "epsilon": one.epsilon,
             "repeats": min(repeats, CHECKED) if one.laws else repeats} for one in asked]
    theirs = {name: _drawn(name, told) for name in peers}
    rows, numbers = [], {}
    verdicts: dict[str, dict[str, list[str]]] = {}
    for place, problem in enumerate(asked):
        key = f"{problem.name} {problem.epsilon:g} {problem.neighbors}"
        answered = {name: theirs[name]["answers"][place] for name in peers}
        drawn = {name: [problem.told(answer) for answer in given]
                 for name, given in answered.items() if given is not None}
        for way, plan in problem.plans.items():
            own, exact, errors = _own(problem, plan, repeats)
            row = [problem.name, f"{problem.epsilon:g}", problem.neighbors, way,
                   f"{own:.4g}" + ("" if exact else " (drawn)")]
            numbers[f"{key} Tightrope, {way}"] = own
            for name in peers:
                if name not in drawn:
                    row.append("")
                    continue
                shown, verdict, error = _against(problem, name, own, exact, errors, drawn[name])
                row.append(shown)
                numbers[f"{key} {name}"] = error
                verdicts.setdefault(way, {"less": [], "as much": [], "more": []})[verdict].append(
                    f"{key} beside {name}")
            rows.append(row)
    versions = [f"{name} {theirs[name]['version']}" for name in peers]
    return Report(
        title="Errors of private statistics",
        question=f"Mean absolute error at the same ε, beside {', '.join(versions) or 'nobody'}.",
        columns=["question", "ε", "neighbors", "answers", "Tightrope", *peers],
        rows=rows,
        remarks=[
            "Without an interval: from the exact laws of both, and the libraries' draws agree with "
            f"theirs. With one: {repeats:,} answers of each, and the 99 % interval of how much "
            "more the library errs.",
            *(_counted(way, counted) for way, counted in verdicts.items()),
            "Where the number of units, or the most of them, is declared, the range of a count, "
            "sum or mean is known: errors are averages over all of it; the libraries' answers are "
            "clamped into the range, by us, and these are computed and not compared with draws. "
            "Tightrope has two rows there. Its default is unbiased and never clamped; the optimum "
            "(optimal = average) is biased toward the middle. Without a range there is one row.",
            "Questions and data are ours. The rounded ages were added, and the score by which a "
            "median is chosen was changed, after a first run in which OpenDP's medians of ages "
            "erred less. Intervals are each at 99 %, not all together.",
            "Means where n is not public are, for OpenDP, a sum and a count with half of ε each; "
            "for PyDP its own. Counts that overlap have an equal share of ε in the libraries. "
            "The libraries' negative cells of cross-tables are set to 0.",
            "δ = 10^-6 is what OpenDP's Gaussian noise has and nobody else; where it errs less, "
            "Tightrope, which has no such noise, says so in its known limits.",
            "An empty place: the library has no such question with these neighbors.",
        ],
        numbers=numbers,
    )


def _counted(way: str, verdicts: dict[str, list[str]]) -> str:
    """How many comparisons Tightrope's answers win, tie and lose, and which they do not win."""
    less, same, more = (verdicts[name] for name in ("less", "as much", "more"))
    return (f"Answers “{way}”: Tightrope errs less in {len(less)} comparisons, as much or not told "
            f"apart in {len(same)} ({'; '.join(same) or 'none'}), more in {len(more)} "
            f"({'; '.join(more) or 'none'}).")


def _own(problem: Problem, plan: QuestionPlan, repeats: int) -> tuple[float, bool, list[float]]:
    """Our mean error, whether it is exact, and errors of answers where it is not."""
    exact = plan.error is not None and not problem.asked.get("whole")
    if exact and problem.laws:
        assert plan.error is not None
        if all(name in problem.laws for name in PEERS if _has(problem, name)):
            return float(plan.error), True, []
    numbers = statistics(plan, open_source(problem.rows, plan.declaration), CutKey(fresh_key()))
    errors = []
    for _ in range(repeats):
        drawn = [part.draw(held)
                 for part, held in zip(plan.subqueries, numbers, strict=True)]
        found = [answer.value for answer in answers(plan, drawn)]
        errors.append(problem.told([float(value) for value in found]))
    return (float(plan.error) if exact else fmean(errors)), exact, errors


def _has(problem: Problem, name: str) -> bool:
    """Whether a library answers such a question."""
    public = problem.asked.get("public")
    return public is None or name == "OpenDP" or (name == "diffprivlib") is public


def _against(
    problem: Problem, name: str, own: float, exact: bool, errors: list[float], drawn: list[float]
) -> tuple[str, str, float]:
    """How a library compares: what is shown, the verdict, and its error."""
    law = problem.laws.get(name)
    if law is not None:
        if "clamp" not in problem.asked:  # that one is an average over counts
            spread = sqrt(variance(drawn) / len(drawn))
            if abs(fmean(drawn) - law) > 6 * spread + 1e-3 * law:
                raise SystemExit(f"{name} errs by {fmean(drawn):g}, not {law:g}: {problem.name}")
        if exact:
            more = law / own - 1
            same = abs(more) < 1e-6
            said = "same" if same else f"{more:+.1%}" if abs(more) > 0.01 else f"{more:+.2%}"
            return (f"{law:.4g} ({said})",
                    "as much" if same else "less" if more > 0 else "more", law)
    middle = fmean(drawn) - (fmean(errors) if errors else own)
    spread = sqrt(variance(drawn) / len(drawn) + (variance(errors) / len(errors) if errors else 0))
    low, high = middle - SURE * spread, middle + SURE * spread
    verdict = "less" if low > 0 else "more" if high < 0 else "as much"
    return f"{fmean(drawn):.4g} ({low:+.2g} to {high:+.2g})", verdict, fmean(drawn)


def _drawn(name: str, asked: list[dict[str, Any]]) -> dict[str, Any]:
    """The answers of a library, in a process of its own environment."""
    ended = subprocess.run(
        [peers_python(), "-W", "ignore", HERE / "peers" / f"{name.lower()}_errors.py"],
        input=json.dumps(asked), capture_output=True, text=True, check=False,
    )
    if ended.returncode:
        raise SystemExit(f"{name} failed:\n{ended.stderr}")
    return dict(json.loads(ended.stdout.splitlines()[-1]))
