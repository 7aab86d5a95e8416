"""Random samples as mechanisms: the example of KL10, Section 2.1.

The input is a set of records, the output a random part of it: every record is kept with the same
probability s, on its own. A record that is in the sample was in the data, so no ε is finite. But
if S' is S and one record more, then P(O | S') = (1 - s) P(O | S) + s Q(O) with another law Q, and
what S gives, S' gives with probability 1 - s at least: M(a) = s + (1 - s) a one way and
M(a) = min(1, a/(1 - s)) the other. These are bounds of generic differential privacy, and no
smaller ones hold.
"""

from __future__ import annotations

from fractions import Fraction

from tightrope.errors import BadInput
from tightrope.exact import Number, Weights, stated
from tightrope.mechanisms import FiniteMechanism, Held, MatrixMechanism, finite_form
from tightrope.privacy import GenericDefinition, PairBound, tradeoff_curve
from tightrope.spaces import Relation, sets

MOST_ITEMS = 8
"""Records whose subsets are listed, at most."""
_ZERO, _ONE = Fraction(0), Fraction(1)


def subsample(items: int, share: Number) -> MatrixMechanism:
    """The mechanism that keeps every record of a set with the same probability.

    Inputs and outputs are the subsets of `items` records.

    >>> half = subsample(2, "1/4")
    >>> [str(p) for p in half.row((0, 1))]
    ['9/16', '3/16', '3/16', '1/16']
    """
    kept = stated(share, "the share of records that are kept, from 0 to 1")
    if not 0 <= kept <= 1:
        raise BadInput(f"expected a share from 0 to 1, found {kept}.")
    if not 1 <= items <= MOST_ITEMS:
        raise BadInput(f"expected 1 to {MOST_ITEMS} records, found {items}.")
    space = sets(items)
    points = [frozenset(_items(label)) for label in space.points]
    rows = [
        [kept ** len(part) * (1 - kept) ** len(whole - part) if part <= whole else _ZERO
         for part in points]
        for whole in points
    ]
    return MatrixMechanism(space, space.points, Weights.from_fractions(rows))


def _items(label: object) -> tuple[int, ...]:
    assert isinstance(label, tuple)
    return tuple(item for item in label if isinstance(item, int))


def subsampling_definition(items: int, share: Number) -> GenericDefinition:
    """The definition that samples keep: a bound for adding a record, another for leaving it out.

    >>> from tightrope.privacy import verify_generic
    >>> verify_generic(subsample(3, "1/4"), subsampling_definition(3, "1/4")).holds
    True
    """
    kept = stated(share, "the share of records that are kept, from 0 to 1")
    if not 0 <= kept < 1:
        raise BadInput(f"expected a share from 0 up to, not including, 1, found {kept}.")
    space = sets(items)
    added = PairBound.of([(_ZERO, kept), (_ONE, _ONE)])
    places = sorted({_ZERO, 1 - kept, _ONE})
    left_out = PairBound.of([(a, min(_ONE, a / (1 - kept))) for a in places])
    sizes = [len(_items(label)) for label in space.points]
    relation = Relation.on(space)
    return GenericDefinition(
        {(i, j): added if sizes[i] < sizes[j] else left_out for i, j in relation}
    )


def strictest(mechanism: FiniteMechanism | Held, relation: Relation) -> GenericDefinition:
    """The strictest definition that a mechanism keeps: the trade-off curve of every pair.

    >>> made = subsample(1, "1/4")
    >>> strictest(made, Relation.on(made.space)).bounds[0, 1].knots
    ((Fraction(0, 1), Fraction(1, 4)), (Fraction(1, 1), Fraction(1, 1)))
    """
    matrix = finite_form(mechanism)
    return GenericDefinition(
        {(i, j): tradeoff_curve(matrix.row_at(i), matrix.row_at(j)) for i, j in relation}
    )
