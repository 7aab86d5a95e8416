"""The environment of the other libraries: benchmarks/.venv, made from pinned versions.

It is apart from the development environment, so that no version here is chosen to suit
another library there. It is made on first use and again when requirements.txt changes.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

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
