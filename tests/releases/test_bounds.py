"""Bounds that are chosen from declared bins: the law, what is beyond, and what is said of it."""

from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest

from tightrope.declarations import CutKey, Declaration
from tightrope.errors import BadInput
from tightrope.exact import Level
from tightrope.releases import open_books, plan_release
from tightrope.releases.accuracy import interval_text
from tightrope.releases.answers import answers
from tightrope.releases.releasing import statistics
from tightrope.tables import open_source

BINS = [-100, -10, 0, 10, 100, 1000]
NUMBERS = [-500, -100, -10, -1, 0, 9.5, 10, 999, 5000]
ASKED = ("upper bound of pay", "lower bound of pay")


def form(bins=BINS, **unit):
    return {"dataset": "d", "unit": unit, "columns": {
        "pay": {"type": "number", "low": -100, "high": 1000, **({"bins": bins} if bins else {})},
        "sex": {"type": "category", "values": ["f", "m"]},
        "day": {"type": "date", "low": "2024-01-01", "high": "2024-12-31"}}}


def bin_of(number):
    """The bin of a number, counted by hand."""
    return sum(edge <= min(max(number, -100), 1000) for edge in BINS[1:-1])


def chances(plan, counts):
    """Permute-and-flip by the larger of two scores, written apart: no run of values, no sampler."""
    part = plan.subqueries[0].mechanism
    scores = []
    for place in range(len(counts)):
        below, above = sum(counts[:place]), sum(counts[place + 1:])
        scores.append(
            max(part.shift - (sum(counts) - below), above - part.shift)
            if plan.question.ask == "upper_bound" else
            max(below + part.shift, -part.shift - (sum(counts) - above)))
    heads = [part.ratio ** (min(scores) - score) for score in scores]
    law = []
    for place, own in enumerate(heads):
        others, whole = heads[:place] + heads[place + 1:], Fraction(0)
        for tossed in product((0, 1), repeat=len(others)):
            chance = own
            for toss, head in zip(tossed, others, strict=True):
                chance *= head if toss else 1 - head
            whole += chance / (1 + sum(tossed))
        law.append(whole)
    assert sum(law) == 1
    return law


def tables(size, most):
    """All counts of up to so many rows in so many bins."""
    return [[held.count(place) for place in range(size)]
            for rows in range(most + 1)
            for held in combinations_with_replacement(range(size), rows)]


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("unit", [{}, {"person": "who", "rows": 3},
                                  {"neighbors": "replace", "size": 4}], ids=str)
def test_no_neighbor_changes_a_chance_by_more_than_the_level(question, unit):
    plan = plan_release(question, Declaration.of(form(**unit)), Level.ratio(2))
    laws = {tuple(counts): chances(plan, counts) for counts in tables(len(BINS) - 1, 3)}
    mechanism = plan.subqueries[0].mechanism
    worst = Fraction(0)
    for one, law in laws.items():
        assert [mechanism.law(list(one)).probability([k]) for k in range(len(law))] == law
        for other, near in laws.items():
            up, down = (sum(max(b - a, 0) for a, b in zip(*pair, strict=True))
                        for pair in ((one, other), (other, one)))
            if (up, down) == ((1, 1) if "size" in unit else (1, 0)):
                worst = max(worst, *(max(p / q, q / p) for p, q in zip(law, near, strict=True)))
    assert 1 < worst <= 2


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.parametrize("unit", [{}, {"person": "who", "rows": 3},
                                  {"neighbors": "replace", "size": 40}], ids=str)
def test_where_ranks_meet_the_aim_neighbors_differ_by_all_of_the_level(question, unit):
    """Tables of few rows are far from the aim: there, neighbors differ by the root of the level."""
    declared = Declaration.of(form(bins=[-100, 0, 10, 1000], **unit))
    plan = plan_release(question, declared, Level.ratio(9))
    aim, worst = abs(plan.subqueries[0].mechanism.shift), Fraction(0)
    for counts in product(range(aim - 1, aim + 2), repeat=3):
        more = [[count + (place == own) for place, count in enumerate(counts)] for own in range(3)]
        pairs = product(more, more) if "size" in unit else ((counts, one) for one in more)
        for pair in pairs:
            law, near = (chances(plan, list(table)) for table in pair)
            worst = max(worst, *(max(p / q, q / p) for p, q in zip(law, near, strict=True)))
    assert worst == 9


