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

TIGHT_MARGIN: Final = 2.0**-36
"""Ratios this close to the largest one allowed are called tight in descriptions."""

SOLVER_ERROR: Final = 1e-7
"""How far the optimum reported by a floating-point solver may be from the true one."""

CONE_STEP: Final = 0.9
"""Share of the way to the boundary that an interior-point step goes."""

CONE_REGULARIZATION: Final = 1e-15
"""Added to the unit diagonal of scaled Newton matrices."""

SPARSE_REGULARIZATION: Final = 1e-13
"""Added to the unit diagonal of Newton matrices that are factored one by one, as sparse ones."""

RESCALING_ERROR: Final = 1e-13
"""Relative change of multipliers at which sweeps towards dual feasibility end."""

AGREEMENT: Final = 1e-4
"""The same change as a share of the gap, while the search goes on."""

SCHUR_RIDGE: Final = 1e-9
"""Added to the unit diagonal of the approximate Schur complement, which is in single precision."""

SCHUR_ERROR: Final = 1e-5
"""Relative error of conjugate gradients on the Schur complement; larger for a predictor."""

EXACT_SCHUR_ERROR: Final = 1e-11
"""The same error where the complement is written out, so that one or two iterations suffice."""

CONE_GAP_FLOOR: Final = 1e-18
"""Mean complementarity below which double arithmetic makes no progress."""

ROUNDING_ROOM: Final = 2.0**-56
"""Least room below e^(ε d) for rounding weights to 62 bits."""

SHIPPING_ERROR: Final = 1e-9
"""Feasibility asked of the solver of sparse programs; what it finds is proved afterwards."""

LEAST_START: Final = 1e-9
"""Least weight of a column of the start, relative to the largest: less is next to the boundary."""

BALANCE_ERROR: Final = 1e-13
"""How far from 1 the total of a balanced row may be, far below the room of levels."""

TOTAL_ERROR: Final = 2.0**-48
"""Rounding error of totals of rows near 1: thousands of correctly rounded numbers."""

FAINT_SHARES: Final = (1.0, 0.5, 0.2, 0.05, 1e-2, 1e-4, 0.0)
"""Multipliers below this share of the largest inflow of a coordinate are left out, in turn."""

THINNING_ERROR: Final = 1e-10
"""Dual infeasibility tolerated after sparsifying, as a share of mean costs."""

THINNING_SHARE: Final = 1e-8
"""The same as a share of the bound, where that is far below mean costs."""

PROGRAM_ERROR: Final = 1e-10
"""Feasibility asked of the solver of sparse programs, the least that it accepts."""

SOLVER_ENTRY: Final = 1e-9
"""Entries of sparse programs below this are dropped."""

LEAST_ENTRY: Final = 1e-12
"""The same where they matter, the least that the solver keeps."""

PROGRAM_GAP: Final = 1e-9
"""Relative gap asked of refined solutions of sparse programs: far below the one proved."""

LOSS_ERROR: Final = 2.0**-48
"""Relative error allowed in the double approximations of losses."""

ROUNDED_AWAY: Final = 1e-9
"""Total variation by which rounding may keep a matrix from its level: repaired, and said so."""

DEFAULT_GAP: Final = 1e-6
"""Relative gap to the proved bound at which the search for the optimum stops."""

RESIDUAL_FLOOR: Final = 1e-15
"""Residual of unit right-hand sides at which conjugate gradients in doubles are done."""

UNDERFLOW: Final = 2.0**-1000
"""More than any loss below the range of doubles in a product of moderate numbers."""

LIKELIHOOD_GAP: Final = 1e-10
"""Mean log-likelihood that the most likely shares of a survey may miss, at most."""

SEQUENCE_MARGIN: Final = 2.0**-30
"""Logarithms of ratios this close to the largest one are compared exactly.

Their doubles are sums of at most thousands of positive terms, each within 2^-40."""

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

CORNER_ROOM: Final = 1e-5
"""Room above zero that is asked of the programs that look for a proof at the corner of a grid."""

CORNER_ERROR: Final = 2.0**-40
"""Relative error, beside the length of an exponent, with which their solutions are checked.

A term has one power, two square roots and three products, each within a few times 2^-53, and 64
of them are added up: a hundredth of this."""

NOISE_SUM: Final = 1e-11
"""Room for the errors of laws of sums of noises in doubles, and for their tails left out."""

TIME_ERROR: Final = 2.0**-40
"""Error allowed in logarithms of times of arrival in doubles, relative to 1 and what is added."""

RANDOMIZER_GAP: Final = 1e-9
"""Relative gap at which the search for a randomizer ends; the bound is proved afterwards."""

RANDOMIZER_RARE: Final = 1e-8
"""A ray with less than this part of the largest share leaves a randomizer."""

RANDOMIZER_UNSEEN: Final = 1e-6
"""Where outputs are few, a ray with less than this part of the largest share leaves, too: a page
would list a response that nobody sends."""

RANDOMIZER_RESIDUAL: Final = 1e-6
"""Row sums off by more than this say that rays of a randomizer do not add up to one."""

RANDOMIZER_FLOOR: Final = 1e-10
"""Part of their mean added to multipliers of row sums, so that they are positive on all rays."""

RANDOMIZER_RIDGES: Final = (1e-9, 1e-11, 1e-13)
"""Weights of all shares beside the queries, so that the information matrix is not singular.

The variance errs by about their root. Smaller ones are tried where the first leaves a gap."""

RANDOMIZER_JITTER: Final = 1e-12
"""Part by which the diagonal of a Newton system grows, so that rounding leaves it definite."""

RANDOMIZER_SLACK: Final = 1e-12
"""Relative room for rounding in the multipliers of a randomizer, far below its gap."""

RANDOMIZER_GAIN: Final = 1e-4
"""Relative gain of a round of exchanges of few rays below which they end."""

RANDOMIZER_TRACE: Final = 1e-12
"""Part of the trace added to J: unions that do not tell all queries get a large moment."""

RANDOMIZER_WORST: Final = 1e-7
"""Relative gap at which the search for a least favorable prior ends; both sides are proved."""

RANDOMIZER_MASTER: Final = 1e-13
"""Change of the value at which the search for shares among given second moments ends."""

RHO_WIDTH: Final = 1e-10
"""Relative width at which the search for the largest ρ of zCDP ends; its lower end is proved."""

WRITTEN_ERROR: Final = 1e-9
"""Relative difference of two expected errors that are taken for the same in a document.

Laws of sums of noises are added up in doubles, and last digits differ from machine to machine."""
