"""Mechanisms: frozen descriptions of random functions. They never claim and never draw.

Rows are inputs: `row(x)` is the exact law of the output for the input x (`row_at(i)` for the
input with index i), and `law(data)` that of the answer for one dataset. A `Mechanism` is one of
a few forms, on the points of a space (`PointMechanism`) or on datasets too many to list
(`DataMechanism`); it holds declarations alone. `base` is what one input goes through, `answers`
says what comes out.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.mechanisms.algebra import cascade, mix, remap, tensor, together, written_out
    from tightrope.mechanisms.answers import Answers
    from tightrope.mechanisms.boxes import BoxLaw, BoxMechanism
    from tightrope.mechanisms.cards import array_of_mechanism, mechanism_facts, mechanism_picture
    from tightrope.mechanisms.cauchy import CauchyLaw
    from tightrope.mechanisms.degree_counts import DegreeCounts
    from tightrope.mechanisms.forms import (
        DataMechanism,
        Held,
        Matrix,
        Mechanism,
        PointMechanism,
        count_outputs,
        csv_of_held,
        finite,
        finite_form,
        held,
        is_matrix,
        latex_of_held,
        matrix_form,
        mechanism_of,
        on_points,
        own_space,
    )
    from tightrope.mechanisms.gaussians import (
        MOST_FUNCTIONS,
        GaussianLaw,
        GaussianMechanism,
        are_orthogonal,
        columns_read,
        tail,
    )
    from tightrope.mechanisms.kernel import KernelMechanism
    from tightrope.mechanisms.keys import (
        KeyNoise,
        KeySelection,
        SelectionLaw,
        ThresholdLaw,
    )
    from tightrope.mechanisms.line import LineMechanism
    from tightrope.mechanisms.matrix import MatrixMechanism
    from tightrope.mechanisms.network_counts import (
        CountMechanism,
        GlobalCount,
        LadderCount,
        SmoothCount,
    )
    from tightrope.mechanisms.noise import InSteps, NoiseMechanism
    from tightrope.mechanisms.noise_sums import NoiseSum
    from tightrope.mechanisms.piecewise import PiecewiseNoise, RungLaw, evaluate
    from tightrope.mechanisms.planar_laplace import LaplaceLaw, PlanarLaplace
    from tightrope.mechanisms.position_noise import PlanarLaw, PositionNoise
    from tightrope.mechanisms.position_steps import PositionSteps, RingLaw
    from tightrope.mechanisms.privacy_first import PrivacyFirstCount
    from tightrope.mechanisms.records import ModeLaw, ModeMechanism, QuantileMechanism
    from tightrope.mechanisms.remapped import RemappedMechanism
    from tightrope.mechanisms.reports import ReportMechanism, SubsetMechanism, UnaryMechanism
    from tightrope.mechanisms.rounding import (
        UNIT_BITS,
        Sums,
        grid_of,
        kernel_sums,
        kernel_taps,
        sides,
    )
    from tightrope.mechanisms.scores import FrequentMechanism, RankMechanism, ScoreLaw
    from tightrope.mechanisms.table import FiniteMechanism, TableMechanism
    from tightrope.mechanisms.tallies import MOST_RUNGS, TallyLaw, TallyNoise
    from tightrope.mechanisms.trace_noise import MOST_FRESH, TraceLaw, TraceNoise
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "MOST_FRESH",
    "MOST_FUNCTIONS",
    "MOST_RUNGS",
    "UNIT_BITS",
    "Answers",
    "BoxLaw",
    "BoxMechanism",
    "CauchyLaw",
    "CountMechanism",
    "DataMechanism",
    "DegreeCounts",
    "FiniteMechanism",
    "FrequentMechanism",
    "GaussianLaw",
    "GaussianMechanism",
    "GlobalCount",
    "Held",
    "InSteps",
    "KernelMechanism",
    "KeyNoise",
    "KeySelection",
    "LadderCount",
    "LaplaceLaw",
    "LineMechanism",
    "Matrix",
    "MatrixMechanism",
    "Mechanism",
    "ModeLaw",
    "ModeMechanism",
    "NoiseMechanism",
    "NoiseSum",
    "PiecewiseNoise",
    "PlanarLaplace",
    "PlanarLaw",
    "PointMechanism",
    "PositionNoise",
    "PositionSteps",
    "PrivacyFirstCount",
    "QuantileMechanism",
    "RankMechanism",
    "RemappedMechanism",
    "ReportMechanism",
    "RingLaw",
    "RungLaw",
    "ScoreLaw",
    "SelectionLaw",
    "SmoothCount",
    "SubsetMechanism",
    "Sums",
    "TableMechanism",
    "TallyLaw",
    "TallyNoise",
    "ThresholdLaw",
    "TraceLaw",
    "TraceNoise",
    "UnaryMechanism",
    "are_orthogonal",
    "array_of_mechanism",
    "cascade",
    "columns_read",
    "count_outputs",
    "csv_of_held",
    "evaluate",
    "finite",
    "finite_form",
    "grid_of",
    "held",
    "is_matrix",
    "kernel_sums",
    "kernel_taps",
    "latex_of_held",
    "matrix_form",
    "mechanism_facts",
    "mechanism_of",
    "mechanism_picture",
    "mix",
    "on_points",
    "own_space",
    "remap",
    "sides",
    "tail",
    "tensor",
    "together",
    "written_out",
]
