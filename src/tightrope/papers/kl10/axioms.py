"""KL10, Sections 2 and 3: generic definitions, the axioms, and measures of generality."""

from __future__ import annotations

from fractions import Fraction

from tightrope.constructions import randomized_response, truncated_geometric
from tightrope.exact import Level, Weights
from tightrope.mechanisms import FiniteMechanism, MatrixMechanism, cascade, finite, mix
from tightrope.papers.item import Finding, Item, Verdict, finding
from tightrope.privacy import (
    Band,
    GenericDefinition,
    PairBound,
    Refutation,
    judge,
    smallest_level,
    tightness,
    verify_generic,
)
from tightrope.spaces import categories, parse, path
from tightrope.theory import least_overlap, post_processing
from tightrope.utility import determinant, dobrushin, dobrushin_optimum

F = Fraction
_TWO = F(2)


def _generic(
    *, ratio: Fraction = _TWO, delta: Fraction = F(1, 10), used: Fraction = F(1, 10)
) -> Finding:
    space = categories(3)
    told = finite(randomized_response(space, Level.ratio(ratio, used)).mechanism)
    bound = PairBound.of_level(Level.ratio(ratio, delta))
    verdict = verify_generic(told, GenericDefinition.on_neighbors(space, bound))
    corners = ", ".join(f"({a}, {b})" for a, b in bound.knots)
    return finding(
        "(ε, δ)-indistinguishability is generic privacy with M(a) = min{1, e^ε a + δ, "
        "1 - e^-ε(1 - a - δ)}",
        f"M of e^ε = {ratio}, δ = {delta} has the corners {corners}; randomized response of "
        f"δ = {used} keeps it: {verdict.holds}",
        verdict.holds,
        "P(O | j) <= M(P(O | i)) for every event and both orders, exactly.",
    )


def _processing(
    *, ratio: Fraction = _TWO, error: Fraction = F(1, 5), reads: bool = False
) -> Finding:
    space = path(0, 3)
    told = finite(truncated_geometric(space, Level.ratio(ratio)).mechanism)
    after: FiniteMechanism = cascade(told, _channel(4, error), space.points)
    if reads:  # the second step looks at the input again: one of them is told more often
        rows = [list(after.row_at(x)) for x in range(4)]
        rows[0] = [F(9, 10), *(F(1, 30),) * 3]
        after = MatrixMechanism(space, space.points, Weights.from_fractions(rows))
    smallest = smallest_level(after, space)
    assert not isinstance(smallest, Refutation)
    return finding(
        "what is done to the answer alone keeps the level (transformation invariance)",
        f"geometric of e^ε = {ratio}, then a channel that errs with {error}: level "
        f"{smallest.upper:.6f}, before {float(Level.ratio(ratio)):.6f}",
        smallest.upper <= float(Level.ratio(ratio)),
        "the channel must not see the input.",
    )


def _choice(
    *, ratio: Fraction = _TWO, share: Fraction = F(1, 3), other: Fraction = _TWO
) -> Finding:
    space = categories(3)
    first = finite(randomized_response(space, Level.ratio(ratio)).mechanism)
    second = finite(randomized_response(space, Level.ratio(other)).mechanism)
    turned = [[F(int(w == (z + 1) % 3)) for w in range(3)] for z in range(3)]
    both = mix(first, cascade(second, turned, space.points), share)
    smallest = smallest_level(both, space)
    assert not isinstance(smallest, Refutation)
    return finding(
        "a random choice among private mechanisms is private (privacy axiom of choice)",
        f"e^ε = {ratio} with probability {share}, else e^ε = {other} with other names: level "
        f"{smallest.upper:.6f}, asked {float(Level.ratio(ratio)):.6f}",
        smallest.upper <= float(Level.ratio(ratio)),
        "both must be private, and the choice must not depend on the data.",
    )


def _sufficient(
    *, middle: Fraction = F(3, 4), end: Fraction = F(1)
) -> Finding:
    # M through (0, 1/4), (1/2, middle), (1, end); m(a) = 1 - M(1 - a)
    upper = [(F(0), F(1, 4)), (F(1, 2), middle), (F(1), end)]
    lower = [(1 - a, 1 - b) for a, b in reversed(upper)]
    verdict = judge(Band.of(lower, upper))
    return finding(
        "if M is concave, continuous on (0, 1] and M(1) = 1, both axioms hold",
        f"M through (0, 1/4), (1/2, {middle}), (1, {end}): transformation invariance "
        f"{verdict.transformation_invariance}, choice {verdict.axiom_of_choice}, for every event",
        verdict.transformation_invariance and verdict.axiom_of_choice,
        "decided from the corners of M.",
    )


