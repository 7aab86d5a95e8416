"""What is no document is refused where it is read, and what is one is read, up to each limit."""

import gzip
import json

import pytest

from tests.documents.judges import CHECKERS, RECEIPT, renewed, text_of
from tests.documents.samples import document
from tightrope.documents import accept, label_from_json, read
from tightrope.documents.reading import prove_optimality
from tightrope.errors import BadDocument, CannotCheck, NotIntact
from tightrope.exact import sizes

MATRIX, KERNEL, ROUNDED, REMAPPED, TABLE = (
    "geometric path:0..2", "kernel path:0..4", "rounded kernel", "remapped kernel",
    "table of kernels")
ONE_LINE = "rounded path"


def with_law(name, **changes):
    content = document(name)
    content["mechanism"].update(changes)
    return content


def without(name, field):
    content = document(name)
    del content[field]
    return content


ROWS = document(MATRIX)["mechanism"]["rows"]
LINES = document(ROUNDED)["mechanism"]["weights"]


@pytest.mark.parametrize("content", [
    *(document(MATRIX) | {"version": wrong} for wrong in (1, 3, 0, True, 2.0, "2", None)),
    *(document(MATRIX) | {"format": wrong} for wrong in ("tightrope/release", None, 1)),
    *(without(MATRIX, field) for field in (
        "format", "version", "space", "outputs", "mechanism", "claim", "optimality")),
    document(MATRIX) | {"outputs": []}, document(MATRIX) | {"outputs": "points"},
    document(MATRIX) | {"outputs": [0, 1, 0]}, document(MATRIX) | {"outputs": {}},
    document(MATRIX) | {"neighbors": None}, document(MATRIX) | {"neighbors": 1},
    document("exponential points") | {"neighbors": "some"},
    document(MATRIX) | {"construction": "geometric"}, document(MATRIX) | {"construction": [1]},
    document(MATRIX) | {"construction": {"name": "a\x1bb"}},
    document(MATRIX) | {"space": {"family": "graphs", "nodes": 4}},
    document(KERNEL) | {"space": {"family": "graphs", "nodes": 4}},
    document(KERNEL) | {"outputs": [0, 1, 2, 3, 4]},
    with_law(MATRIX, rows=ROWS[:2]), with_law(MATRIX, rows=[*ROWS, ROWS[0]]),
    with_law(MATRIX, rows=[*ROWS[:2], "1 1"]), with_law(MATRIX, rows=[*ROWS[:2], "1 1 g"]),
    with_law(MATRIX, rows=[*ROWS[:2], "1 1 1p"]), with_law(MATRIX, rows=[*ROWS[:2], 1]),
    with_law(MATRIX, rows=[*ROWS[:2], "1p8000001 1 1"]),
    with_law(MATRIX, rows=[*ROWS[:2], "1p0 1p0 1p-8000001"]),
    with_law(KERNEL, unit="2"), with_law(KERNEL, ratio="2.0"), with_law(KERNEL, unit="0"),
    with_law(ROUNDED, weights=LINES[:2]), with_law(ROUNDED, weights=[*LINES, LINES[0]]),
    with_law(ROUNDED, weights=[*LINES[:2], LINES[2].split(" ")[0]]),
    with_law(ROUNDED, weights=[*LINES[:2], LINES[2] + " 1"]),
    with_law(ROUNDED, weights=[*LINES[:2], "1 G"]), with_law(ROUNDED, weights=[*LINES[:2], None]),
    *(with_law(ROUNDED, bits=wrong) for wrong in (61, 63, 62.0, "62", None)),
    with_law(REMAPPED, kernel={**document(REMAPPED)["mechanism"]["kernel"], "form": "matrix"}),
    *(with_law(REMAPPED, targets=wrong) for wrong in (
        "0 1 2", "0 1 2 3 3", "0 1 2 4", "0 1 2 x", "0,1,2,3", "", [0, 1, 2, 3])),
    *(with_law(TABLE, rows=wrong) for wrong in (True, -1, "6", 6.0, 10**15 + 1)),
])
def test_what_is_no_document_is_refused_in_a_sentence(content):
    with pytest.raises(BadDocument) as refused:
        read(text_of(content))
    assert str(refused.value).isprintable()
    assert "digest" not in str(refused.value)
    if "format" in content and content["format"] == "tightrope/mechanism":
        digest = document(MATRIX)["digest"]
        with pytest.raises((NotIntact, BadDocument)):
            read(text_of(content | {"digest": digest}, new_digest=False))


@pytest.mark.parametrize("claim", [
    {"evidence": "kernel"}, {"evidence": "theorem"}, {"evidence": "proof"}, {"evidence": None},
    {"delta": "1"}, {"delta": "-1/2"}, {"delta": 0}, {"delta": None}, {"epsilon": {}},
    {"epsilon": {"rational": "-1", "coefficient": "0", "base": "1"}},
    {"epsilon": {"rational": "0", "coefficient": "1", "base": "1/2"}},
    {"epsilon": {"rational": "1", "coefficient": "0"}}])
