"""A ledger goes on where exact sums have more digits than can be written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from tightrope.exact import Level
from tightrope.ledger import Budget, Charge, Ledger, Scope

SCOPE = Scope("d", "row", "replace")


def test_sums_of_many_digits_are_charged_and_audited(tmp_path: Path) -> None:
    ledger = Ledger.create(tmp_path / "l.sqlite")
    ledger.open_budget(Budget("b", SCOPE, Level.epsilon(5, "1/2")))
    for k in range(16):
        ratio = Fraction(10**400 + 2 * k + 1, 10**400 - 10**399 - 2 * k)
        level = Level.ratio(ratio, Fraction(1, 10**400 + 2 * k + 1))
        booked = ledger.book("b", Charge("coin", SCOPE, level, "coin"), lambda: {"side": 1})
        assert booked.entry.body["spent"]
    assert ledger.verify().holds
    assert len(Ledger(tmp_path / "l.sqlite").records()) == 33
    spent = ledger.balance("b").spent
    assert spent.epsilon is not None
    assert abs(float(spent.epsilon) - 16 * float(Level.ratio("10/9"))) < 1e-12
    assert spent.delta > Fraction(16, 10**400 + 100)
