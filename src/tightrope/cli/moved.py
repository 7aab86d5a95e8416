"""Commands and options that moved, or that people try: answered with the spelling that works."""

from __future__ import annotations

COMMANDS = {
    **{name: f"theory {name}" for name in (
        "axioms", "batch", "compatible", "excess", "generality", "generalize", "improve",
        "laplace", "noise", "polytope", "prior", "query", "questions", "response", "thresholds",
    )},
    "account": "ledger account",
    **{name: f"release TABLE '{question}' --declaration FILE --epsilon NUMBER"
       for name, question in (
           ("count", "count"), ("mean", "mean of age"), ("median", "median of age"),
           ("histogram", "histogram of sex"), ("sum", "sum of age"),
           ("quantiles", "quantiles 0.25, 0.75 of age"), ("variance", "variance of age"))},
    "heatmap": "locate heatmap",
}
OPTIONS = {
    **{("release", f"--{name}"): "release TABLE 'mean of age by sex where age >= 20'" for name in (
        "average", "count", "people", "counts", "sum", "mean", "variance", "proportion",
        "histogram", "cross", "median", "quantiles", "minimum", "maximum", "distribution", "mode",
        "frequent", "at", "top", "by", "where",
    )},
    ("design", "--maximize"): "theory measure SPACE MEASURE",
    ("design", "--extra"): "compare SPACE --epsilon NUMBER --extra NAME=FILE",
    **{("verify", name): "verify FILE --definition zcdp:rho=NUMBER"
       for name in ("--rho", "--zcdp")},
    **{("verify", name): "verify FILE --definition renyi:alpha=2,epsilon=NUMBER"
       for name in ("--alpha", "--renyi", "--rdp")},
    **{("inspect", name): "inspect FILE --orders 1,2,8"
       for name in ("--alpha", "--alphas", "--renyi", "--rdp", "--rho", "--zcdp")},
    ("ledger account", "--delta"): "ledger account TERM… --at-delta NUMBER",
    ("tradeoff", "--radius"): "theory accuracy SPACE --radius NUMBER --failure NUMBER",
    ("tradeoff", "--failure"): "theory accuracy SPACE --radius NUMBER --failure NUMBER",
    **{("locate blur", name): "locate traces --fresh K" for name in ("--fresh", "--jump")},
    ("locate blur", "--time"): "locate cells --cell LENGTH --time SECONDS",
    **{("locate blur", name): "locate compare" for name in (
        "--compare", "--loss", "--facilities", "--speed")},
    **{(command, "--cut"): f"{command} --to hull" for command in ("locate blur", "locate traces")},
    **{(command, name): f"{command} --public-place NAME"
       for command in ("locate blur", "locate cells") for name in (
           "--place", "--visits-are-public")},
    **{(f"locate {command}", name): f"locate {command} --columns LON LAT"
       for command in ("blur", "cells", "traces", "heatmap") for name in ("--lon", "--lat")},
    ("locate blur", "--cell"): "locate blur --prior FILE",
    ("survey new", "--group"): "survey new FILE --links GROUP=NUMBER",
    ("network", "--nodes-are-public"): "network EDGES --nodes public",
    ("network", "--adjusted"): "network EDGES --count degrees",
}
_BLUR = "locate blur [FILE] --region REGION --within LENGTH --factor NUMBER"


def new_spelling(command: str, word: str) -> str | None:
    """The command that took the place of a word typed after `command`; None if there is none.

    >>> new_spelling("", "thresholds")
    'tightrope theory thresholds'
    >>> new_spelling("design", "--maximize")
    'tightrope theory measure SPACE MEASURE'

    Options and files that follow `locate` are meant for its first command.

    >>> new_spelling("locate", "trips.csv")
    'tightrope locate blur [FILE] --region REGION --within LENGTH --factor NUMBER'
    """
    if command == "locate" and (word.startswith("--") or "." in word):
        place: str | None = "locate compare" if word == "--compare" else _BLUR
    else:
        place = COMMANDS.get(word) if command == "" else OPTIONS.get((command, word))
    return None if place is None else f"tightrope {place}"
