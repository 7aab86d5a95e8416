"""One release from every source: the same statistic before noise, the same entry after it."""

import pytest

from tests.tables.sources.test_same_statistic import SOURCES, declared
from tests.tables.sources.test_same_statistic import database as database
from tightrope.ledger import Budget, Ledger
from tightrope.releases import Question, open_books, proving, releasing

OWN = ("number", "time", "at", "seal", "previous", "digest")
"""What tells one entry from another."""


def released(data, options, folder, monkeypatch):
    """The statistic that is drawn around, seen by a test only, and the entry in the books."""
    seen = []

    def kept(mechanism, numbers, source):
        seen.append(numbers)
        return numbers

    monkeypatch.setattr(proving, "draw", kept)
    monkeypatch.setattr(releasing, "fresh_key", lambda: bytes(range(32)))
    declaration = declared("people")
    ledger = Ledger.create(folder / "books.sqlite")
    ledger.open_budget(Budget.of("b", declaration, epsilon=3))
    books = open_books(data, declaration, ledger=ledger, budget="b", **options)
    done = books.ask(Question("histogram", "area", where="age >= 20"), 1)
    entry = done.booked.entry.as_json()
    return seen, {name: value for name, value in entry.items() if name not in OWN}


@pytest.mark.parametrize("kind", [*SOURCES, "postgresql"])
def test_a_release_is_the_same_from_every_source(kind, tmp_path, monkeypatch, request):
    # area and age are the same in text and in types; Spark is compared in tests/systems
    folder = tmp_path / "arrow"
    folder.mkdir()
    data, options = ((request.getfixturevalue("database"), {"table": "people"})
                     if kind == "postgresql" else SOURCES[kind](tmp_path))
    expected = released(*SOURCES["arrow"](tmp_path), folder, monkeypatch)
    assert expected[0][0]
    assert released(data, options, tmp_path, monkeypatch) == expected
