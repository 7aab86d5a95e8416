"""Every error the library raises, in one tree.

TightropeError
├─ BadInput         what was given cannot be used; nothing was done
│  ├─ BadLevel      an ε or δ outside its range
│  ├─ BadSpace      a space that cannot be read or does not make sense
│  │  ├─ NotAMetric a triangle inequality (or symmetry, or positivity) fails
│  │  └─ NotAPoint  a label that is not a point of the space
│  ├─ BadMatrix     probabilities that are negative, not finite, or do not add up
│  ├─ BadDocument   a file that is not a mechanism document this version reads
│  ├─ BadTable      a table or column that cannot be used as asked
│  └─ TooLarge      an answer that would need more numbers than a machine holds
├─ AnswerIsNo       the question was understood and the answer is no
│  ├─ Infeasible    what was asked for does not exist
│  ├─ NotIntact     a document was changed after it was written
│  ├─ NotOptimal    a claim of optimality says more than its proof does
│  └─ NotPrivate    a mechanism breaks its level; carries the refutation
├─ Refused          possible, but not without what is missing
│  ├─ NotCertified  only certified mechanisms are run
│  └─ CannotCheck   the claim is beyond what can be checked here
└─ Failed           something outside the library gave up
   ├─ SolverFailed
   └─ SystemFailed
"""

from typing import Any

from tightrope.characters import escape, few, shorten


class TightropeError(Exception):
    """The root of all errors of this library; its sentence can be printed as it is.

    >>> import tightrope as tr
    >>> try:
    ...     tr.space("path:9..0")
    ... except tr.TightropeError as error:
    ...     print(error)
    a path needs a low end below its high end, found 9..0.
    """

    def __str__(self) -> str:
        return escape(super().__str__())

    def _render_traceback_(self) -> list[str]:
        """The lines that a notebook shows: the sentence, without the calls that led to it."""
        return [f"{type(self).__name__}: {self}"]


class BadInput(TightropeError):
    """The input cannot be used; nothing was done.

    >>> import tightrope as tr
    >>> try:
    ...     tr.Level.of("-1")
    ... except tr.errors.BadInput as error:
    ...     print(type(error).__name__)
    BadLevel
    """

    def __init__(self, sentence: str, **values: Any) -> None:
        super().__init__(sentence)
        self.values = values


class BadLevel(BadInput):
    """An ε or δ outside its range."""

    def __init__(self, found: object, expected: str) -> None:
        try:
            shown = str(found)
        except ValueError:  # an integer of more digits than Python writes out
            shown = "a number of thousands of digits"
        shown = shown if len(shown) <= 80 else f"{shown[:77]}..."
        super().__init__(f"expected {expected}, found {shown}.", found=found, expected=expected)


class BadSpace(BadInput):
    """A space that cannot be read or does not make sense."""


class NotAMetric(BadSpace):
    """Distances that break an axiom of a metric; names the points."""

    def __init__(self, points: tuple[Any, ...], reason: str) -> None:
        named = ", ".join(shorten(str(point)) for point in points)
        super().__init__(f"these distances are not a metric: {reason} (points {named}).")
        self.points = points
        self.reason = reason


class NotAPoint(BadSpace):
    """A label that is not a point of the space."""

    def __init__(self, label: object, space: Any) -> None:
        super().__init__(
            f"{shorten(repr(label))} is not a point of {shorten(space.text)}; "
            f"its points are {few(space.points, space.size)}.",
            label=label,
            space=space.text,
        )


class BadMatrix(BadInput):
    """Probabilities that are negative, not finite, or do not add up."""


class BadDocument(BadInput):
    """A file that is not a mechanism document this version reads."""


class BadTable(BadInput):
    """A table or column that cannot be used as asked."""


class TooLarge(BadInput):
    """An answer that would need more numbers than a machine holds."""

    def __init__(self, what: str, found: int, limit: int, instead: str) -> None:
        bits = found.bit_length()  # Python writes no integers of more than 4,300 digits
        digits = len(str(found)) if bits < 10_000 else int(bits * 0.30103)
        shown = f"{found:,}" if digits <= 30 else f"about 10^{digits - 1}"
        most = f"{limit:,}" if limit < 10**30 else f"about 10^{len(str(limit)) - 1}"
        super().__init__(f"{what} is {shown}, more than the limit of {most}; {instead}.")
        self.what, self.found, self.limit = what, found, limit


