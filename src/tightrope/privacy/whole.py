"""Definitions that are no predicates on one pair: any property of a whole mechanism.

Such a definition says of a matrix of exact fractions, a row for each input, whether it is
allowed: that every output is possible for three inputs, say, or that no guess is right too often.
It can be asked of one mechanism, and tried against the axioms of KL10: on all small matrices
of multiples of 1/grid, and on allowed ones close to where the definition begins to forbid,
post-processed (outputs joined, or one sent to another half of the time) and chosen between at
random. A counterexample is exact; where there is none, nothing is proved about other matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from inspect import Parameter, signature
from itertools import chain, product

from tightrope.errors import BadInput, TooLarge
from tightrope.facts import Fact, Facts, Shown, card_of, data, lines_of
from tightrope.markup import brief
from tightrope.mechanisms import FiniteMechanism, Held, Matrix, matrix_form
from tightrope.privacy.axioms import tuple_text
from tightrope.privacy.generic import BrokenBound, GenericVerdict
from tightrope.privacy.predicates import Predicate, ask
from tightrope.spaces import Relation

Rows = tuple[tuple[Fraction, ...], ...]
WholePredicate = Callable[[Rows], object]
MOST_MATRICES = 20_000
"""Matrices that are tried, at most."""
MOST_MIXED = 150
"""Allowed matrices that are chosen between, two by two, at most; those spread over all."""
MOST_EDGES = 400
"""Forbidden matrices between which and an allowed one the edge of the definition is sought."""
HALVINGS = 12
"""How often the way to a forbidden matrix is halved: the edge is known to 1/4096 of it."""
MOST_EVENTS = 200_000
"""Events that are asked one by one, at most."""
_HALF = Fraction(1, 2)
_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True)
class Transformed:
    """Allowed mechanisms and what was made of them, which is not allowed."""

    before: tuple[Rows, ...]
    how: str
    after: Rows

    __repr__ = brief

    @property
    def json(self) -> dict[str, object]:
        """All parts as programs get them."""
        return {"mechanisms": self.before, "how": self.how, "made": self.after}

    @property
    def text(self) -> str:
        """The counterexample in words that can be checked by hand."""
        rows = "; and ".join(" and ".join(map(tuple_text, table)) for table in self.before)
        after = " and ".join(map(tuple_text, self.after))
        return (f"allowed are the rows {rows}. Where {self.how}, they become {after}, which are "
                "not allowed.")


@dataclass(frozen=True)
class WholeVerdict:
    """The axioms of a definition of whole mechanisms, as far as it was tried.

    `allowed` of `tried` matrices are allowed by the definition.
    """

    processing: Transformed | None
    choice: Transformed | None
    inputs: int
    outputs: int
    grid: int
    tried: int
    allowed: int

    @property
    def transformation_invariance(self) -> bool:
        """Whether no counterexample by post-processing was found."""
        return self.processing is None

    @property
    def axiom_of_choice(self) -> bool:
        """Whether no counterexample by a random choice was found."""
        return self.choice is None

    @property
    def scope(self) -> str:
        """The cases that were tried, in words."""
        return (
            f"for {self.inputs} inputs, at most {self.outputs} outputs and probabilities that are "
            f"multiples of 1/{self.grid}, or within 1/{2**HALVINGS} of what is forbidden"
        )

    def facts(self) -> Facts:
        """Whether a counterexample to either axiom was found, what was tried, and each of them."""
        words = {True: "no counterexample found", False: "fails"}
        parts = {"transformation_invariance": self.processing, "choice": self.choice}
        broken = {name: part.json for name, part in parts.items() if part is not None}
        named = ("Post-processing", self.processing), ("Random choice", self.choice)
        return Facts(
            "WholeVerdict", "",
            (Fact("transformation_invariance", "post-processing", Shown(
                self.transformation_invariance, words[self.transformation_invariance])),
             Fact("choice", "random choice", Shown(
                 self.axiom_of_choice, words[self.axiom_of_choice])),
             Fact("scope", "tried", Shown(
                 self.scope, f"{self.tried:,} matrices, {self.allowed:,} of them allowed, "
                 f"{self.scope}")),
             *data(counterexample=broken or None, satisfiable=self.allowed > 0, exact=False,
                   grid=self.grid, bound=None, bound_at_zero=None)),
            tuple(f"{name}: {part.text}" for name, part in named if part is not None),
        )

    __repr__ = lines_of
    _repr_html_ = card_of


def keeps(mechanism: FiniteMechanism | Held | Matrix, allowed: WholePredicate) -> bool:
    """Whether a definition of whole mechanisms allows this one, asked of its exact rows.

    >>> keeps([["3/4", "1/4"], ["1", "0"]], lambda rows: all(all(column) for column in zip(*rows)))
    False
    """
    matrix = matrix_form(mechanism)
    return _ask(allowed, tuple(tuple(matrix.row_at(i)) for i in range(matrix.space.size)))


def takes_matrix(function: Callable[..., object]) -> bool:
    """Whether a function takes one argument, a whole matrix, and not two probabilities.

    >>> takes_matrix(lambda rows: True), takes_matrix(lambda a, b: True)
    (True, False)
    """
    try:
        given = signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [parameter for parameter in given
              if parameter.default is parameter.empty and parameter.kind in _BY_PLACE]
    return len(needed) == 1


def verify_events(
    mechanism: FiniteMechanism | Held | Matrix, predicate: Predicate, relation: Relation
) -> GenericVerdict:
    """Whether every event of every related pair is allowed by any predicate, one by one.

    For a predicate that is no bound by a concave M, whose corners would decide.

    >>> from tightrope.mechanisms import MatrixMechanism
    >>> made = MatrixMechanism.of([["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]], "path:0..1")
    >>> found = verify_events(made, lambda a, b: b <= a or b < 1, Relation.on(made.space))
    >>> found.holds, found.events
    (True, 14)
    """
    matrix = matrix_form(mechanism)
    width = len(matrix.outputs)
    events = len(relation) * 2**width
    if events > MOST_EVENTS:
        raise TooLarge("the number of events", events, MOST_EVENTS,
                       "a bound by corners or a formula needs a few only")
    checked = 0
    for i, j in relation:
        p, q = matrix.row_at(i), matrix.row_at(j)
        for chosen in range(1, 2**width):
            event = [z for z in range(width) if chosen >> z & 1]
            a, b = (sum((row[z] for z in event), Fraction(0)) for row in (p, q))
            checked += 1
            if not ask(predicate, a, b):
                points = matrix.space.points
                outputs = tuple(matrix.outputs[z] for z in event)
                broken = BrokenBound(points[i], points[j], outputs, (a, b), None, "the function")
                return GenericVerdict(broken, checked, relation)
    return GenericVerdict(None, checked, relation)


def judge_whole(
    allowed: WholePredicate, *, inputs: int = 2, outputs: int = 3, grid: int = 4
) -> WholeVerdict:
    """Try both axioms on a definition of whole mechanisms; what fails has a counterexample.

    >>> def rare(rows):  # two inputs may be told apart, but not by a likely output
    ...     return all(max(column) <= Fraction(1, 2) or min(column) > 0 for column in zip(*rows))
    >>> found = judge_whole(rare)
    >>> found.transformation_invariance, found.processing.how
    (False, 'output 0 is joined to output 1')
    """
    sizes = (inputs, 2, 6), (outputs, 1, 5), (grid, 2, 24)
    for value, low, high in sizes:
        if not low <= value <= high:
            raise BadInput(f"expected a number from {low} to {high}, found {value}.")
    laws = list(_laws(outputs, grid))
    if len(laws) ** inputs > MOST_MATRICES:
        raise TooLarge("the number of matrices to try", len(laws) ** inputs, MOST_MATRICES,
                       "try fewer inputs, outputs or a coarser grid")
    tried = list(product(laws, repeat=inputs))
    verdicts = [_ask(allowed, rows) for rows in tried]
    good = [rows for rows, holds in zip(tried, verdicts, strict=True) if holds]
    bad = [rows for rows, holds in zip(tried, verdicts, strict=True) if not holds]
    edge = [rows for rows in map(partial(_edge, allowed), _spread(bad, MOST_EDGES)) if rows]
    processed = chain(_processed(allowed, good), _processed(allowed, edge))
    mixed = chain(_mixed(allowed, good), _mixed(allowed, edge))
    return WholeVerdict(
        next(processed, None), next(mixed, None),
        inputs, outputs, grid, len(tried) + len(edge), len(good) + len(edge),
    )


def _spread(matrices: Sequence[Rows], most: int) -> Sequence[Rows]:
    """So many of them at most, spread over all."""
    return matrices[:: max(1, -(-len(matrices) // most))]


def _edge(allowed: WholePredicate, forbidden: Rows) -> Rows | None:
    """The last allowed matrix on the way from equal rows to a forbidden one, by halving.

    The rows at the start are the mean of those at the end; None where that is forbidden too.
    """
    mean = tuple(sum(column) / len(forbidden) for column in zip(*forbidden, strict=True))
    low, high = Fraction(0), Fraction(1)
    if not _ask(allowed, _between(mean, forbidden, low)):
        return None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _ask(allowed, _between(mean, forbidden, middle)):
            low = middle
        else:
            high = middle
    return _between(mean, forbidden, low)


def _between(start: tuple[Fraction, ...], end: Rows, share: Fraction) -> Rows:
    return tuple(
        tuple(a + share * (b - a) for a, b in zip(start, row, strict=True)) for row in end
    )


def _laws(outputs: int, grid: int, left: int | None = None) -> Iterator[tuple[Fraction, ...]]:
    """All laws on the outputs with multiples of 1/grid."""
    left = grid if left is None else left
    if outputs == 1:
        yield (Fraction(left, grid),)
        return
    for first in range(left + 1):
        for rest in _laws(outputs - 1, grid, left - first):
            yield (Fraction(first, grid), *rest)


def _processed(allowed: WholePredicate, good: Sequence[Rows]) -> Iterator[Transformed]:
    for rows in good:
        width = range(len(rows[0]))
        for source, target in product(width, repeat=2):
            if source == target:
                continue
            for share, how in ((Fraction(1), "is joined to"), (_HALF, "becomes, half the time,")):
                made = tuple(_move(row, source, target, share) for row in rows)
                if not _ask(allowed, made):
                    yield Transformed((rows,), f"output {source} {how} output {target}", made)


def _move(
    row: tuple[Fraction, ...], source: int, target: int, share: Fraction
) -> tuple[Fraction, ...]:
    moved = list(row)
    moved[target] += share * row[source]
    moved[source] -= share * row[source]
    return tuple(moved)


def _mixed(allowed: WholePredicate, good: Sequence[Rows]) -> Iterator[Transformed]:
    some = _spread(good, MOST_MIXED)
    for first, second in product(some, repeat=2):
        made = tuple(
            tuple((p + q) / 2 for p, q in zip(x, y, strict=True))
            for x, y in zip(first, second, strict=True)
        )
        if not _ask(allowed, made):
            yield Transformed((first, second), "each is chosen half the time", made)


def _ask(allowed: WholePredicate, rows: Rows) -> bool:
    try:
        answer = allowed(rows)
    except (Exception, SystemExit) as reason:
        raise BadInput(
            f"the definition raised {type(reason).__name__}: {reason} on a matrix of "
            f"{len(rows)} rows and {len(rows[0])} columns."
        ) from None
    if type(answer).__name__ not in {"bool", "bool_"}:
        raise BadInput(f"the definition must say True or False of a matrix, found {answer!r:.60}.")
    return bool(answer)
