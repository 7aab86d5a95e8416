"""`tightrope theory batch`: several mechanisms on one dataset, as one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tightrope.cli.options import Force, Json, OutputFile, argument


def batch(
    files: Annotated[list[Path], argument(
        "FILE FILE …", "Documents of mechanisms on the same space.")],
    *,
    output: OutputFile = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Run several mechanisms on the same input, as one mechanism whose answers are pairs.

    Levels add up; the level that is proved of the batch itself stands beside the sum.

    Example: tightrope theory batch sums.json medians.json -o both.json
    """
    from tightrope import theory
    from tightrope.cli.output import tell
    from tightrope.cli.targets import DocumentTarget
    from tightrope.files import load

    document = DocumentTarget(output, force)
    result = theory.batch([load(file) for file in files])
    document.keep(result.certified)
    tell(result.facts().also(document.fact, sentences=document.advice), as_json=as_json)
