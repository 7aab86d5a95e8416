"""Every public construction on every kind of space: what it gives has the level, or it refuses."""

from fractions import Fraction

import pytest

from tests.contracts.test_catalog import SPACES
from tests.privacy.brute import has_level, lengths_of
from tightrope import constructions
from tightrope.constructions import (
    exponential,
    integer_staircase,
    item_response,
    planar_geometric,
    planar_laplace,
    randomized_response,
    remapped_geometric,
    reporting,
    subset_selection,
    tight_constraints,
    truncated_geometric,
    two_sided_geometric,
    unary_encoding,
)
from tightrope.errors import BadInput, CannotCheck, Infeasible
from tightrope.exact import Level
from tightrope.mechanisms import FiniteMechanism
from tightrope.privacy import Certified
from tightrope.spaces import cycle

BUILDERS = [
    exponential, integer_staircase, item_response, planar_geometric, planar_laplace,
    randomized_response,
    remapped_geometric, subset_selection, tight_constraints, truncated_geometric,
    two_sided_geometric, unary_encoding,
]
LEVELS = [Level.ratio(2), Level.epsilon("0.5")]


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.text)
def test_a_construction_proves_the_level_or_refuses_in_one_sentence(build, level):
    made, refused = 0, []
    for space in SPACES:
        try:
            found = build(space, level)
        except (Infeasible, CannotCheck, BadInput) as reason:
            refused.append(str(reason))
            continue
        made += 1
        assert isinstance(found, Certified)
        assert found.certificate.level == level
        assert found.mechanism.space == space
        assert found.certificate.smallest.lower <= float(level) * (1 + 1e-15)
        if isinstance(found.mechanism, FiniteMechanism):
            rows = [found.mechanism.row_at(i) for i in range(space.size)]
            assert has_level(rows, lengths_of(space), level)
    assert made > 0
    assert refused or build is exponential
    assert all(reason.endswith(".") and "\n" not in reason for reason in refused)


def test_the_geometric_is_not_made_on_a_cycle():
    with pytest.raises(Infeasible, match="needs a path of whole numbers, sums or counts"):
        truncated_geometric(cycle(5), Level.epsilon("0.5"))


def test_text_and_numbers_state_the_space_and_the_level():
    stated = truncated_geometric("path:0..4", 0.1).mechanism
    exact = truncated_geometric(constructions.design("path:0..4", 1).problem.space,
                                Level.epsilon(Fraction(1, 10))).mechanism
    assert [stated.row_at(i) for i in range(5)] == [exact.row_at(i) for i in range(5)]


def test_a_protocol_is_the_construction_of_its_name():
    found = reporting("categories:5", Level.ratio(3), "subset-selection")
    assert found.mechanism == subset_selection("categories:5", Level.ratio(3)).mechanism
