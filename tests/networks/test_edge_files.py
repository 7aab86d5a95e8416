"""Counts released from files of edges, from Python."""

from math import comb

import pytest

from tightrope.choices import Count, Method
from tightrope.errors import BadInput
from tightrope.networks import release_edges
from tightrope.samplers import SeededSource
from tightrope.tables import NodeSet, declared_nodes

# a square with one diagonal, beside a loop, a repetition, a stranger and half a row
ROWS = "1,2\n2,3\n3,4\n4,1\n1,3\n2,2\n2,1\n1,9\n5\n"


@pytest.fixture
def edges(tmp_path):
    (tmp_path / "square.csv").write_text(ROWS)
    return tmp_path / "square.csv"


def test_the_answer_alone_is_told_unless_the_curator_asks(edges):
    found = release_edges(edges, NodeSet.between(1, 5), "triangles", 1, source=SeededSource(1))
    assert found.curator is None
    assert found.facts().json["curator"] is None
    assert 0 <= found.answer.answer <= found.answer.largest == comb(5, 3)
    assert (found.answer.nodes, found.node_set) == (5, "the ids 1 to 5")


def test_the_curator_is_told_what_depends_on_the_edges(edges):
    found = release_edges(edges, NodeSet.between(1, 5), Count.TRIANGLES, 1, curator=True)
    private = found.curator
    assert (private.true_count, private.edges) == (2, 5)
    assert (private.loops, private.repeated, private.strangers, private.unreadable) == (1, 1, 1, 1)
    assert private.local_sensitivity == 2  # nodes 1 and 3 have 2 and 4 in common
    assert list(private.mean_errors) == list(Method)
    said = private.as_json()
    assert said["global_mean_error"] == private.mean_errors[Method.GLOBAL]
    assert "mean_errors" not in said


def test_no_mean_error_is_above_the_public_bound(edges):
    for count in Count:
        for method in Method:
            found = release_edges(
                edges, NodeSet.between(1, 5), count, "ln(2)", method=method, curator=True
            )
            assert found.curator.mean_errors[method] <= found.answer.worst_mean_error * (1 + 1e-12)


def test_nodes_are_declared_by_their_numbers_a_file_or_a_column(tmp_path):
    (tmp_path / "people.txt").write_text("ann\nbob\n")
    (tmp_path / "people.csv").write_text("name,age\nann,3\ncid,4\n")
    assert list(declared_nodes("1..3").ids) == [1, 2, 3]
    assert list(declared_nodes("0..2").ids) == [0, 1, 2]
    listed = declared_nodes(f"{tmp_path}/people.txt")
    assert (listed.ids, listed.origin) == (("ann", "bob"), f"the ids in {tmp_path}/people.txt")
    column = declared_nodes(f"{tmp_path}/people.csv:name")
    assert column.ids == ("ann", "cid")
    assert column.origin == f"the ids in {tmp_path}/people.csv:name"
    assert NodeSet(("ann", "bob")) == listed  # where they come from is no part of the set


def test_a_number_of_nodes_beyond_reason_is_refused():
    for text in ("9" * 61, "1.." + "9" * 60):
        with pytest.raises(BadInput, match="digits: use a smaller graph"):
            declared_nodes(text)


def test_a_number_alone_does_not_say_which_ids_it_means():
    with pytest.raises(BadInput, match=r"nodes as 0\.\.33 or 1\.\.34"):
        declared_nodes("34")


@pytest.mark.parametrize("wrong", ["squares", None, ""])
def test_a_count_that_is_none_is_refused_before_the_file_is_read(tmp_path, wrong):
    with pytest.raises(BadInput, match="no count"):
        release_edges(tmp_path / "none.csv", NodeSet.between(1, 5), wrong, 1)
