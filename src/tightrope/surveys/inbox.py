"""Answers on their way to the disk: those that arrive together share one transaction."""

from __future__ import annotations

import asyncio

from tightrope.surveys.survey_store import Outcome, Submission, SurveyStore


class Inbox:
    """Collects answers while the disk is busy, and tells each respondent when it is stored."""

    def __init__(self, store: SurveyStore) -> None:
        self._store = store
        self._waiting: list[tuple[Submission, asyncio.Future[Outcome]]] = []
        self._task: asyncio.Task[None] | None = None

    async def put(self, submission: Submission) -> Outcome:
        """The fate of the answer; `STORED` is said only when it is on the disk."""
        future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append((submission, future))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())
        return await future

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                submissions = [submission for submission, _ in batch]
                outcomes = await asyncio.to_thread(self._store.accept, submissions)
            except Exception as error:  # whatever it was, nobody may wait forever
                for _, future in batch:
                    if not future.done():
                        future.set_exception(error)
                continue
            for (_, future), outcome in zip(batch, outcomes, strict=True):
                if not future.done():
                    future.set_result(outcome)
