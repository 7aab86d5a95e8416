"""Random samples as mechanisms, by counting."""

from fractions import Fraction
from itertools import chain, combinations

import pytest

from tightrope.errors import BadInput
from tightrope.privacy import verify_generic
from tightrope.spaces import Relation
from tightrope.theory import strictest, subsample, subsampling_definition

F = Fraction


def test_a_sample_keeps_each_record_on_its_own():
    made = subsample(3, "1/4")
    for label in made.space.points:
        law = dict(zip(made.outputs, made.row(label), strict=True))
        parts = chain(*(combinations(label, k) for k in range(len(label) + 1)))
        expected = {part: F(1, 4) ** len(part) * F(3, 4) ** (len(label) - len(part))
                    for part in parts}
        assert {part: p for part, p in law.items() if p} == expected


def test_samples_keep_their_bounds_and_no_smaller_ones():
    made = subsample(3, "2/5")
    definition = subsampling_definition(3, "2/5")
    assert verify_generic(made, definition).holds
    assert strictest(made, Relation.on(made.space)).bounds == definition.bounds
    assert not verify_generic(made, subsampling_definition(3, "1/3")).holds
    assert not verify_generic(subsample(3, "1/2"), definition).holds


@pytest.mark.parametrize(("items", "share"), [(0, "1/2"), (9, "1/2"), (2, 2), (2, -1), (2, "x")])
def test_what_is_no_sample_is_refused(items, share):
    with pytest.raises(BadInput):
        subsample(items, share)
