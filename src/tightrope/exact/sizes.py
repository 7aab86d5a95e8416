"""How large a question may be: the largest and smallest sizes, each with the reason for it.

They keep memory and time within what a person waits for. Beyond them an answer is refused in
one sentence; none of them changes an answer that is given.
"""

from typing import Final

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

LARGEST_LOSS: Final = 1e200
"""Entries of a loss up to here can be added up in doubles; nobody measures in such units."""

LARGEST_EXACT_LOSS: Final = 100_000
"""Entries of a mechanism whose exact loss decides whether it is called optimal: a tenth of a
second."""

LONGEST_RATIO: Final = 13_000
"""Bits of a ratio that documents carry as a decimal fraction (about 3,900 digits)."""

LARGEST_PROGRAM: Final = 250_000
"""Neighbor pairs times outputs of a program with δ, up to symmetry: solved in minutes."""

LARGEST_NEIGHBOR_PROOF: Final = 1_000_000
"""The same, counted without symmetry: what is proved in half a minute."""

LARGEST_ACCURACY: Final = 1_700_000
"""Pairs of inputs, or inputs times answers, of a space whose ε* is sought."""

LARGEST_CONE_MEMORY: Final = 8_000_000_000
"""Bytes that search and proof of an optimal mechanism may take, by an estimate made before."""

LARGEST_KERNEL: Final = 200_000
"""Points of a space whose kernel mechanisms list a weight for each."""

LEAST_SOUGHT_LEVEL: Final = 1e-9
"""Smallest ε that a search for the smallest level tries."""

SMALLEST_SHOWN: Final = 1e-300
"""Smallest ε and smallest positive δ that may be asked for: below it doubles end, and soon 0 is
shown."""

SMALLEST_LINE_EPSILON: Final = 1e-6
"""Smallest ε for noise on a line: mean errors are compared in doubles."""

SMALLEST_DRAWN_EPSILON: Final = 1e-20
"""Smallest ε for counts of graphs: the tables of their noise have a place for every eight bits of
its size, so that far smaller ones take minutes, and no answer of use comes of it."""

LEAST_DRAWN_FALL: Final = 1e-40
"""Least q - 1 of noise with weights q^-rung that is drawn at all: its tables take seconds."""

LARGEST_SURVEY_EPSILON: Final = 100
"""Largest ε of a question of a survey: one answer in 10^43 would be changed."""

LARGEST_CONE_REACH: Final = 600
"""Largest ε times diameter for which the optimum is sought: doubles end near e^-708.

Also the largest ε for counts of graphs and for noise on a line, whose mean errors are told in
doubles."""

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

LARGEST_PATH_PROOF: Final = 500
"""Points of a path whose optimum is proved by multipliers; on longer ones kernels are kept."""

LARGEST_REDUCED: Final = 10_000
"""Points of a space whose kernel is solved through its orbits."""

MOST_ORBITS: Final = 1_500
"""Orbits of a kernel that is solved in doubles with a proved error: seconds, and 200 MB."""

MOST_BALL_ORBITS: Final = 200
"""Orbits of a kernel that is solved in ball arithmetic of any precision."""

MOST_EXACT_ORBITS: Final = 40
"""Orbits of a kernel that is solved in rational numbers."""

MOST_RADICAL_UNKNOWNS: Final = 160
"""Orbits of a kernel times the degree of a field of radicals in which it is solved: seconds."""

MOST_BALL_BITS: Final = 8_192
"""Precision at which ball arithmetic gives up on a sign."""

LARGEST_GRID: Final = 2_500_000
"""Cells of a grid whose tight-constraints mechanism is kept as a kernel: about a minute."""
