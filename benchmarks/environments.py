"""The environments of the other libraries: benchmarks/.venv, made from pinned versions.

They are apart from the development environment, so that no version here is chosen to suit
another library there. They are made on first use and again when requirements.txt changes. A
library that fits no other has pins and an environment of its own, such as `tumult`.
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


def peers_python(alone: str = "") -> Path:
    """The interpreter of the environment, ready to use."""
    own = f"-{alone}" if alone else ""
    folder, pins = HERE / f".venv{own}", HERE / f"requirements{own}.txt"
    python, stamp = folder / "bin" / "python", folder / ".installed"
    digest = hashlib.sha256(pins.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text(encoding="ascii") != digest:
        print(f"Installing other libraries into {folder.name}; this takes a minute or two.")
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--requirement", pins],
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
