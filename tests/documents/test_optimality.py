"""The proof of optimality in a document: judged by both, and by plain fractions."""

import copy
import json
import math
import sys
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.documents.judges import (
    BAD,
    CANNOT,
    CHECKERS,
    HOLDS,
    NO,
    RECEIPT,
    receipt_says,
    renewed,
    text_of,
    verdicts,
)
from tests.documents.mutations import changed
from tests.documents.samples import PROVED, document, sample
from tests.exact.oracle import ends_within
from tightrope.choices import Goal
from tightrope.constructions import design
from tightrope.documents import accept, optimality, read, render
from tightrope.documents.doubles import round_toward
from tightrope.documents.reading import prove_optimality
from tightrope.errors import BadDocument, CannotCheck, NotOptimal
from tightrope.exact import Level, sizes
from tightrope.mechanisms import NoiseMechanism
from tightrope.privacy import certified
from tightrope.spaces import path
from tightrope.utility import Prior

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large]


def agree(content, folder):
    with ends_within(20):
        library, receipt = verdicts(text_of(content), folder)
    assert library == receipt
    return library


def with_claim(name, **changes):
    content = document(name)
    content["optimality"].update(changes)
    return content


def moved(text, toward):
    return math.nextafter(float.fromhex(text), toward).hex()


# ---------------------------------------------------------------- the claim by plain decimals


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def squared_distances(content):
    """From the description alone, for the families of the samples."""
    form = content["space"]
    match form["family"]:
        case "path":
            places = [(Fraction(x),) for x in range(form["low"], form["high"] + 1)]
        case "grid":
            step = Fraction(form["step"])
            places = [(step * i, step * j) for i in range(form["shape"][0])
                      for j in range(form["shape"][1])]
        case "points":
            places = [tuple(map(Fraction, row)) for row in form["coordinates"]]
        case "histogram":
            people = form["people"]
            places = [(Fraction(i), Fraction(people - i)) for i in range(people + 1)]
        case _:
            places = None
    match form["family"]:
        case "star":
            size = form["leaves"] + 1
            table = [[Fraction(0 if i == j else 2 if i and j else 1) for j in range(size)]
                     for i in range(size)]
        case "matrix":
            table = [[Fraction(x) for x in row] for row in form["distances"]]
        case "cycle":
            size = form["nodes"]
            table = [[Fraction(min(abs(i - j), size - abs(i - j))) for j in range(size)]
                     for i in range(size)]
        case "directed":
            nodes = range(len(form["nodes"]))
            table = [[Fraction(0 if i == j else 10**9) for j in nodes] for i in nodes]
            for i, j, length in form["edges"]:
                table[i][j] = Fraction(length)
            for k, i, j in product(nodes, repeat=3):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
        case "categories":
            size = len(form["values"])
            table = [[Fraction(i != j) for j in range(size)] for i in range(size)]
        case "histogram":
            table = [[sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2 for b in places]
                     for a in places]
        case _:
            return places, [[sum((x - y) ** 2 for x, y in zip(a, b, strict=True))
                             for b in places] for a in places]
    return places, [[d * d for d in row] for row in table]


def losses_in(content, places):
    loss, size = content["optimality"]["loss"], len(content["optimality"]["multipliers"])
    if isinstance(loss, list):
        return [[Decimal(float.fromhex(x)) for x in row.split(" ")] for row in loss]
    if loss == "binary":
        return [[Decimal(y != z) for z in range(size)] for y in range(size)]
    found = []
    for a in places:
        gaps = [[decimal(abs(x - y)) for x, y in zip(a, b, strict=True)] for b in places]
        squares = [sum(g * g for g in row) for row in gaps]
        found.append([sum(row) for row in gaps] if loss == "absolute"
                     else squares if loss == "squared" else [s.sqrt() for s in squares])
    return found


