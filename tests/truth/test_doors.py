"""A short run of the truth bench over estimates, sizes, bands, degrees, positions and people."""

import pytest

from tests.truth.doors import DOORS
from tests.truth.judge import all_faults
from tests.truth.keys import KEYS
from tests.truth.people import PEOPLE


@pytest.mark.slow
@pytest.mark.parametrize("door", [*DOORS, *PEOPLE, *KEYS], ids=lambda door: door.__name__)
def test_what_is_said_at_other_doors_holds(door):
    assert all_faults(door(200)) == []
