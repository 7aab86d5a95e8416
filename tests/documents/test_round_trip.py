"""Save, then load, is the identity; digests are what they say."""

import gzip
import hashlib
import json
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.judges import HOLDS, library_says, receipt_says
from tests.documents.samples import MAKERS, document, sample
from tests.exact.oracle import ends_within
from tests.privacy.brute import (
    laws,
    level_of,
    metrics,
    space_of,
    steepest,
    tables_of_weights,
)
from tightrope.constructions import randomized_response, truncated_geometric, two_sided_geometric
from tightrope.documents import (
    accept,
    compose,
    digest_of,
    label_from_json,
    read,
    render,
)
from tightrope.errors import BadDocument, NotIntact, NotPrivate, TightropeError
from tightrope.exact import Level, Weights
from tightrope.mechanisms import MatrixMechanism, TableMechanism
from tightrope.privacy import certified
from tightrope.spaces import categories, label_to_json, path


@pytest.mark.parametrize("name", MAKERS)
def test_what_is_read_is_what_was_written(name):
    original = sample(name)
    written = compose(original, {"name": name})
    found = read(render(written))
    assert found.intact
    assert found.content == written
    assert found.level == original.certificate.level
    assert found.evidence == original.certificate.evidence
    assert found.construction == {"name": name}
    assert found.mechanism.space == original.mechanism.space
    again = accept(found)
    assert again.certificate.level == original.certificate.level
    assert again.certificate.smallest == original.certificate.smallest
    assert compose(again, {"name": name}) == written
    assert render(compose(again, {"name": name})) == render(written)


@pytest.mark.parametrize("name", MAKERS)
def test_the_mechanism_that_is_read_equals_the_one_that_was_written(name):
    assert read(render(document(name))).mechanism == sample(name).mechanism


@pytest.mark.parametrize("name", MAKERS)
def test_the_rows_that_are_read_are_the_rows_that_were_written(name):
    found, original = read(render(document(name))).mechanism, sample(name).mechanism
    while isinstance(found, TableMechanism):
        assert found.rows == original.rows
        found, original = found.base, original.base
    if hasattr(found, "row_at"):
        assert tuple(found.outputs) == tuple(original.outputs)
        for i in range(found.space.size):
            assert found.row_at(i) == original.row_at(i)
    else:
        assert found == original


@pytest.mark.parametrize("name", MAKERS)
def test_documents_follow_their_published_form(name):
    found = json.loads(render(document(name)))
    assert found["format"] == "tightrope/mechanism"
    assert found["version"] == 2
    assert found["optimality"] is None
    assert set(found) == {"format", "version", "space", "outputs", "mechanism",
                          "claim", "construction", "optimality", "digest"}
    rest = {key: value for key, value in found.items() if key != "digest"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    assert found["digest"] == "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()
    assert found["digest"] == digest_of(found)
    epsilon = found["claim"]["epsilon"]
    assert set(epsilon) == {"rational", "coefficient", "base"}
    for value in (*epsilon.values(), found["claim"]["delta"]):
        assert str(Fraction(value)) == value
    assert render(document(name)).isascii()


@pytest.mark.parametrize("name", ["geometric path:0..2", "noise"])
def test_compressed_documents_read_the_same(name):
    data = render(document(name))
    assert read(gzip.compress(data)).content == read(data).content


@settings(derandomize=True, deadline=None, max_examples=40)
@given(metrics(4), st.integers(1, 3), st.data())
def test_random_mechanisms_survive_the_trip_and_both_judges(table, columns, data):
    integers = data.draw(tables_of_weights(len(table), columns))
    steep = steepest(laws(integers), table)
    if steep[0] == 1:
        return
    powers = [[data.draw(st.sampled_from([0, -7, -3000]))] * columns for _ in table]
    space = space_of(table)
    outputs = data.draw(st.sampled_from([tuple("abc"), (0, -5, 10**20), ((), (1,), ("x", (2,)))]))
    weights = Weights.from_integers(integers, powers)
    original = certified(MatrixMechanism(space, outputs[:columns], weights), level_of(steep))
    written = render(compose(original))
    found = accept(read(written))
    assert found.mechanism.space == space
    assert found.mechanism.weights == weights
    assert tuple(found.mechanism.outputs) == outputs[:columns]
    assert library_says(written) == HOLDS


def test_random_mechanisms_hold_for_the_receipt_too(tmp_path):
    for seed in range(12):
        size = 3 + seed % 3
        integers = [[1 + (5 * y + 3 * z + seed) % 7 for z in range(3)] for y in range(size)]
        space = path(0, size - 1)
        table = [[Fraction(abs(i - j)) for j in range(size)] for i in range(size)]
        level = level_of(steepest(laws(integers), table))
        mechanism = MatrixMechanism(space, ("a", "b", "c"), Weights.from_integers(integers))
        assert receipt_says(render(compose(certified(mechanism, level))), tmp_path)[0] == HOLDS


def test_a_changed_document_is_read_but_not_accepted():
    changed = document("geometric path:0..2")
    changed["construction"] = {"name": "something else"}
    found = read(render(changed))
    assert not found.intact
    with pytest.raises(NotIntact) as caught:
        accept(found)
    assert caught.value.stated == changed["digest"]
    assert caught.value.found == digest_of(changed)


def test_a_false_claim_with_a_fitting_digest_is_not_accepted():
    changed = document("geometric path:0..2")
    changed["claim"]["epsilon"]["base"] = "3/2"
    changed["digest"] = digest_of(changed)
    with pytest.raises(NotPrivate) as caught:
        accept(read(render(changed)))
    first, second = caught.value.refutation.witness.probabilities
    assert first > Fraction(3, 2) * second


@pytest.mark.parametrize("label", [0, -7, 10**30, "", "x", "ü\n\"", (), (1,), ("a", (1, ("b",)))])
def test_labels_survive_json(label):
    assert label_from_json(json.loads(json.dumps(label_to_json(label)))) == label


@pytest.mark.parametrize("value", [None, True, 1.5, {}, [None], [[1.0]]])
def test_what_is_no_label_is_refused(value):
    with pytest.raises(BadDocument):
        label_from_json(value)


@pytest.mark.parametrize("epsilon", ["5000", "20000"])
def test_mechanisms_at_large_levels_are_saved_or_refused_with_a_sentence(epsilon, tmp_path):
    level = Level.epsilon(epsilon)
    for build, space in ((randomized_response, categories(3)), (truncated_geometric, path(0, 2)),
                         (two_sided_geometric, path(0, 2))):
        with ends_within(60):
            try:
                data = render(compose(certified(build(space, level), level)))
            except TightropeError:
                continue
            assert library_says(data) == HOLDS
            assert receipt_says(data, tmp_path)[0] == HOLDS
