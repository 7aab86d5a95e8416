"""H16, Chapters 3 and 4: conditions, errors and the optimum for categorical data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, exp, log, prod

from tightrope.constructions import randomized_response
from tightrope.exact import Level
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import (
    exponent_of_error,
    private_errors,
    private_exponents,
    smallest_delta,
    smallest_ratio,
)
from tightrope.spaces import categories, hamming, query
from tightrope.theory import largest_error, least_error_apart, least_laplace_scale

F = Fraction
_TABLE = ("Sports", "Computer games", "Television", "Sports", "Reading", "Television")
_HOBBIES = ("Sports", "Cars", "Television", "Computer games", "Reading")
_RATIOS = tuple(Fraction(text) for text in ("1", "3/2", "2", "5"))
_DELTAS = tuple(Fraction(text) for text in ("0", "1/20", "1/4", "3/5"))


def _excess(values: int, error: Fraction, ratio: Fraction) -> Fraction:
    """The largest P(A) - e^ε P'(A) over all sets A of outputs, one by one."""
    truth = 1 - (values - 1) * error
    p = [truth] + [error] * (values - 1)
    q = [error, truth] + [error] * (values - 2)
    gains = [a - ratio * b for a, b in zip(p, q, strict=True)]
    return max(
        sum((g for g, taken in zip(gains, chosen, strict=True) if taken), Fraction(0))
        for chosen in product((False, True), repeat=values)
    )


def _run_repeated(
    *,
    p: Fraction = Fraction(1, 3),
    ratio: Fraction = Fraction(2),
    delta: Fraction = Fraction(1, 5),
    times: int = 2,
) -> Finding:
    once = p in private_errors(2, ratio, delta)
    often = ((1 - p) ** times, p**times)
    broken = often[0] > ratio * often[1] + delta
    return finding(
        "private for one query at p = 1/3, ε = ln 2, δ = 0.2; asked twice, 4/9 > 2 · 1/9 + 0.2",
        f"one query: {'private' if once else 'not private'}; asked {times} times: {often[0]} "
        f"against {ratio} · {often[1]} + {delta} = {ratio * often[1] + delta}",
        once and broken,
        "a sanitized table answers the same query any number of times at the level of one.",
    )


def _run_laplace(
    *,
    diameter: Fraction = Fraction(1),
    ratio: Fraction = Fraction(2),
    delta: Fraction = Fraction(1, 5),
) -> Finding:
    exact = least_laplace_scale(diameter, Level.ratio(ratio, delta))
    published = float(diameter) / (log(ratio) - log(1 - delta))
    return finding(
        f"b >= D/(ε - ln(1 - δ)), {published:.6f} for D = {diameter}, e^ε = {ratio}, δ = {delta}",
        f"b >= D/(ε - 2 ln(1 - δ)), {exact:.6f} there",
        exact >= published,
        "the published condition is enough but not needed: δ = 1 - e^((ε - D/b)/2) exactly.",
        ours=abs(1 - exp((log(ratio) - float(diameter) / exact) / 2) - delta) < 2.0**-40,
    )


def _run_hobbies(
    *, values: tuple[int, ...] = (2, 3, 4, 5), steps: int = 24, beyond: bool = False
) -> Finding:
    agrees, checked = True, 0
    for m, ratio, delta in product(values, _RATIOS, _DELTAS):
        for error in (Fraction(step, steps) for step in range(steps + 1)):
            if error > (Fraction(1, m - 1) if beyond else Fraction(1, m)):
                continue
            needed = _excess(m, error, ratio)
            agrees &= (error >= (1 - delta) / (ratio + m - 1)) == (needed <= delta)
            agrees &= smallest_delta(m, error, ratio) == needed
            checked += 1
    last = values[-1]
    low = private_errors(last, Fraction(2), Fraction(1, 10)).low
    return finding(
        "private if and only if p >= (1 - δ)/(e^ε + m - 1), for p <= 1/m",
        f"{'the same' if agrees else 'not the same'}, for all sets of outputs at {checked:,} "
        f"cases (m, ε, δ, p); p >= {low} for m = {last}, e^ε = 2, δ = 1/10",
        agrees,
        "above 1/m there is an upper bound as well, that of Theorem 4.6.",
    )


def _run_tight(*, values: tuple[int, ...] = (2, 3, 4, 5), metric: str = "discrete") -> Finding:
    agrees, cases = True, 0
    for m, ratio, delta in product(values, _RATIOS[1:], _DELTAS):
        level = Level.ratio(ratio, delta)
        response = finite(randomized_response(categories(m), level).mechanism)
        far = (lambda i, j: int(i != j)) if metric == "discrete" else (lambda i, j: abs(i - j))
        error = max(
            sum((far(i, j) * p for j, p in enumerate(response.row_at(i))), Fraction(0))
            for i in range(m)
        )
        agrees &= error == least_error_apart(Fraction(1), m, ratio, delta)
        cases += 1
    last = least_error_apart(Fraction(1), values[-1], Fraction(2), Fraction(1, 20))
    return finding(
        "E = (m - 1)(1 - δ)/(m - 1 + e^ε), so Theorem 3.7 is tight",
        f"the proved randomized response has {'exactly' if agrees else 'more than'} the least "
        f"error at {cases} triples (m, ε, δ); {last} for m = {values[-1]}, e^ε = 2, δ = 1/20",
        agrees,
        "by Theorem 4.8 no private row-by-row sanitization has a smaller one.",
    )


