"""All statistics, by groups and with filters, on every surface; nothing fails once paid."""

import json
from itertools import product

import pytest

from tightrope.declarations import Declaration
from tightrope.documents import digest_of
from tightrope.exact import Level
from tightrope.files import document_bytes
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.mechanisms import NoiseSum
from tightrope.mechanisms.noise import InSteps
from tightrope.plots import picture
from tightrope.releases import (
    Question,
    open_books,
    read_release,
    release_figure,
)
from tightrope.releases.statistics import STATISTICS

FORM = {"dataset": "d", "columns": {
    "x": {"type": "number", "low": 0, "high": 100, "resolution": 1, "bins": [0, 20, 50, 100]},
    "y": {"type": "number", "low": 0, "high": 9, "resolution": 1},
    "c": {"type": "category", "values": ["a", "b", "<z>"]},
    "e": {"type": "category", "values": ["p", "q"]}, "t": {"type": "text"}}}
ROWS = {"t": ["<z>" if k % 2 else "b" for k in range(300)],
        "x": [k * 7 % 101 for k in range(300)], "y": [k % 10 for k in range(300)],
        "c": ["ab"[k % 3 > 0] for k in range(300)], "e": ["pq"[k % 2] for k in range(300)]}
QUESTIONS = {
    "count": "count", "people": "people", "counts": "counts of x > 3; y < 9",
    "proportion": "proportion of x > 30", "sum": "sum of x", "mean": "mean of x",
    "variance": "variance of y", "histogram": "histogram of x", "cross": "histogram of x and e",
    "median": "median of y", "quantiles": "quantiles 0.25, 0.5, 0.75 of y",
    "minimum": "minimum of y", "maximum": "maximum of x", "distribution": "distribution of x",
    "mode": "mode of e", "frequent": "2 most frequent of e",
    "keys": "keys of t", "left_out": "left out of e", "cut": "left out",
    "upper_bound": "upper bound of x", "lower_bound": "lower bound of x",
}
WHOLE = ("upper_bound", "lower_bound")
"""Statistics that are not asked by groups."""
DELTA = {"keys": "1e-6"}
"""Statistics of values that are not declared need a δ."""


@pytest.fixture
def books(folder):
    """A table of people beside its declaration, and a budget."""
    form = {**FORM, "unit": {"person": "who"}}
    rows = {"who": list(range(300)), **ROWS}
    (folder / "d.json").write_text(json.dumps(form), encoding="utf-8")
    lines = [",".join(rows), *(",".join(map(str, row)) for row in zip(*rows.values(), strict=True))]
    (folder / "d.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget("now", Scope.of(Declaration.of(form)),
                              Level.epsilon(1000, delta="0.01")))
    return ledger


def test_every_statistic_is_tried():
    assert {*QUESTIONS} == {*STATISTICS}


def release(tightrope, statistic, *more, clauses=""):
    return tightrope("release", "d.csv", QUESTIONS[statistic] + clauses, "--declaration",
                     "d.json", "--ledger", "books.sqlite", "--budget", "now", "--epsilon", "0.5",
                     *(("--delta", DELTA[statistic]) if statistic in DELTA else ()), *more)


@pytest.mark.parametrize("statistic", QUESTIONS)
def test_every_statistic_has_every_surface(tightrope, books, folder, statistic):
    """Terminal, JSON, file and picture of the command; card and both pictures of the library."""
    opened = open_books(folder / "d.csv", folder / "d.json", ledger=books, budget="now")
    clauses_of = [*product((False, True)[: 1 if statistic in WHOLE else 2], (False, True))]
    for k, (by, where) in enumerate(clauses_of):
        clauses = (" by c" if by else "") + (" where y >= 2" if where else "")
        files = ["-o", f"{k}.json", "--plot", f"{k}.svg"]
        answer = release(tightrope, statistic, *files, "--json", clauses=clauses)
        assert (answer.code, answer.err) == (0, "")
        assert answer.json["answers"]
        read = read_release(f"{k}.json")
        assert read.holds is True
        assert "<svg" in (folder / f"{k}.svg").read_text(encoding="utf-8")
        shown = release(tightrope, statistic, clauses=clauses)
        assert (shown.code, shown.err) == (0, "")
        assert "question" in shown.out
        found = opened.ask(read.plan.question, "0.5", delta=DELTA.get(statistic))
        card = found._repr_html_()
        assert "<table" in card
        assert "<z>" not in card
        assert repr(found).startswith(read.plan.question.text)
        frame = found.to_frame()
        assert frame.num_rows == len(found.answers)
        assert frame.column_names[-3:] == ["answer", "low", "high"]
        assert frame.num_columns == 3 + len(found.answers[0].cell)
        for kind in ("png", "svg"):
            assert picture(release_figure(found.plan, found.answers), kind)
        assert document_bytes(found, "r.json.gz")
    assert books.balance("now").charges == 3 * len(clauses_of)


