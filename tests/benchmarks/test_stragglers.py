"""The simulated cluster beside schedules that were worked out by hand."""

import importlib
import sys
from pathlib import Path
from random import Random

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
stragglers = importlib.import_module("stragglers")
Job, Outcome = stragglers.Job, stragglers.Outcome


def even(stages, executors, losses=(), **more):
    return Job(stages, lambda stage: 10.0, executors, 1, replaced=10.0, **more).run(losses)


def test_without_trouble_tasks_run_in_full_rounds():
    assert even([7], 3) == Outcome(30.0, 70.0, 70.0, True)
    assert even([7, 2], 3) == Outcome(40.0, 90.0, 90.0, True)


def test_a_lost_executor_repeats_its_task():
    # one executor: 0-10, 10-20, 20-30; the other is lost at 5, is back at 15 and works until 25
    assert even([4], 2, [(5.0, 0)], outlive=True) == Outcome(30.0, 45.0, 40.0, True)


def test_a_lost_output_is_made_again_unless_it_outlives_its_executor():
    # at 15 an executor is lost with half of a task of the second stage, and is back at 25
    assert even([2, 2], 2, [(15.0, 0)], outlive=True) == Outcome(30.0, 45.0, 40.0, True)
    # its output gone, the other task stops too: 15-25 the lost one again, 25-35 the second stage
    assert even([2, 2], 2, [(15.0, 0)]) == Outcome(35.0, 60.0, 40.0, True)


@pytest.mark.parametrize(("lost", "ended"), [(3, True), (4, False)])
def test_the_fourth_lost_output_in_a_row_ends_the_job(lost, ended):
    # whoever is lost has the output that the other one lost before
    job = Job([2, 2], lambda stage: (1.0, 100.0)[stage], 2, 1, replaced=0.5)
    assert job.run([(20.0 * (k + 1), k % 2) for k in range(lost)]).ended is ended


def test_a_slow_task_ends_with_its_second_copy():
    durations = iter([10.0] * 19 + [1000.0, 10.0])
    job = Job([20], lambda stage: next(durations), 20, 1, copies=True)
    # three times the median after 30 seconds, and 10 for the copy
    assert job.run() == Outcome(40.0, 190.0 + 40.0 + 10.0, 200.0, True)


def test_losses_come_at_their_rate():
    drawn = stragglers.losses(Random(1), 100.0, 50, 10_000.0)
    assert abs(len(drawn) - 5000) < 6 * 5000**0.5
    assert {place for _, place in drawn} == {*range(50)}
    assert [second for second, _ in drawn] == sorted(second for second, _ in drawn)
