"""H16, Chapter 3: sanitized tables against perturbed answers, product sanitizations, error."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from tightrope.constructions import compare, min_loss_given_level, randomized_response
from tightrope.exact import Level, Weights, tolerances
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, finite, tensor
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import delta_curve
from tightrope.spaces import Space, categories, path
from tightrope.theory import least_error, least_error_apart
from tightrope.utility import absolute, binary

F = Fraction
_TWO, _TWENTIETH = F(2), F(1, 20)


def _response(values: int, ratio: Fraction, delta: Fraction) -> FiniteMechanism:
    return finite(randomized_response(categories(values), Level.ratio(ratio, delta)).mechanism)


def _excess(
    p: list[Fraction], q: list[Fraction], ratio: Fraction, event: tuple[int, ...]
) -> Fraction:
    return sum((p[z] - ratio * q[z] for z in event), F(0))


def _algebra(
    *, matrix: str = "4 1 1; 1 4 1; 2 2 2", ratio: Fraction = F(3, 2), sets: str = "algebra"
) -> Finding:
    rows = [[F(int(x)) for x in row.split()] for row in matrix.split(";")]
    rows = [[x / sum(row) for x in row] for row in rows]
    events = [
        event
        for size in range(1, len(rows[0]) + 1)
        for event in combinations(range(len(rows[0])), size)
    ]
    generators = events if sets == "algebra" else [event for event in events if len(event) == 1]
    pairs = [(p, q) for p in rows for q in rows if p is not q]
    tried = max(_excess(p, q, ratio, event) for p, q in pairs for event in generators)
    space = categories(len(rows))
    told = MatrixMechanism(space, tuple(range(len(rows[0]))), Weights.from_fractions(rows))
    needed = delta_curve(told, space).at_ratio(ratio)
    return finding(
        "(ε, δ) on an algebra of events that generates all events is (ε, δ) on all of them",
        f"three outputs, e^ε = {ratio}: δ is {tried} on the {len(generators)} events of the "
        f"{sets}, {needed} on all",
        tried == needed,
        "single outputs generate all events but are no algebra, and are not enough with δ > 0.",
    )


Table = tuple[int, ...]


def _apart(d: Table, e: Table) -> int:
    return sum(a != b for a, b in zip(d, e, strict=True))


def _sanitize(*, ratio: Fraction = _TWO, rows: int = 2, sanitized: bool = True) -> Finding:
    single = _response(2, ratio, F(0))
    tables = list(product(range(2), repeat=rows))
    asked = [dict(zip(tables, each, strict=True)) for each in product(range(2), repeat=2**rows)]
    worst = F(1)
    for d, e in ((d, e) for d in tables for e in tables if _apart(d, e) == 1):
        for query in asked:
            if sanitized:  # the query is asked of one sanitized table
                p, q = (_answers(single, query, t) for t in (d, e))
            else:  # its true answer is randomized, and asked for twice
                p, q = (_twice(single, query[t]) for t in (d, e))
            worst = max(worst, *(a / b for a, b in zip(p, q, strict=True) if b))
    return finding(
        "a private sanitized table answers every query, any number of times, at the same level",
        f"tables of {rows} rows, e^ε = {ratio}, all {len(asked)} yes-no queries: largest ratio "
        f"{worst}",
        worst <= ratio,
        "answers that are randomized afresh each time are not covered.",
    )


def _answers(single: FiniteMechanism, query: dict[Table, int], d: Table) -> list[Fraction]:
    chances = [F(0), F(0)]
    for t, answer in query.items():
        chances[answer] += _chance(single, d, t)
    return chances


def _twice(single: FiniteMechanism, answer: int) -> list[Fraction]:
    row = single.row_at(answer)
    return [a * b for a, b in product(row, repeat=2)]


def _identity(*, ratio: Fraction = _TWO, leak: Fraction = F(4), asked: str = "table") -> Finding:
    first, second = _response(2, ratio, F(0)), _response(2, leak, F(0))
    both = tensor(first, second)
    space = both.space
    own = delta_curve(both, space).at_ratio(ratio)
    even = tensor(first, first)
    queries = "every query on the table" if asked == "table" else "every query on its first row"
    private = _on_queries(both, ratio, asked)
    agree = [private == (own == 0), _on_queries(even, ratio, asked) == (
        delta_curve(even, even.space).at_ratio(ratio) == 0)]
    return finding(
        "a sanitized table is private for the identity query if and only if for all queries, "
        "the identity among them",
        f"rows sanitized at e^ε = {ratio} and {leak}: private at {ratio} for {queries}: "
        f"{private}; for the identity: {own == 0} (δ = {own}); both alike there, and with "
        f"{ratio} for both rows: {all(agree)}",
        all(agree),
        "without the identity among the queries nothing follows about it.",
    )


def _on_queries(both: FiniteMechanism, ratio: Fraction, asked: str) -> bool:
    """Whether all yes-no queries are private, on a sanitized table of two bits or its first."""
    outputs = [label if asked == "table" else label[0] for label in both.outputs]  # type: ignore[index]
    seen = sorted(set(outputs))
    events = [event for n in range(len(seen) + 1) for event in combinations(seen, n)]
    pairs = [(i, j) for i, d in enumerate(both.space.points)
             for j, e in enumerate(both.space.points) if _apart(d, e) == 1]  # type: ignore[arg-type]
    return all(
        _excess(list(both.row_at(i)), list(both.row_at(j)), ratio,
                tuple(z for z, seen_as in enumerate(outputs) if seen_as in event)) <= 0
        for i, j in pairs for event in events
    )


def _either(
    *, values: int = 3, rows: int = 2, ratio: Fraction = _TWO, query: str = "identity"
) -> Finding:
    asked = f"hamming:values={values},people={rows}"
    loss = "binary" if query == "identity" else None
    comparison = compare(asked, Level.ratio(ratio), query=query, loss=loss)
    losses = {row.construction: row.solution.value for row in comparison.rows if row.solution}
    errs, other = losses["sanitized"], losses["k-norm" if query == "identity" else "utility-first"]
    assert comparison.bound is not None
    return finding(
        "a query may be answered from a sanitized table, or its own answer perturbed",
        f"{asked}, {query}, e^ε = {ratio}: sanitized {errs:.6g}, perturbed {other:.6g}, and no "
        f"mechanism below {comparison.bound:.6g}",
        errs <= comparison.bound * (1 + tolerances.DEFAULT_GAP),
        "for the identity query and the binary error nothing beats a product sanitization; for "
        "other queries mechanisms that see the table do.",
    )


def _rows(
    *,
    values: int = 2,
    rows: int = 2,
    ratio: Fraction = F(3, 2),
    delta: Fraction = _TWENTIETH,
    apart: int = 1,
) -> Finding:
    parent = _response(values, ratio, delta)
    needed = delta_curve(parent, parent.space).at_ratio(ratio)
    tables = list(product(range(values), repeat=rows))
    laws = {table: [_chance(parent, table, out) for out in tables] for table in tables}
    largest = max(
        sum((max(F(0), a - ratio * b) for a, b in zip(laws[d], laws[e], strict=True)), F(0))
        for d in laws
        for e in laws
        if 0 < _apart(d, e) <= apart
    )
    return finding(
        "a product sanitization is (ε, δ)-private if and only if its parent is",
        f"{rows} rows of {values} values at e^ε = {ratio}: δ of the parent is {needed}, of tables "
        f"that differ in up to {apart} rows {largest}",
        largest == needed,
        "hockey-stick sums over all tables, exactly.",
    )


def _chance(parent: FiniteMechanism, table: Table, out: Table) -> Fraction:
    chance = F(1)
    for a, b in zip(table, out, strict=True):
        chance *= parent.row_at(a)[b]
    return chance


def _worst(space: Space, ratio: Fraction, loss: object) -> float:
    optimum = min_loss_given_level(space, Level.ratio(ratio), loss=loss, goal="worst")  # type: ignore[arg-type]
    assert optimum.value is not None
    return optimum.value


def _compact(*, points: int = 5, ratio: Fraction = _TWO, used: Fraction = _TWO) -> Finding:
    bound = least_error(F(points - 1), ratio)
    best = _worst(path(0, points - 1), used, absolute)
    return finding(
        "the max-mean error is at least diam(D)(1 - δ)/(2(1 + e^ε))",
        f"path of {points} points, e^ε = {ratio}: at least {bound}; the best of all mechanisms of "
        f"e^ε = {used} has {best:.6f}",
        best >= float(bound),
        "the best is the proved optimum of the worst case; the bound is not attained here.",
    )


def _discrete(*, values: int = 5, ratio: Fraction = _TWO, used: Fraction = _TWO) -> Finding:
    bound = least_error_apart(F(1), values, ratio)
    best = _worst(categories(values), used, binary)
    return finding(
        "with m values at distance κ or more the max-mean error is at least "
        "κ(m - 1)(1 - δ)/(m - 1 + e^ε)",
        f"{values} categories, e^ε = {ratio}: at least {bound}; the best of all mechanisms of "
        f"e^ε = {used} has {best:.6f}",
        abs(best - float(bound)) < tolerances.SOLVER_ERROR,
        "attained for the discrete metric.",
    )


def _pieces(*, count: int = 3, size: int = 4, disjoint: bool = True) -> Finding:
    # all families of `count` sets would be many: those of rows k, k + 1, ... modulo size + 1
    first = [frozenset((k + j) % (size + 1) for j in range(k + 1)) for k in range(count)]
    second = [frozenset((2 * k + j) % (size + 1) for j in range(size - k)) for k in range(count)]
    union = {(a, b) for A, B in zip(first, second, strict=True) for a in A for b in B}
    parts = []
    for n in range(1, count + 1):
        for chosen in combinations(range(count), n):
            outer = frozenset().union(*(first[i] for i in chosen))
            inner = frozenset.intersection(*(second[i] for i in chosen))
            rest = frozenset().union(*(second[i] for i in range(count) if i not in chosen))
            parts.append((outer, inner - rest if disjoint else inner))
    again = {(a, b) for A, B in parts for a in A for b in B}
    apart = all(not (p[1] & q[1]) for p, q in combinations(parts, 2))
    single = _response(size + 1, _TWO, F(0))
    chances = tensor(single, single).row_at(0)  # of two independent rows
    whole = sum((chances[a * (size + 1) + b] for a, b in union), F(0))
    row = single.row_at(0)
    added = sum((sum(row[a] for a in A) * sum(row[b] for b in B) for A, B in parts if B), F(0))
    return finding(
        "a union of rectangles is a union of rectangles whose second sides are disjoint",
        f"{count} rectangles within {size + 1} × {size + 1} points, {len(union)} points in all: "
        f"{len([1 for A, B in parts if B])} parts, equal {again == union}, disjoint {apart}; the "
        "chance of two independent rows is "
        f"{whole}, of the parts in sum {added}",
        again == union and apart and whole == added,
        "the decomposition of Lemma 3.1, on which Theorem 3.5 rests.",
    )


ITEMS = (
    Item("h16", "theorem-3.3", "Events that decide", Verdict.CONFIRMED, _algebra,
         varied={"ratio": _TWO},
         dropped={"matrix": "6 6 1 1; 1 1 6 6; 4 4 3 3", "sets": "generators"}),
    Item("h16", "theorem-3.4", "A sanitized table answers every query", Verdict.CONFIRMED,
         _sanitize, varied={"ratio": F(3)}, dropped={"sanitized": False}),
    Item("h16", "corollary-3.1", "The identity query decides", Verdict.CONFIRMED, _identity,
         varied={"leak": F(3)}, dropped={"asked": "row"}),
    Item("h16", "section-3.2", "Sanitized or perturbed", Verdict.CONFIRMED, _either,
         varied={"ratio": F(3)}, dropped={"query": "sum"}),
    Item("h16", "lemma-3.1", "Unions of rectangles", Verdict.CONFIRMED, _pieces,
         varied={"count": 2}, dropped={"disjoint": False}),
    Item("h16", "theorem-3.5", "Product sanitizations", Verdict.CONFIRMED, _rows,
         varied={"values": 3}, dropped={"apart": 2}),
    Item("h16", "theorem-3.6", "A lower bound on the error", Verdict.CONFIRMED, _compact,
         varied={"points": 4}, dropped={"used": F(100)}),
    Item("h16", "theorem-3.7", "A lower bound for separated values", Verdict.CONFIRMED, _discrete,
         varied={"values": 3}, dropped={"used": F(3)}),
)
