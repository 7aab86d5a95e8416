"""`tightrope survey` from plan to results, and its bad input."""

import csv
import os
from pathlib import Path
from socket import socket

import pyarrow.parquet as pq
import pytest

from tightrope import surveys as sv
from tightrope.surveys import SurveyStore
from tightrope.surveys.survey_store import Submission


def answered(counts):
    """Use the links of s.json: so many answers of each response, in order of the file."""
    survey = sv.read_survey(Path("s.json").read_bytes())
    with Path("s.links.csv").open(newline="") as lines:
        tokens = [row["link"].rpartition("/")[2] for row in csv.DictReader(lines)]
    with SurveyStore("s.answers", survey.digest) as store:
        positions = [z for z, count in enumerate(counts) for _ in range(count)]
        batch = [Submission(t, {"q1": z}, "") for t, z in zip(tokens, positions, strict=False)]
        assert set(store.accept(batch)) == {"stored"}


def test_a_survey_goes_from_plan_to_results(tightrope, folder):
    plan = tightrope("survey", "plan", "--ratio", 3, "--prevalence", "0.1", "--json").json
    assert plan["rows"][0]["design"] == "warner"
    assert plan["rows"][0]["matrix"] == [["3/4", "1/4"], ["1/4", "3/4"]]
    made = tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3,
                     "--links", "old=60", "--links", "new=40", "--json").json
    assert made["epsilon_total"] == pytest.approx(1.0986, abs=1e-4)
    answered([60, 40])
    found = tightrope("survey", "results", "s.json", "-o", "a.csv", "--page", "r.html",
                      "--plot", "r.svg", "--json").json
    row = found["questions"][0]["estimate"]["rows"][1]
    assert row["estimate"] == pytest.approx(0.3)
    assert set(found["questions"][0]["groups"]) == {"new", "old"}
    assert len((folder / "a.csv").read_text().splitlines()) == 101
    assert "<script" not in (folder / "r.html").read_text(encoding="utf-8")
    tightrope("survey", "results", "s.json", "-o", "a.parquet")
    assert pq.read_table("a.parquet").column("q1").to_pylist().count("yes") == 40
    weighted = tightrope("survey", "results", "s.json", "--weight", "old=2", "--interval",
                         "chebyshev", "--close", "--json").json
    assert weighted["closed"] is True
    assert weighted["questions"][0]["estimate"]["effective"] == pytest.approx(160**2 / 280)


def test_responses_that_do_not_fit_the_design_are_pointed_out(tightrope):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    answered([95, 5])
    shown = " ".join(tightrope("survey", "results", "s.json", "--confidence", "0.9").out.split())
    assert "hardly fit" in shown
    assert "exact intervals for the shares of a population, each at confidence 0.9." in shown


def test_plan_says_that_mangat_has_no_finite_epsilon(tightrope):
    assert "no finite ε" in tightrope("survey", "plan", "--epsilon", 1).out
    shown = tightrope("survey", "plan", "--epsilon", 1, "--delta", "0.1", "--prevalence", "0.03")
    assert "no finite ε" in shown.out


def test_plan_says_which_sizes_are_approximate(tightrope):
    asked = ("survey", "plan", "--ratio", "3", "--prevalence", "0.1")
    rows = tightrope(*asked, "--json").json["rows"]
    assert [row["design"] for row in rows if row["reached"] is None] == ["kuk, 2 cards"]
    page = tightrope(*asked).out
    assert page.startswith(f"warner: {rows[0]['respondents']:,} respondents for a margin of 0.05")
    said = " ".join(page.split())
    assert "by the binomial law; for “kuk, 2 cards” by the normal approximation" in said


