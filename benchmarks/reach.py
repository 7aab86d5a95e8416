"""How far the optimum reaches: proved gaps within ten or fifteen minutes, any prior.

Grids are Euclidean with the Euclidean loss. With the uniform prior the eight symmetries of the
square are used; random priors (Dirichlet, seed 7) and those of populations have none. Points lie
anywhere in the plane; roads join each of them with its nearest; graphs are the 1,044 unlabeled
ones on 7 nodes, asked for their number of triangles. Rows by HiGHS are its interior point on
the same program, for points with each one's six nearest only (all pairs would be a thousand million
rows); it is stopped after five times what Tightrope took, or 40 minutes. Every run is a process of
its own; the gap is what was proved, seconds, processor seconds and memory are of the whole run.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from environments import told_by
from reports import Report

HERE = Path(__file__).resolve().parent
MINUTES = 10
# kind, size, prior or goal, ε, gap, minutes
Run = tuple[str, int, str, str, float, int]
RUNS: tuple[Run, ...] = (
    ("grid", 10, "random", "0.5", 1e-6, MINUTES), ("grid", 16, "random", "1", 1e-4, MINUTES),
    ("grid", 24, "random", "1", 1e-3, MINUTES), ("grid", 32, "random", "1", 1e-3, MINUTES),
    ("grid", 32, "random", "1", 1e-4, MINUTES), ("grid", 32, "population", "1", 1e-3, MINUTES),
    ("grid", 40, "random", "1", 1e-3, 15),
    ("grid", 24, "uniform", "1", 1e-4, MINUTES), ("grid", 32, "uniform", "1", 1e-3, MINUTES),
    ("grid", 32, "uniform", "1", 1e-4, MINUTES), ("grid", 36, "uniform", "1", 1e-3, MINUTES),
    ("points", 1000, "random", "1", 1e-5, MINUTES), ("roads", 1000, "random", "1", 1e-5, MINUTES),
    ("grid", 40, "uniform", "1", 1e-3, 15), ("grid", 48, "uniform", "1", 1e-3, 15),
    ("graphs", 7, "average", "1", 1e-5, MINUTES), ("graphs", 7, "worst", "1", 1e-5, MINUTES),
    ("graphs by HiGHS", 7, "average", "1", 1e-5, MINUTES),
    ("graphs by HiGHS", 7, "worst", "1", 1e-5, MINUTES),
    ("roads by HiGHS", 1000, "random", "1", 1e-5, MINUTES),
    ("points by HiGHS", 1000, "random", "1", 1e-5, MINUTES),
)
TINY = {"runs": (("grid", 4, "random", "1", 1e-3, 1), ("points", 12, "random", "1", 1e-3, 1),
                 ("graphs", 4, "worst", "1", 1e-3, 1),
                 ("roads by HiGHS", 12, "random", "1", 1e-3, 1))}
HIGHS, TIMES, LONGEST = " by HiGHS", 5, 2400.0
NEAREST = 6


def measure(
    part: str = "", before: Report | None = None, runs: tuple[Run, ...] = RUNS
) -> Report:
    """Solve every problem whose name starts so in a process of its own; keep other rows."""
    kept = {row[0]: row for row in before.rows} if before else {}
    numbers = {} if before is None else dict(before.numbers)
    rows: list[list[str]] = []
    for kind, size, prior, epsilon, gap, minutes in runs:
        name = f"{kind} {size} {prior} {gap:.0e}"
        if not name.startswith(part):
            rows += [kept[name]] if name in kept else []
            continue
        numbers.pop(f"{name} seconds", None)
        numbers.pop(f"{name} gap", None)
        if rows:  # the whole takes more than an hour
            print(*rows[-1], file=sys.stderr, flush=True)
        asked = [kind, str(size), prior, epsilon, str(gap), str(minutes)]
        limit = 120.0 * minutes
        if kind.endswith(HIGHS):
            limit = TIMES * numbers.get(f"{name.replace(HIGHS, '')} seconds", limit / TIMES)
            limit = min(limit, LONGEST)
        try:
            ended = subprocess.run(
                [sys.executable, __file__, *asked], capture_output=True, text=True, cwd=HERE,
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            rows.append([name, epsilon, f"{gap:.0e}", "stopped", f"{limit:.1f}", *[""] * 3])
            continue
        if ended.returncode:
            said = (ended.stderr.splitlines() or ["killed"])[-1]
            rows.append([name, epsilon, f"{gap:.0e}", said, *[""] * 4])
            continue
        found = json.loads(ended.stdout.splitlines()[-1])
        rows.append([
            name, epsilon, f"{gap:.0e}",
            "nothing proved" if found["gap"] is None else f"{found['gap']:.1e}",
            f"{found['seconds']:.1f}",
            f"{found['processor']:.0f}", f"{found['megabytes']:,.0f}", f"{found['value']:.7f}",
        ])
        numbers[f"{name} seconds"] = found["seconds"]
        if found["gap"] is not None:
            numbers[f"{name} gap"] = found["gap"]
    return Report(
        "How far the optimum reaches",
        "Two threads; ten minutes, fifteen from 40 x 40 on, for search and proof.",
        ["problem", "ε", "gap asked", "gap proved", "seconds", "processor seconds", "megabytes",
         "loss"],
        rows,
        [*_largest(numbers),
         "Only the sizes listed were tried. Seconds include repair and both exact proofs, and "
         "loading compiled loops, which were compiled before."],
        numbers,
    )


def _largest(numbers: dict[str, float]) -> list[str]:
    """The largest grid whose gap was proved in time, with and without symmetry."""
    remarks = []
    for prior, how in (("uniform", "with symmetry"), ("random", "without symmetry")):
        for gap in ("1e-03", "1e-04"):
            sides = [int(name.split()[1]) for name, found in numbers.items()
                     if name.endswith("gap") and name.split()[0] == "grid"
                     and name.split()[2] == prior and found <= float(gap)
                     and numbers[name.removesuffix("gap") + "seconds"] <= 60 * MINUTES]
            if sides:
                side = max(sides)
                remarks.append(f"Largest to {float(gap):g} in {MINUTES} minutes, {how}: "
                               f"{side} x {side}, {side * side:,} points.")
    return remarks


def _problem(kind: str, size: int, prior: str) -> dict[str, Any]:
    """The space, prior, loss, goal and outputs of a run."""
    from tightrope.spaces import graph, grid, points, unlabeled_graphs
    from tightrope.utility import LossMatrix, euclidean, uniform

    kind = kind.removesuffix(HIGHS)
    if kind == "graphs":
        space = unlabeled_graphs(size)
        counts = np.array([_triangles(code, size) for code in space.points])
        answers = np.unique(counts)
        losses = LossMatrix(np.abs(counts[:, None] - answers[None, :]).astype(float))
        return {"space": space, "loss": losses, "goal": prior, "outputs": answers.tolist()}
    if kind == "grid":
        chosen = {"uniform": lambda: uniform, "random": lambda: _random(size * size),
                  "population": lambda: _population(size)}[prior]()
        return {"space": grid((size, size)), "loss": euclidean, "prior": chosen}
    places = np.random.default_rng(7).uniform(0, np.sqrt(size), (size, 2)).round(3)
    names = [f"p{k}" for k in range(size)]
    if kind == "points":
        space = points(names, [[f"{x:.3f}" for x in place] for place in places.tolist()])
        return {"space": space, "loss": euclidean, "prior": _random(size)}
    roads = graph(names, _roads(places))
    everyone = np.arange(size)
    losses = LossMatrix(roads.lengths(everyone[:, None], everyone[None, :]))
    return {"space": roads, "loss": losses, "prior": _random(size)}


def _roads(places: np.ndarray) -> list[tuple[int, int, str]]:
    """Roads from every place to its three nearest, and a tree that joins all places."""
    from scipy.sparse.csgraph import minimum_spanning_tree

    far = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    near = np.argsort(far, axis=1)[:, 1:4]
    pairs = {(min(a, b), max(a, b)) for a, row in enumerate(near.tolist()) for b in row}
    tree = minimum_spanning_tree(far).tocoo()
    pairs |= {(min(a, b), max(a, b)) for a, b in zip(tree.row.tolist(), tree.col.tolist(),
                                                     strict=True)}
    return [(a, b, f"{far[a, b]:.3f}") for a, b in sorted(pairs)]


def _triangles(code: int, nodes: int) -> int:
    joined = np.zeros((nodes, nodes), dtype=int)
    first, second = np.triu_indices(nodes, 1)
    joined[first, second] = [code >> k & 1 for k in range(len(first))]
    joined += joined.T
    return int(np.trace(joined @ joined @ joined)) // 6


def _random(size: int) -> Any:
    from tightrope.utility import Prior

    return Prior.of(np.random.default_rng(7).dirichlet(np.ones(size)).tolist())


def _population(side: int) -> Any:
    """People in the cells of a square over the mainland of Spain; empty cells have none."""
    from tightrope.utility import Prior

    people = np.array(told_by("population", side), dtype=float)
    return Prior.of((people / people.sum()).tolist())


def _by_highs(asked: dict[str, Any], epsilon: float) -> Any:
    """The loss by HiGHS's interior point through scipy, which proves nothing."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    from tightrope.utility import Problem

    goal = {name: asked[name] for name in ("loss", "prior", "outputs") if name in asked}
    problem = Problem(asked["space"], str(epsilon), **goal)
    space, losses = problem.space, problem.losses
    n, m = losses.shape
    worst = asked.get("goal") == "worst"  # then one more variable is above the mean of every input
    first, second = _pairs(space)
    ratio = np.exp(epsilon * space.lengths(first, second))
    row, outputs, cell = np.arange(len(first) * m), np.arange(m), np.arange(n * m)
    ends = [(some[:, None] * m + outputs).ravel() for some in (first, second)]
    parts = [(row, ends[0], np.ones(len(row))), (row, ends[1], -np.repeat(ratio, m))]
    if worst:
        parts += [(len(row) + cell // m, cell, losses.ravel()),
                  (len(row) + np.arange(n), np.full(n, n * m), np.full(n, -1.0))]
    rows, columns, entries = (np.concatenate(some) for some in zip(*parts, strict=True))
    count, width = len(row) + worst * n, n * m + worst
    sums = coo_array((np.ones(n * m), (cell // m, cell)), (n, width))
    costs = (problem.chances[:, None] * losses).ravel()
    bounds = np.tile([0.0, 1.0], (width, 1))
    bounds[n * m :, 1] = np.inf
    started, processor = time.perf_counter(), time.process_time()
    found = linprog(
        np.append(np.zeros(n * m), 1.0) if worst else costs,
        A_ub=coo_array((entries, (rows, columns)), (count, width)).tocsr(), b_ub=np.zeros(count),
        A_eq=sums.tocsr(), b_eq=np.ones(n), bounds=bounds, method="highs-ipm",
    )
    return {
        "seconds": time.perf_counter() - started, "gap": None,
        "value": float("nan") if found.fun is None else found.fun,
        "processor": time.process_time() - processor,
        "megabytes": _megabytes(),
    }


def _megabytes() -> float:
    """The most memory that this process had; what its parent had does not count."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def _pairs(space: Any) -> tuple[np.ndarray, np.ndarray]:
    """The irreducible pairs both ways; of points in the plane only those to the nearest."""
    from tightrope.spaces import Graph

    if isinstance(space, Graph):
        edges = space.edges()
        return np.append(edges.first, edges.second), np.append(edges.second, edges.first)
    everyone = np.arange(space.size)
    order = np.argsort(space.lengths(everyone[:, None], everyone[None, :]), axis=1, kind="stable")
    return np.repeat(everyone, NEAREST), order[:, 1 : NEAREST + 1].ravel()


def _solve(kind: str, size: int, prior: str, epsilon: str, gap: float, minutes: int) -> Any:
    from tightrope.constructions import Effort, min_loss_given_level
    from tightrope.exact import Level

    asked = _problem(kind, size, prior)
    if kind.endswith(HIGHS):
        return _by_highs(asked, float(epsilon))
    started, processor = time.perf_counter(), time.process_time()
    found = min_loss_given_level(
        asked.pop("space"), Level.epsilon(epsilon), **asked,
        effort=Effort(gap=gap, seconds=60.0 * minutes),
    )
    return {
        "seconds": time.perf_counter() - started, "value": found.value, "gap": found.gap,
        "processor": time.process_time() - processor,
        "megabytes": _megabytes(),
    }


if __name__ == "__main__":
    kind, size, prior, epsilon, gap, minutes = sys.argv[1:]
    print(json.dumps(_solve(kind, int(size), prior, epsilon, float(gap), int(minutes))))
