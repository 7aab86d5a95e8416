"""The only tolerances of the library, each with the reason for its size.

None of them decides a privacy claim: they steer where exact arithmetic is asked, how far
inside a level a mechanism is aimed, and which input is taken for a slip of the pen.
"""

from typing import Final

LENGTH_ERROR: Final = 2.0**-50
"""Relative error allowed in the double approximations of distances."""

COMPARISON_MARGIN: Final = 2.0**-48
"""Relative margin within which double arithmetic does not decide a comparison.

A comparison multiplies at most six correctly rounded quantities, each within 2^-53."""

INSIDE_BITS: Final = 40
"""Mechanisms at an irrational ratio are aimed at e^(ε d)(1 - 2^-40)."""

MANTISSA_BITS: Final = 62
"""Length of the mantissas of rounded weights: they fit a signed 64-bit integer."""

ROW_TOTAL_ERROR: Final = 1e-6
"""How far from 1 a row of user probabilities may add up."""

LARGEST_EPSILON: Final = 10**6
"""Levels above this protect nothing and only make the numbers long."""

LONGEST_EXPONENT: Final = 4_000_000
"""Largest ε·distance (in bits) for which probabilities are written out."""

LONGEST_ROW: Final = 1 << 18
"""Bits between the ends of the weights of a row that is compared with others.

Also those of the powers in a normalizer of a kernel. Two such numbers are multiplied, or
reduced to lowest terms, in a fraction of a second."""

LONGEST_ROWS: Final = 1 << 29
"""The same of all rows together: 64 megabytes."""

LONGEST_KERNEL_ROWS: Final = 1 << 32
"""Bits of all entries of an exact kernel that is written out: half a gigabyte."""

LARGEST_MATRIX: Final = 25_000_000
"""Entries of a mechanism that is written out as a matrix."""

TIGHT_MARGIN: Final = 2.0**-36
"""Ratios this close to the largest one allowed are called tight in descriptions."""

SOLVER_ERROR: Final = 1e-7
"""How far the optimum reported by a floating-point solver may be from the true one."""

CONE_STEP: Final = 0.9
"""Share of the way to the boundary that an interior-point step goes."""

CONE_REGULARIZATION: Final = 1e-15
"""Added to the unit diagonal of scaled Newton matrices."""

LARGEST_LOSS: Final = 1e200
"""Entries of a loss up to here can be added up in doubles; nobody measures in such units."""

CONE_GAP_FLOOR: Final = 1e-18
"""Mean complementarity below which double arithmetic makes no progress."""

ROUNDING_ROOM: Final = 2.0**-56
"""Least room below e^(ε d) for rounding weights to 62 bits."""

LONGEST_RATIO: Final = 13_000
"""Bits of a ratio that documents carry as a decimal fraction (about 3,900 digits)."""

SHIPPING_ERROR: Final = 1e-9
"""Feasibility asked of the solver that makes bounds sparse; the bound is proved afterwards."""

FAINT_SHIPMENTS: Final = (1e-3, 1e-5)
"""Shares of the largest multiplier below which routes are not tried for a sparse bound."""
PROGRAM_ERROR: Final = 1e-10
"""Feasibility asked of the solver of sparse programs, the least that it accepts."""

SOLVER_ENTRY: Final = 1e-9
"""Entries of sparse programs below this are dropped."""

LEAST_ENTRY: Final = 1e-12
"""The same where they matter, the least that the solver keeps."""

PROGRAM_GAP: Final = 1e-9
"""Relative gap asked of refined solutions of sparse programs: far below the one proved."""

LARGEST_PROGRAM: Final = 250_000
"""Neighbor pairs times outputs of a program with δ, up to symmetry: solved in minutes."""

LARGEST_NEIGHBOR_PROOF: Final = 1_000_000
"""The same, counted without symmetry: what is proved in half a minute."""

LOSS_ERROR: Final = 2.0**-48
"""Relative error allowed in the double approximations of losses."""

LARGEST_CONE: Final = 1_700_000
"""Pairs of inputs, or inputs times outputs, of a space whose optimal mechanism is sought."""

