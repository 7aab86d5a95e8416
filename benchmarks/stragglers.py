"""A job of 10^11 rows on 1,000 cores, simulated: slow tasks, lost executors, and work done twice.

The seconds of a task follow from the rows per second in results/clusters.json. Everything else is
assumed, and stated in the table: one task in a hundred is slow, executors are lost at random times
and replaced. The simulation does what Spark 4 does by default: it starts a slow task a second
time, computes the lost output of tasks again, and gives up a stage at its fourth failed fetch.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean, median

from reports import Report

ROWS, TASKS, RUNS = 10**11, 10_000, 10
TINY = {"tasks": 100, "runs": 2}
EXECUTORS, CORES, REPLACED = 250, 4, 300.0
SLOW, SLOWER, SPREAD = 0.01, 5.0, 0.2
QUANTILE, MULTIPLIER, ATTEMPTS = 0.9, 3.0, 4
"""Of Spark 4: the share of a stage that ends before a task counts as slow, how many times the
median it must take, and how many failed fetches in a row end the job."""

DAY, LONG = 86_400.0, 3.6e6
ASKED = (
    # work, stages, mean seconds until an executor is lost, second copies, outputs outlive it
    ("histogram", 1, None, False, False),
    ("histogram", 1, None, True, False),
    ("histogram", 1, DAY, True, False),
    ("histogram of people", 2, None, True, False),
    ("histogram of people", 2, LONG, True, False),
    ("histogram of people", 2, DAY, True, False),
    ("histogram of people", 2, DAY, True, True),
    ("sanitize", 1, DAY, True, True),
)


@dataclass(frozen=True)
class Outcome:
    """How a job ended: its seconds, core seconds at work, those of kept results, and whether."""

    seconds: float
    worked: float
    useful: float
    ended: bool


@dataclass
class Job:
    """A job on a cluster; `seconds` draws the duration of an attempt of a task of a stage."""

    stages: Sequence[int]
    seconds: Callable[[int], float]
    executors: int
    cores: int
    replaced: float = REPLACED
    copies: bool = False
    outlive: bool = False
    now: float = 0.0
    worked: float = 0.0
    failures: int = 0
    done: list[dict[int, tuple[int, float]]] = field(default_factory=list)
    running: dict[int, tuple[int, int, int, float]] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)
    queue: deque[int] = field(default_factory=deque)
    events: list[tuple[float, int, str, int]] = field(default_factory=list)
    number: int = 0
    looking: bool = False
    copied: set[tuple[int, int]] = field(default_factory=set)

    def run(self, losses: Sequence[tuple[float, int]] = ()) -> Outcome:
        """Run all tasks, while executors are lost at these seconds."""
        self.done = [{} for _ in self.stages]
        self.free = [place for place in range(self.executors) for _ in range(self.cores)]
        for second, place in losses:
            self._plan(second, "lose", place)
        self._queue_stage()
        while self._stage() is not None and self.failures < ATTEMPTS:
            self._start_tasks()
            self.now, _, kind, what = heapq.heappop(self.events)
            {"end": self._end, "lose": self._lose, "replace": self._replace,
             "look": self._copy_if_slow}[kind](what)
        useful = sum(spent for stage in self.done for _, spent in stage.values())
        return Outcome(self.now, self.worked + sum(
            self.now - start for *_, start in self.running.values()), useful,
            self.failures < ATTEMPTS)

    def _plan(self, second: float, kind: str, what: int) -> int:
        self.number += 1
        heapq.heappush(self.events, (second, self.number, kind, what))
        return self.number

    def _stage(self) -> int | None:
        """The first stage that lacks results."""
        return next((place for place, tasks in enumerate(self.stages)
                     if len(self.done[place]) < tasks), None)

    def _queue_stage(self) -> None:
        stage = self._stage()
        if stage is not None:
            at_work = {task for where, task, *_ in self.running.values() if where == stage}
            self.queue = deque(task for task in range(self.stages[stage])
                               if task not in self.done[stage] and task not in at_work)

    def _start_tasks(self) -> None:
        stage = self._stage()
        assert stage is not None
        while self.queue and self.free:
            self._start(stage, self.queue.popleft())

    def _start(self, stage: int, task: int) -> None:
        duration, place = self.seconds(stage), self.free.pop()
        self.number += 1
        self.running[self.number] = (stage, task, place, self.now)
        heapq.heappush(self.events, (self.now + duration, self.number, "end", self.number))

    def _stop(self, attempt: int, *, frees: bool) -> None:
        _, _, place, start = self.running.pop(attempt)
        self.worked += self.now - start
        if frees:
            self.free.append(place)

    def _end(self, attempt: int) -> None:
        if attempt not in self.running:  # it was stopped
            return
        stage, task, place, start = self.running[attempt]
        self._stop(attempt, frees=True)
        if (stage, task) in self.copied:
            for other, (where, same, *_) in list(self.running.items()):
                if (where, same) == (stage, task):
                    self._stop(other, frees=True)
        self.done[stage][task] = (place, self.now - start)
        if len(self.done[stage]) == self.stages[stage]:
            self._queue_stage()
        elif self.copies and not self.looking:
            self._copy_if_slow(0)

    def _copy_if_slow(self, _: int) -> None:
        """Start tasks of the stage a second time that take much longer than the others did."""
        stage, self.looking = self._stage(), False
        if stage is None or self.queue or len(self.done[stage]) < QUANTILE * self.stages[stage]:
            return
        limit = MULTIPLIER * self._median(stage)
        attempts = Counter(task for where, task, *_ in self.running.values() if where == stage)
        soonest = None
        for where, task, _, start in list(self.running.values()):
            if where != stage or attempts[task] > 1:
                continue
            if start + limit > self.now:
                soonest = min(soonest or start + limit, start + limit)
            elif self.free:
                self.copied.add((stage, task))
                self._start(stage, task)
        if soonest is not None:
            self.looking = True
            self._plan(soonest, "look", 0)

    def _median(self, stage: int) -> float:
        """The median seconds of a stage's results, of the first thousand."""
        spent = [seconds for _, seconds in self.done[stage].values()]
        return median(spent[:1000])

    def _lose(self, place: int) -> None:
        """An executor ends, with its tasks, and with the output of those that ended."""
        self.free = [other for other in self.free if other != place]
        for attempt, (_, _, where, _) in list(self.running.items()):
            if where == place:
                self._stop(attempt, frees=False)
        stage = self._stage()
        if not self.outlive:
            lost = False
            for before, results in enumerate(self.done):
                gone = [task for task, (where, _) in results.items() if where == place]
                lost |= bool(gone) and stage is not None and before < stage
                for task in gone:
                    del results[task]
            if lost:  # whoever fetches it fails, and the stage with it
                self.failures += 1
                for attempt in list(self.running):
                    self._stop(attempt, frees=True)
        self._queue_stage()
        self._plan(self.now + self.replaced, "replace", place)

    def _replace(self, place: int) -> None:
        self.free += [place] * self.cores


