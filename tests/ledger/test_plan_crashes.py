"""Plans through crashes and crowds: killed anywhere there is one charge, and one set of answers."""

import os
import random
import signal
from collections import Counter
from multiprocessing import get_context
from time import monotonic

import pytest

from tests.ledger.test_crashes import child
from tightrope.errors import Refused
from tightrope.ledger import Budget, Ledger, books
from tightrope.releases import open_books, plan
from tightrope.releases.plan_documents import review_plan

DECLARED = {"dataset": "visits", "columns": {
    "sex": {"type": "category", "values": ["f", "m"], "other": "f", "missing": "f"},
    "age": {"type": "number", "low": 0, "high": 100, "resolution": 1, "missing": 0}}}
ROWS = {"sex": ["f", "m"] * 10, "age": [20, 60] * 10}
KILLS = int(os.environ.get("TIGHTROPE_PLAN_KILLS", "12"))
"""Children killed at random with each store; 300 take some ten minutes."""


def stated(name):
    return {"name": name, "total": {"epsilon": 1}, "questions": [
        "count", "histogram of sex", "mean of age by sex", "median of age"]}


def opened(address, level):
    with Ledger.create(**address) as ledger:
        ledger.open_budget(Budget.of("2026", DECLARED, level))
    return Ledger(**address)


def answer(address, made):
    with Ledger(**address) as ledger:
        return open_books(ROWS, DECLARED, ledger=ledger, budget="2026").release_plan(made)


def kinds(address):
    with Ledger(**address) as ledger:
        assert ledger.verify().holds
        listed = [record.kind for record in ledger.records()]
    return listed.count("charge"), listed.count("answer")


@pytest.mark.parametrize(("place", "expected"), [
    ("before the charge is committed", (0, 0)),
    ("after the charge", (1, 0)),
    ("before the answer is committed", (1, 0)),
    ("after the answer", (1, 1)),
])
def test_killed_anywhere_a_plan_is_whole_or_completed_by_its_name(address, place, expected):
    opened(address, 1).close()
    made = plan(stated("spring"), DECLARED)
    shown, end = os.pipe()

    def die(*_):
        os.kill(os.getpid(), signal.SIGKILL)

    def work():
        add, keep = books.Ledger._add, books.Ledger._keep
        if place == "after the charge":
            books.Ledger._keep = die
        elif place == "after the answer":
            books.Ledger._keep = lambda *given: (keep(*given), die())
        else:
            kind = "charge" if "charge" in place else "answer"
            books.Ledger._add = lambda *given: (
                add(*given), die() if given[2] == kind else None)[0]
        answer(address, made)
        os.write(end, b"shown")

    os.waitpid(child(work), 0)
    os.close(end)
    assert os.read(shown, 9) == b""  # nothing left the process
    os.close(shown)
    assert kinds(address) == expected
    completed = answer(address, made)
    assert completed.booked.again is (expected == (1, 1))
    assert review_plan(completed.document()).holds
    assert kinds(address) == (1, 1)
    assert answer(address, made).document() == completed.document()


def test_killed_at_random_each_plan_has_one_charge_and_is_completed(address):
    """Whoever was shown answers was shown those that everybody is shown later."""
    opened(address, 1000).close()
    moments, longest = random.Random(4), None
    for number in range(KILLS):
        made = plan(stated(f"plan {number}"), DECLARED)
        began = monotonic()
        told, end = os.pipe()

        def work(made=made, end=end):
            digest = answer(address, made).document()["digest"]
            os.write(end, digest.encode())

        process = child(work)
        if longest is not None:
            signal.sigtimedwait([signal.SIGUSR2], moments.uniform(0, longest))
            os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        longest = longest or monotonic() - began
        os.close(end)
        shown = os.read(told, 100).decode()
        os.close(told)
        before = kinds(address)
        completed = answer(address, made)
        assert shown in ("", completed.document()["digest"])
        assert kinds(address) == (number + 1, number + 1)
        assert before in ((number, number), (number + 1, number), (number + 1, number + 1))
        assert review_plan(completed.document()).holds


def _ask(address, number, start, out):
    made = plan(stated(f"plan {number}"), DECLARED)
    start.wait(120)
    try:
        out.put(answer(address, made).booked.again)
    except Refused:
        out.put("refused")
    except BaseException as odd:
        out.put(repr(odd))
        raise


def test_of_fifty_plans_at_once_exactly_ten_pass_a_budget_for_ten(address):
    """Fifty processes, one plan each: all wait until the last of them is ready, then charge."""
    opened(address, 10).close()
    context = get_context("fork")  # each child opens the books by itself
    start, out = context.Barrier(50), context.Queue()
    crowd = [context.Process(target=_ask, args=(address, number, start, out))
             for number in range(50)]
    for process in crowd:
        process.start()
    outcomes = Counter(out.get(timeout=300) for _ in crowd)
    for process in crowd:
        process.join()
    assert outcomes == {False: 10, "refused": 40}
    assert kinds(address) == (10, 10)
    with Ledger(**address) as ledger:
        assert ledger.balance("2026").remaining == "ε = 0"
