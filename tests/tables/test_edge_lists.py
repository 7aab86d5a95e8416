"""Graphs from files of every layout against networkx; no row is refused, none is lost."""

from itertools import product

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tightrope.errors import BadInput, BadTable
from tightrope.tables import NodeSet, named_nodes, read_edges
from tightrope.tables.graphs import read_nodes

EDGES = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]
NAMES = NodeSet(["a", "b", "c", "d", "e"])


def written(folder, name, edges=EDGES, top=None, end="\n"):
    """A file of edges; `top` is a line of names, if there is one."""
    path = folder / name
    mark = {".csv": ",", ".tsv": "\t"}.get(path.suffix, " ")
    if name.endswith(".graphml"):
        nx.write_graphml(nx.Graph(edges), path)
    elif name.endswith(".parquet"):
        ends = ([a for a, _ in edges], [b for _, b in edges])
        columns = [pa.array(column, pa.string()) for column in ends]
        pq.write_table(pa.table(columns, names=["from", "to"]), path)
    else:
        rows = [*([top] if top else []), *edges]
        path.write_bytes("".join(mark.join(row) + end for row in rows).encode())
    return path


def pairs(found):
    return set(zip(found.first.tolist(), found.second.tolist(), strict=True))


def test_no_edge_is_lost_in_any_layout(tmp_path):
    story = nx.les_miserables_graph()
    plain = nx.relabel_nodes(story, {name: name.replace(" ", "_") for name in story})
    numbers = nx.convert_node_labels_to_integers(story, first_label=1)
    layouts = product([".csv", ".tsv", ".txt", "", ".parquet", ".graphml"], [False, True],
                      ["\n", "\r\n", "\r"], [plain, numbers])
    for ending, header, end, graph in layouts:
        if ending in (".parquet", ".graphml") and (header or end != "\n"):
            continue
        edges = [(str(a), str(b)) for a, b in graph.edges]
        top = ("from", "to") if header else None
        path = written(tmp_path, f"g{ending}", edges, top, end)
        nodes = NodeSet([str(name) for name in graph]) if graph is plain else NodeSet.between(1, 77)
        for told in {False, header}:  # a line of names needs no word: it names no nodes
            found = read_edges(path, nodes, header=told)
            assert len(found.first) == graph.number_of_edges()
            names = {frozenset((str(nodes.ids[a]), str(nodes.ids[b]))) for a, b in pairs(found)}
            assert names == {frozenset(edge) for edge in edges}
            assert found.strangers == (header and not told)
        public = named_nodes(path, header=header)
        assert set(public.ids) == {str(name) for name in graph}
        assert len(read_edges(path, public, header=header).first) == graph.number_of_edges()


def test_a_line_of_names_that_are_ids_is_an_edge_unless_declared(tmp_path):
    path = written(tmp_path, "g.csv", top=("a", "d"))
    assert len(read_edges(path, NAMES).first) == 5
    assert len(read_edges(path, NAMES, header=True).first) == 4


@pytest.mark.parametrize("name", ["g.csv", "g.tsv", "g.txt", "g", "g.parquet", "g.graphml"])
def test_a_graph_without_edges_is_a_graph(tmp_path, name):
    found = read_edges(written(tmp_path, name, edges=[]), NAMES)
    assert (found.nodes, len(found.first), len(found.second)) == (5, 0, 0)


@pytest.mark.parametrize("name", ["g.csv", "g.tsv", "g.txt"])
@pytest.mark.parametrize("content", [b"", b"\n", b"from,to\n", b"from\tto", b"\xef\xbb\xbf\r\n"])
@pytest.mark.parametrize("header", [False, True])
def test_files_without_rows_are_graphs_without_edges(tmp_path, name, content, header):
    path = tmp_path / name
    path.write_bytes(content)
    assert len(read_edges(path, NAMES, header=header).first) == 0


