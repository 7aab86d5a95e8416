"""How every test runs: to an end, in CI on the same examples each time and with none left out."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.exact.oracle import ends_within

# Tests already run side by side, so each multiplies its matrices on one processor: small matrices
# on many threads cost ten times as much. It is read when NumPy is first imported.
for library in ("OPENBLAS", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

# In CI a property is tried on the same inputs in every run; at a desk, on new ones.
# Deadlines are off: they measure the machine, not the property.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

LONGEST_TEST = 300
"""Seconds of a processor, many times what any test takes."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """A search that never ends is a failure, not a wait."""
    with ends_within(LONGEST_TEST):
        return (yield)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that wait for other processes come first: others run meanwhile."""
    items.sort(key=lambda item: not {"systems", "test_crashes.py"} & {*item.path.parts})


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that skipped a test, where every outside system must be present."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and os.environ.get("TIGHTROPE_REQUIRE_SYSTEMS") == "1":
        reporter.ensure_newline()
        reporter.write_line(f"Skipped tests: {len(skipped)}. Here every test must run.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
