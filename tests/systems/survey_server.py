"""A survey served by a process of its own, as a researcher would run it."""

import csv
import json
import os
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path

from tightrope.cli.failures import run

SOURCE = Path(__file__).resolve().parents[2] / "src"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}
QUESTION = "Have you ever taken something from work without asking?"


def tightrope(*arguments):
    """A command in this process; its JSON object."""
    said = StringIO()
    with redirect_stdout(said):
        assert run([*map(str, arguments), "--json"]) == 0
    return json.loads(said.getvalue())


def new_survey(folder, links, questions=(QUESTION,), *options):
    """A survey in s.json; what `new` said, and the tokens of the links."""
    asked = [word for text in questions for word in ("--question", text)]
    made = tightrope("survey", "new", folder / "s.json", *asked, "--ratio", 3,
                     "--title", "Work", "--links", links, *options)
    return made, links_of(folder)


def new_study(folder, study):
    """A survey in s.json from the fields of a study; what `new` said, and tokens of links."""
    (folder / "study.json").write_text(json.dumps(study))
    made = tightrope("survey", "new", folder / "s.json", "--study", folder / "study.json")
    return made, links_of(folder)


def links_of(folder):
    """The tokens of a survey's links."""
    with (folder / "s.links.csv").open(newline="") as lines:
        return [row["link"].rpartition("/")[2] for row in csv.DictReader(lines)]


class Server:
    """`tightrope survey serve` on a free port."""

    def __init__(self, folder, log=None, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tightrope", "survey", "serve", "s.json", "--port", str(port),
             *options, "--json"],
            cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=log, text=True,
        )
        self.said = json.loads(self.process.stdout.readline())
        deadline = time.monotonic() + 120
        while True:
            try:
                with socket.create_connection(("127.0.0.1", port)):
                    return
            except ConnectionRefusedError:
                assert self.process.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.02)

    def end(self, number):
        """Send a signal; what the process ends with."""
        self.process.send_signal(number)
        return self.process.wait(timeout=120)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@contextmanager
def served(folder):
    server = Server(folder)
    try:
        yield server
    finally:
        server.kill()


def stored(folder):
    return tightrope("survey", "results", folder / "s.json")