DEFAULT_GAP: Final = 1e-6
"""Relative gap to the proved bound at which the search for the optimum stops."""

COARSE_GAP: Final = 1e-3
"""Relative gap from which on fewer pairs are asked for in the search for the optimum."""

LARGEST_KERNEL: Final = 200_000
"""Points of a space whose kernel mechanisms list a weight for each."""

LEAST_SOUGHT_LEVEL: Final = 1e-9
"""Smallest ε that a search for the smallest level tries."""

SMALLEST_SHOWN: Final = 1e-300
"""Smallest ε and smallest positive δ that may be asked for: below it doubles end, and soon 0 is
shown."""

SMALLEST_DRAWN_EPSILON: Final = 1e-20
"""Smallest ε for counts of graphs: the tables of their noise have a place for every eight bits of
its size, so that far smaller ones take minutes, and no answer of use comes of it."""

LARGEST_SURVEY_EPSILON: Final = 100
"""Largest ε of a question of a survey: one answer in 10^43 would be changed."""

LARGEST_CONE_REACH: Final = 600
"""Largest ε times diameter for which the optimum is sought: doubles end near e^-708.

Also the largest ε for counts of graphs, whose mean errors are told in doubles."""

MOST_NORMALIZERS: Final = 10_000
"""Points of a kernel whose different normalizers are compared pair by pair."""

LONGEST_WRITTEN: Final = 200_000
"""Largest ε·diameter (in bits) of a mechanism that is written out and proved in seconds."""

MOST_WRITTEN_KERNEL: Final = 1_000
"""Points of a rounded kernel that is written out where its normalizers do not decide."""

LARGEST_TIGHT_PROOF: Final = 1_000
"""Points for which the multipliers of the tight-constraints bound accompany a written matrix."""

LARGEST_KERNEL_PROOF: Final = 256
"""The same beside a kernel, whose documents are short and stay so."""

LARGEST_PATH_BOUND: Final = 2_000
"""Points of a path for which a bound is computed beside the theorem."""

LARGEST_PATH_PROOF: Final = 500
"""Points of a path for which the multipliers of that bound are kept for the document."""

RESIDUAL_FLOOR: Final = 1e-15
"""Residual of unit right-hand sides at which conjugate gradients in doubles are done."""

UNDERFLOW: Final = 2.0**-1000
"""More than any loss below the range of doubles in a product of moderate numbers."""

LARGEST_REDUCED: Final = 10_000
"""Points of a space whose kernel is solved through its orbits."""

MOST_ORBITS: Final = 1_500
"""Orbits of a kernel that is solved in doubles with a proved error: seconds, and 200 MB."""

MOST_BALL_ORBITS: Final = 200
"""Orbits of a kernel that is solved in ball arithmetic of any precision."""

MOST_EXACT_ORBITS: Final = 40
"""Orbits of a kernel that is solved in rational numbers."""

MOST_BALL_BITS: Final = 8_192
"""Precision at which ball arithmetic gives up on a sign."""
LIKELIHOOD_GAP: Final = 1e-10
"""Mean log-likelihood that the most likely shares of a survey may miss, at most."""

SEQUENCE_MARGIN: Final = 2.0**-30
"""Logarithms of ratios this close to the largest one are compared exactly.

Their doubles are sums of at most thousands of positive terms, each within 2^-40."""

LARGEST_GRID: Final = 2_500_000
"""Cells of a grid whose tight-constraints mechanism is kept as a kernel: about a minute."""
LEVEL_WIDTH: Final = 2.0**-37
"""Relative half width of the bracket of a level that is found by a root in doubles and proved."""

CHANCE_ERROR: Final = 1e-9
"""Binomial chances this close to a confidence are compared exactly: doubles err by far less."""

TAIL_ERROR: Final = 1e-6
"""The same of binomial tails, relative to the chance that is left: doubles err by far less."""

LEVELED_ERROR: Final = 1e-10
"""How far from 1 leveled normalizers may be in doubles; what they are is proved afterwards."""

LEVELED_ROOM: Final = 1e-9
"""Room per step below a level for the errors of leveled normalizers."""
