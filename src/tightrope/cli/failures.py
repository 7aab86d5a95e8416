"""From errors to one sentence and an exit code.

    0  done, and it holds
    1  the answer is no           (AnswerIsNo)
    2  bad input, nothing done    (BadInput, unknown options, files that are not there)
    3  refused, or not checkable  (Refused)
    4  something else gave up     (Failed, and what nobody expected)
    130, 141  interrupted; the reader of the output went away
    143, 129  ended by a service or a terminal

People get the sentence on standard error; with `--json` it is the `error` of the one object
on standard output. There is never a traceback, unless TIGHTROPE_DEBUG=1 asks for it.
"""

from __future__ import annotations

import gc
import os
import re
import signal
import sys
import traceback
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any, Protocol, TextIO, runtime_checkable

import typer
from typer.main import get_command

from tightrope.characters import escape, shorten
from tightrope.cli.application import NAMES, application
from tightrope.cli.moved import new_spelling
from tightrope.cli.output import PipeClosed, print_json
from tightrope.errors import (
    AnswerIsNo,
    BadInput,
    Failed,
    NotIntact,
    NotPrivate,
    Refused,
    TightropeError,
)

INTERRUPTED = 130
_STOPS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""How services and terminals end a program: unfinished files are removed then, too."""
PIPE_CLOSED = 141
LONGEST_SENTENCE = 1000
_YOUNG_OBJECTS = 50_000
"""New objects before a search for cycles: imports make few, and were searched 240 times."""
_CODES: tuple[tuple[type[TightropeError], int], ...] = (
    (AnswerIsNo, 1),
    (BadInput, 2),
    (Refused, 3),
    (Failed, 4),
)


@runtime_checkable
class UsageError(Protocol):
    """An error of the option parser: the words do not fit the command."""

    def format_message(self) -> str:
        """The error in one sentence."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(_YOUNG_OBJECTS, *gc.get_threshold()[1:])
    if sys.stdout is None:  # closed by the parent process: nobody reads
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        _never_choke(stream)
    if current_thread() is main_thread():
        for number in _STOPS:
            if signal.getsignal(number) is signal.SIG_DFL:  # ignored signals stay ignored
                signal.signal(number, _stop)
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def _stop(number: int, _: object) -> None:
    """Leave as for an error, so that unfinished files are removed."""
    sys.exit(128 + number)


