"""Theorems 1 to 6 of WXH, against sets written down as in the paper, on random finite spaces."""

import random
from fractions import Fraction
from math import ceil, log

import numpy as np
import pytest

from tightrope.constructions import (
    calibrate,
    design,
    from_score,
    k_norm,
    ladder,
    polygon_norm,
    preferring,
    privacy_first,
    sum_norm,
    utility_first,
    utility_then_privacy,
)
from tightrope.constructions.sequences.ladder import largest_norm
from tightrope.constructions.sequences.set_sequences import Cases
from tightrope.errors import BadInput, NotPrivate
from tightrope.exact import Level
from tightrope.privacy import smallest_level
from tightrope.spaces import cycle, grid, matrix, parse, path, query

SEEDS = range(25)


def random_metric(rng, size):
    """Shortest paths over random rational lengths: distances below and between whole numbers."""
    d = [[Fraction(0)] * size for _ in range(size)]
    for a in range(size):
        for b in range(a):
            d[a][b] = d[b][a] = Fraction(rng.randint(1, 12), rng.choice((2, 3, 4)))
    for k in range(size):
        for a in range(size):
            for b in range(size):
                d[a][b] = min(d[a][b], d[a][k] + d[k][b])
    return d


class Case:
    """A random query, with both metrics as plain tables."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.n, self.m = rng.randint(3, 8), rng.randint(2, 5)
        self.far, self.off = random_metric(rng, self.n), random_metric(rng, self.m)
        datasets = [f"x{k}" for k in range(self.n)]
        outputs = [f"r{k}" for k in range(self.m)]
        # every output is a value, as in the paper
        order = [*range(self.m), *(rng.randrange(self.m) for _ in range(self.n))][: self.n]
        if self.n < self.m:
            self.m = self.n
            outputs, self.off = outputs[: self.m], [row[: self.m] for row in self.off[: self.m]]
        rng.shuffle(order)
        self.f = [min(v, self.m - 1) for v in order]
        for v in range(self.m):
            if v not in self.f:
                self.f[v] = v
        measure = [Fraction(rng.randint(1, 5), rng.randint(1, 3)) for _ in range(self.m)]
        self.query = query(
            matrix(datasets, self.far),
            matrix(outputs, self.off),
            lambda x: outputs[self.f[int(x[1:])]],
            measure,
        )
        self.radii = [Fraction(rng.randint(0, 6), 2) for _ in range(self.n)]
        self.value_radii = [Fraction(rng.randint(0, 6), 2) for _ in range(self.m)]
        self.kept = [v for v in range(self.m) if rng.random() < 0.5]
        self.penalty = Fraction(rng.randint(0, 5), 2)
        self.root = Fraction(rng.randint(11, 40), 10)

    @property
    def neighbors(self):
        return [(x, y) for x in range(self.n) for y in range(self.n) if 0 < self.far[x][y] <= 1]

    @property
    def sensitivity(self):
        return max((self.off[self.f[x]][self.f[y]] for x, y in self.neighbors), default=0)

    def shell(self, x, i):
        """Neighbors of distance i of x."""
        return [y for y in range(self.n) if i - 1 < self.far[x][y] <= i]

    def sequence(self, first, shells, x):
        """First set, then unions over shells minus what came before: the paper's recursion."""
        seen, found = set(), {}
        for i in range(60):
            union = set().union(*(first(y) for y in shells(x, i))) if shells(x, i) else set()
            for r in union - seen:
                found[r] = i
            seen |= union
        return [found.get(r, -1) for r in range(self.m)]


def expected(case, theorem):
    """Indices of a theorem, as multiples of 1, written down as in the paper."""
    off, f, far = case.off, case.f, case.far
    unit = case.sensitivity
    rungs = {x: [ceil(off[f[x]][r] / unit) for r in range(case.m)] for x in range(case.n)}
    by_value = lambda x, i: [y for y in range(case.n) if rungs[x][f[y]] == i]  # noqa: E731
    if theorem == 1:
        return [rungs[x] for x in range(case.n)]
    if theorem == 2:
        return [case.sequence(lambda y: {f[y]}, case.shell, x) for x in range(case.n)]
    if theorem == 3:
        def ball(y):
            return {r for r in range(case.m) if off[f[y]][r] <= case.radii[y]}
        return [case.sequence(ball, case.shell, x) for x in range(case.n)]

    def turned(x):
        return {f[y] for z in range(case.n) if f[z] == f[x] for y in range(case.n)
                if far[z][y] <= case.value_radii[f[x]]}
    return [case.sequence(turned, by_value, x) for x in range(case.n)]