def recomputed(content):
    """Value and bound from the text of a document, to 60 digits."""
    claim, law = content["optimality"], content["mechanism"]
    law = law.get("base", law)
    places, squares = squared_distances(content)
    losses = losses_in(content, places)
    size, width = len(losses), len(losses[0])
    prior = [Decimal(1) / size] * size if claim["prior"] == "uniform" else [
        decimal(Fraction(x)) for x in claim["prior"]]
    epsilon = content["claim"]["epsilon"]
    rational, coefficient, base = (decimal(Fraction(epsilon[k]))
                                   for k in ("rational", "coefficient", "base"))
    level = rational + coefficient * base.ln()
    prices, brought = [Decimal("Infinity")] * size, {}
    for z in range(width):
        column = [prior[y] * losses[y][z] for y in range(size)]
        tokens = claim["multipliers"][z].split()
        for a, b, text in zip(tokens[::3], tokens[1::3], tokens[2::3], strict=True):
            amount = Decimal(int(text, 16)) * Decimal(2) ** claim["unit"]
            back = amount * (-level * decimal(squares[int(a)][int(b)]).sqrt()).exp()
            column[int(a)] -= amount
            column[int(b)] += back
            brought.setdefault((a, b), [Decimal(0)] * width)[z] += back
        prices = list(map(min, prices, column))
    if law["form"] == "kernel":
        ratio = Fraction(law["ratio"])
        rows = [[decimal(Fraction(w) / ratio ** math.isqrt(int(squares[y][z])))
                 for z, w in enumerate(law["weights"])] for y in range(size)]
    else:
        rows = [[Decimal(int(head, 16)) * Decimal(2) ** int(tail or 0)
                 for head, _, tail in (token.partition("p") for token in row.split(" "))]
                for row in law["rows"]]
    means = [sum(w * x for w, x in zip(row, loss, strict=True)) / sum(row)
             for row, loss in zip(rows, losses, strict=True)]
    average = sum(p * m for p, m in zip(prior, means, strict=True))
    toll = decimal(Fraction(content["claim"]["delta"])) * sum(map(max, brought.values()))
    return max(means) if claim["goal"] == "worst" else average, sum(prices) - toll


@pytest.mark.parametrize("name", PROVED)
def test_the_claim_follows_from_the_text_alone(name):
    content = json.loads(render(document(name)))
    with localcontext() as context:
        context.prec = 60
        value, bound = recomputed(content)
        stated = [Decimal(float.fromhex(content["optimality"][k])) for k in ("value", "bound")]
        assert value <= stated[0] <= value + abs(value) * Decimal("1e-15")
        assert bound - max(1, abs(bound)) * Decimal("1e-15") <= stated[1] <= bound
        assert bound <= value


@pytest.mark.parametrize("name", PROVED)
def test_one_double_more_is_a_false_claim_for_both(name, tmp_path):
    claim = document(name)["optimality"]
    for changes in ({"bound": moved(claim["bound"], math.inf)},
                    {"value": moved(claim["value"], -math.inf)}):
        assert agree(with_claim(name, **changes), tmp_path) == NO
    for changes in ({"bound": moved(claim["bound"], -math.inf)},
                    {"value": moved(claim["value"], math.inf)}):
        assert agree(with_claim(name, **changes), tmp_path) == HOLDS


def test_a_false_claim_is_named_with_both_numbers():
    content = renewed(with_claim("optimal star", bound="0x1.0000000000000p-1"))
    with pytest.raises(NotOptimal, match=r"a bound of 0\.5 where 0\.5 - \d\.\de-\d\d is proved"):
        accept(read(render(content)))
    content = renewed(with_claim("optimal star", value="0x1.0000000000000p-2"))
    with pytest.raises(NotOptimal, match=r"a loss of at most 0\.25 where it is 0\.50000"):
        accept(read(render(content)))


def test_the_receipt_says_what_it_proved(tmp_path):
    code, report = receipt_says(render(document("optimal path")), tmp_path)
    found = report["optimality"]
    assert code == HOLDS
    assert (found["goal"], found["loss"], found["prior"]) == ("average", "absolute", "uniform")
    assert found["holds"] is True
    assert 0 < found["gap"] < 1e-6
    assert found["bound"] <= found["value"]
    false = with_claim("optimal path", bound="0x1.0000000000000p+4")
    code, report = receipt_says(text_of(false), tmp_path)
    assert (code, report["holds"], report["optimality"]["holds"]) == (NO, False, False)
    assert report["witness"] is None


def test_what_is_not_private_is_not_judged_further(tmp_path):
    content = document("proved geometric")
    content["claim"]["epsilon"]["base"] = "3/2"
    assert agree(content, tmp_path) == NO
    _, report = receipt_says(text_of(content), tmp_path)
    assert report["witness"] is not None
    assert report["optimality"]["holds"] is None


