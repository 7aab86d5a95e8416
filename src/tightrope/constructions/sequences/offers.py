"""What is offered for a query: each construction with its parameters, tuned where none is given.

    utility-first          Theorem 1          stairs                 Example 9, its γ
    inverse-sensitivity    Theorem 2          ladder                 Example 10
    privacy-first          Theorem 3, δ       exponential-on-values  KLPC, with a base measure
    utility-then-privacy   Theorem 4, δ       k-norm                 Example 11, vectors only
    preferring-utility     Theorem 5, E and t
    preferring-privacy     Theorem 6, E and t

WXH. Parameters follow the name: `privacy-first:radius=2`, `stairs:gamma=1/2`,
`preferring-privacy:radius=0,set=0/1,penalty=1/2`. Tuning looks at declarations, never at data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import inf

import numpy as np

from tightrope.constructions.obstacles import zero_obstacle
from tightrope.constructions.sequences.ladder import (
    exponential_sets,
    hull_norm,
    k_norm,
    ladder,
    largest_norm,
    sum_norm,
)
from tightrope.constructions.sequences.set_policies import (
    preferring,
    privacy_first,
    utility_first,
    utility_then_privacy,
)
from tightrope.constructions.sequences.set_sequences import SetSequences
from tightrope.constructions.sequences.solving import (
    Asked,
    Candidate,
    calibrated_value,
    has_unit_steps,
    solve_sets,
)
from tightrope.errors import BadInput, BadLevel, Infeasible
from tightrope.exact import Surd, sizes, stated, tolerances
from tightrope.spaces import Label, distance_table, point_named
from tightrope.utility import Problem, Solution

Options = Mapping[str, str]

_MOST_RADII = 16
_MOST_DISTANCES = 6
_MOST_OWN = 6
_MOST_SEARCHED = 64
_PENALTIES = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
_NORMS = ("sum", "largest", "hull")


@dataclass(frozen=True)
class Offer:
    """A construction of sets: its name, what it is, its parameters, and the sets to be tried."""

    name: str
    reason: str
    options: tuple[str, ...]
    sets: Callable[[Asked, Options], Iterator[Candidate]]
    metric: bool = True
    vectors: bool = False

    def obstacle(self, problem: Problem, nominal: bool = False) -> str | None:
        """Why it does not exist for a problem; None where it does."""
        query = problem.query
        if query is None:
            return "it needs a query on datasets: a value for each of them."
        if float(problem.level) > sizes.LARGEST_CONE_REACH:
            return f"its sets are tuned in doubles, up to ε = {sizes.LARGEST_CONE_REACH}."
        if self.metric and query.global_sensitivity == Surd.of(0):
            return "it needs a query that a step to a neighbor, at distance 1, can change."
        if self.vectors and not _is_vector(query.codomain.points[0]):
            return "it needs values that are vectors; on a line it is exponential-on-values."
        if nominal and not has_unit_steps(problem.space):
            return (f"its theorem is about neighbors at distance 1, and distances of "
                    f"{problem.space.text} are others.")
        return zero_obstacle(problem)

    def solve(self, problem: Problem, options: Options, *, nominal: bool = False) -> Solution:
        """The best mechanism with these parameters; those not given are tuned."""
        for name in options:
            if name not in self.options:
                raise BadInput(
                    f"{self.name} has {_listed(self.options)}, found {name[:40]!r}."
                )
        asked = Asked.of(problem)
        found = list(self.sets(asked, options))
        if not found:
            raise Infeasible(f"{self.name} does not exist here: no sets cover the same answers "
                             "for all datasets.")
        return solve_sets(asked, self.name, found, nominal)


def _listed(options: tuple[str, ...]) -> str:
    return f"the parameters {', '.join(options)}" if options else "no parameters"


def _is_vector(label: Label) -> bool:
    return isinstance(label, tuple) and len(label) > 1


def _number(text: str, what: str) -> Fraction:
    try:
        found = stated(text, what)
    except BadLevel:
        found = Fraction(-1)
    if found < 0:
        raise BadInput(f"expected {what} of at least 0, found {text[:60]!r}.")
    return found


def _made(text: str, make: Callable[[], SetSequences]) -> Iterator[Candidate]:
    """A candidate, unless its sets do not cover the same answers for all datasets."""
    with suppress(BadInput):
        yield Candidate(text, make())


def _utility_first(asked: Asked, _: Options) -> Iterator[Candidate]:
    yield from _made("utility-first", lambda: utility_first(asked.query))


def _stairs(asked: Asked, options: Options) -> Iterator[Candidate]:
    if "gamma" in options:
        gamma = _number(options["gamma"], "gamma as a number")
        yield Candidate(f"stairs:gamma={gamma}", utility_first(asked.query, gamma))
        return
    unit = asked.query.global_sensitivity
    lengths = [d.rational for d in asked.query.lengths if d < unit and d.rational is not None]
    for gamma in _few(lengths, _MOST_RADII):
        yield from _made(f"stairs:gamma={gamma}",
                         lambda gamma=gamma: utility_first(asked.query, gamma))  # type: ignore[misc]


def _ladder(asked: Asked, _: Options) -> Iterator[Candidate]:
    yield from _made("ladder", lambda: ladder(asked.query))


def _exponential(asked: Asked, _: Options) -> Iterator[Candidate]:
    yield from _made("exponential-on-values", lambda: exponential_sets(asked.query))


def _k_norm(asked: Asked, options: Options) -> Iterator[Candidate]:
    names = [options["norm"]] if "norm" in options else list(_NORMS)
    for name in names:
        if name not in _NORMS:
            raise BadInput(f"expected norm=sum, largest or hull, found {name[:40]!r}.")
        made = partial(_norm_sets, asked, name)
        yield from [Candidate(f"k-norm:norm={name}", made())] if "norm" in options else _made(
            f"k-norm:norm={name}", made)


def _norm_sets(asked: Asked, name: str) -> SetSequences:
    if name == "hull":
        return k_norm(asked.query, hull_norm(asked.query))
    return k_norm(asked.query, sum_norm if name == "sum" else largest_norm)


def _radii(asked: Asked, radius: Fraction) -> list[Fraction]:
    """A common δ, larger where a dataset has no answer that near."""
    return [max(radius, Fraction(float(row.min()))) for row in asked.distortion]


def _given_radii(asked: Asked, text: str) -> list[Fraction]:
    texts = text.split("/") if text.count("/") > 1 else [text]  # 1/2 is one number
    parts = [_number(part, "radius as a number") for part in texts]
    size = asked.query.datasets.size
    if len(parts) == 1:
        return _radii(asked, parts[0])
    if len(parts) != size:
        raise BadInput(f"expected one radius, or {size} with / between, found {len(parts)}.")
    return parts


def _distinct_losses(asked: Asked, most: int) -> list[Fraction]:
    losses = np.unique(asked.problem.losses).tolist()
    return _few([Fraction(loss) for loss in losses if loss >= 0], most)


def _own_radii(asked: Asked) -> list[Fraction]:
    """One δ for each dataset, improved one after another until none improves: a local optimum."""
    size, choices = asked.query.datasets.size, _distinct_losses(asked, _MOST_OWN)
    if size > _MOST_SEARCHED:
        raise BadInput(
            f"radius=each is sought for at most {_MOST_SEARCHED} datasets, found {size:,}."
        )

    def rated(radii: list[Fraction]) -> float:
        with suppress(BadInput):
            return calibrated_value(
                asked, privacy_first(asked.query, radii, asked.distortion))
        return inf

    best = min((_radii(asked, radius) for radius in choices), key=rated)
    value, improved = rated(best), True
    while improved:
        improved = False
        for x, radius in product(range(size), choices):
            changed = [*best[:x], max(radius, _radii(asked, radius)[x]), *best[x + 1 :]]
            if changed != best and (found := rated(changed)) < value * (1 - tolerances.DEFAULT_GAP):
                best, value, improved = changed, found, True
    return best


def _inverse(asked: Asked, _: Options) -> Iterator[Candidate]:
    yield from _made("inverse-sensitivity", lambda: privacy_first(
        asked.query, _radii(asked, Fraction(0)), asked.distortion))


def _privacy_first(asked: Asked, options: Options) -> Iterator[Candidate]:
    yield from _widened(asked, options, "privacy-first")


def _widened(asked: Asked, options: Options, name: str) -> Iterator[Candidate]:
    """Sets of Theorem 3 for the radius given, or for every loss that may matter."""
    if "radius" in options:
        text = options["radius"]
        radii = _own_radii(asked) if text == "each" else _given_radii(asked, text)
        if text == "each":
            text = "/".join(_short(radius) for radius in radii)
        yield Candidate(f"{name}:radius={text}",
                        privacy_first(asked.query, radii, asked.distortion))
        return
    for radius in _distinct_losses(asked, _MOST_RADII):
        yield from _made(
            f"{name}:radius={_short(radius)}",
            lambda radius=radius: privacy_first(  # type: ignore[misc]
                asked.query, _radii(asked, radius), asked.distortion),
        )


def _utility_then_privacy(asked: Asked, options: Options) -> Iterator[Candidate]:
    yield from _reached(asked, options, "utility-then-privacy")


def _reached(asked: Asked, options: Options, name: str) -> Iterator[Candidate]:
    """Sets of Theorem 4 for the radius given, or for the smallest distances of datasets."""
    if "radius" in options:
        given = [_number(options["radius"], "radius as a number")]
    else:
        lengths = [d.rational for d in distance_table(asked.query.datasets)[0]]
        given = [d for d in lengths if d is not None][:_MOST_DISTANCES]
    for radius in given:
        yield from _made(
            f"{name}:radius={radius}",
            lambda radius=radius: utility_then_privacy(  # type: ignore[misc]
                asked.query, [radius] * asked.query.codomain.size),
        )


def _preferring(name: str, widen: Callable[[Asked, Options, str], Iterator[Candidate]]) -> Callable[
    [Asked, Options], Iterator[Candidate]
]:
    """Theorems 5 and 6: plain sets, and those with every preferred set and penalty."""

    def sets(asked: Asked, options: Options) -> Iterator[Candidate]:
        given = "set" in options
        groups = [_preferred(asked, options["set"])] if given else list(_favorites(asked))
        penalties = ([_number(options["penalty"], "penalty as a number")]
                     if "penalty" in options else _PENALTIES)
        for plain in widen(asked, options, name):
            for k, group in enumerate(groups):
                shown = "/".join(str(label) for label in group)
                for penalty in penalties:
                    if k and not penalty:  # without a penalty all groups are alike
                        continue
                    text = f"{plain.text},set={shown},penalty={penalty}"
                    yield Candidate(text, preferring(plain.sets, group, penalty))

    return sets


def _preferred(asked: Asked, text: str) -> tuple[Label, ...]:
    return tuple(point_named(asked.query.codomain, part) for part in text.split("/"))


def _favorites(asked: Asked) -> Iterator[tuple[Label, ...]]:
    """The 1, 2, 4, … answers that lose least on average over the prior."""
    losses = asked.problem.chances @ asked.problem.losses
    order = [asked.problem.answers[k] for k in np.argsort(losses, kind="stable").tolist()]
    many = 1
    while many < len(order):
        yield tuple(order[:many])
        many *= 2


def _few(values: Sequence[Fraction], most: int) -> list[Fraction]:
    """The smallest half of `most` of them, and the rest evenly."""
    distinct = sorted(set(values))
    if len(distinct) <= most:
        return distinct
    half = most // 2
    later = np.linspace(half, len(distinct) - 1, most - half).round().astype(int).tolist()
    return [*distinct[:half], *(distinct[k] for k in later)]


def _short(value: Fraction) -> str:
    return str(value) if value.denominator < 10**6 else repr(float(value))


OFFERS = (
    Offer("utility-first", "sets as wide as what one step can change (WXH, Theorem 1)", (),
          _utility_first),
    Offer("stairs", "the same, its first set wider by γ (WXH, Example 9)", ("gamma",), _stairs),
    Offer("inverse-sensitivity", "how many steps to a dataset with that answer (WXH, Theorem 2)",
          (), _inverse, metric=False),
    Offer("privacy-first", "how many steps to a dataset that near the answer (WXH, Theorem 3)",
          ("radius",), _privacy_first, metric=False),
    Offer("utility-then-privacy", "how near a value whose datasets reach the answer (WXH, "
          "Theorem 4)", ("radius",), _utility_then_privacy),
    Offer("preferring-utility", "Theorem 4 with some answers preferred (WXH, Theorem 5)",
          ("radius", "set", "penalty"), _preferring("preferring-utility", _reached)),
    Offer("preferring-privacy", "Theorem 3 with some answers preferred (WXH, Theorem 6)",
          ("radius", "set", "penalty"), _preferring("preferring-privacy", _widened), metric=False),
    Offer("ladder", "sets that widen by local sensitivities (WXH, Example 10)", (), _ladder),
    Offer("exponential-on-values", "base measure times e^(-β distance) (KLPC, Theorem 2.7)", (),
          _exponential),
    Offer("k-norm", "the norm whose unit ball holds what one step changes (WXH, Example 11)",
          ("norm",), _k_norm, vectors=True),
)
