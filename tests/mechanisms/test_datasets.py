"""Mechanisms on datasets as they are shown: by their declarations, and with nothing claimed."""

from dataclasses import fields
from typing import get_args

import pytest

from tests.privacy.test_theorems import FORMS, NAMES
from tightrope.exact import Level
from tightrope.mechanisms import Mechanism, TableMechanism
from tightrope.privacy import certified
from tightrope.spaces import Datasets

SHOWN = [
    "LineMechanism(line:0 to 2, grid 1)",
    "GlobalCount(graphs:nodes=4, stars2, ratio 2, first 3)",
    "LadderCount(graphs:nodes=4, triangles, ratio 3)",
    "SmoothCount(graphs:nodes=4, triangles, growth 3/2, shift 2)",
    "QuantileMechanism(records:size=3,low=0,high=3, rank 2, ratio 3)",
    "ModeMechanism(records:size=3,low=0,high=3, ratio 3)",
]


@pytest.mark.parametrize(("form", "shown"), [*zip(FORMS, SHOWN, strict=True)], ids=NAMES)
def test_a_mechanism_is_shown_by_its_declarations(form, shown):
    mechanism, _, ratio, _ = form
    assert repr(mechanism) == shown
    assert "claims no privacy" in mechanism._repr_html_()
    proved = certified(mechanism, Level.ratio(ratio))
    assert repr(proved).startswith(f"Certified({shown},\n  Certificate(")
    card = proved._repr_html_()
    assert mechanism.space.text in card
    assert "any two neighbors" in card


@pytest.mark.parametrize("form", FORMS, ids=NAMES)
def test_datasets_are_declared_described_and_compared_by_value(form):
    space = form[0].space
    assert isinstance(space, Datasets)
    twin = type(space)(*(getattr(space, field.name) for field in fields(space)))
    assert twin == space
    assert space.describe()["family"] == space.text.partition(":")[0]


def test_every_form_but_a_table_is_its_own_base():
    for form in get_args(Mechanism):
        assert ("base" in form.__dataclass_fields__) is (form is TableMechanism)
