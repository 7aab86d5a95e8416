"""Mechanisms: frozen descriptions of random functions. They never claim and never draw.

Rows are inputs: `row(x)` is the exact law of the output for the input x, `row_at(i)` for the
input with index i.
A `Mechanism` is one of a few forms, and code that handles them matches every one.
"""

from tightrope.mechanisms.algebra import cascade, mix, remap, tensor, written_out
from tightrope.mechanisms.cards import mechanism_facts, mechanism_picture
from tightrope.mechanisms.cauchy import CauchyLaw
from tightrope.mechanisms.kernel import KernelMechanism
from tightrope.mechanisms.matrix import MatrixMechanism
from tightrope.mechanisms.noise import NoiseMechanism
from tightrope.mechanisms.piecewise import PiecewiseNoise, RungLaw, evaluated
from tightrope.mechanisms.reports import ReportMechanism, SubsetMechanism, UnaryMechanism
from tightrope.mechanisms.rounding import (
    UNIT_BITS,
    Sums,
    grid_of,
    kernel_sums,
    kernel_taps,
    sides,
)
from tightrope.mechanisms.table import FiniteMechanism, TableMechanism

Mechanism = MatrixMechanism | KernelMechanism | NoiseMechanism | ReportMechanism | TableMechanism

__all__ = [
    "UNIT_BITS",
    "CauchyLaw",
    "FiniteMechanism",
    "KernelMechanism",
    "MatrixMechanism",
    "Mechanism",
    "NoiseMechanism",
    "PiecewiseNoise",
    "ReportMechanism",
    "RungLaw",
    "SubsetMechanism",
    "Sums",
    "TableMechanism",
    "UnaryMechanism",
    "cascade",
    "evaluated",
    "grid_of",
    "kernel_sums",
    "kernel_taps",
    "mechanism_facts",
    "mechanism_picture",
    "mix",
    "remap",
    "sides",
    "tensor",
    "written_out",
]
