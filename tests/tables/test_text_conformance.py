"""All readers of CSV and TSV text see the same rows and cells, those of the written rule.

The rule is in docs/concepts/reading-rows.md; `rows_of` here follows it, character by character
and apart from the library.
"""

import gzip

import pyarrow.parquet as pq
import pytest

from tightrope import Level
from tightrope.curves import curve
from tightrope.declarations import CutKey, Declaration, Tally
from tightrope.errors import BadInput
from tightrope.files import splitter
from tightrope.files.sheets import read_sheet
from tightrope.locations.formats import read_rows
from tightrope.tables import (
    NodeSet,
    declared_nodes,
    estimate_column,
    open_source,
    read_edges,
    sanitize,
)
from tightrope.tables.graphs import rows_of_edges

NAMES = ("a", "b", "c")
REPLACED = "\ufffd"
SURE = Level.ratio(10**30)
LINES = {
    "plain": b"1,2,3",
    "open quote": b'"1,2,3',
    "open quote last": b'1,2,"3',
    "only a quote": b'"',
    "three quotes": b'"""',
    "empty quotes": b'"","",""',
    "quotes within": b'"a""b",""""," ""x"" "',
    "stray quote": b'a"b,c"",d"',
    "after the end": b'"a"b,"c" ,"d""e"f',
    "quoted delimiter": b'"1,2",3,4',
    "blank before a quote": b'1, "2",3',
    "short": b"1",
    "shorter": b",",
    "long": b'1,2,3,4,"5',
    "long open": b'1,2,3,4"5,"',
    "empty": b"",
    "blank": b"  ",
    "delimiters": b",,",
    "mark of UTF-8": b"\xef\xbb\xbf1,2,3",
    "mark of UTF-16": b"\xff\xfe1,2,3",
    "UTF-16": "1,2,3".encode("utf-16-le"),
    "other mark": b"\xfe\xff,\xfe\xff,",
    "zero": b"\0,a\0b,\0",
    "no UTF-8": b"\xff,a\xe9b,\xc3",
    "surrogate": b"\xed\xa0\x80,2,3",
    "other ends": "1\u2028,2\x85,\x0b\x0c\x1c\x1d\x1e3".encode(),
    "escapes": rb'\",\,,\n',
    "long cell": b"x" * 300_000 + b",2,3",
    "long open cell": b'1,"' + b"y," * 150_000,
    "many cells": b",".join([b"1"] * 50_000),
    "words": b"NA,null,NaN",
    "formula": b"=1+1,#2,'3",
}


def lines_of(content):
    """Lines end with a line feed, a carriage return, or both."""
    lines, line, at = [], b"", 0
    while at < len(content):
        both = content[at : at + 2] == b"\r\n"
        if both or content[at : at + 1] in (b"\n", b"\r"):
            lines.append(line)
            line, at = b"", at + (2 if both else 1)
        else:
            stop = min((place for place in (content.find(b"\n", at), content.find(b"\r", at))
                        if place >= 0), default=len(content))
            line, at = content[at:stop], stop
    return lines + [line] * bool(line)


def cells_of(line, mark):
    """A cell that begins with a quote ends with the next single quote, or with its line."""
    cells, at = [], 0
    while True:
        cell = []
        if line[at : at + 1] == '"':
            at += 1
            while at < len(line):
                if line[at] == '"' and line[at : at + 2] != '""':
                    at += 1
                    break
                cell.append(line[at])
                at += 2 if line[at] == '"' else 1
        stop = line.find(mark, at)
        cell.append(line[at:] if stop < 0 else line[at:stop])
        cells.append("".join(cell))
        if stop < 0:
            return cells
        at = stop + 1


def rows_of(content, width, mark=","):
    """The rows of text without a line of names; empty cells are missing."""
    lines = [line.decode(errors="replace") for line in lines_of(content)]
    wide = [[*cells_of(line, mark), *[""] * width][:width] for line in lines if line or width == 1]
    return [[cell or None for cell in row] for row in wide]


def by_release(file, names):
    declared = Declaration.of({"dataset": "d", "columns": {
        name: {"type": "category", "values": ["1"]} for name in names}})
    return [list(row) for batch in open_source(file, declared).batches(names) for row in zip(
        *(batch.columns[name].to_pylist() for name in names), strict=True)]