@pytest.mark.parametrize(("options", "match"), [
    (("--respondents", "200,100"), "two groups such as 200:100"),  # not 200,100 people
    (("--respondents", "1e3"), "such as 1000"),
    (("--power", "80"), "power between 0 and 1, such as 0.8"),
    (("--aim", "mean", "--answers", "a/b/c", "--scores", "1,2,3"), "leave --scores out; scores are "
     "an aim themselves, as in --aim 1,2,3"),
    (("--aim", "mean", "--respondents", "20:10", "--chebyshev"), "leave --chebyshev out"),
])
def test_a_plan_is_refused_with_the_spelling_that_works(tightrope, options, match):
    answer = tightrope("survey", "plan", "--epsilon", 1, *options)
    assert answer.code == 2
    assert match in answer.sentence


def test_a_known_design_that_is_as_good_as_the_best_stands_after_it_without_a_figure(tightrope):
    page = tightrope("survey", "plan", "--epsilon", 1, "--aim", "mean").out
    assert "-0.0" not in page
    designs = [line.split()[0] for line in page.splitlines() if line.startswith((" best", " k-"))]
    assert designs == ["best", "k-ary"]


def test_plan_compares_k_ary_with_super_binary_at_an_equal_violation(tightrope):
    """By hand: Bayes with 1/2, 0.2 gives r = 4; the cover is π_j/ν, so n Var is as in H16."""
    many = ("survey", "plan", "--answers", "none/some/much", "--prevalence", "0.7,0.2,0.1")
    found = tightrope(*many, "--violation", "0.5", "--json").json
    best, other = found["rows"]
    assert (best["design"], best["smallest_epsilon"]) == ("super-binary mangat", None)
    assert best["matrix"][0] == ["4/7", "2/7", "1/7"]
    assert (other["design"], other["matrix"][0]) == ("k-ary", ["2/3", "1/6", "1/6"])
    assert best["violation"] == other["violation"] == 0.5
    assert best["respondents"] < other["respondents"]
    assert "no finite ε" in tightrope(*many, "--violation", "0.5").out
    assert "no finite ε" in tightrope(*many, "--ratio", 3, "--plot", "many.svg").out


def test_plan_is_for_every_answer_or_for_the_named_one(tightrope):
    asked = ("survey", "plan", "--answers", "never/once/sometimes/often", "--prevalence",
             "0.6,0.2,0.15,0.05", "--epsilon", 1)
    every = tightrope(*asked, "--json").json
    assert every["answer"] is None
    # at 3,922 and 2,654 the binomial law of this response stays within less often than 0.95
    assert every["rows"][0]["respondents"] == 3923
    assert every["rows"][0]["together"] > 3923
    one = tightrope(*asked, "--answer", "often", "--plot", "n.svg", "--json").json
    assert one["answer"] == "often"
    assert one["rows"][0]["respondents"] == one["rows"][0]["together"] == 2655
    assert "all at once" in tightrope(*asked).out
    assert "the share of “often”" in tightrope(*asked, "--answer", "often").out
    assert tightrope(*asked, "--answer", "always").code == 2


def test_a_matrix_of_ones_own_is_planned_made_and_proved(tightrope, folder):
    (folder / "m.csv").write_text(",x,y,z\nno,1/2,1/4,1/4\nyes,1/5,3/10,1/2\n")
    (alone,) = tightrope("survey", "plan", "--matrix", "m.csv", "--json").json["rows"]
    assert alone["smallest_epsilon"] == pytest.approx(0.916291, abs=1e-6)  # ln(5/2)
    among = tightrope("survey", "plan", "--matrix", "m.csv", "--ratio", 3, "--json").json["rows"]
    assert {"custom", "warner"} <= {row["design"] for row in among}
    assert tightrope("survey", "plan", "--matrix", "m.csv", "--ratio", 2).code == 1
    made = tightrope("survey", "new", "s.json", "--question", "?", "--matrix", "m.csv", "--json")
    assert made.json["questions"][0]["epsilon_text"] == "ln(5/2)"
    (folder / "d.csv").write_text("0.9,0.1\n0.3,0.7\n")  # decimals mean what is written
    made = tightrope("survey", "new", "d.json", "--question", "?", "--matrix", "d.csv", "--json")
    assert made.json["questions"][0]["epsilon_text"] == "ln(7)"


