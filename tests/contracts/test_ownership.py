"""What was proved cannot change: values own what they are made of, and draws check that they do.

Every public frozen value with arrays, lists or tables is made here from some of the caller's,
which are then overwritten; a new such value fails until it is listed.
"""

import copy
import importlib
import pickle
import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from tightrope.choices import Count, Goal
from tightrope.constructions import PlanarNoise, SetSequences, design
from tightrope.documents import compose
from tightrope.errors import BadInput, BadMatrix, BadSpace, NotCertified
from tightrope.exact import Enclosure, Intervals, Level, Line, Weights, owned
from tightrope.kernels import KernelWeights
from tightrope.kernels.reduction import ReducedKernel, reduced_kernel
from tightrope.mechanisms import (
    KernelMechanism,
    LadderCount,
    LineMechanism,
    MatrixMechanism,
    ModeLaw,
    NoiseMechanism,
    PiecewiseNoise,
    QuantileMechanism,
    RemappedMechanism,
    RungLaw,
    ScoreLaw,
    SubsetMechanism,
    TableMechanism,
    TallyLaw,
    UnaryMechanism,
)
from tightrope.networks.files import CuratorFigures
from tightrope.privacy import (
    Certificate,
    Certified,
    Evidence,
    GenericDefinition,
    PairBound,
    certified,
    smallest_level,
    verify,
)
from tightrope.samplers import (
    SeededSource,
    draw,
    draw_batches,
    draw_indices,
    draw_many,
)
from tightrope.spaces import (
    Graph,
    Graphs,
    MatrixSpace,
    Network,
    Occupied,
    Pairs,
    PointSpace,
    RealLine,
    Records,
    Relation,
    categories,
    graph,
    grid,
    matrix,
    path,
    points,
    query,
)
from tightrope.spaces.products import product
from tightrope.symmetry import Symmetry
from tightrope.theory import LineSequence
from tightrope.utility import LossMatrix, Merged, Multipliers, Prior, Problem
from tightrope.utility.brackets import Bracket
from tightrope.utility.likelihood import Likelihood

FOLDERS = ("exact", "spaces", "mechanisms", "privacy", "utility", "samplers", "constructions",
           "networks")
ARRAYS = re.compile(r"Array|list\[|dict\[|Sequence\[|Mapping\[|Ends\b|Thresholds")
# Lists and tables that no proof rests on: what a solver reports, what a figure shows, the counts
# of one draw.
LOOSE = {"Solution", "SelectionLaw", "ThresholdLaw"}


def whole(*numbers):
    return np.array(numbers, dtype=np.int64)


def exact_matrix():
    return np.array([[2**70, 1], [1, 2**70]], dtype=object)