class AnswerIsNo(TightropeError):
    """The question was understood and the answer is no."""


class Infeasible(AnswerIsNo):
    """The thing asked for does not exist; carries the reason and the proof.

    >>> import tightrope as tr
    >>> try:
    ...     tr.constructions.tight_weights(tr.spaces.star(4), tr.Level.ratio(2))
    ... except tr.errors.Infeasible as no:
    ...     print(no.proof.point)
    0
    """

    def __init__(self, reason: str, proof: object = None) -> None:
        super().__init__(reason)
        self.reason, self.proof = reason, proof


class NotIntact(AnswerIsNo):
    """A document was changed after it was written: its digest does not fit."""

    def __init__(self, stated: str, found: str) -> None:
        super().__init__(
            f"the document was changed: it states the digest {stated}, its content has {found}."
        )
        self.stated, self.found = stated, found


class NotOptimal(AnswerIsNo):
    """A claim of optimality that says more than its own multipliers and weights prove.

    None is proved where multipliers break a condition, or an estimate does not exist.
    """

    def __init__(self, value: float, proved_value: Any, bound: float, proved_bound: Any) -> None:
        parts = []
        if proved_value is None or value < proved_value:
            least = "no estimate exists" if proved_value is None else (
                f"it is {_near(proved_value, value)}")
            parts.append(f"a loss of at most {value!r} where {least}")
        if proved_bound is None or bound > proved_bound:
            parts.append(f"a bound of {bound!r} where {_near(proved_bound, bound)} is proved")
        super().__init__(f"the document claims {' and '.join(parts)}.")
        self.value, self.bound = value, bound
        self.proved_value, self.proved_bound = proved_value, proved_bound


def _near(number: Any, stated: float) -> str:
    """The number as a double; where that is the stated one, with what makes it differ."""
    if number is None:
        return "nothing"
    try:
        near = float(number)
    except OverflowError:
        return "a number beyond all doubles"
    if near != stated:
        return repr(near)
    apart = float(abs(number - type(number)(stated)))
    return f"{near!r} {'+' if number > stated else '-'} {apart:.1e}"


class NotPrivate(AnswerIsNo):
    """A mechanism breaks its level; carries the refutation with its witness.

    >>> import tightrope as tr
    >>> try:
    ...     given = tr.mechanisms.MatrixMechanism.of([[0.9, 0.1], [0.1, 0.9]], "categories:2")
    ...     tr.privacy.certified(given, "ln(2)")
    ... except tr.errors.NotPrivate as no:
    ...     print(no.refutation.witness.first, no.refutation.witness.second)
    0 1
    """

    def __init__(self, refutation: Any) -> None:
        super().__init__(str(refutation))
        self.refutation = refutation


class Refused(TightropeError):
    """Possible, but not without what is missing."""


class NotCertified(Refused):
    """Only certified mechanisms are run.

    >>> import tightrope as tr
    >>> try:
    ...     tr.draw([[0.5, 0.5], [0.5, 0.5]], 0)
    ... except tr.errors.NotCertified as refused:
    ...     print(refused)
    expected a certified mechanism, found list; certify or verify it first.
    """

    def __init__(self, found: object, *, changed: bool = False) -> None:
        what = "that is not what was proved" if changed else ""
        held = not changed and hasattr(found, "certified")
        super().__init__(
            f"expected a certified mechanism, found {type(found).__name__} {what}".rstrip()
            + ("; it holds one as .certified." if held else "; certify or verify it first.")
        )
        self.found = found


class CannotCheck(Refused):
    """The claim is beyond what can be checked here.

    >>> import tightrope as tr
    >>> issubclass(tr.errors.CannotCheck, tr.TightropeError)  # neither proved nor refuted
    True
    """


class Failed(TightropeError):
    """Something outside the library gave up."""


class SolverFailed(Failed):
    """A solver stopped without an answer.

    >>> import tightrope as tr
    >>> issubclass(tr.errors.SolverFailed, tr.TightropeError)  # no answer, and so no claim
    True
    """


class SystemFailed(Failed):
    """A disk, database or other outside system failed."""
