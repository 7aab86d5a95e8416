"""The pages of `tightrope locate`: a plan of any kind, what was put out, and a comparison."""

from __future__ import annotations

from rich.console import Console

from tightrope.choices import Blur, Cost, Unusable
from tightrope.cli.booking import booking_line
from tightrope.cli.report import facts, paragraph, table
from tightrope.locations import (
    GridPlan,
    Located,
    LocationComparison,
    LocationPlan,
    Plan,
    TracePlan,
    shown,
)
from tightrope.tables import SORTED


def _show_noise(screen: Console, plan: LocationPlan, promise: str | None) -> None:
    """What is declared, what it costs in meters, and the promise."""
    space = plan.space
    screen.print(facts([
        ("region", space.region.text),
        ("noise", {Blur.PLANAR: "planar geometric",
                   Blur.PLANAR_LAPLACE: "planar Laplace, rounded to cells",
                   Blur.STEPS: "in steps: a disc, and rings as wide as the distance"}[plan.noise]),
        ("cells", f"{shown(float(space.step))} wide, no limit of cells"),
        ("mean displacement", f"{shown(plan.mean_displacement)}; 95 of 100 within "
                              f"{shown(plan.far_displacement)}"),
        *([] if plan.remap is None else [
            ("outputs", "moved to the cell that is best for them and the prior "
                        f"({_told_cells(plan)}); noise is before that")]),
        ("at least", f"{shown(plan.least_displacement)} for any noise " + (
            "that keeps the promise" if plan.stepped else "of this level at every distance")),
        ("level", f"{plan.certified.certificate.level!s} within {float(space.within):g} m "
                  f"({plan.certified.certificate.evidence.value})"),
    ]))
    screen.print(table(
        ["the same level as others state it", "value", "unit"],
        [[one.name, f"{one.value:.6g}", one.unit] for one in plan.conventions],
    ))
    paragraph(screen, promise or plan.promise)


def _told_cells(plan: LocationPlan) -> str:
    remap = plan.remap
    assert remap is not None
    told = f"{remap.cells.size:,} cells of {shown(float(remap.cells.space.step))}"
    return f"{told}, coarse beside the noise, so that less is gained" if remap.coarse else told


def _show_traces(screen: Console, plan: TracePlan) -> None:
    """A plan for traces of which a few positions are fresh."""
    screen.print(facts([
        ("region", plan.space.region.text),
        ("fresh positions", f"{plan.fresh:,} of a person at most, each off by "
                            f"{shown(plan.mean_displacement)} on average"),
        ("in between", f"the last one is repeated up to about {shown(float(plan.jump))} from it"),
        ("level", f"{plan.level} for all rows of a person, however many"),
    ]))
    paragraph(screen, plan.promise)


def show_plan(screen: Console, plan: Plan, promise: str | None = None) -> None:
    """A plan of any kind, and the promise."""
    match plan:
        case LocationPlan():
            _show_noise(screen, plan, promise)
        case TracePlan():
            _show_traces(screen, plan)
        case GridPlan():
            screen.print(facts([("mechanism", repr(plan)),
                                ("the best on these cells", _best(plan))]))
            paragraph(screen, promise or plan.promise)


def show_located(screen: Console, done: Located) -> None:
    """What was put out, by which mechanism, and what stays in clear."""
    show_plan(screen, done.plan, done.promise)
    rule = {Unusable.CENTER: "drawn as from the middle of the region",
            Unusable.DROP: "dropped: which rows had none is in clear"}[done.handling.unusable]
    screen.print(facts([
        ("rows", f"{done.rows:,} (public)"),
        ("in clear", ", ".join(done.clear)),
        ("no usable position", rule),
        ("outputs", _where(done)),
        ("file", done.file),
        ("mechanism", done.document),
    ]))
    paragraph(screen, booking_line(done.booked), SORTED)
    if done.handling.keep:
        paragraph(screen, "The columns in clear are as they were. If they identify people or "
                          "places, remove them.")


def _best(plan: GridPlan) -> str:
    found = plan.solution
    if found.bound is None or found.gap is None:
        return "not known"
    return f"off by {shown(found.bound)} at least on average; this is within {found.gap:.2%} of it"


def _where(done: Located) -> str:
    if done.handling.allowed is not None:
        return "moved to where they may lie"
    if isinstance(done.plan, GridPlan):
        return "centers of cells of the region"
    return "moved to the region's edge" if done.handling.cut else "may lie outside the region"


def show_comparison(screen: Console, found: LocationComparison) -> None:
    """Mechanisms side by side, and what is proved of all others."""
    def length(size: float | None) -> str:
        return "–" if size is None else shown(size)

    names = ["mechanism", "mean", "95 of 100", "same cell", "best guess off by"]
    rows = [[row.name, length(row.mean), length(row.far),
             "–" if row.same is None else f"{row.same:.3f}", length(row.adversary)]
            for row in found.rows if row.reason is None]
    asked, unit = found.loss, f" {found.loss.unit}" if found.loss.unit else ""
    if asked.cost is not Cost.METERS:
        names.append(f"{asked.name}{unit and ','}{unit}")
        for line, row in zip(rows, (row for row in found.rows if row.reason is None), strict=True):
            line.append(f"{row.loss:,.4g}")
    screen.print(table(names, rows))
    for row in found.rows:
        if row.reason is not None:
            screen.print(f"{row.name}: {row.reason}")
    paragraph(
        screen, found.plan.promise,
        f"Cells are {shown(found.cell)} wide, {found.cells:,} of them. " + (
            "No bound is sought on this loss with so many cells." if found.bound is None else
            f"The mean {asked.name} of any mechanism of this level at every distance is at least "
            f"{found.bound:,.4g}{unit} for {found.bound_for}, proved."),
        "Noise in steps and optimal-within keep the promise at its distance, and positions nearer "
        "to each other may differ by as much." + ("" if found.near_bound is None else
            " Whatever keeps the promise so, and on cells answers with their centers, is off by at "
            f"least {found.near_bound:,.4g}{unit}, proved for truths at centers."),
        f"Means are of {found.draws:,} truths spread "
        f"{'evenly over the region' if found.places is None else 'as the prior says'}, not of "
        "anybody's.",
    )
