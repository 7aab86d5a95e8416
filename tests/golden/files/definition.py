"""Definitions of privacy to be judged."""

from itertools import pairwise


def allowed(a, b):
    """Probabilities within a factor of two."""
    return a <= 2 * b and b <= 2 * a


def extremes(a, b):
    """Nearly alike or nearly opposite, which no choice between two mechanisms keeps."""
    return abs(a - b) <= 0.1 or abs(a - b) >= 0.9


def follow(matrix):
    """Two rows that follow each other are equal; of three rows this may be either pair."""
    return any(tuple(a) == tuple(b) for a, b in pairwise(matrix))


def likeliest(matrix):
    """A measure that merging outputs raises."""
    return max(matrix[0])