@pytest.mark.parametrize("statistic", QUESTIONS)
def test_a_picture_that_cannot_be_drawn_costs_nothing(tightrope, books, monkeypatch, statistic):
    def broken(*arguments, **options):
        raise RuntimeError("no picture")

    for name in ("answers_figure", "bars_figure", "crossed_figure", "distribution_figure",
                 "quantiles_figure"):
        monkeypatch.setattr(f"tightrope.plots.{name}", broken)
    answer = release(tightrope, statistic, "--plot", "p.png")
    assert answer.code != 0
    assert books.balance("now").charges == 0


@pytest.mark.parametrize("statistic", QUESTIONS)
def test_no_width_is_worked_out_after_the_charge(books, folder, monkeypatch, statistic):
    """Half-widths are what takes long: all of them are known before the budget is charged."""
    opened = open_books(folder / "d.csv", folder / "d.json", ledger=books, budget="now")
    charged = []
    book = Ledger.book

    def booked(self, *arguments, **options):
        entry = book(self, *arguments, **options)
        charged.append(entry)
        return entry

    monkeypatch.setattr(Ledger, "book", booked)
    for kind in (InSteps, NoiseSum):
        plain = kind.reach
        monkeypatch.setattr(kind, "reach", lambda self, sure, plain=plain: (
            pytest.fail("a width is worked out after the charge") if charged else
            plain(self, sure)))
    details = {"counts": ["x > 3", "y < 9"], "proportion": ["x > 30"], "quantiles": ["0.2", "0.5"],
               "frequent": 2}
    columns = {"cross": ("x", "e"), "mode": "e", "frequent": "e", "histogram": "x",
               "keys": "t", "upper_bound": "x", "lower_bound": "x"}
    alone = statistic in ("count", "people", "counts", "proportion", "cut")
    by = () if statistic in WHOLE else "c"
    question = Question(statistic, () if alone else columns.get(statistic, "y"), by,
                        at=details.get(statistic, ()))
    found = opened.ask(question, "0.5", delta=DELTA.get(statistic))
    assert found.facts().json["answers"]
    assert len(charged) == 1


FEW = {"dataset": "d", "unit": {"neighbors": "replace", "size": 300}, "columns": {
    "x": {"type": "number", "low": 0, "high": 100, "resolution": 1},
    "e": {"type": "category", "values": ["p", "q"], "missing": "p", "other": "q"}}}


def test_a_dry_run_shows_what_an_optimum_would_gain(tightrope, books, folder):
    """Neither says less than the other; noise errs the same for every input."""
    few = {**FEW, "unit": {"neighbors": "replace", "size": 20}}
    (folder / "few.json").write_text(json.dumps(few), encoding="utf-8")
    asked = ["release", "d.csv", "count where e = 'p'", "--declaration", "few.json",
             "--epsilon", "0.1", "--dry-run"]
    plan = tightrope(*asked, "--json").json
    assert plan["worst_error"] == plan["expected_error"]
    assert not plan["biased"]
    assert [gain["optimal"] for gain in plan["instead"]] == ["worst", "average"]
    worst, average = plan["instead"]
    assert worst["worst_error"] < average["worst_error"] < plan["expected_error"]
    assert average["expected_error"] < worst["expected_error"]
    for gain in (worst, average):
        asked_for = tightrope(*asked, "--optimal", gain["optimal"], "--json").json
        assert asked_for["expected_error"] == gain["expected_error"]
        assert asked_for["worst_error"] == gain["worst_error"]
        assert asked_for["biased"]
    shown = tightrope(*asked).out
    assert "--optimal worst" in shown
    assert "biased toward the middle" in " ".join(shown.split())