def given():
    """For every public value, new fields that a caller might keep and change."""
    square = np.eye(2)
    identity = query(path(0, 1), path(0, 1), lambda x: x)
    kernel = reduced_kernel(path(0, 2))
    held = {field.name: getattr(kernel, field.name) for field in fields(kernel)}
    bound = PairBound.of([(0, "0.1"), (1, 1)])
    return {
        Weights: {"mantissas": exact_matrix(), "exponents": np.zeros((2, 2), np.int64)},
        Merged: {"classes": (0, 1), "W": square.copy(), "prior": np.full(2, 0.5)},
        Intervals: {"lows": whole(0, 5), "highs": whole(1, 6), "unit": Fraction(1)},
        Line: {"start": square, "slope": square.copy(), "curve": square.copy(), "half": 0.0,
               "error": 0.0},
        Enclosure: {"middle": np.ones(2), "slope": np.ones(2), "radius": np.ones(2), "half": 0.0,
                    "inverse": square, "alpha": 0.1},
        Pairs: {"first": whole(0, 1), "second": whole(1, 2)},
        Graph: {"points": ["a", "b", "c"], "links": Pairs(whole(0, 1), whole(1, 2)),
                "numerators": whole(1, 1), "denominator": 1},
        MatrixSpace: {"points": ["a", "b"], "numerators": whole(0, 1, 1, 0).reshape(2, 2),
                      "denominator": 1},
        PointSpace: {"points": ["a", "b"], "numerators": whole(0, 1).reshape(2, 1),
                     "denominator": 1},
        ReducedKernel: {name: np.array(x) if isinstance(x, np.ndarray) else x
                        for name, x in held.items()},
        Symmetry: {"inputs": 2, "outputs": 2, "generators": [(whole(1, 0), whole(1, 0))]},
        MatrixMechanism: {"space": path(0, 1), "outputs": [0, ["b", 1]],
                          "weights": Weights.from_integers([[2, 1], [1, 2]])},
        KernelMechanism: {"space": path(0, 2), "ratio": Fraction(2), "unit": Fraction(1),
                          "weights": [Fraction(1), 1, Fraction(1, 2)]},
        RemappedMechanism: {
            "kernel": KernelMechanism(path(0, 2), Fraction(2), Fraction(1), (2, 1, 2)),
            "targets": [0, 1, 1], "outputs": ["low", "high"]},
        PiecewiseNoise: {"ratio": Fraction(2), "rungs": [Intervals.of([(-1, 1)])],
                         "step": Fraction(3)},
        RungLaw: {"ratio": Fraction(2), "lows": whole(-1, -2), "highs": whole(1, 2), "step": 1},
        GenericDefinition: {"bounds": {(0, 1): bound}},
        Relation: {"points": ["a", "b"], "pairs": [(0, 1)]},
        Multipliers: {"first": whole(0), "second": whole(1), "amounts": [3]},
        KernelWeights: {"space": path(0, 1), "orbit": whole(0, 0), "values": [Fraction(1)],
                        "error": Fraction(0), "method": "x"},
        Likelihood: {"proportions": np.array([0.5, 0.5]), "gap": 0.0},
        Bracket: {"index": np.zeros((1, 1), np.intp), "low": [1], "high": [2]},
        LossMatrix: {"values": np.array([[0.0, 1.0], [1.0, 0.0]])},
        Prior: {"weights": [Fraction(1, 2), Fraction(1, 2)]},
        SetSequences: {"query": identity, "construction": "x",
                       "indices": whole(0, 1, 1, 0).reshape(2, 2)},
        TallyLaw: {"ratio": Fraction(2), "centers": (4, 1)},
        ScoreLaw: {"ratio": Fraction(2), "values": 2, "starts": whole(0, 1),
                   "scores": whole(0, 1)},
        Occupied: {"cells": whole(0, 3), "counts": whole(2, 1)},
        ModeLaw: {"rungs": RungLaw(Fraction(2), whole(0), whole(1), 0), "values": whole(1, 2)},
        PlanarNoise: {"side": 1, "masses": np.ones((2, 2))},
        Problem: {"space": path(0, 1), "level": Level.ratio(2), "prior": Prior(),
                  "loss": LossMatrix(np.eye(2)), "goal": Goal.AVERAGE, "outputs": [0, 1]},
        Network: {"nodes": 4, "first": whole(0, 1), "second": whole(1, 2)},
        CuratorFigures: {
            **dict.fromkeys(["true_count", "edges", "loops", "repeated", "strangers",
                             "unreadable", "largest_degree"], 1),
            "mean_errors": {"ladder": 1.0}, "sets": ((0,), (1, 2))},
        LineSequence: {"moves": Intervals.of([(0, 1)]), "delta": Fraction(1),
                       "sets": (Intervals.of([(-1, 1)]),)},
    }


def public_values():
    for folder in FOLDERS:
        door = importlib.import_module(f"tightrope.{folder}")
        for name in door.__all__:
            held = getattr(door, name)
            if isinstance(held, type) and is_dataclass(held):
                yield held


def overwrite(value):
    """Change everything in a value that can be changed."""
    if isinstance(value, np.ndarray):
        if value.flags.writeable:
            value[...] = 1 - value
    elif isinstance(value, list):
        for part in value:
            overwrite(part)
        value.reverse()
        value.append(value[0])
    elif isinstance(value, dict):
        value.clear()
    elif isinstance(value, tuple):
        for part in value:
            overwrite(part)


