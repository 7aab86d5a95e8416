"""Exact kernels: rows, normalizers and single probabilities against fractions written by hand."""

from fractions import Fraction

import pytest

from tightrope.errors import BadMatrix, CannotCheck
from tightrope.mechanisms import KernelMechanism
from tightrope.spaces import categories, cycle, graph, grid, path, star

F = Fraction
SPACES = [
    (path(-1, 3), "1"), (path(0, 3), "1/2"), (path(0, 1), "1"), (categories(4), "1"),
    (categories(3), "1/3"), (cycle(5), "1"), (star(3), "1"),
    (grid((2, 3), "1/2", "manhattan"), "1/4"),
    (graph("abcd", [(0, 1, "3/2"), (1, 2, 1), (2, 3, "1/2")]), "1/2"),
]
WEIGHTS = [(1, 1, 1, 1, 1, 1), (3, 1, 2, 2, 5, 1), (0, F(1, 3), 2, F(3, 4), 1, 0)]


@pytest.mark.parametrize(("space", "unit"), SPACES, ids=lambda part: getattr(part, "text", part))
@pytest.mark.parametrize("chosen", WEIGHTS)
@pytest.mark.parametrize("ratio", [F(2), F(7, 3)])
def test_a_kernel_is_its_weights_times_the_powers_of_its_ratio(space, unit, chosen, ratio):
    weights = chosen[: space.size]
    kernel = KernelMechanism(space, ratio, F(unit), weights)
    scale, whole = kernel.whole_normalizers
    for y in range(space.size):
        lengths = [space.distance(y, z).rational / F(unit) for z in range(space.size)]
        line = [w * ratio ** -int(k) for w, k in zip(weights, lengths, strict=True)]
        law = tuple(value / sum(line) for value in line)
        assert kernel.row_at(y) == kernel.row(space.points[y]) == law
        assert kernel.matrix().row_at(y) == law
        assert tuple(kernel.probability(y, z) for z in range(space.size)) == law
        assert kernel.normalizers[y] == F(whole[y], scale) == sum(line)


@pytest.mark.parametrize(("space", "weights", "equidistant", "even"), [
    (categories(3), (1, 1, 1), True, True), (categories(3), (1, 2, 1), True, False),
    (path(0, 1), (1, 1), True, True), (path(0, 2), (1, 1, 1), False, False)])
def test_a_kernel_is_even_if_all_pairs_of_points_are_alike(space, weights, equidistant, even):
    kernel = KernelMechanism(space, F(2), F(1), weights)
    assert (kernel.equidistant, kernel.even) == (equidistant, even)


@pytest.mark.parametrize(("space", "ratio", "unit", "weights"), [
    (path(0, 1), 1, 1, (1, 1)), (path(0, 1), 2, 0, (1, 1)), (path(0, 1), 2, -1, (1, 1)),
    (path(0, 1), 2, 1, (0, 0)), (path(0, 1), 2, 1, (1, -1)), (path(0, 1), 2, 1, (1, 1, 1)),
    (path(0, 1), 2, 1, (1, "x")), (path(0, 1), 2, 1, 5)])
def test_what_is_no_kernel_is_refused(space, ratio, unit, weights):
    with pytest.raises(BadMatrix):
        KernelMechanism(space, F(ratio), F(unit), weights)


@pytest.mark.parametrize(("space", "unit"), [
    (path(0, 2), 2), (path(0, 2), F(2, 3)), (categories(3), 2), (grid((2, 2)), 1),
    (graph("abc", [(0, 1, 1), (1, 2, "1/2")]), 1)])
def test_distances_must_be_multiples_of_the_unit(space, unit):
    kernel = KernelMechanism(space, F(2), F(unit), (1,) * space.size)
    for question in (kernel.check_unit, lambda: kernel.whole_normalizers, lambda: kernel.row_at(0)):
        with pytest.raises(BadMatrix, match="no multiple of the unit"):
            question()


@pytest.mark.parametrize("space", [path(0, 2), categories(3), cycle(5)], ids=lambda s: s.text)
def test_powers_too_long_to_write_out_are_refused(space):
    kernel = KernelMechanism(space, F(3), F(1, 10**9), (1,) * space.size)
    with pytest.raises(CannotCheck, match="too many to write out"):
        _ = kernel.normalizers