@pytest.mark.parametrize("mark", [b",", b"\t"])
def test_every_row_follows_its_rule_and_changes_no_other(tmp_path, mark):
    path = tmp_path / ("g.csv" if mark == b"," else "g.tsv")
    rows = {
        b"a,a": "loops", b"b,a": "repeated", b"a,b": "repeated", b"a,zoe": "strangers",
        b"yan,zoe": "strangers", b"a": "unreadable", b"a,": "unreadable", b",b": "unreadable",
        b",,b": "unreadable", b'"a,b': "unreadable", b"\xff,\xfe": "strangers",
        b"a\0,b": "strangers", b'"': "unreadable", b"x" * 200_000 + b",a": "strangers",
        b'"' + b"x" * 200_000 + b'",a': "strangers", b" , , x": "unreadable",
        b'b,a,weight,"3': "repeated", b"": None, b"#a,b": "strangers",
        b'a, "c"': "strangers",  # a cell that begins with a blank does not begin with a quote
    }
    whole = [b"a,b", *rows, b"c,d", b'"c" ,"b" ', b"d,b,0.5,yes"]
    path.write_bytes(b"\n".join(whole).replace(b",", mark))
    found = read_edges(path, NAMES)
    assert pairs(found) == {(0, 1), (2, 3), (1, 2), (1, 3)}
    kinds = list(rows.values())
    for kind in ("loops", "repeated", "strangers", "unreadable"):
        assert getattr(found, kind) == kinds.count(kind)


def test_in_plain_text_every_line_follows_its_rule(tmp_path):
    path = tmp_path / "g.txt"
    path.write_bytes(b"# Undirected graph\na b\n\nb a\na a\n  c\t d 0.5\nc\nzoe a\n\xff b\n# a c\n")
    found = read_edges(path, NAMES)
    assert pairs(found) == {(0, 1), (2, 3)}
    counts = (found.loops, found.repeated, found.strangers, found.unreadable)
    assert counts == (1, 1, 2, 1)


