"""Links made later, QR codes and sheets: all files or none, and no link that nobody knows."""

import re
import stat

import pytest

from tightrope import surveys as sv
from tightrope.errors import BadInput
from tightrope.surveys import SurveyStore
from tightrope.surveys import links as link_files
from tightrope.surveys.links import Card, code_image, sheet_page
from tightrope.surveys.survey_store import Submission


@pytest.fixture
def made(tmp_path):
    return sv.create_survey(
        tmp_path / "s.json", [("Ever?", sv.warner("3/4"))], "ln(3)", links={"a": 2, "b": 1},
        open=5, url="https://ask.example", title="A <b>survey</b>")


def tokens(table):
    return re.findall(r"/r/(\S+)", table.read_text())


def counts(made):
    with SurveyStore(made.store, made.survey.digest) as store:
        return store.links()


def test_more_links_work_while_the_survey_is_served_and_answers_stay(made):
    with SurveyStore(made.store, made.survey.digest) as serving:
        first = tokens(made.links)[1]
        assert serving.accept([Submission(first, {"q1": 1}, "r")]) == ["stored"]
        more = sv.add_links(made.file, 40, group="b")
        (again,) = serving.accept([Submission(first, {"q1": 1}, "r")])
        assert again == "received"
        fresh = tokens(more.table)
        assert len(set(fresh)) == 40
        assert {serving.link(token).group for token in fresh} == {"b"}
        assert serving.accept([Submission(token, {"q1": 0}, token) for token in fresh]) == (
            ["stored"] * 40)
        assert len(serving.answers()) == 41
    assert more.table.name == "s.links-2.csv"
    assert counts(made) == {"a": (2, 1), "b": (41, 40), "open": (5, 0)}
    assert sv.add_links(made.file, 1, group="a").table.name == "s.links-3.csv"


def test_more_links_neither_forget_open_answers_nor_come_after_the_end(made, tmp_path):
    with SurveyStore(made.store, made.survey.digest) as store:
        assert store.accept([Submission(store.open_token, {"q1": 1}, "r")]) == ["stored"]
    sv.add_links(made.file, 2, group="a")
    assert counts(made) == {"a": (4, 0), "b": (1, 0), "open": (5, 1)}
    with SurveyStore(made.store, made.survey.digest) as store:
        store.finish()
    with pytest.raises(BadInput, match="closed"):
        sv.add_links(made.file, 2, group="a", output=tmp_path / "late.csv")
    assert not (tmp_path / "late.csv").exists()
    assert counts(made) == {"a": (4, 0), "b": (1, 0), "open": (5, 1)}


