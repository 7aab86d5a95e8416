"""Reviews and inspections as facts: the answer first, then its proof."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from tightrope.characters import label_text, shorten
from tightrope.exact import short_text
from tightrope.facts import Fact, Facts, Shown, Table, data, listing
from tightrope.mechanisms import mechanism_picture
from tightrope.privacy import (
    Smallest,
    at_least,
    probability_table,
    promise,
    protection,
    relation,
    smallest_text,
)
from tightrope.spaces import Space, distances_text, label_to_json

if TYPE_CHECKING:
    from tightrope.documents.inspection import Generality, Inspection
    from tightrope.documents.least_variance import LeastVariance
    from tightrope.documents.optimality import Optimality
    from tightrope.documents.review import Review
    from tightrope.privacy import RowGraph
    from tightrope.utility import Beliefs

_CURVE_ROWS = 9
"""Points of a curve δ(ε) that people are shown."""

_LONGEST_SPACE = 200
"""Characters of a space that are shown."""


def review_facts(review: Review) -> Facts:
    """The verdict, the smallest level, its proof or witness, and the claim on the loss."""
    certificate, refutation, level = review.certificate, review.refutation, review.level
    space, smallest, claim = review.mechanism.space, review.smallest, review.optimality
    judged = f"private at {'some finite level' if level is None else level}"
    judged += "" if review.asked or review.claim is None else ", as claimed"
    refuted = refutation is not None
    return Facts(
        "Review",
        f"{'does not hold' if not review.holds else 'holds'}, {review.mechanism!r}",
        (
            Fact(None, "digest", "does not fit: the document was changed after it was written"
                 if review.intact is False else None),
            Fact(None, "refuted" if refuted else "proved", judged),
            Fact(None, "smallest level" if level is None or level.delta == 0 else "level at δ = 0",
                 _smallest(review)),
            Fact("witness", "witness", refutation and Shown(refutation, refutation.reason)),
            Fact("evidence", "proof", certificate and certificate.evidence,
                 meaning=certificate.statement if certificate else "", detail=True),
            Fact("checked", "comparisons", certificate and certificate.checked, detail=True),
            _optimality_fact(claim, review.optimal),
            Fact("space", "space", Shown(space.text, shorten(space.text, _LONGEST_SPACE)),
                 detail=True),
            Fact(None, "distances", distances_text(space), detail=True),
            *data(holds=review.holds, intact=review.intact,
                  epsilon=smallest and smallest.upper,
                  epsilon_exact=smallest and smallest.exact_text,
                  delta=0.0 if level is None else float(level.delta),
                  delta_proved=certificate and [float(d) for d in certificate.delta],
                  judged=level, claim=review.claim, asked=review.asked,
                  neighbors=relation(space)),
        ),
        () if refuted or level is None else (
            promise(level, space), protection(review.mechanism, level)),
    )


def _smallest(review: Review) -> str:
    """The smallest level in words; that there is none, or why it is not known."""
    if review.smallest is not None:
        return smallest_text(review.smallest, review.level)
    return "none is finite" if review.unknown is None else f"not known: {review.unknown}"


def _optimality_fact(claim: Optimality | LeastVariance | None, holds: bool | None) -> Fact:
    """The claim on the loss, or on the variance of estimates."""
    from tightrope.documents.least_variance import LeastVariance

    if not isinstance(claim, LeastVariance):
        return Fact("optimality", "loss", claim and Shown(
            _optimality_json(claim, holds), _optimality(claim, holds)))
    verdict = {True: f"proved (gap {claim.gap:.1e})", False: "NOT supported by its proof",
               None: "not judged"}[holds]
    return Fact("optimality", "least variance", Shown(
        {"goal": "variance", "queries": len(claim.workload.rows), "value": claim.value,
         "bound": claim.bound, "gap": claim.gap, "holds": holds},
        f"{claim.text}: at most {claim.value:.7g}, and no randomizer's is below "
        f"{claim.bound:.7g}: {verdict}"))


def _optimality(claim: Optimality, holds: bool | None) -> str:
    """The claim on the loss, and whether its dual proves it."""
    prior = "uniform" if claim.prior.weights is None else "given"
    aim = f"{claim.goal.value} {claim.loss.name} loss, {prior} prior"
    stated = f"at most {claim.value:.7g}, and no mechanism's is below {claim.bound:.7g}"
    if claim.exact is not None:
        stated = f"exactly {shorten(str(claim.exact.value), 60)}, and no mechanism's is below that"
    if holds is None:
        return f"{aim}: claimed to be {stated}; not judged"
    if not holds:
        return f"{aim}: the claim that it is {stated} is NOT supported by its proof"
    gap = f" (gap {claim.gap:.1e})" if claim.gap and isfinite(claim.gap) else ""
    gap = " (gap 0)" if claim.exact is not None else gap
    return f"{aim}: {stated}, proved{gap}"


def _optimality_json(claim: Optimality, holds: bool | None) -> dict[str, Any]:
    return {
        "goal": claim.goal,
        "loss": claim.loss.name,
        "prior": "uniform" if claim.prior.weights is None else "given",
        "value": claim.value,
        "bound": claim.bound,
        "gap": claim.gap,
        "holds": holds,
        **({} if claim.exact is None else {"exact": str(claim.exact.value)}),
    }


def inspection_facts(inspection: Inspection) -> Facts:
    """The smallest level, leakage, generality, δ(ε), and the reasons why parts are not known."""
    space, best, loose = inspection.space, inspection.dobrushin_best, inspection.loose
    leaked, curve, matrix = inspection.leakage, inspection.curve, inspection.matrix
    level, graphs, count = inspection.level, inspection.row_graphs, inspection.outputs
    outputs = inspection.unlisted if count is None else f"{count:,} outputs"
    rest = "" if best is None else f"; the best at this level is {best:.6g}"
    skipped = [(name, why) for name, why in inspection.skipped.items() if name != "level"]
    digest = {None: None, True: "fits", False: "does not fit: the file was changed"}
    return Facts(
        "Inspection",
        repr(inspection.mechanism),
        (
            Fact("level", "smallest level", Shown(level, _level(level)) if level
                 else inspection.skipped.get("level") and Shown(None, inspection.skipped["level"])),
            Fact("claim", "claim", inspection.claim, meaning="not judged here"),
            Fact("leakage", "leakage", None if leaked is None else Shown(
                {"uniform_prior": leaked, "min_capacity": leaked}, f"{leaked:.6g} bits"),
                meaning="min-entropy under the uniform prior, the most under any prior"),
            Fact("generality", "generality", inspection.generality and Shown(
                inspection.generality, _generality(inspection.generality))),
            Fact(None, "digest", digest[inspection.intact]),
            Fact("construction", "construction", inspection.construction and Shown(
                inspection.construction, shorten(inspection.construction)), detail=True),
            Fact("space", "space", Shown(space.text, shorten(space.text, _LONGEST_SPACE)),
                 meaning=f"{space.size:,} inputs, {outputs}", detail=True),
            Fact("distances", "distances", distances_text(space), detail=True),
            Fact("neighbors", "neighbors", Shown(
                relation(space), relation(space) or "none declared"), detail=True),
            Fact("dobrushin", "Dobrushin coefficient", inspection.dobrushin, detail=True,
                 meaning=f"0 would tell two inputs apart for certain{rest}"),
            Fact("rank", "rank", inspection.rank, detail=True),
            Fact("determinant", "determinant", None if not inspection.determinant else
                 inspection.determinant, meaning="1 would tell all inputs apart for certain",
                 detail=True),
            *(() if inspection.beliefs is None else _beliefs(inspection.beliefs)),
            Fact("loose", "loose entries", None if loose is None else Shown(
                [list(map(label_to_json, pair)) for pair in loose], _loose(inspection)),
                detail=True),
            *(Fact(None, f"no {name}", why, detail=True) for name, why in skipped),
            *_curve(curve),
            *(() if matrix is None else probability_table(matrix)),
            *data(intact=inspection.intact, curve=curve, tradeoff_curve=inspection.tradeoff,
                  row_graphs=graphs and [_graph(graph, space) for graph in graphs],
                  dobrushin_best=best, beliefs=inspection.beliefs,
                  loose_count=inspection.loose_count, skipped=inspection.skipped,
                  inputs=space.size, outputs=count, unlisted=inspection.unlisted),
        ),
        (),
        None if matrix is None else lambda: mechanism_picture(matrix),
    )


def _level(level: Smallest) -> str:
    exact, plain = level.exact_text, f"{level.upper:.10g}"
    known = "" if exact is None or len(exact) > 24 else (
        " exactly" if exact == plain else f" = {exact} exactly")
    return f"{plain}{known}{at_least(level.lower, level.upper)}"


def _generality(general: Generality) -> str:
    at = f"at ε = {general.level.as_json()['epsilon']:.6g}"
    if general.exact.maximally_general:
        return f"maximal {at}: no other mechanism yields this one by post-processing"
    graphs = f"{general.connected} of {general.occurring} outputs have a connected row graph"
    if general.connected == general.occurring:
        return (f"maximal {at} within a relative {general.margin:.1e}, not exactly: e^(ε d) is "
                f"irrational, probabilities are fractions below it; within that, {graphs}")
    return f"not maximal {at}: {graphs}{_within(general)}"


def _within(general: Generality) -> str:
    return f", counted within a relative {general.margin:.1e}" if general.margin else ""


def _loose(inspection: Inspection) -> str:
    assert inspection.generality is not None
    count, within = inspection.loose_count, _within(inspection.generality)
    if not count:
        return f"none{within}"
    first = ", ".join(f"input {label_text(y)} output {label_text(z)}"
                      for y, z in (inspection.loose or ())[:3])
    return f"{count:,} (on no tight pair{within}): {first}" + (", …" if count > 3 else "")


def _curve(curve: tuple[tuple[float, float], ...] | None) -> tuple[Table, ...]:
    """Every fourth point of the curve."""
    if curve is None:
        return ()
    points = curve[:: (len(curve) - 1) // (_CURVE_ROWS - 1)]
    return (listing("The smallest δ between neighbors, for some ε", ("ε", "δ"),
                    [(f"{e:.4g}", f"{d:.3g}") for e, d in points], listed=0),)


def _beliefs(effect: Beliefs) -> tuple[Fact | Table, ...]:
    """The effect of an answer on somebody with the prior."""
    odds, largest = effect.largest, "no answer moves any"
    if odds is not None:
        after = "infinite" if odds.after is None else short_text(odds.after)
        largest = (f"of {label_text(odds.second)} against {label_text(odds.first)}: "
                   f"{short_text(odds.before)} before, {after} after the answer "
                   f"{label_text(odds.output)}")
    return (
        Fact(None, "one guess", f"right with chance {float(effect.guess_before):.6g} before, "
             f"{float(effect.guess_after):.6g} after", meaning=f"{effect.leakage:.6g} bits of "
             "min-entropy under this prior"),
        Fact(None, "information", effect.mutual_information, "bits between input and output"),
        Fact(None, "largest odds", largest),
        listing("Odds between neighbors, if the first of them is the truth",
                ("factor or more", "up in at most", "down in at most"),
                [(str(part.factor), f"{float(part.rise):.4g}", f"{float(part.fall):.4g}")
                 for part in effect.moved], listed=0),
    )


def _graph(graph: RowGraph, space: Space) -> dict[str, Any]:
    """The row graph of an output: its tight pairs, the likelier input first."""
    points = space.points
    return {
        "output": label_to_json(graph.output),
        "connected": graph.connected,
        "edges": [[label_to_json(points[i]), label_to_json(points[j])] for i, j in graph.edges],
    }