def plain(value):
    """What a value holds, down to numbers and labels."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "items"):
        return {name: plain(part) for name, part in value.items()}
    if is_dataclass(value) and not isinstance(value, Certified):
        names = [field.name for field in fields(value) if field.name[0] != "_"]
        return {name: plain(getattr(value, name)) for name in names}
    return value


def arrays_in(value):
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, list | tuple):
        for part in value:
            yield from arrays_in(part)


def test_every_public_value_with_arrays_or_lists_is_tried():
    wanted = {
        held.__name__ for held in public_values()
        if any(ARRAYS.search(str(field.type)) for field in fields(held))
    }
    assert wanted - LOOSE - {held.__name__ for held in given()} == set()


@pytest.mark.parametrize("form", list(given()), ids=lambda form: form.__name__)
def test_a_value_does_not_change_with_what_it_was_made_of(form):
    kept = given()[form]
    made = form(**kept)
    before = plain(made)
    for value in kept.values():
        overwrite(value)
    assert plain(made) == before


@pytest.mark.parametrize("form", list(given()), ids=lambda form: form.__name__)
def test_the_arrays_of_a_value_cannot_be_made_writable(form):
    made = form(**given()[form])
    for field in fields(made):
        held = getattr(made, field.name)
        assert not isinstance(held, list | dict)
        for array in arrays_in(held):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


def test_what_a_value_hands_out_cannot_be_made_writable():
    weights = Weights.from_integers([[2, 1], [1, 2]])
    flip = Symmetry(2, 2, ((whole(1, 0), whole(1, 0)),))
    f = query(path(0, 1), path(0, 1), lambda x: x)
    law = RungLaw(Fraction(2), whole(-1), whole(1), 1)
    kernel = KernelMechanism(grid((3, 3)), Fraction(2), Fraction(1), (1,) * 9, rounded=True)
    handed = [
        weights.floats, *weights.scaled, law.counts, kernel.taps,
        path(0, 4).edges().first, path(0, 4).neighbors.pairs.second,
        flip.input_orbits, flip.output_orbits, flip.representatives, flip.fixing_orbits,
        f.steps, f.ranks, LossMatrix(np.eye(2)).matrix(path(0, 1), (0, 1)),
        Network(4, whole(0), whole(1)).degrees,
    ]
    for array in handed:
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    assert isinstance(kernel.sums.lows, tuple)
    assert isinstance(f.lengths, tuple)


def test_a_read_only_view_of_the_callers_array_is_copied_too():
    base = whole(4, 1, 1, 4).reshape(2, 2)
    view = base.view()
    view.setflags(write=False)
    weights = Weights(view, np.zeros((2, 2), np.int64))
    base[0, 0] = 10**6
    assert weights.row(0) == (Fraction(4, 5), Fraction(1, 5))
    frozen = exact_matrix()
    frozen.setflags(write=False)
    held = owned(frozen.view())
    frozen.setflags(write=True)
    frozen[0, 0] = 0
    assert held[0, 0] == 2**70


@pytest.mark.parametrize("mantissas", [
    np.array([[0.5, 1.5]]), np.array([["1", "2"]]), np.array([[True, False]]),
    np.array([[1 + 1j, 2]]), np.array([[Fraction(1, 2), 1]], dtype=object),
    np.array([1, 2]), np.zeros((0, 2), np.int64), [[1.5, 2]], None,
])
def test_weights_are_whole_numbers_in_rows(mantissas):
    with pytest.raises(BadMatrix):
        Weights(mantissas, np.zeros((1, 2), np.int64))


def test_weights_take_whole_numbers_of_any_width():
    zero = np.zeros((1, 2), np.int64)
    for mantissas in ([[3, 1]], np.array([[3, 1]], np.uint8), np.array([[3, 1]], np.int32),
                      np.array([[3, np.int64(1)]], dtype=object)):
        assert Weights(mantissas, zero).row(0) == (Fraction(3, 4), Fraction(1, 4))
    high = np.array([[2**64 - 1, 1]], np.uint64)
    assert Weights(high, zero).row(0) == (Fraction(2**64 - 1, 2**64), Fraction(1, 2**64))


# What a caller keeps, and a certified mechanism made of it.
def with_arrays():
    kept = whole(4, 1, 1, 2, 2, 2, 1, 1, 4).reshape(3, 3)
    shifts = np.zeros((3, 3), np.int64)
    made = MatrixMechanism(path(0, 2), (0, 1, 2), Weights(kept, shifts))
    return [kept, shifts], made, Level.ratio(2)


def with_outputs():
    kept = ["a", "b"]
    weights = Weights.from_integers([[2, 1], [1, 2]])
    return kept, MatrixMechanism(categories(2), kept, weights), Level.ratio(2)


def with_kernel():
    kept = [Fraction(2), Fraction(1), Fraction(2)]
    made = KernelMechanism(path(0, 2), Fraction(2), Fraction(1), kept)
    return kept, made, Level.ratio(2)


def with_distances():
    kept = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    made = KernelMechanism(matrix("abc", kept), Fraction(2), Fraction(1), (2, 1, 2))
    return kept, made, Level.ratio(2)


def with_array_of_distances():
    kept = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0]])
    made = KernelMechanism(matrix("abc", kept), Fraction(2), Fraction(1), (2, 1, 2))
    return kept, made, Level.ratio(2)


def with_places():
    kept = np.array([[0, 0], [1, 0], [2, 0]])
    made = KernelMechanism(points("abc", kept), Fraction(2), Fraction(1), (2, 1, 2))
    return kept, made, Level.ratio(2)


def with_links():
    kept = [[0, 1], [1, 2]]
    made = KernelMechanism(graph(["a", "b", "c"], kept), Fraction(2), Fraction(1), (2, 1, 2))
    return kept, made, Level.ratio(2)


def with_a_table():
    kept, base, level = with_arrays()
    return kept, TableMechanism(base, 20), level


MADE = [with_arrays, with_outputs, with_kernel, with_distances, with_array_of_distances,
        with_places, with_links, with_a_table]


def seen(proved):
    mechanism = proved.mechanism
    base = mechanism.base if isinstance(mechanism, TableMechanism) else mechanism
    column = [mechanism.space.points[k % 2] for k in range(20)]
    drawn = draw_many(proved, column, SeededSource(3))
    rows = [base.row_at(i) for i in range(mechanism.space.size)]
    return drawn, rows, tuple(base.outputs), proved.certificate.level, compose(proved)


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
def test_rows_draws_and_document_stay_when_the_caller_changes_what_was_given(made):
    kept, mechanism, level = made()
    proved = certified(mechanism, level)
    other_kept, other, _ = made()
    expected = seen(certified(other, level))
    overwrite(kept)  # before the first draw, so that no sampler has seen the old numbers
    assert seen(proved) == expected
    overwrite(other_kept)
    assert seen(proved) == expected


def test_noise_stays_when_the_caller_changes_its_rungs():
    ends = [Intervals.of([(-1, 1)])]
    stairs = PiecewiseNoise(Fraction(2), ends, Fraction(3))
    line = certified(LineMechanism(RealLine(Intervals.of([(0, 3)])), stairs, 1), Level.ratio(2))
    ends[0] = Intervals.of([(-2, 2)])
    assert line.mechanism.law(0).density(Fraction(0)) == Fraction(1, 8)


def test_a_loss_and_a_prior_stay_when_the_caller_changes_them():
    losses, parts = np.array([[0.0, 1.0], [1.0, 0.0]]), [Fraction(3, 4), Fraction(1, 4)]
    loss, prior = LossMatrix(losses), Prior(parts)
    before = design(path(0, 1), Level.ratio(2), loss=loss, prior=prior)
    losses[...] = 7
    parts.reverse()
    assert prior.weights == (Fraction(3, 4), Fraction(1, 4))
    assert design(path(0, 1), Level.ratio(2), loss=loss, prior=prior).value == before.value


DRAWS = [
    lambda proved: draw(proved, 0),
    lambda proved: draw_many(proved, [0, 1]),
    lambda proved: draw_indices(proved, whole(0, 1)),
    lambda proved: list(draw_batches(proved, [whole(0, 1)])),
    compose,
    lambda proved: Certified(proved.mechanism, proved.certificate),
]


def other_weights():
    return Weights.from_integers([[1, 0, 0], [0, 1, 0], [0, 0, 1]])


TAMPERED = {
    "weights": lambda p: object.__setattr__(p.mechanism, "weights", other_weights()),
    "mantissas": lambda p: object.__setattr__(
        p.mechanism.weights, "mantissas", other_weights().mantissas),
    "outputs": lambda p: object.__setattr__(p.mechanism, "outputs", (2, 1, 0)),
    "space": lambda p: object.__setattr__(p.mechanism, "space", categories(3)),
    "inside the space": lambda p: object.__setattr__(
        p.mechanism.space, "norm", categories(3).norm),
    "level": lambda p: object.__setattr__(p.certificate, "level", Level.epsilon("0.01")),
    "certificate": lambda p: object.__setattr__(
        p, "certificate", replace(p.certificate, level=Level.epsilon("0.01"))),
    "mechanism": lambda p: object.__setattr__(
        p, "mechanism", MatrixMechanism(path(0, 2), (0, 1, 2), other_weights())),
}


@pytest.mark.parametrize("run", range(len(DRAWS)))
@pytest.mark.parametrize("how", list(TAMPERED))
def test_what_was_changed_after_its_proof_is_refused(how, run):
    _, mechanism, level = with_arrays()
    proved = certified(mechanism, level)
    draw_many(proved, [0, 1], SeededSource(1))  # a sampler is kept from here on
    TAMPERED[how](proved)
    with pytest.raises(NotCertified):
        DRAWS[run](proved)


def test_a_law_that_was_changed_after_its_proof_is_refused():
    ladder = LadderCount(Graphs(4), Count.TRIANGLES, Fraction(2))
    proved = certified(ladder, Level.ratio(4))
    object.__setattr__(ladder, "ratio", Fraction(1000))
    with pytest.raises(NotCertified, match="not what was proved"):
        draw(proved, Network(4, whole(0), whole(1)))
    stairs = PiecewiseNoise(Fraction(2), (Intervals.of([(-1, 1)]),), Fraction(3))
    line = certified(LineMechanism(RealLine(Intervals.of([(0, 3)])), stairs, 1), Level.ratio(2))
    object.__setattr__(stairs.rungs[0], "unit", Fraction(1, 1000))
    with pytest.raises(NotCertified):
        draw(line, Fraction(0))


def test_what_a_sampler_works_out_comes_from_what_was_proved():
    """A value planted where the mechanism keeps what it worked out does not reach a draw."""
    kernel = KernelMechanism(grid((3, 3)), Fraction(2), Fraction(1), (1,) * 9, rounded=True)
    twin = KernelMechanism(grid((3, 3)), Fraction(2), Fraction(1), (1,) * 9, rounded=True)
    one, other = certified(kernel, Level.ratio(8)), certified(twin, Level.ratio(8))
    vars(kernel).pop("taps", None)
    one = certified(kernel, Level.ratio(8))
    if "taps" not in vars(kernel):
        vars(kernel)["taps"] = np.zeros((1, 1), np.int64) + 1
    column = whole(*range(9))
    first = draw_indices(one, column, SeededSource(2)).tolist()
    assert first == draw_indices(other, column, SeededSource(2)).tolist()


def test_a_copy_of_a_certified_mechanism_is_proved_anew():
    _, mechanism, level = with_arrays()
    proved = certified(mechanism, level)
    for copied in (copy.deepcopy(proved), pickle.loads(pickle.dumps(proved)),
                   copy.copy(proved.certificate)):
        if isinstance(copied, Certificate):
            copied = (proved.mechanism, copied)
            with pytest.raises(NotCertified):
                Certified(*copied)
            continue
        with pytest.raises(NotCertified):
            draw(copied, 0)
        again = certified(copied.mechanism, level)
        assert again.certificate.smallest == proved.certificate.smallest
        with pytest.raises(ValueError, match="read-only"):
            again.mechanism.weights.mantissas[0, 0] = 7
    assert draw(proved, 0, SeededSource(1)) in (0, 1, 2)


def test_a_certificate_made_by_hand_opens_nothing(tmp_path):
    from tightrope.files import save

    _, mechanism, level = with_arrays()
    true = certified(mechanism, level)
    zero = (Fraction(0), Fraction(0))
    made = Certificate(level, Evidence.ENUMERATED, None, zero, None, 1, "trust me")
    assert made.holds
    naked = MatrixMechanism(path(0, 2), (0, 1, 2), other_weights())
    for subject in (mechanism, naked):
        with pytest.raises(NotCertified):
            Certified(subject, made)
    with pytest.raises(NotCertified):
        Certified(naked, true.certificate)

    class Double(Certified):
        def __post_init__(self):
            """Nothing is checked."""

    class Stamp(Certificate):
        """A certificate of one's own."""

    stamped = Stamp(level, Evidence.ENUMERATED, None, zero, None, 1, "trust me")
    object.__setattr__(stamped, "_proved", naked)
    for forged in (Double(naked, made), Double(naked, true.certificate), Double(naked, stamped),
                   naked, made, None, "certified", {"mechanism": naked}):
        for run in (*DRAWS[:-1], lambda f: save(f, tmp_path / "m.json")):
            with pytest.raises(NotCertified):
                run(forged)
    assert not list(tmp_path.iterdir())


