"""The optimum with δ beside HiGHS on the plain program, which proves nothing.

ε = 1. The plain program has a variable for every probability and every excess of neighbors, and
is written for HiGHS (dual simplex, through scipy) without a thought of symmetry. Random priors
(Dirichlet, seed 7) leave no symmetry; for the worst input none is used in rows that say so.
Losses are those that fit the space. Every run is a process of its own; processor seconds are of
the search, and for Tightrope of the repair and both exact proofs too. HiGHS has a minute of the
processor for each program, and solves that of the worst input once for both of its rows.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from reports import Report

HERE = Path(__file__).resolve().parent
EPSILON = 1
LIMIT = 60
"""Processor seconds after which HiGHS is stopped."""
SPACES = ("path:0..99", "path:0..149", "path:0..249", "categories:25", "categories:50",
          "cycle:60", "star:40", "grid:8x8,metric=manhattan")
DELTAS = ("1e-6", "0.01", "0.1")
KINDS = ("average, random prior", "worst, no symmetry", "worst")
COLUMNS = ["problem", "processor seconds", "HiGHS alone", "gap proved", "loss", "loss of HiGHS"]


NAMES = tuple(f"{space} {delta} {kind}" for space in SPACES for delta in DELTAS for kind in KINDS)
TINY = {"names": ("path:0..4 0.01 average, random prior", "path:0..4 0.01 worst")}


def measure(
    part: str = "", before: Report | None = None, names: tuple[str, ...] = NAMES
) -> Report:
    """Solve every problem whose name starts so in a process of its own; keep other rows."""
    kept = {row[0]: row for row in before.rows} if before else {}
    numbers = {} if before is None else dict(before.numbers)
    rows: list[list[str]] = []
    solved: dict[str, dict[str, Any] | None] = {}
    for name in names:
        if not name.startswith(part):
            rows += [kept[name]] if name in kept else []
            continue
        ours, same = _run(name, "tightrope"), name.removesuffix(", no symmetry")
        assert ours is not None
        if same not in solved:
            solved[same] = _run(name, "plain")
        plain = solved[same]
        rows.append([
            name, f"{ours['processor']:.2f}",
            f"none in {LIMIT}" if plain is None else f"{plain['processor']:.2f}",
            "nothing proved" if ours["gap"] is None else f"{ours['gap']:.1e}",
            f"{ours['value']:.9f}", "" if plain is None else f"{plain['value']:.9f}",
        ])
        numbers[f"{name} seconds"] = ours["processor"]
        numbers.pop(f"{name} plain", None)
        if plain is not None:
            numbers[f"{name} plain"] = plain["processor"]
        if ours["gap"] is not None:
            numbers[f"{name} gap"] = ours["gap"]
    return Report(
        "The optimum with δ, and HiGHS on the plain program",
        f"ε = {EPSILON}, gap asked 1e-6; one thread.",
        COLUMNS,
        rows,
        ["HiGHS alone returns doubles that miss their rows by up to 1e-7, and no proof.",
         *_left_out({*names} - {row[0] for row in rows})],
        numbers,
    )


def _left_out(missing: set[str]) -> list[str]:
    """Of which problems no row has been measured yet."""
    return [f"Not measured, {len(missing)} of {len(NAMES)}, for want of processor time (HiGHS may "
            f"take its minute for each): {'; '.join(sorted(missing))}."] if missing else []


def _run(name: str, who: str) -> dict[str, Any] | None:
    """The result of a process of its own; None where HiGHS was stopped."""
    ended = subprocess.run(
        [sys.executable, __file__, who, name], capture_output=True, text=True, cwd=HERE,
    )
    if ended.returncode == -signal.SIGXCPU:
        return None
    ended.check_returncode()
    found: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return found


def _problem(name: str) -> tuple[str, str, str, Any]:
    """Space, δ, goal and prior of a name."""
    from tightrope.spaces import space_of
    from tightrope.utility import Prior, uniform

    space, delta, kind = name.split(" ", 2)
    if kind.startswith("worst"):
        return space, delta, "worst", uniform
    drawn = np.random.default_rng(7).dirichlet(np.ones(space_of(space).size))
    return space, delta, "average", Prior.of(drawn.tolist())


def _by_tightrope(name: str) -> dict[str, Any]:
    from tightrope.constructions import Effort, min_loss_given_level
    from tightrope.exact import Level

    space, delta, goal, prior = _problem(name)
    for small in ("path:0..2", "star:6"):  # what is loaded once
        min_loss_given_level(
            small, Level.epsilon(EPSILON, delta), goal=goal, effort=Effort(symmetry=False)
        )
    processor = time.process_time()
    found = min_loss_given_level(
        space, Level.epsilon(EPSILON, delta), prior=prior, goal=goal,
        effort=Effort(symmetry="no symmetry" not in name),
    )
    spent = time.process_time() - processor
    return {"processor": spent, "value": found.value, "gap": found.gap}


def _by_highs(name: str) -> dict[str, Any]:
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    from tightrope.exact import Level
    from tightrope.utility import Problem

    space, delta, goal, prior = _problem(name)
    problem = Problem(space, Level.epsilon(EPSILON, delta), prior, goal=goal)
    losses, chances = problem.losses, problem.chances
    (n, m), pairs = losses.shape, problem.space.neighbors.pairs
    first, second = np.append(pairs.first, pairs.second), np.append(pairs.second, pairs.first)
    worst, triples = goal == "worst", len(first) * m
    processor = time.process_time()
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT + int(processor) + 1, resource.RLIM_INFINITY))
    cell = [(ends[:, None] * m + np.arange(m)).ravel() for ends in (first, second)]
    row, wide = np.arange(triples), n * m + triples + worst
    parts = [
        (row, cell[0], np.ones(triples)),
        (row, cell[1], np.full(triples, -np.exp(EPSILON))),
        (row, n * m + row, -np.ones(triples)),
        (triples + np.repeat(np.arange(len(first)), m), n * m + row, np.ones(triples)),
    ]
    totals = np.append(np.zeros(triples), np.full(len(first), float(delta)))
    inputs = np.repeat(np.arange(n), m)
    costs = np.zeros(wide)
    if worst:
        start = len(totals)
        parts += [
            (start + inputs, np.arange(n * m), losses.ravel()),
            (start + np.arange(n), np.full(n, wide - 1), -np.ones(n)),
        ]
        totals = np.append(totals, np.zeros(n))
        costs[-1] = 1
    else:
        costs[: n * m] = (chances[:, None] * losses).ravel()
    at, beside, entries = (np.concatenate(part) for part in zip(*parts, strict=True))
    upper = coo_array((entries, (at, beside)), (len(totals), wide))
    sums = coo_array((np.ones(n * m), (inputs, np.arange(n * m))), (n, wide))
    found = linprog(
        costs, A_ub=upper.tocsr(), b_ub=totals, A_eq=sums.tocsr(), b_eq=np.ones(n), method="highs",
    )
    spent = time.process_time() - processor
    return {"processor": spent, "value": found.fun, "gap": None}


if __name__ == "__main__":
    who, name = sys.argv[1:]
    print(json.dumps((_by_tightrope if who == "tightrope" else _by_highs)(name)))
