"""Families of sets from files: what is read, and what is refused in one sentence."""

import pytest

from tightrope.errors import BadInput
from tightrope.files import read_sets


def test_elements_of_a_measure_are_those_of_the_sets(tmp_path):
    file = tmp_path / "s.json"
    file.write_text('{"sets": [[1, 2]], "measure": {"1": "1/2", "2": 0.5}}')
    assert set(read_sets(file)["measure"]) == {1, 2}


def test_a_family_beside_rectangles_is_one_of_sets_of_pairs(tmp_path):
    file = tmp_path / "s.json"
    file.write_text('{"rectangles": [[["a"], ["x"]]], "within": [[], [["a", "x"]]]}')
    assert read_sets(file)["within"] == [[], [["a", "x"]]]


@pytest.mark.parametrize("text", [
    "[]", "{}", '{"sets": [], "rectangles": []}', '{"sets": "ab"}', '{"sets": [[true]]}',
    '{"sets": [["a"]], "more": 1}', '{"rectangles": [[["a"]]]}', '{"rectangles": [["a", "b"]]}',
    '{"sets": [["a"]], "measure": [1]}', '{"sets": [["a"]], "elements": "a"}',
    '{"sets": [["a"]], "within": [1]}', '{"rectangles": {}}',
    '{"rectangles": [[["a"], ["x"]]], "within": [["a"]]}',
    '{"rectangles": [[["a"], ["x"]]], "within": [[["a", "x", "y"]]]}',
    '{"rectangles": [[["a"], ["x"]]], "elements": ["a"]}',
])
def test_other_contents_are_refused(tmp_path, text):
    file = tmp_path / "s.json"
    file.write_text(text)
    with pytest.raises(BadInput):
        read_sets(file)