def _interval(*, ratio: Fraction = _TWO, delta: Fraction = F(1, 10), gap: bool = False) -> Finding:
    bound = PairBound.of_level(Level.ratio(ratio, delta))
    steps = [F(k, 20) for k in range(21)]
    allowed = {
        a: [b for b in steps if bound.least(a) <= b <= bound(a) and not (gap and b == F(1, 2))]
        for a in steps
    }
    whole = all(
        b in inside for inside in allowed.values() if inside
        for b in steps if inside[0] <= b <= inside[-1]
    )
    at = allowed[F(1, 4)]
    return finding(
        "for each a the allowed b form an interval from m(a) to M(a)",
        f"(ln {ratio}, {delta}) at multiples of 1/20: intervals without gaps {whole}; at a = 1/4 "
        f"from {at[0]} to {at[-1]}",
        whole and not judge(lambda a, b: b in allowed.get(a, ()), grid=20).processing,
        "a definition with a gap does not survive post-processing.",
    )


def _order(*, ratio: Fraction = _TWO, error: Fraction = F(1, 5), back: bool = False) -> Finding:
    space = path(0, 2)
    general = finite(truncated_geometric(space, Level.ratio(ratio)).mechanism)
    special = cascade(general, _channel(3, error), space.points)
    first, second = (special, general) if back else (general, special)
    result = post_processing(first, second)
    return finding(
        "M2 is at least as general as M1 if a randomized algorithm makes M1 from M2's answers",
        f"geometric of e^ε = {ratio} and its answers after a channel that errs with {error}: the "
        f"{'first' if back else 'second'} can be made from the other: {result.exists}",
        result.exists,
        "the channel is found exactly, or a decision problem separates the two.",
    )


def _channel(size: int, error: Fraction) -> list[list[Fraction]]:
    """Every answer is kept, or with this probability exchanged for any other one."""
    rest = error / (size - 1)
    return [[1 - error if z == w else rest for w in range(size)] for z in range(size)]


def _shrinking_measures(measure: str, ratio: Fraction, error: Fraction, processed: bool) -> Finding:
    space = path(0, 3)
    told = finite(truncated_geometric(space, Level.ratio(ratio)).mechanism)
    after: FiniteMechanism = cascade(told, _channel(4, error), space.points)
    if not processed:  # another mechanism, that no channel makes from the first
        after = finite(truncated_geometric(space, Level.ratio(2 * ratio)).mechanism)
    before, less = (
        float(abs(determinant(mechanism)) if measure == "|det|" else dobrushin(mechanism))
        for mechanism in (told, after)
    )
    return finding(
        f"{measure} does not grow by post-processing",
        f"geometric on 4 points at e^ε = {ratio}: {before:.6f}; "
        + (f"after a channel that errs with {error}" if processed else f"at {2 * ratio}")
        + f": {less:.6f}",
        less <= before,
        "it respects the generality order.",
    )


def _volume(
    *, ratio: Fraction = _TWO, error: Fraction = F(1, 5), processed: bool = True
) -> Finding:
    return _shrinking_measures("|det|", ratio, error, processed)


def _contraction(
    *, ratio: Fraction = _TWO, error: Fraction = F(1, 5), processed: bool = True
) -> Finding:
    return _shrinking_measures("the negative Dobrushin coefficient", ratio, error, processed)


def _geometric(*, points: int = 5, ratio: Fraction = _TWO) -> Finding:
    space, level = path(0, points - 1), Level.ratio(ratio)
    told = finite(truncated_geometric(space, level).mechanism)
    # z beyond an end is reset to it: sum the tails of (r - 1)/(r + 1) r^-|i - z|
    scale = (ratio - 1) / (ratio + 1)
    rows = []
    for i in range(points):
        inner = [scale * ratio ** -abs(i - z) for z in range(points)]
        tail = scale / (ratio - 1)
        inner[0] += tail * ratio**-i
        inner[-1] += tail * ratio ** -(points - 1 - i)
        rows.append(inner)
    same = [list(told.row_at(i)) for i in range(points)] == rows
    general = tightness(told, space, level).maximally_general
    return finding(
        "the geometric mechanism: z with weight e^(-ε|i - z|), reset to the nearest end",
        f"{points} points, e^ε = {ratio}: first row {', '.join(map(str, told.row_at(0)))}; as "
        f"defined {same}, all row graphs connected {general}",
        same and general is True,
        "the tails are summed exactly.",
    )


def _two_outputs(size: int, ratio: Fraction) -> list[Fraction]:
    """P(first output) of the best mechanism with two outputs on a path, smallest first."""
    told = least_overlap(path(0, size - 1), Level.ratio(ratio))
    first = [told.row_at(i)[0] for i in range(size)]
    return sorted(first)


