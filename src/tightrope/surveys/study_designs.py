"""The design of a question at a level, and the question with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tightrope.errors import BadInput, BadLevel, Infeasible
from tightrope.exact import Level, Number
from tightrope.surveys.best_designs import Aim, best_design
from tightrope.surveys.comparison import designs_at, largest_truth
from tightrope.surveys.designs import (
    TWO_QUESTIONS,
    Design,
    answer_list,
    crosswise,
    unrelated_question,
)
from tightrope.surveys.optimum import best_binary, ratio_of
from tightrope.surveys.protection import prove
from tightrope.surveys.quantities import MEAN
from tightrope.surveys.questions import (
    Kind,
    Question,
    SecondQuestion,
    private_question,
    refuse_half,
)
from tightrope.surveys.study import (
    StudyQuestion,
    clear_question,
    form_of,
    named,
    scores_of,
    sensitive_of,
)
from tightrope.surveys.variance import Shares, all_shares
from tightrope.utility import workload_of

BEST = "best"
TRIANGULAR = (
    "the triangular design has a zero cell: one response proves a true answer, so it is private at "
    'no ε. Crosswise asks for as little and is private: kind = "crosswise".'
)


def design_at(
    answers: Sequence[str],
    level: Level | Number,
    name: str | None = None,
    *,
    prevalence: Number | Sequence[Number] | None = None,
    aim: Aim | None = None,
) -> Design:
    """The design for these answers at a level, the harmless one first.

    For two answers, one that `designs_at` has by that name or the best for a prevalence, and
    Warner's if none is named; for more, k-ary, or the best for an aim and expected shares.

    >>> design_at(("no", "yes"), Level.ratio(3)).name, design_at("abc", 1).name
    ('warner', 'k-ary')
    """
    names, asked = answer_list(answers), Level.positive(level)
    if name == "triangular":
        raise Infeasible(TRIANGULAR)
    if name == BEST and (len(names) > 2 or aim is not None):
        if isinstance(prevalence, str) or not isinstance(prevalence, Sequence | None):
            raise BadInput(f"expected the shares of all {len(names)} answers, found {prevalence}.")
        return best_design(names, asked, aim=aim or "shares", prior=prevalence).design
    if aim is not None:
        raise BadInput("an aim chooses the best design: ask for the design “best” beside it.")
    if len(names) > 2:
        if name not in (None, "k-ary"):
            raise BadInput(
                f"the design {name} is for two answers; k-ary or best randomize {len(names)}."
            )
        (only,) = designs_at(asked, answers=names)
        return only.asking(names, names[1:])
    if name == BEST:
        share = None if prevalence is None else all_shares(prevalence)[-1]
        return best_binary(asked, share).design.asking(names)
    known = {design.name: design for design in reversed(designs_at(asked, answers=names))}
    wanted = name or "warner"
    if wanted in TWO_QUESTIONS or wanted == "unrelated":
        raise BadInput(f"the design {wanted!r} needs a second question: state it in a study "
                       f"(kind = {wanted.split()[0]!r}), or choose another design.")
    if wanted not in known:
        listed = [other for other in reversed(known) if other not in TWO_QUESTIONS]
        raise BadInput(
            f"there is no design {wanted!r} at this level; expected best or one of "
            f"{', '.join(map(repr, listed))}."
        )
    return known[wanted]


def design_of(asked: StudyQuestion, level: Level) -> Design:
    """The design of a question that is not clear, at a level."""
    values, sensitive = asked.values, sensitive_of(asked)
    if asked.own is not None:
        if len(asked.own.answers) != len(values):
            raise BadInput(f"the design {asked.own.name} is for {len(asked.own.answers)} answers, "
                           f"and the question has {len(values)}.")
        return asked.own.asking(values, sensitive)
    if asked.second is not None:
        return _of_two(asked.kind, asked.second, level).asking(values, sensitive)
    if asked.prevalence is not None and asked.design != BEST:
        raise BadInput('expected shares choose the best design: design = "best".')
    made = design_at(values, level, asked.design, prevalence=asked.prevalence, aim=aim_at(asked))
    return made.asking(values, sensitive)


def aim_at(asked: StudyQuestion) -> Aim | None:
    """The aim of a question; a mean is that of its scores, among the values that have one.

    Σ s π / Σ π, its R, errs like the mean of (s - R)/Σ π, to first order at the expected shares.
    """
    scores = scores_of(asked)
    if asked.aim != MEAN or scores is None:
        return asked.aim
    known = [score for score in scores if score is not None]
    if len(known) == len(scores):
        return tuple(known)
    law = expected_shares(asked)[: len(known)]  # values without a score come last
    among = sum(law, Fraction(0))
    if not among:
        raise BadInput("expected shares above 0 of values that have a score.")
    mean = sum((p * s for p, s in zip(law, known, strict=True)), Fraction(0)) / among
    rest = [Fraction(0)] * (len(scores) - len(known))
    return (*((score - mean) / among for score in known), *rest)


def expected_shares(asked: StudyQuestion) -> Shares:
    """The expected shares of all values of a question; equal ones if none are stated."""
    size = len(asked.values)
    return ((Fraction(1, size),) * size if asked.prevalence is None
            else all_shares(asked.prevalence))


@dataclass(frozen=True)
class PlannedAim:
    """The weights that an aim is planned for, divided by their range `unit`, and its shares."""

    name: str
    rows: tuple[Shares, ...]
    unit: Fraction
    shares: Shares | None


def planned_aim(asked: StudyQuestion) -> PlannedAim | None:
    """The aim that the best design of a question is planned for; None where it is all shares."""
    if asked.design != BEST or asked.aim in (None, "shares"):
        return None
    rows = workload_of(aim_at(asked) or MEAN, len(asked.values)).rows
    name = asked.aim if isinstance(asked.aim, str) else ", ".join(map(str, rows[0]))
    scores = scores_of(asked) if asked.aim == MEAN else None
    known = [score for score in scores or rows[0] if score is not None]
    unit = max(known) - min(known)
    if asked.aim == MEAN:
        name = f"{MEAN}, from {float(min(known)):g} to {float(max(known)):g}"
    stated = asked.prevalence is not None or (scores is not None and None in scores)
    return PlannedAim(name, tuple(tuple(w / unit for w in row) for row in rows), unit,
                   expected_shares(asked) if stated else None)


def proved_question(asked: StudyQuestion, level: Level | None) -> Question:
    """The question with its design, and the proof that this has the level; None if clear."""
    try:
        if level is None:
            return clear_question(asked)
        design = design_of(asked, level)
        proof = prove(design, level)
        return private_question(asked.key, asked.text, design, proof, **form_of(asked))
    except BadLevel:
        raise
    except BadInput as wrong:
        raise BadInput(f"{named(asked)}: {wrong}") from None


def _of_two(kind: Kind, second: SecondQuestion, level: Level) -> Design:
    """The design of a question with a second one; an unrelated one is asked as often as it can."""
    if kind is Kind.CROSSWISE:
        refuse_half(second)
        return crosswise(second.low)
    truth = largest_truth(ratio_of(level), level.delta, second.ends)
    return unrelated_question(truth, second.low)
