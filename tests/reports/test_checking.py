"""Checking a report: every value in every table, whatever is added or hidden, and the ledger."""

import io
import json
import re
import shutil
import zipfile
from contextvars import ContextVar
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from openpyxl import load_workbook

from tests.reports.stage import ask, open_table
from tightrope.documents import digest_of
from tightrope.errors import BadInput
from tightrope.files import read_folder
from tightrope.ledger import Ledger
from tightrope.releases import Question
from tightrope.reports import (
    checking,
    page,
    prose,
    readers,
    report,
    texts,
    verify_report,
)
from tightrope.reports.contents import Contents
from tightrope.reports.pictures import empty_svg
from tightrope.reports.readers import workbook_sheets

CELL = re.compile(r"(<(?:td|th)(?: [^>]*)?>)([^<]+)|(<small>)([^<]+)|(<caption>)([^<]+)")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A report on every kind of table, and its ledger."""
    folder = tmp_path_factory.mktemp("report")
    table = open_table(folder)
    releases = ask(table, "histogram of drug", "histogram of sex and drug", "mean of age by sex",
                   "mode of drug", "histogram of drug", level=1)
    releases.append(table.ask(Question.read("count by sex, drug", adjusted=True), "0.01"))
    report(releases, folder / "out")
    return folder / "out"


@pytest.fixture
def folder(original, tmp_path):
    return Path(shutil.copytree(original, tmp_path / "out"))


def change(path, old, new, number=1):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, number), encoding="utf-8")


@pytest.fixture(scope="module")
def contents(original):
    """The contents of the report, and its files."""
    documents, wrong = checking._documents(files := read_folder(original), sorted(
        name for name in files if name.startswith("documents/")))
    assert not wrong
    return Contents(documents), files


def faults(folder, **options):
    return verify_report(folder, **options).faults


def test_a_report_as_it_was_written_holds(folder):
    verdict = verify_report(folder)
    assert verdict.holds
    assert verdict.documents == 6
    assert repr(verdict).startswith("ReportVerdict: Everything that documents can prove holds: 6 "
                                    "documents, and ")
    assert "Only the data holder can check: that what was drawn" in repr(verdict)


def test_a_ledger_that_holds_the_entries_is_part_of_the_verdict(folder, original):
    verdict = verify_report(folder, ledger=original.parent / "books.sqlite")
    assert verdict.holds
    assert "6 documents with ledger entries" in repr(verdict)


def test_an_export_holds_the_entries_and_the_chain_is_left_to_whoever_has_the_key(
    folder, original, tmp_path
):
    with Ledger(original.parent / "books.sqlite") as ledger:
        lines = [json.dumps(record.as_json()) for record in ledger.records()]
    books = tmp_path / "books.jsonl"
    books.write_text("\n".join(lines))
    verdict = verify_report(folder, ledger=books)
    assert verdict.holds
    assert [text.partition(" ")[2][:24] for text in verdict.only_holder] == [
        "no records were cut off ", "what was drawn is around", "every record follows fro"]
    known = verify_report(folder, ledger=books, key=original.parent / "books.sqlite.key")
    assert not any("follows" in text for text in known.only_holder)
    books.write_text("\n".join([*lines[:3], *lines[4:]]))
    assert faults(folder, ledger=books) == (
        "the ledger: record 4 does not follow from those before it",)


def test_a_release_that_was_superseded_is_named_and_the_report_holds(tmp_path):
    wrong, right = ask(open_table(tmp_path), "count where sex = 'f'", "count", level=1)
    report(wrong, tmp_path / "old")
    report(right, tmp_path / "new")
    books = tmp_path / "books.sqlite"
    Ledger(books).supersede(wrong.booked.entry.number, right.booked.entry.number,
                                 "a wrong filter")
    verdict = verify_report(tmp_path / "old", ledger=books)
    assert verdict.holds
    assert [each.shown for each in verdict.superseded] == [
        "entry 2 was superseded by entry 4: a wrong filter"]
    assert "superseded by entry 4: a wrong filter" in repr(verdict)
    assert verify_report(tmp_path / "new", ledger=books).superseded == ()
    assert "was not superseded (--ledger)" in repr(verify_report(tmp_path / "old"))


def test_a_ledger_without_the_entries_is_a_fault(folder, tmp_path):
    open_table(tmp_path)
    assert faults(folder, ledger=tmp_path / "books.sqlite") == (
        "the ledger: the entry that a release prints is not in the books",)


@pytest.mark.slow
def test_every_cell_of_the_page_that_is_changed_is_named(contents):
    known, files = contents
    text = files["index.html"].decode()
    body = text.index("<main>")
    places = [*CELL.finditer(text, body)]
    assert len(places) > 150
    unnoticed = []
    for match in places:
        group = next(k for k in (2, 4, 6) if match[k])
        cell = match[group]
        other = re.sub(r"\d", lambda d: str((int(d[0]) + 1) % 10), cell, count=1)
        other = other if other != cell else cell + "x"
        page = text[:match.start(group)] + other + text[match.end(group):]
        named = [*checking._page({**files, "index.html": page.encode()}, known)]
        if len(named) != 1 or not named[0].startswith("index.html, table “"):
            unnoticed.append((cell, named))
    assert unnoticed == []


def test_every_cell_of_the_markdown_text_that_is_changed_is_named(contents):
    known, files = contents
    text = files["report.md"].decode()
    places = [match for line in re.finditer(r"(?m)^\|.*\|$", text) if ":--" not in line[0]
              for match in re.finditer(r"(?<=\| )[^|\n]+(?= \|)", line[0])
              for match in [line.start() + match.start()]]
    assert len(places) > 150
    for start in places:
        twin = text[:start] + "7" + text[start:]
        (fault,) = checking._twin({**files, "report.md": twin.encode()}, known)
        assert fault.startswith("report.md, table “")


def test_every_cell_of_a_csv_file_that_is_changed_is_named(contents):
    known, files = contents
    for file in (name for name in files if name.startswith("tables/")):
        lines = files[file].decode().split("\r\n")[:-1]
        for row, line in enumerate(lines):
            for column, cell in enumerate(line.split(",")):
                cells = line.split(",")
                cells[column] = f"{cell}1"
                changed = "".join(f"{text}\r\n" for text in (
                    *lines[:row], ",".join(cells), *lines[row + 1:])).encode()
                (fault,) = checking._csv({**files, file: changed}, known)
                assert fault == (f"{file}, row {row + 1}, column {column + 1}: found "
                                 f"{cell + '1'!r}, the documents say {cell!r}")


@pytest.mark.slow
def test_every_cell_of_the_workbook_that_is_changed_is_named(contents):
    known, files = contents
    raw = files["tables.xlsx"]
    book = load_workbook(io.BytesIO(raw))
    places = [(sheet.title, cell.coordinate) for sheet in book.worksheets
              for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert len(places) > 100
    for name, place in places:
        book = load_workbook(io.BytesIO(raw))
        cell = book[name][place]
        cell.value = cell.value + 1 if not isinstance(cell.value, str) else cell.value + "1"
        book.save(buffer := io.BytesIO())
        (fault,) = checking._workbook({**files, "tables.xlsx": buffer.getvalue()}, known)
        where = f"row {cell.row}, column {cell.column}"
        assert fault.startswith(f"tables.xlsx, sheet {name!r}, {where}")


def test_a_workbook_that_was_saved_again_is_another_file(contents):
    known, files = contents
    load_workbook(io.BytesIO(files["tables.xlsx"])).save(buffer := io.BytesIO())
    assert [*checking._workbook({**files, "tables.xlsx": buffer.getvalue()}, known)] == [
        "tables.xlsx: it is not written as a report writes it"]


def rewritten(raw, change):
    """The workbook with other XML in its parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            new.writestr(info, change(name, old.read(name)))
    return made.getvalue()


