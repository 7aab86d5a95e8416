"""Web: the application shell that every server shares: errors, headers, assets, limits."""

from tightrope.web.assets import code_asset, style_asset
from tightrope.web.limits import RateLimit
from tightrope.web.shell import application, bearer, json_body, listening, run, small_body

__all__ = [
    "RateLimit",
    "application",
    "bearer",
    "code_asset",
    "json_body",
    "listening",
    "run",
    "small_body",
    "style_asset",
]
