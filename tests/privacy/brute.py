"""Privacy by definition: every pair, every output, plain fractions. Slow and obvious.

Distances are fractions, or radicands of square roots as in `tests.exact.oracle`. Nothing
here asks the library anything but its labels.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations, product
from math import lcm

from hypothesis import strategies as st

from tests.exact.oracle import Terms, sign_against_power
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import Refutation
from tightrope.spaces import Space, matrix

Law = Sequence[Fraction]
Rows = Sequence[Law]
Table = Sequence[Sequence[Fraction]]
Steep = tuple[Fraction, Fraction]
"""A ratio and the distance at which it occurs: the level ln(ratio) / distance."""


def parts(level: Level) -> tuple[Fraction, Fraction, Fraction]:
    return level.rational, level.coefficient, level.base


def has_level(rows: Rows, lengths: Sequence[Sequence[Terms]], level: Level) -> bool:
    """Whether every pair of rows and every output keep p <= e^(ε d) q."""
    for a, b in permutations(range(len(rows)), 2):
        occurring = [(p, q) for p, q in zip(rows[a], rows[b], strict=True) if p]
        if not all(q for _, q in occurring):
            return False
        worst = max(p / q for p, q in occurring)
        if worst > 1 and sign_against_power(worst, parts(level), lengths[a][b]) > 0:
            return False
    return True


def lengths_of(space: Space) -> list[list[Terms]]:
    """The exact distances of a space, as lengths."""
    n = space.size
    return [[list(space.distance(i, j).terms) for j in range(n)] for i in range(n)]


def plain_lengths(table: Table) -> list[list[Terms]]:
    """Rational distances as lengths."""
    return [[[(d, Fraction(1))] for d in line] for line in table]


def steeper(one: Steep, other: Steep) -> bool:
    """Whether ln(r)/d is larger for `one`, by integer powers."""
    (r, d), (s, e) = one, other
    scale = lcm(d.denominator, e.denominator)
    return r ** int(e * scale) > s ** int(d * scale)


def steepest(rows: Rows, table: Table) -> Steep | None:
    """The largest ratio for its distance over all pairs and outputs; None if infinite.

    (1, 1) stands for a constant mechanism.
    """
    best = (Fraction(1), Fraction(1))
    for a, b in permutations(range(len(rows)), 2):
        for p, q in zip(rows[a], rows[b], strict=True):
            if p == 0:
                continue
            if q == 0:
                return None
            if p > q and steeper((p / q, table[a][b]), best):
                best = (p / q, table[a][b])
    return best


def level_of(steep: Steep, factor: Fraction = Fraction(1)) -> Level:
    """The level ln(ratio · factor) / distance."""
    ratio, distance = steep
    return Level.ratio(ratio * factor).scaled(1 / distance)


def delta_by_subsets(p: Law, q: Law, factor: Fraction) -> Fraction:
    """The largest P(S) - factor · Q(S) over all sets S of outputs."""
    scale = lcm(*(x.denominator for x in (*p, *q))) * factor.denominator
    gains = [int((a - factor * b) * scale) for a, b in zip(p, q, strict=True)]
    best = 0
    for size in range(len(gains) + 1):
        for chosen in combinations(gains, size):
            best = max(best, sum(chosen))
    return Fraction(best, scale)


def check_witness(found: Refutation, mechanism: MatrixMechanism, lengths) -> None:
    """The witness of a refutation, by plain arithmetic."""
    witness, level = found.witness, found.level
    points = list(mechanism.space.points)
    outputs = list(mechanism.outputs)
    a, b = points.index(witness.first), points.index(witness.second)
    chosen = [outputs.index(label) for label in witness.outputs]
    assert len(set(chosen)) == len(chosen) > 0
    p = sum((mechanism.row_at(a)[z] for z in chosen), Fraction(0))
    q = sum((mechanism.row_at(b)[z] for z in chosen), Fraction(0))
    assert witness.probabilities == (p, q)
    assert str(witness.first) in str(found)
    assert str(witness.second) in str(found)
    delta = Fraction(0) if level is None else level.delta
    if q == 0:
        assert p > delta
    else:
        assert sign_against_power((p - delta) / q, parts(level), lengths[a][b]) > 0


# ------------------------------------------------------------------ random spaces and rows


def closed(table: list[list[Fraction]]) -> list[list[Fraction]]:
    """Shortest paths: the largest metric below the table."""
    size = len(table)
    for k, i, j in product(range(size), repeat=3):
        table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return table


@st.composite
def metrics(draw, most: int = 5) -> list[list[Fraction]]:
    """Rational metrics, many of them with points between others."""
    size = draw(st.integers(2, most))
    denominator = draw(st.sampled_from([1, 1, 2, 3]))
    table = [[Fraction(0)] * size for _ in range(size)]
    for i, j in combinations(range(size), 2):
        table[i][j] = table[j][i] = Fraction(draw(st.integers(1, 4)), denominator)
    return closed(table)


def space_of(table: Table) -> Space:
    return matrix(list(range(len(table))), [[str(d) for d in line] for line in table])


@st.composite
def tables_of_weights(draw, rows: int, columns: int, zeros: bool = False):
    """Rows of integers; a column has no zero beside a non-zero unless asked for."""
    least = 0 if zeros else 1
    entry = st.one_of(st.integers(least, 6), st.sampled_from([1, 2, 4, 8, 16]))
    found = [[draw(entry) for _ in range(columns)] for _ in range(rows)]
    for line in found:
        line[0] += not any(line)
    return found


def mechanism_of(space: Space, integers, exponents=None) -> MatrixMechanism:
    outputs = tuple(f"z{k}" for k in range(len(integers[0])))
    return MatrixMechanism(space, outputs, Weights.from_integers(integers, exponents))


def rows_of(mechanism: MatrixMechanism) -> list[tuple[Fraction, ...]]:
    return [mechanism.row_at(i) for i in range(mechanism.space.size)]


def laws(integers, exponents=None) -> list[tuple[Fraction, ...]]:
    """The probabilities of rows of weights, without the library."""
    found = []
    for i, line in enumerate(integers):
        powers = [0] * len(line) if exponents is None else exponents[i]
        values = [w * Fraction(2) ** e for w, e in zip(line, powers, strict=True)]
        found.append(tuple(value / sum(values) for value in values))
    return found