def test_a_subclass_of_a_mechanism_is_not_certified():
    class Two(MatrixMechanism):
        """Shows one law to the judge and another to the sampler."""

        @property
        def row(self):
            return super().row

    class Loud(KernelMechanism):
        """The same for kernels."""

    class Light(Weights):
        """And for weights."""

    weights = Weights.from_integers([[2, 1], [1, 2]])
    for subject in (
        Two(categories(2), (0, 1), weights),
        Loud(categories(2), Fraction(2), Fraction(1), (1, 1)),
        TableMechanism(Loud(categories(2), Fraction(2), Fraction(1), (1, 1)), 3),
    ):
        with pytest.raises(BadInput, match="expected a mechanism"):
            verify(subject, subject.space, Level.ratio(2))
    with pytest.raises(BadMatrix, match="expected Weights"):
        MatrixMechanism(categories(2), (0, 1), Light(weights.mantissas, weights.exponents))


def test_a_subclass_of_a_mechanism_on_datasets_has_no_level():
    class Bold(QuantileMechanism):
        """Has the theorem of quantiles, and answers as it likes."""

        def law(self, data):
            return min(data)

    subject = Bold(Records(3, 0, 9), 2, Fraction(2))
    for ask in (verify, lambda mechanism, space, _: smallest_level(mechanism, space),
                lambda mechanism, *_: smallest_level(mechanism)):
        with pytest.raises(BadInput, match="expected a mechanism"):
            ask(subject, subject.space, Level.ratio(2))
    with pytest.raises(BadInput, match="expected a mechanism"):
        certified(subject, Level.ratio(2))


