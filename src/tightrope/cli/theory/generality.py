"""`tightrope theory generality`: is one mechanism a post-processing of another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tightrope.cli.options import Json, Normalize, SpaceOption, argument

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from tightrope.facts import Table
    from tightrope.mechanisms import FiniteMechanism
    from tightrope.theory import PostProcessing

MOST_SHOWN = 8
"""Columns of a channel that is shown."""

_PROBLEM = (
    "A decision problem that separates them: the probabilities of the inputs, and the gain of "
    "deciding on each output of A. Deciding as A answers gains more on average than any decision "
    "from an answer of B, by the distance above."
)


def generality(
    first: Annotated[Path, argument("A", "A mechanism document, or a matrix with --space.")],
    second: Annotated[Path, argument("B", "The mechanism that it may be made from.")],
    space: SpaceOption = None,
    normalize: Normalize = False,
    as_json: Json = False,
) -> None:
    """Decide whether A is a post-processing of B: whether its answers can be made from B's alone.

    Shows the channel that makes them, or a decision problem in which A is
    worth more than anything made from B; both ways, and how far away each
    stays (deficiency). All of it is exact. Exits with 1 if A is none, with 3
    if that is too close to be decided.

    Example: tightrope theory generality coarse.json fine.json
    """
    from tightrope import theory
    from tightrope.cli.doubles import note_on_doubles, row_fact
    from tightrope.cli.output import tell
    from tightrope.cli.progress import working
    from tightrope.facts import data
    from tightrope.files import read_subject
    from tightrope.mechanisms import finite

    with working("comparing"):
        given = [read_subject(file, space, normalize=normalize) for file in (first, second)]
        special, general = (finite(subject.mechanism) for subject in given)
        result = theory.generality(special, general)
    note = None if result.forth.exists else note_on_doubles(
        lambda a, b: theory.generality(a, b).forth.exists, special, general
    )
    tell(result.facts().also(
        row_fact(max(subject.row_error or 0.0 for subject in given)),
        *data(doubles=note, first=first, second=second),
        *_proof(result.forth, special, general), sentences=[note] if note else ()),
        as_json=as_json)
    if not result.forth.exists:
        raise typer.Exit(1 if result.forth.decided else 3)


def _proof(
    forth: PostProcessing, special: FiniteMechanism, general: FiniteMechanism
) -> tuple[Table, ...]:
    """The channel that makes the answers of A, or the decision problem that separates A and B."""
    if forth.channel is not None:
        return _table("The channel, from outputs of B to outputs of A:", "B \\ A",
                      special.outputs, general.outputs, forth.channel)
    if not forth.decided:
        return ()
    rows = [(p, *row) for p, row in zip(forth.prior, forth.gains, strict=True)]
    return _table(_PROBLEM, "input", ["probability", *special.outputs], special.space.points, rows)


def _table(
    label: str, corner: str, columns: Sequence[object], names: Sequence[object],
    rows: Sequence[Sequence[Fraction]],
) -> tuple[Table, ...]:
    from tightrope.characters import label_text
    from tightrope.exact import short_text
    from tightrope.facts import Column, Table

    if len(columns) > MOST_SHOWN + 1:
        return ()
    titles = tuple(Column(None, label_text(name)) for name in (corner, *columns))
    cells = tuple((label_text(name), *map(short_text, row))
                  for name, row in zip(names, rows, strict=True))
    return (Table(None, label, titles, cells),)
