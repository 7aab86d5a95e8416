"""Documents folded by symmetry: the same content, written once, and nothing taken on trust."""

import json
from unittest.mock import patch

import numpy as np
import pytest

from tests.documents.judges import BAD, HOLDS, NO, renewed, verdicts
from tests.documents.samples import PROVED, document
from tests.documents.unfolding import places, written_in_full
from tightrope.constructions import Objective, design
from tightrope.documents import accept, compose, optimality_of, read, render
from tightrope.documents.folding import symmetry_of
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism
from tightrope.privacy import certified
from tightrope.spaces import cycle, grid, path
from tightrope.utility import absolute, euclidean

FOLDED = [name for name in PROVED if name.startswith("folded")]


def text_of(content):
    return json.dumps(renewed(content)).encode()


@pytest.mark.parametrize("name", FOLDED)
def test_a_folded_document_says_what_it_says_in_full(name, tmp_path):
    folded = document(name)
    full = written_in_full(document(name))
    assert any(isinstance(row, int) for row in folded["mechanism"]["rows"])
    assert all(isinstance(row, str) for row in full["mechanism"]["rows"])
    one, other = read(text_of(folded)), read(text_of(full))
    assert one.mechanism.weights == other.mechanism.weights
    for a, b in zip(one.optimality.multipliers, other.optimality.multipliers, strict=True):
        assert a.first.tolist() == b.first.tolist()
        assert a.second.tolist() == b.second.tolist()
        assert a.amounts == b.amounts
    assert verdicts(text_of(folded), tmp_path) == (HOLDS, HOLDS)
    assert verdicts(text_of(full), tmp_path) == (HOLDS, HOLDS)


@pytest.mark.parametrize("name", FOLDED)
def test_what_was_read_is_folded_the_same_way_again(name):
    first = document(name)
    found = read(render(first))
    with patch("tightrope.documents.writing.FOLDED_FROM", 2):
        again = compose(accept(found), found.construction, optimality=found.optimality)
    assert again == first


def test_a_grid_of_sixty_four_cells_needs_a_fifth_of_the_bytes():
    level = Level.epsilon("0.5")
    found = design(grid((8, 8)), level, loss=euclidean)
    claim = optimality_of(found, Objective(loss=euclidean))
    folded = compose(found.certified, optimality=claim)
    with patch("tightrope.documents.writing.FOLDED_FROM", 65):
        full = compose(found.certified, optimality=claim)
    assert "symmetry" not in full
    assert sum(isinstance(row, str) for row in folded["mechanism"]["rows"]) == 10  # orbits
    assert 5 * len(render(folded)) < len(render(full))


def test_a_path_is_folded_in_the_middle():
    found = design(path(0, 99), Level.epsilon("0.5"), loss=absolute)
    folded = compose(found.certified, optimality=optimality_of(found, Objective(loss=absolute)))
    assert sum(isinstance(row, str) for row in folded["mechanism"]["rows"]) == 50
    assert sum(isinstance(entry, str) for entry in folded["optimality"]["multipliers"]) == 50


def test_what_has_no_symmetry_is_written_in_full():
    random = np.random.default_rng(3).integers(50, 99, (70, 70)).tolist()
    odd = MatrixMechanism(cycle(70), cycle(70).points, Weights.from_integers(random))
    assert "symmetry" not in compose(certified(odd, Level.epsilon(3)))


def test_a_false_symmetry_makes_a_false_claim_not_a_proof(tmp_path):
    changed = document("folded grid")
    g, h = changed["symmetry"][0]
    swapped = places(h)
    swapped[0], swapped[4] = swapped[4], swapped[0]
    changed["symmetry"][0] = [g, " ".join(map(str, swapped))]
    ours, theirs = verdicts(text_of(changed), tmp_path)
    assert ours == theirs
    assert ours != HOLDS


STATED = [
    None, [], {}, "0 1", 3, [["0 1 2"]], [[]], [None], [["0", "0"]], [[3, 3]],
    [["0 1 2 3 4 5 6 7 8"] * 3], [["0 1 2 3 4 5 6 7 7", "0 1 2 3 4 5 6 7 8"]],
    [["0 1 2 3 4 5 6 7 9", "0 1 2 3 4 5 6 7 8"]], [["0 1 2 3 4 5 6 7 8 9", "0 1 2 3 4 5 6 7 8"]],
    [["-1 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8"]], [[" 0 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8"]],
    [["0 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8"]], [["0 1 2 3 4 5 6 7 8"] * 2] * 65,
    [["٠ 1 2 3 4 5 6 7 8", "0 1 2 3 4 5 6 7 8"]], [["00 1 2 3 4 5 6 7 8"] * 2],
]