def spelled_otherwise(_, part):
    """The same XML as another writer spells it, which names itself."""
    empty = re.sub(rb"<([\w:]+)((?: [^<>]*?)?) */>", rb"<\1\2></\1>", part)
    named = empty.replace(b"</Properties>", b"<Application>Other 9</Application></Properties>")
    return b'<?xml version="1.0"?>\n' + re.sub(rb"<\?xml[^>]*>\s*", b"", named)


XML_TRICKS = {
    "white text": (b"<font>", b'<font><color rgb="FFFFFFFF"/>'),
    "wide column": (b"<sheetData>", b'<cols><col min="1" max="1" width="200"/></cols><sheetData>'),
    "comment field": (b"<dc:creator>", b"<dc:description>5,000</dc:description><dc:creator>"),
    "other theme": (b'<a:sysClr val="windowText" lastClr="000000"/>', b'<a:srgbClr val="FFFFFF"/>'),
}


def test_a_workbook_is_judged_by_its_xml_and_not_by_its_spelling(contents):
    known, files = contents
    raw = rewritten(files["tables.xlsx"], spelled_otherwise)
    assert raw != files["tables.xlsx"]
    assert not [*checking._workbook({**files, "tables.xlsx": raw}, known)]


@pytest.mark.parametrize(("old", "new"), XML_TRICKS.values(), ids=XML_TRICKS)
def test_a_workbook_that_may_show_otherwise_is_refused(contents, old, new):
    known, files = contents
    raw = rewritten(files["tables.xlsx"], lambda _, part: part.replace(old, new))
    assert raw != files["tables.xlsx"]
    assert [*checking._workbook({**files, "tables.xlsx": raw}, known)] == [
        "tables.xlsx: it is not written as a report writes it"]


