"""Every loss is known to the library, the command line, documents and checkers alike."""

import json
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import get_args

import pytest

from tests.receipts import judged
from tightrope.cli import options
from tightrope.constructions import CATALOG, compare, improve
from tightrope.exact import Level
from tightrope.files import read_document
from tightrope.mechanisms import NoiseMechanism
from tightrope.spaces import parse
from tightrope.utility import LOSSES, expected_loss
from tightrope.utility.losses import NamedLoss

SPACES = ["path:0..3", "sum:people=2,max=2", "grid:2x3,step=1/2"]
TWO = Level.ratio(2)
"""Powers of it are exact."""


def place(space, label):
    """The coordinates of a label: cells of the grid above are half a unit wide."""
    parts = label if isinstance(label, tuple) else (label,)
    return [Fraction(part) * (Fraction(1, 2) if space.text.startswith("grid") else 1)
            for part in parts]


# The loss of a displacement, written apart from the library: a new loss has a line here.
BRUTE = {
    "binary": lambda gaps: float(any(gaps)),
    "absolute": lambda gaps: float(sum(map(abs, gaps))),
    "squared": lambda gaps: float(sum(gap * gap for gap in gaps)),
    "euclidean": lambda gaps: sqrt(sum(gap * gap for gap in gaps)),
    "largest": lambda gaps: float(max(map(abs, gaps))),
}


def cost(name, space, x, z):
    pairs = zip(place(space, x), place(space, z), strict=True)
    return BRUTE[name]([a - b for a, b in pairs])


def brute_loss(name, mechanism):
    """The mean expected loss over all inputs, summed up one probability at a time."""
    space, total = mechanism.space, 0.0
    for y, x in enumerate(space.points):
        if isinstance(mechanism, NoiseMechanism):
            outputs = range(x - 400, x + 401)  # beyond lies less than 2^-100 of the noise
            total += sum(float(mechanism.probability(y, z)) * cost(name, space, x, z)
                         for z in outputs)
        else:
            total += sum(float(p) * cost(name, space, x, z)
                         for z, p in zip(mechanism.outputs, mechanism.row_at(y), strict=True))
    return total / space.size


def test_every_loss_is_listed_once_and_has_a_brute_force():
    assert {type(loss) for loss in LOSSES} == {*get_args(NamedLoss)}
    assert [loss.name for loss in LOSSES] == list(BRUTE)


def test_the_command_line_completes_and_lists_every_loss(tightrope):
    names = [*(loss.name for loss in LOSSES), "distance"]
    assert list(options.complete_loss("")) == names
    refused = tightrope("design", "path:0..3", "--epsilon", "1", "--loss", "no-such-loss")
    assert refused.code == 2
    assert ", ".join(names) in " ".join(refused.err.split())


@pytest.mark.parametrize("text", SPACES)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_matrix_and_bracket_are_those_of_brute_force(loss, text):
    space = parse(text)
    exact = [[cost(loss.name, space, x, z) for z in space.points] for x in space.points]
    assert loss.matrix(space, space.points).tolist() == exact
    bracket = loss.bracket(space, space.points)
    for y, row in enumerate(exact):
        for z, value in enumerate(row):
            low, high = (ends[bracket.index[y, z]] for ends in (bracket.low, bracket.high))
            assert low <= high <= low + 1
            assert low / 2**96 == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize("text", SPACES)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_every_construction_has_the_loss_of_brute_force_or_a_reason(loss, text):
    rows = compare(text, TWO, loss=loss.name).rows
    assert [row.construction for row in rows] == [entry.name for entry in CATALOG]
    for row in rows:
        if row.solution is None:
            assert row.reason.endswith(".")
            assert "\n" not in row.reason
        else:
            brute = brute_loss(loss.name, row.solution.mechanism)
            assert row.solution.value == pytest.approx(brute, rel=1e-9), row.construction
    assert any(row.solution for row in rows)


@pytest.mark.parametrize("text", SPACES)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_design_documents_and_checkers_agree_with_brute_force(tightrope, loss, text):
    made = tightrope("design", text, "--ratio", "2", "--loss", loss.name, "--construction",
                     "optimal", "-o", "m.json", "--json")
    assert made.code == 0, made.err
    mechanism = read_document("m.json").mechanism
    brute = brute_loss(loss.name, mechanism)
    assert json.loads(made.out)["loss"] == loss.name
    assert json.loads(made.out)["value"] == pytest.approx(brute, rel=1e-9)
    assert expected_loss(mechanism, loss=loss.name) == pytest.approx(brute, rel=1e-9)
    verified = tightrope("verify", "m.json", "--json")
    assert verified.code == 0, verified.err
    receipt = judged(json.loads(Path("m.json").read_text()))
    for optimality in (json.loads(verified.out)["optimality"], receipt["optimality"]):
        assert optimality["loss"] == loss.name
        assert optimality["holds"] is True
        assert optimality["value"] == pytest.approx(brute, rel=1e-9)


@pytest.mark.parametrize("text", SPACES)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_theory_improve_agrees_with_brute_force(tightrope, loss, text):
    tightrope("design", text, "--ratio", "2", "--construction", "exponential", "-o", "weak.json")
    told = tightrope("theory", "improve", "weak.json", "--loss", loss.name, "--json")
    assert told.code == 0, told.err
    weak = read_document("weak.json").mechanism
    answer = json.loads(told.out)
    assert answer["before"] == pytest.approx(brute_loss(loss.name, weak), rel=1e-9)
    after = improve(weak, TWO, loss=loss.name).after
    assert answer["after"] == pytest.approx(brute_loss(loss.name, after.mechanism), rel=1e-9)


def test_noise_without_a_closed_form_drops_out_with_its_reason():
    rows = compare("path:0..2", TWO, loss=[[0, 1, 4], [1, 0, 1], [4, 1, 0]]).rows
    (row,) = [row for row in rows if row.construction == "two-sided-geometric"]
    assert row.reason == (
        "noise answers with any integer, and the given loss has no closed form there.")
