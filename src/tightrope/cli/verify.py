"""`tightrope verify`: proves or refutes a privacy level, and names the witness."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import typer

from tightrope.cli.asked import AskedLevel
from tightrope.cli.options import Json, MechanismFile, SpaceOption
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from rich.console import Console

    from tightrope.cli.subjects import Subject
    from tightrope.exact import Level
    from tightrope.privacy import Certificate, Refutation, Smallest


def verify(
    file: MechanismFile,
    space: SpaceOption = None,
    *,
    asked: AskedLevel,
    as_json: Json = False,
) -> None:
    """Prove or refute the level of a mechanism, exactly.

    A document is judged by its own claim, unless a level is given. A bare
    matrix without a level is judged by whether it is private at any finite
    level. A document that claims to be optimal is judged by that claim too.
    Exits with 1 if the answer is no, or if the document was changed after it
    was written.

    Example: tightrope verify m.json
    """
    from tightrope.cli.progress import working
    from tightrope.cli.report import deliver
    from tightrope.cli.subjects import read_subject

    level = asked.if_any()
    with working("verifying"):
        subject = read_subject(file, space)
        verdict = _judge(subject, level if level is not None else subject.claim)
        optimality = _optimality(subject, verdict)
    answer = _answer(subject, verdict, optimality, asked=level is not None)
    deliver(answer, lambda screen: _show(screen, subject, verdict, answer), as_json=as_json)
    if not answer["holds"] or answer["intact"] is False:
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Verdict:
    """What was found: a certificate or a refutation, and the smallest level beside it.

    `least` says so where the smallest level is none, or is not known.
    """

    level: Level | None
    certificate: Certificate | None
    refutation: Refutation | None
    smallest: Smallest | None
    least: str


def _judge(subject: Subject, level: Level | None) -> _Verdict:
    from tightrope import privacy
    from tightrope.cli.wording import smallest_text

    certificate = refutation = smallest = None
    least = "none is finite"
    if level is not None:
        found = privacy.verify(subject.mechanism, subject.inputs, level)
        if isinstance(found, privacy.Certificate):
            certificate, smallest = found, found.smallest
        else:
            refutation = found
    if certificate is None:
        try:
            bound = privacy.smallest_level(subject.mechanism, subject.inputs)
        except (BadInput, Refused) as reason:
            if refutation is None:
                raise
            least = f"not known: {reason}"
        else:
            if isinstance(bound, privacy.Refutation):
                refutation = refutation or bound
            else:
                smallest = bound
    if smallest is not None:
        least = smallest_text(smallest, level)
    return _Verdict(level, certificate, refutation, smallest, least)


def _optimality(subject: Subject, verdict: _Verdict) -> dict[str, Any] | None:
    """What the document says about its loss and the best possible, and whether that holds.

    Not judged (`holds` is None) where the level is refuted already.
    """
    from math import isfinite

    from tightrope.documents import prove_optimality

    if subject.document is None or subject.document.optimality is None:
        return None
    claim, holds = subject.document.optimality, None
    if verdict.refutation is None:
        holds = prove_optimality(subject.document).supports(claim)
    return {
        "goal": claim.goal.value,
        "loss": claim.loss.name,
        "prior": "uniform" if claim.prior.weights is None else "given",
        "value": claim.value,
        "bound": claim.bound,
        "gap": claim.gap if isfinite(claim.gap) else None,
        "holds": holds,
    }


def _answer(
    subject: Subject, verdict: _Verdict, optimality: dict[str, Any] | None, *, asked: bool
) -> dict[str, Any]:
    from tightrope.cli.wording import exact_text, level_json, witness_json

    certificate, smallest = verdict.certificate, verdict.smallest
    optimal = optimality is None or optimality["holds"]
    return {
        "holds": verdict.refutation is None and bool(optimal),
        "intact": subject.intact,
        "epsilon": None if smallest is None else smallest.upper,
        "epsilon_exact": exact_text(smallest),
        "delta": float(verdict.level.delta) if verdict.level is not None else 0.0,
        "delta_proved": None if certificate is None else [float(d) for d in certificate.delta],
        "judged": None if verdict.level is None else level_json(verdict.level),
        "claim": None if subject.claim is None else level_json(subject.claim),
        "asked": asked,
        "witness": witness_json(verdict.refutation),
        "evidence": None if certificate is None else certificate.evidence.value,
        "checked": None if certificate is None else certificate.checked,
        "optimality": optimality,
        "space": subject.inputs.text,
        "neighbors": subject.relation,
        "row_error": subject.row_error,
        "file": str(subject.file),
    }


def _show(screen: Console, subject: Subject, verdict: _Verdict, answer: dict[str, Any]) -> None:
    from shlex import quote

    from tightrope.cli.report import facts, paragraph
    from tightrope.cli.wording import (
        level_text,
        protection,
        row_totals,
        space_text,
    )
    from tightrope.documents import checker
    from tightrope.privacy import promise
    from tightrope.spaces import distances_text

    certificate, refutation = verdict.certificate, verdict.refutation
    if subject.intact is False:
        screen.print("The document was changed after it was written: its digest does not fit.")
        screen.print()
    match verdict.level:
        case None:
            question = "private at some finite level"
        case level:
            question = f"private at {level_text(level)}"
    result = "proved" if refutation is None else "refuted"
    rows: list[tuple[str, object]] = [
        (result, question + ("" if answer["asked"] or subject.claim is None else ", as claimed")),
        ("smallest level" if verdict.level is None or verdict.level.delta == 0
         else "level at δ = 0", verdict.least),
        ("witness", None if refutation is None else refutation.reason),
        ("proof", None if certificate is None
         else f"{certificate.evidence.value}: {certificate.statement}"),
        ("comparisons", None if certificate is None else f"{certificate.checked:,}"),
        ("loss", None if answer["optimality"] is None else _best(answer["optimality"])),
        ("space", space_text(subject.inputs.text)),
        ("distances", distances_text(subject.inputs)),
        ("digest", None if subject.intact is None else
         "fits" if subject.intact else "does not fit"),
        ("row totals", row_totals(subject.row_error)),
    ]
    screen.print(facts(rows))
    if refutation is None and verdict.level is not None:
        paragraph(
            screen,
            promise(verdict.level, subject.inputs),
            protection(subject.mechanism, verdict.level),
        )
        if subject.document is not None and not answer["asked"]:
            own = f"  python -m tightrope.{checker(subject.mechanism)} {quote(str(subject.file))}"
            paragraph(screen, "Next:", f"{own}   (a stranger's check)")
    elif refutation is not None and subject.typed is not None:
        paragraph(
            screen,
            "Next:",
            f"  tightrope certify {quote(str(subject.file))} --space {quote(subject.typed)} "
            "--epsilon … -o FILE   (repairs and proves)",
        )


def _best(optimality: dict[str, Any]) -> str:
    """What was proved, or not, about the loss."""
    from tightrope.cli.wording import number

    what = f"{optimality['goal']} {optimality['loss']} loss, {optimality['prior']} prior"
    value, bound, gap = (optimality[name] for name in ("value", "bound", "gap"))
    said = f"at most {number(value)}, and no mechanism's is below {number(bound)}"
    if optimality["holds"] is None:
        return f"{what}: claimed to be {said}; not judged"
    if not optimality["holds"]:
        return f"{what}: the claim that it is {said} is NOT supported by its proof"
    return f"{what}: {said}, proved" + (f" (gap {gap:.1e})" if gap else "")