@pytest.mark.parametrize("part", ["_rels/.rels", "docProps/app.xml", "docProps/core.xml"])
@pytest.mark.parametrize("broken", [b"<", b"\xff", b"<?xml?>", b""])
def test_a_part_that_is_no_xml_is_a_fault(contents, part, broken):
    known, files = contents
    whole = files["tables.xlsx"]
    for raw in (rewritten(whole, lambda name, xml: broken if name == part else xml),
                whole.replace(rewritten_part(whole, part), bytes(20), 1)):
        assert raw != whole
        assert [*checking._workbook({**files, "tables.xlsx": raw}, known)]


def rewritten_part(raw, part):
    """Some bytes of a part, which its checksum no longer fits where they are changed."""
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        return archive.read(part)[-20:]


@pytest.mark.parametrize("extra", [b"0", b"\n", b"PK\x05\x06" + bytes(18)])
def test_bytes_after_the_workbook_are_refused(contents, extra):
    known, files = contents
    for raw in (files["tables.xlsx"] + extra, extra + files["tables.xlsx"]):
        assert [*checking._workbook({**files, "tables.xlsx": raw}, known)]


HIDDEN = {
    "hidden row": lambda book: setattr(book.worksheets[1].row_dimensions[2], "hidden", True),
    "hidden column": lambda book: setattr(
        book.worksheets[1].column_dimensions["B"], "hidden", True),
    "hidden sheet": lambda book: setattr(book.worksheets[2], "sheet_state", "hidden"),
    "number format": lambda book: setattr(book.worksheets[1]["B2"], "number_format", '"99"'),
    "formula": lambda book: setattr(book.worksheets[1]["B2"], "value", "=1+1"),
    "merged": lambda book: book.worksheets[1].merge_cells("A2:B2"),
    "extra sheet": lambda book: book.create_sheet("More"),
    "extra row": lambda book: book.worksheets[1].append([1, 2, 3]),
    "missing row": lambda book: book.worksheets[1].delete_rows(3),
    "other name": lambda book: setattr(book.worksheets[1], "title", "Other"),
}


@pytest.mark.parametrize("hide", HIDDEN.values(), ids=HIDDEN)
def test_a_workbook_that_shows_otherwise_is_refused(contents, hide):
    known, files = contents
    book = load_workbook(io.BytesIO(files["tables.xlsx"]))
    hide(book)
    book.save(buffer := io.BytesIO())
    named = [*checking._workbook({**files, "tables.xlsx": buffer.getvalue()}, known)]
    assert named
    assert all(fault.startswith("tables.xlsx") for fault in named)


def test_a_workbook_that_is_damaged_or_has_parts_of_its_own_is_refused(folder):
    book = folder / "tables.xlsx"
    raw = book.read_bytes()
    with zipfile.ZipFile(book, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"x")
    assert "xl/vbaProject.bin, which no report has" in faults(folder)[0]
    for damaged in (b"", b"x" * 100, raw[:500], raw[:-30]):
        book.write_bytes(damaged)
        assert faults(folder) == ("tables.xlsx: it is no workbook that can be read",)


