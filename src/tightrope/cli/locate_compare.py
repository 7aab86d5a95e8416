"""`tightrope locate compare`: mechanisms for positions side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tightrope.choices import Cost
from tightrope.cli.asked_positions import AskedMap, AskedPromise, PriorFile, SearchTime
from tightrope.cli.options import Force, Json, choice, value


def compare(
    promise: AskedPromise,
    *,
    cell: Annotated[str | None, value(
        "--cell", "LENGTH", "The width of cells; a tenth of the distance if not given.")] = None,
    prior: PriorFile = None,
    loss: Annotated[Cost, choice(
        "--loss", "What an output costs that is off.", default=True)] = Cost.METERS,
    facilities: Annotated[Path | None, value(
        "--facilities", "FILE", "With --loss facility: public places that people are sent to, the "
        "nearest to an output.")] = None,
    speed: Annotated[str | None, value(
        "--speed", "KM/H", "With --facilities: longer ways are told in minutes.")] = None,
    time: SearchTime = None,
    map: AskedMap,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Compare all mechanisms for positions at one promise; no position is read.

    Truths are spread evenly over the region, or as a prior says. A bound is
    proved on the mean loss of any mechanism that keeps the promise.

    Example: tightrope locate compare --region=-4,40,-3.99,40.01 --within 400m --factor 10
    --cell 120m
    """
    from tightrope.cli.asked import AskedEffort
    from tightrope.cli.output import tell
    from tightrope.cli.progress import closing
    from tightrope.cli.targets import PictureTarget
    from tightrope.locations import PositionLoss, compare_locations, plan_map

    map.check()
    picture, search = PictureTarget(map.plot, force), AskedEffort(gap=1e-3, time=time)
    search.effort()
    with closing("comparing", search.gap) as watch:
        table = compare_locations(*promise.words, cell=cell, prior=prior,
                                  loss=PositionLoss(loss, facilities, speed),
                                  effort=None if time is None else search.effort(watch))
    picture.draw(lambda: plan_map(table.plan, around=map.spot()))
    tell(table.facts().also(picture.fact), as_json=as_json)
