"""The least loss of a private mechanism as one plain linear program, for a solver to decide.

No symmetry, no rays, no irreducible pairs: every pair of inputs and every output is a line of
the program. Its answer is floating point and proves nothing; `exact_programs` proves small ones.
"""

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack, kron, vstack


def distances(space):
    """All distances of a space as doubles."""
    everyone = np.arange(space.size)
    return space.lengths(everyone[:, None], everyone[None, :])


def least_loss(factors, losses, *, prior=None, delta=0.0):
    """The least Σ prior P loss or, without a prior, the least loss of the worst input.

    P has rows that add up to 1 and, for all a, b with a finite factors[a, b] = e^(ε d(a,b)),
    Σ_z max(0, P[a, z] - factors[a, b] P[b, z]) <= delta.
    """
    return _solved(factors, losses, prior, delta).fun


def best_matrix(factors, losses, prior):
    """A matrix with the least average loss, as a solver returns it."""
    return _solved(factors, losses, prior, 0.0).x[: np.size(losses)].reshape(np.shape(losses))


def _solved(factors, losses, prior, delta):
    losses = np.asarray(losses, dtype=float)
    size, width = losses.shape
    pairs = [(a, b) for a in range(size) for b in range(size)
             if a != b and np.isfinite(factors[a][b])]
    one = np.repeat(np.arange(len(pairs)), 2)
    unit = np.array([1.0 if delta else 1 / float(factors[a][b]) for a, b in pairs])
    coefficients = np.ravel([(k, -k * float(factors[a][b]))
                             for k, (a, b) in zip(unit, pairs, strict=True)])
    ratios = kron(
        csr_array((coefficients, (one, np.ravel(pairs))), shape=(len(pairs), size)),
        eye_array(width),
    )  # P[a, z] - factor P[b, z] <= excess[a, b, z], both sides small where there is no excess
    sums = kron(eye_array(size), np.ones((1, width)))
    excesses = len(pairs) * width if delta else 0
    upper = [hstack([ratios, -eye_array(excesses)] if delta else [ratios])]
    limits = [np.zeros(len(pairs) * width)]
    if delta:
        spent = kron(eye_array(len(pairs)), np.ones((1, width)))
        upper.append(hstack([csr_array((len(pairs), size * width)), spent]))
        limits.append(np.full(len(pairs), float(delta)))
    equal = hstack([sums, csr_array((size, excesses))])
    bounds = [(0, None)] * (size * width + excesses)
    if prior is not None:
        weighted = np.asarray(prior, dtype=float)[:, None] * losses
        cost = np.concatenate([weighted.ravel(), np.zeros(excesses)])
        top = vstack(upper)
    else:  # one variable more: the largest loss of all inputs
        rows = np.repeat(np.arange(size), width)
        each = csr_array((losses.ravel(), (rows, np.arange(size * width))))
        each.resize((size, size * width + excesses))
        plain = vstack(upper)
        top = vstack([hstack([plain, csr_array((plain.shape[0], 1))]),
                      hstack([each, -np.ones((size, 1))])])
        limits.append(np.zeros(size))
        equal = hstack([equal, csr_array((size, 1))])
        cost = np.append(np.zeros(size * width + excesses), 1.0)
        bounds.append((None, None))
    found = linprog(cost, A_ub=top.tocsr(), b_ub=np.concatenate(limits), A_eq=equal.tocsr(),
                    b_eq=np.ones(size), bounds=bounds, method="highs")
    assert found.status == 0
    return found