PAGE_TRICKS = {
    "extra table": ("</main>", "<table class=\"list\"><tbody><tr><td>9</td></tr></tbody></table>"
                    "</main>"),
    "nested table": ("<td>", "<td><table><tr><td>1</td></tr></table>"),
    "hidden table": ("<table class=\"list\">", "<table class=\"list\" hidden=\"\">"),
    "style of a cell": ("<td>", "<td style=\"display:none\">"),
    "style of a row": ("<tr>", "<tr style=\"color:white\">"),
    "class of a cell": ("<td>", "<td class=\"noisy\">"),
    "another style": ("td.noisy{", "td{font-size:0}td.noisy{"),
    "second style": ("<main>", "<style>td{display:none}</style><main>"),
    "script": ("</main>", "<script>1</script></main>"),
    "handler": ("<main>", "<main onclick=\"x()\">"),
    "comment": ("<td>", "<!-- <td> --><td>"),
    "comment of browsers": ("<td>", "<!--><td>--><td>"),
    "template": ("<main>", "<template></template><main>"),
    "frame": ("<main>", "<iframe src=\"x\"></iframe><main>"),
    "image": ("<main>", "<img src=\"x.png\"><main>"),
    "link": ("<main>", "<main><a href=\"https://example.org\">x</a>"),
    "base": ("<title>", "<base href=\"https://example.org\"><title>"),
    "no policy": ("default-src 'none'; ", ""),
    "text between cells": ("<tbody>", "<tbody>123"),
    "cell outside a row": ("<thead>", "<td>4</td><thead>"),
    "row twice": ("<tbody>\n", "<tbody>\n<tr><th scope=\"row\">1</th></tr>\n"),
    "unclosed": ("</section>", ""),
    "quotes of another kind": ("<section id=\"brief\">", "<section id='brief'>"),
    "upper case": ("<tbody>", "<TBODY>"),
    "picture with a document": ("<defs>", "<foreignObject><p>1</p></foreignObject><defs>"),
    "picture that is moved": ("<svg role", "<svg style=\"position:fixed\" role"),
    "turned direction": ("<p>", "<p>\u202e"),
    "column spans": ("<th scope=\"col\">", "<th scope=\"col\" colspan=\"2\">"),
    "swapped headings": ("<th scope=\"row\">", "<td scope=\"row\">"),
    "details": ("<main>", "<details></details><main>"),
    "row in a paragraph": ("</h1>", "</h1><p>women 5,000</p>"),
    "row in a list": ("</h1>", "</h1><ul><li>men: 12</li></ul>"),
    "row in two pieces": ("</h1>", "</h1><p>women <strong>5,000</strong></p>"),
    "rows by breaks": ("</h1>", "</h1><p>Counts of people by sex<br>f 5<br>m 6</p>"),
    "columns of blanks": ("</h1>", "</h1><p>all women of the clinic\u00a0\u00a05,000</p>"),
    "columns of lines": ("</h1>", "</h1><p>all women of the clinic │ 5,000</p>"),
    "digits of another script": ("</h1>", "</h1><p>women ٥٠٠</p>"),
    "more numbers than words": ("</h1>", "</h1><p>counts of all drugs 1 2 3 4 5</p>"),
    "typed table": ("</h1>", "</h1><pre><code>all women of the clinic 5</code></pre>"),
    "another title": ("<title>Private statistics of", "<title>5,000 of"),
    "heading": ("</h1>", "</h1><h2>women 5,000</h2>"),
}


@pytest.mark.parametrize(("old", "new"), PAGE_TRICKS.values(), ids=PAGE_TRICKS)
def test_a_page_that_shows_otherwise_is_refused(contents, old, new):
    known, files = contents
    text = files["index.html"].decode()
    assert old in text
    page = text.replace(old, new, 1).encode()
    named = [*checking._page({**files, "index.html": page}, known)]
    assert named
    assert all(fault.startswith("index.html") for fault in named)


WRITTEN = sorted((Path(__file__).parent / "written").iterdir())
"""Reports as earlier versions wrote them, by version: none is ever written anew."""


@pytest.mark.parametrize("folder", WRITTEN, ids=lambda folder: folder.name)
def test_a_report_of_an_earlier_version_holds(folder):
    verdict = verify_report(folder)
    assert not verdict.faults
    assert verdict.documents == 4


def test_the_style_of_today_is_one_of_those_that_are_kept():
    assert sha256(page.STYLE.encode()).hexdigest() in page.STYLES


def test_a_report_holds_after_the_style_has_changed(folder, monkeypatch):
    later = page.STYLE.replace("60rem", "70rem")
    assert later != page.STYLE
    monkeypatch.setattr(page, "STYLE", later)
    monkeypatch.setattr(readers, "STYLES", page.STYLES | {sha256(later.encode()).hexdigest()})
    assert verify_report(folder).holds


OTHER_WORDS = {
    "title": "Statistics of {datasets}, with privacy", "brief-caption": "Questions",
    "caption": "{question} [{unit}]", "column-answer": "value", "column-budget": "account",
    "overview": "All", "sheet": "{number}. {question}", "all": "total", "sure": "Errors"}
