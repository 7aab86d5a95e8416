"""Lists of pairs: the work by whole arrays, by the loops as Python and by compiled ones agrees."""

import numpy as np
import pytest

from tests.lp.test_elimination import block_of
from tightrope.lp import kernel_loops, kernels_numba, kernels_numpy
from tightrope.lp.arcs import Arcs
from tightrope.lp.blocks import Block
from tightrope.lp.deadlines import Deadline
from tightrope.lp.thinning import sparsify

LIMITS = np.array([0.6, 0.22, 0.1, 0.1, 4.0])


@pytest.fixture(params=["as Python", "compiled"])
def other(request, monkeypatch):
    if request.param == "as Python":
        monkeypatch.setattr(kernels_numba, "_loop", lambda name: getattr(kernel_loops, name))
    return kernels_numba


def vectors_of(arcs, copies=3):
    return np.random.default_rng(9).uniform(0.5, 1, (copies, arcs.width))


def test_push_and_pull_are_transposed_and_the_same(other):
    arcs, starts, pairs, numbers = block_of(1)
    vectors = vectors_of(arcs)
    pushed = kernels_numpy.pair_slacks(starts, pairs, vectors, arcs)
    pulled = kernels_numpy.net_outflow(starts, pairs, numbers, arcs)
    assert pushed @ numbers == pytest.approx(np.vdot(pulled, vectors))
    assert other.pair_slacks(starts, pairs, vectors, arcs) == pytest.approx(pushed)
    assert other.net_outflow(starts, pairs, numbers, arcs) == pytest.approx(pulled)


def test_lists_keep_tight_and_fixed_pairs_and_new_ones_enter_centered(other):
    arcs, starts, pairs, multipliers = block_of(2)
    vectors = vectors_of(arcs)
    slacks = np.abs(kernels_numpy.pair_slacks(starts, pairs, vectors, arcs)) + 0.1
    given = vectors, starts, pairs, slacks, multipliers, arcs, 0.01, LIMITS
    found, again = kernels_numpy.update_pairs(*given), other.update_pairs(*given)
    for one, two in zip(found, again, strict=True):
        assert one == pytest.approx(two)
    for z in range(3):
        before = dict(zip(pairs[starts[z]:starts[z + 1]].tolist(),
                          multipliers[starts[z]:starts[z + 1]].tolist(), strict=True))
        own = slice(found[0][z], found[0][z + 1])
        after = dict(zip(found[1][own].tolist(), found[3][own].tolist(), strict=True))
        products = found[2][own] * found[3][own]
        for i in range(len(arcs.tails)):
            top = vectors[z, arcs.tails[i]]
            slack = (top - arcs.shares[i] * vectors[z, arcs.heads[i]]) / top
            slack /= arcs.largest_slacks[i]
            stays = i in before and (arcs.fixed[i] or slack < 0.6)
            assert (i in after) == (stays or (i not in before and slack < 0.22))
            if stays:
                assert after[i] == before[i]
        new = [k for k, i in enumerate(found[1][own].tolist()) if i not in before]
        assert products[new] == pytest.approx(0.01)


def test_pairs_that_enter_one_place_in_a_crowd_carry_less_each(other):
    rng = np.random.default_rng(2)
    ends = np.triu_indices(20, 1)
    arcs = Arcs.of(20, *ends, rng.uniform(0.2, 0.9, len(ends[0])))
    pairs = np.flatnonzero(np.abs(arcs.heads - arcs.tails) == 1).astype(np.int32)
    multipliers = rng.uniform(0.1, 10, len(pairs))
    starts, vectors = np.array([0, len(pairs)]), rng.uniform(0.8, 1, (1, arcs.width))
    slacks = kernels_numpy.pair_slacks(starts, pairs, vectors, arcs)
    crowds = []
    for kernels in (kernels_numpy, other):
        limits = np.array([np.inf, 0.7, 0.1, 0.1, 4.0])  # many pairs enter
        _, listed, _, weights = kernels.update_pairs(
            vectors, starts, pairs, slacks, multipliers, arcs, 1e9, limits
        )
        new = ~np.isin(listed, pairs)
        ends = np.concatenate([arcs.tails[listed[new]], arcs.heads[listed[new]]])
        crowd = np.bincount(ends, minlength=arcs.width)
        leaving = np.bincount(arcs.tails[pairs], multipliers, minlength=arcs.width)
        most = 0.1 * leaving / np.maximum(1, crowd / 4)
        tails, heads, shares = (of[listed[new]] for of in (arcs.tails, arcs.heads, arcs.shares))
        assert weights[new] == pytest.approx(np.minimum(most[tails], most[heads] / shares))
        crowds.append(crowd)
    assert crowds[0].max() > 8
    assert (crowds[0] == crowds[1]).all()


