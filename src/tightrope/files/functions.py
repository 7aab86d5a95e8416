"""Functions in Python files of the user's: `FILE.py:name` runs the file and takes the function.

It is the user's own program and runs with the user's rights.
"""

from __future__ import annotations

from collections.abc import Callable

from tightrope.errors import BadInput
from tightrope.files.files import extension, read_text


def function_in(text: str, takes: str) -> Callable[..., object] | None:
    """The function that `FILE.py:name` names; None for any other text."""
    if extension(text) == ".py":
        raise BadInput(f"a Python file may have several functions; name one, as in {text}:name for "
                       f"def name{takes}.")
    file, _, name = text.rpartition(":")
    return _read(file, name, takes) if name and extension(file) == ".py" else None


def _read(file: str, name: str, takes: str) -> Callable[..., object]:
    """The function of that name in a Python file; `takes` shows its parameters in the refusal."""
    namespace: dict[str, object] = {"__name__": "function", "__file__": file}
    source = read_text(file)
    try:
        exec(compile(source, file, "exec"), namespace)
    except (Exception, SystemExit) as reason:
        raise BadInput(f"{file} does not run: {type(reason).__name__}: {reason}.") from None
    function = namespace.get(name)
    if not callable(function):
        raise BadInput(f"{file} has no function {name!r}; expected def {name}{takes}.")
    return function
