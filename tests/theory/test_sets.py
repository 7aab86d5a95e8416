"""H16, Section 3.1 and Lemmas 3.1, 3.2 on random finite sets, against plain closures."""

import random
from fractions import Fraction
from itertools import product

import pytest

from tightrope.errors import BadInput
from tightrope.theory import disjoint_rectangles, set_family


def closure(sets, elements):
    """The least family with these sets, all complements and all unions: by adding until it ends."""
    whole = frozenset(elements)
    family = {frozenset(), whole, *map(frozenset, sets)}
    while True:
        larger = family | {whole - a for a in family} | {a | b for a in family for b in family}
        if larger == family:
            return family
        family = larger


def random_sets(source, elements):
    return [[x for x in elements if source.random() < 0.5] for _ in range(source.randrange(1, 4))]


def test_theorem_3_1_on_200_families_both_ways():
    source, algebras, others = random.Random(3), 0, 0
    for k in range(200):
        elements = list("abcd"[: source.randrange(2, 5)])
        sets = random_sets(source, elements)
        whole = closure(sets, elements)
        if k % 2:
            sets = [sorted(part) for part in whole]
        told = set_family(sets, elements=elements)
        unions = {frozenset().union(*(a for n, a in enumerate(told.atoms) if number >> n & 1))
                  for number in range(2 ** len(told.atoms))}
        assert unions == whole
        assert told.is_algebra == (set(map(frozenset, sets)) == whole)
        inside = set_family(sets, elements=elements, within=[sorted(part) for part in whole])
        assert inside.missing is None
        fewer = [sorted(part) for part in whole - {source.choice(sorted(whole, key=sorted))}]
        outside = set_family(sets, elements=elements, within=fewer)
        assert outside.missing in whole - set(map(frozenset, fewer))
        assert (inside.facts().json["within"], outside.facts().json["within"]) == (True, False)
        algebras, others = algebras + told.is_algebra, others + (not told.is_algebra)
    assert min(algebras, others) >= 40


def test_theorem_3_2_on_200_families_of_pairs_both_ways():
    """The algebra of the product, by closing rectangles under unions and complements."""
    source, sides = random.Random(6), {True: 0, False: 0}
    for _ in range(200):
        first, second = ("ab", "xy") if source.random() < 0.5 else ("a", "xyz")
        given = [(source.sample(first, source.randrange(1, len(first) + 1)),
                  source.sample(second, source.randrange(1, len(second) + 1))) for _ in range(2)]
        ones, others = (sorted({x for pair in given for x in pair[side]}) for side in (0, 1))
        pairs = list(product(ones, others))
        sets = [[*product(a, b)] for x, y in given
                for a, b in ((x, others), (ones, y))]  # both sides generate the product
        whole = closure(sets, pairs)
        dropped = source.random() < 0.5
        family = [sorted(part) for part in whole]
        if dropped:
            family.remove(source.choice(family))
        told = disjoint_rectangles(given, within=family)
        assert 2**told.atoms == len(whole)
        assert (told.missing is None) is not dropped
        if dropped:
            assert told.missing in whole - set(map(frozenset, family))
        assert told.facts().json["within"] is not dropped
        sides[dropped] += 1
    assert min(sides.values()) >= 80


def test_proposition_3_1_measures_of_a_chain_end_at_its_union_or_intersection():
    source = random.Random(4)
    for _ in range(50):
        order = random.Random(source.random()).sample("abcdef", 6)
        cuts = sorted(source.sample(range(7), 3))
        measure = {x: Fraction(source.randrange(9), 7) for x in order}
        chain = [order[:cut] for cut in cuts]
        told = set_family(chain, elements=order, measure=measure)
        assert told.direction == "increasing"
        assert told.limit == told.measures[-1] == sum(measure[x] for x in order[: cuts[-1]])
        back = set_family(chain[::-1], elements=order, measure=measure)
        assert back.direction == "decreasing"
        assert back.limit == back.measures[-1] == sum(measure[x] for x in order[: cuts[0]])
    none = set_family(["a", "b"], measure={"a": 1, "b": 1})
    assert (none.direction, none.limit) == (None, None)


def test_lemmas_3_1_and_3_2_on_random_rectangles():
    source = random.Random(5)
    for _ in range(100):
        given = [(source.sample("abcd", source.randrange(1, 5)),
                  source.sample("wxyz", source.randrange(1, 5)))
                 for _ in range(source.randrange(1, 5))]
        told = disjoint_rectangles(given)
        union = {pair for a, b in given for pair in product(a, b)}
        for cut, side in ((told.second_disjoint, 1), (told.first_disjoint, 0)):
            listed = [pair for a, b in cut for pair in product(a, b)]
            assert set(listed) == union
            assert len(listed) == len(union) == told.pairs
            sides = [x for rectangle in cut for x in rectangle[side]]
            assert len(sides) == len(set(sides))


def test_theorem_3_2_atoms_of_the_product_are_products_of_atoms():
    told = disjoint_rectangles([("ab", "xy"), ("bc", "yz")])
    sets = [[f"{a}{b}" for a in first for b in second] for first, second in (
        ("ab", "xyz"), ("bc", "xyz"), ("abc", "xy"), ("abc", "yz"))]
    every = [f"{a}{b}" for a in "abc" for b in "xyz"]
    assert told.atoms == len(set_family(sets, elements=every).atoms) == 9


@pytest.mark.parametrize("call", [
    lambda: set_family([]), lambda: set_family(["ab"], elements="a"),
    lambda: set_family(["a"], measure={"b": 1}), lambda: set_family(["a"], measure={"a": -1}),
    lambda: disjoint_rectangles([]), lambda: disjoint_rectangles([("a", "")]),
])
def test_bad_sets_are_refused(call):
    with pytest.raises(BadInput):
        call()


def test_the_size_of_a_large_algebra_is_a_power():
    many = set_family([[k] for k in range(20_000)])  # its 6,021 digits are more than Python prints
    assert many.facts().json["generated"] == "2^20000"
    assert "2^20000 sets: all unions of 20,000 atoms" in repr(many)
    assert set_family([[k] for k in range(60)]).facts().json["generated"] == 2**60
