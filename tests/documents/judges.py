"""Two judges of a document: the library and the stand-alone checker of its form, as exit codes.

A checker is loaded from its file, never as a part of the package, and run through its own
`main`, so that its verdict is the exit code that a stranger would see.
"""

import contextlib
import importlib.util
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.relations import ANY, fitting
from tightrope.documents import accept, content_of, digest_of, read, render
from tightrope.errors import AnswerIsNo, BadInput, Refused

PACKAGE = Path(__file__).parents[2] / "src" / "tightrope"
RECEIPT, THEOREMS = PACKAGE / "receipt.py", PACKAGE / "receipt_theorems.py"
HOLDS, NO, BAD, CANNOT = 0, 1, 2, 3
WORDS = frozenset({ANY, "x"})


def loaded(file: Path) -> Any:
    """A checker as a module of its own."""
    spec = importlib.util.spec_from_file_location(f"{file.stem}_alone", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


CHECKERS = {file: loaded(file) for file in (RECEIPT, THEOREMS)}


def checker_of(data: bytes) -> Path:
    """The file that checks the form of a document; for what is none, any will do."""
    with contextlib.suppress(Exception):
        law = content_of(data)["mechanism"]
        law = law["base"] if law["form"] == "table" else law
        return PACKAGE / CHECKERS[RECEIPT].OTHERS[law["form"]]
    return RECEIPT


def library_says(data: bytes) -> int:
    """The exit code that the outcome of reading and accepting means."""
    try:
        accept(read(data))
    except BadInput:
        return BAD
    except AnswerIsNo:
        return NO
    except Refused:
        return CANNOT
    return HOLDS


def receipt_says(data: bytes, folder: Path) -> tuple[int, dict[str, Any]]:
    """The exit code of the checker and its report, in this process."""
    file = folder / "document"
    file.write_bytes(data)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    before = sys.argv
    sys.argv = ["receipt.py", str(file), "--json"]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = CHECKERS[checker_of(data)].main()
    finally:
        sys.argv = before
    out.flush()
    text = out.buffer.getvalue().decode()
    return code, json.loads(text) if text.strip() else {}


def receipt_alone(data: bytes, folder: Path) -> tuple[int, str, str]:
    """The checker in a process of its own that cannot see the package."""
    file = folder / "document"
    file.write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(checker_of(data)), str(file), "--json"],
        capture_output=True, text=True, timeout=120, check=False, cwd=folder,
    )
    return done.returncode, done.stdout, done.stderr


def verdicts(data: bytes, folder: Path) -> tuple[int, int]:
    """What the library and the checker say about the same bytes."""
    return library_says(data), receipt_says(data, folder)[0]


def renewed(document: dict[str, Any]) -> dict[str, Any]:
    """The document with the digest that its content has now, and words that fit its space."""
    found = {**document, "neighbors": fitting(document, WORDS)} if "neighbors" in document else {
        **document}
    return {**found, "digest": digest_of(found)}


def version_1(document: dict[str, Any]) -> dict[str, Any]:
    """The document as it was written before 0.2.0: with words for its neighbors."""
    return renewed({**document, "version": 1, "neighbors": ANY})


def text_of(document: dict[str, Any], *, new_digest: bool = True) -> bytes:
    return render(renewed(document) if new_digest else document)
