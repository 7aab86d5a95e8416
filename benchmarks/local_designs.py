"""Best designs for what a survey wants to know, beside protocols fixed beforehand and the
factorization mechanism optimized anew.

Variances of one respondent at the stated shares, all estimates of the aim added up, each the best
unbiased one for its protocol. "difference" is that of all shares between two groups that are asked
alike, one with equal shares and one with shares 1, 1/2, 1/3, …: the design for the pooled shares.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp
from time import process_time

import numpy as np
from factorization import optimize
from reports import Report

from tightrope.constructions import best_randomizer, protocol_variances
from tightrope.surveys import best_binary

SIZES, LEVELS = (2, 3, 4, 6, 8, 10, 12, 16), ("0.5", "1", "2", "4")
FACTORED = (4, 6, 8, 10)
FEW = 10
AIMS = ("shares", "cumulative", "mean", "contrast", "difference")
TINY = {"sizes": (3,), "levels": ("1",), "factored": (3,), "steps": 50}


def measure(
    sizes: tuple[int, ...] = SIZES, levels: tuple[str, ...] = LEVELS,
    factored: tuple[int, ...] = FACTORED, steps: int = 3000,
) -> Report:
    """Design for every size, aim and level; hold protocols and the factorization against it."""
    rows, numbers = [], {}
    for values in sizes:
        for aim in AIMS:
            workload, prior = asked(aim, values)
            for level in levels:
                started = process_time()
                best = best_randomizer(f"categories:{values}", level, workload=workload,
                                       prior=prior)
                seconds = process_time() - started
                few = best_randomizer(
                    f"categories:{values}", level, workload=workload, prior=prior,
                    outputs=2 * values) if values <= FEW else None
                others = protocol_variances(values, level, workload=workload, prior=prior)
                by = {row.protocol.value: row.variance for row in others}
                assert min(by.values()) >= float(best.bound) * (1 - 1e-9)
                found = None
                if values in factored and prior is None and level == "1":
                    W = np.array([[float(x) for x in row] for row in best.workload.rows])
                    found = optimize(W, exp(float(level)), steps)
                if values == 2 and aim == "shares":
                    warner = best_binary(best.certified.certificate.level, Fraction(1, 2))
                    assert abs(float(best.value) - 2 * float(warner.variance)) < 1e-6
                value = float(best.value)
                rows.append([
                    str(values), aim, level, f"{value:.6g}", f"{best.gap:.1e}", str(best.outputs),
                    "" if few is None else f"{few.gap:.1e}",
                    *(excess(by.get(name), value, 1) for name in (
                        "randomized-response", "subset-selection", "symmetric-unary-encoding",
                        "optimized-unary-encoding")),
                    excess(found, value, 2),
                    f"{seconds:.2f}"])
                key = f"k={values} {aim} ε={level}"
                numbers[f"{key} gap"] = best.gap
                numbers[f"{key} least known over best"] = min(by.values()) / value
                if found is not None:
                    numbers[f"{key} factorization over best"] = found / value
                    assert found >= float(best.bound) * (1 - 1e-6)
    return Report(
        title="Designs for an aim",
        question="Variance of one respondent, and how many more respondents others need.",
        columns=["answers", "aim", "ε", "best", "gap proved", "outputs", "gap with 2k outputs",
                 "k-ary", "subsets", "unary", "unary, optimized", "factorization", "seconds"],
        rows=rows,
        remarks=[
            "k-ary is the thesis's design for more than two answers; for two, Warner's is the best "
            "one at δ = 0.",
            "The factorization mechanism (strategies of 4k outputs, a quasi-Newton method, "
            "three starts, equal shares, ε = 1) has no bound of its own; its excess is over ours.",
            "Every figure of another protocol is at least our bound; an "
            "excess of 0.0 % means that the protocol is best itself.",
            "Seconds are of a processor, proof included.",
        ],
        numbers=numbers,
    )


def asked(aim: str, values: int) -> tuple[str | list[int], list[Fraction] | None]:
    """The workload of an aim, and the shares it is designed for; None for equal ones."""
    if aim == "contrast":
        return [1, *([0] * (values - 2)), -1], None
    if aim != "difference":
        return aim, None
    falling = [Fraction(1, place + 1) for place in range(values)]
    return "shares", [(share / sum(falling) + Fraction(1, values)) / 2 for share in falling]


def excess(other: float | None, best: float, digits: int) -> str:
    """How much larger another variance is, in percent; nothing if there is none."""
    return "" if other is None else f"{abs(100 * (other / best - 1)):.{digits}f} %"
