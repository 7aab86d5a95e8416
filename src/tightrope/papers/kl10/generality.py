"""KL10, Section 3: measures of utility, row graphs, and the best Dobrushin coefficient."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, cascade, finite
from tightrope.papers.item import Finding, Item, Verdict, judged
from tightrope.privacy import generalize, post_processing, tightness
from tightrope.spaces import path, star
from tightrope.theory import least_overlap
from tightrope.utility import (
    Problem,
    best_remap,
    dobrushin,
    dobrushin_optimum,
)

F = Fraction
_TWO = Level.ratio(2)


def _loss() -> Finding:
    space = path(0, 2)
    geometric = finite(truncated_geometric(space, _TWO).mechanism)
    asked = Problem(space, _TWO, prior=[F(1, 10), F(4, 5), F(1, 10)], loss="absolute")
    answers = best_remap(geometric, asked)
    channel = [[F(int(z == answer)) for z in range(3)] for answer in answers]
    after = cascade(geometric, channel, space.points)
    before, less = (asked.value(mechanism) for mechanism in (geometric, after))
    return judged(
        "negative expected loss does not respect the generality order",
        f"geometric on 0..2 at e^ε = 2, prior (0.1, 0.8, 0.1): {before:.4f}; after a remap that "
        f"throws information away: {less:.4f}",
        less < before and not post_processing(after, geometric).exists,
        "the loss falls although the remapped mechanism is strictly less general.",
    )


def _splitting() -> Finding:
    space = path(0, 3)
    rows = [[F(1, 2), F(1, 2)], [F(2, 5), F(3, 5)], [F(1, 2), F(1, 2)], [F(3, 5), F(2, 5)]]
    start = MatrixMechanism(space, (0, 1), Weights.from_fractions(rows))
    made = generalize(start, _TWO)
    mechanism = made.certified.mechanism
    assert isinstance(mechanism, MatrixMechanism)
    connected = tightness(mechanism, space, _TWO).maximally_general
    strictly = not post_processing(start, mechanism).exists
    return judged(
        "splitting outputs ends in connected row graphs, at least as general",
        f"2 outputs become {len(mechanism.outputs)}, all row graphs connected: {connected}, "
        f"strictly more general: {strictly}",
        connected and strictly,
        "the channel back is exact; maxima in (3) and (4) run over related pairs only.",
    )


def _trees() -> Finding:
    space = path(0, 5)
    mechanism = finite(truncated_geometric(space, _TWO).mechanism)
    general = tightness(mechanism, space, _TWO).maximally_general
    return judged(
        "the number of outputs is at most the number of spanning trees of the relation",
        f"a path of 6 inputs has 1 spanning tree; the geometric mechanism is maximally general "
        f"({general}) with {len(mechanism.outputs)} outputs, no two proportional",
        not (general and generalize(mechanism, _TWO).unchanged),
        "each edge of a tree may point either way: orientations count too.",
    )


def _optimum(*, leaves: int = 5, ratio: Fraction = Fraction(2)) -> Finding:
    level = Level.ratio(ratio)
    found = dobrushin(least_overlap(star(leaves), level))
    best = dobrushin_optimum(2, level)[0]
    by_size = dobrushin_optimum(leaves, level)[0]  # n points read as a diameter of n - 1
    return judged(
        "Lemma 3.3.8 with n in place of the diameter d",
        f"star with {leaves} leaves (n = {leaves + 1}, d = 2), e^ε = {ratio}: best coefficient "
        f"{best}, attained ({found:g}); n - 1 = {leaves} in place of d would give {by_size}",
        by_size == best,
        "the optimum depends on the diameter: -e^(-dε/2) if d is even, "
        "-2e^(-(d-1)ε/2)/(1+e^ε) if odd.",
    )


LOSS = Item("kl10", "example-3.2.1", "Expected loss as utility", Verdict.CONFIRMED, _loss)
SPLITTING = Item("kl10", "theorem-3.3.3", "Connected row graphs", Verdict.CONFIRMED, _splitting)
TREES = Item("kl10", "appendix-b", "How many outputs", Verdict.CORRECTED, _trees)
OPTIMUM = Item(
    "kl10",
    "lemma-3.3.8",
    "The best Dobrushin coefficient",
    Verdict.CORRECTED,
    _optimum,
    varied={"ratio": F(3)},
    dropped={"leaves": 2},  # a path of three points: n - 1 is the diameter
)