def made(case, theorem):
    names = [f"r{v}" for v in case.kept]
    match theorem:
        case 1:
            return utility_first(case.query)
        case 2:
            return privacy_first(case.query)
        case 3:
            return privacy_first(case.query, case.radii)
        case 4:
            return utility_then_privacy(case.query, case.value_radii)
        case 5:
            return preferring(
                utility_then_privacy(case.query, case.value_radii), names, case.penalty
            )
        case 6:
            return preferring(privacy_first(case.query, case.radii), names, case.penalty)


def brute_ratio(case, sequences):
    """The largest ratio of probabilities between neighbors, output by output."""
    rows = []
    for line in sequences.indices.tolist():
        weights = [m * case.root**-k for m, k in zip(case.query.measure, line, strict=True)]
        rows.append([w / sum(weights) for w in weights])
    return max(
        (p / q for x, y in case.neighbors for p, q in zip(rows[x], rows[y], strict=True)),
        default=Fraction(1),
    )


CASES = [case for case in map(Case, SEEDS) if case.sensitivity > 0]


def test_the_random_spaces_have_distances_that_are_not_whole_and_enough_neighbors():
    assert len(CASES) >= 15
    assert any(d.denominator > 1 for case in CASES for row in case.far for d in row)


@pytest.mark.parametrize("theorem", [1, 2, 3, 4])
def test_sets_are_those_of_the_paper(theorem):
    for case in CASES:
        assert made(case, theorem).indices.tolist() == expected(case, theorem)


@pytest.mark.parametrize("theorem", range(1, 7))
def test_levels_are_exact_and_below_twice_the_nominal_one(theorem):
    for case in CASES:
        sequences = made(case, theorem)
        found = sequences.exact_level(case.root)
        ratio = brute_ratio(case, sequences)
        assert (Fraction(1) if found.exact is None else found.exact.base) == ratio
        assert ratio < case.root ** (2 * sequences.fineness)


def test_other_outputs_cost_the_penalty():
    for case in CASES:
        plain, tuned = made(case, 3), made(case, 6)
        for r in range(case.m):
            shift = 0 if r in case.kept else case.penalty
            for x in range(case.n):
                gained = Fraction(int(tuned.indices[x, r]), tuned.fineness)
                assert gained == int(plain.indices[x, r]) + shift


def test_verify_finds_the_same_level_on_the_graph_of_neighbors():
    f = query(parse("hamming:values=2,people=3"), path(0, 3), lambda x: sum(x))
    for sequences in (utility_first(f), privacy_first(f), ladder(f)):
        found = smallest_level(sequences.mechanism(Fraction(3, 2)), sequences.space)
        assert found.exact == sequences.exact_level(Fraction(3, 2)).exact


def test_an_index_that_jumps_between_neighbors_is_refused():
    f = query(path(0, 1), path(0, 3), lambda x: 3 * x)
    with pytest.raises(BadInput, match="more than 1 between neighbors"):
        from_score(f, lambda x, r: Fraction(-abs(3 * x - r)), sensitivity=Fraction(1))


@pytest.mark.parametrize("make", [utility_first, utility_then_privacy, ladder])
def test_a_query_that_nobody_changes_is_refused(make):
    f = query(path(0, 2), path(0, 3), lambda x: 1)
    with pytest.raises(BadInput, match="sensitivity 0"):
        make(f)


def brute_ladder(case, x):
    local = {y: max((case.off[case.f[a]][case.f[b]] for a, b in case.neighbors if a == y),
                    default=Fraction(0)) for y in range(case.n)}
    found = []
    for r in range(case.m):
        reach, t = Fraction(0), 0
        while case.off[case.f[x]][r] > reach:
            reach += max(v for y, v in local.items() if case.far[x][y] <= t)
            t += 1
        found.append(t)
    return found


def test_ladders_widen_by_local_sensitivity_and_stay_below_twice_the_nominal_level():
    for case in CASES:
        sequences = ladder(case.query)
        rows = [brute_ladder(case, x) for x in range(case.n)]
        assert sequences.indices.tolist() == rows
        assert brute_ratio(case, sequences) < case.root**2


def test_scores_and_norms_are_instances():
    f = query(path(0, 2), grid((3, 3), metric="manhattan"), lambda x: (x, x))
    square = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    for norm in (sum_norm, largest_norm, polygon_norm(square)):
        sequences = k_norm(f, norm)
        level = sequences.exact_level(Fraction(2)).exact
        assert level is None or level.base < 4**sequences.fineness
    assert (k_norm(f, largest_norm).indices == k_norm(f, polygon_norm(square)).indices).all()
    # one person moves both coordinates: 2 in the sum norm, 1 in the largest
    assert k_norm(f, sum_norm).fineness == 2


def test_the_unit_ball_of_a_polygon_norm_is_the_polygon():
    hexagon = [(2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1)]
    norm = polygon_norm(hexagon)
    assert {norm(corner) for corner in hexagon} == {1}
    assert norm((Fraction(3, 2), Fraction(1, 2))) == 1
    assert norm((0, 2)) == 2


