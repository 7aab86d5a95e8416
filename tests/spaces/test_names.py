r"""Names with slashes between them, and slashes inside names."""

import pytest

from tightrope.errors import BadSpace
from tightrope.spaces import categories, parse, split_names
from tightrope.tables.domains import read_domain


@pytest.mark.parametrize(("text", "names"), [
    ("a/b", ["a", "b"]),
    (r"and\/or/none", ["and/or", "none"]),
    (r"none/and\/or", ["none", "and/or"]),
    ('"and/or" / none', ["and/or", "none"]),
    ("5\"/6\"", ["5\"", "6\""]),
    (r"a\b/c", [r"a\b", "c"]),
    ("a//b", ["a", "", "b"]),
    ("", [""]),
    (r'" a "/"b\"c\/d"', [" a ", 'b"c/d']),
])
def test_a_slash_inside_a_name_is_escaped_or_quoted(text, names):
    assert split_names(text) == names


def test_names_in_quotes_are_json():
    for text in (r'"\q"/b', '"a/b', '"a"b/c', '"a""b"/c'):
        with pytest.raises(BadSpace, match="double quotes"):
            split_names(text)


def test_every_text_of_names_is_read_alike():
    text = r"and\/or/none"
    names = ["and/or", "none"]
    assert list(parse(f"categories:{text}").points) == names
    assert list(read_domain(text).space.points) == names
    assert read_domain(f"sets:{text}").items == ("and/or", "none")


def test_a_space_of_such_names_reads_its_own_text():
    names = ["and/or", r"back\slash", 'quo"te', "(x)", " spaced "]
    space = categories(names)
    assert list(parse(space.text).points) == names