def test_an_optimum_for_weights_in_a_file_is_labeled_as_biased(tightrope, books, folder):
    few = {**FEW, "unit": {"neighbors": "replace", "size": 4}}
    (folder / "few.json").write_text(json.dumps(few), encoding="utf-8")
    (folder / "weights.csv").write_text("1\n1\n4\n1\n1\n", encoding="utf-8")
    answer = tightrope("release", "d.csv", "count where e = 'p'", "--declaration", "few.json",
                       "--epsilon", "1", "--dry-run", "--optimal", "weights.csv")
    assert answer.code == 0
    text = " ".join(answer.out.split())
    assert "optimal on average over the stated weights" in text
    assert "biased toward the middle" in text
    wrong = tightrope("release", "d.csv", "count where e = 'p'", "--declaration", "few.json",
                       "--epsilon", "1", "--dry-run", "--optimal", "best")
    assert (wrong.code, "worst, average or the name of a file" in wrong.err) == (2, True)


def test_adjusted_counts_are_a_second_column(tightrope, books):
    answer = release(tightrope, "cross", "--adjusted", "--json").json
    cells = answer["answers"]
    assert sum(cell["adjusted"]["value"] for cell in cells[:6]) == max(cells[-1]["value"], 0)
    assert min(cell["adjusted"]["value"] for cell in cells) >= 0
    assert all(cell["adjusted"]["low"] == max(cell["low"], 0) for cell in cells)
    shown = release(tightrope, "cross", "--adjusted").out
    assert "adjusted" in shown
    assert "biased" in shown
    assert release(tightrope, "mean", "--adjusted").code == 2


def test_a_question_that_cannot_be_read_costs_nothing(tightrope, books):
    assert release(tightrope, "mean", clauses=" at 0.5").code == 2
    assert books.balance("now").charges == 0


def test_a_cross_table_is_a_histogram_of_two_columns(tightrope, books):
    asked = tightrope("release", "d.csv", "histogram of x and e", "--declaration", "d.json",
                      "--epsilon", "1", "--dry-run", "--json").json
    assert asked["question"] == "histogram of x and e"


def test_an_extreme_value_is_labeled_as_what_it_is(tightrope, books):
    answer = release(tightrope, "maximum")
    assert "a value that about" in answer.out
    assert "rows exceed" in " ".join(answer.out.split())
    assert "noise in tables below" in " ".join(answer.out.split())


def test_a_release_without_a_ledger_says_that_it_is_unbooked(tightrope, folder):
    (folder / "t.csv").write_text("vote\n" + "yes\n" * 40)
    (folder / "t.toml").write_text('dataset = "t"\n[columns.vote]\ntype = "category"\n'
                                   'values = ["no", "yes"]\n')
    ask = ("release", "t.csv", "count", "--declaration", "t.toml", "--epsilon", 50)
    refused = tightrope(*ask)
    assert refused.code == 2
    assert "or say --unbooked" in refused.err
    shown = tightrope(*ask, "--unbooked")
    assert shown.code == 0
    assert "Nothing was booked." in shown.out
    assert " 40" in shown.out
    for option in (("-o", "r.json"), ("--ledger", "books.sqlite"), ("--budget", "b"),
                   ("--request", "r"), ("--key", "own.key")):
        both = tightrope(*ask, "--unbooked", *option)
        assert both.code == 2, option
        assert "--unbooked charges nothing" in both.err
    assert not (folder / "r.json").exists()


def test_a_release_whose_answer_was_changed_is_told_by_the_exit_code(tightrope, books, folder):
    assert release(tightrope, "count", "-o", "r.json").code == 0
    whole = tightrope("verify", "r.json")
    assert (whole.code, "a stranger's check" in whole.out) == (0, True)
    document = json.loads((folder / "r.json").read_text())
    document["answers"][0]["value"] += 1
    document["digest"] = digest_of(document)
    (folder / "r.json").write_text(json.dumps(document))
    changed = tightrope("verify", "r.json")
    assert (changed.code, "a stranger's check" in changed.out) == (1, False)
