"""Relations that protect one way: distances along directed paths, and what refuses them."""

from fractions import Fraction

import pytest

import tightrope as tr
from tightrope.errors import BadSpace
from tightrope.mechanisms import KernelMechanism
from tightrope.privacy import row_graphs
from tightrope.spaces import (
    Directed,
    Relation,
    directed,
    is_connected,
    parse,
    path,
    query,
    space_from,
)
from tightrope.spaces.products import product
from tightrope.symmetry import symmetries

WARD = directed(["well", "carrier", "ill"], [(0, 1), (1, 2, "1/2"), (0, 2, 2)])


def test_distances_are_those_of_directed_paths():
    found = [[str(WARD.distance(i, j)) for j in range(3)] for i in range(3)]
    assert found == [["0", "1", "3/2"], ["inf", "0", "1/2"], ["inf", "inf", "0"]]
    assert WARD.lengths([0], [2]).tolist() == [1.5]
    assert (str(WARD.diameter), str(WARD.farthest), str(WARD.least_distance)) == (
        "inf", "3/2", "1/2")


def test_edges_are_ordered_and_leave_out_what_others_imply():
    assert list(WARD.edges()) == [(0, 1), (1, 2)]
    assert Relation.on(WARD).pairs == ((0, 1), (1, 2))
    round_trip = directed("abc", [(0, 1), (1, 0, 5), (2, 1)])
    assert list(round_trip.edges()) == [(0, 1), (1, 0), (2, 1)]
    assert round_trip.components.tolist() == [0, 0, 0]
    assert directed("abcd", [(0, 1), (3, 2)]).components.tolist() == [0, 0, 1, 1]


def test_a_document_keeps_the_direction():
    assert space_from(WARD.describe()) == WARD
    back = directed(WARD.points, [(j, i, length) for i, j, length in WARD.links])
    assert back != WARD
    assert hash(space_from(WARD.describe())) == hash(WARD)


def test_files_are_read_in_the_direction_written(tmp_path):
    file = tmp_path / "relation.csv"
    file.write_text("from,to,length\nwell,carrier,1\ncarrier,ill,0.5\nwell,ill,2\n")
    assert tr.space(f"directed:{file}") == WARD
    with pytest.raises(BadSpace, match="reads a file"):
        parse("directed:relation.csv")


@pytest.mark.parametrize("links", [(), ((0, 0, Fraction(1)),), ((0, 3, Fraction(1)),),
                                   ((0, 1, Fraction(0)),),
                                   ((0, 1, Fraction(1)), (0, 1, Fraction(2)))])
def test_pairs_that_are_none_are_refused(links):
    with pytest.raises(BadSpace):
        Directed((0, 1, 2), links)


def test_what_rests_on_a_metric_refuses():
    asked = query(WARD, None, [0, 1, 2])
    coin = tr.certify([[1, 0], [1, 0], [1, 0]], WARD, 1, outputs=[0, 1]).mechanism
    for refused in (
        lambda: product(WARD, path(0, 1)),
        lambda: KernelMechanism(WARD, Fraction(2), Fraction(1), (Fraction(1),) * 3),
        lambda: asked.global_sensitivity,
        lambda: row_graphs(coin, WARD, 1),
        lambda: tr.theory.thresholds(WARD),
    ):
        with pytest.raises(BadSpace, match="both ways"):
            refused()
    assert symmetries(directed("ab", [(0, 1)])) == ()
    assert not is_connected(WARD)
