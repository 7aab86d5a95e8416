"""Plants faults one at a time and says which of them no test notices.

    make mutants FILES=src/tightrope/samplers/noise.py TESTS="tests/samplers src/tightrope/samplers"

One process collects the quick tests, notes in a fork which of them run which line, and imports
what they imported. Every fault is tried in a fork of it: the code is put into the functions that
exist already, and the tests of its line run until one fails, those first that are quick and
noticed faults of the same function. A test that no longer ends is killed, and has noticed. A
person reads what survives: it changes a claim, a law or what is said of them, and a test is
missing, or it changes speed alone, or nothing. `LEFT=FILE` tries only what an earlier run
printed, with more SECONDS and other tests. What tests run in another process is not reached.
"""

from __future__ import annotations

import ast
import contextlib
import gc
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.mutation.faults import faults

SECONDS = float(os.environ.get("SECONDS", "3"))
"""Processor time of the tests for one fault; raise it for those that survive."""
SHARE = float(os.environ.get("SHARE", "1"))
"""Of the faults that are tried, chosen at random, always the same ones."""
EXAMPLES = 10
"""Of a test that makes them up."""
CALLS = 100
"""Of a function, in one test, whose lines are noted: tracing is slow."""
MEMORY = 6 << 30
NOTICED, ENDLESS = 1, 2
FUTURE = ast.parse("from __future__ import annotations").body[0]
Place = tuple[str, str, int]
"""A file, the name of a function in it, and the line where it begins."""


class Planting:
    """A plugin that runs the tests of each fault instead of all tests."""

    def __init__(self, files: list[Path], wanted: set[str]) -> None:
        self.files = files
        self.wanted = wanted
        self.report: Callable[[str], None] | None = None
        self.failed: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """Hypothesis tries the same few examples every time."""
        for item in items:
            told = getattr(item.obj, "_hypothesis_internal_use_settings", None)
            if told is not None:
                item.obj._hypothesis_internal_use_settings = settings(
                    told, deadline=None, derandomize=True, database=None,
                    max_examples=EXAMPLES, phases=[Phase.explicit, Phase.generate])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        if call.excinfo is None:
            return
        self.failed.add(item.nodeid)
        if self.report is not None:
            self.report(item.nodeid)
            os._exit(NOTICED)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.items = {item.nodeid: item for item in session.items}
        session.config.pluginmanager.unregister(name="terminalreporter")
        lines, self.times, imported = json.loads(self.apart(self.covered)[1])
        for name in imported:  # so that every function exists, and no fork imports it again
            with contextlib.suppress(Exception):
                importlib.import_module(name)
        functions = defaultdict(list)
        for held in gc.get_objects():
            if isinstance(held, FunctionType):
                functions[_place(held.__code__)].append(held)
        gc.freeze()
        noticed, luck = defaultdict(Counter[str]), Random(1)
        for file in self.files:
            tree, tally = ast.parse(file.read_text()), Counter[str]()
            for fault in faults(tree):
                said = f"{file.name}:{fault.line}: {fault.text}"
                if (self.wanted and said not in self.wanted) or luck.random() >= SHARE:
                    continue
                names = lines.get(f"{file}:{fault.line}", [])
                before = noticed[fault.statement]
                names.sort(key=lambda name: -(before[name] + 1e-9) / (self.times[name] + 0.01))
                code = compile(ast.Module([FUTURE, fault.statement], []), str(file), "exec")
                status, by = self.apart(partial(self.tried, code, functions, names))
                before[by] += 1
                verdict = ("survived", "noticed", "endless")[status] if names else "not run"
                tally[verdict] += 1
                if verdict in ("survived", "not run"):
                    print(said if names else f"{said} (not run)", flush=True)
            print(file.name, dict(tally), flush=True)
        return True

    def apart(self, work: Callable[[], None]) -> tuple[int, str]:
        """Work in a fork, its status, and what it reported."""
        inlet, outlet = os.pipe()
        if not (child := os.fork()):
            self.report = lambda text: [os.write(outlet, text.encode()), None][1]
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            try:
                work()
            except BaseException:
                os._exit(NOTICED)
            os._exit(0)
        os.close(outlet)
        with os.fdopen(inlet) as pipe:
            said = pipe.read()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return (ENDLESS if code < 0 else code), said

    def covered(self) -> None:
        """Which tests run which line of the files, and how long each takes; failing ones aside."""
        wanted, lines, times = set(map(str, self.files)), defaultdict(set), {}

        def enter(frame: FrameType, event: str, value: object) -> Any:
            if frame.f_code.co_filename not in wanted:
                return None
            calls[frame.f_code] += 1
            return step if calls[frame.f_code] <= CALLS else None

        def step(frame: FrameType, event: str, value: object) -> Any:
            lines[f"{frame.f_code.co_filename}:{frame.f_lineno}"].add(name)
            return step

        report, self.report = self.report, None
        for name, item in self.items.items():
            start, calls = time.process_time(), Counter[CodeType]()
            sys.settrace(enter)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            sys.settrace(None)
            times[name] = time.process_time() - start
        found = {line: sorted(names - self.failed) for line, names in lines.items()}
        if report is not None:
            report(json.dumps((found, times, [*sys.modules])))

    def tried(self, code: CodeType, functions: dict[Place, list[Any]], names: list[str]) -> None:
        """Put the code into its functions and run the tests."""
        inner = [code]
        while inner:
            held = inner.pop()
            inner += [part for part in held.co_consts if isinstance(part, CodeType)]
            for function in functions.get(_place(held), ()):
                function.__code__ = held
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(600)
        start = time.process_time()
        for name in names:
            if time.process_time() < start + SECONDS:
                signal.setitimer(signal.ITIMER_VIRTUAL, 2 * self.times[name] + 1)
                item = self.items[name]
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


if __name__ == "__main__":
    chosen = [Path(name).resolve() for name in os.environ["FILES"].split()]
    quick = ["-q", "-m", "not slow", "--assert=plain", *os.environ["TESTS"].split()]
    for plugin in ("cacheprovider", "xdist", "unraisableexception", "threadexception"):
        quick += ["-p", f"no:{plugin}"]
    earlier = os.environ.get("LEFT")  # what an earlier run printed: only these again
    left = Path(earlier).read_text().replace(" (not run)", "").splitlines() if earlier else []
    sys.exit(pytest.main(quick, plugins=[Planting(chosen, {*left})]))