"""Texts as a later version could have them."""


def speak(monkeypatch, words, earlier=()):
    """Let the program have these words, and know those of earlier versions."""
    monkeypatch.setattr(texts, "TEXTS", words)
    monkeypatch.setattr(texts, "_WORDS", ContextVar("words", default=words))
    monkeypatch.setattr(checking, "EARLIER", earlier)


def test_a_report_holds_after_captions_and_names_have_changed(folder, monkeypatch):
    before = {key: texts.TEXTS[key] for key in OTHER_WORDS if key in texts.TEXTS}
    assert len(before) > 7
    later = {**texts.TEXTS, **OTHER_WORDS}
    speak(monkeypatch, later)
    assert len(faults(folder)) > 20
    middle = {"column-answer": "figure"}
    speak(monkeypatch, later, (middle, before))
    assert verify_report(folder).holds
    change(folder / "report.md", "| answer |", "| figure |")  # of two versions, it is of none
    assert not verify_report(folder).holds


def test_words_of_an_earlier_version_change_no_number(folder, monkeypatch):
    before = {key: texts.TEXTS[key] for key in OTHER_WORDS if key in texts.TEXTS}
    speak(monkeypatch, {**texts.TEXTS, **OTHER_WORDS}, (before,))
    file = folder / "tables" / "01-histogram-of-drug.csv"
    raw = file.read_bytes()
    row = raw.split(b"\r\n")[1]
    file.write_bytes(raw.replace(row, row.replace(b",", b",1", 1)))
    assert any("01-histogram-of-drug.csv, row 2" in fault for fault in faults(folder))


HIDING = ["td.noisy{display:none}", "td{font-size:0}", "td::after{content:'9'}",
          "td{color:var(--paper)}", "tr{display:flex;flex-direction:row-reverse}",
          "</style><style>td{display:none}"]


@pytest.mark.parametrize("rule", HIDING)
def test_a_style_that_no_version_had_is_refused(folder, rule):
    whole = (folder / "index.html").read_text(encoding="utf-8")
    for old, new in (("</style>", f"{rule}</style>"), ("<style>", f"<style>{rule}"),
                     (page.STYLE, rule)):
        assert whole.count(old) == 1
        (folder / "index.html").write_text(whole.replace(old, new), encoding="utf-8")
        assert faults(folder) == (
            "index.html: its style is none that reports have, up to the version of this program",)


def test_a_table_taken_away_is_named(folder):
    text = (folder / "index.html").read_text(encoding="utf-8")
    start = text.index("<table", text.index("<table") + 1)
    end = text.index("</table>", start) + len("</table>")
    (folder / "index.html").write_text(text[:start] + text[end:], encoding="utf-8")
    assert "index.html: it has 10 tables, expected 11" in faults(folder)


def test_sentences_may_be_changed(folder):
    letter = "In 2026 the clinic asked these questions about all of its patients."
    change(folder / "index.html", "</h1>",
           f"</h1>\n<p>Dear board &amp; friends,</p>\n<p>{letter}</p>")
    change(folder / "report.md", "# Private", f"Dear board,\n\n{letter}\n\n# Private")
    assert verify_report(folder).holds


@pytest.mark.parametrize(("old", "new"), [
    ("## How to check", "| a | b |\n|---|---|\n| 1 | 2 |\n\n## How to check"),
    ("## How to check", "a | b\n--|--\n1 | 2\n\n## How to check"),
    ("## How to check", "<table><tr><td>1</td></tr></table>\n\n## How to check"),
    ("## How to check", "<!--\n\n## How to check"),
    ("| :-- |", "| :-- | --: |"),
    ("## How to check", "women 5,000\n\n## How to check"),
    ("## How to check", "- women: 5,000\n\n## How to check"),
    ("## How to check", "7. women\n\n## How to check"),
    ("## How to check", "    all women of the clinic 5,000\n\n## How to check"),
    ("## How to check", "```\n\n## How to check"),
    ("## How to check", "![women](women.png)\n\n## How to check"),
    ("## How to check", "all women of the clinic &#124; 5,000\n\n## How to check"),
    ("## How to check", "all women of the clinic\t5,000\n\n## How to check"),
    ("## How to check", "all women of the clinic\r5,000\n\n## How to check"),
    (" |\n\n", " |\nall women and men of the clinic\n\n"),
    ("**Questions and their errors**", "**Questions**"),
    ("**Questions and their errors**\n\n", "**Questions and their errors**\n\n\n"),
])
def test_a_markdown_text_with_other_tables_is_refused(contents, old, new):
    known, files = contents
    text = files["report.md"].decode()
    assert old in text
    named = [*checking._twin({**files, "report.md": text.replace(old, new, 1).encode()}, known)]
    assert named
    assert all(fault.startswith("report.md") for fault in named)


