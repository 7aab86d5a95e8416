"""How many edges to change for a count, against a walk over all graphs, edge by edge."""

import numpy as np
import pytest

from tests.spaces.all_graphs import AllGraphs
from tightrope.choices import Count
from tightrope.constructions import privacy_first
from tightrope.errors import TooLarge
from tightrope.spaces import Network, count_query, parse, space_from, steps_to_counts
from tightrope.spaces.small_graphs import all_counts


def walked(graphs, start, radius):
    """For each count that occurs, when a walk first meets one within the radius."""
    found, here, seen = {}, {start}, {start}
    step = 0
    while here:
        for g in here:
            for r in set(graphs.values.tolist()):
                if abs(r - int(graphs.values[g])) <= radius:
                    found.setdefault(r, step)
        here = {int(h) for g in here for h in graphs.neighbors[g]} - seen
        seen |= here
        step += 1
    return sorted(found.items())


@pytest.mark.parametrize("count", list(Count))
def test_indices_are_those_of_a_walk_over_all_graphs(count):
    graphs = AllGraphs(4, count)
    for g in graphs.masks.tolist():
        for radius in (0, 1, 3):
            values, steps = steps_to_counts(graphs.network(g), count, radius)
            assert list(zip(values.tolist(), steps.tolist(), strict=True)) == walked(
                graphs, g, radius)


@pytest.mark.parametrize("count", list(Count))
def test_counts_of_all_graphs_are_those_found_one_by_one(count):
    assert all_counts(5, count).tolist() == AllGraphs(5, count).values.tolist()


@pytest.mark.parametrize("nodes", [5, 6])
@pytest.mark.parametrize("count", [Count.TRIANGLES, Count.STARS2, Count.STARS3])
@pytest.mark.parametrize("radius", [0, 2])
def test_the_table_of_algorithm_1_has_the_same_rows(nodes, count, radius):
    """The paper's way: distances of graphs up to renaming, then the nearest with each count."""
    asked = count_query(nodes, count)
    table = privacy_first(asked, [radius] * asked.datasets.size)
    place = [(a, b) for a in range(nodes) for b in range(a + 1, nodes)]
    for row, mask in list(enumerate(asked.datasets.points))[:: 1 if nodes == 5 else 9]:
        ends = np.array([p for k, p in enumerate(place) if mask >> k & 1], dtype=np.int64)
        graph = Network(nodes, *ends.reshape(-1, 2).T)
        values, steps = steps_to_counts(graph, count, radius)
        assert values.tolist() == list(asked.codomain.points)
        assert steps.tolist() == table.indices[row].tolist()


def test_one_edge_changes_every_index_by_at_most_one_on_all_graphs_of_six_nodes():
    known = all_counts(6, "triangles")
    graphs = np.arange(len(known))
    table = np.full((int(known.max()) + 1, len(known)), 99, dtype=np.int8)
    for r in np.unique(known):
        table[r, known == r] = 0
    for bit in range(15):  # the number of edges to the nearest, one pair of nodes at a time
        table = np.minimum(table, table[:, graphs ^ 1 << bit] + 1)
    for bit in range(15):
        assert np.abs(table - table[:, graphs ^ 1 << bit]).max() <= 1
    triangle = Network(6, np.array([0, 0, 1]), np.array([1, 2, 2]))
    mask = 1 << 0 | 1 << 1 | 1 << 5  # pairs 01, 02 and 12
    values, steps = steps_to_counts(triangle, "triangles")
    assert steps.tolist() == table[values, mask].tolist()


def test_eight_nodes_are_refused_in_one_sentence():
    with pytest.raises(TooLarge, match="NP-hard"):
        all_counts(8, "stars2")


def test_the_space_of_graphs_has_its_name_again_when_it_is_read():
    space = parse("graphs:4")
    assert space_from(space.describe()).text == "graphs:4"
    other = space.describe()
    other["edges"] = other["edges"][1:]
    assert space_from(other).text.startswith("graph of 11 nodes")
