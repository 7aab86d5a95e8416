"""Exact numbers: levels, distances, weights, and the only tolerances.

Everything a privacy claim rests on is decided here: `Level` knows e^(ε d) as a rational
number or to any precision, `Surd` is an exact distance, `Weights` are exact probabilities.
"""

from typing import TYPE_CHECKING

from tightrope.doors import on_demand
from tightrope.exact import sizes, tolerances

if TYPE_CHECKING:
    from tightrope.exact.arrays import FloatArray, IntArray
    from tightrope.exact.balls import (
        ball_of,
        float_above,
        float_below,
        lower_bound,
        short_text,
        upper_bound,
        writable,
    )
    from tightrope.exact.convolution import box_convolution
    from tightrope.exact.digits import told_apart
    from tightrope.exact.doubles import (
        in_decimals,
        row_of_doubles,
        shortest_decimal,
        told_as_binary,
    )
    from tightrope.exact.enclosures import Enclosure, Line, enclose
    from tightrope.exact.expressions import Expression
    from tightrope.exact.intervals import LARGEST_END, LARGEST_SCALE, MOST_INTERVALS, Intervals
    from tightrope.exact.levels import Level
    from tightrope.exact.numbers import (
        Number,
        exact_number,
        exact_rows,
        fraction_of,
        stated,
        stated_whole,
    )
    from tightrope.exact.ownership import Parts, own, own_numbers, owned, parts, unchanged
    from tightrope.exact.powers import compare_power
    from tightrope.exact.radicals import Radical, RadicalField
    from tightrope.exact.rationals import bit_size, from_flint, to_flint
    from tightrope.exact.surds import INFINITE, Surd
    from tightrope.exact.weights import Weights, check_entries, float_rows, power_of_two
else:
    __getattr__ = on_demand(__name__)

__all__ = [
    "INFINITE",
    "LARGEST_END",
    "LARGEST_SCALE",
    "MOST_INTERVALS",
    "Enclosure",
    "Expression",
    "FloatArray",
    "IntArray",
    "Intervals",
    "Level",
    "Line",
    "Number",
    "Parts",
    "Radical",
    "RadicalField",
    "Surd",
    "Weights",
    "ball_of",
    "bit_size",
    "box_convolution",
    "check_entries",
    "compare_power",
    "enclose",
    "exact_number",
    "exact_rows",
    "float_above",
    "float_below",
    "float_rows",
    "fraction_of",
    "from_flint",
    "in_decimals",
    "lower_bound",
    "own",
    "own_numbers",
    "owned",
    "parts",
    "power_of_two",
    "row_of_doubles",
    "short_text",
    "shortest_decimal",
    "sizes",
    "stated",
    "stated_whole",
    "to_flint",
    "told_apart",
    "told_as_binary",
    "tolerances",
    "unchanged",
    "upper_bound",
    "writable",
]
