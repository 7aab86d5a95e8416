"""Graphs from files of every format, and what is refused."""

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.data import read_edges
from tightrope.errors import BadInput, BadTable, TightropeError

EDGES = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]


def written(folder, name):
    path = folder / name
    if name.endswith(".csv"):
        path.write_text("from,to\n" + "".join(f"{a},{b}\n" for a, b in EDGES))
    elif name.endswith(".tsv"):
        path.write_text("from\tto\n" + "".join(f"{a}\t{b}\n" for a, b in EDGES))
    elif name.endswith(".txt"):
        path.write_text("# Undirected graph: x\n" + "".join(f"{a}\t{b}\n" for a, b in EDGES))
    elif name.endswith(".graphml"):
        nx.write_graphml(nx.Graph(EDGES), path)
    else:
        pq.write_table(pa.table({"from": [a for a, _ in EDGES], "to": [b for _, b in EDGES]}), path)
    return path


@pytest.mark.parametrize("name", ["g.csv", "g.tsv", "g.txt", "g.graphml", "g.parquet"])
def test_every_format_gives_the_same_graph(tmp_path, name):
    found = read_edges(written(tmp_path, name))
    assert found.nodes == 4
    pairs = set(zip(found.first.tolist(), found.second.tolist(), strict=True))
    assert pairs == {(0, 1), (1, 2), (0, 2), (2, 3)}


def test_loops_and_repeated_edges_are_left_out_and_counted(tmp_path):
    path = tmp_path / "g.txt"
    path.write_text("1 2\n2 1\n1 2\n3 3\n2 3\n")
    found = read_edges(path)
    assert (len(found.first), found.loops, found.repeated, found.nodes) == (2, 1, 2, 3)


def test_graphml_with_weights_in_capitals_or_mixed_directions_is_refused(tmp_path):
    path = tmp_path / "g.graphml"
    nx.write_graphml(nx.Graph([(1, 2, {"Weight": 2.5}), (2, 3)]), path)
    with pytest.raises(BadTable, match="weighted"):
        read_edges(path)
    nx.write_graphml(nx.Graph([(1, 2), (2, 3)]), path)
    path.write_text(path.read_text().replace("<edge ", '<edge directed="true" ', 1))
    with pytest.raises(BadTable, match="directed edges"):
        read_edges(path)


def test_categories_are_ids_as_well_as_text(tmp_path):
    path = tmp_path / "g.parquet"
    columns = {name: pa.array(ends).dictionary_encode()
               for name, ends in (("a", ["x", "y", "z"]), ("b", ["y", "z", "x"]))}
    pq.write_table(pa.table(columns), path)
    assert (read_edges(path).nodes, len(read_edges(path).first)) == (3, 3)


def test_the_public_number_of_nodes_may_be_larger_but_not_smaller(tmp_path):
    path = written(tmp_path, "g.csv")
    assert read_edges(path, 10).nodes == 10
    with pytest.raises(BadTable, match="more nodes than the 3 stated"):
        read_edges(path, 3)


@pytest.mark.parametrize(("name", "text", "message"), [
    ("g.csv", "a,b,weight\n1,2,0.5\n", "weighted"),
    ("g.csv", "a,b,directed\n1,2,yes\n", "undirected"),
    ("g.csv", "a,b,w\n1,2,0.5\n", "weighted"),
    ("g.csv", "1,2\n2,3\n3,1\n", "names of the columns"),
    ("g.csv", "a,b\n1,\n", "missing"),
    ("g.csv", "a\n1\n", "two columns"),
    ("g.txt", "1 2 0.5\n", "weighted"),
    ("g.txt", "# Directed graph: x\n1 2\n", "undirected"),
    ("g.txt", "1\n", "two node ids"),
    ("g.txt", "# nothing\n", "no edges"),
    ("g.graphml", "not xml", "GraphML"),
])
def test_other_graphs_are_refused_in_one_sentence(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(BadTable, match=message):
        read_edges(path)


def test_directed_and_weighted_graphml_and_ids_with_fractions_are_refused(tmp_path):
    directed, weighted, odd = tmp_path / "d.graphml", tmp_path / "w.graphml", tmp_path / "f.parquet"
    nx.write_graphml(nx.DiGraph(EDGES), directed)
    graph = nx.Graph()
    graph.add_edge("a", "b", weight=2.5)
    nx.write_graphml(graph, weighted)
    pq.write_table(pa.table({"a": [1.5], "b": [2.0]}), odd)
    for path in (directed, weighted, odd):
        with pytest.raises(BadTable):
            read_edges(path)
    with pytest.raises(BadInput, match="no file"):
        read_edges(tmp_path / "missing.txt")
    assert issubclass(BadTable, TightropeError)
