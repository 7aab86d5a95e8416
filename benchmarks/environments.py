"""The environment of the other libraries: benchmarks/.venv, made from pinned versions.

It is apart from the development environment, so that no version here is chosen to suit
another library there. It is made on first use and again when requirements.txt changes.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = HERE / ".venv"
PINS = HERE / "requirements.txt"


def peers_python() -> Path:
    """The interpreter of the environment, ready to use."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / ".installed"
    digest = hashlib.sha256(PINS.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != digest:
        print("Installing the other libraries into benchmarks/.venv; this takes a minute or two.")
        shutil.rmtree(FOLDER, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", PINS],
                       check=True)
        stamp.write_text(digest, encoding="ascii")
    return python


def told_by(script: str, *arguments: object, limit: float | None = None) -> Any:
    """The JSON that a script of peers/ prints last, in that environment, within these seconds."""
    ended = subprocess.run(
        [peers_python(), HERE / "peers" / f"{script}.py", *map(str, arguments)],
        capture_output=True, text=True, timeout=limit, check=True,
    )
    return json.loads(ended.stdout.splitlines()[-1])
