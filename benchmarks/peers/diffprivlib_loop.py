"""diffprivlib: the exponential mechanism with all values equally far apart is k-ary response."""

from diffprivlib.mechanisms import ExponentialCategorical
from stopwatch import race


def prepare(categories, epsilon):
    names = [str(value) for value in range(categories)]
    apart = [(a, b, 1.0) for place, a in enumerate(names) for b in names[place + 1 :]]
    mechanism = ExponentialCategorical(epsilon=epsilon, utility_list=apart)
    return lambda column: [mechanism.randomise(value) for value in column]


race(prepare, "diffprivlib", form=lambda codes: [str(code) for code in codes.tolist()],
     beside=("scikit-learn",))
