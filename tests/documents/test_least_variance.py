"""The proof of least variance in a document: judged by both, and by plain fractions."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.judges import BAD, CANNOT, CHECKERS, HOLDS, NO, RECEIPT, text_of, verdicts
from tests.documents.samples import VARIED, document
from tests.exact.oracle import ends_within
from tightrope.documents import read, review

UNIT = 2**96
QUIET = [HealthCheck.too_slow]


def agree(content, folder):
    with ends_within(20):
        library, receipt = verdicts(text_of(content), folder)
    assert library == receipt
    return library


def with_claim(name, **changes):
    content = document(name)
    content["optimality"].update(changes)
    return content


def numbers(text):
    return list(map(Fraction, text.split()))


def plain_verdict(claim, rows, ratio):
    """The claim by plain fractions: every ray, and the normal equations in doubles."""
    p, W = numbers(claim["prior"]), [numbers(row) for row in claim["queries"]]
    Z, y = [numbers(row) for row in claim["Z"]], numbers(claim["y"])
    for ray in product((Fraction(1), ratio), repeat=len(p)):
        image = [sum(v * row[m] for v, row in zip(ray, Z, strict=True)) for m in range(len(W))]
        along_p, along_y = (sum(v * x for v, x in zip(ray, way, strict=True)) for way in (p, y))
        if along_y < 0 or sum(x * x for x in image) > along_p * along_y * UNIT:
            return False
    known = sum(sum(w * x for w, x in zip(row, p, strict=True)) ** 2 for row in W)
    trace = sum(w * row[m] for m, query in enumerate(W) for w, row in zip(query, Z, strict=True))
    bound = (2 * trace - sum(y)) / UNIT - known
    q, w = np.array(rows, dtype=float), np.array(W, dtype=float)
    J = (q / (np.array(p, dtype=float) @ q)) @ q.T
    value = np.trace(w @ np.linalg.pinv(J, rcond=1e-9) @ w.T) - float(known)
    return (Fraction.from_float(float.fromhex(claim["bound"])) <= bound
            and value <= float.fromhex(claim["value"]) * (1 + 1e-12))


@pytest.mark.parametrize("name", ["least variance", "least variance of a contrast"])
def test_both_say_what_plain_fractions_say_of_perturbed_duals(name, tmp_path):
    random, told = np.random.default_rng(5), []
    original = document(name)
    mechanism = read(text_of(original)).mechanism
    rows = [[float(x) for x in mechanism.row_at(i)] for i in range(mechanism.space.size)]
    ratio = Fraction(original["claim"]["epsilon"]["base"])
    for _ in range(60):
        changed, size = document(name), 10.0 ** -random.integers(2, 14)
        claim = changed["optimality"]
        for field in ("Z", "y"):
            texts = claim[field] if field == "Z" else [claim[field]]
            moved = [" ".join(str(int(int(x) * (1 + size * random.normal()))) for x in text.split())
                     for text in texts]
            claim[field] = moved if field == "Z" else moved[0]
        claim["bound"] = (float.fromhex(claim["bound"]) * (1 - random.choice([0, size, 1]))).hex()
        expected = plain_verdict(claim, rows, ratio)
        assert agree(changed, tmp_path) == (HOLDS if expected else NO)
        told.append(expected)
    assert 5 <= sum(told) <= 55


@settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=QUIET)
@given(st.sampled_from(sorted(VARIED)), st.data())
def test_both_agree_on_changed_numbers(name, data):
    changed = document(name)
    claim = changed["optimality"]
    for _ in range(data.draw(st.integers(1, 2))):
        field = data.draw(st.sampled_from(["prior", "queries", "Z", "y", "value", "bound"]))
        place = data.draw(st.integers(0, len(claim[field]) - 1))
        text = claim[field][place] if isinstance(claim[field], list) else claim[field]
        parts = text.split(" ")
        at = data.draw(st.integers(0, len(parts) - 1))
        parts[at] = data.draw(st.sampled_from([
            "0", "1", "-1", "1/2", "2/1", "1/0", "", "x", "9" * 61, "9" * 60, "1/" + "9" * 41,
            parts[at] + "0", parts[at][:-1], "-" + parts[at], "0x1.0p+0", "-0x1.0p-3"]))
        new = " ".join(parts)
        claim[field] = [*claim[field][:place], new, *claim[field][place + 1:]] if (
            isinstance(claim[field], list)) else new
    with TemporaryDirectory() as folder:
        agree(changed, Path(folder))


@pytest.mark.parametrize("name", sorted(VARIED))
def test_a_forged_bound_or_value_is_refused_by_both(name, tmp_path):
    claim = document(name)["optimality"]
    value, bound = (float.fromhex(claim[field]) for field in ("value", "bound"))
    assert agree(with_claim(name, bound=(bound * 1.0001).hex()), tmp_path) == NO
    assert agree(with_claim(name, value=(value * 0.9999).hex()), tmp_path) == NO
    assert agree(with_claim(name, bound=(bound * 0.9).hex()), tmp_path) == HOLDS
    doubled = [" ".join(str(2 * int(x)) for x in text.split()) for text in claim["Z"]]
    assert agree(with_claim(name, Z=doubled, bound=(bound * 1.5).hex()), tmp_path) == NO


def test_an_estimate_that_no_row_tells_is_refused_by_both(tmp_path):
    """Rows of the second and third value are alike, so their difference has no estimate."""
    changed = document("least variance of a contrast")
    claim = changed["optimality"]
    claim.update(queries=["0 1 -1 0"], value=float(2**900).hex(), bound=(0.0).hex())
    assert agree(changed, tmp_path) == NO
    claim.update(Z=["0"] * 4, y="0 0 0 0", bound=(-9.0).hex())  # a bound that holds
    assert agree(changed, tmp_path) == NO
    claim.update(queries=["1 0 0 -1"])
    assert agree(changed, tmp_path) == HOLDS


@pytest.mark.parametrize(("field", "wrong"), [
    ("prior", "uniform"), ("prior", "1/2 1/2"), ("prior", "1 1 -1"), ("prior", "1/3 1/3 1/4"),
    ("queries", []), ("queries", ["1 1 1"]), ("queries", ["1 0 0"] * 101), ("queries", ["1 0"]),
    ("Z", ["1 1"] * 2), ("Z", ["1"] * 3), ("Z", ["1/2 1"] * 3), ("y", "1 2"), ("y", None),
    ("value", 1.0), ("bound", "inf"), ("goal", "Variance"),
])
def test_malformed_claims_are_no_documents(field, wrong, tmp_path):
    assert agree(with_claim("least variance", **{field: wrong}), tmp_path) == BAD


def test_other_spaces_and_deltas_have_no_least_variance(tmp_path):
    changed = document("least variance")
    changed["space"] = {"family": "complete", "nodes": 3}
    assert agree(changed, tmp_path) == BAD
    changed = document("least variance")
    changed["claim"]["delta"] = "1/10"
    assert agree(changed, tmp_path) == BAD


def test_too_many_values_and_too_long_rows_are_not_checked(tmp_path):
    values = 17
    rows = [" ".join("3" if x == z else "1" for z in range(values)) for x in range(values)]
    changed = document("least variance")
    changed.update(space={"family": "categories", "values": list(range(values))}, outputs="inputs",
                   mechanism={"form": "matrix", "rows": rows})
    changed["optimality"].update(
        prior=" ".join(["1/17"] * values), queries=[" ".join(["1"] + ["0"] * 16)],
        Z=["0"] * values, y=" ".join(["0"] * values), value=(1e9).hex(), bound=(-1e9).hex())
    assert agree(changed, tmp_path) == CANNOT
    file = tmp_path / "large.json"
    file.write_bytes(text_of(changed))
    assert CHECKERS[RECEIPT].main([str(file), "--large"]) == 0
    changed = document("least variance")
    changed["mechanism"]["rows"] = [row.replace(" ", "p600 ", 1)
                                    for row in changed["mechanism"]["rows"]]
    assert agree(changed, tmp_path) in (CANNOT, NO)


def test_verify_shows_the_claim():
    told = review(read(text_of(document("least variance"))))
    assert told.optimal is True
    (fact,) = [item for item in told.facts().items
               if getattr(item, "label", None) == "least variance"]
    assert "at equal shares" in fact.value.text
