"""A statistic is a class that says all of itself, and nobody else asks which one it is."""

import re
from dataclasses import fields

import pytest

from tests.architecture.source import modules
from tightrope.releases.grammar import Slot, beginning, pieces
from tightrope.releases.statistics import STATISTICS, Answerable

HOME = "releases/statistics/"


@pytest.mark.parametrize("kind", STATISTICS.values(), ids=STATISTICS)
def test_a_statistic_has_every_member_of_the_protocol(kind):
    wanted = {name for name in vars(Answerable) if not name.startswith("_")}
    assert wanted == {"name", "phrase", "adjustable", "strategies", "cells", "answers", "figure"}
    assert [name for name in wanted if not hasattr(kind, name)] == []


@pytest.mark.parametrize("kind", STATISTICS.values(), ids=STATISTICS)
def test_the_fields_of_a_statistic_are_the_slots_of_its_phrase(kind):
    slots = [piece for piece in pieces(kind.phrase) if isinstance(piece, Slot)]
    assert len(fields(kind)) == len(slots)
    assert len({slot for slot in slots if slot is not Slot.COLUMN}) <= 1
    assert kind.__dataclass_params__.frozen


def test_statistics_with_the_same_beginning_differ_later():
    phrases = [kind.phrase for kind in STATISTICS.values()]
    assert len(set(phrases)) == len(phrases)
    shared = [phrase for phrase in phrases
              if [beginning(other) for other in phrases].count(beginning(phrase)) > 1]
    assert shared == ["histogram of COLUMN", "histogram of COLUMN and COLUMN",
                      "left out of COLUMN", "left out"]


def test_no_other_module_asks_which_statistic_it_is():
    names = "|".join(kind.__name__ for kind in STATISTICS.values())
    asked = re.compile(rf"\b(case|isinstance\([\w.]+,) ({names})\b|\bask (==|!=|in|is) ")
    assert [m.where for m in modules()
            if m.where.startswith(("releases/", "cli/")) and asked.search(m.text)] == []
