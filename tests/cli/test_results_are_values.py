"""What a command prints is what a library call returns: nothing is computed in a command."""

import ast
import json

import pytest

from tests.architecture.source import modules
from tightrope import (
    constructions,
    documents,
    files,
    papers,
    privacy,
    surveys,
    tables,
    theory,
    utility,
)
from tightrope.exact import Level
from tightrope.facts import to_json


def allowed(a, b):
    return b <= 2 * a and a <= 2 * b


CASES = {
    "design grid:3x3 --epsilon 0.5 --goal worst": (
        lambda: constructions.design("grid:3x3", 0.5, goal="worst"),
        ("epsilon_refuted", "seconds", "file", "picture"),
    ),
    "compare path:0..4 --ratio 2 --loss squared": (
        lambda: constructions.compare("path:0..4", "ln(2)", loss="squared"), ("picture",)
    ),
    "tradeoff categories:3 --epsilons 0.5:1:0.5": (
        lambda: constructions.tradeoff("categories:3", [0.5, 1]), ("picture",)
    ),
    "theory improve m.json --loss absolute": (
        lambda: constructions.improve(
            files.load("m.json").mechanism, files.load("m.json").certificate.level, loss="absolute"
        ),
        ("row_error", "file", "picture"),
    ),
    "draw sure.json no yes": (lambda: tables.draw_values("sure.json", ["no", "yes"]), ()),
    "theory accuracy path:0..4 --radius 1 --failure 0.1 --rows-for 0.5": (
        lambda: theory.accuracy("path:0..4", 1, 0.1, epsilon=0.5), ("picture",)
    ),
    "theory thresholds cycle:5 --from 1/4": (
        lambda: theory.thresholds("cycle:5", lowest="1/4"), ("seconds", "picture")
    ),
    "theory compatible cycle:N --upto 4": (
        lambda: theory.family_verdict("cycle:N", upto=4), ("picture",)
    ),
    "theory accuracy ball:3 --radius 1/2 --failure 0.1": (
        lambda: theory.body_accuracy("ball:3", "1/2", 0.1), ("picture",)
    ),
    "theory prior star:3 --epsilon 1": (
        lambda: theory.judge_prior("star:3", 1), ("prior", "picture", "row_error", "doubles")
    ),
    "theory polytope 3 --ratio 3/2 --columns 2": (
        lambda: theory.extreme_points(3, ratio="3/2", columns=2),
        ("file", "export", "picture"),
    ),
    "theory axioms twice.py:allowed --grid 6": (lambda: privacy.judge(allowed, grid=6),
                                                ("predicate",)),
    "survey plan --ratio 3 --prevalence 0.1 --difference 0.1:0.2": (
        lambda: surveys.plan_survey(Level.ratio(3), prevalence="0.1", difference=("0.1", "0.2")),
        ("picture", "direct_margin", "worth", "smallest_difference", "answers", "grid",
         "questions"),
    ),
    "survey plan --ratio 3 --respondents 300 --prevalence 0.1": (
        lambda: surveys.expected_margins(300, Level.ratio(3), prevalence="0.1"),
        ("picture", "direct_respondents", "left_out", "questions"),
    ),
    "estimate t.csv --column answer --mechanism rr.json --interval score": (
        lambda: tables.estimate_column("t.csv", "answer", "rr.json", interval="score"),
        ("column", "columns", "picture"),
    ),
    "reproduce kl10/section-2": (
        lambda: papers.reproduce("kl10/section-2"), ("picture", "report")),
    "verify m.json": (
        lambda: documents.review(files.read_document("m.json")), ("row_error", "file")
    ),
    "verify m.csv --space categories:2 --epsilon 0.5": (
        lambda: documents.review(files.read_subject("m.csv", "categories:2").given, 0.5),
        ("row_error", "file"),
    ),
    "certify m.csv --space categories:2 --epsilon 0.1 --loss binary --goal worst": (
        lambda: utility.repair_for(
            utility.Problem("categories:2", 0.1, loss="binary", goal="worst"),
            files.read_subject("m.csv", "categories:2").mechanism,
        ),
        ("seconds", "file"),
    ),
    "inspect m.json": (
        lambda: documents.inspect(files.read_document("m.json")), ("row_error", "picture")
    ),
}


@pytest.mark.parametrize("command", CASES)
def test_a_command_prints_the_value_of_one_library_call(tightrope, document, folder, command):
    (folder / "twice.py").write_text("def allowed(a, b):\n    return b <= 2 * a and a <= 2 * b\n")
    (folder / "t.csv").write_text("answer\nno\nyes\nno\n")
    tables.sanitize(["no"], "no/yes", 1).columns[0].save(folder / "rr.json")
    files.save(constructions.randomized_response("categories:no/yes", 90), folder / "sure.json")
    (folder / "m.csv").write_text("0.75,0.25\n0.5,0.5\n")
    value, own = CASES[command]
    printed = tightrope(*command.split(), "--json").json
    assert [name for name in own if name not in printed] == []
    rest = {name: part for name, part in printed.items() if name not in own}
    assert rest == json.loads(json.dumps(to_json(value())))


def test_every_page_and_every_object_is_made_from_facts():
    """Only `tell` prints an answer; only failures print an object of their own."""
    calls = {
        (module.where, node.func.id)
        for module in modules()
        if module.unit == "cli"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        and node.func.id in ("print_json", "print_page", "print")
    }
    assert {where for where, _ in calls} <= {
        "cli/output.py", "cli/failures.py", "cli/application.py"}  # the last prints the version
    assert ("cli/output.py", "print_page") in calls