def run(arguments: Sequence[str]) -> int:
    """Run the command line; the exit code."""
    as_json = "--json" in arguments
    try:
        code = _commands(_named(arguments)).main(
            list(arguments), prog_name="tightrope", standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except (PipeClosed, BrokenPipeError):
        # the rest of the buffer has no reader: drop it silently
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except SystemExit as ended:  # Click's, where the reader of --help has gone
        if isinstance(ended.__context__, BrokenPipeError):
            return PIPE_CLOSED
        raise
    except (KeyboardInterrupt, typer.Abort):
        return _fail(INTERRUPTED, "Interrupted", "interrupted; unfinished files were removed.",
                     as_json)
    except Exception as error:
        if os.environ.get("TIGHTROPE_DEBUG") == "1":
            traceback.print_exc()
        return _fail(*judge(error), as_json, **_details(error))


def _named(arguments: Sequence[str]) -> str | None:
    """The command that is called, None if all have to be known: for help, or a wrong name."""
    return next((name for name in arguments[:1] if name in NAMES), None)


@cache
def _commands(only: str | None) -> Any:
    """Commands with their options: made once in a process that runs several."""
    return get_command(application(only))


def judge(error: Exception) -> tuple[int, str, str]:
    """The exit code of an error, its kind and its sentence.

    >>> judge(BadInput("expected more, found less."))
    (2, 'BadInput', 'expected more, found less.')
    >>> judge(ZeroDivisionError())[0]
    4
    """
    if isinstance(error, TightropeError):
        code = next((code for kind, code in _CODES if isinstance(error, kind)), 4)
        return code, type(error).__name__, _with_options(_sentence(str(error)))
    if isinstance(error, UsageError):
        return 2, "Usage", _usage_sentence(error)
    if isinstance(error, FileNotFoundError) and error.filename is not None:
        return 2, "BadFile", f"there is no file {error.filename}."
    if isinstance(error, OSError) and error.filename is not None:
        reason = (error.strerror or type(error).__name__).lower()
        return 2, "BadFile", f"{error.filename} cannot be used: {reason}."
    if isinstance(error, OSError):
        return 4, "SystemFailed", f"the system failed: {(error.strerror or str(error)).lower()}."
    if isinstance(error, MemoryError):
        return 4, "OutOfMemory", "this needs more memory than there is; use a smaller space."
    name = type(error).__name__
    return 4, "Internal", (
        f"something went wrong inside Tightrope ({name}); "
        "run it again with TIGHTROPE_DEBUG=1 to see where, and please report it."
    )


def _fail(code: int, kind: str, sentence: str, as_json: bool, **details: Any) -> int:
    sentence = escape(sentence)
    try:
        if as_json:
            print_json({"error": sentence, "kind": kind, "exit": code, **details})
        else:
            print(f"Error: {sentence}", file=sys.stderr, flush=True)
    except (PipeClosed, OSError):
        pass  # nobody reads the output
    return code


def _details(error: Exception) -> dict[str, Any]:
    """Fields of the JSON error beside the sentence: never a value from the data."""
    if isinstance(error, NotPrivate):
        return {"witness": error.refutation.as_json()}
    if isinstance(error, NotIntact):
        return {"holds": None, "intact": False}
    return {}


def _usage_sentence(error: UsageError) -> str:
    context: Any = getattr(error, "ctx", None)
    command = getattr(context, "command_path", "tightrope")
    text = error.format_message() or "a command is missing"
    unknown = re.match("No such (?:command|option):? '?([^\\s']+)", text)
    path = command.removeprefix("tightrope").strip()
    if unknown and (place := new_spelling(path, unknown[1])):
        return f"{unknown[1]} does not belong here; write: {place}"
    message = _sentence(_NO_NUMBER.sub("expected a number", text.replace("Value error, ", "")))
    typed = str(getattr(error, "option_name", ""))
    values = " Values that start with a minus stand after --." if typed[1:2].isdigit() else ""
    if extra := re.match(r"Got unexpected extra argument\(?s?\)? \(([^\s)]+)", text):
        number = re.fullmatch(r"[\d./]+", extra[1]) and any(
            "--epsilon" in option.opts for option in context.command.params)
        values = f" A level is written --epsilon {extra[1]}." if number else (
            " A question stands in quotes: \"mean of age\"." if path == "release" else "")
    ours = _SYNONYMS.get(typed, "")
    if ours and any(ours in option.opts for option in context.command.params):
        message = f"there is no {typed}; say {ours}."
    return f"{message[0].lower()}{message[1:]}{values} Try: {command} --help"


_NO_NUMBER = re.compile(r"Input should be a valid (?:number|integer), unable to parse .*")
"""The end of a sentence of Typer's; of a choice it starts with “Value error”."""
_SYNONYMS = {"--eps": "--epsilon",
             **dict.fromkeys(("-n", "--n", "--people", "--size"), "--respondents")}
"""Options that people type, and ours, for the commands that have it."""


def _with_options(sentence: str) -> str:
    """The sentence with arguments of the library named as options of the command.

    >>> _with_options("out.csv exists; choose another name or ask to overwrite it (force).")
    'out.csv exists; choose another name or ask to overwrite it (--force).'
    """
    return re.sub(r"\((force|curator|header|table|normalize|directed|max_degree|space|documents|"
                  r"mechanism)\)", lambda option: f"(--{option[1].replace('_', '-')})",
                  sentence)


def _sentence(text: str) -> str:
    """One line that ends like a sentence."""
    line = shorten(" ".join(text.split()), LONGEST_SENTENCE)
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _never_choke(stream: TextIO) -> None:
    """Replace characters that the terminal cannot show instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")
