"""KL10, Section 3: measures of utility, row graphs, and the best Dobrushin coefficient."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tightrope.constructions import tight_constraints, truncated_geometric
from tightrope.exact import Level, Weights, tolerances
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, cascade, finite
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import tightness
from tightrope.spaces import Space, parse, path, star
from tightrope.theory import generalize, least_overlap, post_processing
from tightrope.utility import (
    Problem,
    best_remap,
    dobrushin,
    dobrushin_optimum,
)

F = Fraction
_PEAKED = (F(1, 10), F(4, 5), F(1, 10))


def _loss(
    *, prior: tuple[Fraction, ...] = _PEAKED, ratio: Fraction = Fraction(2)
) -> Finding:
    space, level = path(0, len(prior) - 1), Level.ratio(ratio)
    geometric = finite(truncated_geometric(space, level).mechanism)
    asked = Problem(space, level, prior=list(prior), loss="absolute")
    answers = best_remap(geometric, asked)
    channel = [[F(int(z == answer)) for z in range(len(prior))] for answer in answers]
    after = cascade(geometric, channel, space.points)
    before, less = (asked.value(mechanism) for mechanism in (geometric, after))
    return finding(
        "negative expected loss does not respect the generality order",
        f"geometric on {len(prior)} points at e^ε = {ratio}, prior "
        f"({', '.join(map(str, prior))}): {before:.4f}; after its best remap: {less:.4f}",
        less < before and not post_processing(after, geometric).exists,
        "the loss falls although the remapped mechanism is strictly less general.",
    )


def _split(*, ratio: Fraction = Fraction(2), start: str = "two outputs") -> Finding:
    space, level = path(0, 3), Level.ratio(ratio)
    rows = [[F(1, 2), F(1, 2)], [F(2, 5), F(3, 5)], [F(1, 2), F(1, 2)], [F(3, 5), F(2, 5)]]
    given: FiniteMechanism = MatrixMechanism(space, (0, 1), Weights.from_fractions(rows))
    if start == "geometric":
        given = finite(truncated_geometric(space, level).mechanism)
    mechanism = generalize(given, level).certified.mechanism
    assert isinstance(mechanism, MatrixMechanism)
    connected = tightness(mechanism, space, level).maximally_general
    strictly = not post_processing(given, mechanism).exists
    overlap = dobrushin(mechanism)
    return finding(
        "splitting outputs ends in connected row graphs, at least as general",
        f"at e^ε = {ratio}, {len(given.outputs)} outputs become {len(mechanism.outputs)}, all row "
        f"graphs connected: {connected}, strictly more general: {strictly}; Dobrushin coefficient "
        f"{overlap:.6f}",
        connected is True and strictly,
        "the channel back is exact; maxima in (3) and (4) run over related pairs only.",
    )


def _trees(*, points: int = 6, relation: str = "path", ratio: Fraction = Fraction(2)) -> Finding:
    text = f"path:0..{points - 1}" if relation == "path" else f"{relation}:{points}"
    space, level = parse(text), Level.ratio(ratio)
    mechanism = finite(tight_constraints(space, level).mechanism)
    general = tightness(mechanism, space, level).maximally_general
    trees = _spanning_trees(space)
    rows = [mechanism.row_at(y) for y in range(space.size)]
    distinct = len({tuple(p / column[0] for p in column) for column in zip(*rows, strict=True)})
    return finding(
        "the number of outputs is at most the number of spanning trees of the relation",
        f"a {relation} of {points} inputs has {trees} spanning trees; the tight-constraints "
        f"mechanism is maximally general ({general}) with {len(mechanism.outputs)} outputs, "
        f"{distinct} of them not proportional",
        len(mechanism.outputs) <= trees,
        "each edge of a tree may point either way: orientations count too.",
        ours=general is True and distinct == len(mechanism.outputs),
    )


def _spanning_trees(space: Space) -> int:
    """Kirchhoff's theorem: a minor of the Laplacian of the pairs at distance 1."""
    laplacian = np.zeros((space.size, space.size))
    for i, j in space.edges():
        laplacian[[i, j], [i, j]] += 1
        laplacian[[i, j], [j, i]] -= 1
    return round(float(np.linalg.det(laplacian[1:, 1:])))


def _optimum(*, leaves: int = 5, ratio: Fraction = Fraction(2)) -> Finding:
    level = Level.ratio(ratio)
    coefficient = dobrushin(least_overlap(star(leaves), level))
    best = dobrushin_optimum(2, level)[0]
    by_size = dobrushin_optimum(leaves, level)[0]  # n points read as a diameter of n - 1
    return finding(
        "Lemma 3.3.8 with n in place of the diameter d",
        f"star with {leaves} leaves (n = {leaves + 1}, d = 2), e^ε = {ratio}: best coefficient "
        f"{best}, attained ({coefficient:g}); n - 1 = {leaves} in place of d would give {by_size}",
        by_size == best,
        "the optimum depends on the diameter: -e^(-dε/2) if d is even, "
        "-2e^(-(d-1)ε/2)/(1+e^ε) if odd.",
        ours=best == -1 / ratio and abs(coefficient - float(best)) <= tolerances.SOLVER_ERROR,
    )


LOSS = Item(
    "kl10",
    "example-3.2.1",
    "Expected loss as utility",
    Verdict.CONFIRMED,
    _loss,
    varied={"ratio": F(3, 2)},
    dropped={"prior": (F(1, 3),) * 3},  # the best remap changes nothing
)
SPLITTING = Item(
    "kl10",
    "theorem-3.3.3",
    "Connected row graphs",
    Verdict.CONFIRMED,
    _split,
    varied={"ratio": F(3)},
    dropped={"start": "geometric"},  # already maximally general
)
TREES = Item(
    "kl10",
    "appendix-b",
    "How many outputs",
    Verdict.CORRECTED,
    _trees,
    varied={"points": 4},
    dropped={"relation": "complete", "points": 4},
)
OPTIMUM = Item(
    "kl10",
    "lemma-3.3.8",
    "The best Dobrushin coefficient",
    Verdict.CORRECTED,
    _optimum,
    varied={"ratio": F(3)},
    dropped={"leaves": 2},  # a path of three points: n - 1 is the diameter
)
