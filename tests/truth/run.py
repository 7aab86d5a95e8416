"""The truth bench, long: `make truth`, or `python -m tests.truth.run --repetitions 1000`.

Prints every fault, how often intervals held that hold more often than stated, and how many rows
were judged; exits with 1 if there is a fault. All cores are used.
"""

from __future__ import annotations

import argparse
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.truth.doors import DOORS
from tests.truth.judge import Tally, all_faults
from tests.truth.keys import KEYS
from tests.truth.people import PEOPLE
from tests.truth.releases import cases, judge_case

REPETITIONS = 10_000


def main(words: list[str]) -> int:
    asked = argparse.ArgumentParser(prog="make truth", description=__doc__)
    asked.add_argument("--repetitions", type=int, default=REPETITIONS)
    repetitions = asked.parse_args(words).repetitions
    tallies = run(repetitions)
    faults = all_faults(tallies)
    for fault in faults:
        print(fault)
    generous = sum(_generous(tally) for tally in tallies)
    print(f"{len(tallies):,} rows, {repetitions:,} repetitions each: "
          f"{len(faults)} contradict what is stated; {generous:,} intervals hold in more than 99 % "
          "where 95 % is stated.")
    return 1 if faults else 0


def run(repetitions: int) -> list[Tally]:
    """All rows of the bench."""
    doors = (*DOORS, *PEOPLE, *KEYS)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        found = [*pool.map(partial(judge_case, repetitions=repetitions), cases(), chunksize=4),
                 *pool.map(partial(_through, repetitions=repetitions), range(len(doors)))]
    return [tally for tallies in found for tally in tallies]


def _through(door: int, repetitions: int) -> list[Tally]:
    return (*DOORS, *PEOPLE, *KEYS)[door](repetitions)


def _generous(tally: Tally) -> bool:
    return bool(tally.tried) and tally.stated == 0.95 and tally.covered > 0.99 * tally.tried


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
