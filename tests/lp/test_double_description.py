"""The double description method: what is no bounded polytope is refused."""

import pytest

from tightrope.errors import BadInput
from tightrope.lp import vertices


@pytest.mark.parametrize(("lines", "holds"), [
    ([(0, 1, 0), (0, 0, 1)], "half line"),  # a quadrant
    ([(0, 1, 0), (1, -1, 0)], "whole line"),  # a strip
])
def test_a_polytope_without_an_end_is_refused(lines, holds):
    with pytest.raises(BadInput, match=holds):
        vertices(lines)


def test_an_empty_polytope_has_no_vertices():
    assert vertices([(-1, 1), (0, -1)]) == ()
    assert vertices([(0, 1)], [(1, 1)]) == ()