@pytest.mark.parametrize("asked", [
    {"group": None}, {"group": "c"}, {"group": "open"}, {"group": "a", "number": 0},
    {"group": "a", "number": 10**8}, {"group": "a", "png": True}, {"group": "a", "sheet": "x.pdf"},
    {"group": "a", "output": "s.json"}, {"group": "a", "output": "nowhere/x.csv"},
    {"group": "a", "qr": "."}, {"group": "a", "sheet": "x.html", "number": 6000},
    {"group": "a", "output": "x.weird"},
])
def test_a_refusal_makes_no_link_and_no_file(made, tmp_path, monkeypatch, asked):
    monkeypatch.chdir(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(BadInput):
        sv.add_links(made.file, **{"number": 3, **asked})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_failure_while_files_are_written_makes_no_link(made, tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(28, "No space left on device")

    before = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.setattr(link_files, "sheet_page", fail)
    with pytest.raises(Exception, match=r"(?i)no space left"):
        sv.add_links(made.file, 3, group="a", sheet=tmp_path / "x.html", qr=tmp_path / "qr")
    assert counts(made)["a"] == (2, 0)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_secrets_are_their_owners_alone(made, tmp_path):
    more = sv.add_links(made.file, 2, group="a", qr=tmp_path / "qr", sheet=tmp_path / "s.html")
    for path in (more.table, more.sheet, more.qr):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0
    assert sorted(path.name for path in more.qr.iterdir()) == ["1.svg", "2.svg"]
    with SurveyStore(made.store, made.survey.digest):
        content = made.store.read_bytes()
    assert not any(token.encode() in content for token in tokens(more.table))


def test_links_of_a_table_are_drawn_and_those_of_another_survey_refused(made, tmp_path):
    drawn = sv.print_links(made.file, qr=tmp_path / "qr", png=True, sheet=tmp_path / "s.html")
    assert drawn.number == 4
    assert not drawn.made
    assert (tmp_path / "qr" / "4.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "s.html").read_text()
    assert re.findall(r"https://ask.example/r/(\S+)<", page) == (
        tokens(made.links))
    assert page.count("It works once") == 3  # and the open link may be used by many
    other = tmp_path / "other.csv"
    for line in ("a,https://ask.example/r/none", "a,https://evil.example/r/x", "a,", ""):
        other.write_text(f"group,link\n{line}\n")
        with pytest.raises(BadInput):
            sv.print_links(made.file, other, qr=tmp_path / "never")
    assert not (tmp_path / "never").exists()


def test_a_sheet_has_ten_cards_to_a_page_and_no_markup_of_the_survey(made):
    cards = [Card(f"https://ask.example/r/{i}") for i in range(23)]
    page = sheet_page(made.survey, cards).decode()
    assert page.count('<div class="page">') == 3
    assert page.count("<svg") == 23
    assert "<b>survey" not in page
    assert "A &lt;b&gt;survey&lt;/b&gt;" in page
    assert not re.search(r"(src|href)=|<script|url\(", page)  # it loads nothing


def test_a_code_says_its_link():
    """Read back without the library that drew it: the mode, the length and the bytes."""
    link = "https://ask.example/r/abc"
    svg = code_image(link, "svg").decode()
    modules = matrix_of(svg)
    assert text_in(modules) == link


def matrix_of(svg):
    """The dark modules of a code, from the strokes of its path."""
    path = re.search(r' d="([^"]*)"', svg)[1]
    size = int(re.search(r'width="(\d+)"', svg)[1]) // 8
    grid = [[False] * size for _ in range(size)]
    x = y = 0.0
    for kind, numbers in re.findall(r"([Mmh])([^Mmhz]*)", path):
        values = [float(value) for value in re.findall(r"-?\d*\.?\d+", numbers)]
        if kind == "h":
            for column in range(int(x), int(x + values[0])):
                grid[int(y)][column] = True
            x += values[0]
        else:
            x, y = (values[0], values[1]) if kind == "M" else (x + values[0], y + values[1])
    return [row[4:-4] for row in grid[4:-4]]


MASKS = [
    lambda i, j: (i + j) % 2, lambda i, j: i % 2, lambda i, j: j % 3, lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2, lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2, lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
]


def text_in(modules):
    """The bytes of a code of version 2 to 6 with correction level M in one block or two."""
    size = len(modules)
    version = (size - 17) // 4
    assert version == 2 or version == 3
    mask_bits = [modules[8][column] for column in (2, 3, 4)]
    mask = sum(bit << 2 - i for i, bit in enumerate(mask_bits)) ^ 0b101
    corner = size - 7

    def fixed(i, j):
        finder = (i < 9 and j < 9) or (i < 9 and j >= size - 8) or (i >= size - 8 and j < 9)
        return finder or i == 6 or j == 6 or (abs(i - corner) < 3 and abs(j - corner) < 3)

    bits, upwards = [], True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        rows = range(size - 1, -1, -1) if upwards else range(size)
        bits += [modules[i][j] ^ (MASKS[mask](i, j) == 0)
                 for i in rows for j in (right, right - 1) if not fixed(i, j)]
        upwards = not upwards

    def number(start, count):
        return int("".join("01"[bit] for bit in bits[start:start + count]), 2)

    assert number(0, 4) == 4  # bytes
    return bytes(number(12 + 8 * i, 8) for i in range(number(4, 8))).decode()
