"""A result is described once: JSON, lines and card say what its facts say, escaped."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

from tightrope.choices import Goal
from tightrope.cli.output import tell
from tightrope.exact import Level
from tightrope.facts import (
    Column,
    Fact,
    Facts,
    Shown,
    Table,
    brief_text,
    card_of,
    data,
    lines_of,
    text_of,
    to_json,
)


@dataclass(frozen=True, repr=False)
class Poll:
    question: str
    rows: int = 3

    def facts(self) -> Facts:
        columns = (Column("answer", "answer"), Column("share", "share", 3), Column("raw", None),
                   Column(None, "note"))
        rows = tuple((f"answer {k}", Fraction(k, 7), k, "low" if k < 2 else "")
                     for k in range(self.rows))
        return Facts("Poll", self.question, (
            Fact("people", "people", 1200, "respondents"),
            Fact("error", "error", Shown(0.25, "a quarter"), meaning="at most"),
            Fact("method", "method", "crosswise", detail=True),
            Fact("missing", "missing", None),
            *data(level=Level.ratio(2), goal=Goal.WORST),
            Table("rows", "Shares", columns, rows)), ("Read me.",), lambda: "<svg></svg>")

    __repr__ = lines_of
    _repr_html_ = card_of


def test_every_item_with_a_key_is_in_the_object_and_no_other():
    answer = Poll("Who?").facts().json
    assert list(answer) == ["people", "error", "method", "missing", "level", "goal", "rows"]
    assert answer["error"] == 0.25
    assert answer["missing"] is None
    assert answer["level"]["epsilon_text"] == "ln(2)"
    assert answer["goal"] == "worst"
    assert answer["rows"][1] == {"answer": "answer 1", "share": "1/7", "raw": 1}
    json.dumps(answer, allow_nan=False)


def test_lines_leave_details_and_missing_values_out():
    lines = repr(Poll("Who?")).splitlines()
    assert lines[0] == "Poll: Who?"
    assert [line.split()[0] for line in lines[1:3]] == ["people", "error"]
    assert lines[2].split(None, 1)[1] == "a quarter, at most"
    assert lines[4].split() == ["answer", "1", "0.143,", "low"]
    assert not any("crosswise" in line or "missing" in line for line in lines)


def test_the_card_has_details_table_picture_and_sentences():
    card = Poll("Who?")._repr_html_()
    for part in ("crosswise", "1,200 respondents", "0.143", "<svg></svg>", "Read me."):
        assert part in card
    assert "missing" not in card


def test_many_rows_are_cut_and_counted():
    assert repr(Poll("Who?", 20)).splitlines()[-1].split(None, 1)[1] == "12 rows more"
    assert "10 rows more not shown." in Poll("Who?", 70)._repr_html_()
    assert "more" not in repr(Poll("Who?", 8))


def test_text_from_outside_is_escaped():
    hostile = Poll("a\x1b[2J\n<b>")
    assert "\x1b" not in repr(hostile)
    assert len(repr(hostile).splitlines()) == 6
    assert "<b>" not in hostile._repr_html_()


def test_tables_before_all_facts_lead():
    columns, rows = (Column("a", "a"),), ((1,), (2,))
    answer, hidden, rest = (Table(name, label, columns, rows, listed) for name, label, listed in (
        ("answer", "", 1), ("hidden", None, 8), ("rest", "", 0)))
    facts = Facts("Poll", "", (Fact("n", None, 3), hidden, answer, Fact("m", "m", 4), rest))
    assert facts.leading == [answer]
    assert facts.tables == [answer, rest]
    assert [line.split() for line in facts.lines().splitlines()[1:]] == [
        ["m", "4"], ["1"], ["…", "1", "row", "more"]]


def test_a_title_of_a_million_characters_is_cut():
    far = Poll("x" * 10**6)
    assert len(repr(far)) < 2000
    assert len(far._repr_html_()) < 10_000


def test_the_first_table_is_written_for_latex_with_every_sign_escaped():
    poll = Poll("Who?", 2).facts()
    lines = poll.latex().splitlines()
    assert lines[0] == "\\begin{tabular}{lrr}"
    assert lines[3:5] == ["answer 0 & 0 & low \\\\", "answer 1 & 0.143 & low"]
    hostile = Facts("Poll", "", (Fact("n", "a&b_%$#{}~^\\", "x\n[1]"),)).latex()
    assert "a\\&b\\_\\%\\$\\#\\{\\}\\textasciitilde{}" in hostile
    assert hostile.count("\n") == 5


def test_more_facts_and_sentences_come_last():
    more = Poll("Who?").facts().also(Fact("file", "file", "p.json"), sentences=["Next."])
    assert list(more.json)[-1] == "file"
    assert more.sentences == ("Read me.", "Next.")


def test_a_value_without_a_form_is_an_error():
    with pytest.raises(TypeError, match="object has no form"):
        to_json({"a": [object()]})


@pytest.mark.parametrize(("value", "text"), [
    (None, ""), (0, "0"), (False, "no"), ((1, 2.5), "1, 2.5"), (("a", "b"), "a, b"),
    (Level.ratio(2), str(Level.ratio(2))), (1e-9, "1e-09"), (float("inf"), "inf")])
def test_values_have_a_text(value: object, text: str):
    assert text_of(value) == text


def test_a_table_that_is_not_listed_is_on_the_page_and_not_in_the_lines(capsys):
    rows = tuple((f"answer {k}", k) for k in range(70))
    columns = Column("answer", "answer"), Column("count", "count")
    for whole, last in ((False, "… and 10 more rows"), (True, "answer 69 69")):
        told = Facts("Poll", "Who?", (Table("rows", "", columns, rows, listed=0, whole=whole),))
        assert told.lines() == "Poll: Who?"
        assert "answer 59" in told.card()
        tell(told, as_json=False)
        page = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
        assert [line for line in page if line][-1] == last


def test_facts_may_be_put_first_and_long_texts_are_cut_for_people_alone():
    told = Poll("Who?").facts().also(
        Fact("space", "space", brief_text("x" * 999)), first=[Fact("answer", "answer", 7)])
    assert told.labeled[0] == ("answer", "7")
    assert len(told.labeled[-1][1]) <= 200
    assert told.json["space"] == "x" * 999


def test_cells_without_text_are_left_out_where_a_row_stands_below_its_first_cell(capsys):
    columns = tuple(Column(name, name, words=True) for name in "abcdef")
    told = Facts("Poll", "", (Table("rows", "", columns, (("first", None, *("w" * 40,) * 4),)),))
    tell(told, as_json=False)
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.split()]
    assert names[0] == "first"
    assert names[1:] == ["c", "d", "e", "f"]
