"""The stores of a survey at 10,000 and 1,000,000 links: a file, and PostgreSQL.

    python benchmarks/surveys.py [ANSWERS] [LINKS…], or run.py surveys

Answers to one question are stored one at a time, as on a quiet day, and 500 together, as a server
does while many arrive. PostgreSQL writes each changed block of 32 kB to its log.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from pathlib import Path

from reports import Report

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.systems import postgres
from tightrope import surveys as sv
from tightrope.surveys import Submission, SurveyStore

ANSWERS, LINKS, TOGETHER = 4000, (10_000, 1_000_000), 500
TINY = {"answers": 40, "sizes": (100,)}


def submissions(tokens: list[str]) -> list[Submission]:
    """An answer for each token."""
    return [Submission(token, {"q1": place % 2}, f"receipt {token}")
            for place, token in enumerate(tokens)]


def tried(folder: Path, answers: int, size: int, database: str | None) -> list[float]:
    """Seconds to make the store, its bytes a link, times of answers, log, time of more links."""
    start = time.perf_counter()
    made = sv.create_survey(folder / "s.json", [("Ever?", sv.warner("3/4"))], "ln(3)", links=size,
                            store=database)
    making = time.perf_counter() - start
    tokens = re.findall(r"/r/(\S+)", made.links.read_text())[:answers]
    alone, crowd = tokens[: answers // 20], tokens[answers // 20:]
    with SurveyStore(made.store, made.survey.digest) as store:
        start = time.perf_counter()
        for submission in submissions(alone):
            store.accept([submission])
        each = (time.perf_counter() - start) / len(alone)
        logged = log_bytes(database)
        start, cost = time.perf_counter(), time.process_time()
        for first in range(0, len(crowd), TOGETHER):
            store.accept(submissions(crowd[first : first + TOGETHER]))
        together = (time.perf_counter() - start) / len(crowd)
        cost = (time.process_time() - cost) / len(crowd)
        logged = (log_bytes(database) - logged) / len(crowd)
        size_of = store._records.head.size / size
        assert sum(used for _, used in store.links().values()) == len(tokens)
    start = time.perf_counter()
    sv.add_links(made.file, 100)
    adding = time.perf_counter() - start
    return [making, size_of, 1000 * each, 1 / together, 1000 * cost, logged / 1000, adding]


def log_bytes(database: str | None) -> int:
    """The bytes that a server of PostgreSQL has written to its log."""
    if database is None:
        return 0
    import psycopg

    with psycopg.connect(database) as connection:
        row = connection.execute("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn").fetchone()
        assert row is not None
        return int(row[0])


def measure(answers: int = ANSWERS, sizes: tuple[int, ...] = LINKS) -> Report:
    """Both stores at each size."""
    found: dict[tuple[str, int], list[float]] = {}
    with postgres.server() as url:
        for name, database in (("file", None), ("PostgreSQL", url)):
            for size in sizes:
                with tempfile.TemporaryDirectory() as folder:
                    found[name, size] = tried(Path(folder), answers, size, database)
    return Report(
        title="The stores of a survey",
        question=f"One question; {answers:,} answers, most of them {TOGETHER} together as when "
                 "many arrive.",
        columns=["store", "links", "made, s", "bytes a link", "one alone, ms", "answers a second",
                 "processor ms each", "log kB each", "100 more links, s"],
        rows=[[name, f"{size:,}", f"{row[0]:.1f}", f"{row[1]:.0f}", f"{row[2]:.1f}",
               f"{row[3]:,.0f}", f"{row[4]:.2f}", f"{row[5]:.0f}", f"{row[6]:.1f}"]
              for (name, size), row in found.items()],
        remarks=["Every answer was found among the used links afterwards."],
        numbers={f"{name} {size} {what}": value for (name, size), row in found.items()
                 for what, value in zip(("made", "bytes", "alone", "rate", "processor", "log",
                                         "adding"), row, strict=True)},
    )


if __name__ == "__main__":
    asked = [int(word) for word in sys.argv[1:]]
    report = measure(*asked[:1], **({"sizes": tuple(asked[1:])} if asked[1:] else {}))
    print("\n".join(", ".join(row) for row in report.rows))