BAD_CLAIMS = [
    {"goal": "best"}, {"goal": None}, {"goal": ["average"]}, {"goal": {}},
    {"prior": "Uniform"}, {"prior": []}, {"prior": ["1/3", "1/3"]},
    {"prior": ["1/2", "1/2", "1/2"]},
    {"prior": ["1", "1", "-1"]}, {"prior": [1, 0, 0]}, {"prior": ["1.0", "0", "0"]},
    {"prior": ["1/0", "0", "0"]}, {"prior": {"0": 1}}, {"prior": None}, {"prior": "1"},
    {"loss": "euclid"}, {"loss": None}, {"loss": 1}, {"loss": {}}, {"loss": []},
    {"loss": ["0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 2 + ["0x0.0p+0 0x0.0p+0"]},
    {"loss": ["0x0.0p+0"] * 3}, {"loss": ["0x0.0p+0 0x0.0p+0 0x0.0p+0"] * 2},
    {"loss": ["0 1 2", "1 0 1", "2 1 0"]}, {"loss": ["1/0 1/2 1/2"] * 3},
    {"loss": ["1/2/3 1/2 1/2"] * 3}, {"loss": ["0.1/2 1/2 1/2"] * 3},
    {"loss": ["0x1/2 1/2 1/2"] * 3}, {"loss": [f"{2**1023}/1 1/2 1/2"] * 3},
    {"loss": [f"1/{'3' * 4301} 1/2 1/2"] * 3},
    {"loss": ["inf 0x0.0p+0 0x0.0p+0"] * 3},
    {"loss": ["nan 0x0.0p+0 0x0.0p+0"] * 3}, {"loss": ["0x0.0p+0  0x0.0p+0 0x0.0p+0"] * 3},
    {"loss": [["0x0.0p+0", "0x0.0p+0", "0x0.0p+0"]] * 3},
    {"value": 1.5}, {"value": "1.5"}, {"value": "0x1p+0"}, {"value": "0x1.8p+0"}, {"value": None},
    {"value": "inf"}, {"value": "nan"}, {"value": "0x1.0000000000000p+1024"}, {"value": ""},
    {"value": "0X1.8000000000000P+0"}, {"value": " 0x1.8000000000000p+0"},
    {"value": "0x1.8000000000000p+00"}, {"value": "0x1.8000000000000p0"},
    {"bound": "0x0.8000000000000p+0"}, {"bound": "0x1.0000000000000p-1080"}, {"bound": 0},
    {"unit": -97}, {"unit": 1001}, {"unit": 0.0}, {"unit": True}, {"unit": "0"}, {"unit": None},
    {"multipliers": None}, {"multipliers": []}, {"multipliers": ["", ""]}, {"multipliers": ""},
    {"multipliers": ["", "", "", ""]}, {"multipliers": ["0 1", "", ""]},
    {"multipliers": ["0 1 -1", "", ""]}, {"multipliers": ["-1 1 1", "", ""]},
    {"multipliers": ["0 0 1", "", ""]}, {"multipliers": ["0 3 1", "", ""]},
    {"multipliers": ["0 1 1 ", "", ""]}, {"multipliers": [" 0 1 1", "", ""]},
    {"multipliers": ["0 1 F", "", ""]}, {"multipliers": ["0 1 0x1", "", ""]},
    {"multipliers": ["0 1 1 1", "", ""]}, {"multipliers": ["0 1 1\n", "", ""]},
    {"multipliers": ["0 1234567890 1", "", ""]}, {"multipliers": ["٠ 1 1", "", ""]},
    {"multipliers": [[], [], []]}, {"multipliers": [None, "", ""]}, {"extra": 1},
]


FORMS = ("proved geometric", "proved kernel")  # each has a checker of its own


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("changes", BAD_CLAIMS, ids=lambda changes: repr(changes)[:60])
def test_what_cannot_be_read_as_a_claim_is_bad_input_for_both(changes, name, tmp_path):
    assert agree(with_claim(name, **changes), tmp_path) == BAD


GOOD_CLAIMS = [
    {"prior": ["1/3", "2/6", "01/3"]}, {"multipliers": ["", "", ""]}, {"goal": "worst"},
    {"loss": ["1/10 -3/7 0x0.0p+0"] * 3}, {"loss": [f"{2**1023 - 1}/1 2/4 1/{3**2000}"] * 3},
    {"loss": "squared"}, {"loss": "binary"}, {"loss": "euclidean"}, {"unit": -96}, {"unit": -53},
    {"multipliers": ["0 1 0", "00 002 0", ""]}, {"multipliers": ["0 1 1 0 1 1", "", "2 0 1"]},
    {"multipliers": ["0 1 " + "f" * 5000, "", ""]},
    {"unit": 1000, "multipliers": ["1 0 f", "", ""]},
    {"loss": ["-0x1.0000000000000p+1023 0x0.0p+0 0x0.0000000000001p-1022"] * 3},
    {"loss": ["0x1.fffffffffffffp+1023 -0x0.0p+0 0x0.0p+0"] * 3},
    {"value": "0x1.fffffffffffffp+1023", "bound": "-0x1.fffffffffffffp+1023"},
    {"value": "0x0.0p+0", "bound": "0x0.0p+0"}, {"value": "-0x0.0p+0"},
]


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("changes", GOOD_CLAIMS, ids=lambda changes: repr(changes)[:60])
def test_odd_but_readable_claims_are_judged_alike(changes, name, tmp_path):
    numbers = changes.get("loss") in ("squared", "euclidean")  # which categories are not
    expected = (BAD,) if numbers and name == "proved kernel" else (HOLDS, NO)
    assert agree(with_claim(name, **changes), tmp_path) in expected


@pytest.mark.parametrize("low", ["-0x1.0000000000000p+1000", "0x0.0p+0"])
def test_without_multipliers_the_bound_is_the_least_loss_of_every_input(low, tmp_path):
    rows = ["0x1.0000000000000p+0 0x1.8000000000000p+0 0x1.0000000000000p+1"] * 3
    claim = {"loss": rows, "multipliers": ["", "", ""], "value": "0x1.0000000000000p+1"}
    below = "0x1.fffffffffffffp-1"  # the uniform prior, rounded down three times
    assert agree(with_claim("proved geometric", **claim, bound=below), tmp_path) == HOLDS
    assert agree(with_claim("proved geometric", **claim, bound=low), tmp_path) == HOLDS
    assert agree(with_claim("proved geometric", **claim, bound="0x1.0000000000001p+0"),
                 tmp_path) == NO


DELTAS = [name for name in PROVED if "delta" in name]


@pytest.mark.parametrize("name", DELTAS)
def test_with_delta_the_gap_is_small_and_the_toll_is_paid(name, tmp_path):
    content = document(name)
    claim = content["optimality"]
    value, bound = (float.fromhex(claim[k]) for k in ("value", "bound"))
    assert value - bound <= 1e-6 * max(1, abs(value))
    content["claim"]["delta"] = str(Fraction(content["claim"]["delta"]) * Fraction(10001, 10000))
    assert agree(content, tmp_path) == NO  # more is allowed, so the bound is no longer proved


@pytest.mark.parametrize("text", ["0 2 1", "2 0 1", "0 3 0", "0 1 1 3 1 1"])
def test_with_delta_only_neighbors_have_multipliers(text, tmp_path):
    content = document("delta path")
    claim = content["optimality"]
    content["optimality"] = {**claim, "multipliers": [text, *claim["multipliers"][1:]]}
    assert agree(content, tmp_path) == BAD


@pytest.mark.parametrize("delta", ["1/3", "2/7", "1/1000000007", "999/1000", "1e-30"])
@pytest.mark.parametrize("name", ["delta kernel", "delta matrix"])
def test_the_toll_is_the_same_to_the_last_bit(name, delta, tmp_path):
    content = document(name)
    content["claim"]["delta"] = delta = str(Fraction(delta))
    content["claim"]["epsilon"] = {"rational": "2", "coefficient": "0", "base": "1"}
    row = "0x0.0p+0 0x1.0000000000000p+0 0x1.999999999999ap-4"
    content["optimality"] = {
        "goal": "average", "prior": "uniform", "loss": [row, row, row], "unit": -96,
        "value": "0x1.0000000000000p+9", "bound": "-0x1.0000000000000p+1000",
        "multipliers": ["0 1 2a1b7 0 1 33", "0 1 2a1b9 2 1 5", "2 1 " + "9" * 24],
    }
    if name == "delta matrix" and Fraction(delta) < Fraction(1, 4):
        assert agree(content, tmp_path) == NO  # not private
        return
    assert agree(content, tmp_path) == HOLDS
    bound = prove_optimality(read(text_of(content))).bound
    scale = 2**96
    back = [int(text, 16) * math.floor(Fraction(ends_of_exp(-2)) * scale) // scale
            for text in ("2a1b7", "33", "2a1b9", "9" * 24)]
    losses = [math.floor(Fraction(float.fromhex(x)) / 3 * scale) for x in row.split()]
    columns = [[losses[z]] * 3 for z in range(3)]
    for z, a, b, at, text in ((0, 0, 1, 0, "2a1b7"), (0, 0, 1, 1, "33"), (1, 0, 1, 2, "2a1b9"),
                              (1, 2, 1, None, "5"), (2, 2, 1, 3, "9" * 24)):
        columns[z][a] -= int(text, 16)
        columns[z][b] += 0 if at is None else back[at]
    toll = math.ceil(Fraction(delta) * (max(back[0] + back[1], back[2]) + back[3]))
    assert bound == Fraction(sum(map(min, zip(*columns, strict=True))) - toll, scale)


def ends_of_exp(x):
    with localcontext() as context:
        context.prec = 60
        return Decimal(x).exp()


def test_noise_carries_no_optimality(tmp_path):
    content = document("noise")
    content["optimality"] = {**document("proved geometric")["optimality"], "bound": "0x0.0p+0"}
    assert agree(content, tmp_path) == BAD


@pytest.mark.parametrize("outputs", [["a", "b", "c"], [0, 1, "2"], [[0], [1], [2]], [5, 7, -3],
                                     [0, 10**30, 1], [[0, 1], [1, 2], [2, 3]]])
@pytest.mark.parametrize("loss", ["binary", "absolute", "squared", "euclidean"])
def test_losses_of_other_outputs_are_judged_alike(outputs, loss, tmp_path):
    for name in ("proved geometric", "optimal matrix", "optimal histogram"):
        claim = {"loss": loss, "value": "0x1.0000000000000p+250", "multipliers": ["", "", ""],
                 "bound": "0x0.0p+0"}
        content = with_claim(name, **claim)
        content["outputs"] = outputs
        expected = {HOLDS, BAD} if loss != "binary" else {HOLDS}
        assert agree(content, tmp_path) in expected


@pytest.mark.parametrize("base", ["2", "4", "4/3", "8/5", "3", "16/9"])
@pytest.mark.parametrize("coefficient", ["1", "1/2", "1/3", "3", "1/100000000000000000000000"])
def test_shares_are_the_same_at_every_level(base, coefficient, tmp_path):
    content = document("proved kernel")
    content["mechanism"]["ratio"] = "1000001/1000000"  # private at all these levels but the last
    content["claim"]["epsilon"] = {"rational": "0", "coefficient": coefficient, "base": base}
    content["optimality"].update(value="0x1.0000000000000p+0", bound="-0x1.0000000000000p+9")
    if coefficient.endswith("0"):
        assert agree(content, tmp_path) == NO
        return
    assert agree(content, tmp_path) == HOLDS
    bound = prove_optimality(read(text_of(content))).bound
    near = float(bound)
    for other in (math.nextafter(near, -9), near, math.nextafter(near, 9)):
        content["optimality"]["bound"] = other.hex()
        assert agree(content, tmp_path) == (HOLDS if Fraction(other) <= bound else NO)


@settings(derandomize=True, deadline=None, max_examples=150, suppress_health_check=QUIET)
@given(st.sampled_from(sorted(PROVED)), st.data())
def test_both_agree_on_any_changed_multiplier(name, data):
    content = document(name)
    texts = content["optimality"]["multipliers"]
    at = data.draw(st.integers(0, len(texts) - 1))
    texts[at] = data.draw(changed(texts[at]))
    with TemporaryDirectory() as folder:
        agree(content, Path(folder))


@pytest.mark.parametrize(("ours", "theirs"), [("_MOST_ENTRIES", "MOST_ENTRIES"),
                                              ("_MOST_KERNEL_BITS", "MOST_ROWS")])
def test_both_stop_at_the_same_size(ours, theirs, tmp_path, monkeypatch):
    assert getattr(optimality, ours) == getattr(CHECKERS[RECEIPT], theirs)
    for limit, verdict in ((8, CANNOT), (18, HOLDS)):
        monkeypatch.setattr(optimality, ours, limit)
        monkeypatch.setattr(CHECKERS[RECEIPT], theirs, limit)
        assert agree(document("proved kernel"), tmp_path) == verdict


@pytest.mark.parametrize("name", PROVED)
def test_saving_keeps_the_proof(name):
    content = document(name)
    found = read(render(content))
    assert found.optimality is not None
    assert accept(found).mechanism == sample(name).mechanism
    assert copy.deepcopy(found.content) == content


def test_numbers_are_rounded_to_their_side_and_only_where_they_must():
    for side in (math.inf, -math.inf):
        assert round_toward(Fraction(1, 2), side) == 0.5
        with pytest.raises(OverflowError):
            round_toward(Fraction(10**400), side)
        last = Fraction(math.copysign(sys.float_info.max, side))
        with pytest.raises(OverflowError):  # between that and infinity
            round_toward(last * (1 + Fraction(1, 2**60)), side)
    below, above = (
        round_toward(Fraction(1, 3), side) for side in (-math.inf, math.inf)
    )
    assert Fraction(below) < Fraction(1, 3) < Fraction(above)
    assert math.nextafter(below, 1) == above


def test_a_prior_too_long_to_be_written_leaves_optimality_out():
    chance = Fraction(1, 2) + Fraction(1, 10**4400 + 1)
    prior = Prior((chance, 1 - chance))
    solution = design(path(0, 1), Level.ratio(2), loss="absolute", prior=prior)
    assert solution.dual is not None
    assert optimality.optimality_of(solution) is None


def test_a_solution_that_a_document_cannot_prove_has_no_claim_in_it():
    solution = design(path(0, 2), Level.ratio(2), loss="absolute")
    assert optimality.optimality_of(solution) is not None
    assert optimality.optimality_of(replace(solution, proof=None)) is None
    noise = certified(NoiseMechanism(path(0, 2), Fraction(2)), Level.ratio(2))
    assert optimality.optimality_of(replace(solution, certified=noise, proof=solution.dual)) is None
    less = replace(solution.dual, multipliers=solution.dual.multipliers[:-1])
    assert optimality.optimality_of(replace(solution, proof=less)) is None
    claim = optimality.optimality_of(solution)
    with pytest.raises(CannotCheck, match="listed outputs"):
        optimality.prove(claim, noise.mechanism, Level.ratio(2))


def test_a_goal_may_be_given_as_text_and_is_the_same_claim():
    claim = optimality.optimality_of(design(path(0, 2), Level.ratio(2), loss="absolute"))
    assert replace(claim, goal="worst").goal is Goal.WORST
    mechanism = sample("proved geometric").mechanism
    average, worst = (optimality.prove(replace(claim, goal=goal), mechanism, Level.ratio(2))
                      for goal in ("average", "worst"))
    assert average.value < worst.value


@pytest.mark.parametrize("name", PROVED)
def test_multipliers_share_the_largest_unit_that_fits_all(name):
    claim = document(name)["optimality"]
    amounts = [int(word, 16) for text in claim["multipliers"] for word in text.split()[2::3]]
    assert all(amounts)
    assert any(amount % 2 for amount in amounts) or claim["unit"] == 0


def test_the_rows_of_a_rounded_kernel_are_written_out_up_to_a_size(monkeypatch):
    claim = optimality.optimality_of(design(path(0, 3), Level.ratio(2), loss="absolute"))
    mechanism, level = sample("rounded path").mechanism, Level.epsilon(2)
    monkeypatch.setattr(sizes, "MOST_WRITTEN_KERNEL", 4)
    assert optimality.prove(claim, mechanism, level).value > 0
    monkeypatch.setattr(sizes, "MOST_WRITTEN_KERNEL", 3)
    with pytest.raises(CannotCheck, match="too many to write out"):
        optimality.prove(claim, mechanism, level)


@pytest.mark.parametrize(("text", "fine"), [
    ("0 1 1", True), ("2 0 1", True), ("0 2 1 1 2 1", True), ("", True), ("0 3 1", False),
    ("3 0 1", False), ("1 1 1", False), ("0 1 1 2 2 1", False), ("0 1 1 0 3 1", False),
    ("0 1 1 3 2 1", False)])
def test_a_multiplier_joins_two_different_inputs_of_the_space(text, fine):
    if fine:
        assert len(optimality._multipliers(text, 3, 0).amounts) == len(text.split()) // 3
    else:
        with pytest.raises(BadDocument, match="two different inputs"):
            optimality._multipliers(text, 3, 0)