def by_sanitize(file, names):
    """The columns in clear; the column of text to randomize is the last, and empty."""
    target = file.parent / "out.parquet"
    sanitize(file, {names[-1]: "1/2"}, 1, output=target, force=True)
    held = pq.read_table(target).select(list(names[:-1])).to_pylist()
    return [[cell or None for cell in row.values()] for row in held]


def by_locate(file, names):
    """Each column is kept once, while the two others are read as positions."""
    kept = [read_rows(file, *[other for other in names if other != name], [name]).columns[name]
            for name in names]
    return [list(row) for row in zip(*(column.to_pylist() for column in kept), strict=True)]


def by_network(file, names):
    _, rows = rows_of_edges(file, header=True)
    wide = [[*(cell.decode(errors="replace") for cell in row), *[""] * len(names)] for row in rows]
    return [[cell or None for cell in row[: len(names)]] for row in wide]


def bare(rows):
    """Ids of nodes have no white space around them."""
    return [[None if cell is None else cell.strip(" \t\n\r\v\f") or None for cell in row]
            for row in rows]


@pytest.fixture(params=["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def end(request):
    return request.param.encode()


def written(folder, lines, end, ending="csv"):
    """A file with these rows, and what comes below its line of names."""
    body = end.join(lines) + end
    whole = ",".join(NAMES).encode() + end + body
    if ending.startswith("tsv"):
        whole, body = (text.replace(b",", b"\t") for text in (whole, body))
    file = folder / f"t.{ending}"
    file.write_bytes(gzip.compress(whole) if ending.endswith("gz") else whole)
    return file, body


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_every_reader_sees_the_rows_and_cells_of_the_rule(tmp_path, end, ending):
    mark = "\t" if ending == "tsv" else ","
    for name, line in {**LINES, "all": end.join(LINES.values())}.items():
        file, body = written(tmp_path, [b"0,0,0", line, b"9,9,9"], end, ending)
        rows = rows_of(body, 3, mark)
        assert by_release(file, NAMES) == rows, name
        assert by_locate(file, NAMES) == rows, name
        assert by_sanitize(file, NAMES) == [row[:2] for row in rows], name
        assert by_network(file, NAMES) == bare(rows), name


@pytest.mark.parametrize("ending", ["csv.gz", "tsv.gz"])
def test_compressed_text_is_read_alike(tmp_path, end, ending):
    file, body = written(tmp_path, [b"0,0,0", *LINES.values()], end, ending)
    assert by_release(file, NAMES) == rows_of(body, 3, "\t" if ending == "tsv.gz" else ",")


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1000])
def test_where_a_file_is_cut_into_blocks_does_not_show(tmp_path, end, size, monkeypatch):
    monkeypatch.setattr(splitter, "BLOCK_BYTES", size)
    short = [line for line in LINES.values() if len(line) < 100]
    file, body = written(tmp_path, short, end)
    rows = rows_of(body, 3)
    assert by_release(file, NAMES) == by_locate(file, NAMES) == rows
    assert by_sanitize(file, NAMES) == [row[:2] for row in rows]


def test_one_column_has_a_row_in_each_line(tmp_path, end):
    file = tmp_path / "t.csv"
    for line in LINES.values():
        body = b"0" + end + line + end + end + b"9"
        file.write_bytes(b"a" + end + body)
        assert by_release(file, ("a",)) == rows_of(body, 1)
        sanitize(file, {"a": "1/2"}, 1, output=tmp_path / "one.csv", force=True)
        assert len(lines_of((tmp_path / "one.csv").read_bytes())) == len(rows_of(body, 1)) + 1


def test_curves_add_up_the_cells_of_the_rule(tmp_path, end):
    file, body = written(tmp_path, [b"2,2,2", *LINES.values()], end)
    rows = rows_of(body, 3)
    released = curve(file, 500, columns=list(NAMES), people=len(rows), low=0, high=9, missing=0,
                     resolution=1)
    declared = Declaration.of({"dataset": "d", "columns": {name: {
        "type": "number", "low": 0, "high": 9, "resolution": 1, "missing": 0} for name in NAMES}})
    cells = {name: [row[place] for row in rows] for place, name in enumerate(NAMES)}
    expected = open_source(cells, declared).tallies(
        (Tally(declared, measures=NAMES),), CutKey(bytes(32)))[0].sums
    assert released.totals == tuple(int(column[0]) for column in expected)
    assert min(released.totals) > 2


