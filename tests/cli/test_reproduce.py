from dataclasses import replace

import pytest

from tightrope import papers


def test_every_item_that_is_named_is_tried(tightrope, monkeypatch):
    listed = tuple(item for item in papers.items() if item.paper == "kl10")  # those run quickly
    monkeypatch.setattr(papers, "items", lambda: listed)
    answer = tightrope("reproduce", "--json")
    assert answer.code == 0
    assert len(answer.json["rows"]) == len(listed) >= 3
    for row in answer.json["rows"]:
        assert {"paper", "item", "published", "found", "verdict", "reason"} <= set(row)


def test_one_paper_or_one_item_may_be_named(tightrope):
    first = papers.items()[0]
    rows = tightrope("reproduce", first.paper, "--json").json["rows"]
    assert {row["paper"] for row in rows} == {first.paper}
    rows = tightrope("reproduce", f"{first.paper}/{first.name}", "--json").json["rows"]
    assert [row["item"] for row in rows] == [first.name]


def test_unknown_items_are_answered_with_the_nearest_one_and_the_list(tightrope):
    first = papers.items()[0]
    for name in ("unknown", f"{first.paper}/unknown", "/", "x" * 500):
        answer = tightrope("reproduce", name)
        assert answer.code == 2
        assert "list the items" in answer.sentence
        assert len(answer.sentence) < 200
    assert "(did you mean ecp/figure-5?)" in tightrope("reproduce", "ecp", "fig", "55").sentence


def test_the_words_of_an_item_need_no_quotes(tightrope):
    words = tightrope("reproduce", "KL10", "Proposition", "2.1.4", "--json")
    assert words.json == tightrope("reproduce", "kl10/proposition-2.1.4", "--json").json
    assert words.code == 0


def test_a_verdict_that_drifted_is_a_no(tightrope, monkeypatch):
    first = papers.items()[0]
    other = next(verdict for verdict in papers.Verdict if verdict != first.recorded)
    monkeypatch.setattr(papers, "items", lambda: (replace(first, recorded=other),))
    answer = tightrope("reproduce", "--json")
    assert answer.code == 1
    assert answer.json["drifted"] == 1
    answer = tightrope("reproduce")
    assert answer.code == 1
    assert "DRIFTED" in answer.out


@pytest.mark.parametrize(
    "name", ["kl10/lemma-3.3.8", "KL10 Lemma 3.3.8", "kl10 lem. 3.3.8", "lemma 3.3.8"]
)
def test_items_are_found_by_the_names_that_people_type(tightrope, name):
    (row,) = tightrope("reproduce", name, "--json").json["rows"]
    assert (row["paper"], row["item"]) == ("kl10", "lemma-3.3.8")


def test_the_list_names_every_item_and_its_parameters_and_runs_nothing(tightrope, monkeypatch):
    def fails():
        raise ZeroDivisionError

    listed = tuple(replace(item, run=fails) for item in papers.items()[:2])
    monkeypatch.setattr(papers, "items", lambda: listed)
    assert f"{listed[1].key}: {listed[1].title}" in tightrope("reproduce", "--list").out
    monkeypatch.undo()
    (row,) = tightrope("reproduce", "kl10/lemma-3.3.8", "--list", "--json").json["items"]
    assert row["parameters"] == {"leaves": "5", "ratio": "2"}


def test_other_parameters_than_those_of_the_paper_are_no_drift(tightrope):
    changed = "--set", "leaves=2", "--set", "ratio=3"
    answer = tightrope("reproduce", "kl10/lemma-3.3.8", *changed, "--json")
    assert answer.code == 0
    (row,) = answer.json["rows"]
    assert row["changed"] == {"leaves": "2", "ratio": "3"}
    assert "-1/3" in row["found"]  # -e^(-dε/2) with d = 2
    assert row["verdict"] != row["recorded"]
    assert "leaves = 2, ratio = 3" in tightrope("reproduce", "kl10/lemma-3.3.8", *changed).out


