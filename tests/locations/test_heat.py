"""Heat maps: counts by cell as declared, charged once, with nothing told but the noised counts."""

import numpy as np
import pandas as pd
import pytest

from tightrope.errors import BadInput, Refused
from tightrope.files import document_bytes
from tightrope.ledger import Budget, Ledger, Scope
from tightrope.locations import heat_map, heat_picture, plan_heat_map
from tightrope.releases import read_release
from tightrope.releases.answers import answers
from tightrope.samplers import SeededSource, draw

BOX = "-4,40,-3,41"
SURE = 400
"""A level at which noise is 0 but once in e^400."""


@pytest.fixture
def ledger(tmp_path):
    made = Ledger.create(tmp_path / "l.sqlite")
    made.open_budget(Budget("rows", Scope("trips", "row", "add-remove"), 10**6))
    made.open_budget(Budget("people", Scope("trips", "person:phone", "add-remove"), 10**6))
    return made


def counted(frame, ledger, budget="rows", **asked):
    return heat_map(frame, account=ledger.account(budget),
                    **{"region": BOX, "cell": "30 km", "epsilon": SURE, **asked})


def test_every_position_counts_in_its_cell_and_those_outside_in_the_nearest(ledger):
    generator = np.random.default_rng(5)
    lon, lat = generator.uniform(-5, -2, 4000), generator.uniform(39, 42, 4000)
    found = counted(pd.DataFrame({"lon": lon, "lat": lat}), ledger)
    x, y = found.plan.shape  # 84.8 and 111 km across
    assert (x, y) == (3, 4)
    inside = np.clip(np.floor((lat - 40) * y), 0, y - 1) * x + np.clip(
        np.floor((lon + 4) * x), 0, x - 1)
    expected = np.bincount(inside.astype(int), minlength=x * y).reshape(y, x)
    assert np.abs(found.counts - expected).sum() <= 12  # within 1/2048 of an edge
    assert found.counts.sum() == 4000
    # a degree at 40.5° on the ellipsoid, east and north
    assert found.plan.widths == pytest.approx((84_768 / 3, 111_044 / 4), rel=1e-3)


def test_a_person_counts_as_often_as_declared_and_rows_without_one_or_a_position_not(ledger):
    frame = {"lon": [-3.9, -3.5, -3.1, -3.9, None, -3.9, 99.0], "lat": [40.1] * 6 + [95.0],
             "phone": ["a", "a", "a", "b", "b", None, "c"]}
    found = counted(frame, ledger, "people", person="phone", rows=2)
    assert found.counts.sum() == 3  # two of a, one of b
    assert found.plan.plan.declaration.unit.rows == 2
    assert found.release.booked.entry.as_json()["scope"]["unit"] == "person:phone"


def test_across_the_antimeridian_longitudes_are_taken_modulo_a_turn(ledger):
    frame = {"lon": [-179.5, 180.5, 179.5, -180.5], "lat": [-17.0] * 4}
    found = counted(frame, ledger, region="179,-20,181,-15", cell="120 km")
    assert found.counts.sum(axis=0).tolist() == [2, 2]


def test_the_release_proves_itself_and_a_second_request_is_free(ledger, tmp_path):
    frame = {"lon": [-3.9, -3.1], "lat": [40.1, 40.9]}
    account = ledger.account("rows", request="mine")
    asked = {"region": BOX, "cell": "50 km", "epsilon": 1, "account": account}
    first, again = heat_map(frame, **asked), heat_map(frame, **asked)
    assert np.array_equal(first.counts, again.counts)
    assert again.release.booked.again
    file = tmp_path / "r.json"
    file.write_bytes(document_bytes(first.release, file))
    assert read_release(file).holds is True
    assert heat_picture(first.plan, first.release.answers).axes
    with pytest.raises(Refused):
        heat_map(frame, **{**asked, "account": ledger.account("people")})


def test_one_hostile_row_changes_no_cell_no_message_and_no_error(ledger):
    base = {"lon": ["-3.9"] * 5, "lat": ["40.1"] * 5}
    shapes, errors = set(), set()
    for lon, lat in (("-3.9", "40.1"), ("1e999", "nan"), ("west", ""), ("-3.9", "91")):
        frame = {"lon": [*base["lon"], lon], "lat": [*base["lat"], lat]}
        found = counted(frame, ledger, epsilon=1)
        shapes.add(found.release.plan.cells)
        errors.add(repr(found.plan))
    assert len(shapes) == len(errors) == 1


@pytest.mark.parametrize(("changes", "said"), [
    ({"cell": "1 m"}, "larger cells"),
    ({"cell": "1"}, "with its unit"),
    ({"region": "world"}, "no plane"),
    ({"epsilon": 0}, "level"),
    ({"rows": 2}, "name the column"),
])
def test_declarations_that_cannot_be_meant_are_refused(changes, said):
    with pytest.raises(BadInput, match=said):
        plan_heat_map(**{"region": BOX, "cell": "30 km", "epsilon": 1, **changes})


def test_a_picture_that_fails_costs_nothing(ledger):
    def fail(plan, answers):
        raise RuntimeError("no picture")

    with pytest.raises(RuntimeError, match="no picture"):
        counted({"lon": [-3.5], "lat": [40.5]}, ledger, rehearsal=fail)
    assert ledger.balance("rows").charges == 0


def test_counts_are_unbiased_and_those_that_may_be_0_are_gray():
    """Of a map that is empty but for one cell the sum is not pulled up, and nearly all is gray."""
    plan = plan_heat_map("-4,40,-3,41", "10 km", "0.5").plan
    cells, part = len(plan.cells), plan.subqueries[0]
    numbers = [0] * cells
    numbers[7] = 500
    source, total, held = SeededSource(9), 0, []
    for _ in range(300):
        found = answers(plan, [draw(part.certified, numbers, source)])
        total += sum(answer.value for answer in found)
        held += [answer.mark is not None for place, answer in enumerate(found) if place != 7]
        assert found[7].mark is None
    spread = (cells * float(part.noise.mean_square) / 300) ** 0.5
    assert abs(float(total) / 300 - 500) < 5 * spread
    assert sum(held) / len(held) > 0.95
