"""H16, Chapters 3 and 4: conditions, errors and the optimum for categorical data."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log, prod

from tightrope.constructions import randomized_response
from tightrope.exact import Level
from tightrope.mechanisms import finite
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import (
    exponent_of_error,
    least_laplace_scale,
    private_errors,
    private_exponents,
    smallest_delta,
    smallest_ratio,
)
from tightrope.spaces import categories
from tightrope.utility import largest_error, least_error_apart

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


def _run_repeated() -> Finding:
    p, ratio, delta = Fraction(1, 3), Fraction(2), Fraction(1, 5)
    once = p in private_errors(2, ratio, delta)
    twice = ((1 - p) ** 2, p**2)
    broken = twice[0] > ratio * twice[1] + delta
    return judged(
        "private for one query at p = 1/3, ε = ln 2, δ = 0.2; asked twice, 4/9 > 2 · 1/9 + 0.2",
        f"one query: {'private' if once else 'not private'}; asked twice: {twice[0]} against "
        f"{ratio * twice[1] + delta}",
        once and broken and twice == (Fraction(4, 9), Fraction(1, 9)),
        "a sanitized table answers the same query any number of times at the level of one.",
    )


def _run_laplace() -> Finding:
    level = Level.ratio(2, "0.2")
    exact = least_laplace_scale(Fraction(1), level)
    published = 1 / (log(2) - log(1 - 0.2))
    return judged(
        f"b >= D/(ε - ln(1 - δ)), {published:.6f} for D = 1, ε = ln 2, δ = 0.2",
        f"b >= D/(ε - 2 ln(1 - δ)), {exact:.6f} there",
        exact >= published,
        "the published condition is enough but not needed: δ = 1 - e^((ε - D/b)/2) exactly.",
    )


def _run_hobbies() -> Finding:
    agrees, checked = True, 0
    for values, ratio, delta in product((2, 3, 4, 5), _RATIOS, _DELTAS):
        for step in range(25):
            error = Fraction(step, 24)
            if error > Fraction(1, values - 1):
                continue
            needed = _excess(values, error, ratio)
            allowed = error in private_errors(values, ratio, delta)
            agrees &= allowed == (needed <= delta)
            agrees &= smallest_delta(values, error, ratio) == needed
            checked += 1
    low = private_errors(5, Fraction(2), Fraction(1, 10)).low
    return judged(
        "private if and only if p >= (1 - δ)/(e^ε + m - 1), for p <= 1/m",
        f"the same, for all sets of outputs at {checked:,} triples (ε, δ, p), m <= 5; "
        f"p >= {low} for m = 5, e^ε = 2, δ = 1/10",
        agrees,
        "also above 1/m, with the upper bound of Theorem 4.6.",
    )


def _run_tight() -> Finding:
    agrees = True
    for values, ratio, delta in product((2, 3, 4, 5), _RATIOS[1:], _DELTAS):
        level = Level.ratio(ratio, delta)
        response = finite(randomized_response(categories(values), level).mechanism)
        error = 1 - response.row_at(0)[0]
        agrees &= error == least_error_apart(Fraction(1), values, ratio, delta)
    return judged(
        "E = (m - 1)(1 - δ)/(m - 1 + e^ε), so Theorem 3.7 is tight",
        "the proved randomized response has exactly this error at 48 triples (m, ε, δ)",
        agrees,
        "by Theorem 4.8 no private row-by-row sanitization has a smaller one.",
    )


def _run_queries() -> Finding:
    table = ("Sports", "Computer games", "Television", "Sports", "Reading", "Television")
    distinct, watching = len(set(table)), table.count("Television")
    return judged(
        "m = 5 hobbies, 6 people: 4 distinct hobbies, 2 name television",
        f"m = {len(_HOBBIES)}: {distinct} distinct hobbies, {watching} name television",
        len(_HOBBIES) == 5 and distinct == 4 and watching == 2,
        "both are functions of the table, so a sanitized table answers both at its own level.",
    )


def _run_example() -> Finding:
    error = Fraction(1, 10)
    truth = 1 - 4 * error
    ratio = smallest_ratio(5, error)
    factor = exponent_of_error(5, error)
    same = all(
        prod(truth if a == b else error for a, b in zip(d, e, strict=True))
        == (1 + 4 / factor) ** -2 * factor ** -sum(a != b for a, b in zip(d, e, strict=True))
        for d in product(range(5), repeat=2)
        for e in product(range(5), repeat=2)
    )
    return judged(
        "p = 0.1 with five hobbies: the truth 0.6, any other 0.1",
        f"the truth {truth}, any other {error}; level ln({ratio}), and the exponential mechanism "
        f"with e^k = {factor}",
        truth == Fraction(3, 5) and same and factor == ratio,
        "Theorem 4.5 was compared on all pairs of databases with two rows.",
    )


def _run_ends() -> Finding:
    agrees = all(
        private_errors(m, r, d).low * (m - 1) == least_error_apart(Fraction(1), m, r, d)
        and private_errors(m, r, d).high == largest_error(m, r, d) / (m - 1)
        for m, r, d in product((2, 3, 4, 5), _RATIOS, _DELTAS)
    )
    low = private_exponents(2, Fraction(1), Fraction(1, 4))
    return judged(
        "(1 - δ)/(1 + e^ε/(m - 1)) <= E/n <= min{1, (e^ε + δ)/(e^ε + 1/(m - 1))}, both attained",
        f"equal to the ends of Theorem 4.6 at 64 triples; e^k from {low.low} to {low.high} at "
        "ε = 0, δ = 1/4, m = 2",
        agrees,
        "Figure 4.1 shows the same condition, solved for δ.",
    )


ITEMS = (
    Item("h16", "example-3.5", "A query asked twice", Verdict.CONFIRMED, _run_repeated),
    Item("h16", "example-3.6", "The scale of Laplace noise", Verdict.CORRECTED, _run_laplace),
    Item("h16", "example-3.7", "The exact condition for m values", Verdict.CONFIRMED, _run_hobbies),
    Item("h16", "example-3.8", "The bound of Theorem 3.7 is attained", Verdict.CONFIRMED,
         _run_tight),
    Item("h16", "example-4.1", "Queries on a table of hobbies", Verdict.CONFIRMED, _run_queries),
    Item("h16", "example-4.5", "Five hobbies at p = 0.1", Verdict.CONFIRMED, _run_example),
    Item("h16", "theorem-4.4", "The range of errors", Verdict.CONFIRMED, _run_ends),
)
