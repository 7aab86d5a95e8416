"""Linear programs and their duals. Knows nothing of privacy."""

from tightrope.lp.arcs import Flow
from tightrope.lp.cones import ConeProgram, ConeSolution, minimize
from tightrope.lp.memory import memory_of_lists, refuse_memory
from tightrope.lp.programs import LinearProgram, solve
from tightrope.lp.radical import nonnegative_radical, solve_radical
from tightrope.lp.rational import RationalProgram, Separated, minimize_exactly, nonnegative_solution
from tightrope.lp.refinement import FineProgram, FineSolution, Whole, refine
from tightrope.lp.shortening import Basis

__all__ = [
    "Basis",
    "ConeProgram",
    "ConeSolution",
    "FineProgram",
    "FineSolution",
    "Flow",
    "LinearProgram",
    "RationalProgram",
    "Separated",
    "Whole",
    "memory_of_lists",
    "minimize",
    "minimize_exactly",
    "nonnegative_radical",
    "nonnegative_solution",
    "refine",
    "refuse_memory",
    "solve",
    "solve_radical",
]
