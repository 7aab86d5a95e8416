"""The page that a terminal shows of a result: escaped, in order, and nothing left out silently."""

from tightrope.cli.output import MOST_ROWS, tell
from tightrope.facts import Column, Fact, Facts, Table, listing

COLUMNS = (Column("name", "name", words=True), Column("count", "count"))


def page(capsys, *items):
    tell(Facts("Result", "A title", items), as_json=False)
    return capsys.readouterr().out


def test_cells_titles_and_values_are_escaped(capsys):
    wild = "a\x1b[2Jb\nproved"
    out = page(capsys, Fact("n", "people", wild), listing(wild, (wild, "n"), [(wild, "3")]))
    assert all(line.isprintable() for line in out.splitlines())
    assert out.count("\\x1b[2Jb") == 4


def test_the_first_of_many_rows_are_shown_and_the_others_counted(capsys):
    rows = tuple((f"row{k}", k) for k in range(MOST_ROWS + 5))
    out = page(capsys, Table("rows", "", COLUMNS, rows))
    shown = [line.split()[0] for line in out.splitlines() if "row" in line]
    assert shown == [*(f"row{k}" for k in range(MOST_ROWS)), "…"]
    assert out.rstrip().endswith("… and 5 more rows")
    whole = page(capsys, Table("rows", "", COLUMNS, rows, whole=True))
    assert whole.count("row") == MOST_ROWS + 5
    assert "more row" not in whole


def test_a_table_is_printed_once_before_or_after_the_facts(capsys):
    first, last = (Table(None, label, COLUMNS, ((label + "cell", 7),)) for label in ("one", "two"))
    out = page(capsys, first, Fact("n", "people", 1200), last)
    places = [out.index(text) for text in ("A title", "onecell", "1,200", "twocell")]
    assert places == sorted(places)
    assert (out.count("onecell"), out.count("twocell")) == (1, 1)