@pytest.mark.parametrize(("arguments", "words"), [
    (("plan", "--epsilon", 1, "--prevalence", "1.5"), "from 0 to 1"),
    (("plan",), "give an epsilon, such as 1, or a violation, such as 0.3"),
    (("plan", "--epsilon", 1, "--margin", 0), "margin"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--design", "mangat"), "no design"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", 0), "links"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", "a"), "GROUP=NUMBER"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", "=5"), "GROUP=NUMBER"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", 5, "--links", "a=5"),
     "each group once"),
    (("new", "s.txt", "--question", "?", "--epsilon", 1), ".json"),
    (("plan", "--violation", "0.5"), "needs the prevalence"),
    (("plan", "--violation", "0.5", "--prevalence", "0.1", "--epsilon", 1), "instead"),
    (("plan", "--epsilon", 1, "--answers", "a/b/c", "--prevalence", "0.1"), "commas"),
    (("plan", "--epsilon", 1, "--answers", "a/b/c", "--prevalence", "0.1,0.2,0.3"), "add up"),
    (("plan", "--epsilon", 1, "--answers", "yes"), "two different answers"),
    (("plan", "--epsilon", 1, "--answers", "a//b"), "two different answers"),
    (("plan", "--matrix", "missing.csv"), "missing.csv"),
    (("plan", "--epsilon", 1, "--difference", "0.1"), "0.1:0.15"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--links", -1), "links"),
    (("new", "s.json", "--question", "?", "--epsilon", 1, "--prevalence", 2), "--design best"),
    (("results", "missing.json"), "no file"),
    (("serve", "missing.json"), "no file"),
])
def test_bad_input_is_one_sentence_and_exit_2(tightrope, arguments, words):
    answer = tightrope("survey", *arguments)
    assert answer.code == 2
    assert words in answer.sentence


@pytest.mark.parametrize(("arguments", "words"), [
    (("--confidence", 2), "between 0 and 1"),
    (("--weight", "all=nan"), "above 0"),
    (("--weight", "all=-1"), "above 0"),
    (("--page", "page.txt"), ".html"),
    (("--interval", "wide"), "'wide' is not one of 'exact', 'normal'"),
])
def test_results_refuse_bad_options_before_there_are_answers(tightrope, arguments, words):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    answer = tightrope("survey", "results", "s.json", *arguments)
    assert answer.code == 2
    assert words in answer.sentence


def test_a_survey_without_answers_is_exported_as_an_empty_table(tightrope):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    assert tightrope("survey", "results", "s.json", "-o", "a.parquet").code == 0
    assert pq.read_table("a.parquet").num_rows == 0
    assert pq.read_table("a.parquet").column_names == ["group", "q1"]


def test_a_port_in_use_is_one_sentence_and_nothing_is_announced(tightrope):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    with socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        answer = tightrope("survey", "serve", "s.json", "--port", taken.getsockname()[1])
    assert answer.code == 2
    assert "in use" in answer.sentence
    nowhere = tightrope("survey", "serve", "s.json", "--host", "300.1.1.1")
    assert nowhere.code == 2
    assert "cannot listen on 300.1.1.1" in nowhere.sentence


