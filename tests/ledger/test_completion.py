"""A request that was interrupted after its charge is completed by its name, and drawn for all."""

from threading import Barrier, Thread

import pytest

from tests.ledger.test_crashes import ROWS, open_one
from tightrope.errors import Refused
from tightrope.ledger import Charge, Ledger

NAMED = Charge("count", ROWS, "0.5", "geometric", request="spring")


def interrupt():
    raise InterruptedError


def test_an_interrupted_request_is_completed_for_free(address):
    with open_one(address, "0.5") as ledger:
        with pytest.raises(InterruptedError):
            ledger.book("2026", NAMED, interrupt, completes=True)
        ledger.check("2026", NAMED, completes=True)
        booked = ledger.book("2026", NAMED, lambda: {"count": 3}, completes=True)
        assert (booked.answer, booked.again, booked.remaining) == ({"count": 3}, False, "ε = 0")
        again = ledger.book("2026", NAMED, interrupt, completes=True)
        assert (again.answer, again.again, again.head) == ({"count": 3}, True, booked.head)
        assert [record.kind for record in ledger.records()] == ["budget", "charge", "answer"]
        assert ledger.verify().holds


def test_without_leave_to_complete_it_stays_refused(address):
    with open_one(address, 1) as ledger:
        with pytest.raises(InterruptedError):
            ledger.book("2026", NAMED, interrupt)
        for ask in (lambda: ledger.book("2026", NAMED, interrupt),
                    lambda: ledger.check("2026", NAMED)):
            with pytest.raises(Refused, match="not drawn again"):
                ask()


def test_another_charge_by_that_name_completes_nothing(address):
    with open_one(address, 5) as ledger:
        with pytest.raises(InterruptedError):
            ledger.book("2026", NAMED, interrupt, completes=True)
        other = Charge("count", ROWS, "0.6", "geometric", request="spring")
        with pytest.raises(Refused, match="another question"):
            ledger.book("2026", other, interrupt, completes=True)
        assert ledger.balance("2026").remaining == "ε = 4.5"


def test_of_many_who_complete_it_at_once_all_are_given_the_first_answer(address):
    with open_one(address, 1) as ledger, pytest.raises(InterruptedError):
        ledger.book("2026", NAMED, interrupt, completes=True)
    drawn, given = Barrier(6), []

    def complete(number):
        def draw():
            drawn.wait(60)  # all have drawn before any is kept
            return {"count": number}

        with Ledger(**address) as own:
            given.append(own.book("2026", NAMED, draw, completes=True))

    crowd = [Thread(target=complete, args=(number,)) for number in range(6)]
    for thread in crowd:
        thread.start()
    for thread in crowd:
        thread.join()
    assert len({(str(booked.answer), booked.head) for booked in given}) == 1
    assert [booked.again for booked in given].count(False) == 1
    with Ledger(**address) as ledger:
        kinds = [record.kind for record in ledger.records()]
        assert (kinds.count("charge"), kinds.count("answer")) == (1, 1)
        assert ledger.verify().holds