@pytest.mark.parametrize("corners", [
    [(1, 0), (0, 1), (-1, 0)], [(1, 0), (0, 1), (-1, 0), (0, -2)],
    [(1, 0), (-1, 0), (0, 1), (0, -1)],
])
def test_polygons_that_are_no_unit_ball_are_refused(corners):
    with pytest.raises(BadInput):
        polygon_norm(corners)


@pytest.mark.parametrize("seed", range(6))
def test_calibration_is_the_largest_nominal_level(seed):
    case = CASES[seed]
    target = Level.ratio(Fraction(5, 2))
    for sequences in (made(case, 2), made(case, 3), ladder(case.query)):
        found = calibrate(sequences, target)
        assert found.achieved.exact.base <= Fraction(5, 2)
        assert (found.root == found.bound) == found.exact
        # a dense scan above never meets the target
        for k in range(int(found.exact), 400):
            root = found.bound * (1 + Fraction(k * k, 2000))
            assert sequences.exact_level(root).exact.base > Fraction(5, 2)
        # half the target is always met, so no less is found
        assert found.root**2 * (1 + Fraction(1, 10**6)) >= Fraction(5, 2)


@pytest.mark.parametrize("theorem", range(1, 7))
def test_a_rational_root_is_found_itself_and_its_level_is_the_target(theorem):
    """The target is the level of a root that is given, worked out output by output."""
    exact = 0
    for case in CASES:
        sequences = made(case, theorem)
        ratio = brute_ratio(case, sequences)
        if ratio == 1 or not (sequences.cases.growth > 0).any():
            continue
        found = calibrate(sequences, Level.ratio(ratio))
        assert found.root >= case.root * (1 - Fraction(1, 2**48))
        if found.root == case.root:
            assert found.exact
            assert found.achieved.exact.compare_level(Level.ratio(ratio)) == 0
            exact += 1
        else:  # a larger root has the same level: levels may go up and down
            assert found.root > case.root
    assert exact >= 10


@pytest.mark.parametrize("name", ["utility-first", "inverse-sensitivity", "privacy-first", "ladder",
                                  "exponential-on-values", "utility-then-privacy:radius=0"])
def test_designs_on_any_distances_have_the_level_asked(name):
    """Over all pairs and outputs ln(p/q)/d is largest at the level, up to 2^-46 of it."""
    for case in CASES[:8]:
        sizes = case.query.datasets
        solution = design(sizes, ratio=3, query=case.query, construction=name)
        rows = [solution.mechanism.row_at(x) for x in range(case.n)]
        level = max(log(p / q) / case.far[x][y] for x in range(case.n) for y in range(case.n)
                    if x != y for p, q in zip(rows[x], rows[y], strict=True))
        assert level <= log(3) * (1 + 2.0**-50)
        assert level >= log(3) * (1 - 2.0**-46)


def test_a_linear_query_has_exactly_the_level_asked():
    # Corollary 1: all normalizers are equal, so that the root is e^ε itself, here with 3^24
    f = query(cycle(49), cycle(49), lambda x: x)
    solution = design(f.datasets, ratio=3, query=f, construction="inverse-sensitivity")
    assert solution.certified.certificate.smallest.exact.compare_level(Level.ratio(3)) == 0
    total = 1 + 2 * sum(Fraction(1, 3**k) for k in range(1, 25))
    assert list(solution.mechanism.row_at(0))[:2] == [1 / total, 1 / (3 * total)]


def _largest_ratio(sequences, root):
    """The largest ratio of two probabilities of neighbors, over outputs that occur."""
    rows = [sequences.mechanism(root).row_at(x) for x in range(sequences.query.datasets.size)]
    pairs = [pair for x, y in sequences.query.neighbors for pair in ((x, y), (y, x))]
    return max(p / q for x, y in pairs for p, q in zip(rows[x], rows[y], strict=True) if q)


@pytest.mark.parametrize("seed", range(30))
def test_outputs_of_measure_zero_enter_no_ratio(seed):
    rng = random.Random(seed)
    values = [rng.choice((0, 2)) for _ in range(4)]
    measure = [1 if r in values else rng.choice((0, 0, 3)) for r in range(5)]
    f = query(path(0, 3), path(0, 4), lambda x: values[x], measure)
    sequences = privacy_first(f, [Fraction(rng.randrange(4)) for _ in range(4)])
    for root in (Fraction(2), Fraction(7, 3)):
        found = sequences.exact_level(root).exact
        assert (1 if found is None else found.base) == _largest_ratio(sequences, root)


def test_a_level_that_only_outputs_of_measure_zero_raise_cannot_be_calibrated():
    f = query(path(0, 1), path(0, 1), lambda x: 0, [1, 0])
    with pytest.raises(BadInput, match="stays bounded"):
        calibrate(privacy_first(f, [Fraction(0), Fraction(1)]), Level.ratio(2))


