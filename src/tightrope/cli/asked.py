"""Groups of options that commands share: a level, an objective, an effort, as typed.

Each group (see `flat`) has one method that returns the value of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from tightrope.choices import Goal
from tightrope.cli.options import (
    Delta,
    Epsilon,
    GapOption,
    GoalOption,
    LossOption,
    Normalize,
    PriorOption,
    Ratio,
    TimeOption,
    loss_names,
)
from tightrope.errors import BadInput, BadLevel, BadMatrix

if TYPE_CHECKING:
    from tightrope.constructions import Effort
    from tightrope.exact import Level
    from tightrope.files import Subject
    from tightrope.spaces import Label, MetricQuery, Space
    from tightrope.utility import Loss, Prior


@dataclass(frozen=True)
class AskedLevel:
    """A level: --epsilon or --ratio, and --delta.

    >>> AskedLevel(ratio="2").level().text
    'ln(2)'
    """

    epsilon: Epsilon = None
    ratio: Ratio = None
    delta: Delta = "0"

    def level(self) -> Level:
        """The level; it is bad input to ask for none."""
        level = self.if_any()
        if level is None:
            raise BadInput('a level is missing: give --epsilon 0.5 (or "ln(2)"), or --ratio 2.')
        return level

    def if_any(self) -> Level | None:
        """The level, None if none was asked for."""
        from tightrope.exact import Level

        if self.epsilon is not None and self.ratio is not None:
            raise BadInput("give the level once: --epsilon or --ratio, not both.")
        if self.epsilon is not None:
            return _check_shown(Level.parse(self.epsilon, self.delta))
        if self.ratio is not None:
            return _check_shown(Level.ratio(self.ratio, self.delta))
        if self.exact_delta() != 0:
            raise BadInput("--delta needs a level beside it: give --epsilon or --ratio too.")
        return None

    def level_for(self, file: Path, given: Subject) -> Level:
        """The level, or else the one that a document claims; one that was changed is refused."""
        from tightrope.files import load

        level = self.if_any()
        if given.intact is False:
            load(file)  # says how the digest fails
        level = given.claim if level is None else level
        if level is None:
            raise BadInput("a bare matrix claims no level: give --epsilon 0.5, or --ratio 2.")
        return level

    def exact_delta(self) -> Fraction:
        """The δ alone, where ε is searched for."""
        from tightrope.exact import Level

        return _check_shown(Level.ratio(2, self.delta)).delta


def _check_shown(level: Level) -> Level:
    """The level, if its ε and δ are 0 or large enough to be shown as decimal numbers."""
    from tightrope.exact import sizes

    if not level.is_zero and float(level) < sizes.SMALLEST_SHOWN:
        raise BadLevel("less", f"a privacy level ε of 0 or of at least {sizes.SMALLEST_SHOWN:g}")
    if level.delta and float(level.delta) < sizes.SMALLEST_SHOWN:
        raise BadLevel("less", f"a δ of 0 or of at least {sizes.SMALLEST_SHOWN:g}")
    return level


class Aim(TypedDict):
    """Prior, loss, goal, outputs and query, as `design` and its like take them by keyword."""

    prior: Prior
    loss: Loss | str | None
    goal: Goal
    outputs: Sequence[Label] | None
    query: MetricQuery | None


@dataclass(frozen=True)
class AskedObjective:
    """The objective: --prior, --loss, --goal and --normalize."""

    prior: PriorOption = "uniform"
    loss: LossOption = None
    goal: GoalOption = Goal.AVERAGE
    normalize: Normalize = False

    def on(self, space: Space, outputs: Path | None = None) -> Aim:
        """The objective on a space; a file of outputs names the answers allowed."""
        from tightrope.files import read_outputs
        from tightrope.utility import binary

        answers = None if outputs is None else read_outputs(outputs, space)
        loss = _loss_of(self.loss, space, answers)
        if answers is not None and loss == binary:
            _check_points(answers, space, outputs)
        return Aim(prior=self.prior_on(space), loss=loss, goal=self.goal, outputs=answers,
                   query=None)

    def prior_on(self, space: Space) -> Prior:
        """The prior that is asked for on a space."""
        return prior_of(self.prior, space, normalize=self.normalize)


@dataclass(frozen=True)
class AskedEffort:
    """How hard to look for the optimum: --gap and --time."""

    gap: GapOption = None
    time: TimeOption = None

    def effort(
        self,
        watch: Callable[[int, float, float], None] | None = None,
        seconds: float | None = None,
    ) -> Effort:
        """The effort with its `watch`; `seconds` are the time allowed without --time."""
        from tightrope.constructions import ORDINARY, Effort

        for name, value in (("--gap", self.gap), ("--time", self.time)):
            if value is not None and not 0 < value < inf:
                finite = " and finite" if value == inf else ""
                raise BadInput(f"expected {name} above 0{finite}, found {value:g}.")
        if self.gap is not None and self.gap >= 1:
            raise BadInput(
                f"expected --gap below 1, a share of the loss such as 0.001, found {self.gap:g}."
            )
        return Effort(
            ORDINARY.gap if self.gap is None else self.gap,
            self.time or seconds or ORDINARY.seconds,
            watch,
        )


def exact_number(text: str, expected: str) -> Fraction:
    """The number in a text, exactly; it is 0 or within the range of doubles.

    >>> exact_number("0.1", "--radius as a number")
    Fraction(1, 10)
    """
    from tightrope.exact import fraction_of, sizes

    try:
        number = fraction_of(text, expected)
        if 0 < abs(float(number)) < sizes.SMALLEST_SHOWN or (number and not float(number)):
            raise OverflowError
    except (BadLevel, OverflowError):
        raise BadInput(f"expected {expected}, found {text[:60]!r}.") from None
    return number


def prior_of(text: str, space: Space, *, normalize: bool = False) -> Prior:
    """The prior by name, or from a file with one number for each point of the space.

    To `normalize` divides the numbers by their total, however far from 1 that is, and says so.
    """
    from tightrope.cli.output import console
    from tightrope.exact import tolerances
    from tightrope.files import read_vector
    from tightrope.utility import Prior, uniform

    if text == "uniform":
        return uniform
    file_or(text, "the prior uniform")
    given = read_vector(text, space.points)
    total = sum(given, Fraction(0))
    if total > 0 and abs(total - 1) > Fraction(tolerances.ROW_TOTAL_ERROR):
        sums = f"{text} adds up to {_about(total)}"
        if not normalize:
            raise BadMatrix(f"{sums}; expected 1 within {tolerances.ROW_TOTAL_ERROR:g}, or ask to "
                            "divide by the total (normalize).")
        given = tuple(number / total for number in given)
        console(stderr=True).print(f"{sums}; every number in it was divided by that.")
    try:
        prior = Prior.of(given)
        prior.check(space)
    except BadMatrix as reason:
        raise BadMatrix(f"{text}: {reason}") from None
    return prior


def extra_of(texts: Sequence[str] | None, space: str, *, normalize: bool = False) -> dict[str, Any]:
    """Mechanisms of the user's own by name, from NAME=FILE or NAME=FILE.py:FUNCTION each."""
    from tightrope.files import function_in, read_subject

    extra: dict[str, Any] = {}
    for text in texts or ():
        name, equals, file = text.partition("=")
        if not (name and equals and file):
            raise BadInput(f"expected --extra NAME=FILE, such as mine=m.csv, found {text!r}.")
        if name in extra:
            raise BadInput(f"--extra names {name!r} twice; give each mechanism its own name.")
        extra[name] = function_in(file, "(space, level)") or read_subject(
            file, space, normalize=normalize).mechanism
    return extra


