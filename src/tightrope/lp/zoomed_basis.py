"""A better basis for an exact program, proposed by HiGHS under a magnifying glass.

The solutions of a basis are worked out in fractions. Where they are wrong by less than HiGHS can
see, it is asked again: the unknowns are moved to the solution and measured in its errors, and the
costs are those of leaving the tight constraints, measured in the errors of their multipliers
(iterative refinement: Gleixner, Steffy and Wolter 2016).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tightrope.exact import FloatArray
from tightrope.lp.cone_basis import ExactProgram, Tight
from tightrope.lp.exact_cones import BothSides, both_sides
from tightrope.lp.programs import LinearProgram
from tightrope.lp.proposed_basis import in_doubles, propose_basis, run_highs

_FEW = 12
"""Trouble that exact steps mend faster than another run of HiGHS."""

_ROUNDS = 5
"""Magnified runs, at most: a basis that they do not mend is left to exact steps."""

_CAPS = 1e8, 1e6
"""Largest cost and slack of a magnified program, in turn: beyond, they are as good as infinite."""


def propose_good_basis(
    program: ExactProgram,
    units: FloatArray,
    seconds: float,
    closer: Callable[[], FloatArray | None],
) -> Sequence[Tight] | None:
    """The basis that HiGHS proposes in these units or, if much of it is wrong, in closer ones.

    `closer` returns the entries of an approximate solution, or None where there is none.
    """
    proposal = propose_basis(program, units, seconds)
    sides = None if proposal is None else both_sides(program, proposal)
    if sides is not None and sides.trouble <= _FEW:
        return proposal
    near = closer()
    if near is None:
        return proposal
    best, latest = sides, propose_basis(program, near, seconds)
    for turn in range(_ROUNDS):
        sides = None if latest is None else both_sides(program, latest)
        if sides is None:
            break
        if best is None or sides.trouble < best.trouble:
            best, proposal = sides, latest
        if sides.trouble <= _FEW:
            break
        latest = run_highs(program, _magnified(program, near, sides, _CAPS[turn % 2]), seconds)
    return proposal


def _magnified(
    program: ExactProgram, units: FloatArray, sides: BothSides, most: float
) -> LinearProgram:
    """The program around the solution of a basis, in units of its errors."""
    size, width = program.size, program.width

    def unit(constraint: Tight) -> float:
        z, e = constraint
        return 1.0 if z < 0 else float(units[z, program.arcs[e][0]])

    slacks = {c: float(slack) / unit(c) for c, slack in sides.slacks.items()}
    amounts = {c: float(amount) * unit(c) for c, amount in sides.dual.multipliers.items()}
    error = max(0.0, *(-slack for slack in slacks.values())) or 1.0
    slope = max(0.0, *(-amount for amount in amounts.values())) or max(amounts.values())
    doubles = in_doubles(program, units)
    costs = np.zeros_like(doubles.costs)
    for (z, e), amount in amounts.items():
        cost = min(amount / slope, most)
        if z < 0:
            costs[-1] += cost
            for k, losses in enumerate(program.losses or ()):
                costs[k * size + e] -= cost * float(losses[e]) * units[k, e]
            continue
        a, b, share = program.arcs[e]
        costs[z * size + a] += cost
        if b >= 0:
            costs[z * size + b] -= cost * float(share) * units[z, b] / units[z, a]

    def room(constraints: Sequence[Tight]) -> FloatArray:
        rooms = np.array([slacks.get(c, 0.0) for c in constraints])
        return -np.minimum(rooms / error, most)

    signs = {a: e for e, (a, b, _) in enumerate(program.arcs) if b < 0}
    pairs = [e for e, (_, b, _) in enumerate(program.arcs) if b >= 0]
    arcs = [(z, e) for z in range(width) for e in pairs]
    lower = room([(z, signs[y]) for z in range(width) for y in range(size)])
    rows = np.concatenate([room(arcs), np.zeros(size)])
    upper = np.array(doubles.row_upper)
    upper[len(arcs) : len(arcs) + size] = 0.0
    if program.losses is not None:
        lower = np.append(lower, -np.inf)
        rows = np.concatenate([rows, room([(-1, y) for y in range(size)])])
    return replace(doubles, costs=costs, lower=lower, row_lower=rows, row_upper=upper)
