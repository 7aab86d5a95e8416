"""Extreme rays of a cone by the double description method, in whole numbers.

Written for these tests alone: it knows nothing of collections of sets, heights or orbits.
"""

from math import gcd

Ray = tuple[int, ...]


def dot(line, ray):
    return sum(a * b for a, b in zip(line, ray, strict=True))


def reduced(ray) -> Ray:
    divisor = gcd(*ray)
    return tuple(entry // divisor for entry in ray)


def tight(ray, lines):
    return frozenset(k for k, line in enumerate(lines) if dot(line, ray) == 0)


def adjacent_pairs(above, below, everyone, lines):
    """Pairs of rays that share a face which no third ray lies on."""
    zeros = {ray: tight(ray, lines) for ray in everyone}
    for p in above:
        for q in below:
            shared = zeros[p] & zeros[q]
            if not any(shared <= zeros[o] for o in everyone if o != p and o != q):
                yield p, q


def cut(rays, line, lines, *, equation):
    """The rays after one more half space line · v >= 0, or hyperplane line · v = 0."""
    above = [ray for ray in rays if dot(line, ray) > 0]
    below = [ray for ray in rays if dot(line, ray) < 0]
    level = [ray for ray in rays if dot(line, ray) == 0]
    for p, q in adjacent_pairs(above, below, rays, lines):
        a, b = dot(line, p), -dot(line, q)
        level.append(reduced([b * x + a * y for x, y in zip(p, q, strict=True)]))
    return level if equation else level + above


def column_rays(size, over, under):
    """The rays of the cone of columns: under · v_i <= over · v_k, v >= 0."""
    signs = [tuple(int(i == k) for k in range(size)) for i in range(size)]
    rays, lines = list(signs), list(signs)
    for i in range(size):
        for k in range(size):
            if i != k:
                line = tuple(over * (j == k) - under * (j == i) for j in range(size))
                rays = cut(rays, line, lines, equation=False)
                lines.append(line)
    return rays, lines


def matrix_rays(size, over, under):
    """Private size × size matrices with equal row sums, up to a factor, column by column."""
    single, own = column_rays(size, over, under)
    zero = (0,) * size

    def placed(vector, j):
        return tuple(entry for k in range(size) for entry in (vector if k == j else zero))

    rays = [placed(ray, j) for j in range(size) for ray in single]
    lines = [placed(line, j) for j in range(size) for line in own]
    for i in range(1, size):
        line = tuple(int(k == i) - int(k == 0) for _ in range(size) for k in range(size))
        rays = cut(rays, line, lines, equation=True)
    return rays
