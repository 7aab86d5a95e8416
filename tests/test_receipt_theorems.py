"""The stand-alone checker of laws by theorem against plain sums of probabilities."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from math import prod
from pathlib import Path
from typing import Any

import pytest

from tests.receipts import (
    BOTH,
    LEVELS,
    LN2,
    ONE,
    PATH3,
    THEOREMS,
    document,
    judged,
    noise,
    run,
    sealed,
)


def test_noise_says_that_its_theorem_is_trusted() -> None:
    far = {"family": "path", "low": 0, "high": 10**12}
    for epsilon, holds in ((LN2, True), (("7/10", "0", "1"), True), (("0", "1", "199/100"), False)):
        found = judged(document(far, noise("2"), epsilon, outputs="integers"))
        assert found["holds"] is holds
    assert found["witness"] | {"reason": ""} == {
        "first": 0, "second": 1, "outputs": [0], "probabilities": ["1/3", "1/6"], "reason": ""}
    proved = judged(document(far, noise("2"), outputs="integers", delta="1/9"))
    assert (proved["epsilon"], proved["delta"], proved["evidence"]) == ("ln(2)", "1/9", "theorem")
    assert "trusted" in proved["checked"][0]
    assert "theorem" in proved["checked"][0]


def test_noise_with_delta_is_its_hockey_stick_sum() -> None:
    # q = 3, e^ε = 2: (3 - 2) / (3 + 1) = 1/4
    for delta, holds in (("1/4", True), ("249/1000", False)):
        found = judged(document(PATH3, noise("3"), LN2, outputs="integers", delta=delta))
        assert found["holds"] is holds


@pytest.mark.parametrize("nudge", [-1, 1])
def test_a_ratio_next_to_an_irrational_level_is_decided(nudge: int) -> None:
    with localcontext() as context:
        context.prec = 200
        ratio = Fraction(Decimal("0.5").exp()) + Fraction(nudge, 10**100)
    found = judged(document(PATH3, noise(str(ratio)), ("1/2", "0", "1"), outputs="integers"))
    assert found["holds"] is (nudge < 0)


def test_a_ratio_above_a_level_below_all_doubles_is_refuted() -> None:
    for bits, holds in ((90, False), (110, True)):  # 10^-30 is between 2^-110 and 2^-90
        ratio = str(1 + Fraction(1, 1 << bits))
        found = judged(document(PATH3, noise(ratio), (f"1/{10**30}", "0", "1"), outputs="integers"))
        assert found["holds"] is holds


def test_a_refutation_by_theorem_says_by_how_much() -> None:
    """A ratio of 3 is more than e^ε = 2 by half of that; 1/10 of the 3/4 is what δ allows."""
    for delta, allowed, more in (("0", "", "1/2"), ("1/10", ", less what δ allows,", "3/10")):
        found = judged(document(PATH3, noise("3"), LN2, outputs="integers", delta=delta))
        assert found["witness"]["reason"] == (
            f"the ratio{allowed} is more than e^ε = 2, by {more} of that")


@pytest.mark.parametrize(("space", "neighbor", "counts", "less"), [
    ({"family": "graphs", "nodes": 5}, "one edge", [2, 0], Fraction(4, 9)),
    ({"family": "graphs", "nodes": 5}, "one edge", [2, 0, 0], Fraction(4, 9)),
    ({"family": "cut-graphs", "nodes": 5, "degree": 2}, "a star with 2 leaves", [3, 1],
     Fraction(16, 81)),
    ({"family": "cut-graphs", "nodes": 5, "degree": 1}, "a star with 1 leaves", [2],
     Fraction(4, 9)),
    ({"family": "cut-graphs", "nodes": 5, "degree": 3}, "a star with 3 leaves", [4, 1, 1],
     Fraction(64, 729))])
def test_a_witness_counts_the_degrees_of_a_graph_beside_the_empty_one(
    space: Any, neighbor: str, counts: list[int], less: Fraction
) -> None:
    """Noise is 0 at a count with probability (q - 1)/(q + 1) = 1/5, and the counts of the empty
    graph are as many units away as the factor q is lost."""
    law = {"form": "degrees", "degree": len(counts), "ratio": "3/2"}
    found = judged_by_theorem(space, law, Fraction(2), Fraction(0), "vectors")["witness"]
    assert (found["first"], found["second"], found["outputs"]) == (neighbor, "no edges", [counts])
    chance = Fraction(1, 5 ** len(counts))
    assert found["probabilities"] == [str(chance), str(less * chance)]


def test_a_witness_names_the_neighbors_and_the_outputs_that_tell_them_apart() -> None:
    def witness(space: Any, law: Any, delta: str) -> list[Any]:
        outputs = "sets" if law["form"] in ("subset", "unary") else "integers"
        content = document(space, law, ("0", "1", "3/2"), outputs=outputs, delta=delta)
        claim = {**content["claim"], "evidence": "theorem"}
        found = THEOREMS.examine(sealed({**content, "claim": claim}))["witness"]
        return [found["first"], found["second"], *found["outputs"]]

    path, people = {**PATH3, "low": -3}, {"family": "sum", "people": 2, "max": 4}
    stairs = {"form": "noise", "law": "staircase", "ratio": "3", "step": 4, "first": 3}
    assert witness(path, noise("3"), "0") == [-3, -2, -3]
    assert witness(path, noise("3"), "1/99") == [-3, -2, "every output up to -3"]
    assert witness(people, stairs, "0") == [0, 1, -2]  # 2 away from 0, and 3 from 1
    assert witness(people, stairs, "1/99") == [0, 4, "every output that is likelier for 0"]
    colors = {"family": "categories", "values": ["red", "green", "blue"]}
    for law in ({"form": "subset", "ratio": "3", "size": 1},
                {"form": "unary", "held": "1/2", "added": "1/4"}):
        for delta in ("0", "1/99"):
            assert witness(colors, law, delta) == [
                "red", "green", "every set with red and without green"]


SUBSET = {"form": "subset", "ratio": "3", "size": 1}
UNARY = {"form": "unary", "held": "1/2", "added": "1/4"}
QUANTILE = {"form": "quantile", "rank": 1, "ratio": "2"}
MODE = {"form": "mode", "ratio": "2"}
STAIRS = {"form": "noise", "law": "staircase", "ratio": "3", "step": 4, "first": 3}


def graphs(nodes: Any) -> dict[str, Any]:
    return {"family": "graphs", "nodes": nodes}


def ladder(count: Any) -> dict[str, Any]:
    return {"form": "ladder", "count": count, "ratio": "2"}


def cut(nodes: int, degree: int) -> dict[str, Any]:
    return {"family": "cut-graphs", "nodes": nodes, "degree": degree}


def first(count: str, radius: int) -> dict[str, Any]:
    return {"form": "privacy-first", "count": count, "radius": radius, "ratio": "2"}


def degrees(top: int) -> dict[str, Any]:
    return {"form": "degrees", "degree": top, "ratio": "2"}


def share(count: Any, first_step: int) -> dict[str, Any]:
    return {"form": "global", "count": count, "ratio": "2", "first": first_step}


def colors(*values: Any) -> dict[str, Any]:
    return {"family": "categories", "values": list(values)}


def records(size: int, low: int, high: int) -> dict[str, Any]:
    return {"family": "records", "size": size, "low": low, "high": high}


@pytest.mark.parametrize(("space", "law", "fine"), [
    ({"family": "path", "low": 0, "high": 1}, noise("2"), True),
    ({"family": "path", "low": 0, "high": 0}, noise("2"), False),
    ({"family": "path", "low": 3, "high": 1}, noise("2"), False),
    ({"family": "path", "low": -(10**15), "high": 10**15}, noise("2"), True),
    ({"family": "path", "low": 0, "high": 10**15 + 1}, noise("2"), False),
    ({"family": "path", "low": 0, "high": 1, "step": 1}, noise("2"), False),
    ({"family": "cycle", "nodes": 3}, noise("2"), False),
    ({"family": "sum", "people": 1, "max": 4}, STAIRS, True),
    ({"family": "sum", "people": 0, "max": 4}, STAIRS, False),
    ({"family": "sum", "people": 2, "max": 0}, STAIRS, False),
    ({"family": "sum", "people": 10**15 // 4 + 1, "max": 4}, STAIRS, False),
    ({"family": "sum", "people": 2, "max": 5}, STAIRS, False),
    ({"family": "sum", "people": 2, "max": 2}, noise("2"), False),
    ({"family": "sum", "people": 2, "max": 1}, noise("2"), True),
    ({"family": "sum", "people": 2, "max": 4}, {**noise("2"), "law": "staircase"}, False),
    ({"family": "complete", "nodes": 2}, SUBSET, True),
    ({"family": "complete", "nodes": 1}, UNARY, False),
    (colors("a", "b"), SUBSET, True), (colors(0, 1), SUBSET, True),
    (colors("a"), UNARY, False), (colors("a", "a"), UNARY, False), (colors("a", ""), UNARY, False),
    (colors(1, 2), UNARY, False), (colors("a", 1), UNARY, False), (colors(0, True), UNARY, False),
    ({**colors("a", "b"), "more": 1}, UNARY, False), (PATH3, UNARY, False),
    (colors("a", "b", "c"), {**SUBSET, "size": 2}, True),
    (colors("a", "b", "c"), {**SUBSET, "size": 3}, False),
    (colors("a", "b", "c"), {**SUBSET, "size": 0}, False),
    *((colors("a", "b"), {**UNARY, "held": p, "added": q}, False)
      for p, q in (("1/2", "1/2"), ("1/4", "1/2"), ("1/2", "0"), ("1", "1/2"), ("5/4", "1/2"))),
    (graphs(3), ladder("triangles"), True), (graphs(2), ladder("edges"), False),
    (graphs(4), ladder("stars3"), True), (graphs(3), ladder("stars3"), False),
    (graphs(10**6), ladder("edges"), True), (graphs(10**6 + 1), ladder("edges"), False),
    (graphs(4), ladder("paths"), False), (graphs(4), ladder(["edges"]), False),
    (graphs(7), first("triangles", 0), True), (graphs(8), first("stars2", 0), False),
    (graphs(8), first("edges", 28), True), (graphs(8), first("edges", 29), False),
    (graphs(4), first("triangles", 4), True), (graphs(4), first("triangles", 5), False),
    (graphs(4), first("triangles", -1), False), (cut(4, 2), first("edges", 0), False),
    (graphs(4), degrees(3), True), (graphs(4), degrees(4), False), (graphs(4), degrees(0), False),
    (graphs(2000), degrees(1000), True), (graphs(2000), degrees(1001), False),
    ({**graphs(4), "more": 1}, degrees(2), False), (cut(3, 1), degrees(1), True),
    ({**graphs(4), "family": "complete"}, degrees(2), False),
    (cut(4, 3), degrees(3), True), (cut(4, 3), degrees(2), False), (cut(4, 4), degrees(4), False),
    (cut(4, 0), degrees(0), False), (cut(2, 1), degrees(1), False),
    ({**cut(4, 2), "more": 1}, degrees(2), False), (records(4, 0, 1), degrees(2), False),
    (graphs(4), degrees(1), True), (graphs(3), degrees(2), True), (graphs(2), degrees(1), False),
    (cut(9, 4), share("edges", 4), True), (cut(9, 4), share("edges", 5), False),
    (cut(9, 4), share("edges", 1), True), (cut(9, 4), share("edges", 0), False),
    (cut(3, 1), share("edges", 1), True), (cut(3, 1), share("edges", 2), False),
    (cut(9, 3), share("stars2", 12), True), (cut(9, 3), share("stars2", 13), False),
    (cut(9, 3), share("stars3", 6), True), (cut(9, 3), share("stars3", 7), False),
    (cut(9, 4), share("stars2", 24), True), (cut(9, 4), share("stars2", 25), False),
    (cut(9, 4), share("stars3", 24), True), (cut(9, 4), share("stars3", 25), False),
    (cut(5, 4), share("stars3", 20), True), (cut(5, 4), share("stars3", 21), False),
    (cut(9, 2), share("stars3", 1), False), (cut(9, 4), share("triangles", 1), False),
    (cut(9, 4), share(["edges"], 1), False), (cut(9, 4), ladder("edges"), False),
    (records(1, 0, 1), QUANTILE, True), (records(0, 0, 1), MODE, False),
    (records(1, 0, 0), QUANTILE, False), (records(3, 0, 1), {**QUANTILE, "rank": 3}, True),
    (records(3, 0, 1), {**QUANTILE, "rank": 4}, False),
    (records(3, 0, 1), {**QUANTILE, "rank": 0}, False),
    (records(1, 1 - 2**61, 2**61 - 1), QUANTILE, True), (records(1, -(2**61), 1), QUANTILE, False),
    (records(1, 0, 2**61), QUANTILE, False),
    (records(1, 0, 10**7 - 1), MODE, True), (records(1, 0, 10**7), MODE, False),
    (records(1, -(10**7), 0), MODE, False),
])
def test_a_theorem_is_for_its_own_data_only(space: Any, law: dict[str, Any], fine: bool) -> None:
    outputs = {"subset": "sets", "unary": "sets", "degrees": "vectors"}.get(law["form"], "integers")
    level = "1500" if law["form"] == "degrees" else "5"
    content = document(space, law, (level, "0", "1"), outputs=outputs)
    content = sealed({**content, "claim": {**content["claim"], "evidence": "theorem"}})
    if fine:
        assert THEOREMS.examine(content)["checked"]
        return
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(content)


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
    {"law": "gaussian"}, {"ratio": 3}, {"ratio": "3/0"}, {"ratio": "3.0"}])
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


def judged_by_theorem(
    space: Any, law: dict[str, Any], power: Fraction, delta: Fraction, outputs: str
) -> dict[str, Any]:
    content = document(space, law, ("0", "1", str(power)), delta=str(delta), outputs=outputs)
    sealed_again = sealed({**content, "claim": {**content["claim"], "evidence": "theorem"}})
    found: dict[str, Any] = THEOREMS.examine(sealed_again)
    return found


def assert_tight(
    space: Any, law: dict[str, Any], rows: list[dict[Any, Fraction]], outputs: str
) -> None:
    """The level and every δ of a document are those of rows that are written out, to a hair."""
    pairs = list(permutations(rows, 2))
    ratio = max(y[z] / x[z] for y, x in pairs for z in y)
    for power, holds in ((ratio, True), (ratio - Fraction(1, 10**9), False)):
        assert judged_by_theorem(space, law, power, Fraction(0), outputs)["holds"] is holds
    for power in (1 + (ratio - 1) / 3, 1 + (ratio - 1) * 2 / 3):
        worst = max(sum(max(y[z] - power * x[z], Fraction(0)) for z in y) for y, x in pairs)
        for nudge, holds in ((Fraction(0), True), (Fraction(1, 10**9), False)):
            found = judged_by_theorem(space, law, power, worst - nudge, outputs)
            assert found["holds"] is holds
        # P(apart | first) and P(apart | second) differ by the ratio, and by more than e^ε and δ
        p, q = map(Fraction, found["witness"]["probabilities"])
        assert p == ratio * q
        assert p - power * q == worst


@pytest.mark.parametrize(("many", "size"), [(2, 1), (4, 1), (4, 2), (4, 3), (5, 2)])
def test_reports_of_a_fixed_size_have_the_level_and_delta_of_all_their_sets(
    many: int, size: int
) -> None:
    def row(y: int) -> dict[Any, Fraction]:
        weights = {s: Fraction(3 if y in s else 1) for s in combinations(range(many), size)}
        return {s: w / sum(weights.values()) for s, w in weights.items()}

    space = {"family": "categories", "values": [f"v{i}" for i in range(many)]}
    law = {"form": "subset", "ratio": "3", "size": size}
    assert_tight(space, law, [row(y) for y in range(many)], "sets")


@pytest.mark.parametrize(("held", "added"), [("1/2", "1/4"), ("2/3", "1/5"), ("9/10", "1/2")])
def test_reports_of_any_size_have_the_level_and_delta_of_all_their_sets(
    held: str, added: str
) -> None:
    p, q = Fraction(held), Fraction(added)

    def chance(y: int, bits: tuple[int, ...]) -> Fraction:
        each = [p if i == y else q for i in range(len(bits))]
        return prod((e if bit else 1 - e for e, bit in zip(each, bits, strict=True)), start=ONE)

    rows = [{bits: chance(y, bits) for bits in product((0, 1), repeat=3)} for y in range(3)]
    law = {"form": "unary", "held": held, "added": added}
    assert_tight({"family": "complete", "nodes": 3}, law, rows, "sets")


def subgraphs(kind: str, nodes: int, missing: int) -> int:
    """How many there are in a complete graph without that many edges, counted one by one."""
    edges = list(combinations(range(nodes), 2))[missing:]
    if kind == "edges":
        return len(edges)
    if kind == "triangles":
        return sum({*combinations(three, 2)} <= {*edges} for three in combinations(range(nodes), 3))
    legs = int(kind[-1])
    return sum(1 for v in range(nodes) for _ in combinations([e for e in edges if v in e], legs))


@pytest.mark.parametrize("kind", ["edges", "triangles", "stars2", "stars3"])
@pytest.mark.parametrize("nodes", [4, 6])
def test_noise_around_a_count_is_as_wide_as_one_edge_of_a_complete_graph(
    kind: str, nodes: int
) -> None:
    top, ratio = subgraphs(kind, nodes, 0), Fraction(3)
    step = top - subgraphs(kind, nodes, 1)
    first, reach = (step + 1) // 2, 30 * step  # beyond it there is less than 3^-29

    def rung(z: int) -> int:
        return 0 if abs(z) < first else 1 + (abs(z) - first) // step

    total = 2 * first - 1 + 2 * step / (ratio - 1)
    law = {"form": "global", "count": kind, "ratio": "3", "first": first}
    space = {"family": "graphs", "nodes": nodes}
    known = judged_by_theorem(space, law, ratio, Fraction(0), "integers")
    assert (known["holds"], len(known["only_holder"])) == (True, 1)
    assert f"at most {step}," in known["checked"][0]
    below = judged_by_theorem(space, law, ratio - Fraction(1, 10**9), Fraction(0), "integers")
    assert below["witness"]["outputs"] == [top + first - 1]  # the last that is on rung 0
    assert Fraction(below["witness"]["probabilities"][0]) == 1 / total
    worst = hockey_stick(lambda z: ratio ** -rung(z) / total, -step, Fraction(2), reach)
    for nudge, holds in ((Fraction(1, 10**9), True), (-Fraction(1, 10**9), False)):
        found = judged_by_theorem(space, law, Fraction(2), worst + nudge, "integers")
        assert found["holds"] is holds
    for wrong in ({"first": 0}, {"first": step + 1}, {"ratio": "1"}, {"count": "stars4"}):
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, {**law, **wrong}, ratio, Fraction(0), "integers")


GRAPHS, RECORDS = {"family": "graphs", "nodes": 9}, {"family": "records", "size": 5, "low": 0,
                                                     "high": 9}


@pytest.mark.parametrize(("space", "law", "bound"), [
    (GRAPHS, {"form": "ladder", "count": "triangles", "ratio": "3/2"}, Fraction(9, 4)),
    (GRAPHS, {"form": "smooth", "count": "stars2", "growth": "5/4", "shift": "3"},
     Fraction(225, 16)),
    (RECORDS, {"form": "quantile", "rank": 5, "ratio": "3/2"}, Fraction(9, 4)),
    (RECORDS, {"form": "mode", "ratio": "3/2"}, Fraction(9, 4)),
    ({"family": "graphs", "nodes": 6},
     {"form": "privacy-first", "count": "triangles", "radius": 1, "ratio": "3/2"}, Fraction(9, 4)),
])
def test_a_bound_by_theorem_needs_the_holder_and_a_level_below_it_is_not_even_checked(
    space: Any, law: dict[str, Any], bound: Fraction
) -> None:
    known = judged_by_theorem(space, law, bound, Fraction(0), "integers")
    assert [len(known[part]) for part in ("checked", "unchecked", "only_holder")] == [1, 0, 1]
    assert known["holds"] is True
    for delta in (Fraction(0), Fraction(1, 2)):  # such a theorem says nothing about δ
        below = judged_by_theorem(space, law, bound - Fraction(1, 10**9), delta, "integers")
        assert (below["holds"], below["checked"]) == (None, [])
        assert f"by a factor {bound}, more than" in below["unchecked"][0]
    for name in {"ratio", "growth", "shift"} & {*law}:
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, {**law, name: "1"}, bound, Fraction(0), "integers")
    for wrong in ({**space, "more": 1}, {**space, "family": "path"}):
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(wrong, law, bound, Fraction(0), "integers")


CUT = {"family": "cut-graphs", "nodes": 9, "degree": 2}
TALLIES = {"family": "tallies", "cells": 3, "touched": 2, "change": 5}


@pytest.mark.parametrize(("space", "law", "power", "outputs"), [
    (GRAPHS, {"form": "degrees", "degree": 2}, 2, "vectors"),  # an edge has two ends
    (CUT, {"form": "degrees", "degree": 2}, 4, "vectors"),  # two lost, two won
    (cut(9, 3), {"form": "degrees", "degree": 3}, 6, "vectors"),
    (cut(9, 1), {"form": "degrees", "degree": 1}, 2, "vectors"),
    (GRAPHS, {"form": "privacy-first", "count": "edges", "radius": 1}, 1, "integers"),
    (TALLIES, {"form": "tally", "step": 2, "first": 1}, 3, "vectors"),  # 1 + 3 more, and 1
    (TALLIES, {"form": "tally", "step": 1, "first": 1}, 5, "vectors"),
    ({"family": "totals", "people": 4, "most": 3, "length": 2}, {"form": "box", "first": 2}, 1,
     "vectors"),
])
def test_a_ratio_that_neighbors_reach_is_the_level_and_not_a_hair_less(
    space: Any, law: dict[str, Any], power: int, outputs: str
) -> None:
    law, bound = {**law, "ratio": "3/2"}, Fraction(3, 2) ** power
    known = judged_by_theorem(space, law, bound, Fraction(0), outputs)
    assert (known["holds"], len(known["checked"]), len(known["only_holder"])) == (True, 1, 1)
    below = judged_by_theorem(space, law, bound - Fraction(1, 10**9), Fraction(0), outputs)
    first, second = map(Fraction, below["witness"]["probabilities"])
    assert (below["holds"], first / second) == (False, bound)


def totals(people: Any, most: Any, length: Any) -> dict[str, Any]:
    return {"family": "totals", "people": people, "most": most, "length": length}


@pytest.mark.parametrize(("space", "law", "witness"), [
    # edges: 3 answers on rung 0, and 2/(q - 1) = 4 beyond; -1 is within the radius of 0, not of 1
    (GRAPHS, {"form": "privacy-first", "count": "edges", "radius": 1},
     ("no edges", "one edge", -1, Fraction(1, 7))),
    # each number: 3 answers on rung 0, and 2 · 2/(q - 1) = 8 beyond; -1 is 2 + 1 rungs from 4 and 1
    (TALLIES, {"form": "tally", "step": 2, "first": 2},
     ([0, 0, 0], [4, 1, 0], [-1, -1, 0], Fraction(1, 11**3))),
    (totals(4, 2, 2), {"form": "box", "first": 2}, ([0, 0], [2, 0], [-1, 0], None)),
    (totals(1, 1, 1), {"form": "box", "first": 1}, ([0], [1], [0], None)),
    (totals(3, 5, 3), {"form": "box", "first": 3}, ([0, 0, 0], [5, 0, 0], [-2, 0, 0], None)),
])
def test_a_witness_is_an_answer_with_its_probability(
    space: Any, law: dict[str, Any], witness: tuple[Any, Any, Any, Fraction | None]
) -> None:
    first, second, at, chance = witness
    outputs = "integers" if law["form"] == "privacy-first" else "vectors"
    found = judged_by_theorem(space, {**law, "ratio": "3/2"}, Fraction(5, 4), Fraction(0), outputs)
    assert (found["witness"]["first"], found["witness"]["second"]) == (first, second)
    assert found["witness"]["outputs"] == [at]
    if chance is None:  # of a point on rung 0: those of box t that are not in box t - 1 weigh q^-t
        sides = [2 * (law["first"] + t * space["most"]) - 1 for t in range(150)]
        sizes = [side ** space["length"] for side in sides]
        rungs = [sizes[0], *(b - a for a, b in pairwise(sizes))]
        chance = 1 / sum(n / Fraction(3, 2) ** t for t, n in enumerate(rungs))
    said = Fraction(found["witness"]["probabilities"][0])
    assert abs(said / chance - 1) < Fraction(1, 10**6)


@pytest.mark.parametrize(("space", "first", "fine"), [
    (totals(1, 1, 1), 1, True), (totals(0, 1, 1), 1, False), (totals(1, 0, 1), 1, False),
    (totals(1, 1, 0), 1, False), (totals(1, 2, 1), 0, False), (totals(1, 2, 1), 3, False),
    (totals(2**60, 2, 1), 1, False), (totals(2**59, 2, 250), 1, True),
    (totals(2, 2, 251), 1, False), ({**totals(2, 2, 2), "more": 1}, 1, False),
    ({**totals(2, 2, 2), "family": "sum"}, 1, False),
])
def test_totals_are_declared_in_full(space: Any, first: int, fine: bool) -> None:
    law = {"form": "box", "first": first, "ratio": "3/2"}
    if fine:
        assert judged_by_theorem(space, law, Fraction(2), Fraction(0), "vectors")["checked"]
    else:
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, law, Fraction(2), Fraction(0), "vectors")


@pytest.mark.parametrize(("changes", "fine"), [
    ({}, True), ({"touched": 0}, False), ({"touched": 4}, False), ({"change": 1}, False),
    ({"cells": 0}, False), ({"more": 1}, False), ({"family": "totals"}, False),
    ({"change": 2}, True), ({"cells": 2}, True)])
def test_tallies_are_declared_in_full(changes: dict[str, Any], fine: bool) -> None:
    law = {"form": "tally", "step": 2, "first": 1, "ratio": "3/2"}
    space = {**TALLIES, **changes}
    if fine:
        assert judged_by_theorem(space, law, Fraction(9), Fraction(0), "vectors")["checked"]
    else:
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, law, Fraction(9), Fraction(0), "vectors")
    for wrong in ({"step": 0}, {"first": 0}, {"first": 3}):
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(TALLIES, {**law, **wrong}, Fraction(9), Fraction(0), "vectors")


@pytest.mark.parametrize("changes", [
    {"format": "other"}, {"version": 2}, {"version": True}, {"version": "1"}, {"construction": 7}])
def test_another_format_or_version_is_no_law_by_theorem(changes: dict[str, Any]) -> None:
    content = document(PATH3, noise("2"), LN2, outputs="integers")
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(sealed({**content, **changes}))
    for digest in (None, 5):
        with pytest.raises(THEOREMS.Malformed):
            THEOREMS.examine({**content, "digest": digest})


def test_exit_codes_say_what_became_of_a_law_by_theorem(tmp_path: Path) -> None:
    good = document(PATH3, noise("2"), LN2, outputs="integers")
    below = document(PATH3, noise("3"), LN2, outputs="integers")
    graph = document(GRAPHS, {"form": "ladder", "count": "edges", "ratio": "2"}, ("0", "1", "4"),
                     outputs="integers")
    graph = sealed({**graph, "claim": {**graph["claim"], "evidence": "theorem"}})
    low = sealed({**graph, "mechanism": {**graph["mechanism"], "ratio": "3"}})
    deep: Any = 0
    for _ in range(501):
        deep = [deep]
    for content, code, said in (
        (good, 0, "the claim is proved"), (below, 1, "the claim is FALSE"),
        ({**good, "construction": {"of": 1}}, 1, "CHANGED"),
        (graph, 0, "everything that a document can prove holds"),
        (low, 3, "not all proved"),
        (sealed({**good, "neighbors": "others"}), 2, "neighbors must be those of the space"),
        ({**good, "outputs": "sets"}, 1, "it was changed, and a noise needs"),
        (sealed({**good, "outputs": "sets"}), 2, "a noise needs theorem as evidence"),
        (sealed({**good, "note": "a\x85b"}), 2, "control character"),
        (sealed({**good, "note": float("inf")}), 2, "not finite"),
        (sealed({**good, "note": deep}), 2, "nested too deep"),
    ):
        found = run(tmp_path, content, by=THEOREMS)
        assert (found.returncode, said in found.stdout + found.stderr) == (code, True), said
    refuted = run(tmp_path, below, by=THEOREMS).stdout
    assert "witness      inputs 0 and 1 give an output in [0]\n" in refuted
    assert "with probability 1/2 and 1/6: the ratio is more than e^ε = 2" in refuted
    accented = run(tmp_path, sealed({**good, "note": "naïve\xad"}), by=THEOREMS)  # a soft hyphen
    assert accented.returncode == 0
    assert "checked      the hypotheses of the theorem for noise" in accented.stdout
    assert "NOT checked  nothing" in accented.stdout
    other = run(tmp_path, sealed({**good, "mechanism": {"form": "kernel"}}), by=THEOREMS)
    assert (other.returncode, "\nchecked      nothing" in other.stdout) == (3, True)


LINE = {"family": "line", "changes": [["0", "1"]]}


def on_the_line(
    rungs: list[Any], step: str = "1", ratio: str = "2", space: Any = LINE, **other: Any
) -> tuple[Any, dict[str, Any]]:
    law = {"form": "line", "ratio": ratio, "step": step, "grid": "1/10", "rungs": rungs, **other}
    return space, law


@pytest.mark.parametrize(("change", "step", "shifts"), [
    (["0", "1"], 1, (-1, 1)), (["1", "1"], 1, (-1, 1)), (["2", "2"], 2, (-2, 2)),
    (["1", "2"], 2, (-2, -1, 1, 2)), (["-2", "-1"], 2, (-2, -1, 1, 2)),
    (["1", "1"], 2, (-1, 1))])
def test_every_small_law_on_the_line_is_judged_as_its_cells_are(
    change: list[str], step: int, shifts: tuple[int, ...]
) -> None:
    """Four cells of length 1 around 0, each on one of three rungs; beyond, a rung for each step."""
    for chosen in product(range(3), repeat=4):
        def rung(cell: int, chosen: tuple[int, ...] = chosen) -> int:
            outside = -cell if cell < 0 else cell - 3
            return chosen[cell] if 0 <= cell < 4 else 3 + (outside - 1) // step

        rungs = [[[str(c - 2), str(c - 1)] for c in range(4) if chosen[c] == i] or None
                 for i in range(3)]
        fits = all(rung(c + s) <= rung(c) + 1 for c in range(-9, 13) for s in shifts)
        space = {"family": "line", "changes": [change]}
        content = on_the_line(rungs, str(step), space=space)
        if fits:
            found = judged_by_theorem(*content, Fraction(2), Fraction(0), "multiples")
            assert found["holds"] is True, chosen
        else:
            with pytest.raises(THEOREMS.Malformed):
                judged_by_theorem(*content, Fraction(2), Fraction(0), "multiples")


@pytest.mark.parametrize("ratio", ["2", "3/2", "7/3"])
@pytest.mark.parametrize(("rungs", "step"), [
    ([[["-1", "1"]]], "1"), ([[["-1", "1"]], [["-2", "-1"], ["1", "2"]]], "1"),
    ([None, [["-1", "1"]]], "1"), ([[["-1/2", "1/2"]], [["-3/2", "-1/2"], ["1/2", "3/2"]]], "1"),
    ([[["-3", "3"]]], "1")])
def test_a_witness_on_the_line_has_the_probability_of_half_a_line(
    rungs: list[Any], step: str, ratio: str
) -> None:
    q, n = Fraction(ratio), len(rungs)
    inside = sum((q**-i * sum(Fraction(y) - Fraction(x) for x, y in rung or [])
                  for i, rung in enumerate(rungs)), Fraction(0))
    outside = q**-n / (1 - 1 / q)  # on either side: steps of length 1, each q times less likely
    reach = max(Fraction(y) for rung in rungs for _, y in rung or [])
    content = on_the_line(rungs, step, ratio)
    found = judged_by_theorem(*content, q - Fraction(1, 10**9), Fraction(0), "multiples")
    p = outside / (inside + 2 * outside)
    assert found["witness"]["probabilities"] == [str(p), str(p / q)]
    assert (found["witness"]["first"], found["witness"]["second"]) == (str(-reach), str(-reach - 1))
    wider = on_the_line(rungs, step, ratio, {"family": "line", "changes": [["0", "1/2"]]})
    below = judged_by_theorem(*wider, q - Fraction(1, 10**9), Fraction(0), "multiples")
    assert (below["holds"], len(below["unchecked"])) == (None, 1)  # less may be true


@pytest.mark.parametrize(("space", "law"), [
    on_the_line([[["-1", "1"]]], "0"), on_the_line([[["-1", "1"]]], grid="0"),
    on_the_line([[["-1", "1"]]], grid="-1"), on_the_line([[["-1", "1"]]], "-1"),
    on_the_line([[["-1", "1"], ["3", "2"]]]),
    on_the_line([[["-1", "1"], ["1", "0"], ["0", "1"]]]),  # which fill it as often as they empty it
    on_the_line([[["-1", "1"]]], ratio="1"), on_the_line([]), on_the_line([[]]),
    on_the_line([[["-1", "1", "2"]]]), on_the_line([[["-1"]]]), on_the_line([["-1", "1"]]),
    on_the_line([[["-1", "1"]]], space={**LINE, "more": 1}),
    on_the_line([[["-1", "1"]]], space={**LINE, "family": "lines"}),
    *(on_the_line([[["-1", "1"]]], space={"family": "line", "changes": changes}) for changes in (
        [["0", "0"]], [["0", "2"]], [["1", "0"]], [["0", "2/2"]], [["0", "1/2"], ["1/2", "1"]],
        [["1", "1"], ["0", "1/2"]], [])),
    on_the_line([[["-1", "1"]]], f"1/{2**53}", space={
        "family": "line", "changes": [["0", f"1/{2**53}"]]}),
])
def test_what_is_no_law_on_the_line_is_refused(space: Any, law: dict[str, Any]) -> None:
    with pytest.raises(THEOREMS.Malformed):
        judged_by_theorem(space, law, Fraction(3), Fraction(0), "multiples")


@pytest.mark.parametrize("parts", [
    *LEVELS, ("0", "1/3", "2"), ("1/7", "2/3", "5/4"), ("100/3", "0", "1"), ("3", "1", "1/7"),
    ("0", "7", "9/8"), ("2", "5/2", "3/4"), ("0", "3", "8"), ("0", "1/3", "8"), ("0", "1/2", "4/3"),
    ("0", "1/2", "9/2")])
def test_bounds_enclose_levels_and_their_powers(parts: tuple[str, str, str]) -> None:
    level = THEOREMS.Level(*map(Fraction, parts))
    with localcontext() as context:
        context.prec = 150
        r, c, b = (Decimal(x.numerator) / x.denominator for x in map(Fraction, parts))
        size = r + c * b.ln()
        for bits in (0, 1, 7, 40, 64, 150):
            low, high = level.bounds(bits)
            assert low <= size * 2**bits <= high <= low + 12
            (n, m), (k, j) = level.power(bits)
            hair = Decimal("1e-120") if (n, m) == (k, j) else 0  # it is rational, decimals are not
            assert n <= size.exp() * m * (1 + hair)
            assert size.exp() * j * (1 - hair) <= k
            assert Decimal(k) / j - Decimal(n) / m <= size.exp() / 2**bits
    roots = ("1/3", "2"), ("1/2", "4/3"), ("1/2", "9/2")  # of which one part is none
    whole = not Fraction(parts[0]) and parts[1:] not in roots
    assert (level.power(64)[0] == level.power(64)[1]) is whole


@pytest.mark.parametrize(("parts", "fine"), [
    (("0", "0", "1"), False), (("-1", "0", "2"), False), (("1", "-1", "2"), False),
    (("-7/10", "1", "2"), False), (("-6/10", "1", "2"), True), (("0", "1", "1/2"), False),
    (("1", "1", "0"), False), (("1", "1", "-2"), False), (("1000000", "0", "1"), True),
    (("1000000", "1", "2"), False), (("1000001", "0", "1"), False), (("1000000", "1", "1"), True)])
def test_a_level_by_theorem_is_above_0_and_at_most_a_million(
    parts: tuple[str, str, str], fine: bool
) -> None:
    content = document(PATH3, noise("101/100"), parts, outputs="integers")
    if fine:
        assert judged(content)["holds"] is True
    else:
        with pytest.raises(THEOREMS.Malformed):
            judged(content)


@pytest.mark.parametrize("changes", [
    {"claim": {"evidence": "kernel"}}, {"outputs": "inputs"}, {"neighbors": None},
    {"claim": {"delta": "1"}}, {"claim": {"delta": "-1/9"}}, {"claim": {"delta": "1/0"}},
    {"space": "path"},
    {"optimality": {"value": "0x0.0p+0"}}, {"mechanism": {"form": "noise", "ratio": "2"}},
    {"mechanism": {"form": "magic"}},
    {"mechanism": {"form": "table", "rows": 2, "base": noise("2")}}])
def test_what_no_theorem_is_about_is_no_document(changes: dict[str, Any]) -> None:
    content = document(PATH3, noise("2"), LN2, outputs="integers")
    assert judged(content)["holds"] is True
    claim = {**content["claim"], **changes.get("claim", {})}
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(sealed({**content, **changes, "claim": claim}))


BOX = {"box": ["-4", "40", "-3", "41"]}


def positions(within: str, step: str, region: Any = BOX, **other: Any) -> dict[str, Any]:
    return {"family": "positions", "region": region, "within": within, "step": step, **other}


def assert_bounded(
    space: Any, law: dict[str, Any], times: int, ratio: Fraction = Fraction(3, 2)
) -> None:
    """The factor by theorem is the ratio to this power, and a claim below it is not followed."""
    law, bound = {**law, "ratio": str(ratio)}, ratio**times
    known = judged_by_theorem(space, law, bound, Fraction(0), "vectors")
    assert (known["holds"], len(known["checked"]), len(known["only_holder"])) == (True, 1, 1)
    below = judged_by_theorem(space, law, bound - Fraction(1, 10**9), Fraction(0), "vectors")
    assert (below["holds"], below["checked"]) == (None, [])
    assert "whether less is true is not known" in below["unchecked"][0]


@pytest.mark.parametrize(("within", "step"), [
    ("200", "2"), ("10", "3"), ("159/40", "1"), ("143/40", "1"), ("141/40", "1"), ("7", "9/10"),
    ("1/10", "1/60"), ("4339/10000", "1/10"), ("4333/10000", "1/10")])
def test_cells_of_positions_are_as_many_steps_apart_as_their_diagonals_allow(
    within: str, step: str
) -> None:
    """(d + 1/40)/step + √2, rounded up."""
    length = (Fraction(within) + Fraction(1, 40)) / Fraction(step)
    with localcontext() as context:
        context.prec = 60
        apart = Decimal(length.numerator) / length.denominator + Decimal(2).sqrt()
        times = int(apart.to_integral_value(rounding="ROUND_CEILING"))
    assert_bounded(positions(within, step), {"form": "planar"}, times, Fraction(11, 10))


def boxed(west: str, south: str, east: str, north: str) -> dict[str, Any]:
    return {"box": [west, south, east, north]}


CORNERS = [["0", "1"], ["1", "1"], ["0", "2"]]


@pytest.mark.parametrize(("space", "fine"), [
    # half of 10 m, less 1/40 m, is 3.5178... diagonals of a cell
    (positions("10", "17589/5000"), True), (positions("10", "35179/10000"), False),
    (positions("10", "-3"), False), (positions("10", "0"), False), (positions("-10", "1"), False),
    (positions("1/20", "1/100"), False), (positions("10", "3", more=1), False),
    (positions("10", "3") | {"family": "places"}, False),
    (positions("10", "3", boxed("-180", "-90", "0", "90")), True),
    (positions("10", "3", boxed("-181", "0", "-90", "1")), False),
    (positions("10", "3", boxed("180", "0", "360", "1")), True),
    (positions("10", "3", boxed("181", "0", "361", "1")), False),
    (positions("10", "3", boxed("-1", "0", "180", "1")), False),
    (positions("10", "3", boxed("0", "0", "1", "91")), False),
    (positions("10", "3", boxed("0", "-91", "1", "0")), False),
    (positions("10", "3", boxed("1", "0", "1", "1")), False),
    (positions("10", "3", boxed("0", "1", "1", "1")), False),
    (positions("10", "3", {**BOX, "more": 1}), False),
    (positions("10", "3", {"box": BOX["box"][:3]}), False),
    (positions("10", "3", {"rings": [CORNERS]}), True),
    (positions("10", "3", {"rings": [CORNERS, CORNERS[:2]]}), False),
    (positions("10", "3", {"rings": [CORNERS[:2]]}), False),
    (positions("10", "3", {"rings": [[*CORNERS, ["0", "1", "2"]]]}), False),
    (positions("10", "3", {"rings": [[*CORNERS, ["181", "1"]]]}), False),
    (positions("10", "3", {"rings": [CORNERS], "more": 1}), False),
    (positions("10", "3", {"circle": CORNERS}), False),
])
def test_positions_are_declared_in_full(space: Any, fine: bool) -> None:
    law = {"form": "planar", "ratio": "3/2"}
    if fine:
        assert judged_by_theorem(space, law, Fraction(8), Fraction(0), "vectors")["checked"]
    else:
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, law, Fraction(8), Fraction(0), "vectors")


def counted(groups: Any, values: Any, added: Any, removed: Any) -> dict[str, Any]:
    return {"family": "value-counts", "groups": groups, "values": values, "added": added,
            "removed": removed}


def most_crossed(rows: int, weight: int, groups: int, width: int) -> int:
    """The most steps of a width that rows of a weight are, however they lie in groups."""
    return max(sum(-(-part * weight // width) for part in parts)
               for parts in product(range(rows + 1), repeat=groups) if sum(parts) == rows)


@pytest.mark.parametrize(("groups", "added", "removed", "width"), [
    (1, 1, 0, 1), (1, 3, 0, 2), (2, 3, 0, 2), (2, 1, 1, 3), (3, 2, 1, 2), (2, 5, 4, 3)])
@pytest.mark.parametrize("picks", [1, 2])
def test_every_pick_of_a_frequent_value_costs_what_all_rows_can_move(
    groups: int, added: int, removed: int, width: int, picks: int
) -> None:
    times = picks * sum(most_crossed(rows, 1, groups, width) for rows in (added, removed))
    law = {"form": "frequent", "picks": picks, "width": width}
    assert_bounded(counted(groups, 3, added, removed), law, times)


@pytest.mark.parametrize(("groups", "added", "removed", "below", "above", "width", "most"), [
    (1, 1, 0, 1, 2, 1, 2), (1, 1, 0, 2, 1, 1, 2), (1, 3, 1, 5, 2, 1, 17), (1, 3, 1, 2, 5, 1, 17),
    (1, 3, 1, 5, 2, 4, 5), (1, 2, 2, 0, 3, 3, 2), (1, 2, 0, 0, 1, 3, 1),
    (2, 2, 0, 1, 2, 3, 2), (2, 2, 1, 2, 1, 3, 3), (2, 4, 1, 2, 0, 3, 4), (2, 1, 1, 3, 2, 2, 4),
    (3, 1, 1, 1, 1, 1, 2),
])
def test_a_rank_costs_twice_what_rows_below_and_above_can_move(
    groups: int, added: int, removed: int, below: int, above: int, width: int, most: int
) -> None:
    """In one group rows put in are on one side and those taken out on the other; in several, each
    may be where it weighs most."""
    if groups > 1:
        assert most == most_crossed(added + removed, max(below, above), groups, width)
    law = {"form": "rank", "below": below, "above": above, "shift": 0, "width": width}
    assert_bounded(counted(groups, 3, added, removed), law, 2 * most)


FREQUENT = {"form": "frequent", "picks": 3, "ratio": "2", "width": 1}
RANK = {"form": "rank", "below": 0, "above": 1, "shift": 0, "ratio": "2", "width": 1}


@pytest.mark.parametrize(("space", "law", "fine"), [
    (counted(1, 3, 1, 0), FREQUENT, True), (counted(1, 3, 1, 1), FREQUENT, True),
    (counted(1, 2, 1, 0), FREQUENT, False), (counted(0, 3, 1, 0), FREQUENT, False),
    (counted(1, 0, 1, 0), RANK, False), (counted(1, 3, 0, 0), FREQUENT, False),
    (counted(1, 3, 1, 2), FREQUENT, False), (counted(1, 3, 1, -1), FREQUENT, False),
    ({**counted(1, 3, 1, 0), "more": 1}, FREQUENT, False),
    ({**counted(1, 3, 1, 0), "family": "tallies"}, FREQUENT, False),
    (counted(2, 2**59, 1, 0), FREQUENT, True), (counted(2, 2**59 + 1, 1, 0), RANK, False),
    (counted(1, 3, 1, 0), {**FREQUENT, "picks": 0}, False),
    (counted(1, 3, 1, 0), {**FREQUENT, "width": 0}, False),
    (counted(1, 3, 1, 0), {**FREQUENT, "ratio": "1"}, False),
    (counted(1, 3, 1, 0), {**RANK, "above": 0}, False),
    (counted(1, 3, 1, 0), {**RANK, "below": 1, "above": 0}, True),
    (counted(1, 3, 1, 0), {**RANK, "below": -1}, False),
    (counted(1, 3, 1, 0), {**RANK, "above": -1, "below": 1}, False),
    (counted(1, 3, 1, 0), {**RANK, "shift": "0"}, False),
    (counted(1, 3, 1, 0), {**RANK, "shift": -(1 << 59)}, True),
    (counted(1, 3, 1, 0), {**RANK, "shift": -(1 << 59) - 1}, False),
    (counted(1, 3, 1, 0), {**RANK, "shift": 1 << 59}, True),
    (counted(1, 3, 1, 0), {**RANK, "shift": (1 << 59) + 1}, False),
])
def test_counts_of_values_are_declared_in_full(
    space: Any, law: dict[str, Any], fine: bool
) -> None:
    if fine:
        assert judged_by_theorem(space, law, Fraction(2**9), Fraction(0), "vectors")["checked"]
    else:
        with pytest.raises(THEOREMS.Malformed):
            judged_by_theorem(space, law, Fraction(2**9), Fraction(0), "vectors")


def law_at(rational: str, coefficient: str = "0", base: str = "2", delta: str = "0") -> Any:
    parts = {"rational": rational, "coefficient": coefficient, "base": base}
    return {"claim": {"epsilon": parts, "delta": delta}, **parts, "delta": delta}


@pytest.mark.parametrize(("laws", "total", "verdict"), [
    ([law_at("1/2"), law_at("1/2")], law_at("1"), True),
    ([law_at("1/2"), law_at("1/2")], law_at("999999/1000000"), False),
    ([law_at("0", "1"), law_at("0", "2")], law_at("0", "3"), True),
    ([law_at("0", "1"), law_at("0", "2")], law_at("0", "2999/1000"), False),
    ([law_at("1", "1"), law_at("1", "2")], law_at("2", "3"), True),
    ([law_at("0", "2")], law_at("7/10", "1"), True),  # 2 ln 2 is 1.386..., and 1.393...
    ([law_at("0", "2")], law_at("69/100", "1"), False),  # 1.383...
    ([law_at("7/10", "1")], law_at("0", "2"), False),
    ([law_at("69/100", "1")], law_at("0", "2"), True),
    ([law_at("0", "1", "2"), law_at("0", "1", "3")], law_at("0", "1", "6"), None),
    ([law_at("0", "1", "2"), law_at("0", "1", "3")], law_at("0", "1", "601/100"), True),
    ([law_at("0", "1", "2"), law_at("0", "1", "3")], law_at("0", "1", "599/100"), False),
    ([law_at("0", "1", "2")], law_at("0", "1", "3"), True),
    ([law_at("0", "1", "3")], law_at("0", "1", "2"), False),
    ([law_at("1/3", "0", "5")], law_at("1/3", "0", "7"), True),  # bases that count nothing
    ([law_at("0", "1", "4")], law_at("0", "2", "2"), None), ([law_at("0", "2")], law_at(
        "0", "1", "4"), None),  # the same number, of which only bounds are compared
    ([law_at("1", delta="1/10"), law_at("1", delta="1/10")], law_at("2", delta="1/5"), True),
    ([law_at("1", delta="1/10"), law_at("1", delta="1/10")], law_at("9", delta="1/6"), False),
])
def test_laws_cost_together_at_most_what_is_charged(
    laws: list[Any], total: Any, verdict: bool | None
) -> None:
    if verdict:
        THEOREMS.spend(laws, total)
    else:
        with pytest.raises(THEOREMS.Unchecked if verdict is None else THEOREMS.Refuted):
            THEOREMS.spend(laws, total)


def digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def claimed(space: Any, law: Any, base: str, outputs: str = "vectors") -> dict[str, Any]:
    content = document(space, law, ("0", "1", base), outputs=outputs)
    return sealed({**content, "claim": {**content["claim"], "evidence": "theorem"}})


TALLY = {"form": "tally", "step": 1, "first": 1, "ratio": "2"}
ONE_TALLY = {"family": "tallies", "cells": 1, "touched": 1, "change": 1}
CHARGE = {"rational": "0", "coefficient": "2", "base": "2", "delta": "1/9"}


SCOPE = {"dataset": "d", "unit": "row", "neighbors": "add-remove", "metric": "units"}


def released(laws: list[Any], charge: dict[str, str] = CHARGE, **entry: Any) -> dict[str, Any]:
    """A release made by hand; `entry` are fields that its ledger entry has otherwise."""
    declared = {"dataset": "d", "unit": {"person": None, "neighbors": "add-remove", "size": None}}
    forms = ",".join(dict.fromkeys(law["mechanism"]["form"] for law in laws))
    stated = {"kind": "charge", "number": 7, "level": charge, "question": "count",
              "mechanism": forms, "law": "sha256:" + digest({"laws": laws}),
              "declaration": digest(declared), "scope": SCOPE, "budget": "now", "spent": charge,
              "time": "2026-01-02T03:04:05+00:00", "request": None, "seal": "a" * 64}
    return sealed({
        "format": "tightrope/release", "version": 2, "declared": declared,
        "asked": {"question": "count", "optimal": None, "level": charge}, "laws": laws,
        "entry": {**stated, **entry}, "head": "b" * 64})


COUNTED = claimed(ONE_TALLY, TALLY, "2")


def test_a_release_states_its_charge_what_was_checked_and_what_was_not(tmp_path: Path) -> None:
    content = released([COUNTED, COUNTED])
    found = THEOREMS.examine(content)
    assert (found["holds"], found["intact"], found["witness"]) == (None, True, None)
    assert (found["epsilon"], found["delta"], found["evidence"]) == ("2*ln(2)", "1/9", "theorem")
    assert sum("the theorem for tally" in part for part in found["checked"]) == 1  # of both laws
    assert sum("add up to at most the charge" in part for part in found["checked"]) == 1
    assert sum("the entry states" in part for part in found["checked"]) == 1
    assert found["unchecked"] == [THEOREMS.LEFT_OF_A_RELEASE]
    *known, added = found["only_holder"]
    assert "added up as declared" in added  # of both laws, said once
    assert tuple(known) == THEOREMS.ONLY_HOLDER
    said = run(tmp_path, content, by=THEOREMS)
    assert said.returncode == 3
    assert 'release      "count"\n' in said.stdout
    assert "claim        ε = 2*ln(2), about 1.386294, δ = 1/9 (theorem)" in said.stdout


def test_of_a_law_that_is_left_open_nothing_is_said_to_be_checked() -> None:
    """Its bound is 2^2, more than e^ε = 2 that it claims."""
    rank = {"form": "rank", "below": 1, "above": 1, "shift": 0, "ratio": "2", "width": 1}
    fine, open_ = (claimed(counted(1, 3, 1, 0), rank, base) for base in ("4", "2"))
    charge = {**CHARGE, "coefficient": "4"}
    for laws in ([fine, open_], [open_, fine]):
        found = THEOREMS.examine(released(laws, charge))
        assert sum("the theorem for rank" in part for part in found["checked"]) == 1
        assert sum("whether less is true is not known" in x for x in found["unchecked"]) == 1
        assert (found["holds"], found["epsilon"]) == (None, "4*ln(2)")


def test_a_sum_that_cannot_be_decided_is_named_beside_what_else_is_left() -> None:
    """ln 2 and ln 3 are ln 6, which no bounds on either side can tell."""
    laws = [claimed(ONE_TALLY, {**TALLY, "ratio": base}, base) for base in ("2", "3")]
    found = THEOREMS.examine(released(laws, {**CHARGE, "coefficient": "1", "base": "6"}))
    assert (found["holds"], found["epsilon"], found["delta"]) == (None, "ln(6)", "1/9")
    assert not any("add up" in part for part in found["checked"])
    assert any("add up to at most the charge" in part for part in found["unchecked"])
    assert THEOREMS.LEFT_OF_A_RELEASE in found["unchecked"]


@pytest.mark.parametrize("entry", [
    {"kind": "answer"}, {"level": {**CHARGE, "delta": "0"}},
    {"question": "sum"}, {"mechanism": "none"}, {"law": "sha256:" + "0" * 64},
    {"declaration": "0" * 64}, *({"scope": {**SCOPE, name: "e"}} for name in SCOPE),
    {"question": "optimal:worst count"},
    {"spent": {**CHARGE, "coefficient": "199/100"}}, {"spent": {**CHARGE, "delta": "1/10"}}])
def test_an_entry_that_states_anything_else_refutes_a_release(
    entry: dict[str, Any], tmp_path: Path
) -> None:
    content = released([COUNTED], **entry)
    found = THEOREMS.examine(content)
    assert (found["holds"], found["epsilon"], found["delta"]) == (False, "2*ln(2)", "1/9")
    said = run(tmp_path, content, by=THEOREMS)
    assert said.returncode == 1
    assert f"FALSE        {found['witness']['reason']}" in said.stdout
    assert "δ = 1/9 (theorem)" in said.stdout


def test_a_release_is_false_by_one_false_law_or_by_their_sum() -> None:
    false = claimed(ONE_TALLY, TALLY, "3/2")
    for laws in ([false], [COUNTED, false], [false, COUNTED]):
        found = THEOREMS.examine(released(laws))
        assert (found["holds"], found["witness"]["probabilities"]) == (False, ["1/3", "1/6"])
    found = THEOREMS.examine(released([COUNTED] * 3))
    assert (found["holds"], found["epsilon"]) == (False, "2*ln(2)")
    assert "cost more together" in found["witness"]["reason"]


def test_an_entry_names_the_optimum_and_the_unit_of_its_release() -> None:
    unit = {"person": "who", "neighbors": "replace", "size": 9}
    declared = {"dataset": "d", "unit": unit}
    for aim, code in (("worst", "optimal:worst count"), (["1"], "optimal:weights count")):
        content = released([COUNTED], question=code, declaration=digest(declared), scope={
            **SCOPE, "unit": "person:who", "neighbors": "replace:units=9"})
        made = {**content, "declared": declared, "asked": {**content["asked"], "optimal": aim}}
        assert THEOREMS.examine(sealed(made))["holds"] is None
        for name, value in (("person", None), ("neighbors", "add-remove"), ("size", None)):
            other = {"dataset": "d", "unit": {**unit, name: value}}
            entry = {**made["entry"], "declaration": digest(other)}
            found = THEOREMS.examine(sealed({**made, "declared": other, "entry": entry}))
            assert "another scope" in found["witness"]["reason"]


def test_a_release_may_be_charged_without_a_delta() -> None:
    found = THEOREMS.examine(released([COUNTED], {**CHARGE, "delta": "0"}))
    assert (found["holds"], found["delta"]) == (None, "0")


def test_a_release_is_intact_only_if_all_its_laws_are() -> None:
    changed = {**COUNTED, "neighbors": "others"}
    for laws in ([changed, COUNTED], [COUNTED, changed]):
        assert THEOREMS.examine(released(laws))["intact"] is False
    assert THEOREMS.examine({**released([COUNTED]), "more": 1})["intact"] is False


@pytest.mark.parametrize("changes", [
    {"laws": []}, {"laws": None}, {"laws": [sealed({**COUNTED, "mechanism": []})]},
    {"declared": []}, {"declared": {"dataset": "d", "unit": "row"}}, {"asked": {}},
    *({"asked": {"question": "count", "optimal": None, "level": {**CHARGE, **wrong}}} for wrong in (
        {"delta": 0}, {"delta": "1"}, {"delta": "-1"}, {"coefficient": "0"})),
    {"asked": {"question": 1, "optimal": None, "level": CHARGE}}, {"entry": {}},
    {"entry": {"scope": []}}, {"version": 3}, {"head": "b" * 63}, {"head": None}])
def test_what_lacks_a_part_of_a_release_is_none(changes: dict[str, Any]) -> None:
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(sealed({**released([COUNTED]), **changes}))


def test_a_release_of_version_1_is_older_than_the_promise(tmp_path: Path) -> None:
    done = run(tmp_path, sealed({**released([COUNTED]), "version": 1}), by=THEOREMS)
    assert (done.returncode, "older than 0.2.0" in done.stderr) == (2, True)


SPOOF = "7 is in the ledger, whose chain was checked; entry 7"


@pytest.mark.parametrize("entry", [
    {"number": SPOOF}, {"number": True}, {"number": 7.0}, {"number": 1}, {"number": None},
    {"budget": 1}, {"budget": " "}, {"time": "now"}, {"time": None}, {"seal": "A" * 64},
    {"seal": "a" * 65}, {"request": ""}, {"request": 1}, {"scope": {}}, {"scope": "d"},
    {"scope": {**SCOPE, "unit": None}}, {"scope": {**SCOPE, "more": "x"}}, {"law": None},
    {"declaration": None}, {"question": None}, {"mechanism": 1}, {"note": "checked"},
    {"spent": None}, {"spent": {}}, {"spent": {**CHARGE, "coefficient": "4/2"}},
    {"spent": {**CHARGE, "delta": "1"}}, {"spent": {**CHARGE, "base": "1"}}])
def test_every_field_of_an_entry_has_its_type(entry: dict[str, Any]) -> None:
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(released([COUNTED], **entry))


def test_what_was_spent_may_be_more_than_is_charged_and_may_be_open() -> None:
    for spent, verdict in (({**CHARGE, "rational": "1/1000"}, "checked"),
                           ({**CHARGE, "coefficient": "1", "base": "4"}, "unchecked")):
        found = THEOREMS.examine(released([COUNTED], spent=spent))
        assert any("spent" in part for part in found[verdict])
        assert (found["holds"], found["witness"]) == (None, None)


@pytest.mark.parametrize("space", [5, None, [], ["family"], "path", True])
@pytest.mark.parametrize("law", [noise("2"), SUBSET, ladder("edges"), degrees(1), QUANTILE, MODE])
def test_a_space_is_an_object(space: Any, law: dict[str, Any]) -> None:
    outputs = {"subset": "sets", "degrees": "vectors"}.get(law["form"], "integers")
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(claimed(space, law, "4", outputs))


@pytest.mark.parametrize("content", [None, [], ["format"], "tightrope/release", 1])
def test_what_is_no_object_is_no_document(content: Any) -> None:
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.examine(content)


@pytest.mark.parametrize("law", [SUBSET, UNARY])
def test_a_table_of_reports_is_proved_by_one_row(law: dict[str, Any]) -> None:
    table = {"form": "table", "rows": 7, "base": law}
    found = THEOREMS.examine(claimed(colors("a", "b"), table, "3", "sets"))
    assert (found["holds"], found["components"]) == (True, 1)
    assert "the 7 rows of a table are randomized independently" in found["checked"][1]
    below = THEOREMS.examine(claimed(colors("a", "b"), table, "5/2", "sets"))
    assert below["holds"] is False


def test_rungs_may_lie_in_several_places() -> None:
    """Rung 0 is in two places, 3 from 0 on either side, and an answer moves by exactly 1."""
    def rung(cell: int) -> int:  # from cell to cell + 1
        return min(abs(cell - place) for place in (-4, 3))

    cells = range(-7, 7)
    assert all(rung(c + s) <= rung(c) + 1 for c in range(-20, 20) for s in (-1, 1))
    rungs = [[[str(c), str(c + 1)] for c in cells if rung(c) == i] for i in range(4)]
    space = {"family": "line", "changes": [["1", "1"]]}
    found = judged_by_theorem(*on_the_line(rungs, space=space), Fraction(2), Fraction(0),
                              "multiples")
    assert found["holds"] is True
    rungs[2], rungs[3] = rungs[3], rungs[2]
    with pytest.raises(THEOREMS.Malformed):
        judged_by_theorem(*on_the_line(rungs, space=space), Fraction(2), Fraction(0), "multiples")


@pytest.mark.parametrize("field", ["claim", "space", "outputs", "mechanism", "optimality",
                                   "epsilon", "delta", "evidence", "rational"])
def test_a_law_by_theorem_lacks_no_field(field: str) -> None:
    content = json.loads(json.dumps(document(PATH3, noise("2"), LN2, outputs="integers")))
    for held in (content, content["claim"], content["claim"]["epsilon"]):
        held.pop(field, None)
    with pytest.raises(THEOREMS.Malformed, match="lacks a field"):
        THEOREMS.examine(sealed(content))


def test_what_only_the_curator_knows_is_printed_beside_the_verdict(tmp_path: Path) -> None:
    said = run(tmp_path, claimed(GRAPHS, ladder("edges"), "4", "integers"), by=THEOREMS).stdout
    assert "\nholder only  that the width of each rung is the local sensitivity" in said
    assert "\nNOT checked  nothing\n" in said
    assert said.endswith("verdict      everything that a document can prove holds\n")
    left = run(tmp_path, claimed(GRAPHS, ladder("edges"), "3", "integers"), by=THEOREMS).stdout
    assert "\nchecked      nothing\n" in left
    assert "\nNOT checked  the claim: the theorem bounds what tells neighbors apart" in left


def test_records_lie_between_the_ends_of_their_words() -> None:
    most = 2**61
    for low, high, fine in ((1 - most, most - 1, True), (-most, 0, False), (0, most, False)):
        form = {"family": "records", "size": 5, "low": low, "high": high}
        if fine:
            assert THEOREMS.records(form, QUANTILE)
        else:
            with pytest.raises(THEOREMS.Malformed):
                THEOREMS.records(form, QUANTILE)


@pytest.mark.parametrize("receipt", BOTH, ids=lambda module: module.__name__)
def test_documents_are_nested_five_hundred_deep_and_no_deeper(
    receipt: Any, tmp_path: Path
) -> None:
    """The document itself is one level, and the number within the lists another."""
    for lists, fine in ((498, True), (499, False)):
        file = tmp_path / "nested.json"
        file.write_text('{"note": ' + "[" * lists + "0" + "]" * lists + "}")
        if fine:
            assert receipt.read(str(file))["note"]
        else:
            with pytest.raises(receipt.Malformed, match="nested too deep"):
                receipt.read(str(file))


def test_no_more_than_two_hundred_and_fifty_totals_are_added_up() -> None:
    law = {"form": "box", "first": 1, "ratio": "3/2"}
    assert THEOREMS.totals(totals(2, 2, 250), law)
    with pytest.raises(THEOREMS.Malformed):
        THEOREMS.totals(totals(2, 2, 251), law)