def _chain(*, points: int = 6, ratio: Fraction = _TWO, shift: Fraction = F(0)) -> Finding:
    m = _two_outputs(points, ratio)
    m = [p + shift * (1 - 2 * p) for p in m]
    tight = [m[j] == max(m[j + 1] / ratio, 1 - (1 - m[j + 1]) * ratio) for j in range(points - 1)]
    return finding(
        "an optimum of E(1, n) with two outputs has m_j = max(e^-ε m_(j+1), 1 - (1 - m_(j+1))e^ε)",
        f"path of {points} points, e^ε = {ratio}: {', '.join(map(str, m))}; so at {sum(tight)} of "
        f"{len(tight)} steps",
        all(tight),
        "each probability is as small as its neighbor allows.",
    )


def _halves(*, points: int = 6, ratio: Fraction = _TWO, shift: Fraction = F(0)) -> Finding:
    m = _two_outputs(points, ratio)
    m = [p + shift * (1 - 2 * p) for p in m]
    half = points // 2
    rises = all(m[j] == ratio * m[j - 1] for j in range(1, half + points % 2))
    falls = all(1 - m[j] == (1 - m[j - 1]) / ratio for j in range(half + 1, points))
    best = dobrushin_optimum(points - 1, Level.ratio(ratio))[0]
    spread = m[0] - m[-1] + 1
    return finding(
        "the first output grows by e^ε up to the middle, the second falls by e^ε from there",
        f"path of {points} points, e^ε = {ratio}: E(1, n) = {-spread}, the optimum is {best}; "
        f"grows {rises}, falls {falls}",
        rises and falls and -spread == best,
        "for even n the optimum is unique; for odd n the middle is free.",
    )


def _farthest(*, space: str = "cycle:6", ratio: Fraction = _TWO, at: str = "optimum") -> Finding:
    where, level = parse(space), Level.ratio(ratio)
    told: FiniteMechanism = least_overlap(where, level)
    if at != "optimum":  # only the first input is told from the others
        rows = [[ratio, F(1)], *([[F(1), ratio]] * (where.size - 1))]
        shares = [[entry / (ratio + 1) for entry in row] for row in rows]
        told = MatrixMechanism(where, (0, 1), Weights.from_fractions(shares))
    size = where.size
    overlaps = {
        (i, j): sum(min(a, b) for a, b in zip(told.row_at(i), told.row_at(j), strict=True))
        for i in range(size)
        for j in range(i)
    }
    least = min(overlaps.values())
    far = {str(where.distance(i, j)) for (i, j), value in overlaps.items() if value == least}
    return finding(
        "pairs that attain the best Dobrushin coefficient are as far apart as the diameter",
        f"{space}, e^ε = {ratio}: coefficient {-least}, attained at distance "
        f"{', '.join(sorted(far))}; the diameter is {where.diameter}",
        far == {str(where.diameter)},
        "overlaps of all pairs of rows, exactly.",
    )


ITEMS = (
    Item("kl10", "axiom-2.1.1", "Transformation invariance", Verdict.CONFIRMED, _processing,
         varied={"error": F(1, 10)}, dropped={"reads": True}),
    Item("kl10", "axiom-2.1.2", "The axiom of choice", Verdict.CONFIRMED, _choice,
         varied={"share": F(1, 2)}, dropped={"other": F(20)}),
    Item("kl10", "definition-2.1.3", "Generic differential privacy", Verdict.CONFIRMED, _generic,
         varied={"delta": F(1, 5)}, dropped={"used": F(1, 5)}),
    Item("kl10", "proposition-2.2.3", "Allowed values form an interval", Verdict.CONFIRMED,
         _interval, varied={"ratio": F(3)}, dropped={"gap": True}),
    Item("kl10", "theorem-2.3.1", "Conditions that suffice", Verdict.CONFIRMED, _sufficient,
         varied={"middle": F(7, 8)}, dropped={"middle": F(11, 20)}),
    Item("kl10", "definition-3.1.2", "The generality order", Verdict.CONFIRMED, _order,
         varied={"error": F(1, 10)}, dropped={"back": True}),
    Item("kl10", "example-3.2.2", "The determinant as a measure", Verdict.CONFIRMED, _volume,
         varied={"ratio": F(3)}, dropped={"processed": False}),
    Item("kl10", "example-3.2.3", "The Dobrushin coefficient as a measure", Verdict.CONFIRMED,
         _contraction, varied={"ratio": F(3)}, dropped={"processed": False}),
    Item("kl10", "definition-3.3.1", "The geometric mechanism", Verdict.CONFIRMED, _geometric,
         varied={"points": 3}),
    Item("kl10", "lemma-3.3.4", "Two outputs: each as small as may be", Verdict.CONFIRMED, _chain,
         varied={"points": 4}, dropped={"shift": F(1, 10)}),
    Item("kl10", "lemma-3.3.5", "Two outputs: the optimum", Verdict.CONFIRMED, _halves,
         varied={"points": 4}, dropped={"shift": F(1, 10)}),
    Item("kl10", "lemma-3.3.7", "Optima are attained far apart", Verdict.CONFIRMED, _farthest,
         varied={"ratio": F(3)}, dropped={"at": "one input"}),
)