def test_files_that_are_missing_or_too_many_are_named(folder):
    (folder / "report.md").unlink()
    (folder / "tables" / "99-more.csv").write_text("1")
    (folder / ".DS_Store").write_text("x")
    assert faults(folder) == ("report.md is missing", "tables/99-more.csv is no part of the report")


def test_rows_of_csv_that_are_missing_or_too_many_are_named(folder):
    file = folder / "tables" / "01-histogram-of-drug.csv"
    raw = file.read_bytes()
    file.write_bytes(raw + b"d,1,1,1,\r\n")
    assert faults(folder) == (f"tables/{file.name}: it has 5 rows, expected 4",)
    file.write_bytes(raw.replace(b"\r\n", b"\n"))
    assert faults(folder) == (f"tables/{file.name}: it is not written as a report writes it",)


def test_a_document_that_was_changed_is_named(folder):
    document = folder / "documents" / "01-release.json"
    form = json.loads(document.read_text())
    form["answers"][0]["value"] += 1
    form["digest"] = digest_of(form)
    document.write_text(json.dumps(form))
    (fault,) = faults(folder)
    assert fault.startswith("documents/01-release.json does not hold")
    document.write_text("{}")
    assert "documents/01-release.json" in faults(folder)[0]


def test_a_document_by_another_name_is_a_fault(folder):
    document = folder / "documents" / "01-release.json"
    document.rename(document.with_suffix(".txt"))
    assert "documents/01-release.txt is not written as a report writes a document" in faults(folder)


def test_a_digit_that_changes_no_number_of_a_document_is_refused(folder):
    document = folder / "documents" / "01-release.json"
    text = document.read_text()
    longest = max(re.findall(r": ([0-9]+\.[0-9]+)", text), key=len)
    document.write_text(text.replace(longest, f"{longest}0"))
    assert faults(folder) == (
        "documents/01-release.json is not written as a report writes a document",)


def test_documents_in_another_order_or_twice_are_faults(folder):
    first, second = sorted((folder / "documents").iterdir())[:2]
    raw = first.read_bytes(), second.read_bytes()
    first.write_bytes(raw[1])
    second.write_bytes(raw[0])
    assert any("the documents say" in fault for fault in faults(folder))
    second.write_bytes(raw[1])
    assert faults(folder) == ("two documents are the same release",)


def test_links_and_folders_without_a_report_are_refused(folder, tmp_path):
    with pytest.raises(BadInput, match="holds no report"):
        verify_report(tmp_path / "out" / "tables")
    with pytest.raises(BadInput, match="is no folder"):
        verify_report(folder / "index.html")
    (folder / "more").symlink_to(tmp_path)
    with pytest.raises(BadInput, match="is a link"):
        verify_report(folder)


def test_a_changed_byte_is_refused_or_stands_in_a_sentence(contents):
    known, files = contents
    random = Random(32)
    compare = {"index.html": checking._page, "report.md": checking._twin,
               "tables.xlsx": checking._workbook}
    for name, judge in compare.items():
        raw = files[name]
        free = [*_free(raw.decode())] if name != "tables.xlsx" else []
        for _ in range(60):
            place = random.randrange(len(raw))
            other = bytes([random.choice([*{*b"0123456789abz |<"} - {raw[place]}])])
            changed = raw[:place] + other + raw[place + 1:]
            if not [*judge({**files, name: changed}, known)]:
                assert any(first <= place < last for first, last in free), (name, place, other)


@pytest.mark.parametrize(("old", "new"), [
    ('<table class="list">', '<table class="words">'), ('<div class="box" tabindex="0">', "<div>"),
    ('<div class="box" tabindex="0">', '<div class="box" tabindex="7">'),
    ('<div class="box"', '<div class="noisy"'), ('id="question-2"', 'id="question-1"'),
    ('id="budget"', 'id="picture-1-clip"'), ('<section id="files">', "<section>"),
])
def test_a_page_whose_elements_are_named_otherwise_is_refused(folder, old, new):
    change(folder / "index.html", old, new)
    (fault,) = faults(folder)
    assert re.search("marked or ordered otherwise|has an element|named or ordered otherwise", fault)


