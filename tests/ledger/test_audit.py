"""What the books are worth: by their key, a head that was kept and published releases."""

import pytest

from tightrope.exact import Level
from tightrope.ledger.audit import audit
from tightrope.ledger.entries import (
    START,
    Budget,
    Charge,
    Kind,
    Record,
    Scope,
    Spent,
    canonical,
    seal_of,
)

KEY, SCOPE = b"k" * 32, Scope("fair", "row", "replace")


def written(*lines):
    """Records with these kinds and bodies, each sealed after the one before."""
    records, seal = [], START
    for number, (kind, body) in enumerate(lines, start=1):
        seal = seal_of(KEY, seal, canonical(number, kind, "now", "t", body))
        records.append(Record(number, kind, "now", "t", body, seal))
    return records


def charge(level, *before):
    total = Spent()
    for one in (*before, level):
        total = total.plus(one)
    body = Charge("count", SCOPE, level, "noise").as_json()
    return Kind.CHARGE, {**body, "spent": total.as_json()}


def budget(level):
    return Kind.BUDGET, {"version": 2, **Budget("now", SCOPE, level).as_json()}


def answer(entry, drawn):
    return Kind.ANSWER, {"entry": entry, "answer": {"numbers": [drawn]}}


HALF = Level.epsilon("1/2", "1/20")
WHOLE = written(budget(Level.epsilon(1, "1/10")), charge(HALF), answer(2, 7), charge(HALF, HALF),
                answer(4, 9))


def release(entry, reply, **change):
    """The parts of a published release that the books are asked about."""
    return {"entry": entry.as_json(), "drawn": reply.body["answer"], "head": reply.seal, **change}


FIRST, SECOND = release(WHOLE[1], WHOLE[2]), release(WHOLE[3], WHOLE[4])


def test_whole_books_hold_and_say_what_was_not_checked():
    report = audit(KEY, WHOLE, WHOLE[-1].seal, [FIRST, SECOND])
    assert (report.holds, report.records, report.head, report.broken, report.reason) == (
        True, 5, WHOLE[-1].seal, None, "")
    assert report.only_holder == ("that what was drawn is around the statistic of the data",)
    assert audit(KEY, WHOLE, START, []).only_holder == ()
    (cut,) = audit(KEY, WHOLE, None, []).only_holder
    assert "no head was given" in cut
    assert audit(KEY, [], None, []).head == START
    assert audit(KEY, [], None, []).holds


FORGED = {
    "entry": ({**FIRST, "entry": {**FIRST["entry"], "question": "sum"}}, "is not in the books"),
    "seal": ({**FIRST, "entry": {**FIRST["entry"], "seal": "0" * 64}}, "is not in the books"),
    "no entry": ({**FIRST, "entry": None}, "is not in the books"),
    "answer for a charge": ({**FIRST, "entry": WHOLE[2].as_json()}, "is not in the books"),
    "drawn": ({**FIRST, "drawn": {"numbers": [8]}}, "is not what was kept"),
    "a double": ({**FIRST, "drawn": {"numbers": [7.0]}}, "is not what was kept"),
    "of the other": ({**FIRST, "drawn": SECOND["drawn"]}, "is not what was kept"),
    "head": ({**FIRST, "head": SECOND["head"]}, "is not that of the answer"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_release_that_is_not_of_these_books_is_found_before_or_after_good_ones(name):
    forged, said = FORGED[name]
    for releases in ([forged], [forged, SECOND], [SECOND, forged]):
        report = audit(KEY, WHOLE, None, releases)
        assert not report.holds
        assert said in report.reason


def test_a_release_of_an_entry_without_an_answer_is_none():
    open_ = written(budget(Level.epsilon(1, "1/10")), charge(HALF))
    report = audit(KEY, open_, None, [{**FIRST, "entry": open_[1].as_json()}])
    assert "entry 2 has no answer" in report.reason


@pytest.mark.parametrize(("lines", "broken", "said"), [
    ([charge(HALF)], 1, "of a budget that was never opened"),
    ([budget(HALF), budget(HALF)], 2, "opens a budget a second time"),
    ([budget(Level.epsilon("0.4", "1/2")), charge(HALF)], 2, "beyond its budget"),
    ([budget(Level.epsilon(1, "1/50")), charge(HALF)], 2, "beyond its budget"),
    ([budget(Level.epsilon(1, "1/9")), charge(HALF), charge(HALF)], 3, "record 3 has a wrong sum"),
    ([budget(Level.epsilon(1, "1/9")), charge(HALF, HALF)], 2, "record 2 has a wrong sum"),
    ([budget(HALF), charge(HALF), answer(2, 7), answer(2, 8)], 4, "a second time"),
])
def test_sums_are_added_up_again(lines, broken, said):
    report = audit(KEY, written(*lines), None, [])
    assert (report.holds, report.broken) == (False, broken)
    assert said in report.reason


def test_what_is_broken_stays_so_whatever_else_fits():
    changed = [*WHOLE[:3], Record(4, Kind.CHARGE, "now", "later", WHOLE[3].body, WHOLE[3].seal),
               WHOLE[4]]
    report = audit(KEY, changed, WHOLE[-1].seal, [FIRST])
    assert (report.holds, report.broken) == (False, 4)
    assert "record 4 does not follow" in report.reason
    assert audit(KEY, changed, "0" * 64, []).broken == 4


def test_a_head_that_is_not_in_the_books_shows_that_some_were_cut_off():
    report = audit(KEY, WHOLE[:3], WHOLE[-1].seal, [])
    assert (report.holds, report.broken) == (False, None)
    assert "cut off or replaced" in report.reason
    assert audit(KEY, WHOLE, WHOLE[2].seal, []).holds


def test_a_kept_head_tells_of_lost_records_but_not_instead_of_what_is_broken():
    whole = written(budget(HALF), charge(HALF))
    kept = (2, whole[1].seal)
    assert audit(KEY, whole, None, [], kept).only_holder == ()
    assert audit(KEY, whole, whole[0].seal, []).only_holder == ()
    lost = audit(KEY, whole[:1], None, [], kept)
    assert (lost.holds, lost.broken) == (False, None)
    assert lost.reason == "record 2, kept beside the key, is not in the books: they lost records"
    broken = written(charge(HALF))
    for head, beside in (("ab" * 32, None), (None, kept), ("ab" * 32, kept)):
        report = audit(KEY, broken, head, [], beside)
        assert report.reason == "record 1 is of a budget that was never opened"
