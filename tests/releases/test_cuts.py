"""Counts of kept rows: both intervals against what they are about, and the words beside them."""

import hashlib
import random
from fractions import Fraction
from math import log

import numpy as np
import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.releases import Question, open_books, plan_release, release_figure
from tightrope.releases.answers import answers
from tightrope.releases.cuts import kept, mean_interval, notes
from tightrope.releases.releasing import statistics
from tightrope.tables import open_source

WARDS = ("heart", "cancer", "psychiatry", "surgery")


def declared(**unit):
    return Declaration.of({"dataset": "hospital", "unit": {"person": "id", **unit}, "columns": {
        "ward": {"type": "category", "values": list(WARDS)},
        "days": {"type": "number", "low": 0, "high": 30, "resolution": 1}}})


def stays(people=1000, each=3, seed=1):
    draw = random.Random(seed)
    rows = people * each
    return {"id": [f"p{k // each}" for k in range(rows)],
            "ward": draw.choices(WARDS, (5, 3, 2, 0.1), k=rows),
            "days": [draw.randrange(31) for _ in range(rows)]}


def keys(count):
    return [CutKey(hashlib.sha256(f"cover {k}".encode()).digest()) for k in range(count)]


def least_covered(runs, sure):
    """The number of hits that a true confidence is below with a chance of 1e-6."""
    chances = np.random.default_rng(1).binomial(runs, float(sure), 10**6)
    return int(chances.min())


@pytest.mark.parametrize(("unit", "ask"), [
    ({"rows": 1}, "histogram"), ({"rows": 2, "cells": 1}, "histogram"),
    ({"rows": 1, "cells": 2}, "people"),
])
def test_the_first_interval_is_about_kept_rows_and_the_second_about_their_mean(unit, ask):
    declaration, table, runs = declared(**unit), stays(), 250
    question = Question(ask, **({"columns": "ward"} if ask == "histogram" else {"by": "ward"}))
    plan = plan_release(question, declaration, 1)
    source = open_source(table, declaration)
    exact = [statistics(plan, source, key)[0] for key in keys(runs)]
    mean = np.mean([statistics(plan, source, key)[0] for key in keys(4 * runs)], axis=0)
    first, second, mistaken = np.zeros(4), np.zeros(4), np.zeros(4)
    for numbers in exact:
        drawn = [plan.subqueries[0].draw(numbers)]
        for place, answer in enumerate(answers(plan, drawn)):
            low, high = answer.over_cuts
            first[place] += answer.low <= numbers[place] <= answer.high
            second[place] += low <= mean[place] <= high
            mistaken[place] += answer.low <= mean[place] <= answer.high
    enough = least_covered(runs, plan.confidence)
    assert min(first) >= enough
    assert min(second) >= enough
    assert min(mistaken) < enough  # the first interval alone is not about the mean


def test_an_interval_for_a_mean_is_where_bernstein_puts_it():
    for count, scale in ((1000, 1), (0, 1), (7, 1), (5000, 4)):
        low, high = mean_interval(Fraction(count), Fraction(count), Fraction(1, 80), scale)
        bound, least, most = log(80), float(low) / scale, float(high) / scale
        at = count / scale
        if low > 0:  # a mean below it would give such a count in fewer than 1 of 80 draws
            far = at - (float(low) - 1) / scale
            assert far**2 / (2 * ((float(low) - 1) / scale + far / 3)) >= bound * 0.97
        assert least <= at <= most
        assert (most - at) ** 2 / (2 * most) >= bound
        assert ((high - 1) / scale - at) ** 2 / (2 * (high - 1) / scale) < bound
    assert mean_interval(Fraction(-9), Fraction(-3), Fraction(1, 80))[0] == 0


@pytest.mark.parametrize(("unit", "question", "words"), [
    ({}, Question("count"), "kept rows, at most 1 a person"),
    ({"rows": 3}, Question("histogram", "ward"), "kept rows, at most 3 a person"),
    ({"rows": 3}, Question("sum", "days"), "over kept rows, at most 3 a person"),
    ({"rows": 3}, Question("mean", "days", "ward"), "each person weighs at most 3 rows"),
    ({}, Question("proportion", at="days > 3"), "each person weighs at most 1 row"),
    ({"cells": 2}, Question("people", by="ward"), "people, each in at most 2 cells"),
    ({"cells": 4}, Question("people", by="ward"), None),
    ({}, Question("people"), None),
])
def test_what_is_kept_is_said(unit, question, words):
    plan = plan_release(question, declared(**unit), 1)
    assert kept(plan) == words
    assert bool(notes(plan)) is (words is not None)


def test_the_number_of_all_kept_rows_has_no_second_interval():
    declaration, table = declared(rows=2), stays(50)
    plan = plan_release(Question("count"), declaration, 1)
    source = open_source(table, declaration)
    assert {statistics(plan, source, key)[0][0] for key in keys(20)} == {100}
    assert answers(plan, [[100]])[0].over_cuts is None
    some = plan_release(Question("counts", at=["days > 3"]), declaration, 1)
    assert answers(some, [[100]])[0].over_cuts is not None


def test_every_surface_says_which_rows_are_kept(books, tmp_path):
    """Words and both intervals: in Python, HTML, JSON, a picture and a published document."""
    words = "kept rows, at most 1 a person"
    release = books.histogram("ward", 1)
    assert words in repr(release)
    assert words in release._repr_html_()
    assert words in repr(release.plan)
    title = release_figure(release.plan, release.answers).axes[0].get_title()
    assert words in title.replace("\n", " ")
    assert release.facts().json["kept"] == words
    for answer, form in zip(release.answers, release.facts().json["answers"], strict=True):
        low, high = answer.over_cuts
        assert 0 <= low <= max(answer.low, 0) <= max(answer.high, 0) <= high
        assert form["over_cuts"] == {"low": low, "high": high}
        assert f"{float(low):.6g} to {float(high):.6g}" in repr(release)
        assert f"{float(low):.7g} to {float(high):.7g}" in release._repr_html_()
    assert "mean over all draws" in repr(release)
    assert "each person weighs at most 1 row" in repr(books.mean("days", 1))


def test_people_missing_from_cells_are_spoken_of():
    plan = plan_release(Question("people", by="ward"), declared(cells=2), 1)
    assert notes(plan)[0] == "People in more than 2 cells are missing from the others."
    whole = plan_release(Question("people", by="ward"), declared(cells=4), 1)
    assert all(answer.over_cuts is None for answer in answers(whole, [[5, 5, 5, 5]]))


@pytest.fixture
def books(tmp_path):
    declaration = declared()
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("now", Scope.of(declaration), "100000"))
    return open_books(stays(40), declaration, ledger=ledger, budget="now")


def test_every_release_has_a_key_of_its_own_and_a_kept_request_its_kept_answer(books):
    """At a level that hides nothing answers are the kept rows: they change from cut to cut."""
    many = {tuple(answer.value for answer in books.histogram("ward", 80).answers)
            for _ in range(20)}
    assert len(many) > 5
    first = books.histogram("ward", 80, request="one")
    assert all(books.histogram("ward", 80, request="one").answers == first.answers
               for _ in range(5))


def test_no_document_holds_the_key(books, monkeypatch):
    from tightrope.releases import releasing

    made = []
    monkeypatch.setattr(releasing, "fresh_key", lambda: made.append(
        hashlib.sha256(str(len(made)).encode()).digest()) or made[-1])
    release = books.histogram("ward", 1)
    [key] = made
    assert key.hex() not in f"{release!r}{release.facts().json}{release._repr_html_()}"
