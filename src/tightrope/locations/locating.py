"""`tr.locate`: planar noise for positions, planned and drawn in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from typing import Any, Final, ParamSpec, TypeVar

from tightrope.errors import BadInput
from tightrope.files import StrPath
from tightrope.ledger import Account
from tightrope.locations.located import Blurring, Located
from tightrope.locations.planning import noise
from tightrope.locations.tracing import traces

P = ParamSpec("P")
R = TypeVar("R")

_PLANS: Final = {
    **dict.fromkeys(signature(Blurring.blur).parameters, "noise(…).blur(positions, {}=…)"),
    **dict.fromkeys(signature(noise).parameters, "noise(…, {}=…).blur(…)"),
    **dict.fromkeys(signature(traces).parameters, "traces(…, {}=…).blur(…)"),
    "effort": "cells(…, {}=…).blur(…)",
}
"""Where each keyword of positions is taken."""


def _led_on(call: Callable[P, R]) -> Callable[P, R]:
    """The call; a keyword that a plan takes is answered with that plan."""
    known = signature(call).parameters

    @wraps(call)
    def led(*args: P.args, **kwargs: P.kwargs) -> R:
        for name in kwargs:
            if name not in known and name in _PLANS:
                raise BadInput(f"{call.__name__} takes no {name}: it is said to a plan, "
                               f"tr.locations.{_PLANS[name].format(name)}")
        return call(*args, **kwargs)

    return led


@_led_on
def locate(
    positions: Any,
    *,
    region: Any,
    within: str,
    factor: Any,
    keep: str | Sequence[str] = (),
    output: StrPath | None = None,
    account: Account | None = None,
    force: bool = False,
) -> Located:
    """Blur positions, so that those within a distance look the same up to a factor.

    `positions` is a file (CSV, TSV, Parquet, GeoParquet, GeoJSON, GPX; then `output` names the
    new one) or a frame. The region is declared; positions outside are moved to it. All other
    columns are dropped but those to `keep`, which stay in clear. An `account` is charged
    ln(factor) before anything is drawn. Other mechanisms, traces, priors and rules for rows are
    those of plans: `locations.noise`, `locations.cells` and `locations.traces`, each with `.blur`.

    Returns: a `Located`; its `table` holds the new positions, unless they went to a file.

    Raises: `BadInput` for a region, length or file that cannot be used, or an `output` that
    exists. `BadTable` where a column is missing; `Refused` where the account does not allow it.

    >>> frame = {"lon": [-3.7, -3.6], "lat": [40.4, 40.5], "phone": ["a", "b"]}
    >>> new = locate(frame, region="-4,40,-3,41", within="200 m", factor=2)
    >>> sorted(new.table), len(new.table["lon"])
    (['lat', 'lon'], 2)
    """
    return noise(region, within, factor).blur(
        positions, keep=keep, output=output, account=account, force=force)
