"""`tightrope inspect`: everything that is known about one mechanism, without a loss."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tightrope.characters import shorten
from tightrope.cli.options import (
    Force,
    Json,
    MechanismFile,
    Normalize,
    PlotFile,
    SpaceOption,
    value,
)
from tightrope.errors import BadInput, Refused

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from tightrope.documents import Inspection
    from tightrope.facts import Fact, Table
    from tightrope.mechanisms import FiniteMechanism


def inspect(
    file: MechanismFile,
    space: SpaceOption = None,
    normalize: Normalize = False,
    plot: PlotFile = None,
    row_graphs: Annotated[Path | None, value(
        "--row-graphs", "FILE", "Draw the row graphs as likelihood functions into this .svg or "
        ".png file.", panel="Output")] = None,
    prior: Annotated[str | None, value(
        "--prior", "uniform|FILE", "How likely each input is to somebody: what an answer does to "
        "these beliefs.")] = None,
    orders: Annotated[str | None, value(
        "--orders", "A,B,…", "Also Rényi divergences of these orders, such as 1,2,inf, ρ of zCDP, "
        "and the law of the privacy loss, exactly enclosed.")] = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show what a mechanism reveals: level, δ(ε), leakage, generality, loose entries.

    With --prior also how far an answer moves somebody's odds and guesses, with
    --orders Rényi divergences and the law of the privacy loss. Of a
    release: question, answers and entry. Nothing is judged here; a document's
    own claim is for `verify`.

    Example: tightrope inspect m.json --plot m.png
    """
    from tightrope.cli.asked import prior_of
    from tightrope.cli.doubles import row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.cli.published import inspect_release
    from tightrope.cli.shades import picture_lines
    from tightrope.cli.targets import PictureTarget, check_apart
    from tightrope.documents import inspect as inspect_mechanism
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite
    from tightrope.plots import mechanism_figure
    from tightrope.privacy import probability_table
    from tightrope.releases import is_release

    if space is None and is_release(file):
        if any(option is not None for option in (plot, row_graphs, prior, orders)):
            raise BadInput("a release is shown as it is; --plot, --row-graphs, --prior and "
                           "--orders are for mechanisms.")
        inspect_release(file, as_json=as_json)
        return
    picture, graphs = PictureTarget(plot, force), PictureTarget(row_graphs, force)
    check_apart(picture, graphs)
    with working("inspecting"):
        subject = read_subject(file, space, normalize=normalize)
        law = None if prior is None else prior_of(prior, subject.space, normalize=normalize)
        inspection = inspect_mechanism(subject.given, law)
        curves = () if orders is None else _curves(finite(subject.mechanism), orders)
    title = f"{shorten(inspection.construction or file.name)} on {shorten(inspection.space.text)}"
    graphs.draw(lambda: _row_graphs(inspection, title))
    picture.draw(
        lambda: mechanism_figure(finite(inspection.mechanism), title, curve=inspection.curve))
    matrix = inspection.matrix
    drawn = () if matrix is None or probability_table(matrix) else picture_lines(matrix)
    tell(inspection.facts().also(row_fact(subject.row_error), picture.fact, *curves,
                                 sentences=drawn), as_json=as_json)


def _curves(mechanism: FiniteMechanism, orders: str) -> tuple[Fact | Table, ...]:
    """Rényi divergences, ρ, and the privacy loss of the pair whose largest one is likeliest."""
    from tightrope.exact import stated
    from tightrope.facts import Column, Fact, Shown, Table
    from tightrope.privacy import privacy_loss, renyi_curve

    asked = [order.strip() if order.strip() == "inf" else stated(
        order, "an order as a number, such as 2 or 1.5, or inf") for order in orders.split(",")]
    curve, losses = renyi_curve(mechanism), privacy_loss(mechanism)
    low, high = curve.rho
    law = max(losses.laws, key=lambda law: (law[0][0] is None, law[0][0] or 0, law[0][1]))
    first, second = losses.pairs[losses.laws.index(law)]
    return (
        Fact("rho", "zCDP", Shown([low, high], f"ρ from {low:.9g} to {high:.9g}")),
        Table("renyi", "Rényi divergences, the largest over all neighbors",
              (Column("order", "order"), Column("low", "at least"), Column("high", "at most")),
              tuple((str(alpha), *curve.at(alpha)) for alpha in asked)),
        Table("privacy_loss", f"Privacy loss of {first} beside {second}: e^loss and its chance",
              (Column("ratio", "e^loss"), Column("chance", "chance")),
              tuple(("infinite" if ratio is None else str(ratio), str(chance))
                    for ratio, chance in law)))


def _row_graphs(inspection: Inspection, title: str) -> Figure:
    from tightrope.plots import row_graph_figure
    from tightrope.privacy import exact_margin, row_graphs

    matrix, space, level = inspection.matrix, inspection.space, inspection.judged
    if matrix is None or level is None:
        why = "row graphs need a finite matrix with a level above 0."
        raise Refused(inspection.skipped.get("level", why))
    graphs = row_graphs(matrix, space, level, margin=exact_margin(space, level))
    return row_graph_figure(matrix, graphs, title)
