"""A level shared among columns, against every way to share it."""

from itertools import product

import pytest

from tightrope.constructions import randomized_response, response_error, split_level
from tightrope.constructions.categorical.budget import PIECES
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.privacy import sequential
from tightrope.spaces import categories
from tightrope.utility import estimate_variances


@pytest.mark.parametrize("size", [2, 5, 30])
def test_the_error_is_the_variance_of_all_estimates_in_sum(size):
    response = randomized_response(categories(size), Level.ratio(3)).mechanism
    variances = estimate_variances(response, [1 / size] * size, 7, sampling=True)
    assert response_error(size, float(Level.ratio(3))) == pytest.approx(7 * variances.sum())


@pytest.mark.parametrize("epsilon", ["0.5", "2", "9"])
@pytest.mark.parametrize("sizes", [(2, 3), (2, 20, 5)])
def test_no_other_split_into_pieces_has_a_smaller_error(sizes, epsilon):
    whole = Level.parse(epsilon)
    found = split_level(whole, sizes)
    assert sequential(found).compare_level(whole) == 0

    def total(pieces):
        return sum(response_error(k, float(whole) * p / PIECES)
                   for k, p in zip(sizes, pieces, strict=True))

    free = product(range(1, PIECES), repeat=len(sizes) - 1)
    least = min(total((*p, PIECES - sum(p))) for p in free if sum(p) < PIECES)
    own = sum(response_error(k, float(part)) for k, part in zip(sizes, found, strict=True))
    assert own == pytest.approx(least, rel=1e-9)


def test_equal_columns_share_evenly_and_items_count_as_responses_of_their_own():
    assert [part.text for part in split_level(Level.parse("3"), (4, 4, 4))] == ["1", "1", "1"]
    alone, items = split_level(Level.parse("3"), (2, 2), repeats=(1, 4))
    assert float(items) > float(alone)


def test_columns_of_one_value_are_refused():
    with pytest.raises(BadInput):
        split_level(Level.parse("1"), (1, 2))
    with pytest.raises(BadInput):
        split_level(Level.parse("1"), ())
