"""Two definitions of privacy to be judged."""


def allowed(a, b):
    """Probabilities within a factor of two."""
    return a <= 2 * b and b <= 2 * a


def extremes(a, b):
    """Nearly alike or nearly opposite, which no choice between two mechanisms keeps."""
    return abs(a - b) <= 0.1 or abs(a - b) >= 0.9
