"""Mangat's design for many answers: sensitive ones are sent as they are, the others cover them.

A sensitive answer is always sent truthfully. Anyone else sends answer j with probability
r_j; the responses j that do not come from j are the cover of those that do. H16, Definition
6.3 has one non-sensitive answer and r_j = 1/m, and leaves open which randomization is best.

With cover r_j for sensitive j and keep = 1 - Σ r_j, the same for all non-sensitive answers of
total share ν, n Var = π_j (1 - π_j) + ν r_j + ν r_j²/keep: it grows in every r and falls in
keep. P(j | response j) <= α asks r_j >= π_j (1 - α)/(α ν). So equality everywhere is best for
every sensitive answer at once. Different rows for different non-sensitive answers are no
better: r²/keep is convex in (r, keep). Shuffling them among themselves only adds noise.
A zero cell is left beside a non-zero one: no ε is finite, and two sensitive answers have δ = 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tightrope.errors import BadMatrix, Infeasible
from tightrope.exact import Number, told_apart
from tightrope.surveys.designs import Design, probability

_HOW = "A sensitive answer is sent as it is; others are sometimes sent as a sensitive one."


def super_binary(
    sensitive: Sequence[str], plain: Sequence[str], cover: Mapping[str, Number] | None = None
) -> Design:
    """Mangat's design for these answers; without a cover every answer has r_j = 1/m.

    With one plain answer and no cover it is H16, Definition 6.3. With several, each keeps its
    own answer with probability 1 - Σ cover.

    >>> super_binary(["a", "b"], ["none"]).rows[0]
    (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    if not sensitive or not plain:
        raise BadMatrix("expected at least one sensitive and one plain answer.")
    names = (*plain, *sensitive)
    each = Fraction(1, len(sensitive) + 1)
    shares = [each if cover is None else probability(cover.get(name, 0)) for name in sensitive]
    keep = 1 - sum(shares, Fraction(0))
    if keep <= 0:
        raise BadMatrix(
            f"the cover adds up to {float(sum(shares)):g}; it must leave something of the truth."
        )
    zero = Fraction(0)
    rows: list[tuple[Fraction, ...]] = [
        (*(keep if x == z else zero for z in plain), *shares) for x in plain
    ]
    rows += [tuple(Fraction(x == z) for z in names) for x in sensitive]
    return Design("super-binary mangat", names, names, tuple(rows), tuple(sensitive), _HOW)


def best_super_binary(
    sensitive: Mapping[str, Number], plain: Mapping[str, Number], violation: Number
) -> Design:
    """The best randomization if P(j | response j) may be at most `violation` for sensitive j.

    The maps give the expected share of each answer. Every sensitive answer has the smallest
    variance that any Mangat design with that protection gives it.

    >>> found = best_super_binary({"a": "0.1", "b": "0.2"}, {"none": "0.7"}, "1/2")
    >>> [str(p) for p in found.rows[0]]
    ['4/7', '1/7', '2/7']
    """
    alpha = probability(violation, "a degree of privacy violation")
    exact = {name: probability(share, "a share") for name, share in sensitive.items()}
    rest = sum((probability(share, "a share") for share in plain.values()), Fraction(0))
    if sum(exact.values()) + rest != 1 or rest == 0:
        raise BadMatrix("the shares of all answers must add up to 1, with some plain ones.")
    if alpha == 0:
        raise Infeasible("no design that learns anything has a privacy violation of 0.")
    cover = {name: share * (1 - alpha) / (alpha * rest) for name, share in exact.items()}
    if sum(cover.values()) >= 1:
        asked, least = told_apart(alpha, 1 - rest, 6)
        raise Infeasible(
            f"a privacy violation of {asked} cannot be reached: the others are too few "
            f"to cover the sensitive answers; it must be above {least}."
        )
    return super_binary(tuple(exact), tuple(plain), cover)
