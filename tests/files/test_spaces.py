"""Spaces from files: exact numbers, recognized headers, and errors with row and column."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.files.examples import written
from tightrope.errors import BadInput, BadSpace, NotAMetric
from tightrope.files import read_space
from tightrope.files.spaces import read_space_file
from tightrope.spaces import graph, haversine, matrix, path, points


def parquet(folder: Path, name: str, columns: dict[str, list[object]]) -> Path:
    pq.write_table(pa.table(columns), folder / name)
    return folder / name


# ---- edges ----------------------------------------------------------------------------------

ROADS = graph(["Graz", "Wien", "Linz"], [(0, 1, "1.9"), (1, 2, "3/2")])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("e.csv", "Graz,Wien,1.9\nWien,Linz,3/2\n"),
        ("e.csv", "from,to,length\nGraz,Wien,1.9\n\nWien,Linz,1.5\n"),
        ("e.csv", '"Graz","Wien",1.90\n"Wien", Linz ,15e-1\n'),
        ("e.tsv", "Graz\tWien\t1.9\nWien\tLinz\t1.5\n"),
        ("e.json", '[["Graz", "Wien", 1.9], ["Wien", "Linz", "3/2"]]'),
        ("e.json", '[{"a":"Graz","b":"Wien","km":1.9},{"km":1.5,"a":"Wien","b":"Linz"}]'),
    ],
)
def test_edges_are_read_exactly_with_or_without_a_header(
    tmp_path: Path, name: str, text: str
) -> None:
    assert read_space(f"edges:{written(tmp_path, name, text)}") == ROADS


def test_edges_from_parquet_mean_what_the_same_text_means(tmp_path: Path) -> None:
    columns: dict[str, list[object]] = {
        "a": ["Graz", "Wien"], "b": ["Wien", "Linz"], "km": [1.9, 1.5],
    }  # fmt: skip
    assert read_space_file("edges", parquet(tmp_path, "e.parquet", columns)) == ROADS
    columns["km"] = [Decimal("1.9"), Decimal("1.5")]
    assert read_space_file("edges", parquet(tmp_path, "e.parquet", columns)) == ROADS


@pytest.mark.parametrize("header", ["", "from,to\n", "Source,Target\n", "x,y\n"])
def test_nodes_that_are_whole_numbers_are_numbers(tmp_path: Path, header: str) -> None:
    file = written(tmp_path, "e.csv", header + "10,11\n11,12\n")
    assert read_space(f"edges:{file}") == graph([10, 11, 12], [(0, 1), (1, 2)])


def test_a_header_of_edges_between_names_is_known_by_its_words(tmp_path: Path) -> None:
    file = written(tmp_path, "e.csv", "source,target\na,b\nb,c\n")
    assert list(read_space(f"edges:{file}").points) == ["a", "b", "c"]
    file = written(tmp_path, "e.csv", "from,to\nto,x\nx,from\n")
    assert list(read_space(f"edges:{file}").points) == ["from", "to", "x"]
    file = written(tmp_path, "e.csv", "one,two\na,b\n")
    with pytest.raises(BadSpace, match="as if the first row named the columns"):
        read_space(f"edges:{file}")
    file = written(tmp_path, "e.csv", "from,to\none,two\na,b\n")
    assert list(read_space(f"edges:{file}").points) == ["one", "two", "a", "b"]


@pytest.mark.parametrize(("name", "text"), [
    ("m.csv", ",a,b,c\na,0,1/2,inf\nb,1/2,0,Inf\nc,inf, INF ,0\n"),
    ("m.csv", "0,1/2,inf\n1/2,0,inf\ninf,inf,0\n"),
    ("m.json", '[["0", "1/2", "inf"], ["1/2", "0", "inf"], ["inf", "inf", "0"]]'),
    ("m.json", '{"labels": ["a", "b", "c"], "distances": '
               '[["0", 0.5, "inf"], [0.5, 0, "inf"], ["inf", "inf", 0]]}'),
])
def test_a_matrix_may_hold_infinite_distances(tmp_path: Path, name: str, text: str) -> None:
    space = read_space(f"matrix:{written(tmp_path, name, text)}")
    assert [str(space.distance(0, j)) for j in range(3)] == ["0", "1/2", "inf"]
    assert list(space.edges()) == [(0, 1)]


@pytest.mark.parametrize(("text", "sentence"), [
    ("0,inf\ninf,0\n", "no two points are at a finite distance"),
    ("0,-inf\n-inf,0\n", "must be a number"),
    ("0,1,inf\n1,0,1\ninf,1,0\n", "the way through the second point is shorter"),
    ("0,1\n1,inf\n", "at distance 0 from itself"),
    ("0,inf,1\n2,0,inf\n1,inf,0\n", "the distances in both directions differ"),
])
def test_infinite_distances_that_are_no_metric(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadSpace, match=sentence):
        read_space(f"matrix:{written(tmp_path, 'm.csv', text)}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a\nb\n", "two nodes and perhaps a length"),
        ("a,b,1,x\n", "found 4 columns"),
        ("a,b,1\nb,c,\n", "from b to c needs a number above 0 as its length, which is missing"),
        ("a,b,1\nb,c,-1\n", "from b to c needs a number above 0 as its length[.]"),
        ("a,b,1\nb,c,nan\n", "from b to c needs a number above 0 as its length[.]"),
        ("a,b\nb,\n", "the node number 4 is missing"),
        ("", "is empty"),
    ],
)
def test_edges_that_make_no_graph_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_space(f"edges:{written(tmp_path, 'e.csv', text)}")


# ---- distances ------------------------------------------------------------------------------

TRIANGLE = [["0", "1/2", "1"], ["1/2", "0", "0.7"], ["1", "0.7", "0"]]
NAMES = ["a", "b", "c"]
BODY = "0,1/2,1\n1/2,0,.7\n1,7e-1,0\n"


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([0, 1, 2], BODY),
        (NAMES, "a,b,c\n" + BODY),
        ([7, 8, 9], "7,8,9\n" + BODY),
        (NAMES, ",a,b,c\na,0,1/2,1\nb,1/2,0,.7\nc,1,.7,0\n"),
        ([7, 8, 9], ",7,8,9\n7,0,1/2,1\n8,1/2,0,.7\n9,1,.7,0\n"),
        (NAMES, "km,a,b,c\na,0,1/2,1\nb,1/2,0,.7\nc,1,.7,0\n"),
        (NAMES, "a,0,1/2,1\nb,1/2,0,.7\nc,1,.7,0\n"),
    ],
)
def test_distances_are_read_with_labels_wherever_they_stand(
    tmp_path: Path, labels: list[int] | list[str], text: str
) -> None:
    found = read_space(f"matrix:{written(tmp_path, 'm.csv', text)}")
    assert found == matrix(labels, TRIANGLE)


def test_distances_from_json_and_parquet(tmp_path: Path) -> None:
    rows = [[0, 0.5, 1], ["1/2", 0, 0.7], [1, 0.7, 0]]
    plain = written(tmp_path, "m.json", json.dumps(rows))
    assert read_space(f"matrix:{plain}") == matrix([0, 1, 2], TRIANGLE)
    named = written(tmp_path, "n.json", json.dumps({"labels": NAMES, "distances": rows}))
    assert read_space(f"matrix:{named}") == matrix(NAMES, TRIANGLE)
    columns: dict[str, list[object]] = {
        "a": [0.0, 0.5, 1.0], "b": [0.5, 0.0, 0.7], "c": [1.0, 0.7, 0.0],
    }  # fmt: skip
    file = parquet(tmp_path, "m.parquet", columns)
    assert read_space(f"matrix:{file}") == matrix(NAMES, TRIANGLE)
    file = parquet(tmp_path, "m.parquet", {"name": ["a", "b", "c"], **columns})
    assert read_space(f"matrix:{file}") == matrix(NAMES, TRIANGLE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a,b,c\n0,1,1\n1,0,\n1,1,0\n", "row b and column c is missing"),
        ("0,1,1\n1,0\n1,1,0\n", "row 1 and column 2 is missing"),
        ("0,1\n1,x\n", "row 1 and column 1 must be a number such as 0.5 or 1/2[.]"),
        ("0,1\n1,1/0\n", "must be a number such as 0.5 or 1/2[.]"),
        ("0,1,2,3\n1,0,2,3\n", "expected a square"),
        (",a,b\na,0,1\nc,1,0\n", "'b' and 'c'"),
        ("a,a\n0,1\n1,0\n", "must be distinct"),
    ],
)
def test_distances_that_are_no_square_of_numbers_are_refused(
    tmp_path: Path, text: str, sentence: str
) -> None:
    with pytest.raises(BadSpace, match=sentence):
        read_space(f"matrix:{written(tmp_path, 'm.csv', text)}")


def test_a_broken_triangle_names_its_three_points(tmp_path: Path) -> None:
    file = written(tmp_path, "m.csv", "a,b,c\n0,1,3\n1,0,1\n3,1,0\n")
    with pytest.raises(NotAMetric, match="points a, b, c"):
        read_space(f"matrix:{file}")


def test_tenths_are_tenths_and_not_the_doubles_near_them(tmp_path: Path) -> None:
    file = written(tmp_path, "m.csv", "0,0.1,0.3\n0.1,0,0.2\n0.3,0.2,0\n")
    space = read_space(f"matrix:{file}")
    assert space.distance(0, 2).rational == Fraction(3, 10)
    assert list(space.edges()) == [(0, 1), (1, 2)]


# ---- points ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "text"),
    [
        ([0, 1], "0,0.1\n3,4\n"),
        ([0, 1], "x,y\n0,0.1\n3,4\n"),
        (["p", "q"], "p,0,0.1\nq,3,4\n"),
        (["p", "q"], "name,x,y\np,0,0.1\nq,3,4\n"),
        (["p", "q"], "x,y,label\n0,0.1,p\n3,4,q\n"),
        ([5, 6], "ID,x,y\n5,0,0.1\n6,3,4\n"),
        (["p", "q"], "city,x,y\np,0,0.1\nq,3,4\n"),
    ],
)
def test_points_are_read_with_or_without_labels_and_header(
    tmp_path: Path, labels: list[int] | list[str], text: str
) -> None:
    found = read_space(f"points:{written(tmp_path, 'p.csv', text)}")
    assert found == points(labels, [["0", "0.1"], ["3", "4"]])


def test_points_in_space_and_in_other_formats(tmp_path: Path) -> None:
    file = written(tmp_path, "p.json", '[[0, 0, 0.5], [1, 2, "2/3"]]')
    assert read_space(f"points:{file}") == points([0, 1], [["0", "0", "1/2"], ["1", "2", "2/3"]])
    file = parquet(tmp_path, "p.parquet", {"label": ["p", "q"], "y": [0.1, 4.0], "x": [0, 3]})
    assert read_space(f"points:{file}") == points(["p", "q"], [["0.1", "0"], ["4", "3"]])


def test_latitude_and_longitude_give_great_circles_in_any_order(tmp_path: Path) -> None:
    expected = haversine(["Paris", "Rome"], [("48.85", "2.35"), ("41.9", "12.5")])
    for text in (
        "city,lat,lon\nParis,48.85,2.35\nRome,41.9,12.5\n",
        "Longitude,Latitude,name\n2.35,48.85,Paris\n12.5,41.9,Rome\n",
    ):
        assert read_space(f"points:{written(tmp_path, 'p.csv', text)}") == expected


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x,y\n0,\n1,2\n", "row 0 and column y is missing"),
        ("name,x,y\np,0,1\nq,zero,2\n", "row q and column x must be a number such"),
        ("name,x,height\np,0,1\nq,0,2\n", "expected the columns label, x, y, z or label, lat"),
        ("lat,x\n0,1\n2,3\n", "go together"),
        ("lat,lon,x\n0,1,1\n2,3,1\n", "expected the columns label, lat and lon"),
        ("x,y\n", "has no points"),
        ("p\nq\n", "must be|expected"),
        ("name,x,y\np,0,1\np,0,2\n", "must be distinct"),
    ],
)
def test_points_that_make_no_space_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        read_space(f"points:{written(tmp_path, 'p.csv', text)}")


# ---- all ------------------------------------------------------------------------------------


def test_spaces_without_files_are_read_as_ever_and_files_stand_in_products(tmp_path: Path) -> None:
    assert read_space("path:0..9") == path(0, 9)
    file = written(tmp_path, "my edges.csv", "1,2\n2,3\n")
    assert read_space(f'path:0..1 * edges:"{file}"').size == 6


@pytest.mark.parametrize("kind", ["edges", "matrix", "points"])
def test_files_that_cannot_be_read_are_refused(tmp_path: Path, kind: str) -> None:
    for name, content, sentence in [
        ("missing.csv", None, "there is no file"),
        ("a.json", "[1, 2", "is not a JSON file"),
        ("a.json", "[]", "holds no rows"),
        ("a.json", "[[true, 1], [1, 0]]", "expected numbers and names"),
        ("a.parquet", "nonsense", "is not a readable Parquet file"),
        ("a.xlsx", "", r"found '\.xlsx'"),
        ("a.csv.gz", "", r"found '\.csv\.gz'"),
    ]:
        if content is not None:
            written(tmp_path, name, content)
        with pytest.raises(BadInput, match=sentence):
            read_space(f"{kind}:{tmp_path / name}")


def test_an_unknown_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpace, match="expected edges, directed, matrix or points"):
        read_space_file("tree", tmp_path / "t.csv")


def test_files_take_a_unit_and_a_repair(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("label,lat,lon\nA,0,0\nB,0,1\n")
    far = 0.1 + 0.2  # 0.30000000000000004
    (tmp_path / "m.csv").write_text(f"0,0.1,{far}\n0.1,0,0.2\n{far},0.2,0\n")
    meters = read_space(f"points:{tmp_path}/a.csv")
    kilometers = read_space(f'points:"{tmp_path}/a.csv" , unit = km')
    assert meters.distance(0, 1).rational == 1000 * kilometers.distance(0, 1).rational
    assert kilometers.text.endswith("in km")
    with pytest.raises(NotAMetric, match="repair=shortest"):
        read_space(f"matrix:{tmp_path}/m.csv")
    found = read_space(f"matrix:{tmp_path}/m.csv,repair=shortest,unit=m")
    assert found.distance(0, 2).rational == Fraction(3, 10)
    for text, said in (
        (f"matrix:{tmp_path}/m.csv,repair=guess", "expected repair=shortest"),
        (f"points:{tmp_path}/a.csv,unit=mile", "expected a unit of mm, m, km"),
        (f"points:{tmp_path}/a.csv,repair=shortest", "expected unit=… as in points:FILE"),
    ):
        with pytest.raises(BadSpace, match=said):
            read_space(text)
    (tmp_path / "xy.csv").write_text("x,y\n0,0\n3,4\n")
    with pytest.raises(BadSpace, match="whatever these are"):
        read_space(f"points:{tmp_path}/xy.csv,unit=m")