def _free(text):
    """Where the bytes outside tables are; of a page, those of words and pictures."""
    page = r"(?:<table.*?</table>|<[^<>]*>)+|^.*<body>"
    end = 0
    for fixed in [*re.finditer(page if "<table" in text else r"\*\*[^\n]*\n\n(\|[^\n]*\n)+", text,
                               re.S), None]:
        begin = fixed.start() if fixed else len(text)
        yield len(text[:end].encode()), len(text[:begin].encode())
        end = fixed.end() if fixed else begin
    for picture in re.finditer("<svg.*?</svg>", text, re.S):
        yield len(text[:picture.start()].encode()), len(text[:picture.end()].encode())


@pytest.mark.parametrize("name", ["index.html", "report.md"])
def test_a_number_in_a_sentence_of_the_report_may_not_be_another(contents, name):
    known, files = contents
    judge = checking._page if name == "index.html" else checking._twin
    text = files[name].decode()
    for place in [found.start() for found in re.finditer(r"(?<=within )[0-9](?=\.)", text)][:8]:
        changed = text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1:]
        (fault,) = judge({**files, name: changed.encode()}, known)
        assert "another number" in fault


def test_a_folder_is_a_report_if_it_has_documents_and_one_of_the_files_that_show_them(folder):
    for kept in ("index.html", "report.md", "tables.xlsx"):
        other = folder.with_name(f"only-{kept}")
        shutil.copytree(folder, other)
        for name in {"index.html", "report.md", "tables.xlsx"} - {kept}:
            (other / name).unlink()
        assert len([fault for fault in faults(other) if fault.endswith("is missing")]) == 2
    (other / kept).unlink()
    with pytest.raises(BadInput, match="holds no report"):
        verify_report(other)
    shutil.rmtree(folder / "documents")
    with pytest.raises(BadInput, match="holds no report"):
        verify_report(folder)


def test_a_document_that_does_not_hold_ends_the_check(folder):
    (folder / "documents" / "01-release.json").write_text("{}")
    verdict = verify_report(folder, ledger=folder.parent / "no-such.sqlite")
    assert (len(verdict.faults), verdict.values, verdict.holds) == (1, 0, False)


def test_of_many_faults_twenty_are_named_and_the_others_counted(folder):
    for number in range(25):
        (folder / f"more-{number}.txt").write_text("")
    text = repr(verify_report(folder))
    assert text.startswith("ReportVerdict: The report does not hold: 25 faults.")
    assert text.count("is no part of the report") == 20
    assert re.search(r"more +5\b", text)
    for number in range(5):
        (folder / f"more-{number}.txt").unlink()
    assert not re.search(r"\bmore +\d", repr(verify_report(folder)))


def test_a_check_says_what_only_the_holder_can_know(original):
    drawn = "that what was drawn is around the statistic of the data"
    alone = verify_report(original).only_holder
    assert (len(alone), alone[0]) == (2, drawn)
    assert "(--ledger)" in alone[1]
    beside = verify_report(original, ledger=original.parent / "books.sqlite").only_holder
    assert beside == (drawn,)  # the head that this client kept shows that nothing was cut off


def _named_range(book):
    from openpyxl.workbook.defined_name import DefinedName

    book.defined_names["total"] = DefinedName("total", attr_text="Overview!$A$1")


def _shaded_by_rule(book):
    from openpyxl.formatting.rule import CellIsRule
    from openpyxl.styles import Font

    book.worksheets[1].conditional_formatting.add(
        "A1:Z9", CellIsRule(operator="greaterThan", formula=["0"], font=Font(color="FFFFFF")))


@pytest.mark.parametrize(("change", "reason"), [
    (_named_range, "names or charts"), (_shaded_by_rule, "hides or merges"),
    (lambda book: setattr(book.worksheets[1]["B2"], "number_format", "0;0;0"), "no plain number"),
], ids=["names", "rules", "format"])
def test_a_workbook_whose_cells_could_show_otherwise_says_so(contents, change, reason):
    _, files = contents
    change(book := load_workbook(io.BytesIO(files["tables.xlsx"])))
    book.save(buffer := io.BytesIO())
    with pytest.raises(readers.OddPage, match=reason):
        workbook_sheets(buffer.getvalue())


