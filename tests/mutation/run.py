"""Plants faults one at a time and says which of them no test notices.

    make mutants FILES=src/tightrope/samplers/noise.py TESTS="tests/samplers src/tightrope/samplers"

One process collects the quick tests, notes in a fork which of them run which statement (a call
stands before each for that, which costs little), and imports what they imported. Every fault is
tried in a fork of it: the code is put into the functions that exist already, and the tests of
its line run until one fails, those first that are quick and noticed faults of the same function.
A test that no longer ends is killed, and has noticed. A person reads what survives: it changes a
claim, a law or what is said of them, and a test is missing, or it changes speed alone, or
nothing. `LEFT=FILE` tries only what an earlier run printed, with more SECONDS and other tests.
What tests run in another process is not reached.
"""

from __future__ import annotations

import ast
import builtins
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
from collections.abc import Callable, Iterator
from functools import partial
from importlib.machinery import SourceFileLoader
from pathlib import Path
from random import Random
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.mutation.faults import faults

SECONDS = float(os.environ.get("SECONDS", "3"))
"""Processor time of the tests for one fault; raise it for those that survive."""
FROM, TO = (float(end or 0) for end in os.environ.get("SHARE", "1").rpartition(":")[::2])
"""The share of the faults that are tried, chosen at random, always the same ones: `0.5` is one
half and `0.5:1` the other."""
EXAMPLES = int(os.environ.get("EXAMPLES", "10"))
"""Of a test that makes them up; raise it with the seconds."""
MARK = "__ran__"
"""What is called before each statement, with its file and line, while lines are noted."""
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
        functions = _functions()
        gc.freeze()
        noticed, luck = defaultdict(Counter[str]), Random(1)
        for file in self.files:
            tree, tally = ast.parse(file.read_text()), Counter[str]()
            begins = _statements(tree)
            for fault in faults(tree):
                said = f"{file.name}:{fault.line}: {fault.text}"
                if (self.wanted and said not in self.wanted) or not FROM <= luck.random() < TO:
                    continue
                names = lines.get(f"{file}:{begins.get(fault.line)}", [])
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
        lines, times = defaultdict(set), {}
        codes = {str(file): compile(_marked(file), str(file), "exec") for file in self.files}
        _put(list(codes.values()), _functions())
        plain = SourceFileLoader.get_code
        SourceFileLoader.get_code = lambda self, name: (  # type: ignore[method-assign]
            codes.get(self.get_filename(name)) or plain(self, name))
        report, self.report = self.report, None
        for name, item in self.items.items():
            ran = set[str]()
            setattr(builtins, MARK, ran.add)
            start = time.process_time()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            times[name] = time.process_time() - start
            for line in ran:
                lines[line].add(name)
        found = {line: sorted(names - self.failed) for line, names in lines.items()}
        if report is not None:
            report(json.dumps((found, times, [*sys.modules])))

    def tried(self, code: CodeType, functions: dict[Place, list[Any]], names: list[str]) -> None:
        """Put the code into its functions and run the tests."""
        _put([code], functions)
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


def _functions() -> dict[Place, list[Any]]:
    """All functions that exist, by their place."""
    found = defaultdict(list)
    for held in gc.get_objects():
        if isinstance(held, FunctionType):
            found[_place(held.__code__)].append(held)
    return found


def _put(codes: list[CodeType], functions: dict[Place, list[Any]]) -> None:
    """Give the functions the code that these hold, at any depth, for their places."""
    while codes:
        held = codes.pop()
        codes += [part for part in held.co_consts if isinstance(part, CodeType)]
        for function in functions.get(_place(held), ()):
            function.__code__ = held


def _blocks(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements inside functions, outer ones first."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    within = {inner for node in ast.walk(tree) if isinstance(node, functions)
              for inner in ast.walk(node)}
    for node in filter(within.__contains__, ast.walk(tree)):
        for _, held in ast.iter_fields(node):
            if isinstance(held, list) and held and isinstance(held[0], ast.stmt):
                yield held


def _statements(tree: ast.AST) -> dict[int, int]:
    """The line where the innermost statement begins that a line belongs to."""
    found = {}
    for block in _blocks(tree):
        for part in block:
            found.update(dict.fromkeys(range(part.lineno, (part.end_lineno or 0) + 1), part.lineno))
    return found


def _marked(file: Path) -> ast.Module:
    """The file with a mark before every statement of its functions."""
    tree = ast.parse(file.read_text())
    for block in list(_blocks(tree)):
        parts = [(ast.parse(f"{MARK}({f'{file}:{part.lineno}'!r})").body[0], part)
                 for part in block]
        for mark, part in parts:
            for node in ast.walk(mark):
                ast.copy_location(node, part)
        block[:] = [node for pair in parts for node in pair]
    return tree


if __name__ == "__main__":
    if SECONDS < 0.1:  # as from bash, where an exported SECONDS is a clock that begins at 0
        sys.exit("SECONDS is less than 0.1, in which no test would run; say env SECONDS=3 …")
    chosen = [Path(name).resolve() for name in os.environ["FILES"].split()]
    quick = ["-q", "-m", "not slow", "--assert=plain", *os.environ["TESTS"].split()]
    for plugin in ("cacheprovider", "xdist", "unraisableexception", "threadexception"):
        quick += ["-p", f"no:{plugin}"]
    earlier = os.environ.get("LEFT")  # what an earlier run printed: only these again
    left = Path(earlier).read_text().replace(" (not run)", "").splitlines() if earlier else []
    sys.exit(pytest.main(quick, plugins=[Planting(chosen, {*left})]))
