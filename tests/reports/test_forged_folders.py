"""Folders that somebody changed so that a reader sees another value: every one is refused."""

import re
import shutil

import pytest

from tests.reports.stage import ask, open_table
from tightrope.files import read_folder
from tightrope.reports import report, verify_report

PAGE, TWIN = "index.html", "report.md"


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Two reports of a table, of one ledger, with some questions in common."""
    folder = tmp_path_factory.mktemp("forged")
    table = open_table(folder)
    first = [*ask(table, "histogram of drug"), *ask(table, "histogram of age", level=2),
             *ask(table, "histogram of sex and drug", level="0.5")]
    second = ask(table, "histogram of drug", "histogram of age", level="0.01")
    report(first, folder / "first")
    report(second, folder / "second")
    report([*first, *second], folder / "both")
    return folder


@pytest.fixture
def forge(folders, tmp_path):
    """Refuse, or not, the first report after a change of the texts of a file or of all files."""
    def changed(change):
        out = tmp_path / "out"
        shutil.copytree(folders / "first", out)
        assert verify_report(out).holds
        before = read_folder(out)
        change(out)
        assert read_folder(out) != before
        return verify_report(out)
    return changed


def edit(name, old, new, *, number=1, start=""):
    """A change of a text: the first `old` after `start`."""
    def change(out):
        path = out / name
        text = path.read_bytes().decode()
        begin = text.index(start)
        assert old in text[begin:]
        path.write_bytes((text[:begin] + text[begin:].replace(old, new, number)).encode())
    return change


def swap(name, pattern, first=0, second=1):
    """A change of places of two matches."""
    def change(out):
        path = out / name
        text = path.read_bytes().decode()
        matches = [*re.finditer(pattern, text, re.S)]
        here, there = matches[first], matches[second]
        assert here[0] != there[0]
        path.write_bytes((text[:here.start()] + there[0] + text[here.end():there.start()]
                          + here[0] + text[there.end():]).encode())
    return change


def wrap(before, after, pattern):
    """A change that puts the first match between two texts."""
    def change(out):
        path = out / PAGE
        text = path.read_text(encoding="utf-8")
        match = re.search(pattern, text, re.S)
        path.write_text(text[:match.start()] + before + match[0] + after + text[match.end():],
                        encoding="utf-8")
    return change


def rename(out):
    """The documents in the order of the report, one by a name that states a number."""
    place = next(out.glob("documents/02-*"))
    place.rename(place.with_name("02-women: 5,000.json"))


TABLE = r'<div class="box" tabindex="0">.*?</table></div>'
FIGURE = r"<svg .*?</svg>"
FORGERIES = {
    "value of the page alone": edit(PAGE, "<td>5</td>", "<td>6</td>"),
    "value of the Markdown alone": edit(TWIN, "| a | 5 |", "| a | 6 |"),
    "value of the CSV alone": edit("tables/01-histogram-of-drug.csv", "a,5", "a,6"),
    "number respelled": edit(PAGE, "<td>5</td>", "<td>5.0</td>"),
    "number with another minus": edit("tables/03-histogram-of-sex-and-drug.csv", "f,a,", "f,a,+"),
    "blank in a number": edit(TWIN, "| a | ", "| a |  "),
    "fewer intervals": edit(PAGE, "95 % intervals", "99 % intervals"),
    "less noise": edit(PAGE, "within 2 rows at once", "within ½ rows at once"),
    "a sign before an error": edit(PAGE, "within 2 rows", "within −2 rows"),
    "an error as a power": edit(TWIN, "within 2 rows", "within 2·10⁻³ rows"),
    "errors of two questions swapped": swap(PAGE, r"<li>all cells: [^<]*</li>", 1, 2),
    "errors of two questions swapped in Markdown": swap(TWIN, r"- all cells: [^\n]*", 1, 2),
    "mechanisms of two questions swapped": swap(PAGE, r"<li>Mechanism: [^<]*</li>"),
    "tables of two questions swapped": swap(PAGE, TABLE, 1, 2),
    "a blank in an error": edit(PAGE, "within 2 rows", "within 0 2 rows"),
    "table twice": wrap('<div class="box" tabindex="0"><table class="list"></table></div>', "",
                        TABLE),
    "table that comes again": swap(PAGE, TABLE, 1, 3),
    "row removed": edit(PAGE, '<tr><th scope="row">a</th>', '<tr><th scope="row">b</th>'),
    "headings of two questions swapped": swap(PAGE, r"(?<=<h2>)\d\. [^<]*"),
    "headings of two questions swapped in Markdown": swap(TWIN, r"## \d[^\n]*"),
    "another dataset in the heading": edit(PAGE, "<h1>Private statistics of clinic",
                                           "<h1>Private statistics of hospital"),
    "another dataset in the title": edit(PAGE, "<title>Private statistics of clinic",
                                         "<title>Private statistics of hospital"),
    "another dataset in Markdown": edit(TWIN, "# Private statistics of clinic",
                                        "# Private statistics of hospital"),
    "words of pictures swapped": swap(PAGE, r'(?<=aria-label=")[^"]*'),
    "words of a picture with another number": edit(PAGE, "from 1 to 5 rows", "from 1 to 9 rows"),
    "pictures swapped with their words": swap(PAGE, FIGURE),
    "picture twice": edit(PAGE, "</figure>", '</figure>\n<figure><svg role="img" aria-label="" '
                          'width="1" height="1" viewBox="0 0 1 1"></svg></figure>'),
    "picture moved over a table": edit(PAGE, "<svg role", '<svg transform="scale(3)" role'),
    "picture that leaves its box": edit(PAGE, "<svg role", '<svg class="box" role'),
    "picture inside a paragraph": wrap("<p>", "</p>", FIGURE),
    "table far to the right": wrap("<ul>" * 200, "</ul>" * 200, TABLE),
    "table inside a picture's frame": wrap("<figure>", "</figure>", TABLE),
    "numbered list": edit(PAGE, "</h1>", "</h1>\n<ol><li>women</li><li>men</li></ol>"),
    "link to another document": edit(
        PAGE, 'href="documents/01-release.json"', 'href="documents/02-release.json"'),
    "link to another document by its name": edit(
        TWIN, "](documents/01-release.json)", "](documents/02-release.json)"),
    "formula around tables": edit(TWIN, "**Questions", "$$\n\n**Questions"),
    "digest of another document": swap(PAGE, r"(?<=sha256 )[0-9a-f]{64}"),
    "sections without their ends": edit(PAGE, "</section>\n<section", "<section"),
    "document by a name with a number": rename,
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_folder_is_refused(forge, change):
    verdict = forge(change)
    assert not verdict.holds


@pytest.mark.parametrize("name", ["documents", "index.html", "report.md", "tables", "tables.xlsx"])
def test_a_part_of_another_report_is_refused(folders, forge, name):
    def change(out):
        for place in [out / name, *(out / name).glob("*")]:
            if place.is_file():
                place.unlink()
        source = folders / "second" / name
        if source.is_dir():
            shutil.copytree(source, out / name, dirs_exist_ok=True)
        else:
            shutil.copy(source, out / name)
    assert not forge(change).holds


def test_a_document_taken_out_of_a_report_is_noticed(folders, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(folders / "both", out)
    assert verify_report(out).holds
    max(out.glob("documents/*")).unlink()
    assert not verify_report(out).holds


def test_sentences_may_be_taken_away(forge):
    def change(out):
        page = out / PAGE
        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"<li>all cells: [^<]*</li>\n", "", text, count=1),
                        encoding="utf-8")
    assert forge(change).holds


def test_a_page_may_lack_a_picture_and_may_not_have_it_elsewhere(forge):
    def without(out):
        text = (out / PAGE).read_text()
        figures = re.findall(r"<figure>.*?</figure>\n", text, re.DOTALL)
        assert len(figures) == 2
        (out / PAGE).write_text(text.replace(figures[0], ""))

    assert forge(without).holds


def test_a_picture_below_another_table_or_twice_is_refused(folders, tmp_path):
    text = (folders / "first" / PAGE).read_text()
    first, second = re.findall(r"<figure>.*?</figure>\n", text, re.DOTALL)
    for number, other in enumerate((
        text.replace(first, "<f>").replace(second, first).replace("<f>", second),
        text.replace(second, first), text.replace(second, second + second),
    )):
        out = tmp_path / str(number)
        shutil.copytree(folders / "first", out)
        (out / PAGE).write_text(other)
        assert not verify_report(out).holds


@pytest.mark.parametrize("pattern", [
    r"<h2>1\. .*?</h2>\n", r'<section id="budget">.*?</section>\n', r"<h1>.*?</h1>\n"])
def test_a_heading_or_a_section_may_not_be_left_out(forge, pattern):
    def without(out):
        text = (out / PAGE).read_text()
        (out / PAGE).write_text(re.sub(pattern, "", text, count=1, flags=re.DOTALL))

    assert any(fault.startswith(PAGE) for fault in forge(without).faults)
