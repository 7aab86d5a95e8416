"""The optimal mechanism: Tightrope beside a general linear-programming solver.

The same program (average loss, adjacent or irreducible pairs) for Tightrope, with and without
symmetry, and for HiGHS by simplex and by interior point through scipy. Beside the time stands
what came out: a proved gap, or the level that the returned matrix really has. A solver that
takes longer than the limit is stopped.
"""

from __future__ import annotations

import time

import numpy as np
from reports import Report
from scipy.optimize import linprog
from scipy.sparse import coo_array

from tightrope.constructions import Effort, min_loss_given_level
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation, smallest_level
from tightrope.spaces import grid, path
from tightrope.utility import absolute, euclidean

LIMIT = 120.0
PROBLEMS = (
    (path(0, 49), "0.5", absolute),
    (grid((8, 8)), "0.5", euclidean),
    (grid((10, 10)), "0.5", euclidean),
)


def measure() -> Report:
    """Solve every problem in every way."""
    rows: list[list[str]] = []
    numbers: dict[str, float] = {}
    for space, epsilon, loss in PROBLEMS:
        level = Level.epsilon(epsilon)
        for name, symmetric in (("Tightrope", True), ("Tightrope, no symmetry", False)):
            started = time.perf_counter()
            found = min_loss_given_level(
                space, level, loss=loss, effort=Effort(symmetry=symmetric)
            )
            seconds = time.perf_counter() - started
            proved = found.certified.certificate.smallest
            rows.append(
                [f"{space.text}, ε = {epsilon}", name, f"{seconds:.1f}", f"{found.value:.9f}",
                 f"proved gap {found.gap:.0e}", f"{proved.upper:.9f}" if proved else "none"]
            )
            numbers[f"{space.text} {name}"] = seconds
        for method in ("highs-ds", "highs-ipm"):
            rows.append(_by_solver(space, epsilon, loss, method, numbers))
    return Report(
        "The optimal mechanism",
        f"Average loss, uniform prior; solvers are stopped after {LIMIT:.0f} s.",
        ["problem", "by", "seconds", "loss", "what is known", "level of the result"],
        rows,
        ["The level is that of the matrix as returned, proved exactly; none means that a zero "
         "stands beside a non-zero, so the matrix is private at no level at all."],
        numbers,
    )


def _by_solver(space, epsilon, loss, method, numbers) -> list[str]:  # type: ignore[no-untyped-def]
    n = space.size
    edges = space.edges()
    first = np.concatenate([edges.first, edges.second])
    second = np.concatenate([edges.second, edges.first])
    ratio = np.exp(float(epsilon) * space.lengths(first, second))
    count = len(first)
    outputs = np.arange(n)
    row = np.arange(count * n)
    entries = np.concatenate([np.ones(count * n), -np.repeat(ratio, n)])
    columns = np.concatenate(
        [(first[:, None] * n + outputs).ravel(), (second[:, None] * n + outputs).ravel()]
    )
    upper = coo_array((entries, (np.concatenate([row, row]), columns)), (count * n, n * n)).tocsr()
    even = coo_array(
        (np.ones(n * n), (np.repeat(outputs, n), np.arange(n * n))), (n, n * n)
    ).tocsr()
    cost = loss.matrix(space, space.points).ravel() / n
    started = time.perf_counter()
    found = linprog(
        cost, A_ub=upper, b_ub=np.zeros(count * n), A_eq=even, b_eq=np.ones(n), bounds=(0, 1),
        method=method, options={"time_limit": LIMIT},
    )
    seconds = time.perf_counter() - started
    numbers[f"{space.text} {method}"] = seconds
    problem = f"{space.text}, ε = {epsilon}"
    if found.x is None or found.status != 0:
        return [problem, f"scipy {method}", f"{seconds:.1f}", "", "stopped", ""]
    matrix = np.maximum(found.x.reshape(n, n), 0.0)
    level = smallest_level(MatrixMechanism(space, space.points, Weights.from_floats(matrix)), space)
    shown = "none" if isinstance(level, Refutation) else f"{level.upper:.9f}"
    value = f"{found.fun:.9f}"
    return [problem, f"scipy {method}", f"{seconds:.1f}", value, "nothing proved", shown]
