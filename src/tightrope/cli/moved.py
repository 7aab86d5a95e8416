"""Where a command or an option went that stood elsewhere: a wrong word is answered with it."""

from __future__ import annotations

COMMANDS = {
    **{name: f"theory {name}" for name in (
        "axioms", "batch", "compatible", "excess", "generality", "generalize", "improve",
        "laplace", "noise", "polytope", "prior", "query", "questions", "response", "thresholds",
    )},
    "account": "ledger account",
}
OPTIONS = {
    ("design", "--maximize"): "theory measure SPACE MEASURE",
    ("tradeoff", "--radius"): "theory accuracy SPACE --radius NUMBER --failure NUMBER",
    ("tradeoff", "--failure"): "theory accuracy SPACE --radius NUMBER --failure NUMBER",
}


def new_spelling(command: str, word: str) -> str | None:
    """The command that took the place of a word typed after `command`; None if there is none.

    >>> new_spelling("tightrope", "thresholds")
    'tightrope theory thresholds'
    >>> new_spelling("design", "--maximize")
    'tightrope theory measure SPACE MEASURE'
    """
    place = COMMANDS.get(word) if command == "tightrope" else OPTIONS.get((command, word))
    return None if place is None else f"tightrope {place}"
