"""Accounts and keys: who is charged for a draw, and which key opens the books."""

from fractions import Fraction

import pytest

from tightrope.constructions import randomized_response
from tightrope.errors import BadInput, Refused
from tightrope.exact import Intervals, Level
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.ledger.accounts import drawn_once, metric_of
from tightrope.ledger.keys import VARIABLE, make_key, read_key
from tightrope.mechanisms import LineMechanism, PiecewiseNoise
from tightrope.privacy import certified
from tightrope.spaces import RealLine, categories, graph, path

COIN = randomized_response(categories(3), Level.ratio(2))
STAIRS = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(1))
LINE = certified(LineMechanism(RealLine(Intervals.of([(0, 1)])), STAIRS, Fraction(1, 8)),
                 Level.ratio(2))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    made = Ledger.create(tmp_path_factory.mktemp("books") / "l.sqlite")
    made.open_budget(Budget("now", Scope("votes", "row", "replace"), Level.epsilon(99)))
    return made


def once(account, proved=COIN, x=1):
    return drawn_once(proved, x, "one draw", account, unit="row", neighbors="replace")


def test_without_an_account_nothing_is_booked():
    answer, booked = once(None)
    assert answer in range(3)
    assert booked is None


@pytest.mark.parametrize(("proved", "x", "kind"), [
    (COIN, 1, int), (LINE, Fraction(1, 3), Fraction),
])
def test_a_draw_is_charged_once_and_told_again_as_it_was_drawn(ledger, proved, x, kind):
    account = ledger.account("now", request=f"again {x}")
    assert account.answered() is None
    answer, booked = once(account, proved, x)
    again, rebooked = once(account, proved, x)
    assert type(again) is type(answer) is kind
    assert again == answer
    assert (booked.again, rebooked.again) == (False, True)
    assert rebooked.entry == booked.entry
    assert account.answered().answer == booked.answer
    assert ledger.account("now").answered() is None


def test_a_charge_is_of_the_dataset_of_its_budget_unless_another_is_named(ledger):
    _, booked = once(ledger.account("now"))
    assert booked.entry.body["scope"]["dataset"] == "votes"
    with pytest.raises(Refused):
        once(ledger.account("now", dataset="visits"))


def test_what_distance_one_is_follows_from_the_space():
    assert metric_of(categories(3)) == "units"
    assert metric_of(path(0, 3)) == "path:0..3"
    first, second = (metric_of(graph(list("abc"), edges)) for edges in (
        [(0, 1, 1), (1, 2, 2)], [(0, 1, 2), (1, 2, 1)]))
    assert first.startswith("graph:sha256:")
    assert first != second  # their words are the same


def test_a_key_is_read_from_its_file_or_from_the_environment(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    key = make_key(tmp_path / "key")
    assert read_key(tmp_path / "key") == key
    with pytest.raises(Refused, match="needs its key"):
        read_key(None)
    monkeypatch.setenv(VARIABLE, "ab" * 32)
    assert read_key(None) == b"\xab" * 32


@pytest.mark.parametrize("content", [b"", b"ab" * 31, b"xy" * 32, b"\xff" * 64])
def test_what_is_no_key_is_refused(content, tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    path = tmp_path / "key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(BadInput, match="no key of a ledger"):
        read_key(path)
