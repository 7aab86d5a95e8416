"""Linear programs and their duals. Knows nothing of privacy."""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand

if TYPE_CHECKING:
    from tightrope.lp.arcs import DualFlow
    from tightrope.lp.cone_basis import ConeBasis, DualPrices, ExactProgram, Primal, Tight
    from tightrope.lp.double_description import vertices
    from tightrope.lp.exact_cones import (
        ExactVertex,
        both_sides,
        exact_vertex,
        rational_program,
    )
    from tightrope.lp.family_forms import FamilyForm, family_forms
    from tightrope.lp.interior_point import ConeProgram, ConeSolution, minimize
    from tightrope.lp.memory import memory_of_lists, refuse_memory
    from tightrope.lp.programs import LinearProgram, solve
    from tightrope.lp.proposed_basis import propose_basis
    from tightrope.lp.radical import nonnegative_radical, solve_radical
    from tightrope.lp.rational import (
        RationalProgram,
        Separated,
        minimize_exactly,
        nonnegative_solution,
    )
    from tightrope.lp.rational_functions import (
        RationalFunction,
        polynomial_text,
        solve_functions,
    )
    from tightrope.lp.ray_vertex import vertex_by_rays
    from tightrope.lp.refinement import FineProgram, FineSolution, Whole, refine
    from tightrope.lp.shortening import Basis
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "Basis",
    "ConeBasis",
    "ConeProgram",
    "ConeSolution",
    "DualFlow",
    "DualPrices",
    "ExactProgram",
    "ExactVertex",
    "FamilyForm",
    "FineProgram",
    "FineSolution",
    "LinearProgram",
    "Primal",
    "RationalFunction",
    "RationalProgram",
    "Separated",
    "Tight",
    "Whole",
    "both_sides",
    "exact_vertex",
    "family_forms",
    "memory_of_lists",
    "minimize",
    "minimize_exactly",
    "nonnegative_radical",
    "nonnegative_solution",
    "polynomial_text",
    "propose_basis",
    "rational_program",
    "refine",
    "refuse_memory",
    "solve",
    "solve_functions",
    "solve_radical",
    "vertex_by_rays",
    "vertices",
]
