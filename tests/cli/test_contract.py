"""Every command with --json prints one object with the fields of the reference page."""

import importlib.util

import pytest
from typer.main import get_command

from tests.cli.runner import SOURCE
from tightrope.cli import application

KEPT = SOURCE.parent / "tests" / "kept" / "releases"
SCRIPT = SOURCE.parent / "docs" / "reference" / "generate_cli.py"


def reference():
    """The script that writes the reference page, as a module."""
    found = importlib.util.spec_from_file_location("generate_cli", SCRIPT)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


# What CLI.md promises as the least that each object holds.
LEAST = {
    "design": "construction theorem value bound gap epsilon delta certified evidence outputs "
    "seconds file",
    "compare": "rows bound",
    "tradeoff": "rows",
    "theory thresholds": "intervals",
    "theory noise": "law mean_error epsilon",
    "theory laplace": "holds delta_needed epsilon_needed least_scale",
    "theory response": "errors factors wrong given",
    "theory excess": "holds rows checks",
    "theory questions": "estimated perturbed break_even",
    "curve": "knots values band epsilon",
    "locate blur": "rows expected_displacement certified",
    "locate cells": "rows expected_displacement certified cells bound gap",
    "locate traces": "rows expected_displacement certified fresh jump",
    "locate compare": "comparison bound",
    "theory improve": "before after",
    "verify": "holds intact epsilon witness optimality",
    "certify": "certified moved file",
    "inspect": "level curve leakage dobrushin generality rank loose picture",
    "theory generality": "holds channel witness",
    "theory generalize": "channel file",
    "draw": "answers",
    "sanitize": "rows mechanism",
    "estimate": "rows",
    "survey plan": "rows",
    "survey new": "file owner",
    "survey links": "number links",
    "survey edit": "changed digest law",
    "survey translate": "file sentences texts",
    "survey results": "questions",
    "survey estimate": "rows surprise",
    "network": "answer epsilon method count nodes evidence",
    "theory prior": "regular shares gain leakage_bound volume",
    "theory compatible": "compatible enough rows",
    "theory polytope": "total by_columns orbits loose",
    "theory axioms": "transformation_invariance choice counterexample",
    "reproduce": "rows",
    "theory batch": "epsilon parts certified",
    "theory query": "sensitivity kinds rows",
    "declare": "file",
    "release": "answers expected_error epsilon remaining ledger_entry",
    "locate heatmap": "answers expected_error epsilon remaining ledger_entry shape",
    "report": "page documents questions files",
    "ledger account": "epsilon delta evidence",
    "theory accuracy": "lower upper",
    "theory measure": "value bound",
    "theory score": "sensitivity rate stated_rate holds",
    "theory sets": "is_algebra atoms",
    "ledger open": "remaining",
    "ledger people": "people",
    "ledger show": "budgets",
    "ledger supersede": "entry by reason",
    "ledger verify": "holds",
    "ledger export": "records",
}