NEW = ("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)


@pytest.mark.parametrize("url", [
    "javascript:1", "ftp://a", "https://", "http:///path", "https://a\n/r/b", "https://a/\u202e",
    "https://a b", "https://a?x=1", "https://a#b", "https://a:port", "https://a:0", "", "\0",
])
def test_links_are_made_for_an_address_of_the_web_only(tightrope, folder, url):
    answer = tightrope(*NEW, "--url", url)
    assert answer.code == 2
    assert "https:// or http://" in answer.sentence
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("size", [0, 1000, 5000, 20_000])
def test_a_full_disk_leaves_no_part_of_a_survey(tightrope, folder, full_disk, size):
    """The file has some 2,000 bytes, its links 16,000 and the store 30,000."""
    full_disk(size)
    answer = tightrope(*NEW, "--links", 200)
    full_disk()
    assert answer.code == 4
    assert "could not be written" in answer.sentence
    assert list(folder.iterdir()) == []


def test_files_that_hold_secrets_are_their_owners_alone(tightrope, folder):
    before = os.umask(0)
    try:
        assert tightrope(*NEW).code == 0
        digest = sv.read_survey(Path("s.json").read_bytes()).digest
        with SurveyStore("s.answers", digest) as store:
            store.accept([Submission("nobody", {}, "")])
            found = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    finally:
        os.umask(before)
    assert found == {"s.json": 0o666, "s.links.csv": 0o600, "s.answers": 0o600}


@pytest.mark.parametrize(("answers", "harmless", "sensitive"), [
    (None, "no", "yes"), ("no/yes", "no", "yes"), ("yes*/no", "no", "yes"),
    ("yes/no*", "yes", "no"), ("never/often", "never", "often"),
    ("often * / never", "never", "often"),
    (r"none/and\/or", "none", "and/or"), ('none/"and/or"', "none", "and/or"),
])
def test_the_harmless_answer_is_first_and_the_sensitive_one_is_told(
    tightrope, answers, harmless, sensitive
):
    """Mangat's design shows which is which: only the harmless answer is ever changed."""
    question = "Ever?" if answers is None else f"This | or that? | {answers}"
    new = ("survey", "new", "s.json", "--question", question, "--epsilon", 1, "--delta", "0.1",
           "--design", "mangat", "--force")
    (told,) = tightrope(*new, "--json").json["questions"]
    assert told["text"] == ("Ever?" if answers is None else "This | or that?")
    assert (told["answers"], told["sensitive"]) == ([harmless, sensitive], [sensitive])
    said = " ".join(tightrope(*new).out.split())
    assert "harmless sensitive design" in said
    assert f"{harmless} {sensitive} mangat" in said
    (question,) = sv.read_survey(Path("s.json").read_bytes()).questions
    assert question.design.rows[1] == (0, 1)


@pytest.mark.parametrize("answers", ["yes/no", "Yes / No", "YES/no"])
@pytest.mark.parametrize("command", [("plan",), ("new", "s.json", "--question", "?")])
def test_yes_before_no_is_refused_where_nobody_can_tell_which_is_meant(
    tightrope, folder, command, answers
):
    answer = tightrope("survey", *command, "--ratio", 3, "--answers", answers)
    assert answer.code == 2
    assert "yes/no*" in answer.sentence
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("answers", ["a*/b*", "a/b*/c", "*/b"])
def test_a_star_marks_one_of_two_answers(tightrope, answers):
    answer = tightrope("survey", "plan", "--ratio", 3, "--answers", answers)
    assert answer.code == 2
    assert "answers" in answer.sentence


@pytest.mark.parametrize("design", ["crosswise", "unrelated question"])
def test_a_design_that_needs_a_second_question_is_planned_but_not_served(
    tightrope, folder, design
):
    answer = tightrope(*NEW, "--design", design)
    assert answer.code == 2
    assert "a second question" in answer.sentence
    assert list(folder.iterdir()) == []
    listed = tightrope("survey", "plan", "--ratio", 3, "--json").json["rows"]
    assert design in {row["design"] for row in listed}


def test_the_best_design_is_that_of_each_number_of_answers(tightrope, folder):
    made = tightrope("survey", "new", "s.json", "--question", "Ever?", "--question",
                     "Which? | a/b/c/d", "--ratio", 3, "--design", "best", "--json").json
    assert [row["design"] for row in made["questions"]] == ["warner", "best for shares"]


@pytest.mark.parametrize("design", ["kuk", "warner"])
def test_a_design_for_two_answers_is_refused_for_four(tightrope, folder, design):
    answer = tightrope("survey", "new", "s.json", "--question", "Ever?", "--question",
                       "Which? | a/b/c/d", "--ratio", 3, "--design", design)
    assert answer.code == 2
    assert "“Which?” has 4" in answer.sentence
    assert list(folder.iterdir()) == []
    found = tightrope("survey", "new", "s.json", "--question", "Ever?", "--question",
                      "Which? | a/b/c/d", "--ratio", 3, "--json").json["questions"]
    assert [one["design"] for one in found] == ["warner", "k-ary"]
    assert found[1]["sensitive"] == ["b", "c", "d"]


def test_a_matrix_is_the_design_and_names_its_answers(tightrope, folder):
    (folder / "m.csv").write_text(",x,y\nno,3/4,1/4\nyes,1/4,3/4\n")
    (folder / "odd.csv").write_text(",x,y\nyes,3/4,1/4\nno,1/4,3/4\n")
    asked = ("survey", "new", "s.json", "--question", "?", "--matrix")
    for file, options, words in [
        ("m.csv", ("--design", "warner"), "--matrix is a design of its own"),
        ("m.csv", ("--answers", "never/often"), "are named no, yes"),
        ("m.csv", ("--answers", "yes*/no"), "the harmless one first"),
        ("odd.csv", (), "yes/no*"),
    ]:
        answer = tightrope(*asked, file, *options)
        assert answer.code == 2
        assert words in answer.sentence
    assert tightrope(*asked, "m.csv", "--answers", "no/yes").code == 0
    assert tightrope(*asked, "odd.csv", "--answers", "yes/no*", "--force").code == 0


def flipped(place):
    """The content of a store with one bit changed, so far from its start or end."""
    def change(old):
        changed = bytearray(old)
        changed[place] ^= 1
        return bytes(changed)

    return change


def first_answer(old):
    """Where the first answer lies: the slots are the last records, of 32 bytes."""
    slots = range(len(old) - 200 * 32, len(old), 32)
    return next(start for start in slots if any(old[start:start + 32]))


@pytest.mark.parametrize("damage", [
    lambda old: b"",
    lambda old: b"junk" * 5000,
    lambda old: old[:100] + b"x" * (len(old) - 100),
    lambda old: old[:5000],
    lambda old: old[:-1],
    lambda old: old + b"\0",
    flipped(0),
    flipped(40),
    lambda old: old.replace(b'"all"', b'"alx"'),
    lambda old: old.replace(b'"links": 100', b'"links": 999'),
    lambda old: old.replace(b'"links": 100', b'"links": 1e2'),
    lambda old: old.replace(b'"groups"', b'"droups"'),
    lambda old: flipped(first_answer(old))(old),
    lambda old: flipped(first_answer(old) + 20)(old),
    lambda old: flipped(first_answer(old) + 31)(old),
])
def test_a_damaged_store_is_bad_input_and_left_as_it_is(tightrope, folder, damage):
    tightrope(*NEW, "--links", 100)
    answered([3, 2])
    store = Path("s.answers")
    damaged = damage(store.read_bytes())
    assert damaged != store.read_bytes()
    store.write_bytes(damaged)
    answer = tightrope("survey", "results", "s.json", "-o", "a.csv")
    assert answer.code == 2
    assert "s.answers" in answer.sentence
    assert not Path("a.csv").exists()
    assert store.read_bytes() == damaged


def test_an_answer_that_no_page_sends_is_damage(tightrope, folder):
    tightrope(*NEW)
    answered([0, 0, 1])
    answer = tightrope("survey", "results", "s.json")
    assert answer.code == 2
    assert "the store is damaged" in answer.sentence


@pytest.mark.parametrize("url", ["ftp://a", "a.example.org", "https://a b"])
def test_a_server_is_told_an_address_that_is_one(tightrope, folder, url):
    tightrope(*NEW)
    answer = tightrope("survey", "serve", "s.json", "--url", url)
    assert answer.code == 2
    assert "https:// or http://" in answer.sentence


def test_force_replaces_a_survey_without_answers_and_never_one_with(tightrope, folder):
    asked = (*NEW, "--force", "--ledger", "l.sqlite", "--budget", "b")
    opened = tightrope("ledger", "open", "l.sqlite", "--budget", "b", "--epsilon", 10, "--dataset",
                       "d", "--unit", "respondent", "--neighbors", "replace")
    assert opened.code == 0
    assert tightrope(*NEW).code == 0
    old = Path("s.links.csv").read_text()
    assert tightrope(*NEW, "--force").code == 0
    assert Path("s.links.csv").read_text() != old
    answered([1])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    refused = tightrope(*asked)
    assert refused.code == 2
    assert "nothing overwrites" in refused.sentence
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before  # no charge either


def test_nothing_is_overwritten_without_force(tightrope):
    assert tightrope("survey", "new", "s.json", "--question", "?", "--ratio", 3).code == 0
    assert tightrope("survey", "new", "s.json", "--question", "?", "--ratio", 3).code == 2


SUPER_BINARY = "answer,none,a,b\nnone,1/3,1/3,1/3\na,0,1,0\nb,0,0,1\n"


def test_shares_are_estimated_from_numbers_of_responses(tightrope, folder):
    (folder / "design.csv").write_text(SUPER_BINARY)
    found = tightrope("survey", "estimate", "20,50,30", "--matrix", "design.csv", "--json").json
    # H16, Corollary 6.5: m N_1/n and (N_j - N_1)/n
    expected = {"none": 0.6, "a": 0.3, "b": 0.1}
    assert {row["value"]: pytest.approx(row["estimate"]) for row in found["rows"]} == expected
    assert {row["value"]: pytest.approx(row["adjusted"], abs=1e-6) for row in found["rows"]} == (
        expected)
    assert found["plausible"]
    odd = tightrope("survey", "estimate", "500,250,250", "--matrix", "design.csv", "--json").json
    assert max(row["estimate"] for row in odd["rows"]) == pytest.approx(1.5)
    assert all(0 <= row["adjusted"] <= 1 for row in odd["rows"])
    assert not odd["plausible"]  # at most a third can say none
    for wrong in ("20,50", "20;50;30", "0,0,0", "1.5,2,3"):
        assert tightrope("survey", "estimate", wrong, "--matrix", "design.csv").code == 2


def test_a_plan_has_the_variance_of_every_answer_and_the_largest(tightrope, folder):
    (folder / "design.csv").write_text(SUPER_BINARY)
    plan = tightrope("survey", "plan", "--matrix", "design.csv", "--prevalence", "0.5,0.3,0.2",
                     "--json").json
    none, a, b = plan["rows"][0]["variances"]
    assert none["variance"] == pytest.approx(0.5 * (3 - 0.5))  # (6.35)
    assert a["variance"] == pytest.approx(2 * 0.5 / 3 + 0.3 * 0.7)  # (6.37)
    assert b["variance"] == pytest.approx(2 * 0.5 / 3 + 0.2 * 0.8)
    assert none["largest"] == pytest.approx(2)  # at π = 1: m²/4 would need π = 3/2
    equal = tightrope("survey", "plan", "--violation", "0.5", "--prevalence", "0.2", "--json").json
    rows = {row["design"]: row["variances"][1] for row in equal["rows"]}
    for half in ("variance", "largest"):  # both halves of Theorem 6.5
        assert rows["mangat"][half] < rows["warner"][half]


def test_a_wave_that_is_named_twice_is_pointed_out(tightrope):
    tightrope("survey", "new", "s.json", "--question", "Ever?", "--ratio", 3)
    refused = tightrope("survey", "results", "s.json", "./s.json", "--trend")
    assert (refused.code, refused.sentence) == (2, "expected each wave once, found s.json 2 times.")


def test_the_plan_of_a_study_names_each_question_in_full(tightrope, folder):
    question = "Have you ever hidden income of a year from the tax office?"
    (folder / "study.toml").write_text(
        f'title = "Tax"\nepsilon = 1\n[[questions]]\ntext = "{question}"\n', encoding="utf-8")
    shown = tightrope("survey", "plan", "--study", "study.toml").out
    assert "…" not in shown
    assert "characters" not in shown
    assert tightrope("survey", "plan", "--study", "study.toml", "--json").json[
        "questions"][0]["question"] == question
