"""Long paths: a remapped kernel instead of a matrix, and the bound that the theorem gives."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from tightrope import receipt
from tightrope.constructions import design, truncated_geometric
from tightrope.constructions.closed_forms.remapped_geometric import _least_by_theorem
from tightrope.constructions.optimum.path_bound import path_bound
from tightrope.documents import compose, render
from tightrope.exact import Level, Surd
from tightrope.mechanisms import KernelMechanism, RemappedMechanism
from tightrope.utility import Problem, absolute, binary
from tightrope.utility.expectation import losses_by_input


@pytest.fixture
def short(monkeypatch):
    """Paths of more than 60 values are long."""
    monkeypatch.setattr("tightrope.exact.sizes.LARGEST_PATH_PROOF", 60)


def test_a_long_path_has_a_short_document_that_is_proved():
    found = design("path:0..1000", "0.5", loss="absolute")
    document = compose(found.certified)
    assert isinstance(found.certified.mechanism, RemappedMechanism)
    assert len(render(document)) < 1_000_000
    assert receipt.examine(json.loads(render(document)), False)["holds"] is True
    assert found.gap < 1e-11


@pytest.mark.parametrize("epsilon", ["0.01", "0.5", "3", "40"])
@pytest.mark.parametrize("loss", ["absolute", "squared", "binary"])
def test_the_theorem_gives_the_bound_that_multipliers_prove(epsilon, loss, monkeypatch):
    problem = Problem("path:0..90", epsilon, loss=loss)
    proved = float(path_bound(problem).bound)
    monkeypatch.setattr("tightrope.exact.sizes.LARGEST_PATH_PROOF", 60)
    found = design("path:0..90", epsilon, loss=loss, construction="remapped-geometric")
    assert found.dual is None
    assert proved <= found.value * (1 + 1e-15)  # multipliers bound every mechanism
    assert found.bound == pytest.approx(proved, rel=1e-11)
    assert found.bound <= found.value


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("prior", [None, "rising"])
def test_a_remapped_kernel_loses_what_its_rows_say(prior):
    weights = None if prior is None else [i + 1 for i in range(81)]
    law = "uniform" if weights is None else [f"{w}/{sum(weights)}" for w in weights]
    found = design("path:0..80", "0.3", prior=law, construction="remapped-geometric")
    mechanism = found.certified.mechanism
    chances = [1 / 81] * 81 if weights is None else [w / sum(weights) for w in weights]
    by_rows = sum(
        chance * float(p) * abs(y - z)
        for y, chance in enumerate(chances)
        for z, p in zip(mechanism.outputs, mechanism.row(y), strict=True)
    )
    assert found.value == pytest.approx(by_rows, rel=1e-13)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("epsilon", ["0.000001", "0.1", "1", "30", "60", "300"])
def test_losses_of_a_long_path_have_their_digits_however_small(epsilon):
    mechanism = truncated_geometric("path:0..70", epsilon).mechanism
    assert isinstance(mechanism, KernelMechanism)
    with localcontext(prec=60):
        values = [mechanism.value(Surd.of(d)) for d in range(71)]
        powers = [Decimal(head) * Decimal(2) ** tail for head, tail in values]
        for loss, cost in ((absolute, lambda d: d), (binary, lambda d: min(d, 1))):
            found = losses_by_input(mechanism, loss=loss)
            for y in (0, 1, 35, 70):
                parts = [w * powers[abs(y - z)] for z, w in enumerate(mechanism.weights)]
                lost = sum(p * cost(abs(y - z)) for z, p in enumerate(parts)) / sum(parts)
                assert float(found[y]) == pytest.approx(float(lost), rel=1e-13)


@pytest.mark.parametrize("epsilon", ["0.000001", "0.01", "1", "30", "300"])
def test_long_paths_have_their_level_whatever_it_is(epsilon):
    found = truncated_geometric("path:0..700", epsilon)
    assert found.certificate.holds
    assert found.certificate.smallest.upper <= float(Level.epsilon(epsilon))


@pytest.mark.parametrize("ratio", ["2", "3/2", "11/10", "7"])
def test_the_least_loss_of_the_theorem_is_rounded_down_and_hardly(ratio):
    """The remapped geometric in fractions; sums of doubles alone are above it now and then."""
    level = Level.ratio(ratio)
    power = 1 / Fraction(ratio)
    for size in range(2, 12):
        ends, inner = 1 / (1 + power), (1 - power) / (1 + power)
        law = [[power ** abs(y - z) * (ends if z in (0, size - 1) else inner)
                for z in range(size)] for y in range(size)]
        exact = sum(min(sum(law[y][z] * abs(y - r) for y in range(size)) for r in range(size))
                    for z in range(size)) / size
        found = Fraction(_least_by_theorem(Problem(f"path:0..{size - 1}", level, loss="absolute")))
        assert exact * (1 - Fraction(1, 2**40)) < found <= exact
