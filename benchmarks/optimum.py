"""The optimal mechanism: Tightrope beside other ways to solve the same program.

The same program (average loss, irreducible pairs) for Tightrope, with and without symmetry,
for qif's `min_loss_given_d`, and for HiGHS by simplex and by interior point through scipy.
Beside the time stands what came out: a proved gap, or the level that the returned matrix
really has. Whoever takes longer than the limit is stopped.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from environments import told_by
from numpy.typing import NDArray
from reports import Report
from scipy.optimize import linprog
from scipy.sparse import coo_array

from tightrope.constructions import Effort, min_loss_given_level
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import Space, grid, path
from tightrope.utility import Loss, Prior, absolute, euclidean, uniform

LIMIT = 240.0
_OUT_OF_TIME = 1  # status of scipy's linprog
FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Problem:
    """A space, a level, a loss and a prior."""

    name: str
    space: Space
    epsilon: str
    loss: Loss
    prior: Prior = uniform


def random_prior(size: int) -> Prior:
    """A prior without symmetry, the same on every run."""
    weights = np.random.default_rng(1).integers(1, 1000, size)
    return Prior.of((weights / weights.sum()).tolist())


PROBLEMS = (
    Problem("path:0..49", path(0, 49), "0.5", absolute),
    Problem("path:0..199", path(0, 199), "0.5", absolute),
    Problem("grid:8x8", grid((8, 8)), "0.5", euclidean),
    Problem("grid:10x10", grid((10, 10)), "0.5", euclidean),
    Problem("grid:10x10, random prior", grid((10, 10)), "0.5", euclidean, random_prior(100)),
)
TINY = {"problems": (Problem("path:0..9", path(0, 9), "0.5", absolute),
                     Problem("grid:3x3, random prior", grid((3, 3)), "0.5", euclidean,
                             random_prior(9))),
        "peers": False}


def measure(problems: tuple[Problem, ...] = PROBLEMS, peers: bool = True) -> Report:
    """Solve every problem in every way."""
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    for problem in problems:
        ways = [("Tightrope", True)]
        if problem.prior is uniform:
            ways.append(("Tightrope, no symmetry", False))
        for name, symmetric in ways:
            rows.append(_ours(problem, name, symmetric, numbers))
        if peers:
            rows.append(_by_qif(problem, numbers))
        for method in ("highs-ds", "highs-ipm"):
            rows.append(_by_scipy(problem, method, numbers))
    return Report(
        "The optimal mechanism",
        f"Average loss at ε = 0.5, uniform prior unless said; stopped after {LIMIT:.0f} s.",
        ["problem", "by", "seconds", "loss", "what is known", "level of the result"],
        rows,
        ["The level is that of the matrix as returned, proved exactly; none means that a zero "
         "stands beside a non-zero, so the matrix is private at no level at all.",
         "All get irreducible pairs only (qif: pairs marked as chainable are left out). "
         "Tightrope's time includes repair and both exact proofs.",
         *_races(problems, numbers)],
        numbers,
    )


def _races(problems: tuple[Problem, ...], numbers: dict[str, float]) -> list[str]:
    """How much faster Tightrope was than the fastest of the others that came to an answer."""
    remarks = []
    for problem in problems:
        times = {name.removeprefix(problem.name + " "): seconds for name, seconds in numbers.items()
                 if name.startswith(problem.name + " ")}
        ours = times.get("Tightrope")
        others = [seconds for name, seconds in times.items() if "Tightrope" not in name]
        if ours and others:
            remarks.append(f"{problem.name}: Tightrope was {min(others) / ours:.1f} times as fast "
                           "as the fastest of the others that came to an answer.")
    return remarks


def _ours(
    problem: Problem, name: str, symmetric: bool, numbers: dict[str, float]
) -> list[str]:
    started = time.perf_counter()
    found = min_loss_given_level(
        problem.space, Level.epsilon(problem.epsilon), prior=problem.prior, loss=problem.loss,
        effort=Effort(symmetry=symmetric),
    )
    seconds = time.perf_counter() - started
    numbers[f"{problem.name} {name}"] = seconds
    proved = found.certified.certificate.smallest
    return [problem.name, name, f"{seconds:.1f}", f"{found.value:.9f}",
            f"proved gap {found.gap:.0e}", f"{proved.upper:.9f}" if proved else "none"]


def _by_qif(problem: Problem, numbers: dict[str, float]) -> list[str]:
    space, n = problem.space, problem.space.size
    everyone, edges = np.arange(n), space.edges()
    chainable = np.ones((n, n), dtype=np.bool_)
    chainable[edges.first, edges.second] = chainable[edges.second, edges.first] = False
    privacy = float(problem.epsilon) * space.lengths(everyone[:, None], everyone[None, :])
    with tempfile.TemporaryDirectory() as folder:
        given, result = Path(folder, "problem.npz"), Path(folder, "result.npy")
        np.savez(given, prior=problem.prior.on(space), privacy=privacy, chainable=chainable,
                 loss=problem.loss.matrix(space, space.points))
        try:
            told = told_by("qif_optimum", given, result, limit=LIMIT)
        except subprocess.TimeoutExpired:
            return [problem.name, "qif", f"{LIMIT:.1f}", "", "stopped", ""]
        matrix = np.load(result)
    return _judged(problem, f"qif {told['version']}", told["seconds"], matrix, numbers)


def _by_scipy(problem: Problem, method: str, numbers: dict[str, float]) -> list[str]:
    space, n = problem.space, problem.space.size
    edges = space.edges()
    first = np.concatenate([edges.first, edges.second])
    second = np.concatenate([edges.second, edges.first])
    ratio = np.exp(float(problem.epsilon) * space.lengths(first, second))
    count, outputs = len(first), np.arange(n)
    row = np.arange(count * n)
    entries = np.concatenate([np.ones(count * n), -np.repeat(ratio, n)])
    columns = np.concatenate(
        [(first[:, None] * n + outputs).ravel(), (second[:, None] * n + outputs).ravel()]
    )
    upper = coo_array((entries, (np.concatenate([row, row]), columns)), (count * n, n * n)).tocsr()
    even = coo_array(
        (np.ones(n * n), (np.repeat(outputs, n), np.arange(n * n))), (n, n * n)
    ).tocsr()
    cost = problem.prior.on(space)[:, None] * problem.loss.matrix(space, space.points)
    started = time.perf_counter()
    found = linprog(
        cost.ravel(), A_ub=upper, b_ub=np.zeros(count * n), A_eq=even, b_eq=np.ones(n),
        bounds=(0, 1), method=method, options={"time_limit": LIMIT},
    )
    seconds = time.perf_counter() - started
    if found.x is None or found.status != 0:
        outcome = "stopped" if found.status == _OUT_OF_TIME else "gave up"
        return [problem.name, f"scipy {method}", f"{seconds:.1f}", "", outcome, ""]
    return _judged(problem, f"scipy {method}", seconds, found.x.reshape(n, n), numbers)


def _judged(
    problem: Problem, name: str, seconds: float, given: FloatArray, numbers: dict[str, float]
) -> list[str]:
    """The row of a matrix that came without a proof: its loss and its true level."""
    space = problem.space
    if given.shape != (space.size, space.size):
        return [problem.name, name, f"{seconds:.1f}", "", "no answer", ""]
    numbers[f"{problem.name} {name}"] = seconds
    matrix = np.maximum(given, 0.0)
    level = smallest_level(MatrixMechanism(space, space.points, Weights.from_floats(matrix)), space)
    shown = "none" if isinstance(level, Refutation) else f"{level.upper:.9f}"
    losses = (matrix * problem.loss.matrix(space, space.points)).sum(axis=1)
    value = float(problem.prior.on(space) @ losses)
    return [problem.name, name, f"{seconds:.1f}", f"{value:.9f}", "nothing proved", shown]
