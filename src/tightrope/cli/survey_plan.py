"""`tightrope survey plan`: which design, and how many respondents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Force, Json, PlotFile
from tightrope.errors import AnswerIsNo, BadInput

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Console

    from tightrope.applications.surveys import Design, Plan
    from tightrope.exact import Level

NO_YES = "no/yes"


@dataclass(frozen=True)
class AskedDesign:
    """The true answers, how common they are expected to be, and a design of one's own."""

    answers: Annotated[
        str | None,
        typer.Option(
            "--answers",
            metavar="A/B/…",
            help="The answers, the harmless one first and all others sensitive; no/yes if not "
            "given. A star marks the sensitive one of two: yes/no*. A slash inside one is \\/.",
            show_default=False,
        ),
    ] = None
    matrix: Annotated[
        Path | None,
        typer.Option(
            "--matrix",
            metavar="FILE",
            help="A design of your own (.csv, .tsv, .parquet, .npy, .json): a row for each true "
            "answer, a column for each response, exact fractions or decimals.",
            show_default=False,
        ),
    ] = None
    prevalence: Annotated[
        str | None,
        typer.Option(
            "--prevalence",
            metavar="SHARE",
            help="The expected share of the last of two answers, or the shares of all with commas "
            "(0.7,0.2,0.1); without it the worst case counts.",
            show_default=False,
        ),
    ] = None

    def own(self, answers: str | None) -> Design | None:
        """The design in the file, for these answers if any; None if no file was given."""
        return None if self.matrix is None else _matrix_design(self.matrix, answers)


Confidence = Annotated[
    float, typer.Option("--confidence", metavar="NUMBER", help="Of the interval, from 0 to 1.")
]