@pytest.mark.parametrize("question", ASKED)
def test_no_more_than_stated_are_beyond_so_surely(question):
    plan = plan_release(question, Declaration.of(form(bins=[-100, 0, 10, 1000])), Level.ratio(9))
    wide = int(plan.width)
    rarest = 1
    for counts in product((0, wide // 2, wide, wide + 1, 3 * wide), repeat=3):
        law = chances(plan, counts)
        sides = [counts[k + 1:] if question == ASKED[0] else counts[:k] for k in range(len(law))]
        safe = sum(p for p, side in zip(law, sides, strict=True) if sum(side) <= plan.width)
        rarest = min(rarest, safe)
    assert Fraction(95, 100) <= rarest < 1


@pytest.mark.parametrize(("question", "ends"), [(ASKED[0], max), (ASKED[1], min)])
def test_a_person_counts_once_by_the_outermost_row(question, ends):
    rows = [(f"p{k % 4}", number) for k, number in enumerate(NUMBERS * 3)]
    rows += [("p9", None), (None, 5000)]
    data = {"who": [who for who, _ in rows], "pay": [number for _, number in rows],
            "sex": ["f"] * len(rows), "day": [None] * len(rows)}
    for unit in ({}, {"person": "who", "rows": 2}):
        declared = Declaration.of(form(**unit))
        plan = plan_release(question, declared, 1)
        (numbers,) = statistics(plan, open_source(data, declared), CutKey(bytes(32)))
        own = {}
        for place, (who, number) in enumerate(rows):
            if number is not None and (who is not None or not unit):
                own.setdefault(who if unit else place, []).append(bin_of(number))
        expected = [0] * (len(BINS) - 1)
        for cells in own.values():
            expected[ends(cells)] += 1
        assert numbers.listed(plan.tally.size).tolist() == expected
        space = plan.subqueries[0].subquery.space
        assert (space.added, space.removed) == (1, 0)


def test_the_answer_is_the_outer_edge_of_the_bin_within_the_widest_bounds():
    for question, edges in zip(ASKED, (BINS[1:], BINS[:-1]), strict=True):
        plan = plan_release(question, Declaration.of(form()), 1)
        for place, edge in enumerate(edges):
            (answer,) = answers(plan, [[place]])
            assert (answer.value, answer.low, answer.high) == (edge, None, None)
    wide = Declaration.of(form(bins=[-5000, 0, 5000]))
    assert [answers(plan_release(question, wide, 1), [[place]])[0].value
            for question, place in zip(ASKED, (1, 0), strict=True)] == [1000, -100]


def test_it_is_said_what_intervals_cover_and_how_many_are_beyond():
    rows = {"pay": [5] * 500, "sex": ["f"] * 500, "day": [None] * 500, "who": [*range(500)]}
    books = open_books(rows, form(person="who"))
    release = books.ask(ASKED[0], 5, unbooked=True)
    assert release.answers[0].value == 10
    assert "cover the clamped statistic only" in repr(release)
    assert "people beyond it" in repr(release)
    assert interval_text(release.plan) in repr(release)
    assert "clamped and cut" in interval_text(books.dry_run("mean of pay", 5))


@pytest.mark.parametrize(("question", "declared", "wrong"), [
    ("upper bound of pay by sex", form(), "leave by out"),
    ("lower bound of pay", form(bins=None), r"bins = \[0, 1000, 10000, 100000\]"),
    ("upper bound of sex", form(), "needs numbers"),
    ("upper bound of day", form(), "holds dates"),
    ("upper bound of who", form(), "not declared"),
    ("upper bound pay", form(), "upper bound of pay"),
    ("bounds of pay", form(), "upper bound of age"),
    ("bound of pay", form(), "upper bound of age"),
])
def test_what_cannot_be_chosen_is_refused_with_what_helps(question, declared, wrong):
    with pytest.raises(BadInput, match=wrong):
        plan_release(question, Declaration.of(declared), 1)
