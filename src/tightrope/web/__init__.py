"""Web: the application shell that every server shares: errors, headers, assets, limits."""

from tightrope.web.assets import Asset, code_asset, style_asset
from tightrope.web.limits import RateLimit
from tightrope.web.origins import Origins, listening_urls
from tightrope.web.shell import (
    application,
    bad_request,
    bearer,
    framed_policy,
    json_body,
    listening,
    run,
    small_body,
)

__all__ = [
    "Asset",
    "Origins",
    "RateLimit",
    "application",
    "bad_request",
    "bearer",
    "code_asset",
    "framed_policy",
    "json_body",
    "listening",
    "listening_urls",
    "run",
    "small_body",
    "style_asset",
]