def test_a_claim_is_a_level_with_the_evidence_of_its_form(claim):
    content = document(MATRIX)
    content["claim"].update(claim)
    with pytest.raises(BadDocument):
        read(text_of(content))


def test_a_delta_needs_neighbors():
    content = document("exponential points")
    content["claim"]["delta"] = "1/10"
    with pytest.raises(BadDocument, match="needs neighbors"):
        read(text_of(content))


def test_fields_may_stand_in_any_order():
    content = document("exponential points")
    turned = {key: content[key] for key in reversed(content)}
    turned["space"] = {key: content["space"][key] for key in reversed(content["space"])}
    assert read(json.dumps(turned).encode()).intact


def test_a_matrix_larger_than_is_checked_is_left_open_and_not_called_bad(monkeypatch):
    data = text_of(document(MATRIX))
    monkeypatch.setattr(sizes, "LARGEST_MATRIX", 9)
    assert accept(read(data)).mechanism.space.size == 3
    monkeypatch.setattr(sizes, "LARGEST_MATRIX", 8)
    with pytest.raises(CannotCheck, match="3 times 3 entries"):
        read(data)
    with pytest.raises(BadDocument, match="expected 3 rows"):
        read(text_of(with_law(MATRIX, rows=ROWS[:2])))


def test_without_a_claim_there_is_no_optimality_to_prove():
    with pytest.raises(CannotCheck, match="does not say"):
        prove_optimality(read(text_of(document(MATRIX))))


def nested(depth, inner=0):
    for _ in range(depth):
        inner = [inner]
    return inner


def test_labels_are_as_deep_for_the_library_as_for_the_receipt():
    receipt = CHECKERS[RECEIPT]
    assert label_from_json(nested(50)) == receipt.labels([nested(50)])[0]
    with pytest.raises(BadDocument):
        label_from_json(nested(51))
    with pytest.raises(receipt.Malformed):
        receipt.labels([nested(51)])


@pytest.mark.parametrize(("inner", "more"), [(0, 0), ([], 0), ({"a": 0}, 1), ([0, [0], 0], 2)])
def test_documents_are_as_deep_for_the_library_as_for_the_receipt(inner, more, tmp_path):
    """The document, its construction and what that holds are three; a list is one each, and one
    that holds nothing is like a number."""
    receipt = CHECKERS[RECEIPT]
    for depth, fine in ((497 - more, True), (498 - more, False)):
        content = document(MATRIX) | {"construction": {"name": nested(depth, inner)}}
        file = tmp_path / "m.json"
        file.write_bytes(text_of(content))
        if fine:
            assert read(file.read_bytes()).construction == content["construction"]
            assert receipt.read(str(file)) == renewed(content)
        else:
            with pytest.raises(BadDocument, match="nested too deep"):
                read(file.read_bytes())
            with pytest.raises(receipt.Malformed, match="nested too deep"):
                receipt.read(str(file))


def test_a_file_is_read_up_to_its_limit_packed_or_not(monkeypatch):
    data = text_of(document(MATRIX))
    for size, fine in ((len(data), True), (len(data) - 1, False)):
        monkeypatch.setattr("tightrope.documents.content._MOST_BYTES", size)
        for given in (data, gzip.compress(data)):
            if fine:
                assert read(given).intact
            else:
                with pytest.raises(BadDocument, match="more than"):
                    read(given)


@pytest.mark.parametrize("data", [
    b"", b"[]", b"1", b"{", b'{"a": 1, "a": 1}', b'{"a": NaN}', b'{"a": 1e999}', b'{"a": "\xff"}',
    b"\x1f\x8b", b"\x1f\x8bnot packed", gzip.compress(b"{}", mtime=0)[:-3], b'{"a": Infinity}'])
def test_what_is_no_json_object_is_no_document(data):
    with pytest.raises(BadDocument):
        read(data)


def test_weights_are_read_with_and_without_exponents():
    """A row where all have one is read another way than one where some do."""
    content = document(MATRIX)
    laws = []
    for rows in (["4 1 1", "2 2 2", "1 1 4"], ["1p2 2p-1 10p-4", "1p1 1p1 1p1", "1p0 1p0 4p0"],
                 ["1p2 1 1p0", "2 1p1 10p-3", "1 1 1p2"]):
        content["mechanism"]["rows"] = rows
        laws.append(read(text_of(content)).mechanism)
    assert [[law.row_at(i) for i in range(3)] for law in laws[1:]] == [
        [laws[0].row_at(i) for i in range(3)]] * 2