def _run_queries(*, table: tuple[str, ...] = _TABLE) -> Finding:
    distinct = _answer("distinct", len(_HOBBIES), [_HOBBIES.index(hobby) for hobby in table])
    watching = _answer("sum", 2, [int(hobby == "Television") for hobby in table])
    return finding(
        "m = 5 hobbies, 6 people: 4 distinct hobbies, 2 name television",
        f"m = {len(_HOBBIES)} hobbies, {len(table)} people: {distinct} distinct hobbies, "
        f"{watching} name television",
        len(table) == 6 and distinct == 4 and watching == 2,
        "both are functions of the table, so a sanitized table answers both at its own level.",
    )


def _answer(name: str, values: int, rows: list[int]) -> object:
    """The answer of a query on all tables about this one."""
    asked = query(hamming(values=values, people=len(rows)), None, name)
    return asked.codomain.points[asked.values[asked.datasets.index(tuple(rows))]]


def _run_example(*, values: int = 5, error: Fraction = Fraction(1, 10)) -> Finding:
    truth = 1 - (values - 1) * error
    ratio = smallest_ratio(values, error)
    factor = exponent_of_error(values, error)
    same = all(
        prod(truth if a == b else error for a, b in zip(d, e, strict=True))
        == (1 + (values - 1) / factor) ** -2
        * factor ** -sum(a != b for a, b in zip(d, e, strict=True))
        for d in product(range(values), repeat=2)
        for e in product(range(values), repeat=2)
    )
    return finding(
        "p = 0.1 with five hobbies: the truth 0.6, any other 0.1",
        f"the truth {truth}, any other {error}; level ln({ratio}), and the exponential mechanism "
        f"with e^k = {factor}",
        truth == Fraction(3, 5) and same and factor == ratio,
        "Theorem 4.5 was compared on all pairs of databases with two rows.",
    )


def _run_ends(*, values: tuple[int, ...] = (2, 3, 4, 5), rows: int = 2) -> Finding:
    agrees, cases = True, 0
    for m, r, d in product(values, _RATIOS, _DELTAS):
        ends = private_exponents(m, r, d)
        assert ends.high is not None  # δ < 1
        errors = [_hamming_error(m, rows, e) / rows for e in (ends.low, ends.high)]
        agrees &= errors[1] == (1 - d) / (1 + r / (m - 1)) == least_error_apart(F(1), m, r, d)
        agrees &= errors[0] == min(F(1), (r + d) / (r + F(1, m - 1))) == largest_error(m, r, d)
        cases += 1
    shown = private_exponents(values[0], Fraction(1), Fraction(1, 4))
    return finding(
        "(1 - δ)/(1 + e^ε/(m - 1)) <= E/n <= min{1, (e^ε + δ)/(e^ε + 1/(m - 1))}, both attained",
        f"attained at the ends of Theorem 4.3, row by row, at {cases} triples (m, ε, δ) with "
        f"n = {rows}; e^k from {shown.low} to {shown.high} at ε = 0, δ = 1/4, m = {values[0]}",
        agrees,
        "Figure 4.1 shows the same condition, solved for δ.",
    )


def _hamming_error(values: int, rows: int, factor: Fraction) -> Fraction:
    """The mean number of changed rows if h of n change with weight e^(-kh), summed over all."""
    if not factor:
        return Fraction(rows)  # the truth is never told
    total = (1 + (values - 1) / factor) ** rows
    counts = (comb(rows, h) * (values - 1) ** h * h / factor**h for h in range(rows + 1))
    return sum(counts, Fraction(0)) / total


ITEMS = (
    Item("h16", "example-3.5", "A query asked twice", Verdict.CONFIRMED, _run_repeated,
         varied={"p": F(2, 5)}, dropped={"times": 1}),
    Item("h16", "example-3.6", "The scale of Laplace noise", Verdict.CORRECTED, _run_laplace,
         varied={"diameter": F(3)}, dropped={"delta": F(0)}),
    Item("h16", "example-3.7", "The exact condition for m values", Verdict.CONFIRMED, _run_hobbies,
         varied={"values": (3,)}, dropped={"values": (3,), "beyond": True}),
    Item("h16", "example-3.8", "The bound of Theorem 3.7 is attained", Verdict.CONFIRMED,
         _run_tight, varied={"values": (2, 3)}, dropped={"values": (3,), "metric": "path"}),
    Item("h16", "example-4.1", "Queries on a table of hobbies", Verdict.CONFIRMED, _run_queries,
         varied={"table": _TABLE[:4]}),
    Item("h16", "example-4.5", "Five hobbies at p = 0.1", Verdict.CONFIRMED, _run_example,
         varied={"error": F(1, 20)}),
    Item("h16", "theorem-4.4", "The range of errors", Verdict.CONFIRMED, _run_ends,
         varied={"values": (3, 4)}),
)
