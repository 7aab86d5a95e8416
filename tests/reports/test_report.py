"""A report as it is written: its files, what goes in, hostile names, and refusals."""

import csv
import io
import json
import re
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.reports.stage import FORM, ROWS, ask, open_table
from tightrope.declarations import Declaration
from tightrope.documents import digest_of
from tightrope.errors import AnswerIsNo, BadInput, Refused
from tightrope.exact import Level
from tightrope.files import document_bytes
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.releases import count, open_books
from tightrope.reports import report, verify_report
from tightrope.reports.blocks import Paragraph, Picture
from tightrope.reports.contents import Contents
from tightrope.reports.sheets import _plain, cell_text, sheet_name
from tightrope.reports.texts import TEXTS

MINUTE = r"20\d\d-\d\d-\d\d \d\d:\d\d UTC"
QUESTIONS = ("histogram of drug", "count by sex, drug", "mean of age by sex", "mode of drug",
             "quantiles 0.25, 0.75 of age", "distribution of age by sex", "histogram of drug")
HOSTILE = ["<script>alert(1)</script>", "=HYPERLINK(\"http://x\")", "+1", "-2+3", "@SUM(A1)",
           "a|b\\`*", "\"q\", 'r'", "</table></section>", "&amp; & ]]>"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return report(ask(open_table(folder), *QUESTIONS, level=1), folder / "out")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A report of a table whose names and categories are as bad as a declaration allows."""
    folder = tmp_path_factory.mktemp("hostile")
    column = "<img src=x onerror=alert(1)>"
    form = {"dataset": "=cmd|' /C calc'!A0 <b>", "columns": {
        column: {"type": "category", "values": HOSTILE},
        "y": {"type": "category", "values": ["=1+1", "u"]}}}
    table = open_table(folder, form, {column: HOSTILE, "y": ["u"] * len(HOSTILE)})
    name = f"[{column}]"
    releases = ask(table, f"histogram of {name}", f"count by {name}, y", f"mode of {name}",
                   f"count where {name} = '</table></section>'", level=1)
    return report(releases, folder / "out")


class Elements(HTMLParser):
    """All elements with attributes, and all texts."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.append(data)


def elements(made):
    return Elements(made.files["index.html"].decode())


def test_the_folder_has_page_twin_tables_and_documents(made):
    folder = Path(made.folder)
    written = {path.relative_to(folder).as_posix(): path.read_bytes()
               for path in folder.rglob("*") if path.is_file()}
    assert written == made.files
    assert {"index.html", "report.md", "tables.xlsx", "documents/01-release.json",
            "tables/01-histogram-of-drug.csv"} <= {*written}
    assert len(written) == 3 + 2 * len(QUESTIONS)


def test_equal_documents_give_equal_reports(made, tmp_path):
    documents = sorted((Path(made.folder) / "documents").iterdir())
    again = report(documents, tmp_path / "again")
    known = [*made.contents.tables]
    assert again.contents.tables[0].shown == known[0].shown
    assert again.files["tables.xlsx"] == made.files["tables.xlsx"]
    thrice = report(documents, tmp_path / "thrice")
    assert thrice.files == again.files


@pytest.mark.parametrize("kind", ["made", "hostile"])
def test_the_page_runs_and_loads_nothing(kind, request):
    found = elements(request.getfixturevalue(kind))
    allowed = {"html", "head", "meta", "title", "style", "body", "main", "section", "h1", "h2",
               "h3", "p", "ul", "li", "a", "pre", "code", "figure", "figcaption", "div", "table",
               "caption", "thead", "tbody", "tr", "th", "td", "small", "svg", "g", "path", "defs",
               "clippath", "rect", "use", "text"}
    assert {tag for tag, _ in found.tags} <= allowed
    links = [value for _, attributes in found.tags for key, value in attributes.items()
             if key in ("href", "src", "action")]
    assert all(re.fullmatch(r"#[\w-]+|[\w./-]+", link) for link in links)
    assert not [key for _, attributes in found.tags for key in attributes if key.startswith("on")]
    page = request.getfixturevalue(kind).files["index.html"].decode()
    assert "url(http" not in page
    assert "@import" not in page


def test_ids_are_used_once_and_all_links_in_pictures_lead_somewhere(made):
    found = elements(made)
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len({*ids})
    withheld = [all(answer.value is None for answer in made.contents.questions[place].answers)
                for place in (2, 5)]  # the mean and the distribution by sex, whatever was drawn
    assert sum(tag == "svg" for tag, _ in found.tags) == 6 - sum(withheld)
    uses = [attributes["href"] for tag, attributes in found.tags if tag == "use"]
    clips = re.findall(r"url\(#([^)]*)\)", made.files["index.html"].decode())
    assert uses
    assert {use.removeprefix("#") for use in uses} | {*clips} <= {*ids}


def test_tables_have_captions_and_headings_have_scopes(made):
    found = elements(made)
    tags = [tag for tag, _ in found.tags]
    assert tags.count("caption") == tags.count("table") == len(made.contents.tables)
    assert all("scope" in attributes for tag, attributes in found.tags if tag == "th")
    pictures = [attributes for tag, attributes in found.tags if tag == "svg"]
    assert all(len(attributes["aria-label"]) > 20 for attributes in pictures)


def test_hostile_names_are_shown_as_they_are(hostile):
    texts = " ".join(elements(hostile).texts)
    for name in HOSTILE:
        assert name in texts
    assert verify_report(hostile.folder).holds


def test_no_text_of_a_declaration_is_a_formula(hostile):
    name = "tables/01-histogram-of-img-src-x-onerror-alert-1.csv"
    rows = [*csv.reader(io.StringIO(hostile.files[name].decode(), newline=""))]
    assert [row[0] for row in rows[1:]] == [
        f"'{name}" if name[0] in "=+-@" else name for name in HOSTILE]
    book = load_workbook(io.BytesIO(hostile.files["tables.xlsx"]))
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert {*HOSTILE} <= {cell.value for cell in cells}


def test_sheets_have_names_that_workbooks_allow(hostile):
    book = load_workbook(io.BytesIO(hostile.files["tables.xlsx"]))
    assert book.sheetnames[0] == "Overview"
    assert all(len(name) <= 31 and not re.search(r"[\[\]:*?/\\']", name)
               for name in book.sheetnames)
    assert len({*map(str.lower, book.sheetnames)}) == len(book.sheetnames) == 5
    assert sheet_name("1 " + "x" * 50) == "1 " + "x" * 29


def test_csv_is_what_others_read(made):
    raw = made.files["tables/02-count-by-sex-drug.csv"]
    rows = [*csv.reader(io.StringIO(raw.decode(), newline=""), strict=True)]
    answers = made.contents.questions[1].answers
    assert rows[0] == ["sex", "drug", "answer", "low", "high", "note"]
    assert [[*answer.cell, str(answer.value), str(answer.low), str(answer.high),
             answer.note or ""] for answer in answers] == rows[1:]
    assert raw.endswith(b"\r\n")
    assert raw.count(b"\r\n") == len(rows)


@pytest.mark.parametrize(("value", "text"), [
    ("=1", "'=1"), (" =1", "' =1"), ("\uff1d1", "'\uff1d1"), ("-x", "'-x"), (-5, "-5"), ("", ""),
    (0.1, "0.1"), (None, ""), ("1=1", "1=1")])
def test_texts_that_spreadsheets_would_run_have_an_apostrophe(value, text):
    assert cell_text(value) == text


def test_controls_of_direction_are_refused_by_declarations_and_escaped_on_the_page(tmp_path):
    from tightrope.markup import written

    assert written("a\u202eb\x07") == "a\\u202eb\\x07"
    with pytest.raises(BadInput, match="control character"):
        open_table(tmp_path, {**FORM, "dataset": "x\u202ey"})


def forged(document, change, digest=True):
    form = json.loads(document.read_bytes())
    change(form)
    if digest:
        form["digest"] = digest_of(form)
    document.write_text(json.dumps(form))


@pytest.mark.parametrize("digest", [True, False])
def test_a_document_that_does_not_hold_is_refused_and_nothing_is_written(tmp_path, digest):
    (release,) = ask(open_table(tmp_path), "count by sex", level=1)
    document = tmp_path / "count.json"
    document.write_bytes(document_bytes(release, document))

    def change(form):
        form["answers"][0]["value"] += 1

    forged(document, change, digest)
    with pytest.raises(AnswerIsNo, match="does not hold, and no report is made of it"):
        report([document], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_a_report_is_refused_in_a_sentence(tmp_path):
    (release,) = ask(open_table(tmp_path), "count", level=1)
    for given, sentence in (
        ([], "at least one released document"),
        ([release, release], "is the same release as another one"),
        (tmp_path / "none.json", "there is no file"),
        (tmp_path / "books.sqlite", "books.sqlite"),
    ):
        with pytest.raises(BadInput, match=sentence):
            report(given, tmp_path / "out")
    with pytest.raises(Refused, match="nothing was booked"):
        report(count(ROWS, epsilon=1), tmp_path / "out")
    with pytest.raises(BadInput, match="name a new folder"):
        report(release, tmp_path)
    assert not (tmp_path / "out").exists()


def test_a_level_is_told_as_odds_and_as_a_test(made):
    text = made.files["report.md"].decode()
    # e and seven times that, rounded up; 0.05 e, and 1 - 0.95/e^7
    assert "| ε = 1 | 2.72 | 13.6 % |" in text
    assert "| all together | ε = 7 | 1,096.64 | 100 % |" in text
    assert "even odds become at most 1,096.64 to 1" in text
    assert "the factor counts twice: at most 10^7 to 1" in text  # e^14 is 1.2 million


def test_levels_of_other_datasets_are_not_added_up_and_the_largest_is_told_as_odds(tmp_path):
    (tmp_path / "other").mkdir()
    (first,) = ask(open_table(tmp_path), "count", level=2)
    (second,) = ask(open_table(tmp_path / "other", {**FORM, "dataset": "other"}), "count", level=1)
    for given in ([first, second], [second, first]):
        text = report(given, tmp_path / f"{given[0] is first}").files["report.md"].decode()
        assert "all together" not in text
        assert "even odds become at most 7.39 to 1" in text.replace("\\", "")
        assert "| 2.72 |" in text


def test_the_budget_is_told_before_and_after(made):
    text = made.files["report.md"].decode()
    assert re.search(rf"\| b \| 2 \| {MINUTE} \| ε = 0 \| ε = 1 \| ε = 1 \|", text)
    assert re.search(rf"\| b \| 14 \| {MINUTE} \| ε = 6 \| ε = 1 \| ε = 7 \|", text)


@pytest.mark.parametrize(("question", "words"), [
    ("quantiles 0.25, 0.75 of age", "Points are answers."),
    ("histogram of drug", "lines their 95 % intervals.")])
def test_words_below_a_picture_name_intervals_where_there_are_any(made, question, words):
    number = QUESTIONS.index(question)
    (section,) = [section for section in made.contents.plain_sections
                  if section.anchor == f"question-{number + 1}"]
    (picture,) = [block for block in section.blocks if isinstance(block, Picture)]
    assert picture.words.endswith(words)


def test_cells_that_are_mostly_noise_are_explained_below_their_table(made):
    """Eight rows at ε = 1: no cell of six is surely above 0."""
    sections = {section.anchor: section for section in made.contents.plain_sections}
    blocks = sections["question-2"].blocks
    marked = any(cell.noisy for row in blocks[0].rows for cell in row)
    words = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert any(text.startswith("Shaded cells with a dagger (†)") for text in words) is marked
    assert marked


@pytest.fixture(scope="module")
def keyed(tmp_path_factory):
    """A report of keys that nobody declared, 30 and 60 of them, at (ε, δ)."""
    folder = tmp_path_factory.mktemp("keyed")
    form = {"dataset": "d", "columns": {"x": {"type": "text"}, "y": {"type": "text"}}}
    rows = {"x": [f"k{n:02d}" for n in range(30) for _ in range(40)],
            "y": [f"k{n:02d}" for n in range(60) for _ in range(20)]}
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget("b", Scope.of(Declaration.of(form)),
                              Level.epsilon(9).with_delta("0.01")))
    table = open_books(rows, form, ledger=ledger, budget="b")
    return report([table.ask(f"count by {name}", 4, delta="0.001") for name in "xy"],
                  folder / "out")


def test_very_many_keys_have_a_table_and_no_picture(keyed):
    assert [len(question.answers) for question in keyed.contents.questions] == [30, 60]
    pictures = [attributes["aria-label"] for tag, attributes in elements(keyed).tags
                if tag == "svg"]
    assert [words.partition(":")[0] for words in pictures] == ["Picture of the answers to “count "
                                                               "by x”"]


def test_with_delta_the_odds_have_no_bound_and_the_best_test_has_one(keyed):
    text = keyed.files["report.md"].decode()
    # 1 - 0.949 e^-4 = 0.98262, below e^4 0.05 + 0.001
    assert "| ε = 4, δ = 0.001 | no bound | 98.3 % |" in text
    assert "Where δ is above 0, no factor bounds the odds in every case" in text
    assert "Somebody knows everything else" not in text
    assert verify_report(keyed.folder).holds


def test_numbers_of_sheets_have_fifteen_digits():
    assert _plain(Fraction(2, 3)) == 0.666666666666667
    assert _plain(Fraction(10**16 + 1)) == 10**16 + 1


def test_every_sentence_is_used_and_filled(made):
    source = "".join(path.read_text() for path in (
        Path(__file__).parents[2] / "src" / "tightrope" / "reports").glob("*.py"))
    listed = {key for key in TEXTS if not key.startswith("column-")}
    assert [key for key in listed if source.count(f'"{key}"') < 2] == []
    assert not re.search(r"\{\w+\}", made.files["report.md"].decode())


def test_a_translation_is_another_table_of_texts(made, monkeypatch):
    """Every text of the report's own, replaced by its key: no English of its own is left."""
    for key, text in TEXTS.items():
        fields = "".join(f" {{{name}}}" for name in re.findall(r"\{(\w+)\}", text))
        monkeypatch.setitem(TEXTS, key, f"«{key}»{fields}")
    contents = Contents(made.contents.documents)
    heads = [section.title for section in contents.sections(pictures=False)]
    numbered = [head for head in heads if head[0].isdigit()]
    assert all(head.startswith("«") for head in heads if head not in numbered)
    cells = [cell for table in contents.tables for row in table.shown[1:] for cell in row]
    assert "«all»" in cells
    assert not [cell for cell in cells if re.fullmatch(r"[^«]*\d to [^«]*\d\)?", cell)]
    assert contents.title == f"«title» {contents.datasets}"


def test_the_first_two_years_of_a_question_have_a_difference(made):
    assert len(made.contents.changes) == 1
    change = made.contents.changes[0].difference
    table = made.contents.tables[-3].shown
    assert [row[1].removesuffix(" †") for row in table[1:]] == [
        str(answer.value) for answer in change.answers]


def test_years_that_cannot_be_held_against_each_other_say_why(tmp_path):
    (first,) = ask(open_table(tmp_path), "count by sex", level=1)
    form = {**FORM, "unit": {"person": "who"}}
    other = open_table(tmp_path, form, {**ROWS, "who": [*range(8)]}, "other").ask("count by sex", 1)
    made = report([first, other], tmp_path / "out")
    assert "No change is shown for “count by sex”" in made.files["report.md"].decode()
    assert verify_report(tmp_path / "out").holds


@pytest.mark.parametrize(("question", "second"), [("people by sex", True), ("people", False)])
def test_a_picture_says_which_of_its_lines_are_thin(tmp_path, question, second):
    form = {**FORM, "unit": {"person": "who", "rows": 2, "cells": 1}}
    opened = open_table(tmp_path, form, {**ROWS, "who": [1, 1, 2, 2, 3, 3, 4, 4]})
    made = report(ask(opened, question, "count by sex", level=1), tmp_path / "out")
    pictures = [block.words for section in made.contents.sections() for block in section.blocks
                if isinstance(block, Picture)]
    assert len(pictures) == 1 + second
    assert all("thin lines are those for the mean over all draws" in below for below in pictures)


def test_a_picture_of_what_no_draw_changes_has_no_thin_lines(made):
    pictures = [block.words for section in made.contents.sections() for block in section.blocks
                if isinstance(block, Picture)]
    assert pictures
    assert not any("thin" in below for below in pictures)
