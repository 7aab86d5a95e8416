"""The library and the receipt say the same about every document, however it was changed."""

import copy
import gzip
import json
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.generated import generated
from tests.documents.judges import (
    BAD,
    CANNOT,
    CHECKERS,
    HOLDS,
    NO,
    RECEIPT,
    library_says,
    receipt_alone,
    receipt_says,
    renewed,
    text_of,
    verdicts,
    version_1,
)
from tests.documents.mutations import mutated, parent, places
from tests.documents.samples import GIVEN, MAKERS, PROVED, VARIED, WEIGHTED, document, plain
from tests.exact.oracle import ends_within
from tests.relations import ANY
from tightrope.documents import compose, render
from tightrope.exact import Level
from tightrope.privacy import certified

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]


def agree(data: bytes, folder: Path) -> int:
    with ends_within(20):
        library, receipt = verdicts(data, folder)
    assert library == receipt
    return library


EVERY = sorted([*MAKERS, *PROVED, *VARIED])


@pytest.mark.parametrize("name", EVERY)
def test_valid_documents_hold_for_both(name, tmp_path):
    data = render(document(name))
    assert agree(data, tmp_path) == HOLDS
    assert agree(gzip.compress(data), tmp_path) == HOLDS


@pytest.mark.parametrize("name", ["geometric path:0..2", "uneven kernel", "delta matrix", "noise",
                                  "exponential points", "minute"])
def test_the_receipt_in_a_process_of_its_own_says_the_same(name, tmp_path):
    code, out, err = receipt_alone(render(document(name)), tmp_path)
    assert (code, err) == (HOLDS, "")
    report = json.loads(out)
    assert report["holds"] is True
    assert report["intact"] is True


@settings(derandomize=True, deadline=None, max_examples=350, suppress_health_check=QUIET)
@given(st.sampled_from(EVERY), st.booleans(), st.data())
def test_both_agree_on_changed_documents_with_and_without_a_new_digest(name, new_digest, data):
    changed = data.draw(mutated(document(name)))
    with TemporaryDirectory() as folder:
        agree(text_of(changed, new_digest=new_digest), Path(folder))