@pytest.mark.parametrize(
    "arguments",
    [("kl10", "--set", "ratio=3"), ("kl10/lemma-3.3.8", "--set", "other=3"),
     ("kl10/lemma-3.3.8", "--set", "leaves=many"), ("kl10/lemma-3.3.8", "--set", "leaves"),
     ("kl10/lemma-3.3.8", "--set", "ratio=1/0"), ("--list", "--set", "ratio=3")],
)
def test_parameters_that_cannot_be_set_are_refused_in_one_sentence(tightrope, arguments):
    answer = tightrope("reproduce", *arguments)
    assert answer.code == 2
    assert answer.sentence


def test_several_items_end_in_a_table_of_verdicts(tightrope):
    counts = tightrope("reproduce", "kl10", "--json").json["summary"]["kl10"]
    known = [item.recorded.value for item in papers.items() if item.paper == "kl10"]
    assert counts == {verdict.value: known.count(verdict.value) for verdict in papers.Verdict}
    last = tightrope("reproduce", "kl10").out.splitlines()
    assert any(line.split()[:1] == ["all"] for line in last)


def test_the_figure_of_an_item_is_drawn_in_the_format_of_the_file(tightrope, tmp_path):
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        file = tmp_path / f"regions.{kind}"
        answer = tightrope("reproduce", "ECP Figure 2", "--plot", str(file), "--json")
        assert answer.code == 0
        assert answer.json["picture"] == str(file)
        assert file.read_bytes().startswith(start)
    again = tightrope("reproduce", "ecp/figure-2", "--plot", str(file))
    assert again.code == 2
    assert "exists" in again.sentence
    assert tightrope("reproduce", "ecp/figure-2", "--plot", str(file), "--force").code == 0


def test_the_picture_follows_other_parameters(tightrope, tmp_path):
    file = tmp_path / "regions.svg"
    answer = tightrope("reproduce", "ecp/figure-2", "--set", "epsilons=1,2", "--plot", str(file))
    assert answer.code == 0
    text = file.read_text(encoding="utf-8")
    assert "ε = 2" in text
    assert "ε = 1.6" not in text
    assert "epsilons = 1,2" in text


@pytest.mark.parametrize(("name", "words"), [
    ("kl10/lemma-3.3.8", "has no picture; items with pictures are ecp/figure-1"),
    ("kl10", "has no picture"), ("ecp/figure-6", "name one of ecp/figure-6a, ecp/figure-6b"),
    ("h16", "name one of h16/figure-2.3"),
])
def test_what_has_no_one_picture_is_refused_before_anything_runs(
    tightrope, tmp_path, monkeypatch, name, words
):
    def fails(**_):
        raise ZeroDivisionError

    listed = tuple(replace(item, run=fails) for item in papers.items())
    monkeypatch.setattr(papers, "items", lambda: listed)
    answer = tightrope("reproduce", name, "--plot", str(tmp_path / "a.svg"))
    assert answer.code == 2
    assert words in answer.sentence
    assert not list(tmp_path.iterdir())


def test_a_report_holds_all_that_was_tried(tightrope, tmp_path):
    folder = tmp_path / "report"
    answer = tightrope("reproduce", "kl10", "--report", str(folder), "--json")
    assert answer.code == 0
    assert answer.json["report"] == str(folder)
    page = (folder / "index.html").read_text(encoding="utf-8")
    for row in answer.json["rows"]:
        assert f'id="kl10-{row["item"]}"' in page
    assert page.count("<article ") == len(answer.json["rows"])
    again = tightrope("reproduce", "kl10", "--report", str(folder))
    assert again.code == 2
    assert "exists" in again.sentence


def test_the_list_says_which_items_have_pictures_and_draws_none(tightrope, tmp_path):
    rows = tightrope("reproduce", "ecp", "--list", "--json").json["items"]
    drawn = {row["item"] for row in rows if row["picture"]}
    assert {"figure-2", "figure-4", "figure-7"} <= drawn
    assert "theorem-1" not in drawn
    for option in ("--plot", "--report"):
        answer = tightrope("reproduce", "ecp", "--list", option, str(tmp_path / "a.svg"))
        assert answer.code == 2
        assert answer.sentence