def test_a_check_at_the_draw_looks_at_a_few_parts_and_not_at_the_numbers():
    from tightrope.exact import parts

    noise = NoiseMechanism(path(0, 9), Fraction(2))
    size = 300
    flat = Weights(np.ones((size, size), np.int64), np.zeros((size, size), np.int64))
    wide = MatrixMechanism(path(0, size - 1), range(size), flat)
    for mechanism in (noise, wide):
        certificate = certified(mechanism, Level.ratio(2)).certificate
        assert sum(len(held) for _, held in certificate._sealed) < 60
    assert len(parts(wide)) < 12


NARROW = [np.int8, np.int16, np.uint8, np.dtype(">i8")]


@pytest.mark.parametrize("kind", NARROW)
def test_narrow_whole_numbers_do_not_overflow(kind):
    """In eight bits the sum of 100 and 100 is -56: no pair was compared, whatever the matrix."""
    far = MatrixSpace(("a", "b", "c"), (100 * (1 - np.eye(3))).astype(kind), 100)
    assert far.distance(0, 1).rational == 1
    told = MatrixMechanism(far, far.points, Weights.from_integers(np.eye(3, dtype=int).tolist()))
    assert not verify(told, far, Level.epsilon("0.01")).holds
    assert Intervals(np.array([0], kind), np.array([127], kind), Fraction(1)).measure == 127
    law = RungLaw(Fraction(2), np.array([0, 0], kind), np.array([60, 127], kind), 0)
    assert law.counts.tolist() == [61, 67]
    first, second = np.array([0, 100], kind), np.array([100, 120], kind)
    line = Graph(range(121), Pairs(first, second), np.array([100, 120], kind), 1)
    assert line.distance(0, 120).rational == 220


