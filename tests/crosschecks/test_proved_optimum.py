"""The optimum and its proof against exact linear programs, without theorems or symmetry."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.cli.runner import Runner
from tests.crosschecks.exact_programs import exact_optimum
from tightrope import receipt
from tightrope.constructions import Effort, compare, min_loss_given_level
from tightrope.documents import compose, optimality_of, render
from tightrope.exact import Level
from tightrope.mechanisms import NoiseMechanism, written_out
from tightrope.spaces import graph, matrix
from tightrope.utility import LossMatrix, Prior

PLAIN = Effort(symmetry=False)


def random_table(source, size):
    """Whole distances: shortest ways between points that are 1 to 4 apart."""
    table = [[0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i):
            table[i][j] = table[j][i] = source.randint(1, 4)
    for k in range(size):
        for i in range(size):
            for j in range(size):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return table


def random_tree(source, size):
    edges = [(source.randrange(i), i, source.randint(1, 2)) for i in range(1, size)]
    table = [[0 if i == j else 10**6 for j in range(size)] for i in range(size)]
    for i, j, length in edges:
        table[i][j] = table[j][i] = length
    for k in range(size):
        for i in range(size):
            for j in range(size):
                table[i][j] = min(table[i][j], table[i][k] + table[k][j])
    return graph(range(size), [(i, j, str(length)) for i, j, length in edges]), table


def problem(seed):
    source = random.Random(seed)
    size = 3 + seed % 4
    if seed % 2:
        space, table = random_tree(source, size)
    else:
        table = random_table(source, size)
        space = matrix(range(size), [[str(d) for d in row] for row in table])
    raw = [source.choice([0, 1, 2, 5]) for _ in range(size)]
    raw[source.randrange(size)] += 1
    prior = [Fraction(x, sum(raw)) for x in raw]
    losses = [[Fraction(source.randint(8, 80), 8) for _ in range(size)] for _ in range(size)]
    for y in range(size):
        losses[y][y] = Fraction(source.randint(1, 8), 8)
    sign = -1 if seed % 5 == 4 else 1  # a gain is a negative loss
    losses = [[sign * x for x in row] for row in losses]
    ratio = source.choice([Fraction(2), Fraction(3, 2), Fraction(5), Fraction(10, 9)])
    return space, table, prior, losses, ratio


def solved(seed):
    space, table, prior, losses, ratio = problem(seed)
    loss, law = LossMatrix(np.array(losses, dtype=np.float64)), Prior(tuple(prior))
    found = min_loss_given_level(space, Level.ratio(ratio), prior=law, loss=loss, effort=PLAIN)
    return found, (space, table, prior, losses, ratio)


def exact_loss(mechanism, prior, losses):
    rows = [mechanism.row_at(y) for y in range(len(prior))]
    return sum(p * x * loss for p, law, line in zip(prior, rows, losses, strict=True)
               for x, loss in zip(law, line, strict=True))


def proof_in(text):
    """The prices and multipliers in the text of a document, in fractions."""
    content = json.loads(text)
    claim = content["optimality"]
    prior = [Fraction(x) for x in claim["prior"]]
    losses = [[Fraction(float.fromhex(x)) for x in row.split(" ")] for row in claim["loss"]]
    ratio = Fraction(content["claim"]["epsilon"]["base"])
    assert content["claim"]["epsilon"] == {"rational": "0", "coefficient": "1", "base": str(ratio)}
    unit = Fraction(2) ** claim["unit"]
    multipliers = []
    for line in claim["multipliers"]:
        tokens = line.split()
        multipliers.append([(int(a), int(b), int(x, 16) * unit) for a, b, x in
                            zip(tokens[::3], tokens[1::3], tokens[2::3], strict=True)])
    return claim, prior, losses, ratio, multipliers


def reduced_costs(table, prior, losses, ratio, multipliers):
    """prior · loss - what is taken from y + what is brought to y, for every y and z."""
    found = [[p * x for x in line] for p, line in zip(prior, losses, strict=True)]
    for z, triples in enumerate(multipliers):
        for a, b, amount in triples:
            found[a][z] -= amount
            found[b][z] += amount / ratio ** table[a][b]
    return found


@pytest.mark.parametrize("seed", range(16))
def test_value_and_bound_enclose_the_exact_optimum_within_a_millionth(seed):
    found, (_, table, prior, losses, ratio) = solved(seed)
    best = exact_optimum(table, ratio, prior, losses)
    loss = exact_loss(found.certified.mechanism, prior, losses)
    assert Fraction(found.bound) <= best <= loss
    assert loss - best <= abs(best) / 10**6
    assert best - Fraction(found.bound) <= abs(best) / 10**6
    assert float(loss) == pytest.approx(found.value, rel=1e-12)


@pytest.mark.parametrize("seed", range(16))
def test_the_proof_in_the_text_of_the_document_satisfies_the_optimality_conditions(seed):
    found, (_, table, _, _, _) = solved(seed)
    claimed = optimality_of(found)
    claim, prior, losses, ratio, multipliers = proof_in(
        render(compose(found.certified, optimality=claimed))
    )
    costs = reduced_costs(table, prior, losses, ratio, multipliers)
    prices = [min(line) for line in costs]
    bound, value = (Fraction(float.fromhex(claim[name])) for name in ("bound", "value"))
    assert all(amount >= 0 for triples in multipliers for _, _, amount in triples)
    assert all(len(triples) <= 2 * len(prior) for triples in multipliers)
    assert bound <= sum(prices)
    mechanism = found.certified.mechanism
    rows = [mechanism.row_at(y) for y in range(len(prior))]
    slack = [rows[y][z] * (costs[y][z] - prices[y])
             for y in range(len(prior)) for z in range(len(prior))]
    slack += [amount * (rows[a][z] - rows[b][z] / ratio ** table[a][b])
              for z, triples in enumerate(multipliers) for a, b, amount in triples]
    assert min(slack) >= 0
    loss = exact_loss(mechanism, prior, losses)
    assert sum(slack) == loss - sum(prices)  # an identity: the whole gap lies in these terms
    assert sum(slack) <= value - bound <= abs(value) / 10**6


@pytest.mark.parametrize("seed", range(8))
def test_the_bound_in_the_text_never_exceeds_the_loss_of_any_construction(seed):
    found, (space, table, _, _, ratio) = solved(seed)
    text = render(compose(found.certified, optimality=optimality_of(found)))
    _, prior, losses, _, multipliers = proof_in(text)
    bound = sum(map(min, reduced_costs(table, prior, losses, ratio, multipliers)))
    others = 0
    for row in compare(space, Level.ratio(ratio), prior=found.problem.prior,
                       loss=found.problem.loss).rows:
        if row.solution is None or isinstance(row.solution.certified.mechanism, NoiseMechanism):
            continue
        mechanism = written_out(row.solution.certified.mechanism)
        assert tuple(mechanism.outputs) == tuple(space.points)
        assert bound <= exact_loss(mechanism, prior, losses)
        others += 1
    assert others >= 2


@pytest.fixture
def tightrope(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Runner(capsys)


@pytest.mark.parametrize(("construction", "room"), [
    ((), 1e-9),
    (("--construction", "optimal"), 1e-8),  # an interior point stops short of the level
])
def test_fifty_points_have_the_level_asked_and_both_judges_say_so(
    tightrope, capsys, construction, room
):
    made = tightrope("design", "path:0..49", "--epsilon", "0.5", "--loss", "absolute",
                     *construction, "-o", "m.json", "--json")
    assert made.code == 0
    found = tightrope("verify", "m.json", "--json")
    assert found.code == 0
    assert 0.5 - room <= found.json["epsilon"] <= 0.5
    assert found.json["optimality"]["holds"] is True
    assert found.json["optimality"]["gap"] <= 1e-6
    # the published optimum of the general linear program
    assert found.json["optimality"]["bound"] <= 1.8080081202645478 * (1 + 1e-12)
    assert found.json["optimality"]["value"] >= 1.8080081202645478 * (1 - 1e-12)
    assert receipt.main(["m.json"]) == 0
    assert "proved" in capsys.readouterr().out


@pytest.mark.parametrize("entry", ["nan", "inf", "-inf"])
def test_losses_that_are_not_finite_are_bad_input(tightrope, tmp_path, entry):
    (tmp_path / "loss.csv").write_text(f"0,1\n{entry},0\n")
    answer = tightrope("design", "categories:2", "--ratio", "2", "--loss", "loss.csv")
    assert answer.code == 2


def test_gains_are_negative_losses_and_priors_may_have_zeros(tightrope, tmp_path):
    (tmp_path / "gain.csv").write_text("-3,0,0\n0,-1,0\n0,0,-2\n")
    (tmp_path / "prior.csv").write_text("0.5\n0\n0.5\n")
    answer = tightrope("design", "path:0..2", "--ratio", "2", "--loss", "gain.csv", "--prior",
                       "prior.csv", "-o", "m.json", "--json")
    assert answer.code == 0
    half, none = Fraction(1, 2), Fraction(0)
    losses = [[-3, 0, 0], [0, -1, 0], [0, 0, -2]]
    best = exact_optimum([[0, 1, 2], [1, 0, 1], [2, 1, 0]], Fraction(2), [half, none, half],
                         [[Fraction(x) for x in row] for row in losses])
    claim = tightrope("verify", "m.json", "--json").json["optimality"]
    assert claim["holds"] is True
    assert Fraction(claim["bound"]) <= best <= Fraction(claim["value"])
    assert claim["value"] == pytest.approx(float(best), rel=1e-6)
    assert receipt.main(["m.json"]) == 0


@pytest.mark.parametrize("seed", range(4))
def test_both_sides_hold_for_priors_of_thirty_orders_of_magnitude(seed):
    """Where doubles of a general solver end; both sides are exact numbers here."""
    source = random.Random(seed)
    size = 3 + seed % 2
    space, table = random_tree(source, size)
    raw = [source.randint(1, 9) * 10 ** source.randint(0, 30) for _ in range(size)]
    prior = [Fraction(x, sum(raw)) for x in raw]
    losses = [[Fraction(source.randint(0, 8)) for _ in range(size)] for _ in range(size)]
    found = min_loss_given_level(
        space, Level.ratio(30), prior=Prior.of(prior), loss=LossMatrix(np.array(losses, float))
    )
    best = exact_optimum(table, Fraction(30), prior, losses)
    assert found.dual.bound <= best <= Fraction(found.value) * (1 + Fraction(1, 2**40))
