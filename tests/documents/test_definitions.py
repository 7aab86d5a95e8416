"""Documents under a definition: read again, judged twice, and refused where they were changed."""

import json
import random
from fractions import Fraction

import pytest

import tightrope as tr
from tests.receipts import RECEIPT
from tightrope.documents import compose_definition, digest_of, judge_definition
from tightrope.errors import BadDocument
from tightrope.privacy import GenericDefinition, PairBound

BOUNDS = {(0, 1): PairBound.of([(0, "1/10"), ("2/5", "4/5"), (1, 1)]),
          (1, 0): PairBound.of([(0, 0), ("3/5", "9/10"), (1, 1)]),
          (1, 2): PairBound.of([(0, "1/4"), ("3/4", 1), (1, 1)])}
SOLUTION = tr.design("categories:3", definition=GenericDefinition(BOUNDS), goal="worst")


def judged(document):
    """The verdict of the library: True, False, or None for what is no document."""
    try:
        review = judge_definition(json.dumps(document).encode())
    except BadDocument:
        return None
    return review.holds


def examined(document):
    try:
        return RECEIPT.examine(document, False)["holds"]
    except RECEIPT.Malformed:
        return None


def sealed(document):
    return {**document, "digest": digest_of(document)}


def test_a_document_is_proved_by_both_judges(tmp_path):
    document = compose_definition(SOLUTION)
    assert judged(document) is examined(document) is True
    tr.save(SOLUTION, tmp_path / "m.json")
    review = tr.files.verify_definition(tmp_path / "m.json")
    assert (review.value, review.intact) == (SOLUTION.value, True)
    assert review.mechanism == SOLUTION.mechanism
    with pytest.raises(BadDocument, match="verify_definition"):
        tr.load(tmp_path / "m.json")


def test_a_changed_document_is_seen_by_both():
    changed = {**compose_definition(SOLUTION), "value": "2"}
    assert not judge_definition(json.dumps(changed).encode()).intact
    assert not RECEIPT.examine(changed, False)["intact"]


@pytest.mark.parametrize(("field", "part", "verdict"), [
    ("rows", ["1 0 0", "0 1 0", "0 0 1"], False),
    ("value", "0", False),
    ("bound", "9/10", False),
    ("bound", "0", True),
    ("value", "1", True),
    ("prices", [], False),
    ("prices", ["2 0 2 0 0 0"], None),
    ("prices", ["0 1 2 -1 0 0"], None),
    ("prices", ["0 1 0 1 0 0"], None),
    ("goal", "median", None),
    ("prior", "1/2 1/4 1/8", None),
    ("rows", ["1 0 0", "0 1 0", "0 0 2"], None),
    ("bounds", [{"corners": "0 0 1/2 1/4 1 1", "pairs": "0 1"}], None),
    ("bounds", [{"corners": "0 0 1 1", "pairs": "0 3"}], None),
    ("bounds", [], None),
    ("more", 1, None),
])
def test_false_claims_with_a_digest_of_their_own(field, part, verdict):
    document = sealed({**compose_definition(SOLUTION), field: part})
    assert judged(document) is verdict
    assert examined(document) is verdict


def test_both_judges_agree_on_two_hundred_changed_numbers():
    rng, verdicts = random.Random(5), []
    base = compose_definition(SOLUTION)
    for _ in range(200):
        document = json.loads(json.dumps(base))
        field = rng.choice(["rows", "loss", "prices", "prior", "bounds", "value", "bound"])
        place = document[field]
        if isinstance(place, list):
            spot = rng.randrange(len(place))
            if field == "bounds":
                place[spot]["corners"] = changed(place[spot]["corners"], rng)
            else:
                place[spot] = changed(place[spot], rng)
        else:
            document[field] = changed(place, rng)
        document = sealed(document)
        assert judged(document) is examined(document), document
        verdicts.append(judged(document))
    assert {True, False, None} == set(verdicts)


def changed(text, rng):
    numbers = text.split(" ")
    spot = rng.randrange(len(numbers))
    step = Fraction(rng.choice([-1, 1]), rng.choice([7, 100, 10**9]))
    numbers[spot] = str(Fraction(numbers[spot]) + step)
    return " ".join(numbers)
