from dataclasses import replace

from tightrope import papers


def test_every_item_is_as_recorded(tightrope):
    answer = tightrope("reproduce", "--json")
    assert answer.code == 0
    assert len(answer.json["rows"]) == len(papers.items()) >= 3
    for row in answer.json["rows"]:
        assert {"paper", "item", "published", "found", "verdict", "reason"} <= set(row)


def test_one_paper_or_one_item_may_be_named(tightrope):
    first = papers.items()[0]
    rows = tightrope("reproduce", first.paper, "--json").json["rows"]
    assert {row["paper"] for row in rows} == {first.paper}
    rows = tightrope("reproduce", f"{first.paper}/{first.name}", "--json").json["rows"]
    assert [row["item"] for row in rows] == [first.name]


def test_unknown_items_are_answered_with_the_known_ones(tightrope):
    first = papers.items()[0]
    for name in ("unknown", f"{first.paper}/unknown", "/"):
        answer = tightrope("reproduce", name)
        assert answer.code == 2
        assert f"{first.paper}/{first.name}" in answer.sentence


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