def test_a_score_that_jumps_only_where_nothing_occurs_has_its_true_level():
    # of three outputs the second has measure 0; its score moves by 5, the others' by 1
    f = query(path(0, 1), path(0, 2), lambda x: 2 * x, [1, 0, 1])
    table = {(0, 0): 1, (0, 1): 0, (0, 2): 0, (1, 0): 0, (1, 1): 5, (1, 2): 1}
    sequences = from_score(f, lambda x, r: Fraction(table[x, r]))
    assert sequences.exact_level(Fraction(3)).exact.base == _largest_ratio(sequences, Fraction(3))
    assert _largest_ratio(sequences, Fraction(3)) == 3
    found = calibrate(sequences, Level.ratio(5))
    assert (found.root, found.bound, found.exact) == (5, 5, True)


def test_a_dataset_with_low_scores_throughout_pays_nothing_for_that():
    # every score of dataset 0 is 1 lower: its law is that of dataset 1
    f = query(path(0, 1), path(0, 1), lambda x: x)
    flat = from_score(f, lambda x, r: Fraction(x + r), sensitivity=Fraction(1))
    assert flat.exact_level(Fraction(2)).upper == 0
    steep = from_score(f, lambda x, r: Fraction((x + 1) * (r + 1)))  # ratios of 2 and of 4
    root = Fraction(2)
    assert steep.exact_level(root).exact.base == _largest_ratio(steep, root)


def test_a_calibrated_mechanism_is_proved_and_one_above_is_not():
    f = query(path(0, 3), path(0, 9), lambda x: x * x)
    found = calibrate(privacy_first(f, [Fraction(1)] * 4), Level.epsilon(1))
    assert found.sequences.certified(found.root, Level.epsilon(1)).certificate.holds
    with pytest.raises(NotPrivate):
        found.sequences.certified(found.bound, Level.epsilon(1))


def test_distortion_and_hits_agree_with_the_exact_mechanism():
    f = query(path(0, 3), path(0, 9), lambda x: x * x)
    sequences = privacy_first(f, [Fraction(1)] * 4)
    mechanism = sequences.mechanism(Fraction(2))
    for x in range(4):
        row = mechanism.row_at(x)
        error = sum(p * abs(r - x * x) for r, p in enumerate(row))
        hit = sum(p for r, p in enumerate(row) if abs(r - x * x) <= 1)
        assert sequences.distortion(2.0)[x] == pytest.approx(float(error))
        assert sequences.within(2.0, Fraction(1))[x] == pytest.approx(float(hit))


def test_a_distortion_without_an_answer_near_enough_is_refused():
    far = np.array([[0.0, 2.0, 2.0], [2.0, 2.0, 2.0], [2.0, 2.0, 0.0]])
    with pytest.raises(BadInput, match="no answer is within δ of dataset 1"):
        privacy_first(query(path(0, 2), path(0, 2), lambda x: x), [Fraction(1)] * 3, far)


def test_outputs_that_never_occur_do_not_count_for_the_sensitivity_of_a_score():
    f = query(path(0, 1), path(0, 2), lambda x: x, measure=[1, 1, 0])
    found = from_score(f, lambda x, r: Fraction(5 * x if r == 2 else -abs(x - r)))
    assert found.fineness == 1
    assert found.indices.tolist() == [[5, 6, 5], [6, 5, 0]]


@pytest.mark.parametrize(("plain", "moved", "root"), [
    # `moved` has its first number larger by m and its second smaller by m · root, m = 2/5, …
    ((21, 24, 28), (23, 19, 28), Fraction(5, 2)),
    ((17, 27, 13), (25, 7, 13), Fraction(5, 2)),
    ((26, 19, 14), (28, 16, 14), Fraction(3, 2)),
])
def test_cases_that_doubles_put_in_the_wrong_order_are_compared_exactly(plain, moved, root):
    """Two normalizers that differ by 10^-20: doubles say that the smaller one is larger."""
    smaller, larger = ([Fraction(k, 5) for k in shape] for shape in (plain, moved))
    larger[0] += Fraction(1, 10**20)
    cases = Cases(((Fraction(1),), tuple(smaller), tuple(larger)), np.zeros(2, dtype=np.int64),
                  np.zeros(2, dtype=np.int64), np.array([1, 2]))
    values = [sum(m / root**k for k, m in enumerate(shape)) for shape in (smaller, larger)]
    assert values[1] - values[0] == Fraction(1, 10**20)
    wrong = cases.logarithms(float(root))
    assert wrong[0] > wrong[1]
    assert max(cases.ratio(k, root, root) for k in cases.steepest(float(root))) == values[1]
    beside = Cases(cases.shapes, np.array([0, -1]), cases.first, cases.second)
    assert beside.steepest(float(root)) == [0]