@pytest.mark.parametrize("stated", STATED, ids=lambda stated: repr(stated)[:50])
def test_what_is_no_symmetry_is_bad_input_for_both(stated, tmp_path):
    changed = document("folded grid")
    changed["symmetry"] = stated
    assert verdicts(text_of(changed), tmp_path) == (BAD, BAD)


@pytest.mark.parametrize("number", [-1, 2, 7, True, 0.0, 10**30, [0], [0, 1], None, "0"])
@pytest.mark.parametrize("place", ["rows", "multipliers"])
def test_copies_by_another_number_are_judged_alike(number, place, tmp_path):
    changed = document("folded grid")
    entries = changed["mechanism" if place == "rows" else "optimality"][place]
    entries[next(k for k, entry in enumerate(entries) if isinstance(entry, int))] = number
    ours, theirs = verdicts(text_of(changed), tmp_path)
    assert ours == theirs
    assert ours in (BAD, NO)


@pytest.mark.parametrize("place", ["rows", "multipliers"])
@pytest.mark.parametrize("number", [0, 1])
def test_circles_are_bad_input_for_both(place, number, tmp_path):
    changed = document("folded grid")
    part = changed["mechanism" if place == "rows" else "optimality"]
    part[place] = [number] * len(part[place])
    assert verdicts(text_of(changed), tmp_path) == (BAD, BAD)


@pytest.mark.parametrize(("digits", "verdict"), [(100, HOLDS), (10**6, BAD)])
def test_a_small_file_does_not_unfold_to_gigabytes(digits, verdict, tmp_path):
    size = 1200
    turned = " ".join(str((y + 1) % size) for y in range(size))
    changed = document("folded grid")
    changed["space"] = {"family": "path", "low": 0, "high": size - 1}
    changed["neighbors"] = "differ by one"
    changed["optimality"] = None
    changed["outputs"] = ["yes", "no"]
    changed["symmetry"] = [[turned, "0 1"]]
    changed["mechanism"]["rows"] = ["f" * digits + " 1", *[0] * (size - 1)]
    assert verdicts(text_of(changed), tmp_path) == (verdict, verdict)


@pytest.mark.parametrize(("digits", "verdict"), [(250, NO), (251, BAD)])
def test_only_outputs_with_multipliers_of_moderate_size_have_copies(digits, verdict, tmp_path):
    changed = document("folded grid")
    claim = changed["optimality"]
    copied = next(k for k, entry in enumerate(claim["multipliers"]) if isinstance(entry, int))
    origin = places(changed["symmetry"][claim["multipliers"][copied]][1]).index(copied)
    claim["unit"], claim["multipliers"][origin] = -96, "0 1 " + "f" * digits
    assert verdicts(text_of(changed), tmp_path) == (verdict, verdict)


def test_what_is_too_long_for_copies_is_written_in_full():
    found = certified(design(path(0, 4), Level.ratio(2), loss=absolute).certified.mechanism,
                      Level.ratio(2)).mechanism
    long = Weights(found.weights.mantissas.astype(object) << 10**5, found.weights.exponents)
    mechanism = MatrixMechanism(found.space, found.outputs, long)
    with patch("tightrope.documents.folding._MOST_TEXT", 10**5):
        assert not symmetry_of(mechanism).generators
    assert symmetry_of(mechanism).generators


def test_only_a_matrix_is_folded(tmp_path):
    for name in ("kernel path:0..4", "noise", "subsets"):
        changed = document(name)
        changed["symmetry"] = [["4 3 2 1 0", "4 3 2 1 0"]]
        assert verdicts(text_of(changed), tmp_path) == (BAD, BAD)


def test_an_unused_symmetry_changes_nothing(tmp_path):
    changed = document("geometric path:0..2")
    changed["mechanism"] = {"form": "matrix", "rows": ["4 1 1", "2 2 2", "1 1 4"]}
    changed["claim"]["evidence"] = "enumerated"
    changed["symmetry"] = [["2 1 0", "2 1 0"]]
    assert verdicts(text_of(changed), tmp_path) == (HOLDS, HOLDS)
    changed["mechanism"]["rows"][2] = 0
    assert verdicts(text_of(changed), tmp_path) == (HOLDS, HOLDS)
    changed["mechanism"]["rows"][1] = 0  # the middle row would be a copy of itself
    assert verdicts(text_of(changed), tmp_path) == (BAD, BAD)
