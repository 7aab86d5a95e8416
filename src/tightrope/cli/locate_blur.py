"""`tightrope locate blur`: positions, each with noise of its own."""

from __future__ import annotations

from typing import Annotated

from tightrope.choices import Blur
from tightrope.cli.asked_positions import AskedBlur, AskedPlaces, AskedPromise, PriorFile
from tightrope.cli.options import choice, value


def blur(
    promise: AskedPromise,
    *,
    mechanism: Annotated[Blur, choice(
        "--mechanism", "Noise on all cells of the plane: planar, planar-laplace, or steps (keeps "
        "the factor at the distance, and nothing finer).", default=True)] = Blur.PLANAR,
    releases: Annotated[int, value(
        "--releases", "K", "Rows of one person, at most: they share the level, so that a whole "
        "trace keeps the promise.", default=True)] = 1,
    prior: PriorFile = None,
    places: AskedPlaces,
    asked: AskedBlur,
) -> None:
    """Blur positions: those near each other look the same up to a factor.

    The promise is about true positions on Earth, proved for every pair of
    them. Region, cells and noise follow from what is declared here alone.
    Positions outside the region are moved to it, none is refused. Columns
    other than the position are dropped unless they are kept; what follows
    from a position (elevation, bounds, names of cells) always is.

    Example: tightrope locate blur trips.csv --region Spain --within 200m --factor 2 -o blurred.csv
    """
    from tightrope.locations import noise

    asked.run(lambda: noise(*promise.words, mechanism=mechanism, releases=releases, prior=prior),
              **places.options())
