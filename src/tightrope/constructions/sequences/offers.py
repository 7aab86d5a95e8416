"""Constructions for a query, each with its parameters, tuned where none is given.

    utility-first          Theorem 1          stairs                 Example 9, its γ
    inverse-sensitivity    Theorem 2          ladder                 Example 10
    privacy-first          Theorem 3, δ       exponential-on-values  KLPC, with a base measure
    utility-then-privacy   Theorem 4, δ       k-norm                 Example 11, vectors only
    preferring-utility     Theorem 5, E and t
    preferring-privacy     Theorem 6, E and t

WXH. Parameters follow the name: `privacy-first:radius=2`, `stairs:gamma=1/2`,
`preferring-privacy:radius=0,set=0/1,penalty=1/2`. Tuning uses declarations, never data.
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
    Candidate,
    QueryTask,
    calibrated_value,
    has_unit_steps,
    solve_sets,
)
from tightrope.errors import BadInput, BadLevel, Infeasible
from tightrope.exact import Surd, sizes, stated, tolerances
from tightrope.spaces import Label, distance_table, point_named
from tightrope.utility import Problem, Solution

Options = Mapping[str, str]

_MOST_RADII, _MOST_DISTANCES = 16, 6
"""Most radii of values, and of datasets, that are tried: each takes a calibration."""
_MOST_OWN, _MOST_SEARCHED = 6, 64
"""Most radii for one dataset, and most datasets, in a search with a radius for each."""
_PENALTIES = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
_NORMS = ("sum", "largest", "hull")


@dataclass(frozen=True)
class Offer:
    """A construction of sets: name, description, parameters, and the candidate sets."""

    name: str
    reason: str
    options: tuple[str, ...]
    sets: Callable[[QueryTask, Options], Iterator[Candidate]]
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
                    f"{self.name} has {_parameter_list(self.options)}, found {name[:40]!r}."
                )
        task = QueryTask.of(problem)
        candidates = list(self.sets(task, options))
        if not candidates:
            raise Infeasible(f"{self.name} does not exist here: no sets cover the same answers "
                             "for all datasets.")
        return solve_sets(task, self.name, candidates, nominal)


def _parameter_list(options: tuple[str, ...]) -> str:
    return f"the parameters {', '.join(options)}" if options else "no parameters"


def _is_vector(label: Label) -> bool:
    return isinstance(label, tuple) and len(label) > 1


def _number(text: str, what: str) -> Fraction:
    try:
        number = stated(text, what)
    except BadLevel:
        number = Fraction(-1)
    if number < 0:
        raise BadInput(f"expected {what} of at least 0, found {text[:60]!r}.")
    return number


def _candidate(text: str, make: Callable[[], SetSequences]) -> Iterator[Candidate]:
    """A candidate, unless its sets do not cover the same answers for all datasets."""
    with suppress(BadInput):
        yield Candidate(text, make())


def _utility_first(task: QueryTask, _: Options) -> Iterator[Candidate]:
    yield from _candidate("utility-first", lambda: utility_first(task.query))


def _stairs(task: QueryTask, options: Options) -> Iterator[Candidate]:
    if "gamma" in options:
        gamma = _number(options["gamma"], "gamma as a number")
        yield Candidate(f"stairs:gamma={gamma}", utility_first(task.query, gamma))
        return
    unit = task.query.global_sensitivity
    lengths = [d.rational for d in task.query.lengths if d < unit and d.rational is not None]
    for gamma in _few(lengths, _MOST_RADII):
        yield from _candidate(f"stairs:gamma={gamma}",
                         lambda gamma=gamma: utility_first(task.query, gamma))  # type: ignore[misc]


def _ladder(task: QueryTask, _: Options) -> Iterator[Candidate]:
    yield from _candidate("ladder", lambda: ladder(task.query))


def _exponential(task: QueryTask, _: Options) -> Iterator[Candidate]:
    yield from _candidate("exponential-on-values", lambda: exponential_sets(task.query))


def _k_norm(task: QueryTask, options: Options) -> Iterator[Candidate]:
    names = [options["norm"]] if "norm" in options else list(_NORMS)
    for name in names:
        if name not in _NORMS:
            raise BadInput(f"expected norm=sum, largest or hull, found {name[:40]!r}.")
        made = partial(_norm_sets, task, name)
        yield from [Candidate(f"k-norm:norm={name}", made())] if "norm" in options else _candidate(
            f"k-norm:norm={name}", made)


def _norm_sets(task: QueryTask, name: str) -> SetSequences:
    if name == "hull":
        return k_norm(task.query, hull_norm(task.query))
    return k_norm(task.query, sum_norm if name == "sum" else largest_norm)


def _radii(task: QueryTask, radius: Fraction) -> list[Fraction]:
    """A common δ, larger where a dataset has no answer that near."""
    return [max(radius, Fraction(float(row.min()))) for row in task.distortion]


def _parse_radii(task: QueryTask, text: str) -> list[Fraction]:
    texts = text.split("/") if text.count("/") > 1 else [text]  # 1/2 is one number
    parts = [_number(part, "radius as a number") for part in texts]
    size = task.query.datasets.size
    if len(parts) == 1:
        return _radii(task, parts[0])
    if len(parts) != size:
        raise BadInput(f"expected one radius, or {size} with / between, found {len(parts)}.")
    return parts


def _distinct_losses(task: QueryTask, most: int) -> list[Fraction]:
    losses = np.unique(task.problem.losses).tolist()
    return _few([Fraction(loss) for loss in losses if loss >= 0], most)


def _own_radii(task: QueryTask) -> list[Fraction]:
    """One δ for each dataset, improved one after another until none improves: a local optimum."""
    size, choices = task.query.datasets.size, _distinct_losses(task, _MOST_OWN)
    if size > _MOST_SEARCHED:
        raise BadInput(
            f"radius=each is sought for at most {_MOST_SEARCHED} datasets, found {size:,}."
        )

    def rate(radii: list[Fraction]) -> float:
        with suppress(BadInput):
            return calibrated_value(
                task, privacy_first(task.query, radii, task.distortion))
        return inf

    best = min((_radii(task, radius) for radius in choices), key=rate)
    value, improved = rate(best), True
    while improved:
        improved = False
        for x, radius in product(range(size), choices):
            changed = [*best[:x], max(radius, _radii(task, radius)[x]), *best[x + 1 :]]
            loss = inf if changed == best else rate(changed)
            if loss < value * (1 - tolerances.DEFAULT_GAP):
                best, value, improved = changed, loss, True
    return best


def _inverse(task: QueryTask, _: Options) -> Iterator[Candidate]:
    yield from _candidate("inverse-sensitivity", lambda: privacy_first(
        task.query, _radii(task, Fraction(0)), task.distortion))


def _privacy_first(task: QueryTask, options: Options) -> Iterator[Candidate]:
    yield from _distance_sets(task, options, "privacy-first")


def _distance_sets(task: QueryTask, options: Options, name: str) -> Iterator[Candidate]:
    """Sets of Theorem 3 for the radius given, or for every loss that may matter."""
    if "radius" in options:
        text = options["radius"]
        radii = _own_radii(task) if text == "each" else _parse_radii(task, text)
        if text == "each":
            text = "/".join(_short(radius) for radius in radii)
        yield Candidate(f"{name}:radius={text}",
                        privacy_first(task.query, radii, task.distortion))
        return
    for radius in _distinct_losses(task, _MOST_RADII):
        yield from _candidate(
            f"{name}:radius={_short(radius)}",
            lambda radius=radius: privacy_first(  # type: ignore[misc]
                task.query, _radii(task, radius), task.distortion),
        )


def _utility_then_privacy(task: QueryTask, options: Options) -> Iterator[Candidate]:
    yield from _value_sets(task, options, "utility-then-privacy")


def _value_sets(task: QueryTask, options: Options, name: str) -> Iterator[Candidate]:
    """Sets of Theorem 4 for the radius given, or for the smallest distances of datasets."""
    if "radius" in options:
        given = [_number(options["radius"], "radius as a number")]
    else:
        lengths = [d.rational for d in distance_table(task.query.datasets)[0]]
        given = [d for d in lengths if d is not None][:_MOST_DISTANCES]
    for radius in given:
        yield from _candidate(
            f"{name}:radius={radius}",
            lambda radius=radius: utility_then_privacy(  # type: ignore[misc]
                task.query, [radius] * task.query.codomain.size),
        )


def _with_preferences(
    name: str, widen: Callable[[QueryTask, Options, str], Iterator[Candidate]]
) -> Callable[[QueryTask, Options], Iterator[Candidate]]:
    """Theorems 5 and 6: plain sets, and those with every preferred set and penalty."""

    def sets(task: QueryTask, options: Options) -> Iterator[Candidate]:
        given = "set" in options
        groups = [_parse_labels(task, options["set"])] if given else list(_favorites(task))
        penalties = ([_number(options["penalty"], "penalty as a number")]
                     if "penalty" in options else _PENALTIES)
        for plain in widen(task, options, name):
            for k, group in enumerate(groups):
                shown = "/".join(str(label) for label in group)
                for penalty in penalties:
                    if k and not penalty:  # without a penalty all groups are alike
                        continue
                    text = f"{plain.text},set={shown},penalty={penalty}"
                    yield Candidate(text, preferring(plain.sets, group, penalty))

    return sets


def _parse_labels(task: QueryTask, text: str) -> tuple[Label, ...]:
    return tuple(point_named(task.query.codomain, part) for part in text.split("/"))


def _favorites(task: QueryTask) -> Iterator[tuple[Label, ...]]:
    """The 1, 2, 4, … answers that lose least on average over the prior."""
    losses = task.problem.chances @ task.problem.losses
    order = [task.problem.answers[k] for k in np.argsort(losses, kind="stable").tolist()]
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
          ("radius", "set", "penalty"), _with_preferences("preferring-utility", _value_sets)),
    Offer("preferring-privacy", "Theorem 3 with some answers preferred (WXH, Theorem 6)",
          ("radius", "set", "penalty"), _with_preferences("preferring-privacy", _distance_sets),
          metric=False),
    Offer("ladder", "sets that widen by local sensitivities (WXH, Example 10)", (), _ladder),
    Offer("exponential-on-values", "base measure times e^(-β distance) (KLPC, Theorem 2.7)", (),
          _exponential),
    Offer("k-norm", "the norm whose unit ball holds what one step changes (WXH, Example 11)",
          ("norm",), _k_norm, vectors=True),
)