def losses(draw: Random, every: float | None, executors: int, until: float) -> list[
        tuple[float, int]]:
    """When which executor is lost: at random times, each once in `every` seconds on average."""
    if every is None:
        return []
    drawn, second = [], 0.0
    while (second := second + draw.expovariate(executors / every)) < until:
        drawn.append((second, draw.randrange(executors)))
    return drawn


def measure(tasks: int = TASKS, runs: int = RUNS) -> Report:
    """Each case, so many times."""
    path = Path(__file__).resolve().parent / "results" / "clusters.json"
    speeds = json.loads(path.read_text(encoding="utf-8"))["numbers"]
    rows, numbers = [], {}
    for work, stages, every, copies, outlive in ASKED:
        whole = ROWS / speeds[f"{work}, 2"]  # core seconds
        ideal = whole / (EXECUTORS * CORES)
        outcomes = []
        for seed in range(runs):
            draw = Random(seed)

            def seconds(_: int, draw: Random = draw, own: float = whole / tasks / stages) -> float:
                slow = SLOWER if draw.random() < SLOW else 1.0
                return own * slow * draw.lognormvariate(-SPREAD**2 / 2, SPREAD)

            job = Job([tasks] * stages, seconds, EXECUTORS, CORES, copies=copies, outlive=outlive)
            outcomes.append(job.run(losses(draw, every, EXECUTORS, 20 * ideal)))
        good = [outcome for outcome in outcomes if outcome.ended]
        waste = mean(1 - outcome.useful / outcome.worked for outcome in outcomes)
        minutes = [outcome.seconds / 60 for outcome in good]
        name = f"{work}, {every}, {copies}, {outlive}"
        numbers |= {f"{name}: ended": len(good) / runs, f"{name}: repeated": waste}
        if good:
            numbers[f"{name}: minutes"] = mean(minutes)
        rows.append([
            work, {None: "never", DAY: "a day", LONG: "1,000 hours"}[every],
            "yes" if copies else "no", "yes" if outlive else "no", f"{ideal / 60:.1f}",
            f"{mean(minutes):.1f}" if good else "", f"{max(minutes):.1f}" if good else "",
            f"{100 * waste:.1f} %", f"{len(good)} of {runs}"])
    return Report(
        title="A job of 10^11 rows on 1,000 cores, simulated",
        question=f"{EXECUTORS} executors of {CORES} cores, {tasks:,} tasks a stage, {runs} seeded "
        "runs; a lost executor is replaced after five minutes.",
        columns=["work", "an executor is lost once in", "second copies", "outputs outlive it",
                 "minutes, no trouble", "minutes, mean", "minutes, longest", "work done in vain",
                 "jobs that ended"],
        rows=rows,
        remarks=[
            "Simulated: task seconds follow from rows per processor second at two cores; the "
            f"spread of {SPREAD:.0%}, and one task in {1 / SLOW:.0f} that takes {SLOWER:.0f} "
            "times as long, are assumed. Slowness is the machine's: a second copy draws anew.",
            "Half of the work on people is assumed to come before the shuffle and half after. "
            "When an output that was fetched from is lost, all tasks of the stage start again: "
            "that is harsher than Spark. At the fourth time in a row Spark gives the job up.",
        ],
        numbers=numbers,
    )
