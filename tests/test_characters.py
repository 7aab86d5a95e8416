"""Which characters names may hold, against Unicode's own tables; and how text is shown."""

import sys
import unicodedata
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tightrope.characters import control_in, escape, looks, refuse_controls, shorten, texts_in
from tightrope.errors import BadInput, NotAPoint

TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = {"\u061c", "\u200e", "\u200f"}


def barred(character: str) -> bool:
    """From the categories of Unicode: controls, separators of lines, turns, no characters."""
    return (
        unicodedata.category(character) in {"Cc", "Zl", "Zp", "Cs"}
        or unicodedata.bidirectional(character) in TURNS
        or character in MARKS
        or ord(character) & 0xFFFE == 0xFFFE
        or 0xFDD0 <= ord(character) <= 0xFDEF
    )


def test_what_unicode_calls_controls_separators_turns_and_none_is_refused_and_escaped():
    everything = list(map(chr, range(sys.maxunicode + 1)))
    refused = list(filter(barred, everything))
    assert refused == [c for c in everything if control_in(c) is not None]
    assert all(escape(c).isascii() and escape(c).isprintable() for c in refused)


@given(st.text())
def test_escaped_text_holds_no_control_and_stays_the_same_when_escaped_again(text):
    assert control_in(escape(text)) is None
    assert escape(escape(text)) == escape(text)


@given(st.text(), st.integers(24, 80))
def test_shortened_text_keeps_both_ends_and_says_how_long_it_was(text, most):
    found = shorten(text, most)
    seen = escape(text)
    if len(seen) <= most:
        assert found == seen
    else:
        assert len(found) <= most + 24
        assert found[:2] == seen[:2]
        assert f"({len(text):,} characters)" in found


def test_spaces_and_joiners_stay():
    assert escape("a\u00a0b\u3000c \U0001f469\u200d\U0001f680") == (
        "a\u00a0b\u3000c \U0001f469\u200d\U0001f680"
    )
    assert control_in("نعم \u200c می\u200cخواهم") is None


def test_letters_that_show_nothing_are_written_out():
    names = {c: unicodedata.name(c, "") for c in map(chr, range(sys.maxunicode + 1))}
    blank = [c for c, name in names.items() if name.startswith("H") and "FILLER" in name]
    assert len(blank) == 4
    assert all(escape(f"a{c}b").isascii() for c in [*blank, "\u034f", "\u2800", "\u180b"])
    assert all(looks(f"a{c}\nb ") == "a b" for c in [*blank, "\u2800", "\u200b", "\ufe0f"])


def test_texts_are_found_in_keys_and_values():
    assert sorted(texts_in({"a": [1, {"b": ("c", None)}], "d": "e"})) == ["a", "b", "c", "d", "e"]


def test_an_error_can_be_printed_whatever_it_is_about():
    assert str(BadInput("no column \x1b[2Jx\n.")) == r"no column \x1b[2Jx\n."
    space = SimpleNamespace(text="b" * 500, points=["c" * 500, "d"], size=2)
    assert str(NotAPoint("a" * 500, space)).count("characters)") == 3
    with pytest.raises(BadInput, match=r"a label holds the control character U\+202E"):
        refuse_controls("a\u202eb", "a label", BadInput)
