"""Very long fractions in any place of a document: both judges end soon, and say the same."""

import copy
import re

import pytest

from tests.documents import test_hostile_boxes as boxes
from tests.documents import test_hostile_gaussians as gaussians
from tests.documents import test_hostile_lines as lines
from tests.documents import test_hostile_positions as positions
from tests.documents import test_hostile_traces as traces
from tests.documents.judges import library_says, receipt_says, text_of
from tests.documents.mutations import parent, places
from tests.documents.samples import document
from tests.exact.oracle import ends_within
from tightrope.documents import compose

LONG = {
    "4,300 digits": "9" * 4300,
    "4,301 digits": "9" * 4301,
    "as small": f"1/{'9' * 4300}",
    "not in lowest terms": f"{'3' * 400}/{'7' * 399}",
    "2,004 characters": f"1{'0' * 1000}1/1{'0' * 1000}",
    "999 characters": f"1{'0' * 497}1/1{'0' * 498}",
    "1,001 characters": f"1{'0' * 498}1/1{'0' * 499}",
    "twice 4,300 digits": f"{'9' * 4300}/{'7' * 4300}",
}
LAWS = {"positions": positions.PROVED[0], "rings": positions.PROVED[1], "steps": positions.STEPS,
        "trace": traces.PROVED, "boxes": boxes.PROVED, "line": lines.PROVED,
        "gaussian": gaussians.PLAIN}
NAMES = ["geometric path:0..2", "kernel path:0..4", "kernel sets", "noise", "subsets", "unary",
         "exponential grid", "exponential graph", "delta matrix", "remapped kernel", *LAWS]
_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")


def given(name):
    return copy.deepcopy(compose(LAWS[name])) if name in LAWS else document(name)


def test_texts_are_as_long_as_their_names_say():
    assert [len(text) for text in LONG.values()] == [4300, 4301, 4302, 800, 2004, 999, 1001,
                                                       8601]


@pytest.mark.parametrize("name", NAMES)
def test_long_fractions_are_judged_alike(name, tmp_path):
    """Of laws on data the receipt proves the level, and says what only their holder knows."""
    original = given(name)
    tried = 0
    for path in places(original):
        stated = parent(original, path)[path[-1]]
        if path[0] in ("digest", "construction") or not isinstance(stated, str) or not (
                _FRACTION.fullmatch(stated)):
            continue
        for text in LONG.values():
            changed = copy.deepcopy(original)
            parent(changed, path)[path[-1]] = text
            data = text_of(changed)
            with ends_within(2):
                library = library_says(data)
            with ends_within(2):
                code, _ = receipt_says(data, tmp_path)
            assert library == code, (path, text)
            tried += 1
    assert tried >= 4 * len(LONG)