@pytest.mark.parametrize(("make", "given"), [
    (MatrixSpace, (("a", "b"), np.array([[0, 0.5], [0.5, 0]]), 1)),
    (MatrixSpace, (("a", "b"), np.array([[0, -1], [-1, 0]]), 1)),
    (MatrixSpace, (("a", "b"), np.array([[0, 1], [2, 0]]), 1)),
    (MatrixSpace, (("a", "b"), np.array([[0, 0], [0, 0]]), 1)),
    (MatrixSpace, (("a", "b", "c"), np.array([[0, 9, 1], [9, 0, 1], [1, 1, 0]]), 1)),
    (MatrixSpace, (("a", "b", "c"), np.array([[0, 1], [1, 0]]), 1)),
    (MatrixSpace, (("a", "b"), np.array([[0, 1], [1, 0]]), 0)),
    (Graph, ("ab", Pairs(whole(0), whole(1)), np.array([0.5]), 1)),
    (Graph, ("ab", Pairs(whole(0), whole(1)), whole(0), 1)),
    (Graph, ("ab", Pairs(whole(0), whole(2)), whole(1), 1)),
    (Graph, ("ab", Pairs(whole(1), whole(0)), whole(1), 1)),
    (Graph, ("ab", Pairs(whole(0), whole(1)), whole(2**60), 1)),
    (PointSpace, (("a", "b"), np.array([[0.5], [1]]), 1)),
    (PointSpace, (("a", "b"), whole(0, 1), 1)),
    (Pairs, (np.array([0.0]), np.array([1.0]))),
    (RungLaw, (Fraction(2), np.array([-0.5]), np.array([0.5]), 0)),
    (RungLaw, (Fraction(2), whole(0), whole(0), "1/2")),
    (RungLaw, (float("nan"), whole(0), whole(0), 1)),
    (PiecewiseNoise, (None, (Intervals.of([(-1, 1)]),), 1)),
    (KernelMechanism, (categories(2), True, 1, (1, 1))),
    (NoiseMechanism, (path(0, 2), np.array([2, 3]))),
    (TableMechanism, (KernelMechanism(categories(2), Fraction(2), Fraction(1), (1, 1)), 2.5)),
])
def test_a_value_of_wrong_numbers_is_not_made(make, given):
    with pytest.raises(BadInput):
        make(*given)