def plan(
    *,
    asked: AskedLevel,
    violation: Annotated[
        str | None,
        typer.Option(
            "--violation",
            metavar="SHARE",
            help="Instead of a level: the largest P(sensitive answer | response), "
            "all answers but the first being sensitive.",
            show_default=False,
        ),
    ] = None,
    own: AskedDesign,
    margin: Annotated[
        float, typer.Option("--margin", metavar="NUMBER", help="Wanted margin of error: 0.05.")
    ] = 0.05,
    confidence: Confidence = 0.95,
    chebyshev: Annotated[
        bool,
        typer.Option("--chebyshev", metavar="", help="A size that needs no normal approximation."),
    ] = False,
    difference: Annotated[
        str | None,
        typer.Option(
            "--difference",
            metavar="A:B",
            help="Also the size of each group to see shares A and B differ: 0.1:0.15.",
            show_default=False,
        ),
    ] = None,
    power: Annotated[
        float, typer.Option("--power", metavar="NUMBER", help="To see that difference.")
    ] = 0.8,
    plot: PlotFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare randomized-response designs at equal protection, by the respondents they need.

    Example: tightrope survey plan --epsilon 1 --prevalence 0.1 --margin 0.05
    """
    from tightrope.applications import surveys
    from tightrope.cli.report import deliver
    from tightrope.cli.targets import PictureTarget
    from tightrope.cli.wording import level_json

    picture = PictureTarget(plot, force)
    level = asked.if_any()
    shares = None if own.prevalence is None else _shares(own.prevalence)
    bound = surveys.Bound.CHEBYSHEV if chebyshev else surveys.Bound.NORMAL
    designs = _designs(level, violation, own, shares)
    plans = surveys.smallest_plan(
        designs, margin, confidence=confidence, prevalence=shares, bound=bound
    )
    groups = None
    if difference is not None:
        first, colon, second = difference.partition(":")
        if not colon:
            raise BadInput(f"expected two shares as 0.1:0.15, found {difference!r}.")
        found = surveys.plan_difference(
            plans[0].design, _shares(first), _shares(second), power=power
        )
        groups = {"first": first, "second": second, "power": power, "per_group": found.per_group}
    picture.draw(lambda: _figure(designs, margin, confidence))
    answer = {
        "rows": [_row(one, plans[0], level) for one in plans],
        "left_out": sorted({one.name for one in designs} - {one.design.name for one in plans}),
        **({"epsilon": None, "delta": None} if level is None else level_json(level)),
        "violation": violation,
        "margin": margin,
        "confidence": confidence,
        "prevalence": own.prevalence,
        "bound": bound.value,
        "difference": groups,
        "picture": picture.name,
    }
    deliver(answer, lambda screen: _show(screen, answer, level), as_json=as_json)


def answer_names(text: str) -> tuple[str, ...]:
    """The answers in a text such as no/yes, the harmless one first.

    >>> answer_names("never / once/often"), answer_names("yes*/no")
    (('never', 'once', 'often'), ('no', 'yes'))
    """
    from tightrope.spaces import split_names

    listed = split_names(text)
    names = [name.removesuffix("*").strip() for name in listed]
    marked = [name for name, raw in zip(names, listed, strict=True) if raw.endswith("*")]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names):
        raise BadInput(f"expected at least two different answers as no/yes, found {text!r}.")
    if marked and (len(names), len(marked)) != (2, 1):
        raise BadInput(
            "a star marks the sensitive one of two answers (of more, all but the first are "
            f"sensitive), found {text!r}."
        )
    if not marked:
        _check_order(names)
    return tuple(sorted(names, key=lambda name: name in marked))


def _check_order(names: Sequence[str]) -> None:
    if [name.casefold() for name in names] == ["yes", "no"]:
        raise BadInput(
            "the harmless answer comes first, so that “no” would be the sensitive one of yes/no: "
            "write no/yes, or yes/no* if that is meant."
        )


def _matrix_design(file: Path, answers: str | None) -> Design:
    """The design in a file: a row for each answer, a column for each response."""
    from tightrope.applications import surveys
    from tightrope.data import read_matrix

    read = read_matrix(file)
    height, width = read.values.shape
    asked = answer_names(NO_YES if answers is None else answers)
    if answers is not None and answers.strip().startswith(f"{asked[1]}*"):
        raise BadInput(f"the rows of {file} are the answers, the harmless one first: write it so.")
    names = asked if read.row_labels is None else tuple(map(str, read.row_labels))
    if answers is None:
        _check_order(names)
    elif names != asked:
        raise BadInput(
            f"the rows of {file} are named {', '.join(names)}, not {', '.join(asked)}: "
            "leave the answers out, or name them alike."
        )
    if len(names) != height:
        raise BadInput(
            f"expected a row of {file} for each of the answers {', '.join(names)}, "
            f"found {height} rows."
        )
    if read.column_labels is not None:
        responses = tuple(map(str, read.column_labels))
    else:
        responses = names if width == height else tuple(f"response {j + 1}" for j in range(width))
    # a decimal means what is written there: 0.1 is 1/10, not the double beside it
    cells = read.exact or [[repr(float(value)) for value in row] for row in read.values]
    return surveys.custom(names, responses, cells, names[1:])


def _shares(text: str) -> str | tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    return parts[0] if len(parts) == 1 else parts


def _designs(
    level: Level | None,
    violation: str | None,
    asked: AskedDesign,
    shares: str | tuple[str, ...] | None,
) -> tuple[Design, ...]:
    """The designs to compare: at a level, at a degree of violation, or a matrix alone."""
    from tightrope.applications import surveys
    from tightrope.exact import told_apart

    brought = asked.own(asked.answers)
    own = () if brought is None else (brought,)
    names = own[0].answers if own else answer_names(asked.answers or NO_YES)
    if len(names) > 2 and isinstance(shares, str):
        raise BadInput(
            f"expected the shares of all {len(names)} answers with commas, found {shares!r}."
        )
    if violation is None:
        if level is None and not own:
            raise BadInput("a level is missing: give --epsilon 1, --ratio 3 or --violation 0.5.")
        return own if level is None else (*surveys.designs_at(level, answers=names), *own)
    if level is not None or shares is None:
        raise BadInput("--violation is instead of a level, and needs --prevalence.")
    found = surveys.designs_at_violation(violation, shares, answers=names)
    most = surveys.privacy_violation(found[0], surveys.shares_of(found[0], shares))
    for design in own:
        given = surveys.privacy_violation(design, surveys.shares_of(design, shares))
        if given > most:
            found_text, allowed = told_apart(given, most, 4)
            raise AnswerIsNo(
                f"the matrix has a privacy violation of {found_text}, more than {allowed}."
            )
    return (*found, *own)


def _row(one: Plan, best: Plan, level: Level | None) -> dict[str, Any]:
    from tightrope.applications import surveys

    guarded = surveys.protection(one.design)
    violation = None
    if one.prevalence is not None:
        names = one.design.answers
        violation = float(
            surveys.privacy_violation(one.design.asking(names, names[1:]), one.prevalence)
        )
    return {
        "design": one.design.name,
        "respondents": one.respondents,
        "efficiency": best.respondents / one.respondents,
        "reached": one.reached,
        "least": one.least,
        "violation": violation,
        "certified": (
            None if level is None else surveys.prove(one.design, level).certificate.holds
        ),
        "smallest_epsilon": guarded.level.upper if guarded.finite else None,  # type: ignore[union-attr]
        "responses": list(one.design.responses),
        "matrix": [[str(p) if len(str(p)) < 40 else float(p) for p in row]
                   for row in one.design.rows],
    }


def _figure(designs: Sequence[Design], margin: float, confidence: float) -> Figure:
    """Respondents against the share of the last answer, the others having equal shares."""
    from fractions import Fraction

    from tightrope.applications import surveys
    from tightrope.plots import lines_figure

    lines = []
    shares = [Fraction(k, 50) for k in range(51)]
    seen = set()
    for design in designs:
        if design.rows in seen:
            continue
        seen.add(design.rows)
        last = len(design.answers) - 1
        most = surveys.plan_margin(design, margin, confidence=confidence).respondents
        worst = surveys.worst_variance(design, last)
        sizes = [
            most * float(surveys.unit_variance(
                design, (*[(1 - share) / last] * last, share), last) / worst)
            for share in shares
        ]
        lines.append((design.name, [float(share) for share in shares],
                      [max(size, 1.0) for size in sizes]))
    title = f"Respondents for a margin of {margin:g}"
    return lines_figure(lines, title, "true share of the last answer", "respondents")


def _show(screen: Console, answer: dict[str, Any], level: Level | None) -> None:
    from tightrope.cli.report import paragraph, table

    share = answer["prevalence"]
    screen.print(
        f"{_equal(answer, level)}, for a margin of {answer['margin']:g} at confidence "
        f"{answer['confidence']:g}, " + (f"prevalence {share}" if share else "worst prevalence"),
    )
    cells = []
    for row in answer["rows"]:
        smallest = row["smallest_epsilon"]
        cells.append((
            row["design"],
            f"{row['respondents']:,}",
            f"{row['efficiency']:.2f}",
            "no finite ε" if smallest is None else f"{smallest:.4g}",
            "" if row["violation"] is None else f"{row['violation']:.3f}",
        ))
    screen.print(table(("design", "respondents", "efficiency", "own ε", "violation"), cells))
    paragraph(screen, *_remarks(answer, level))


def _equal(answer: dict[str, Any], level: Level | None) -> str:
    from tightrope.cli.wording import level_text

    if level is not None:
        return f"Designs with {level_text(level)}"
    if answer["violation"] is not None:
        return f"Designs with a privacy violation of at most {answer['violation']}"
    return "This design"


def _remarks(answer: dict[str, Any], level: Level | None) -> list[str]:
    sentences = []
    if any(row["smallest_epsilon"] is None for row in answer["rows"]):
        sentences.append(
            "“no finite ε”: a zero cell beside a non-zero one, so some response rules a true "
            "answer out; " + (
                "it is private only thanks to δ." if level is not None
                else "it has this violation, and is private at no level with δ = 0."
            )
        )
    many = len(answer["rows"][0]["matrix"]) > 2
    if level is not None and many:
        sentences.append(
            "Super-binary Mangat is not listed: it has no finite ε, and with two sensitive "
            "answers δ = 1. Compare it at an equal violation: --violation."
        )
    elif level is not None and level.delta == 0:
        sentences.append(
            "Mangat's design is not listed: it has a zero cell, so it has no finite ε, and with "
            "δ = 0 it is private at no level."
        )
    if answer["left_out"]:
        sentences.append(
            f"Not listed, as more than 10^12 respondents would be needed: "
            f"{', '.join(answer['left_out'])}."
        )
    if many:
        sentences.append("Respondents and efficiency are about the share of the last answer.")
    sentences.append(_sizes(answer))
    if answer["prevalence"]:
        sentences.append("Violation: P(sensitive answer | response), at most (H16, Theorem 6.4).")
    if answer["difference"]:
        found = answer["difference"]
        sentences.append(
            f"To see {found['first']} differ from {found['second']} with power "
            f"{found['power']:g}: about {found['per_group']:,} respondents in each group (normal "
            "approximation)."
        )
    return sentences


def _sizes(answer: dict[str, Any]) -> str:
    """What the numbers of respondents are: exact, proved to be enough, or approximate."""
    if answer["bound"] == "chebyshev":
        return "Respondents: enough for every law, by Chebyshev's inequality."
    if all(row["least"] for row in answer["rows"]):
        return (
            "Respondents: the least number from which on every larger one reaches the confidence, "
            "by the binomial law; some smaller ones reach it too."
        )
    normal = [f"“{row['design']}”" for row in answer["rows"] if row["reached"] is None]
    if not normal:
        return "Respondents: every larger number reaches the confidence; not always the least."
    if len(normal) == len(answer["rows"]):
        return "Respondents: by the normal approximation."
    return (
        "Respondents: every larger number reaches the confidence, by the binomial law; for "
        f"{', '.join(normal)} by the normal approximation."
    )