def test_a_workbook_with_a_part_twice_or_too_large_is_refused(contents, monkeypatch):
    _, files = contents
    book = io.BytesIO(files["tables.xlsx"])
    with zipfile.ZipFile(book, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("xl/styles.xml", archive.read("xl/styles.xml"))
    with pytest.raises(readers.OddPage, match="a part twice"):
        workbook_sheets(book.getvalue())
    monkeypatch.setattr(readers, "_MOST_BYTES", 1000)
    with pytest.raises(readers.OddPage, match="too large"):
        workbook_sheets(files["tables.xlsx"])


@pytest.mark.parametrize(("body", "reason"), [
    ("<section>", "is not closed"), ("<p>a</p></p>", "closes nothing"),
    ("<section id>", "has an element"), ('<a href="a"><a href="b">b</a>a</a>', "named"),
    ('<a href="a">b</a>', "named otherwise"), ('<a href="c">c</a>', "has an element"),
    ('<a href="a">a</a></a>', "closes nothing"), ('<a href="a"><a href="#x">x</a></a>', "named"),
    ('<div class="box" tabindex="0"><table class="list"></table></div>', "a table has an element"),
    ('<figure><svg role="img"></svg></figure>', "a picture has an element"),
], ids=lambda text: text[:40])
def test_a_part_that_no_report_has_is_refused_with_its_reason(body, reason):
    with pytest.raises(readers.OddPage, match=reason):
        readers.read_parts(body, frozenset({"a", "b"}))


def test_a_link_to_a_file_bears_its_name():
    (lines,) = readers.read_parts(
        '<p>see <a href="a">a</a> or <a href="#b">below</a></p>', frozenset({"a"})).outline.lines
    assert lines == [(0, "see a or below")]


@pytest.mark.parametrize(("inside", "holds"), [
    ('<path style="fill: none" d=""></path>', True), ('<use href="#m"></use>', True),
    ('<use href="a"></use>', False), ('<path onload="x()"></path>', False),
    ('<path style="fill: none; position: fixed"></path>', False), ("<image></image>", False),
    ('<g class="box"></g>', False), ("<svg></svg>", False),
])
def test_a_picture_has_elements_of_its_own_kind_inside_its_place(inside, holds):
    picture = empty_svg("words").replace("</svg>", f"{inside}</svg>")
    body = f"<main><section><figure>{picture}</figure></section></main>"
    if holds:
        assert readers.read_parts(body).outline.marks == ["section ", "svg words"]
        return
    with pytest.raises(readers.OddPage):
        readers.read_parts(body, frozenset())


KNOWN = ("error: within 3 rows.", "sum: within 5 rows.", "Rows were read.")


@pytest.mark.parametrize(("lines", "odd"), [
    (KNOWN, 0), (KNOWN[1:], 0), (KNOWN[::-1], 1), ((*KNOWN, KNOWN[0]), 1), ((KNOWN[2],) * 2, 0),
    (("error: within ½ rows.",), 1), (("error: within −3 rows.",), 1),
    (("error: within 3 000 rows.",), 1), (("There are 3 rows in all.",), 0),
    (("Of all 3 of 9 rows.",), 0), (("all rows here of 3 4 5",), 0),
    (("all rows here of 3 4 5 6",), 1),
    (("all rows are here: 3  4",), 1), (("women five",), 0), (("women 5",), 1),
])
def test_a_line_with_a_number_is_known_in_its_place_or_a_sentence(lines, odd):
    assert len([*prose.odd_lines(enumerate(lines), KNOWN)]) == odd


@pytest.mark.parametrize("line", [
    "[a](b)", "![a][b]", "[a]: b", "see https://example.org", "    code", "\tcode", "```", "~~~",
    "  $$", "a\u202eb", "7. women", "**women** 5",
])
def test_a_line_of_markdown_that_could_show_otherwise_is_refused(line):
    assert len([*prose.odd_markdown([(1, line)], ())]) == 1
    assert not [*prose.odd_markdown([(1, line)], (line,))] or line == "a\u202eb"


@pytest.mark.parametrize(("text", "reason"), [
    ("# t\n\n**c**\n\n| a |\nb", "line 6 follows a table"),
    ("# t\n\n**c**\n| a |", "line 4 begins a table"), ("| a |", "line 1 begins a table"),
    ("a | b", "line 1 could be a table"),
    ("**c**\n\n| a |\n\n| b |", "line 5 begins a table"),
])
def test_a_table_of_markdown_stands_alone_below_its_caption(text, reason):
    with pytest.raises(readers.OddPage, match=reason):
        readers.twin_parts(text)