def _about(total: Fraction) -> str:
    """A total in nine digits, however large."""
    from tightrope.exact import short_text

    return f"{float(total):.9g}" if total < 10**15 else short_text(total)


def _loss_of(
    text: str | None, space: Space, outputs: Sequence[Label] | None
) -> Loss:
    """The loss by name, the fitting one without a name, or that of a file: a row per point."""
    from tightrope.files import function_in, on_space, read_matrix
    from tightrope.utility import LossMatrix, loss_of

    if text is None or text in loss_names():
        return loss_of(text, space, outputs)
    function = function_in(text, "(x, z)")
    if function is not None:
        return loss_of(function, space, outputs)
    file_or(text, f"one of the losses {', '.join(loss_names())}, FILE.py:FUNCTION")
    read = read_matrix(text)
    try:
        rows = on_space(read, space)[0] if outputs is None else read.along(space.points, outputs)
    except BadMatrix as reason:
        raise BadMatrix(f"{text}: {reason}") from None
    return LossMatrix(rows.numbers)


def _check_points(answers: Sequence[Label], space: Space, outputs: Path | None) -> None:
    """Refuse an answer that is right for no input, as a slip of the pen is."""
    points = set(space.points)
    for answer in answers:
        if answer not in points:
            raise BadInput(
                f"{outputs}: the output {answer!r} is no point of {space.text}, so the binary "
                "loss counts it as wrong for every input; leave it out, or give another --loss."
            )


def file_or(text: str, names: str) -> None:
    """Refuse a text that is neither one of the names nor that of a file."""
    if not text or not Path(text).exists():
        if Path(text).suffix[1:].isalpha():
            raise BadInput(f"there is no file {text}.")
        raise BadInput(f"expected {names} or the name of a file, found {text!r}.")
