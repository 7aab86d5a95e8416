"""The command line: what people type, and what programs read with `--json`.

One module per command; each imports the library inside its function, so that help is quick.
Every command answers through `report` and fails through `failures`: one JSON object or one
sentence, and an exit code that says what kind of answer it is.
"""

from tightrope.cli.application import application
from tightrope.cli.failures import main

__all__ = ["application", "main"]