def test_estimates_count_the_cells_of_the_rule(tmp_path, end):
    values = ("1", "2", "3", "x,y", 'q"')
    lines = [b"1,2,3", b'"1",2,3', b'"1', b'2,"3', b'"x,y",1', b'"x,y', b'"q""",2', b"3,,,,,",
             b"", b'3,"', b'"q"""']
    file, body = written(tmp_path, lines, end)
    done = sanitize(["1"], "/".join(values), SURE)
    found = estimate_column(file, "a", done.columns[0])
    rows = [row[0] for row in rows_of(body, 3)]
    assert rows.count("x,y") == 2
    for row in found.rows:
        assert round(row.estimate * len(rows)) == rows.count(row.value), row.value
    assert found.n == len(rows)


def test_the_first_line_of_edges_is_a_row_unless_it_is_said_to_hold_names(tmp_path, end):
    file, nodes = tmp_path / "g.csv", NodeSet(["1", "2", "3"])
    for name, line in LINES.items():
        file.write_bytes(line + end + b"2,3" + end)
        rows = bare(rows_of(file.read_bytes().removeprefix(b"\xef\xbb\xbf"), 2))
        expected = {(min(row), max(row)) for row in rows if {*row} <= {"1", "2", "3"}
                    and row[0] != row[1]}
        for header in (False, True):
            edges = read_edges(file, nodes, header=header)
            pairs = {(str(a + 1), str(b + 1)) for a, b in zip(edges.first, edges.second,
                                                              strict=True)}
            assert pairs == ({("2", "3")} if header else expected), name


def test_lists_of_nodes_are_refused_or_have_the_same_cells(tmp_path, end):
    file = tmp_path / "n.csv"
    for name, line in LINES.items():
        body = b'"1,x",2' + end + line + end + end + b'"""q""",4' + end
        file.write_bytes(body)
        expected = tuple(row[0] for row in bare(rows_of(body, 1)) if row[0])
        try:
            assert declared_nodes(str(file)).ids == tuple(dict.fromkeys(expected)), name
        except BadInput:
            first = cells_of(line.decode(errors="replace"), ",")[0]
            assert line[:1] == b'"' or REPLACED in first, name


def test_only_the_column_of_nodes_is_judged(tmp_path):
    file = tmp_path / "people.csv"
    file.write_bytes(b'id,word\n1,"open\n2,\xff\n')
    assert declared_nodes(f"{file}:id").ids == ("1", "2")
    file.write_bytes(b'id,word\n"1" x,a\n2,b\n')
    with pytest.raises(BadInput, match="quotes that end with their cell"):
        declared_nodes(f"{file}:id")


@pytest.mark.parametrize("name", LINES)
def test_public_tables_are_refused_or_have_the_same_cells(tmp_path, name):
    file = tmp_path / "m.csv"
    file.write_bytes(b"0,0,0\n" + LINES[name] + b"\n9,9,9\n")
    try:
        sheet = read_sheet(file)
    except BadInput:
        return
    rows = [[cell and (cell.strip() or None) for cell in row]
            for row in rows_of(file.read_bytes(), sheet.width)]
    assert [list(row) for row in sheet.rows] == rows
    assert name not in ("open quote", "open quote last", "only a quote", "three quotes")


def test_a_line_break_in_a_public_cell_is_refused(tmp_path):
    (tmp_path / "m.csv").write_text('0.5,"0.\n5"\n0.5,0.5\n')
    with pytest.raises(BadInput, match="each row in a line of its own"):
        read_sheet(tmp_path / "m.csv")


def test_the_reference_follows_the_rule_itself():
    assert lines_of(b"a\r\n\r\rb\n\nc") == [b"a", b"", b"", b"b", b"", b"c"]
    assert cells_of('a,"b, ""c"" d",,"e,f', ",") == ["a", 'b, "c" d', "", "e,f"]
    assert rows_of(b'"",x,y,z\n\n"a"b', 2) == [[None, "x"], ["ab", None]]
    assert rows_of(b"a\n\n\xff", 1) == [["a"], [None], [REPLACED]]