@pytest.mark.parametrize("given", [2.5, np.float64(2.5), "5/2", Fraction(5, 2)])
def test_numbers_of_a_mechanism_are_the_exact_ones_that_were_given(given):
    for made in (
        KernelMechanism(categories(3), given, given, (1, 1, 1)), NoiseMechanism(path(0, 2), given),
        SubsetMechanism(categories(3), np.int64(1), given), RungLaw(given, whole(0), whole(0), 1),
    ):
        assert type(made.ratio) is Fraction
        assert made.ratio == Fraction(5, 2)
    both = UnaryMechanism(categories(3), 0.75, "1/4")
    assert both.factor == 9


class Lying(MatrixSpace):
    """Its distances are told a thousand times as far as they are."""

    def classes(self, i, j):
        classes, where = super().classes(i, j)
        return [distance * Fraction(1000) for distance in classes], where

    def lengths(self, i, j):
        return 1000 * super().lengths(i, j)


class Equal:
    """Says that it is whatever it is compared with, and finds every input in the first row."""

    def __init__(self, space):
        self.space = space

    def __getattr__(self, name):
        return getattr(self.space, name)

    def __eq__(self, other):
        return True

    __hash__ = None

    def index(self, point):
        return 0


def test_a_space_that_may_lie_is_refused():
    space = Lying(("a", "b"), whole(0, 1, 1, 0).reshape(2, 2), 1)
    weights = Weights.from_integers([[99, 1], [1, 99]])
    told = MatrixMechanism(matrix(["a", "b"], [[0, 1], [1, 0]]), ("a", "b"), weights)
    for attempt in (partial(MatrixMechanism, space, ("a", "b"), weights),
                    partial(verify, told, space, Level.ratio(2)),
                    lambda: verify(told, product(space, path(0, 1)), Level.ratio(2))):
        with pytest.raises((BadInput, BadSpace), match="expected a space"):
            attempt()


