"""Mechanisms on datasets as they are shown: by their declarations, and with nothing claimed."""

from dataclasses import fields
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest

from tests.privacy.test_theorems import FORMS, NAMES, RING
from tightrope.choices import Count
from tightrope.exact import Level
from tightrope.mechanisms import (
    GlobalCount,
    LadderCount,
    Mechanism,
    PrivacyFirstCount,
    SmoothCount,
    TableMechanism,
    network_counts,
)
from tightrope.privacy import certified
from tightrope.samplers import SeededSource, draw
from tightrope.spaces import Datasets, Graphs, Network

SHOWN = [
    "LineMechanism(line:0 to 2, grid 1)",
    "GlobalCount(graphs:nodes=4, stars2, ratio 2, first 3)",
    "GlobalCount(cut-graphs:nodes=4,degree=2, edges, ratio 3, first 2)",
    "PrivacyFirstCount(graphs:nodes=4, stars2, radius 1, ratio 3)",
    "PrivacyFirstCount(graphs:nodes=4, edges, radius 2, ratio 3)",
    "DegreeCounts(graphs:nodes=4, degree 3, ratio 2)",
    "DegreeCounts(cut-graphs:nodes=4,degree=2, degree 2, ratio 2)",
    "TallyNoise(tallies:cells=2,touched=1,change=3, ratio 2, step 3, first 2)",
    "TallyNoise(tallies:cells=3,touched=2,change=4, ratio 2)",
    "RankMechanism(value-counts:groups=1,values=3,added=1,removed=0, below 1, above 2, shift 0, "
    "ratio 2)",
    "FrequentMechanism(value-counts:groups=2,values=2,added=1,removed=1, picks 2, ratio 3)",
    "BoxMechanism(totals:people=3,most=2,length=2, ratio 3, first 1)",
    "PositionNoise(positions:box -4,40,-3,41,within=10 m,step=3 m, ratio 2)",
    "PlanarLaplace(positions:box -4,40,-3,41,within=10 m,step=3 m, ratio 2)",
    "TraceNoise(traces:box -4,40,-3,41,within=10 m,step=3 m, fresh 2, jump 4, ratio 2, bar 3, "
    "bar_step 5, bar_first 2, test 2, test_step 4, test_first 1)",
    "PositionSteps(positions:box -4,40,-3,41,within=10 m,step=3 m, ratio 3, first 2)",
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


def test_edges_within_the_radius_are_equally_likely_and_the_next_one_less():
    law = PrivacyFirstCount(Graphs(4), Count.EDGES, 2, 3).law(RING)
    chances = [law.probability(4 + far) / law.probability(4) for far in range(5)]
    assert chances == [1, 1, 1, Fraction(1, 3), Fraction(1, 9)]


@pytest.mark.parametrize("value", [2**62 - 3, 2**63 + 1, 10**23])
def test_counts_beyond_64_bits_are_released_as_they_are(value, monkeypatch):
    """Sixty hubs of a million edges have so many 3-stars."""
    monkeypatch.setattr(network_counts, "count_of", lambda *_: value)
    for mechanism in (
        LadderCount(Graphs(4), Count.TRIANGLES, 1000),
        GlobalCount(Graphs(4), Count.TRIANGLES, 10**6, 1),
        SmoothCount(Graphs(4), Count.TRIANGLES, 1000, 1000),
    ):
        law = mechanism.law(RING)
        assert law.probability(value) > law.probability(value + 1)
        assert law.probability(value) > law.probability(value - 1)
        drawn = draw(certified(mechanism, Level.ratio(10**12)), RING, SeededSource(1))
        assert abs(drawn - value) < 10


def test_beyond_its_rungs_a_ladder_grows_by_the_most_that_any_edge_changes():
    """On 4 nodes an edge is in up to 2 triangles, in a graph without edges in none."""
    empty = Network(4, np.zeros(0, np.int64), np.zeros(0, np.int64))
    law = LadderCount(Graphs(4), Count.TRIANGLES, 2).law(empty)
    assert law.step == 2
    assert law.highs[0] == law.highs[1] == 0


def test_noise_alone_is_around_nothing():
    noise = GlobalCount(Graphs(4), Count.STARS2, 2, 3).noise
    assert [noise.rung(z) for z in (-3, -2, 0, 2, 3)] == [1, 0, 0, 0, 1]
