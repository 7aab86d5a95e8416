"""Natural calls work, or are refused in one short sentence with the spelling that works."""

import re

import pytest

import tightrope as tr
from tightrope.ledger import Budget

DECLARED = """
dataset = "votes"
[columns.vote]
type = "category"
values = ["no", "yes"]
[columns."a,b"]
type = "category"
values = ["x", "y"]
[columns.age]
type = "number"
low = 0
high = 100
bins = [0, 50, 100]
"""
ASKED = ("release", "votes.csv", "--declaration", "votes.toml", "--epsilon", "1", "--dry-run")


@pytest.fixture
def votes(folder):
    (folder / "votes.csv").write_text('vote,"a,b",age\nno,x,20\nyes,y,60\n', encoding="utf-8")
    (folder / "votes.toml").write_text(DECLARED, encoding="utf-8")


@pytest.mark.parametrize(("by", "cells"), [
    ("vote,age", 4), ("vote, age", 4), ("[a,b]", 2), ("`a,b`, vote", 4), ("[vote]", 2)])
def test_columns_to_group_by_are_words_or_stand_in_brackets(tightrope, votes, by, cells):
    assert tightrope(*ASKED, f"count by {by}", "--json").json["cells"] == cells


@pytest.mark.parametrize(("question", "sentence"), [
    ("count by vote,agee", "the column 'agee' is not declared (did you mean age?)."),
    ("mean age", "after 'mean' comes 'of' and a column: write 'mean of age'; found 'age' at "
     "character 6."),
    ("average of age", "'average' is no statistic: ask 'mean of age'; found 'average' at "
     "character 1."),
    ("count where vote = yes", "expected a number or a text in quotes, found yes: write 'yes'."),
    ("count where 18 <= age", "a comparison begins with its column, such as age >= 30 (not 30 <= "
     "age), found 18."),
    ("count where age between 1 and 2", "a filter has no between: write age >= 18 and age <= 30."),
])
def test_questions_that_people_try_are_answered_with_ours(tightrope, votes, question, sentence):
    refused = tightrope(*ASKED, question)
    assert (refused.code, refused.sentence) == (2, sentence)


@pytest.mark.parametrize(("words", "sentence"), [
    (("declare", "votes.csv"), "the first line of a text file may be a row; say if it holds the "
     "names of the columns (--header)."),
    (("sanitize", "votes.csv", "--column", "foo", "--values", "no/yes", "--epsilon", "1", "-o",
      "out.csv"), "votes.csv names no column 'foo' in its first line; what stands there is told on "
     "request (--curator)."),
    (("verify", "none.json"), "none.json holds no rows; expected a list of them, such as "
     "[[1, 0], [0, 1]]."),
    (("verify", "report", "--ledger", "books.sqlite"), "there is no folder report."),
    (("verify", "none.json", "--space", "categories:2"), "none.json holds no rows; expected a "
     "list of them, such as [[1, 0], [0, 1]]."),
])
def test_refusals_are_short(tightrope, folder, votes, words, sentence):
    (folder / "none.json").write_text("[]", encoding="utf-8")
    refused = tightrope(*words)
    assert refused.code in (2, 3)
    assert refused.sentence == sentence
    assert len(re.findall(r"\S+", sentence)) <= 25


@pytest.mark.parametrize(("epsilon", "kept", "words", "other"), [
    ("1", "0.731", "nobody can tell which rows did.", "nearly every row"),
    ("20", "almost 1", "Kept almost 1 (vote): nearly every row is as it was.", "nobody can tell")])
def test_a_level_that_protects_nothing_is_not_praised(
    tightrope, votes, epsilon, kept, words, other
):
    told = tightrope("sanitize", "votes.csv", "--column", "vote", "--values", "no/yes",
                     "--epsilon", epsilon, "-o", "out.csv")
    page = " ".join(told.out.split())
    assert f"randomized-response {kept} out.csv" in page
    assert words in page
    assert other not in page


def test_a_budget_takes_the_file_of_a_declaration(folder, votes):
    assert Budget.of("b", "votes.toml", 1) == Budget.of("b", folder / "votes.toml", 1)
    assert Budget.of("b", "votes.toml", 1).scope.dataset == "votes"
    with pytest.raises(tr.errors.BadInput, match=re.escape("none.toml")):
        Budget.of("b", "none.toml", 1)


def test_a_survey_and_an_estimate_name_their_numbers_alike(tightrope, folder, votes):
    from tests.cli.test_survey import answered

    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    answered([60, 40])
    survey = tightrope("survey", "results", "s.json", "--json").json
    tightrope("sanitize", "votes.csv", "--column", "vote", "--values", "no/yes", "--epsilon", "1",
              "-o", "out.csv")
    column = tightrope("estimate", "out.csv", "--column", "vote", "--mechanism",
                       "out.csv.vote.mechanism.json", "--json").json
    shared = {"estimate", "low", "high", "adjusted"}
    assert shared <= set(survey["questions"][0]["estimate"]["rows"][0])
    assert shared <= set(column["rows"][0])


def test_a_dry_run_draws_the_keys_of_a_plan_and_a_release_of_one_names_its_report(
    tightrope, votes, folder
):
    (folder / "p.toml").write_text('name = "p"\ntotal = { epsilon = 1, delta = 1e-6 }\n'
                                   'questions = ["count by vote"]\n')
    planned = ("release", "votes.csv", "--plan", "p.toml", "--declaration", "votes.toml",
               "--plot", "p.svg")
    released = tightrope(*planned, "--unbooked")
    assert (released.code, "--report FOLDER" in " ".join(released.err.split())) == (2, True)
    for dry in ((*planned, "--dry-run"), (*ASKED, "count by vote", "--plot", "p.svg")):
        answer = tightrope(*dry)
        assert (answer.code, "leave out the plot" in " ".join(answer.err.split())) == (2, True)
    assert not (folder / "p.svg").exists()
    (folder / "votes.toml").write_text(DECLARED.replace(
        'type = "category"\nvalues = ["no", "yes"]', 'type = "text"'))
    (folder / "p.toml").write_text('name = "p"\ntotal = { epsilon = 1, delta = 1e-6 }\nquestions = '
                                   '["count", { ask = "keys of vote", delta = 1e-6 }]\n')
    assert tightrope(*planned, "--dry-run").code == 0
    assert "keys of vote" in (folder / "p.svg").read_text()


@pytest.mark.parametrize("target", [("-o", "r.json"), ("--report", "out")], ids=lambda t: t[0])
def test_a_dry_run_has_no_release_to_write(tightrope, votes, folder, target):
    (folder / "p.toml").write_text('name = "p"\ntotal = { epsilon = 1 }\n'
                                   'questions = ["count by vote"]\n')
    planned = ("release", "votes.csv", "--plan", "p.toml", "--declaration", "votes.toml",
               "--dry-run")
    for dry in (planned, (*ASKED, "count by vote")):
        assert tightrope(*dry).code == 0
        answer = tightrope(*dry, *target)
        assert (answer.code, "leave out -o and --report" in " ".join(answer.err.split())) == (
            2, True)
    assert not (folder / target[1]).exists()