def test_rescaling_makes_up_for_what_is_missing(other):
    arcs, starts, pairs, multipliers = block_of(3)
    missing = np.random.default_rng(5).uniform(0, 0.1, (3, arcs.width))
    before = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs)
    for kernels in (kernels_numpy, other):
        held = multipliers.copy()
        kernels.rescale(starts, pairs, held, arcs, missing.copy(), 1, 5000, -1.0, np.inf)
        after = kernels_numpy.net_outflow(starts, pairs, held, arcs)
        assert after == pytest.approx(before + missing)


def test_a_place_that_lacks_something_even_if_it_sends_nothing_is_sent_more(other):
    arcs, starts, pairs, multipliers = block_of(3)
    multipliers[arcs.tails[pairs] == 20] *= 1e-3
    before = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs)
    missing = np.zeros((3, arcs.width))
    missing[:, 20] = 0.2 * before[:, 20]  # more has to arrive: next to nothing leaves there
    assert (before[:, 20] < 0).all()
    for kernels in (kernels_numpy, other):
        short, held = multipliers.copy(), multipliers.copy()
        kernels.rescale(starts, pairs, short, arcs, missing.copy(), 1, 5000, -1.0, np.inf)
        kernels.rescale(starts, pairs, held, arcs, missing.copy(), 200, 5000, -1.0, np.inf)
        less, enough = (kernels_numpy.net_outflow(starts, pairs, m, arcs) for m in (short, held))
        assert (less > before + missing + 1e-3)[:, 20].all()
        assert enough == pytest.approx(before + missing, abs=1e-6)
        assert (held >= 0).all()


def test_shipping_anew_sends_only_what_is_lacking(other):
    arcs, starts, pairs, multipliers = block_of(4)
    allowed = np.ones((3, arcs.width))
    allowed[:, 20] = -0.5  # one place lacks something, all others have plenty
    for kernels in (kernels_numpy, other):
        held = multipliers.copy()
        kernels.meet_demand(starts, pairs, held, arcs, allowed, 1000, 0.0)
        pulled = kernels_numpy.net_outflow(starts, pairs, held, arcs)
        assert (pulled <= allowed + 1e-12).all()
        assert pulled[:, 20] == pytest.approx(-0.5)
        assert (held[arcs.heads[pairs] == 20] > 0).all()


def test_thinned_multipliers_pull_no_more_than_is_allowed(other):
    arcs, starts, pairs, multipliers = block_of(6)
    allowed = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs) + 1e-3
    flows = sparsify(other, arcs, (starts, pairs, multipliers), allowed, 1e-9, Deadline())
    for z, flow in enumerate(flows):
        assert (flow.net_outflow(arcs.width) <= allowed[z] + 1e-9).all()
        assert len(flow.amounts) <= starts[z + 1] - starts[z]


def alone(starts, pairs, numbers, z):
    """The lists of one copy and its numbers."""
    own = slice(starts[z], starts[z + 1])
    return np.array([0, starts[z + 1] - starts[z]]), pairs[own], numbers[own].copy()