@settings(derandomize=True, deadline=None, max_examples=60, suppress_health_check=QUIET)
@given(st.sampled_from(EVERY), st.data())
def test_both_agree_on_changed_bytes(name, data):
    text = bytearray(render(document(name)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from(b'0123456789abcdef"{}[],:/- \\\xff\x00nN'))
    with TemporaryDirectory() as folder:
        assert agree(bytes(text), Path(folder)) in (HOLDS, NO, BAD)


@pytest.mark.parametrize("name", ["geometric path:0..2", "uneven kernel", "noise", "delta matrix",
                                  "exponential graph", "optimal matrix", "least variance",
                                  "subsets", "unary"])
def test_dropping_any_field_is_judged_alike(name, tmp_path):
    original = document(name)
    for path in places(original):
        if isinstance(parent(original, path), dict):
            changed = copy.deepcopy(original)
            del parent(changed, path)[path[-1]]
            agree(text_of(changed, new_digest=path != ("digest",)), tmp_path)


@pytest.mark.parametrize("name", ["geometric path:0..2", "uneven kernel", "noise", "delta matrix",
                                  "exponential grid", "optimal matrix", "optimal points",
                                  "least variance", "subsets", "unary"])
def test_another_type_in_any_place_is_judged_alike(name, tmp_path):
    original = document(name)
    for path in places(original):
        for other in (None, True, 1, 1.5, "1", [], {}, [[]]):
            changed = copy.deepcopy(original)
            parent(changed, path)[path[-1]] = other
            agree(text_of(changed, new_digest=path != ("digest",)), tmp_path)


@pytest.mark.parametrize("name", EVERY)
def test_an_added_field_anywhere_is_judged_alike(name, tmp_path):
    original = document(name)
    for path in [(), *places(original)]:
        changed = copy.deepcopy(original)
        holder = changed
        for key in path:
            holder = holder[key]
        if isinstance(holder, dict):
            holder["extra"] = 1
            agree(text_of(changed), tmp_path)


CLAIMS = [
    {"rational": "2", "coefficient": "-1", "base": "2"},
    {"rational": "0", "coefficient": "-1", "base": "1/2"},
    {"rational": "0", "coefficient": "1", "base": "1/2"},
    {"rational": "5", "coefficient": "1", "base": "1/2"},
    {"rational": "-1/2", "coefficient": "1", "base": "8"},
    {"rational": "-9/4", "coefficient": "1", "base": "8"},
    {"rational": "0", "coefficient": "0", "base": "2"},
    {"rational": "1", "coefficient": "0", "base": "0"},
    {"rational": "1", "coefficient": "0", "base": "-2"},
    {"rational": "1", "coefficient": "5", "base": "1"},
    {"rational": "0", "coefficient": "5", "base": "1"},
    {"rational": "1000000", "coefficient": "0", "base": "1"},
    {"rational": "1000001", "coefficient": "0", "base": "1"},
    {"rational": "10000000000", "coefficient": "0", "base": "1"},
    {"rational": "1000000", "coefficient": "1", "base": "2"},
    {"rational": "0", "coefficient": "1442695", "base": "2"},
    {"rational": "0", "coefficient": "1442696", "base": "2"},
    {"rational": "0", "coefficient": "1/2", "base": "4"},
    {"rational": "0", "coefficient": "1/3", "base": "8"},
    {"rational": "0", "coefficient": "1/10000000000000000000000000000000000000000", "base": "2"},
    {"rational": "1/" + "1" + "0" * 300, "coefficient": "0", "base": "1"},
    {"rational": "0", "coefficient": "1", "base": "1" + "0" * 4000},
    {"rational": "0", "coefficient": "1", "base": "1" + "0" * 4400},
    {"rational": "0", "coefficient": "1/2", "base": "3/1"},
    {"rational": "00", "coefficient": "01", "base": "+2"},
    {"rational": "-0", "coefficient": "1", "base": "4/2"},
    {"rational": "-6931471805599453094172321214581765/10000000000000000000000000000000000",
     "coefficient": "1", "base": "2"},
]


@pytest.mark.parametrize("name", EVERY)
def test_neighbors_are_those_of_the_space(name, tmp_path):
    """Documents of version 1 say so in words; from version 2 on there are none."""
    original = version_1(document(name))
    words = original["neighbors"]
    assert agree(render(original), tmp_path) == agree(text_of(document(name)), tmp_path)
    for other in ("any two tables on Earth", "", [words], None if words else "neighbors",
                  *([f"{words} ", words.upper()] if words else [])):
        changed = renewed({**original, "neighbors": other})
        assert agree(render(changed), tmp_path) == BAD
    for changed in (renewed({**original, "version": 2}), renewed({**document(name), "version": 1}),
                    renewed({**document(name), "neighbors": None})):
        assert agree(render(changed), tmp_path) == BAD


@pytest.mark.parametrize("name", ["geometric path:0..2", "kernel path:0..4", "noise",
                                  "exponential grid", "exponential graph", "delta matrix"])
def test_claims_of_every_kind_are_judged_alike(name, tmp_path):
    for claim in CLAIMS:
        changed = document(name)
        changed["claim"]["epsilon"] = claim
        agree(text_of(changed), tmp_path)


@pytest.mark.parametrize("delta", ["0", "1/4", "1/5", "1/6", "2/7", "1", "99/100", "-1/4", "3/2",
                                   "1/0", "0.25", "1/1000000000000000000000000000", "", " 1/4"])
def test_deltas_of_every_kind_are_judged_alike(delta, tmp_path):
    for name in MAKERS:
        changed = document(name)
        changed["claim"]["delta"] = delta
        agree(text_of(changed), tmp_path)


def test_every_small_claim_about_a_kernel_is_judged_alike(tmp_path):
    found = set()
    for weights in (["1", "0", "1/2", "2"], ["1", "1", "1", "1"], ["0", "0", "0", "1"],
                    ["1", "1", "0", "0"]):
        for base in ("9/8", "3", "9", "17", "30"):
            for name in ("uneven kernel", "kernel complete", "kernel star"):
                changed = document(name)
                changed["mechanism"]["weights"] = weights
                changed["claim"]["epsilon"]["base"] = base
                found.add(agree(text_of(changed), tmp_path))
    assert found == {HOLDS, NO}


SPACES = [
    {"family": "path", "low": 0, "high": 10**15},
    {"family": "path", "low": 0, "high": 10**15 + 1},
    {"family": "path", "low": -(10**15), "high": 10**15},
    {"family": "path", "low": 3, "high": 3},
    {"family": "path", "low": 3, "high": 1},
    {"family": "path", "low": 0.0, "high": 2},
    {"family": "path", "low": "0", "high": "2"},
    {"family": "path", "low": 0, "high": 2, "step": 1},
    {"family": "Path", "low": 0, "high": 2},
    {"family": ["path"], "low": 0, "high": 2},
    {"family": "path"},
    {},
]


@pytest.mark.parametrize("form", SPACES, ids=lambda form: json.dumps(form)[:60])
def test_paths_of_noise_are_judged_alike(form, tmp_path):
    changed = document("noise")
    changed["space"] = form
    agree(text_of(changed), tmp_path)


THREE = [
    {"family": "categories", "values": [1, 2, 3]},
    {"family": "categories", "values": [0, 1, 2]},
    {"family": "categories", "values": [2, 1, 0]},
    {"family": "categories", "values": ["0", "1", "2"]},
    {"family": "categories", "values": [0, 1, "2"]},
    {"family": "categories", "values": [False, True, 2]},
    {"family": "categories", "values": [0.0, 1.0, 2.0]},
    {"family": "categories", "values": ["a", "b", ""]},
    {"family": "categories", "values": ["a", "b", "a"]},
    {"family": "categories", "values": ["a", "b", ["c"]]},
    {"family": "categories", "values": [["a"], ["b"], ["c", 1]]},
    {"family": "categories", "values": ["a", "b", None]},
    {"family": "complete", "nodes": 3},
    {"family": "complete", "nodes": 3.0},
    {"family": "complete", "nodes": True},
    {"family": "cycle", "nodes": 3},
    {"family": "star", "leaves": 2},
    {"family": "sum", "people": 1, "max": 2},
    {"family": "sum", "people": 2, "max": 1},
    {"family": "sum", "people": -2, "max": -1},
    {"family": "sets", "items": 2},
    {"family": "hamming", "values": 3, "people": 1},
    {"family": "hamming", "values": 1, "people": 3},
    {"family": "counts", "people": 2, "queries": 1},
    {"family": "counts", "people": 2, "queries": 0},
    {"family": "histogram", "people": 2, "cells": 2, "neighbors": "replace"},
    {"family": "histogram", "people": 2, "cells": 1, "neighbors": "add-remove"},
    {"family": "histogram", "people": 2, "cells": 1, "neighbors": "replace"},
    {"family": "histogram", "people": 2, "cells": 2, "neighbors": "both"},
    {"family": "histogram", "people": 2, "cells": 2},
    {"family": "grid", "shape": [3], "step": "1", "metric": "manhattan"},
    {"family": "grid", "shape": [1, 3], "step": "1", "metric": "chebyshev"},
    {"family": "grid", "shape": [3, 1], "step": "2/2", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "0.5", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "1e0", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "+1", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": " 1", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "1_0", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": 1, "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "0", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "-1", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "1/3", "metric": "hamming"},
    {"family": "grid", "shape": [], "step": "1", "metric": "manhattan"},
    {"family": "grid", "shape": [3.0], "step": "1", "metric": "manhattan"},
    {"family": "grid", "shape": "3", "step": "1", "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "1" + "0" * 400, "metric": "manhattan"},
    {"family": "grid", "shape": [3], "step": "1", "metric": "euclidean"},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"], [1, 2, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "0.5"], [1, 2, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, 1], [1, 2, 1]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1], [1, 2]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, 1.0], [1, 2, 1.5]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"], [1, 2, "1"], [1, 1, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"], [1, 0, "2"], [2, 1, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": []},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"], [1, 3, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "1"], [1, -1, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, True, "1"], [1, 2, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"], "edges": [[0, 1, "0"], [1, 2, "1"]]},
    {"family": "graph", "nodes": ["a", "b", "c"],
     "edges": [[0, 1, "1/1000000007"], [1, 2, "1/1000000009"]]},
    {"family": "graph", "nodes": ["a", 1, ["b", [2]]], "edges": [[0, 1, "1"], [1, 2, "1/2"]]},
    {"family": "graph", "nodes": ["a", 1.5, "c"], "edges": [[0, 1, "1"], [1, 2, "1"]]},
    {"family": "graph", "nodes": ["a", "a", "c"], "edges": [[0, 1, "1"], [1, 2, "1"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "1", "2"], ["1", "0", "1"], ["2", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "1", "3"], ["1", "0", "1"], ["3", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "0.5", "1"], ["0.5", "0", "1"], ["1", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "1e0", "1"], ["1", "0", "1"], ["1", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [[0, 1, 1], [1, 0, 1], [1, 1, 0]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "1", "2"], ["1", "0", "1"], ["1", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "0", "1"], ["0", "0", "1"], ["1", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["1", "1", "1"], ["1", "0", "1"], ["1", "1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"], "distances": [["0", "1"], ["1", "0"]]},
    {"family": "matrix", "labels": ["a", "b", "c"],
     "distances": [["0", "1" + "0" * 400, "1" + "0" * 400], ["1" + "0" * 400, "0", "1"],
                   ["1" + "0" * 400, "1", "0"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["0"], ["1"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["0.5"], ["1.25"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["1e-3"], ["1"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [[".5"], ["1."], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["+1"], ["1_0"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [[0], [1], [2]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["0"], ["1"], ["1/1"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["0"], ["1", "0"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [[], [], []]},
    {"family": "points", "labels": ["a", "b", "c"],
     "coordinates": [["0"], ["1/1000000000039"], ["1/1000000000061"]]},
    {"family": "points", "labels": ["a", "b", "c"],
     "coordinates": [["0"], ["1000000000000000000000"], ["2"]]},
    {"family": "points", "labels": ["a", "b", "c"], "coordinates": [["0"], ["1/0"], ["2"]]},
    {"family": "product", "combine": "sum",
     "factors": [{"family": "path", "low": 0, "high": 2}]},
    {"family": "product", "combine": "max",
     "factors": [{"family": "path", "low": 0, "high": 2}, {"family": "path", "low": 0, "high": 0}]},
    {"family": "product", "combine": "min",
     "factors": [{"family": "path", "low": 0, "high": 1}, {"family": "path", "low": 0, "high": 1}]},
    {"family": "product", "combine": "sum", "factors": {}},
    {"family": "torus", "nodes": 3},
    None, [], "path:0..2", 3,
]


@pytest.mark.parametrize("form", THREE, ids=lambda form: json.dumps(form)[:70])
def test_spaces_of_every_kind_are_judged_alike(form, tmp_path):
    for rows, base in ((["1 1 1"] * 3, "2"), (["2 1 1", "1 2 1", "1 1 2"], "2"),
                       (["2 1 1", "1 2 1", "1 1 2"], "3/2")):
        for words in (ANY, None, "left out"):
            changed = document("response categories:3")
            changed["space"] = form
            if words != "left out":
                changed |= {"version": 1, "neighbors": words}
            changed["mechanism"]["rows"] = rows
            changed["claim"]["epsilon"]["base"] = base
            agree(text_of(changed), tmp_path)


def nested(depth, family=None):
    form = family or {"family": "path", "low": 0, "high": 1}
    for _ in range(depth):
        form = {"family": "product", "combine": "sum",
                "factors": [form, {"family": "path", "low": 0, "high": 1}]}
    return form


@pytest.mark.parametrize("depth", [1, 4, 5, 6, 7])
def test_nested_products_are_judged_alike(depth, tmp_path):
    changed = document("response categories:3")
    changed["space"] = nested(depth)
    changed["mechanism"]["rows"] = ["1 1 1"] * 2 ** (depth + 1)
    changed["outputs"] = ["a", "b", "c"]
    agree(text_of(changed), tmp_path)


ROWS = [
    ["4 1 1", "2 2 2", "1 1 4"], ["4 1 1", "2 2 2"], ["4 1 1", "2 2 2", "1 1"],
    ["4 1 1 ", "2 2 2", "1 1 4"], [" 4 1 1", "2 2 2", "1 1 4"], ["4  1 1", "2 2 2", "1 1 4"],
    ["4\t1 1", "2 2 2", "1 1 4"], ["4 1 1\n", "2 2 2", "1 1 4"], ["A 1 1", "2 2 2", "1 1 4"],
    ["0x4 1 1", "2 2 2", "1 1 4"], ["-4 1 1", "2 2 2", "1 1 4"], ["", "2 2 2", "1 1 4"],
    ["4 1 p1", "2 2 2", "1 1 4"], ["4 1 1p", "2 2 2", "1 1 4"], ["4 1 1p+1", "2 2 2", "1 1 4"],
    ["4 1 1p-", "2 2 2", "1 1 4"], ["4 1 1p1.5", "2 2 2", "1 1 4"],
    ["4p0 1p00 1p-0", "2 2 2", "1 1 4"],
    ["004 01 1", "2 2 2", "1 1 4"], ["8p-1 1 1", "2 2 2", "1 1 4"], ["1p2 1 1", "1p1 2 2", "1 1 4"],
    ["0 0 0", "2 2 2", "1 1 4"], ["0p5 1 1", "2 2 2", "1 1 4"], ["4 1 0", "2 2 0", "1 1 0"],
    ["4 1 1", "2 2 0", "1 1 4"], ["1 0 0", "0 1 0", "0 0 1"], ["3 0 0", "5 0 0", "1 0 0"],
    ["1p-7999999 1 1", "1 1 1", "1 1 1"], ["1p-8000000 1 1", "1 1 1", "1 1 1"],
    ["1p-8000001 1 1", "1 1 1", "1 1 1"], ["1p-9999999 1 1", "1 1 1", "1 1 1"],
    ["1p-10000000 1 1", "1 1 1", "1 1 1"], ["1p-10000001 1 1", "1 1 1", "1 1 1"],
    ["1p10000000 1 1", "1 1 1", "1 1 1"], ["1p-99999999 1 1", "1 1 1", "1 1 1"],
    ["0p-9000000 1 1", "0 1 1", "0 1 1"], ["1p-100000000 1 1", "1 1 1", "1 1 1"],
    ["1p-5000 1 1", "1p-5000 1 1", "1p-5001 1 1"], ["1p-5000 1 1", "1p-5000 1 1", "1p-5002 1 1"],
    ["f" * 5000 + " 1 1"] * 3, ["4 1 1", "2 2 2", None], ["4 1 1", "2 2 2", 5],
    [["4", "1", "1"], "2 2 2", "1 1 4"], [[4, 1, 1], [2, 2, 2], [1, 1, 4]], "4 1 1", {}, [], None,
    ["４ 1 1", "2 2 2", "1 1 4"], ["4 1 1", "2 2 2", "1 1 4\ud800"],
]


@pytest.mark.parametrize("rows", ROWS, ids=lambda rows: repr(rows)[:60])
def test_rows_of_every_kind_are_judged_alike(rows, tmp_path):
    changed = document("geometric path:0..2")
    changed["mechanism"]["rows"] = rows
    agree(text_of(changed), tmp_path)


OUTPUTS = [
    "inputs", "integers", [0, 1, 2], ["a", "b", "c"], ["a", "b"], ["a", "b", "c", "d"],
    ["a", "a", "b"], [1, True, 2], [1, 1.0, 2], [1, 1.5, 2], ["a", ["b"], ["c", ["d", 1]]],
    [["a"], ["a"], "b"], ["1", 1, 2], ["a", None, "b"], ["a", {}, "b"], [], {}, None, 3, "outputs",
    ["", " ", "  "], [10**30, -(10**30), 0], [[], [[]], [[[]]]],
]


@pytest.mark.parametrize("outputs", OUTPUTS, ids=lambda outputs: repr(outputs)[:60])
def test_outputs_of_every_kind_are_judged_alike(outputs, tmp_path):
    for name in ("geometric path:0..2", "kernel path:0..4", "noise", "table of a matrix"):
        changed = document(name)
        changed["outputs"] = outputs
        agree(text_of(changed), tmp_path)


MECHANISMS = [
    {"form": "table", "rows": 10**15, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": 10**15 + 1, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": 10**40, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": 0, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": -1, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": 5.0, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": True, "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": "5", "base": {"form": "matrix", "rows": ["3 1", "1 3"]}},
    {"form": "table", "rows": 5, "base": {"form": "table", "rows": 5,
                                          "base": {"form": "matrix", "rows": ["3 1", "1 3"]}}},
    {"form": "table", "rows": 5, "base": {"form": "noise", "law": "two-sided geometric",
                                          "ratio": "3"}},
    {"form": "table", "rows": 5, "base": ["matrix"]},
    {"form": "table", "rows": 5},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["1", "0"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["0", "0"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["1", "-1"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["1"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": [1, 1]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": ["0.5", "1"]},
    {"form": "kernel", "ratio": "1", "unit": "1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "0", "unit": "1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "1/3", "unit": "1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "-3", "unit": "1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "0", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "-1", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "2", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "1/2", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "1/1000000000000", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "1" + "0" * 4000, "unit": "1/1000000", "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "unit": "1", "weights": "11"},
    {"form": "kernel", "ratio": 3, "unit": 1, "weights": ["1", "1"]},
    {"form": "kernel", "ratio": "3", "weights": ["1", "1"]},
    {"form": "noise", "law": "two-sided geometric", "ratio": "3"},
    {"form": "noise", "law": "laplace", "ratio": "3"},
    {"form": ["matrix"], "rows": ["3 1", "1 3"]},
    {"form": {}, "rows": ["3 1", "1 3"]},
    {"form": None, "rows": ["3 1", "1 3"]},
    {"form": "Matrix", "rows": ["3 1", "1 3"]},
    {"rows": ["3 1", "1 3"]},
    [], None, "matrix",
]


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: repr(mechanism)[:70])
@pytest.mark.parametrize("evidence", ["enumerated", "kernel", "theorem"])
def test_mechanisms_of_every_kind_are_judged_alike(mechanism, evidence, tmp_path):
    changed = document("delta decimal")
    changed["claim"] = {"epsilon": {"rational": "0", "coefficient": "1", "base": "3"},
                        "delta": "0", "evidence": evidence}
    changed["mechanism"] = mechanism
    agree(text_of(changed), tmp_path)


@pytest.mark.parametrize("unit", ["2", "1/2", "2/3", "0", "-1", "1/1000000000000"])
@pytest.mark.parametrize("new_digest", [True, False])
def test_units_of_kernels_are_judged_alike(unit, new_digest, tmp_path):
    for name in ("kernel path:0..4", "kernel complete", "kernel star", "table of kernels"):
        changed = document(name)
        form = changed["mechanism"]
        form.get("base", form)["unit"] = unit
        agree(text_of(changed, new_digest=new_digest), tmp_path)


@pytest.mark.parametrize("new_digest", [True, False])
def test_kernels_on_irrational_distances_are_judged_alike(new_digest, tmp_path):
    for name in ("exponential grid", "exponential points"):
        changed = document(name)
        changed["mechanism"] = {"form": "kernel", "ratio": "2", "unit": "1/2",
                                "weights": ["1"] * len(changed["mechanism"]["rows"])}
        changed["outputs"], changed["claim"]["evidence"] = "inputs", "kernel"
        assert agree(text_of(changed, new_digest=new_digest), tmp_path) in (NO, BAD)


@pytest.mark.parametrize("ratio", ["3", "3/2", "1", "2/3", "0", "-3", "1/0", "1.5", "", "3/2/1",
                                   "1" + "0" * 4299, "1" + "0" * 4301, "0003", 3, None])
def test_ratios_of_noise_are_judged_alike(ratio, tmp_path):
    for name in ("noise", "noise with delta"):
        changed = document(name)
        changed["mechanism"]["ratio"] = ratio
        agree(text_of(changed), tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", 1.0), ("version", True), ("version", 3), ("version", "1"), ("version", None),
        ("version", 0), ("version", 10**30), ("format", "tightrope"), ("format", None),
        ("format", ["tightrope/mechanism"]), ("neighbors", "anything at all"), ("neighbors", ""),
        ("neighbors", None), ("neighbors", 5), ("neighbors", []), ("neighbors", "\ud800"),
        ("construction", None), ("construction", {}), ("construction", []), ("construction", "x"),
        ("construction", {"a": 1e308}), ("construction", {"a": [None, True, {"b": "\ud800"}]}),
        ("digest", "sha256:" + "0" * 63), ("digest", "sha256:" + "0" * 65), ("digest", None),
        ("digest", "SHA256:" + "0" * 64), ("digest", "sha256:" + "A" * 64), ("digest", 5),
        ("digest", "sha256:" + "0" * 64), ("digest", "sha256:" + "0" * 64 + "\n"), ("claim", None),
        ("claim", []), ("space", None), ("mechanism", None),
    ],
)
def test_fields_of_the_frame_are_judged_alike(field, value, tmp_path):
    for name in ("geometric path:0..2", "exponential grid", "noise"):
        changed = {**document(name), field: value}
        agree(text_of(changed, new_digest=field != "digest"), tmp_path)


@pytest.mark.parametrize("value", [{}, {"value": 1.5}, 5, [], "x", False, 0, ""])
def test_what_is_no_claim_of_optimality_is_bad_input_for_both(value, tmp_path):
    changed = {**document("geometric path:0..2"), "optimality": value}
    assert agree(text_of(changed), tmp_path) == BAD


def raw(name, old, new):
    """A document with its digest renewed by plain text replacement, for what json cannot say."""
    text = render(document(name)).decode()
    assert old in text
    return text.replace(old, new).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{}", b"[]", b"null", b"5", b"\x1f\x8b", b"\x1f\x8b\x08", b"\xff\xfe{}",
        b"{" * 100000,
        b"[" * 3000 + b"]" * 3000, b"PAR1", gzip.compress(b""), gzip.compress(b"{}"),
        gzip.compress(b"x")[:-3], b"\xef\xbb\xbf{}", b'{"format": "tightrope/mechanism"}',
        raw("noise", '"version": 2', '"version": 2, "version": 2'),
        raw("noise", '"version": 2', '"version": NaN'),
        raw("noise", '"construction": {', '"construction": {"x": NaN, '),
        raw("noise", '"construction": {', '"construction": {"x": Infinity, '),
        raw("noise", '"construction": {', '"construction": {"x": 1e400, '),
        raw("noise", '"construction": {', '"construction": {"x": -1e999, '),
        raw("noise", '"construction": {', '"construction": {"x": ' + "1" * 5000 + ", "),
        raw("noise", '"name": "noise"', '"name": ' + "[" * 500 + "]" * 500),
        raw("noise", '"name": "noise"', '"name": ' + "[" * 900 + "]" * 900),
        raw("noise", '"name": "noise"', '"name": ' + "[" * 5000 + "]" * 5000),
        render(document("noise")) + b"x", render(document("noise")) + b" \n\t",
        b" " + render(document("noise")), b"\xef\xbb\xbf" + render(document("noise")),
        gzip.compress(render(document("noise"))) + b"\x00\x00",
        gzip.compress(render(document("noise"))) + b"junk",
        gzip.compress(gzip.compress(render(document("noise")))),
        render(document("noise")).decode().encode("utf-16"),
        render(document("response names")).replace(b"\\u00fc", "ü".encode()),
        render(document("response names")).replace(b"\\u00fc", "ü".encode("latin-1")),
    ],
    ids=range(36),
)
def test_bytes_of_every_kind_are_judged_alike(data, tmp_path):
    agree(data, tmp_path)


def test_packed_bytes_are_unpacked_up_to_a_limit_by_both(tmp_path, monkeypatch):
    monkeypatch.setattr("tightrope.documents.content._MOST_BYTES", 10**4)
    for module in CHECKERS.values():
        monkeypatch.setattr(module, "MOST_BYTES", 10**4)
    for name in ("noise", "geometric path:0..2"):
        data = render(document(name))
        for blanks, verdict in ((100, HOLDS), (10**6, BAD)):
            assert verdicts(gzip.compress(data + b" " * blanks), tmp_path) == (verdict, verdict)


@pytest.mark.parametrize("text", ['{"x": 1e400}', '{"x": NaN}', '{"x": -Infinity}'])
def test_numbers_that_are_not_finite_are_bad_input_even_with_a_fitting_digest(text, tmp_path):
    changed = document("noise")
    changed["construction"] = json.loads(text)
    data = json.dumps(renewed(changed))
    data = data.replace("Infinity", "1e400") if "e400" in text else data
    assert agree(data.encode(), tmp_path) == BAD


@pytest.mark.parametrize("depth", [200, 450, 700, 950, 2000])
def test_deeply_nested_labels_are_judged_alike(depth, tmp_path):
    changed = document("geometric path:0..2")
    changed["outputs"] = ["a", "b", "DEEP"]
    text = json.dumps(renewed(changed)).replace('"DEEP"', "[" * depth + "]" * depth)
    agree(text.encode(), tmp_path)


@pytest.mark.parametrize(("depth", "verdict"), [(50, HOLDS), (51, BAD), (700, BAD), (950, BAD)])
def test_deeply_nested_labels_of_a_space_are_judged_alike(depth, verdict, tmp_path):
    label = "c"
    for _ in range(min(depth, 300)):  # more only in the text: no digest can be computed of it
        label = [label]
    changed = document("exponential graph")
    size = len(changed["space"]["nodes"])
    changed["space"]["nodes"][size - 1] = label
    text = json.dumps(renewed(changed))
    more = depth - min(depth, 300)
    text = text.replace('"c"', "[" * more + '"c"' + "]" * more)
    assert agree(text.encode(), tmp_path) in ({verdict} if not more else {NO, BAD})


@pytest.mark.parametrize("length", [str(2**53 - 2), str(2**53 - 1), "1/3", "2/6", "0.5", "01"])
def test_lengths_of_edges_are_judged_alike(length, tmp_path):
    changed = document("response categories:3")
    changed["space"] = {"family": "graph", "nodes": ["a", "b", "c"],
                        "edges": [[0, 1, length], [1, 2, "1"]]}
    agree(text_of(changed), tmp_path)


@pytest.mark.parametrize("far", [str(2**60 - 1), str(2**60), f"1/{2**60}", f"1/{2**990}",
                                 f"1/{2**1000}", "-0", "1/3"])
def test_coordinates_are_judged_alike(far, tmp_path):
    changed = document("response categories:3")
    changed["space"] = {"family": "points", "labels": ["a", "b", "c"],
                        "coordinates": [["0"], [far], ["1/7"]]}
    agree(text_of(changed), tmp_path)


@pytest.mark.parametrize("far", [f"{2**999}/{2**999 - 1}", f"1/{2**1000 - 1}", f"1/{2**1000}",
                                 str(2**1000), "1/" + "3" * 302])
def test_distances_and_steps_of_many_digits_are_judged_alike(far, tmp_path):
    changed = document("response categories:3")
    rows = [[far if i != j else "0" for j in range(3)] for i in range(3)]
    for form in ({"family": "matrix", "labels": ["a", "b", "c"], "distances": rows},
                 {"family": "grid", "shape": [3], "step": far, "metric": "euclidean"}):
        changed["space"] = form
        agree(text_of(changed), tmp_path)


def test_kernels_too_large_to_check_are_not_called_bad_input(tmp_path):
    changed = document("kernel path:0..4")
    size = 10_001
    changed["space"] = {"family": "path", "low": 0, "high": size - 1}
    changed["mechanism"]["weights"] = ["1"] * size
    assert agree(text_of(changed), tmp_path) == CANNOT


def test_the_library_and_the_receipt_name_a_broken_pair_and_output(tmp_path):
    for name, row in (("geometric path:0..2", "5 1 1"), ("exponential cycle:4", "5 1 1 9")):
        changed = document(name)
        changed["mechanism"]["rows"][0] = row
        data = text_of(changed)
        assert library_says(data) == NO
        code, report = receipt_says(data, tmp_path)
        assert code == NO
        assert report["intact"] is True
        assert report["holds"] is False
        assert {"first", "second", "outputs", "probabilities"} <= set(report["witness"])


def wide(rows, *, delta="0", epsilon=("1", "0", "1"), size=None):
    """The document of a matrix on a path, with any level."""
    changed = document("geometric path:0..2")
    size = size or len(rows)
    changed["space"] = {"family": "path", "low": 0, "high": size - 1}
    changed["mechanism"] = {"form": "matrix", "rows": rows}
    changed["outputs"] = list(range(len(rows[0].split(" "))))
    rational, coefficient, base = epsilon
    changed["claim"]["epsilon"] = {
        "rational": rational, "coefficient": coefficient, "base": base,
    }
    changed["claim"]["delta"] = delta
    return changed


def apart(bits, rows=2):
    """Rows whose weights reach over so many bits; every other one is turned around."""
    one, other = f"1 1p-{bits - 1}", f"1p-{bits - 1} 1"
    return [(one, other)[y % 2] for y in range(rows)]


@pytest.mark.parametrize("delta", ["0", "1/100", "99/100"])
@pytest.mark.parametrize(("bits", "found"), [(2**18, NO), (2**18 + 1, CANNOT), (8 * 10**6, CANNOT)])
def test_weights_many_bits_apart_are_judged_alike_and_soon(bits, found, delta, tmp_path):
    assert agree(text_of(wide(apart(bits), delta=delta)), tmp_path) == found


def test_the_bits_of_all_rows_together_are_limited_for_both(tmp_path, monkeypatch):
    data = text_of(wide(apart(100, rows=30)))
    for limit, found in ((3000, NO), (2999, CANNOT)):
        monkeypatch.setattr("tightrope.exact.weights.LONGEST_ROWS", limit)
        monkeypatch.setattr(CHECKERS[RECEIPT], "MOST_LENGTHS", limit)
        assert agree(data, tmp_path) == found


def test_ties_with_delta_over_long_totals_are_decided_by_both(tmp_path):
    # P(first two | 0) = 1/2 and P(first two | 1) = 1/5 whatever the small weight is: at e^ε = 2
    # the hockey-stick sum is 1/10, and no approximation of any length can tell
    rows = ["1 1p-200000 1 1p-200000", "1 1p-200000 4 1p-199998"]
    for delta, found in (("1/10", HOLDS), (f"{10**40 - 1}/{10**41}", NO)):
        changed = wide(rows, delta=delta, epsilon=("0", "1", "2"))
        assert agree(text_of(changed), tmp_path) == found


# ln 2 = 0.693147180559945309417232121458176568...: the first level is about 1.8e-1, the second
# below 0, the third ln 2 + 10^30 less a little
CANCELED = [
    ("-693147180559945309417232121458", "1" + "0" * 30, "2", HOLDS),
    ("-693147180559945309417232121459", "1" + "0" * 30, "2", BAD),
    ("693147180559945309417232121459", "1" + "0" * 30, "1/2", HOLDS),
    ("693147180559945309417232121458", "1" + "0" * 30, "1/2", BAD),
    ("-693147180559945309417232121458", "1000001" + "0" * 24, "2", BAD),
    ("1/1" + "0" * 300, "1", "1" + "0" * 299 + "1/1" + "0" * 300, HOLDS),
    ("0", "1001/1000", "1" + "0" * 299 + "1/1" + "0" * 300, HOLDS),
    ("-2/1" + "0" * 300, "1", "1" + "0" * 299 + "1/1" + "0" * 300, BAD),
]


@pytest.mark.parametrize(("rational", "coefficient", "base", "found"), CANCELED)
def test_levels_whose_parts_nearly_cancel_are_judged_alike(
    rational, coefficient, base, found, tmp_path
):
    epsilon = (rational, coefficient, base)
    assert agree(text_of(wide(["1 1 1"] * 3, epsilon=epsilon)), tmp_path) == found
    if found == HOLDS:  # e^ε lies between 1 and 3
        assert agree(text_of(wide(["3 1", "1 3"], epsilon=epsilon)), tmp_path) == NO


@pytest.mark.parametrize(("unit", "found"), [("1/500000", CANNOT), ("1/26215", CANNOT),
                                             ("1/26214", HOLDS)])
def test_kernels_with_long_powers_are_judged_alike(unit, found, tmp_path):
    changed = document("kernel path:0..4")  # 1001 has ten bits, and 2^18 / 10 is 26214.4
    changed["space"]["high"] = 1
    changed["mechanism"] = {"form": "kernel", "ratio": "1001/1000", "unit": unit,
                            "weights": ["1", "1"]}
    changed["claim"]["epsilon"] = {"rational": "500", "coefficient": "0", "base": "1"}
    assert agree(text_of(changed), tmp_path) == found


@pytest.mark.parametrize("nodes", [10**7, 10**7 + 1, 10**15])
def test_sets_of_many_values_are_judged_alike(nodes, tmp_path):
    changed = document("subsets")
    changed["space"] = {"family": "complete", "nodes": nodes}
    for base, found in (("3", HOLDS), ("299/100", NO)):
        changed["claim"]["epsilon"]["base"] = base
        assert agree(text_of(changed), tmp_path) == found


def test_matrices_too_large_to_check_are_not_called_bad_input(tmp_path, monkeypatch):
    monkeypatch.setattr("tightrope.exact.sizes.LARGEST_MATRIX", 8)
    monkeypatch.setattr(CHECKERS[RECEIPT], "MOST_MATRIX", 8)
    data = text_of(document("geometric path:0..2"))
    assert agree(data, tmp_path) == CANNOT
    changed = document("geometric path:0..2")
    changed["mechanism"]["rows"][0] = "5 1 1"
    assert agree(text_of(changed, new_digest=False), tmp_path) == NO  # it was changed
    assert CHECKERS[RECEIPT].main([str(tmp_path / "document"), "--large"]) == NO
    changed = document("geometric path:0..2")
    changed["space"]["high"] = 10**7
    assert agree(text_of(changed), tmp_path) == BAD  # and has too few rows


def test_even_kernels_with_delta_are_judged_alike_where_the_first_two_are_no_neighbors(tmp_path):
    changed = document("kernel product")
    changed["space"] = {"family": "product", "combine": "max", "factors": [
        {"family": "path", "low": 0, "high": 1}, {"family": "cycle", "nodes": 3}]}
    changed["mechanism"]["weights"] = ["1"] * 6
    # 2 against 1 of 7: the sum at e^ε = 3/2 is (2 - 3/2)/7
    for delta, found in (("1/14", HOLDS), ("1/15", NO)):
        changed["claim"] = {"epsilon": {"rational": "0", "coefficient": "1", "base": "3/2"},
                            "delta": delta, "evidence": "kernel"}
        assert agree(text_of(changed), tmp_path) == found


@pytest.mark.parametrize("digits", [20, 100, 400, 2000])
def test_rounded_kernels_that_hardly_fall_are_judged_alike(digits, tmp_path):
    for name in ("rounded kernel", "rounded path"):
        changed = document(name)
        changed["mechanism"]["ratio"] = f"1{'0' * (digits - 1)}1/1{'0' * digits}"
        agree(text_of(changed), tmp_path)


def test_documents_made_from_scratch_are_judged_alike(tmp_path):
    found = {agree(render(generated(seed)), tmp_path) for seed in range(400)}
    assert found == {HOLDS, NO, BAD, CANNOT}


@pytest.mark.parametrize("changes", [
    {"bits": 61}, {"bits": 63}, {"bits": "62"}, {"bits": True}, {"bits": 62.0}, {"bits": None},
    {"weights": ["5 7 5"]}, {"weights": ["5 7 5 7 5"]}, {"weights": ["5 7", "5 7"]},
    {"weights": ["5 7 5 7", "5 7 5 7"]}, {"weights": ["5 7 5 -7"]}, {"weights": ["5 7 5 0x7"]},
    {"weights": ["5 7 5  7"]}, {"weights": ["5 7 5 G"]}, {"weights": [["5", "7", "5", "7"]]},
    {"weights": [5757]}, {"weights": []}, {"weights": "5 7 5 7"}, {"unit": "2"}, {"unit": "1/2"},
    {"weights": [f"5 7 5 {2**62:x}"]}, {"weights": ["0 0 0 0"]},
], ids=repr)
def test_lines_of_a_rounded_kernel_are_what_they_must_be_for_both(changes, tmp_path):
    content = document("rounded path")
    content["mechanism"].update(changes)
    assert verdicts(text_of(content), tmp_path) == (BAD, BAD)


def on_another(space, form):
    """A document of this form on a space that is given by its distances or edges."""
    if form == "matrix":
        return document(f"exponential {space}")
    held, unit = (GIVEN, Fraction(1, 3)) if space == "matrix" else (WEIGHTED, Fraction(1, 4))
    return compose(certified(plain(held, 2, unit), Level.epsilon(20)))


NO_METRICS = [
    [["0", "1", "5/3"], ["4/3", "0", "2"], ["5/3", "2", "0"]],
    [["0", "1", "4"], ["1", "0", "2"], ["4", "2", "0"]],
    [["0", "1/3", "5/3"], ["1/3", "0", "1"], ["5/3", "1", "0"]],
    [["0", "0", "5/3"], ["0", "0", "5/3"], ["5/3", "5/3", "0"]],
    [["1/3", "1", "5/3"], ["1", "0", "2"], ["5/3", "2", "0"]],
    [["0", "-1", "5/3"], ["-1", "0", "2"], ["5/3", "2", "0"]],
    [["0", "1", "inf"], ["1", "0", "2"], ["inf", "2", "0"]],
    [["0", "1", "5/3"], ["1", "0", "2"]],
    [["0", "1", "5/3"], ["1", "0", "2"], ["5/3", "2"]],
]
NO_GRAPHS = [
    [[0, 2, "7/4"], [0, 1, "1/2"], [1, 2, "3/2"]],
    [[0, 1, "1/2"], [0, 1, "1/2"], [1, 2, "3/2"]],
    [[0, 0, "1/2"], [0, 1, "1/2"], [1, 2, "3/2"]],
    [[1, 0, "1/2"], [1, 2, "3/2"]],
    [[0, 1, "0"], [1, 2, "3/2"]], [[0, 1, "-1/2"], [1, 2, "3/2"]],
    [[0, 1, "1/2"], [1, 3, "3/2"]], [[0, 1, "1/2"], [1, 2]], [],
]


@pytest.mark.parametrize("form", ["kernel", "matrix"])
def test_what_is_no_metric_and_no_graph_is_no_space_for_both(form, tmp_path):
    for space, field, wrong in (("matrix", "distances", NO_METRICS), ("graph", "edges", NO_GRAPHS)):
        content = on_another(space, form)
        assert verdicts(text_of(content), tmp_path) == (HOLDS, HOLDS)
        for written in wrong:
            content["space"][field] = written
            assert verdicts(text_of(content), tmp_path) == (BAD, BAD), written


@pytest.mark.parametrize("targets", [
    "0 0 2 3 4", "0 0 2 3 4 5 5", "0 0 2 3 4 6", "0 0 2 3 4 -1", "0 0 2 3 4 x", "", "0 0 2 3 4  5",
])
def test_a_remap_names_an_output_for_every_point_for_both(targets, tmp_path):
    content = document("remapped rounded kernel")
    assert content["mechanism"]["targets"] == "0 0 2 3 4 5"
    content["mechanism"]["targets"] = targets
    assert verdicts(text_of(content), tmp_path) == (BAD, BAD)


@pytest.mark.parametrize(("delta", "verdict"), [("0", NO), ("1/50", CANNOT), ("9/10", HOLDS)])
def test_a_remapped_kernel_is_not_refuted_with_delta_by_what_it_is_without(
    delta, verdict, tmp_path
):
    content = document("remapped kernel")
    epsilon = {"rational": "0", "coefficient": "1", "base": "5/4"}
    content["claim"] = {**content["claim"], "epsilon": epsilon, "delta": delta}
    assert verdicts(text_of(content), tmp_path) == (verdict, verdict)
