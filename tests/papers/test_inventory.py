"""Everything that the papers number has a row: a call that runs, and an item or a reason."""

import importlib.util
import shlex
from fractions import Fraction
from pathlib import Path

import pytest

import tightrope as tr
from tests.cli.runner import Runner
from tightrope import surveys
from tightrope.papers import items

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference"


def script():
    found = importlib.util.spec_from_file_location("papers_page", REFERENCE / "generate_papers.py")
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


HELD = script().inventory()


def numbers(kind, prefix, first, last):
    return {(kind, f"{prefix}{n}") for n in range(first, last + 1)}


def listed(text):
    """`kind a b c`, one kind on each line."""
    found = set()
    for line in text.strip().splitlines():
        kind, *each = line.split()
        found |= {(kind, number) for number in each}
    return found


# read off the papers, apart from the table
WANTED = {
    "wxh": numbers("definition", "", 1, 13)
    | numbers("theorem", "", 1, 6)
    | numbers("proposition", "", 1, 3)
    | numbers("lemma", "", 1, 2)
    | numbers("corollary", "", 1, 1)
    | numbers("example", "", 1, 11)
    | numbers("figure", "", 1, 8)
    | numbers("algorithm", "", 1, 1)
    | listed("section 3.3 4.4 5"),
    "klpc": listed("""
        definition 2.1 2.2 2.3 2.6 3.1 3.2
        remark 2.4 2.5
        theorem 2.7 3.4 A.2
        example 3.3
        lemma A.1
    """),
    "ecp": numbers("definition", "", 1, 7)
    | numbers("theorem", "", 1, 4)
    | numbers("proposition", "", 1, 9)
    | numbers("lemma", "", 1, 1)
    | numbers("corollary", "", 1, 3)
    | numbers("example", "", 1, 3)
    | numbers("figure", "", 1, 7),
    "kl10": listed("""
        definition 2.0.1 2.0.2 2.0.3 2.1.3 3.1.2 3.1.3 3.3.1 3.3.2 3.3.6
        axiom 2.1.1 2.1.2 3.1.4
        proposition 2.1.4 2.2.2 2.2.3 2.2.4 D.0.12
        assumption 2.2.1
        theorem 2.2.5 2.3.1 3.3.3 B.0.10
        convention 3.1.1
        example 3.2.1 3.2.2 3.2.3
        lemma 3.3.4 3.3.5 3.3.7 3.3.8 C.0.11 E.0.13
        appendix A
    """),
    "h16": numbers("definition", "3.", 1, 6)
    | numbers("definition", "4.", 1, 3)
    | numbers("definition", "5.", 1, 6)
    | numbers("definition", "6.", 1, 3)
    | numbers("theorem", "3.", 1, 7)
    | numbers("theorem", "4.", 1, 8)
    | numbers("theorem", "5.", 1, 10)
    | numbers("theorem", "6.", 1, 9)
    | numbers("lemma", "3.", 1, 5)
    | numbers("lemma", "5.", 1, 4)
    | numbers("lemma", "6.", 1, 4)
    | numbers("corollary", "4.", 1, 3)
    | numbers("corollary", "5.", 1, 5)
    | numbers("corollary", "6.", 1, 7)
    | numbers("example", "3.", 1, 8)
    | numbers("example", "4.", 1, 5)
    | numbers("example", "5.", 1, 3)
    | numbers("figure", "6.", 1, 3)
    | listed("""
        corollary 3.1
        proposition 3.1 4.1
        example 6.1
        figure 2.1 2.2 2.3 4.1
        appendix A
    """),
}


def test_the_page_is_the_table():
    assert (REFERENCE / "papers.md").read_text(encoding="utf-8") == script().page()


def test_every_picture_stands_in_the_page_and_lies_in_the_gallery():
    page, folder = script().page(), REFERENCE.parent / "gallery" / "papers"
    names = {item.key.replace("/", "-") for item in items() if item.pictured}
    assert names == {path.stem for path in folder.iterdir()}
    for name in names:
        assert f"](../gallery/papers/{name}.png)" in page
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("paper", WANTED)
def test_everything_numbered_has_one_row(paper):
    found = [(row["kind"], row["number"]) for row in HELD[paper]]
    assert len(set(found)) == len(found)
    assert set(found) == WANTED[paper]


@pytest.mark.parametrize("paper", WANTED)
def test_a_row_names_items_that_exist_or_says_why_there_is_none(paper):
    known = {item.key for item in items()}
    for row in HELD[paper]:
        assert set(row) == {"kind", "number", "title", "call", "items" if "items" in row else "why"}
        assert set(row.get("items", ())) <= known
        assert row.get("items") or row["why"].strip()


def test_every_item_stands_in_the_table():
    named = {item for paper in WANTED for row in HELD[paper] for item in row.get("items", ())}
    assert {item.key for item in items()} == named


@pytest.mark.parametrize("paper", WANTED)
def test_every_call_runs(paper, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in HELD["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    run = Runner(capsys)
    for call in [*HELD["before"], *(row["call"] for row in HELD[paper])]:
        if call.startswith("tightrope "):
            answer = run(*shlex.split(call)[1:])
            assert answer.code == 0, (call, answer.err)
        else:
            eval(call, {"tr": tr, "Fraction": Fraction, "surveys": surveys})