@pytest.mark.parametrize("sweeps", [3, 7, 40, 5000])
def test_a_copy_that_settles_early_or_late_is_put_right_as_if_it_were_alone(sweeps):
    arcs, starts, pairs, multipliers = block_of(3)
    missing = np.random.default_rng(5).uniform(0, 0.1, (3, arcs.width))
    missing[0] = 0.0  # settles at once
    missing[1] *= 1e-9
    held = multipliers.copy()
    kernels_numpy.rescale(starts, pairs, held, arcs, missing, 3, sweeps, -1.0, np.inf)
    for z in range(3):
        first, own, found = alone(starts, pairs, multipliers, z)
        kernels_numpy.rescale(first, own, found, arcs, missing[z : z + 1], 3, sweeps, -1.0, np.inf)
        assert held[starts[z] : starts[z + 1]].tolist() == found.tolist()


def test_an_agreement_that_is_asked_for_roughly_is_reached_roughly(other):
    arcs, starts, pairs, multipliers = block_of(3)
    missing = np.random.default_rng(5).uniform(0, 0.1, (3, arcs.width))
    wanted = kernels_numpy.net_outflow(starts, pairs, multipliers, arcs) + missing
    for kernels in (kernels_numpy, other):
        errors = []
        for enough in (1e-2, 1e-13):
            held = multipliers.copy()
            kernels.rescale(starts, pairs, held, arcs, missing, 1, 5000, -1.0, np.inf, enough)
            outflow = kernels_numpy.net_outflow(starts, pairs, held, arcs)
            errors.append(np.abs(outflow - wanted).max())
        assert errors[1] < 1e-10 < 1e-6 < errors[0] < 1e-1


def test_shipping_ends_where_what_is_lacking_only_grows(other):
    arcs, starts, pairs, multipliers = block_of(4)
    allowed = np.ones((3, arcs.width))
    allowed[0] = -0.5  # everybody lacks something: nobody can send it
    allowed[:, 20] = -0.5
    kept = {}
    for kernels in (kernels_numpy, other):
        for sweeps in (100, 10**7):  # as many would take minutes
            held = multipliers.copy()
            kernels.meet_demand(starts, pairs, held, arcs, allowed, sweeps, 1e-12)
            kept[kernels, sweeps] = held
            outflow = kernels_numpy.net_outflow(starts, pairs, held, arcs)
            assert (outflow <= allowed + 1e-9)[1:].all()
        assert kept[kernels, 100] == pytest.approx(kept[kernels, 10**7])
    assert kept[kernels_numpy, 100] == pytest.approx(kept[other, 100])


@pytest.mark.parametrize("copies", [1, 3])
def test_all_pairs_that_came_near_are_found(other, copies):
    """Among 8,010 pairs, more than are looked at together and than the first room is for."""
    rng = np.random.default_rng(3)
    ends = np.triu_indices(90, 1)
    arcs = Arcs.of(90, *ends, rng.uniform(0.2, 0.9, len(ends[0])))
    vectors = rng.uniform(0.5, 1, (copies, 90))
    vectors[-1] = 1.0  # where the slack of every pair is below 0.95 of the largest
    for add in (0.22, 0.95):
        found, many = kernels_numba._loop("find_near_pairs")(
            vectors, arcs.tails, arcs.heads, arcs.shares, add
        )
        slacks = vectors[:, arcs.tails] - arcs.shares * vectors[:, arcs.heads]
        near = slacks < add * arcs.largest_slacks * vectors[:, arcs.tails]
        for z in range(copies):
            assert found[z, : many[z]].tolist() == np.flatnonzero(near[z]).tolist()
    assert many[-1] == len(arcs.tails)


def test_multipliers_that_grew_too_much_are_taken_back():
    before, starts = np.ones(5), np.array([0, 2, 5])
    block = Block(slice(0, 2), starts, np.arange(5), None)
    block.slacks = np.array([1.0, 2.0, 1.0, 1.0, 1.0])
    block.multipliers = np.array([1.0, 5.0, 1.0, 1.0, 11.0])
    block.restore_multipliers(before, 4.0)  # products: 3 became 11, and 3 became 13
    assert block.multipliers.tolist() == [1, 5, 1, 1, 1]
