"""A grid with thousands of cells on the command line: designed, kept, proved again, refuted."""

import json
from pathlib import Path

import pytest

from tests.cli.runner import receipt
from tightrope import receipt as checker
from tightrope.documents import digest_of


def test_a_large_grid_is_designed_as_a_kernel_and_proved_by_both_judges(tightrope):
    asked = ("design", "grid:70x60", "--epsilon", "0.7", "--loss", "binary")
    answer = tightrope(*asked, "-o", "m.json", "--json").json
    assert answer["construction"] == "tight"
    assert answer["evidence"] == "kernel"
    assert answer["certified"] is True
    assert answer["gap"] < 1e-10
    assert answer["outputs"] == 4200
    assert tightrope("verify", "m.json").code == 0
    assert checker.main(["m.json"]) == 0


@pytest.mark.slow  # about 4 s
def test_a_large_grid_with_another_loss_is_a_kernel_with_its_best_remap(tightrope):
    asked = ("design", "grid:40x50", "--epsilon", "0.8", "--construction", "remapped-tight")
    answer = tightrope(*asked, "-o", "m.json", "--json").json
    assert (answer["construction"], answer["loss"]) == ("remapped-tight", "euclidean")
    assert answer["evidence"] == "kernel"
    assert json.loads(Path("m.json").read_text(encoding="utf-8"))["mechanism"]["form"] == "remapped"
    assert tightrope("verify", "m.json").code == 0
    assert checker.main(["m.json"]) == 0


def test_a_smaller_claim_about_a_large_kernel_is_refuted_by_both_judges(tightrope):
    asked = ("design", "grid:40x50", "--epsilon", "0.8", "--loss", "binary")
    assert tightrope(*asked, "-o", "m.json").code == 0
    document = json.loads(Path("m.json").read_text(encoding="utf-8"))
    document["claim"]["epsilon"]["rational"] = "7999/10000"
    document["digest"] = digest_of(document)
    Path("less.json").write_text(json.dumps(document), encoding="utf-8")
    assert tightrope("verify", "less.json").code == 1
    assert checker.main(["less.json"]) == 1


def test_a_grid_beyond_ten_thousand_cells_is_checked_by_the_receipt_on_request(tightrope):
    assert tightrope("design", "grid:110x100", "--epsilon", "0.9", "-o", "m.json").code == 0
    assert receipt("m.json").code == 3
    assert receipt("m.json", "--large").code == 0


def test_below_the_threshold_the_cell_is_named(tightrope):
    answer = tightrope("design", "grid:100x100", "--epsilon", "0.5", "--construction", "tight")
    assert answer.code == 1
    assert "negative at the point (1, 1)" in answer.sentence
