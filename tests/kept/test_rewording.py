"""Every sentence of the package is reworded, and no verdict and no document changes."""

import json
import os
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parent / "rewording.py"


def told(*options):
    hidden = {name: value for name, value in os.environ.items() if name != "TIGHTROPE_LEDGER_KEY"}
    done = subprocess.run([sys.executable, str(PROGRAM), *options], capture_output=True, text=True,
                          timeout=120, check=True, env=hidden)
    return json.loads(done.stdout)


def test_reworded_sentences_change_no_verdict_and_no_document():
    plain, reworded = told(), told("--reworded")
    changed = plain["verdicts"].pop("a changed answer"), reworded["verdicts"].pop(
        "a changed answer")
    assert changed == ([False, False], [False, False])
    for name, verdict in reworded["verdicts"].items():
        assert all(verdict), name
    assert reworded["verdicts"] == plain["verdicts"]
    assert len(plain["verdicts"]) >= 60
    assert reworded["books"] == plain["books"]
    assert plain["books"].pop("holds")
    assert all(again for again, _ in plain["books"].values())
    for ours, theirs in zip(plain["words"], reworded["words"], strict=True):
        assert ours != theirs  # or nothing was reworded
    assert "at most" in plain["words"][0]
    assert "most at" in reworded["words"][0]