def test_quotes_belong_to_the_file_and_not_to_the_id(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text('"Valjean, Jean","J ""x"""\nb,"Valjean, Jean"\n')
    found = read_edges(path, NodeSet(["Valjean, Jean", 'J "x"', "b"]))
    assert pairs(found) == {(0, 1), (0, 2)}


@pytest.mark.parametrize("kind", [pa.int32(), pa.uint64(), pa.float64(), pa.string(),
                                  pa.large_string(), pa.dictionary(pa.int8(), pa.string())])
def test_parquet_ids_of_any_type_mean_the_same(tmp_path, kind):
    path = tmp_path / "g.parquet"
    text = not (pa.types.is_integer(kind) or pa.types.is_floating(kind))
    ends = [[1, 2, None, 9], [2, 3, 1, 1]]
    if text:
        ends = [[None if cell is None else f" {cell}" for cell in column] for column in ends]
    arrays = [pa.array(column, kind) for column in ends]
    pq.write_table(pa.table(arrays, names=["x", "y"]), path)
    found = read_edges(path, NodeSet.between(1, 4))
    assert pairs(found) == {(0, 1), (1, 2)}
    assert (found.strangers, found.unreadable) == (1, 1)


def test_fractions_are_no_ids_and_an_empty_frame_has_no_types(tmp_path):
    path = tmp_path / "g.parquet"
    pq.write_table(pa.table({"x": [1.5, 1.0, float("nan")], "y": [2.0, 3.0, 1.0]}), path)
    assert pairs(read_edges(path, NodeSet.between(1, 4))) == {(0, 2)}
    pq.write_table(pa.table({"x": pa.nulls(0), "y": pa.nulls(0)}), path)
    assert len(read_edges(path, NodeSet.between(1, 4)).first) == 0


def test_weights_and_directions_of_single_graphml_edges_are_not_looked_at(tmp_path):
    path = tmp_path / "g.graphml"
    nx.write_graphml(nx.Graph([("a", "b", {"weight": 2.5}), ("b", "c")]), path)
    text = path.read_text().replace("<edge ", '<edge directed="true" ', 1)
    path.write_text(text.replace("</graph>", '<edge source="a" /><edge target="b" source="zoe" />'
                                 "</graph>").replace(">2.5<", ">much<"))
    found = read_edges(path, NAMES)
    assert pairs(found) == {(0, 1), (1, 2)}
    assert (found.unreadable, found.strangers) == (1, 1)


def test_graphml_names_nodes_without_edges(tmp_path):
    path = tmp_path / "g.graphml"
    graph = nx.Graph(EDGES)
    graph.add_node("alone")
    nx.write_graphml(graph, path)
    assert set(named_nodes(path).ids) == {"a", "b", "c", "d", "alone"}


def test_nodes_are_read_from_lines_and_columns(tmp_path):
    (tmp_path / "n.txt").write_text("# people\nann lee\n\n bob\r\nann lee\n07\n")
    assert read_nodes(tmp_path / "n.txt").ids == ("ann lee", "bob", "07")
    (tmp_path / "n.csv").write_text('age,name\n7,ann\n8,"lee, bob"\n')
    assert read_nodes(tmp_path / "n.csv", "name").ids == ("ann", "lee, bob")
    assert read_nodes(tmp_path / "n.csv").ids == ("age", "7", "8")
    pq.write_table(pa.table({"x": [3, 4], "id": ["a", "b"]}), tmp_path / "n.parquet")
    assert read_nodes(tmp_path / "n.parquet").ids == ("3", "4")
    assert read_nodes(tmp_path / "n.parquet", "id").ids == ("a", "b")
    assert NodeSet.between(1, 10**25).size == 10**25
    assert NodeSet([3, "4", "3"]).ids == ("3", "4")


@pytest.mark.parametrize(("name", "text", "column"), [
    ("n.csv", "a,b\n1,2\n", "c"), ("n.csv", "a,a\n1,2\n", "a"), ("n.csv", "", "a"),
    ("n.txt", "a\n", "a"), ("n.graphml", "<x/>", None), ("n.parquet", "x", None),
])
def test_lists_that_cannot_be_used_are_refused(tmp_path, name, text, column):
    (tmp_path / name).write_text(text)
    with pytest.raises(BadTable):
        read_nodes(tmp_path / name, column)


@pytest.mark.parametrize(("name", "content", "message"), [
    ("g.txt", b"# Directed graph: x\na b\n", "either, or both"),
    ("g.txt.gz", b"a b\n", "ends in"),
    ("g.xlsx", b"a b\n", "ends in"),
    ("g.graphml", b"not xml", "GraphML"),
    ("g.graphml", b'<graphml><graph edgedefault="directed"/></graphml>', "either, or both"),
    ("g.parquet", b"a,b\n", "readable table"),
])
def test_what_concerns_a_file_as_a_whole_is_refused(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadTable, match=message):
        read_edges(path, NAMES)
    with pytest.raises(BadInput, match="no file"):
        read_edges(tmp_path / "missing.txt", NAMES)


def test_parquet_columns_that_hold_no_ids_are_refused_by_their_type(tmp_path):
    path = tmp_path / "g.parquet"
    for table in ({"a": [True], "b": [True]}, {"a": ["x"]}):
        pq.write_table(pa.table(table), path)
        with pytest.raises(BadTable):
            read_edges(path, NAMES)
    pq.write_table(pa.table({"a": ["a"], "b": ["b"]}), path)
    with pytest.raises(BadInput, match="no line of names"):
        read_edges(path, NAMES, header=True)


@pytest.mark.parametrize(("name", "ids"), [
    ("g.txt", ["ann lee", "b", "c"]), ("g.txt", ["#a", "b", "c"]), ("g.csv", ["a\nb", "b", "c"])])
def test_nodes_that_a_format_cannot_name_are_refused_whatever_the_edges(tmp_path, name, ids):
    for edges in (EDGES, []):
        with pytest.raises(BadInput, match="some of the nodes"):
            read_edges(written(tmp_path, name, edges), NodeSet(ids))


def test_one_text_is_no_list_of_ids():
    with pytest.raises(BadInput, match="one text"):
        NodeSet("abc")


def test_edges_come_sorted_and_once(tmp_path):
    found = read_edges(written(tmp_path, "g.csv", EDGES[::-1]), NAMES)
    assert np.array_equal(found.first, [0, 0, 1, 2])
    assert np.array_equal(found.second, [1, 2, 2, 3])


def test_the_order_of_public_nodes_does_not_depend_on_the_edges(tmp_path):
    # a node rewired, rows in another order: edges beyond a degree are left out in one order
    before, after = tmp_path / "before.csv", tmp_path / "after.csv"
    before.write_text("d,a\nb,c\nc, a\n")
    after.write_text("c,b\nd ,b\na,c\n")
    assert named_nodes(before).ids == named_nodes(after).ids == ("a", "b", "c", "d")
    graph = tmp_path / "graph.graphml"
    graph.write_text(
        '<graphml><graph edgedefault="undirected"><node id="b"/><node id="a"/>'
        '<edge source="b" target="a"/></graph></graphml>'
    )
    assert named_nodes(graph).ids == ("a", "b")
