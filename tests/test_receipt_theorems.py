"""The stand-alone checker of laws by theorem against plain sums of probabilities."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from tests.receipts import LN2, PATH3, THEOREMS, document, judged, noise, sealed


def test_noise_says_that_its_theorem_is_trusted() -> None:
    far = {"family": "path", "low": 0, "high": 10**12}
    for epsilon, holds in ((LN2, True), (("7/10", "0", "1"), True), (("0", "1", "199/100"), False)):
        found = judged(document(far, noise("2"), epsilon, outputs="integers"))
        assert found["holds"] is holds
    assert found["witness"] | {"reason": ""} == {
        "first": 0, "second": 1, "outputs": [0], "probabilities": ["1/3", "1/6"], "reason": ""}
    proved = judged(document(far, noise("2"), outputs="integers"))
    assert "trusted" in proved["checked"][0]
    assert "theorem" in proved["checked"][0]


def test_noise_with_delta_is_its_hockey_stick_sum() -> None:
    # q = 3, e^ε = 2: (3 - 2) / (3 + 1) = 1/4
    for delta, holds in (("1/4", True), ("249/1000", False)):
        found = judged(document(PATH3, noise("3"), LN2, outputs="integers", delta=delta))
        assert found["holds"] is holds


def hockey_stick(
    law: Callable[[int], Fraction], moved: int, power: Fraction, reach: int
) -> Fraction:
    """The sum over all outputs within reach, for a value and one that is `moved` further."""
    return sum((max(Fraction(0), law(z) - power * law(z - moved)) for z in range(-reach, reach)),
               Fraction(0))


@pytest.mark.parametrize(("people", "most", "step", "first"), [
    (3, 2, 2, 1), (3, 2, 2, 2), (4, 3, 3, 2), (4, 3, 5, 3), (2, 4, 4, 4)])
def test_a_staircase_has_the_delta_of_its_worst_neighbors(
    people: int, most: int, step: int, first: int
) -> None:
    ratio, reach = Fraction(3), 200  # beyond it there is less than 3^-39

    def rung(z: int) -> int:
        return 0 if abs(z) < first else 1 + (abs(z) - first) // step

    total = sum(ratio ** -rung(z) for z in range(-4 * reach, 4 * reach))
    space = {"family": "sum", "people": people, "max": most}
    law = {"form": "noise", "law": "staircase", "ratio": "3", "step": step, "first": first}
    for power in (Fraction(2), Fraction(5, 2)):
        worst = max(hockey_stick(lambda z: ratio ** -rung(z) / total, moved, power, reach)
                    for moved in range(-most, most + 1))
        for nudge, holds in ((Fraction(1, 10**9), True), (-Fraction(1, 10**9), False)):
            content = document(space, law, ("0", "1", str(power)), delta=str(worst + nudge),
                               outputs="integers")
            assert judged(content)["holds"] is holds
    for power, holds in (("3", True), (str(3 - Fraction(1, 10**30)), False)):
        found = judged(document(space, law, ("0", "1", power), outputs="integers"))
        assert found["holds"] is holds
    p, q = map(Fraction, found["witness"]["probabilities"])
    assert abs(p - 1 / total) < Fraction(1, 10**15)
    assert p == 3 * q


@pytest.mark.parametrize("changes", [
    {"step": 1}, {"first": 0}, {"first": 4}, {"step": "3"}, {"first": True}, {"ratio": "1"},
    {"law": "gaussian"}, {"ratio": 3}])
def test_a_staircase_must_be_as_wide_as_what_a_person_changes(changes: dict[str, Any]) -> None:
    space = {"family": "sum", "people": 4, "max": 3}
    law = {"form": "noise", "law": "staircase", "ratio": "3", "step": 3, "first": 2}
    assert judged(document(space, law, ("0", "1", "3"), outputs="integers"))["holds"] is True
    with pytest.raises(THEOREMS.Malformed):
        judged(document(space, {**law, **changes}, ("0", "1", "3"), outputs="integers"))


def test_on_the_line_a_rung_must_not_be_left_behind() -> None:
    space = {"family": "line", "changes": [["0", "1"]]}

    def law(*rungs: Any, step: str = "1") -> dict[str, Any]:
        form = {"form": "line", "ratio": "2", "step": step, "grid": "1/10", "rungs": list(rungs)}
        content = document(space, form, LN2, outputs="multiples")
        claim = {**content["claim"], "evidence": "theorem"}
        return sealed({**content, "claim": claim})

    def holds(content: dict[str, Any]) -> Any:
        return THEOREMS.examine(content)["holds"]

    middle, wings = [["-1", "1"]], [["-2", "-1"], ["1", "2"]]
    assert holds(law(middle)) is True
    assert holds(law(middle, wings)) is True
    assert holds(law(None, middle)) is True
    for wrong in (law([["-1", "2"]]), law(middle, [["-3", "-1"], ["1", "2"]]), law(None),
                  law([["-1/4", "1/4"]], [["-1/2", "-1/4"], ["1/4", "1/2"]]),  # a step of 1 skips
                  law(middle, [["-1", "1"]]), law(middle, step="1/2"), law([["1", "-1"]])):
        with pytest.raises(THEOREMS.Malformed):
            holds(wrong)