def test_a_mechanism_on_what_calls_itself_a_space_is_refused():
    pairs, three = Equal(path(0, 1)), Equal(categories(3))
    for attempt in (
        lambda: MatrixMechanism(pairs, (0, 1), Weights.from_integers([[2, 1], [1, 2]])),
        lambda: KernelMechanism(pairs, 2, 1, (1, 1)), lambda: NoiseMechanism(pairs, 2),
        lambda: SubsetMechanism(three, 1, 2), lambda: UnaryMechanism(three, "1/2", "1/4"),
        lambda: LadderCount(Equal(Graphs(4)), Count.TRIANGLES, 2),
    ):
        with pytest.raises(BadInput, match=r"expected (a space|Graphs)"):
            attempt()


def test_a_space_changed_by_force_is_not_taken_for_the_one_it_equals():
    changed = path(0, 1)
    made = KernelMechanism(changed, 2, 1, (1, 1))
    object.__setattr__(changed, "norm", categories(2).norm)
    with pytest.raises(BadInput, match="as its family makes it"):
        verify(made, path(0, 1), Level.ratio(2))


def test_a_level_that_compares_as_it_likes_is_refused():
    class Any(Level):
        def compare(self, *_):
            return -1

    for mechanism in (KernelMechanism(path(0, 1), 1000, 1, (1, 1)),
                      LadderCount(Graphs(4), Count.TRIANGLES, 1000)):
        with pytest.raises(BadInput, match="expected a Level"):
            verify(mechanism, mechanism.space, Any(Fraction(1), Fraction(0), Fraction(1)))


def test_a_mechanism_takes_its_space_as_text():
    assert KernelMechanism("path:0..1", 2, 1, (1, 1)).space == path(0, 1)
    assert MatrixMechanism.of([[0.5, 0.5]] * 2, "path:0..1").space == path(0, 1)
    assert NoiseMechanism("path:0..1", 2).space == path(0, 1)


def test_a_solution_holds_a_proof_of_its_own_question():
    found = design("path:0..2", 1)
    for change in ({"problem": Problem("path:0..2", "1/2")}, {"problem": Problem("cycle:3", 1)},
                   {"certified": design("path:0..2", 2).certified}, {"problem": "path:0..2"}):
        with pytest.raises(BadInput):
            replace(found, **change)
    with pytest.raises(NotCertified):
        replace(found, certified=found.certified.mechanism)


@pytest.mark.parametrize("held", ["space", "weights"])
def test_a_method_cannot_be_hidden_behind_an_attribute(held):
    def made():
        return MatrixMechanism(matrix(["a", "b"], [[0, 1], [1, 0]]), ("a", "b"),
                               Weights.from_integers([[2, 1], [1, 2]]))

    name = {"space": "classes", "weights": "row_integers"}[held]
    proved = certified(made(), Level.ratio(2))
    object.__setattr__(getattr(proved.mechanism, held), name, lambda *_: ([9, 1], 0))
    with pytest.raises(NotCertified):
        draw(proved, "a", SeededSource(1))
    forged = made()
    object.__setattr__(getattr(forged, held), "draw", None)
    with pytest.raises(BadInput, match="more than its own fields"):
        certified(forged, Level.ratio(2))


def test_a_space_is_what_its_text_says():
    near = path(0, 1)
    far = replace(near, norm=replace(near.norm, step=Fraction(1000)))
    assert far != near
    told = Weights.from_integers([[99, 1], [1, 99]])
    for space, asked in ((far, lambda: far), (near, lambda: far),
                         (far, lambda: product(far, near))):
        with pytest.raises((BadInput, BadSpace), match="as its family makes it"):
            verify(MatrixMechanism(space, (0, 1), told), asked(), Level.epsilon("0.01"))