@pytest.fixture
def runs(tightrope, document, survey, folder):
    """One run of each command."""
    (folder / "m.csv").write_text("0.5,0.5\n0.25,0.75\n")
    (folder / "positions.csv").write_text("lon,lat\n-3.5,40.5\n")
    (folder / "curves.csv").write_text("a,b,c\n1,2,3\n2,3,4\n")
    (folder / "ring.csv").write_text("a,b\n1,2\n2,3\n3,4\n4,1\n")
    (folder / "table.csv").write_text("1,1,0\n1,1,1\n0,1,1\n")
    (folder / "sets.json").write_text('{"sets": [["a"], ["a", "b"]]}')
    tightrope("sanitize", survey, "--column", "answer", "--values", "no/yes", "--epsilon", "1",
              "-o", "out.csv")
    (folder / "d.toml").write_text(
        'dataset = "d"\n[columns.a]\ntype = "number"\nlow = 0\nhigh = 9\n')
    tightrope("ledger", "open", "books.sqlite", "--budget", "now", "--declaration", "d.toml",
              "--epsilon", "1")
    tightrope("survey", "new", "t.json", "--question", "Ever?", "--ratio", "3", "--links", "5")
    return {
        "design": ("path:0..2", "--epsilon", "1"),
        "compare": ("path:0..2", "--epsilon", "1"),
        "tradeoff": ("categories:2", "--epsilons", "1:2:1"),
        "theory thresholds": ("star:3",),
        "theory noise": ("[0, 1] | [3, 4]", "--epsilon", "1"),
        "locate blur": ("positions.csv", "--region", "-4,40,-3,41", "--within", "200m", "--factor",
                        "2", "-o", "blurred.csv"),
        "locate cells": ("--region", "-4,40,-3.995,40.005", "--within", "400m", "--factor", "20",
                         "--cell", "140m"),
        "locate traces": ("--region", "-4,40,-3,41", "--within", "200m", "--factor", "2",
                          "--fresh", "3"),
        "locate compare": ("--region", "-4,40,-3.995,40.005", "--within", "400m", "--factor",
                           "20", "--cell", "140m"),
        "curve": ("curves.csv", "--columns", "a:c", "--people", "2", "--low", "0", "--high", "9",
                  "--lipschitz", "1", "--epsilon", "1"),
        "theory laplace": ("1", "--epsilon", "1", "--scale", "2"),
        "theory response": ("4", "--epsilon", "1", "--delta", "0.1", "--error", "0.2"),
        "theory excess": (document, "--epsilon", "2"),
        "theory questions": ("100", "4", "--epsilon", "1", "--times", "9"),
        "theory improve": (document,),
        "verify": (document,),
        "certify": ("m.csv", "--space", "categories:2", "--epsilon", "0.1", "--loss", "binary"),
        "inspect": (document,),
        "theory generality": (document, document),
        "theory generalize": (document,),
        "draw": (document, "0", "2", "2"),
        "sanitize": (survey, "--column", "color", "--values", "0/1/2", "--epsilon", "1",
                     "-o", "colors.csv"),
        "survey plan": ("--ratio", "3", "--prevalence", "0.1"),
        "survey new": ("s.json", "--question", "Ever?", "--ratio", "3", "--links", "5"),
        "survey links": ("s.json", "--more", "2"),
        "survey edit": ("s.json", "--title", "Work"),
        "survey translate": ("s.json", "de"),
        "survey results": ("t.json",),
        "survey estimate": ("70,30", "--matrix", "m.csv"),
        "estimate": ("out.csv", "--column", "answer", "--mechanism",
                     "out.csv.answer.mechanism.json"),
        "network": ("ring.csv", "--nodes", "1..4", "--count", "triangles", "--epsilon", "1"),
        "theory prior": ("path:0..3", "--epsilon", "1"),
        "theory compatible": ("path:0..N", "--upto", "4"),
        "theory polytope": ("3",),
        "theory axioms": ("table.csv",),
        "theory score": ("path:0..1", "m.csv", "--epsilon", "1"),
        "theory sets": ("sets.json",),
        "theory accuracy": ("path:0..3", "--radius", "1", "--failure", "0.1"),
        "theory measure": ("categories:2", "determinant", "--epsilon", "1"),
        "reproduce": ("kl10",),
        "theory batch": (document, document),
        "theory query": ("hamming:values=2,people=2", "--query", "sum"),
        "declare": ("ring.csv", "--header"),
        "release": ("ring.csv", "sum of a", "--declaration", "d.toml", "--epsilon", "0.1",
                    "--ledger", "books.sqlite", "--budget", "now"),
        "locate heatmap": ("positions.csv", "--region", "-4,40,-3,41", "--cell", "50km",
                           "--epsilon", "0.1", "--ledger", "books.sqlite", "--budget", "now"),
        "report": (KEPT / "count.json", "-o", "board"),
        "ledger account": ("0.1*10", "ln(2)"),
        "ledger open": ("other.sqlite", "--budget", "now", "--declaration", "d.toml",
                        "--epsilon", "1", "--delta", "1e-6"),
        "ledger people": ("books.sqlite", "--budget", "now"),
        "ledger show": ("books.sqlite", "--budget", "now"),
        "ledger supersede": ("books.sqlite", "2", "--reason", "wrong"),
        "ledger verify": ("books.sqlite",),
        "ledger export": ("books.sqlite",),
    }


def test_every_command_has_the_fields_of_its_page(tightrope, runs):
    keys = reference().KEYS
    every = {name for name, _ in reference().commands_of(get_command(application()))}
    # `survey serve` runs until it is stopped; tests/systems starts it and reads its object
    assert set(runs) | {"survey serve"} == set(keys) == every
    for command, arguments in runs.items():
        answer = tightrope(*command.split(), *arguments, "--json")
        assert answer.code == 0, answer
        assert answer.err == ""
        assert sorted(answer.json) == sorted(keys[command].split()), command
        assert set(LEAST[command].split()) <= set(answer.json)


def test_what_people_see_fits_80_columns(tightrope, runs):
    for command, arguments in runs.items():
        again = ["--force"] if command == "survey new" else []
        if command == "ledger open":
            arguments = ("third.sqlite", *arguments[1:])
        if command == "report":
            arguments = (*arguments[:-1], "other-board")
        said = tightrope(*command.split(), *arguments, *again).out
        typed = [line for line in said.splitlines() if line.startswith("  tightrope")]
        for line in said.splitlines():
            assert len(line) <= 80 or line in typed, (command, line)
        assert "\x1b" not in said


def test_the_reference_pages_are_current():
    module = reference()
    written = {p.name: p.read_text(encoding="utf-8") for p in module.FOLDER.glob("*.md")}
    assert written == module.pages(), "run make reference"
