"""Undeclared keys: exact laws against a brute force over all small tables, written apart."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import exp, floor, log

import pytest

from tests.receipts import THEOREMS
from tightrope.constructions import key_noise, key_selection
from tightrope.documents import accept, compose, digest_of, read, render
from tightrope.errors import BadInput, BadLevel, CannotCheck, NotPrivate, TooLarge
from tightrope.exact import Level
from tightrope.mechanisms import KeyNoise, KeySelection
from tightrope.privacy import Refutation, certified, smallest_level, verify
from tightrope.samplers import SeededSource, draw
from tightrope.spaces import KeyCounts

KEYS = ("a", "b", "c")
LEVELS = [(Fraction(2), Fraction(1, 10)), (Fraction(3, 2), Fraction(1, 50)),
          (Fraction(5), Fraction(1, 3)), (Fraction(11, 10), Fraction(1, 7))]


def chances(ratio, delta, most):
    """The recursion as published, one step at a time."""
    chance, listed = Fraction(0), [Fraction(0)]
    for _ in range(most):
        chance = min(Fraction(1), ratio * chance + delta, 1 - (1 - chance - delta) / ratio)
        listed.append(chance)
    return listed


def truncated(ratio, reach):
    """P(Z = z), by adding up weights."""
    weights = {z: ratio ** -abs(z) for z in range(-reach, reach + 1)}
    return {z: weight / sum(weights.values()) for z, weight in weights.items()}


def key_law(mechanism, units):
    """The law of one key: None if it is not released, else its number (0 without a count)."""
    if isinstance(mechanism, KeySelection):
        chance = chances(mechanism.ratio, mechanism.delta, units)[units]
        return {None: 1 - chance, 0: chance}
    law = {None: Fraction(0)}
    for z, chance in truncated(mechanism.ratio, mechanism.reach).items():
        released = units and units + z > mechanism.reach
        place = units + z if released else None
        law[place] = law.get(place, 0) + chance
    return law


def hockey_stick(first, second, ratio):
    """Σ max(0, p - ratio q) over all outputs of independent keys."""
    total = Fraction(0)
    for outputs in product(*({*a, *b} for a, b in zip(first, second, strict=True))):
        p = q = Fraction(1)
        for output, a, b in zip(outputs, first, second, strict=True):
            p, q = p * a.get(output, 0), q * b.get(output, 0)
        total += max(Fraction(0), p - ratio * q)
    return total


def tables(people, most):
    """All tables of up to so many people with up to `most` of three keys each, as counts."""
    kinds = [set(some) for size in range(most + 1) for some in combinations(KEYS, size)]
    rows = {()}
    for _ in range(people):
        rows |= {tuple(sorted((*row, kind))) for row in rows for kind in range(len(kinds))}
    return {row: tuple(sum(key in kinds[kind] for kind in row) for key in KEYS) for row in rows}


def neighbors(rows, replace):
    """Pairs of tables in which one person is added, or becomes another."""
    for row in rows:
        for place in range(len(row)):
            rest = row[:place] + row[place + 1 :]
            if not replace:
                yield row, rest
                continue
            for other in rows:
                if len(other) == len(row) and rest in [other[:k] + other[k + 1 :]
                                                       for k in range(len(other))]:
                    yield row, other


def worst(mechanism, most, replace, people, ratio):
    """The largest hockey-stick sum of all neighbors, both ways round."""
    counts = tables(people, most)
    laws = {n: key_law(mechanism, n) for n in range(people + 1)}
    pairs = {(counts[a], counts[b]) for a, b in neighbors(counts, replace)}
    pairs = {(a, b) for first, second in pairs for a, b in ((first, second), (second, first))}
    # keys of equal counts have one law: they change nothing and are left out
    differing = {tuple((x, y) for x, y in zip(a, b, strict=True) if x != y) for a, b in pairs}
    return max(hockey_stick([laws[x] for x, _ in pair], [laws[y] for _, y in pair], ratio)
               for pair in differing if pair)


def forms(touched):
    for ratio, delta in LEVELS:
        space = KeyCounts(touched)
        yield KeySelection(space, ratio, delta)
        for reach in (1, 2, 3):
            yield KeyNoise(space, ratio, reach)


@pytest.mark.parametrize(("most", "replace", "people"), [
    (1, False, 5), (2, False, 5), (1, True, 4), (2, True, 3)])
def test_no_neighbors_of_small_tables_are_further_apart_than_is_proved(most, replace, people):
    touched = most * (2 if replace else 1)
    for mechanism in forms(touched):
        single = mechanism.key_delta
        reached = worst(mechanism, most, replace, people, mechanism.ratio**touched)
        assert single <= reached <= touched * single
        if touched == 1:
            assert reached == single
        if touched * single < 1:
            level = Level.ratio(mechanism.ratio**touched, delta=touched * single)
            certificate = certified(mechanism, level).certificate
            assert certificate.delta == (single, touched * single)


def test_a_hair_less_than_the_delta_of_one_key_is_refuted_with_a_witness():
    for mechanism in forms(1):
        level = Level.ratio(1000, delta=mechanism.key_delta * Fraction(999, 1000))
        refuted = verify(mechanism, mechanism.space, level)
        assert isinstance(refuted, Refutation)
        assert refuted.witness.probabilities == (mechanism.key_delta, 0)
        assert not verify(mechanism, mechanism.space, Level.ratio(1000)).holds
        assert isinstance(smallest_level(mechanism), Refutation)
        with pytest.raises(CannotCheck):
            verify(mechanism, mechanism.space,
                   Level.ratio(mechanism.ratio - Fraction(1, 10**9), delta=mechanism.key_delta))


def test_between_the_delta_of_one_key_and_of_all_nothing_is_claimed():
    mechanism = KeySelection(KeyCounts(3), Fraction(2), Fraction(1, 10))
    with pytest.raises(CannotCheck, match="3/10"):
        certified(mechanism, Level.ratio(8, delta="0.29"))
    with pytest.raises(NotPrivate):
        certified(mechanism, Level.ratio(8, delta="0.09"))
    assert certified(mechanism, Level.ratio(8, delta="0.3")).certificate.holds


@pytest.mark.parametrize(("ratio", "delta"), [*LEVELS, (Fraction(2), Fraction(1, 10**6))])
def test_chances_are_those_of_the_recursion_and_none_can_be_larger(ratio, delta):
    mechanism = KeySelection(KeyCounts(1), ratio, delta)
    listed = chances(ratio, delta, 80)
    assert [mechanism.chance(n) for n in range(81)] == listed
    for before, after in pairwise(listed):
        if after < 1:  # one more would break the level: both bounds are needed, one is met
            up, down = ratio * before + delta - after, ratio * (1 - after) + delta - (1 - before)
            assert min(up, down) == 0 <= max(up, down)


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-5), (0.1, 1e-3), (2.5, 0.01), (0.5, 0.2)])
def test_chances_are_the_published_closed_form(epsilon, delta):
    """Theorem 1 of Desfontaines and others: geometric up to n1, then its mirror up to n2, then 1.
    """
    q = exp(epsilon)
    n1 = 1 + floor(log((q + 2 * delta - 1) / ((q + 1) * delta)) / epsilon)
    first = delta * (exp(n1 * epsilon) - 1) / (q - 1)
    n2 = n1 + floor(log(1 + (q - 1) / delta * (1 - first)) / epsilon)
    rule = key_selection(KeyCounts(1), Level.epsilon(epsilon, delta=delta)).mechanism
    for n in range(1, n2 + 3):
        m = n - n1
        published = (delta * (exp(n * epsilon) - 1) / (q - 1) if m <= 0 else
                     (1 - exp(-m * epsilon)) * (1 + delta / (q - 1)) + exp(-m * epsilon) * first
                     if n <= n2 else 1.0)
        assert float(rule.chance(n)) == pytest.approx(published, rel=1e-9, abs=1e-12)
    assert rule.chance(n2 + 2) == 1


def test_noise_with_a_threshold_has_the_optimal_chances_of_its_own_delta():
    for ratio, reach in product((Fraction(2), Fraction(3, 2), Fraction(9)), range(1, 8)):
        noisy = KeyNoise(KeyCounts(1), ratio, reach)
        optimal = KeySelection(KeyCounts(1), ratio, noisy.key_delta)
        assert [noisy.chance(n) for n in range(30)] == [optimal.chance(n) for n in range(30)]


@pytest.mark.parametrize(("epsilon", "delta"), [("1", "1e-6"), ("0.2", "1e-9"), ("ln(3)", "1/9")])
def test_the_least_noise_that_fits_is_taken(epsilon, delta):
    level = Level.epsilon(epsilon, delta=delta)
    noisy = key_noise(KeyCounts(1), level).mechanism
    assert noisy.key_delta <= level.delta
    if noisy.reach > 1:
        assert KeyNoise(noisy.space, noisy.ratio, noisy.reach - 1).key_delta > level.delta
    for n in range(60):
        assert noisy.chance(n) <= key_selection(KeyCounts(1), level).mechanism.chance(n)


def test_errors_and_tails_are_those_of_the_law():
    for ratio, reach in product((Fraction(2), Fraction(6, 5)), (1, 2, 9)):
        noisy, law = KeyNoise(KeyCounts(1), ratio, reach), truncated(ratio, reach)
        assert noisy.mean_error == sum(abs(z) * chance for z, chance in law.items())
        for least in range(-reach - 2, reach + 3):
            assert noisy.tail(least) == sum(law[z] for z in law if z >= least)
            assert noisy.noise(least) == law.get(least, 0)
        for confidence in (Fraction(1, 2), Fraction(9, 10), Fraction(999, 1000)):
            width = noisy.width(confidence)
            assert sum(law[z] for z in law if abs(z) <= width) >= confidence
            assert sum(law[z] for z in law if abs(z) < width) < confidence


@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(6, 5), Fraction(21, 20)])
def test_intervals_hold_so_surely_among_the_released_whatever_the_count(ratio):
    for reach, confidence in product((1, 4, 20), (Fraction(1, 2), Fraction(95, 100))):
        noisy = KeyNoise(KeyCounts(1), ratio, reach)
        for units in range(1, 3 * reach + 2):
            held = missed = Fraction(0)
            for z, chance in truncated(ratio, reach).items():
                if units + z > reach:
                    low, high = noisy.interval(units + z, confidence)
                    assert 1 <= low <= units + z <= high
                    held += chance * (low <= units <= high)
                    missed += chance * (not low <= units <= high)
            assert held >= confidence * (held + missed)


@pytest.mark.parametrize("reach", [1, 4, 7])
def test_intervals_are_the_shortest_of_their_kind(reach):
    """Every n is kept for which neither end of the law given release is rarer than the rest."""
    ratio, confidence = Fraction(6, 5), Fraction(9, 10)
    noisy, law = KeyNoise(KeyCounts(1), ratio, reach), truncated(ratio, reach)
    for number in range(reach + 1, 5 * reach + 4):
        kept = [number]
        for n in range(1, number + reach + 1):
            released = {n + z: chance for z, chance in law.items() if n + z > reach}
            most = (1 - confidence) / 2 * sum(released.values())
            above = sum(chance for x, chance in released.items() if x >= number)
            below = sum(chance for x, chance in released.items() if x <= number)
            kept += [n] * (above > most and below > most)
        assert noisy.interval(number, confidence) == (min(kept), max(kept))


def test_far_above_the_threshold_the_interval_is_that_of_the_noise():
    noisy = KeyNoise(KeyCounts(1), Fraction(2), 9)
    low, high = noisy.interval(100, Fraction(95, 100))
    assert (100 - low, high - 100) == (noisy.width(Fraction(95, 100)),) * 2


@pytest.mark.parametrize("mechanism", [KeySelection(KeyCounts(1), 2, Fraction(1, 10)),
                                       KeyNoise(KeyCounts(1), 2, 2)], ids=["selection", "noise"])
def test_draws_have_the_law_and_another_law_is_rejected(mechanism):
    """60,000 keys of 1 to 3 units; of a law with δ a fifth larger, 20,000 draws would show."""
    proved = certified(mechanism, Level.ratio(2, delta=mechanism.key_delta))
    counts = {f"{n}-{k}": n for n in (1, 2, 3) for k in range(20_000)}
    drawn = draw(proved, counts, SeededSource(7))
    released = [entry if isinstance(entry, str) else entry[0] for entry in drawn]
    assert released == sorted(released)
    for n in (1, 2, 3):
        chance = float(mechanism.chance(n))
        count = sum(key.startswith(f"{n}-") for key in released)
        spread = (20_000 * chance * (1 - chance)) ** 0.5
        assert abs(count - 20_000 * chance) < 5 * spread
        if n == 1:
            assert abs(count - 20_000 * 1.2 * chance) > 5 * spread
    if isinstance(mechanism, KeyNoise):
        law = truncated(mechanism.ratio, mechanism.reach)
        numbers = [number for key, number in drawn if key.startswith("3-")]
        for number in (3, 4, 5):
            chance = float(law[number - 3])
            spread = (20_000 * chance * (1 - chance)) ** 0.5
            assert abs(numbers.count(number) - 20_000 * chance) < 5 * spread
        assert min(numbers) == 3


def test_the_probability_of_an_answer_is_a_product_over_all_keys():
    rule = KeySelection(KeyCounts(1), 2, Fraction(1, 10)).law({"a": 1, "b": 3, "c": 0})
    assert rule.probability(("b",)) == Fraction(9, 10) * Fraction(7, 10)
    assert rule.probability(("c",)) == 0
    noisy = KeyNoise(KeyCounts(1), 2, 2).law({"a": 1, "b": 3})
    assert noisy.probability((("b", 3),)) == Fraction(9, 10) * Fraction(4, 10)
    assert noisy.probability((("b", 2),)) == 0
    answers = [(), *((("b", n),) for n in (3, 4, 5)), *((("a", 3), ("b", n)) for n in (3, 4, 5)),
               (("a", 3),)]
    assert sum(noisy.probability(answer) for answer in answers) == 1


@pytest.mark.parametrize("made", [key_selection, key_noise])
def test_documents_are_proved_by_both_judges_and_a_changed_one_by_neither(made):
    level = Level.epsilon("0.5", delta="1e-6")
    document = compose(made(KeyCounts(3), level))
    receipt = THEOREMS.examine(document)
    assert (receipt["holds"], receipt["intact"], receipt["unchecked"]) == (True, True, [])
    assert receipt["neighbors"] == KeyCounts(3).relation
    again = accept(read(render(document)))
    assert compose(again) == document
    claimed = {**document, "claim": {**document["claim"], "delta": "1/10000000"}}
    claimed["digest"] = digest_of(claimed)
    assert THEOREMS.examine(claimed)["holds"] is False
    between = {**document, "claim": {**document["claim"], "delta": "1/2000000"}}
    between["digest"] = digest_of(between)
    assert THEOREMS.examine(between)["holds"] is None


def test_levels_without_delta_and_levels_too_small_are_refused():
    with pytest.raises(BadLevel, match="δ above 0"):
        key_selection(KeyCounts(1), Level.epsilon(1))
    for made in (key_selection, key_noise):
        with pytest.raises(TooLarge):
            made(KeyCounts(1), Level.epsilon("0.0001", delta="1e-9"))
    for ratio, other in ((1, Fraction(1, 2)), (2, 0), (2, 1)):
        with pytest.raises(BadInput):
            KeySelection(KeyCounts(1), ratio, other)
    for ratio, other in ((1, 2), (2, 0)):
        with pytest.raises(BadInput):
            KeyNoise(KeyCounts(1), ratio, other)
    with pytest.raises(BadInput):
        KeyCounts(0)
    with pytest.raises(BadInput):
        KeyCounts(1).accept({"a": -1})
