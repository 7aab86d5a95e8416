"""A PostgreSQL server of its own for a test, thrown away afterwards."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


def programs():
    """The folder of the server's programs; without them the test is left out."""
    found = shutil.which("pg_ctl")
    if found is not None and shutil.which("initdb") is not None:
        return Path(found).parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return places[-1] if places else pytest.skip("PostgreSQL is not installed here")


@contextmanager
def server():
    """The address of a fresh server, which listens on a socket in its own folder only."""
    installed = programs()
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if user:
        shutil.chown(folder, "postgres")
    data = folder / "data"

    def run(*command):
        subprocess.run([*user, *map(str, command)], check=True, cwd=folder,
                       stdout=subprocess.DEVNULL)

    try:
        run(installed / "initdb", "-A", "trust", "-U", "postgres", "-D", data)
        run(installed / "pg_ctl", "start", "-w", "-D", data, "-l", folder / "log",
            "-o", f"-k {folder} -c listen_addresses='' -c max_connections=300")
        yield f"postgresql://postgres@/postgres?host={folder}"
        run(installed / "pg_ctl", "stop", "-m", "immediate", "-D", data)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
