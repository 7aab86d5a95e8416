"""The exit code and the message of every plan, whatever the rows: none, some, and hostile ones."""

import json

import pytest

from tightrope.exact import Level
from tightrope.ledger import Budget, Ledger

DECLARED = """dataset = "d"
{unit}
[columns.x]
type = "number"
low = 0
high = 10
bins = [0, 5, 10]
[columns.c]
type = "category"
values = ["no", "yes"]
other = "no"
missing = "no"
[columns.drug]
type = "text"
longest = 20
"""
ROWS = {
    "ordinary": b"ann,1,no,aspirin\nbob,9,yes,codeine\n" * 40,
    "empty": b"",
    "hostile": b'"ann,1,no\n,,,,,\n\xff,\xfe\0,"",\x1b[2J\n"a""b",1e999,nan,inf\n\n"\n'
               b"99999999999999999999,TRUE,-3.5\n" + b"x" * 100_000 + b",,,\nann,5,yes,a\n" * 9,
}
ASKED = {
    "counts": 'questions = ["count", "histogram of c", "histogram of x and c", "sum of x by c"]',
    "wanted": 'questions = [{ ask = "count", within = 9 }, { ask = "median of x", weight = 2 }]',
    "ratios": 'questions = ["mean of x by c", "variance of x", "distribution of x", '
              '"proportion of x > 3", "quantiles 0.1, 0.9 of x", "mode of c"]',
    "chosen": 'questions = ["upper bound of x", "left out of x", "maximum of x by c"]',
    "keys": 'questions = [{ ask = "count by drug", delta = 1e-6 }, "count"]',
    "names": 'questions = [{ ask = "keys of drug by c", delta = 1e-6 }]',
    "known": 'questions = ["histogram of c"]\nknown = [{ ask = "count", value = 80 }]',
    "kept": 'questions = ["people", "people by c", "count by c", "mean of x", "left out by c"]',
    "contradictory": 'questions = ["histogram of c"]\nknown = [{ ask = "count", value = 3 }, '
                     '{ ask = "histogram of c", cell = ["no"], value = 4 }]',
    "unknown column": 'questions = ["mean of y"]',
    "no delta": 'questions = ["count by drug"]',
    "too dear": 'questions = [{ ask = "count", epsilon = 9 }]',
    "no rows guessed": 'questions = [{ ask = "mean of x", within = 1 }]',
}
REFUSED = {"contradictory": 2, "unknown column": 2, "no delta": 2, "too dear": 2,
           "no rows guessed": 2, "beyond the budget": 3, "changed": 3}


def fields(value):
    """The fields of an answer; which keys appear is drawn, so lists of them are not compared."""
    if isinstance(value, dict):
        return {name: None if name == "answers" else fields(part)
                for name, part in value.items()}
    return [fields(part) for part in value] if isinstance(value, list) else None


def told(tightrope, folder, asked, budget=9, before=None):
    """The exit code, message and fields of the answers to a plan on every table."""
    unit = 'unit = { person = "who", rows = 3, cells = 1 }' if asked == "kept" else ""
    (folder / "d.toml").write_text(DECLARED.format(unit=unit))
    seen = {}
    for name, rows in ROWS.items():
        (folder / "t.csv").write_bytes(b"who,x,c,drug\n" + rows)
        ledger = Ledger.create(f"{name}.sqlite")
        ledger.open_budget(Budget.of(
            "b", folder / "d.toml", Level.epsilon(budget, delta="1e-5")))
        ledger.close()
        for text in filter(None, (before, asked)):
            (folder / "p.toml").write_text(
                f'name = "p"\ntotal = {{ epsilon = 1, delta = 1e-6 }}\n{ASKED[text]}\n')
            answer = tightrope("release", "t.csv", "--plan", "p.toml", "--declaration", "d.toml",
                               "--ledger", f"{name}.sqlite", "--budget", "b", "--json")
        said = json.dumps(fields(answer.json)) if answer.code == 0 else answer.out
        seen[name] = answer.code, answer.err, said
    return seen


@pytest.mark.parametrize("asked", ASKED)
def test_exit_code_and_message_of_a_plan_do_not_depend_on_rows(tightrope, folder, asked):
    seen = told(tightrope, folder, asked)
    assert seen["ordinary"][0] == REFUSED.get(asked, 0), seen["ordinary"]
    assert {*seen.values()} == {seen["ordinary"]}


@pytest.mark.parametrize(("case", "options"), [
    ("beyond the budget", {"budget": "0.5"}), ("changed", {"before": "counts"}),
])
def test_refusals_of_a_ledger_do_not_depend_on_rows(tightrope, folder, case, options):
    seen = told(tightrope, folder, "wanted", **options)
    assert seen["ordinary"][0] == REFUSED[case], seen["ordinary"]
    assert {*seen.values()} == {seen["ordinary"]}
