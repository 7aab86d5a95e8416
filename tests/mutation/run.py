"""Plants faults one at a time and says which of them no test notices.

    make mutants FILES=src/tightrope/samplers/noise.py TESTS="tests/samplers src/tightrope/samplers"

One process collects the quick tests and notes which of them run which line. Every fault is
tried in a fork of it: the code is put into the functions that exist already, so nothing is
imported twice, and the tests of its line run, those that noticed a fault before first, until
one fails. A person reads what survives: it changes a claim, a law or what is said of them, and
a test is missing, or it changes speed alone, or nothing. Code that tests run in a process of
their own is not reached.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.mutation.faults import Fault, faults

SECONDS = float(os.environ.get("SECONDS", "3"))
"""Processor time of the tests for one fault; raise it for those that survive."""
NOTICED, ENDLESS = 1, 2


class Planting:
    """A plugin that runs the tests of each fault instead of all tests."""

    def __init__(self, files: list[Path]) -> None:
        self.files = files
        self.report: Callable[[str], None] | None = None
        self.failed: set[str] = set()

    def pytest_sessionstart(self) -> None:
        settings.register_profile("mutants", deadline=None, derandomize=True, database=None,
                                  max_examples=20, phases=[Phase.explicit, Phase.generate])
        settings.load_profile("mutants")

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
        lines, times = json.loads(self.apart(self.covered)[1])
        functions = defaultdict(list)
        for held in gc.get_objects():
            if isinstance(held, FunctionType):
                code = held.__code__
                functions[code.co_filename, code.co_qualname, code.co_firstlineno].append(held)
        gc.freeze()
        noticed: Counter[str] = Counter()
        for file in self.files:
            tree, tally = ast.parse(file.read_text()), Counter[str]()
            for fault in faults(tree):
                names = lines.get(f"{file}:{fault.line}", [])
                names.sort(key=lambda name: (-noticed[name], times[name]))
                code = compile(tree, str(file), "exec")
                status, by = self.apart(partial(self.tried, fault, code, functions, names, times))
                noticed[by] += 1
                verdict = ("survived", "noticed", "endless")[status] if names else "not run"
                tally[verdict] += 1
                if verdict in ("survived", "not run"):
                    print(f"{file.name}:{fault.line} {verdict}: {fault.text}", flush=True)
            print(file.name, dict(tally), flush=True)
        return True

    def apart(self, work: Callable[[], None]) -> tuple[int, str]:
        """Work in a fork, its status, and what it reported."""
        inlet, outlet = os.pipe()
        if not (child := os.fork()):
            self.report = lambda text: [os.write(outlet, text.encode()), None][1]
            for stream in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
            work()
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
            return step if frame.f_code.co_filename in wanted else None

        def step(frame: FrameType, event: str, value: object) -> Any:
            lines[f"{frame.f_code.co_filename}:{frame.f_lineno}"].add(name)
            return step

        report, self.report = self.report, None
        for name, item in self.items.items():
            start = time.process_time()
            sys.settrace(enter)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            sys.settrace(None)
            times[name] = time.process_time() - start
        found = {line: sorted(names - self.failed) for line, names in lines.items()}
        if report is not None:
            report(json.dumps((found, times)))

    def tried(self, fault: Fault, code: CodeType, functions: dict[tuple[str, str, int], list[Any]],
              names: list[str], times: dict[str, float]) -> None:
        """Put the code into its functions and run the tests."""
        inner, spent = [code], 0.0
        while inner:
            held = inner.pop()
            inner += [part for part in held.co_consts if isinstance(part, CodeType)]
            if fault.function.lineno - 9 < held.co_firstlineno <= (fault.function.end_lineno or 0):
                key = held.co_filename, held.co_qualname, held.co_firstlineno
                for function in functions.get(key, ()):
                    function.__code__ = held
        limit = int(resource.getrusage(resource.RUSAGE_SELF).ru_utime + 3 * SECONDS + 3)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        for name in names:
            if spent < SECONDS:
                item = self.items[name]
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            spent += times[name]


if __name__ == "__main__":
    chosen = [Path(name).resolve() for name in os.environ["FILES"].split()]
    quick = ["-q", "-m", "not slow", "--assert=plain", *os.environ["TESTS"].split()]
    for plugin in ("cacheprovider", "xdist", "unraisableexception", "threadexception"):
        quick += ["-p", f"no:{plugin}"]
    sys.exit(pytest.main(quick, plugins=[Planting(chosen)]))
