"""Spaces as text and as documents, read from friends and from strangers."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tightrope.characters import control_in
from tightrope.errors import BadInput, BadSpace, TooLarge
from tightrope.spaces import EXAMPLES, Space, categories, parse, path, space_from


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("  PATH : 0 .. 100 ", "path:0..100"),
        ("path:+1..+3", "path:1..3"),
        ("sum: max = 5 , people = 150", "sum:people=150,max=5"),
        ("Histogram:cells=4,neighbors=REPLACE,people=30", "histogram:people=30,cells=4"),
        (
            "histogram:people=3,cells=2,neighbors=add-remove",
            "histogram:people=3,cells=2,neighbors=add-remove",
        ),
        ("grid:10X10,metric=Manhattan,step=0.50", "grid:10x10,step=0.5,metric=manhattan"),
        ("grid: 3 x 4 ,step=1/3", "grid:3x4,step=1/3"),
        ("grid:3x4,step=1,metric=euclidean", "grid:3x4"),
        ("categories: red /green/ Blue ", "categories:red/green/Blue"),
        ('categories:"red"/"a/b"', 'categories:red/"a/b"'),
        ("cycle:7*star:4", "cycle:7 * star:4"),
        ("(cycle:7)*(star:4)*sets:2", "cycle:7 * star:4 * sets:2"),
        ("cycle:7*(star:4*sets:2)", "cycle:7 * (star:4 * sets:2)"),
        ("(cycle:7*star:4)^sets:2", "(cycle:7 * star:4) ^ sets:2"),
        ("cycle:7^(star:4^sets:2)", "cycle:7 ^ (star:4 ^ sets:2)"),
        ("((path:0..1))", "path:0..1"),
    ],
)
def test_texts_are_read_with_any_case_and_white_space(text: str, canonical: str) -> None:
    assert parse(text).text == canonical
    assert parse(canonical) == parse(text)


HOSTILE = [
    "",
    "   ",
    "path",
    "path:",
    "path:5",
    "path:5..2",
    "path:5..5",
    "path:0...5",
    "path:a..b",
    "path:0..1.5",
    "path:0..٣",
    "path:0.." + "9" * 5000,
    "nonsense:5",
    "5",
    ":",
    "sum:people=3",
    "sum:people=3,max=2,max=2",
    "sum:people=3,max=2,more=1",
    "sum:people=0,max=2",
    "sum:people=-3,max=2",
    "sum:people=3,max=",
    "sum:people=3;max=2",
    "counts:people=3,queries=0",
    "histogram:people=3,cells=1",
    "histogram:people=3,cells=2,neighbors=both",
    "histogram:people=0,cells=2",
    "grid:",
    "grid:0x3",
    "grid:-1x3",
    "grid:1x1",
    "grid:axb",
    "grid:3x",
    "grid:3x3,step=0",
    "grid:3x3,step=-1",
    "grid:3x3,step=nan",
    "grid:3x3,step=1/0",
    "grid:3x3,step=1e999999999",
    "grid:3x3,step=1e9999",
    "grid:3x3,metric=hamming",
    "grid:3x3,metric=",
    "hamming:values=1,people=5",
    "hamming:values=4",
    "categories:1",
    "categories:0",
    "categories:-5",
    "categories:",
    "categories:red",
    "categories:red/red",
    "categories:red//blue",
    "categories:/red",
    "categories:red/",
    'categories:"red',
    'categories:"red"x/blue',
    'categories:"\\q"/blue',
    "sets:0",
    "sets:two",
    "cycle:1",
    "cycle:1e3",
    "star:0",
    "complete:1",
    "complete:5,6",
    "path:0..3 *",
    "* path:0..3",
    "path:0..3 ** path:0..3",
    "path:0..3 path:0..4",
    "(path:0..3",
    "path:0..3)",
    "()",
    "(path:0..3)(path:0..3)",
    "path:0..3 * cycle:5 ^ cycle:5",
    "(" * 5000 + "path:0..3" + ")" * 5000,
    " * ".join(["path:0..3"] * 500),
    "path:0..3 * " * 100_000,
    "edges:",
    "edges:file.csv",
    "matrix:file.csv",
    "points:file.csv",
    "\x00",
    "path:0..3\n; rm",
]
ABSURD = [
    "path:0..1000000000000000000000000000000",
    "path:-1000000000000000000000000000000..0",
    "sum:people=1000000000000000000000000000000,max=5",
    "sum:people=1000000000000,max=1000000000000",
    "counts:people=1000000000000000000000000000000,queries=2",
    "counts:people=5,queries=1000000000000000000000000000000",
    "counts:people=1000000000000000,queries=5000",
    "histogram:people=1000000000000000000000000000000,cells=4",
    "histogram:people=5,cells=1000000000000000000000000000000",
    "histogram:people=5000,cells=5000",
    "histogram:people=1000000000000000,cells=5000",
    "grid:1000000000000000000000000000000x5",
    "grid:" + "x".join(["2"] * 20_000),
    "hamming:values=10,people=1000000000000000000000000000000",
    "hamming:values=1000000000000000000000000000000,people=5",
    "hamming:values=10,people=14000",
    "categories:1000000000000000000000000000000",
    "sets:1000000000000000000000000000000",
    "cycle:1000000000000000000000000000000",
    "star:1000000000000000000000000000000",
    "complete:1000000000000000000000000000000",
    "hamming:values=10,people=3000 * hamming:values=10,people=3000",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:30])
def test_texts_that_mean_nothing_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadSpace) as caught:
        parse(text)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert len(sentence) < 400
    assert "\n" not in sentence


@pytest.mark.parametrize("text", ABSURD, ids=lambda text: text[:50])
def test_absurd_numbers_are_too_large(text: str) -> None:
    with pytest.raises(TooLarge, match="more than the limit"):
        parse(text)


def test_an_error_names_what_was_expected_and_an_example() -> None:
    for family, sample in EXAMPLES.items():
        if sample.endswith("FILE"):
            continue
        with pytest.raises(BadSpace, match=re.escape(sample)):
            parse(f"{family}:?" if family != "categories" else "categories:a//b")


def test_families_of_files_ask_the_reader_of_the_caller() -> None:
    asked = []

    def read(kind: str, filename: str) -> Space:
        asked.append((kind, filename))
        return path(0, 3)

    parse('edges:data/Roads.csv * matrix: "a (1).csv" * points:x.parquet', read)
    assert asked == [("edges", "data/Roads.csv"), ("matrix", "a (1).csv"), ("points", "x.parquet")]
    with pytest.raises(BadSpace, match="reads a file"):
        parse("edges:Roads.csv")


def test_every_example_is_read_and_written_back() -> None:
    for family, sample in EXAMPLES.items():
        space = parse(sample, lambda kind, filename: path(0, 3))
        assert sample.endswith("FILE") or parse(space.text) == space
        written = "graph" if family == "graphs" else family  # its edges, one by one
        assert sample.endswith("FILE") or space.describe()["family"] == written


NAMES = st.text(min_size=1, max_size=8).filter(lambda name: control_in(name) is None)


def read_or_refused(read: Callable[[], Space]) -> Space | str:
    """The space, or the sentence that refuses it."""
    try:
        return read()
    except BadInput as refusal:
        return str(refusal)


@given(st.lists(NAMES, min_size=2, max_size=5, unique=True))
@example(['"', "\\"])
@example([" a", "b "])
@example(["5", "6"])
def test_any_names_of_categories_survive_their_text(names: list[str]) -> None:
    space = categories(names)
    assert parse(space.text) == space
    assert list(parse(space.text).points) == names


PIECES = st.sampled_from(
    [
        "path",
        "grid",
        "sum",
        "categories",
        "hamming",
        ":",
        "..",
        "=",
        ",",
        "x",
        "*",
        "^",
        "(",
        ")",
        "/",
        '"',
        "people",
        "max",
        "values",
        "step",
        "metric",
        " ",
        "0",
        "3",
        "-1",
        "99999999999",
        "é",
    ]
)


@given(st.lists(PIECES, max_size=25).map("".join) | st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = read_or_refused(lambda: parse(text))
    if isinstance(found, str):
        assert found.endswith(".")
    else:
        assert parse(found.text) == found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**20) | st.floats() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)
FIELDS = [
    *["low", "high", "people", "max", "cells", "queries", "neighbors", "shape", "step", "metric"],
    *["values", "items", "nodes", "leaves", "edges", "labels", "distances", "coordinates"],
    *["combine", "factors"],
]


@given(
    st.sampled_from([*EXAMPLES, "graph", "product"]),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4),
)
def test_no_document_breaks_the_reader(family: str, fields: dict[str, Any]) -> None:
    found = read_or_refused(lambda: space_from({"family": family, **fields}))
    if isinstance(found, str):
        assert found.endswith(".")
    else:
        assert space_from(found.describe()) == found


GOOD = [parse(sample).describe() for sample in EXAMPLES.values() if not sample.endswith("FILE")] + [
    {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, "1"]]},
    {"family": "matrix", "labels": ["a", "b"], "distances": [["0", "1"], ["1", "0"]]},
    {"family": "points", "labels": ["a", "b"], "coordinates": [["0"], ["1"]]},
    {"family": "product", "combine": "sum", "factors": [path(0, 1).describe()] * 2},
]


@given(st.sampled_from(GOOD), st.data())
def test_a_damaged_document_is_refused(good: dict[str, Any], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(good)))
    damaged = {**good, name: data.draw(JSON)}
    found = read_or_refused(lambda: space_from(damaged))
    if isinstance(found, str):
        assert found.endswith(".")
    else:
        assert space_from(found.describe()) == found


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"family": 5},
        {"family": ["path"]},
        {"family": "path", "low": 0},
        {"family": "path", "low": 0, "high": 5, "more": 1},
        {"family": "path", "low": False, "high": True},
        {"family": "path", "low": 0, "high": 5.0},
        {"family": "path", "low": 0, "high": 10**5000},
        {"family": "categories", "values": [1, 2]},
        {"family": "categories", "values": [False, True]},
        {"family": "graph", "nodes": ["a", "b"], "edges": []},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 2, "1"]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, True, "1"]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, "0"]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, "-1"]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, None]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [5]},
        {"family": "graph", "nodes": ["a", "a"], "edges": [[0, 1, "1"]]},
        {"family": "graph", "nodes": ["a", "b"], "edges": [[0, 1, "1e-400"]]},
        {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1e-99"], [1, 2, "1"]]},
        {"family": "matrix", "labels": ["a", "b"], "distances": [0, 1]},
        {"family": "product", "combine": "min", "factors": [path(0, 1).describe()] * 2},
        {"family": "product", "combine": "sum", "factors": [path(0, 1).describe()]},
    ],
)
def test_documents_that_mean_nothing_are_refused(document: Any) -> None:
    with pytest.raises(BadSpace):
        space_from(document)


def test_deeply_nested_documents_are_refused() -> None:
    nested: dict[str, Any] = path(0, 1).describe()
    for _ in range(500):
        nested = {"family": "product", "combine": "sum", "factors": [path(0, 1).describe(), nested]}
    with pytest.raises(BadSpace, match="factors"):
        space_from(nested)


@pytest.mark.parametrize("document", [
    {"family": "graph", "nodes": ["a", "b", "c", "d"], "edges": [[0, 1, "1"], [2, 3, "1"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "3", "inf"], ["3", "0", "inf"], ["inf", "inf", "0"]]},
])
def test_a_space_in_two_parts_is_read_and_written(document: dict[str, Any]) -> None:
    space = space_from(document)
    assert space.describe() == document
    assert space == space_from(document)
    assert str(space.diameter) == "inf"


def test_a_graph_without_edges_is_refused() -> None:
    with pytest.raises(BadSpace, match="at least one edge"):
        space_from({"family": "graph", "nodes": ["a", "b"], "edges": []})
