"""Each rule finds a planted violation, and leaves its harmless neighbor alone."""

from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.source import modules

# rule, path of the planted module, a line that breaks the rule, a line that keeps it
PLANTED = [
    (
        "imports_follow_the_table",
        "spaces/path.py",
        "from tightrope.privacy import verify",
        "from tightrope.exact import Level",
    ),
    (
        "imports_follow_the_table",
        "spaces/path.py",
        "def f():\n    from ..samplers import draw",
        "from . import grid\nfrom ..errors import BadSpace",
    ),
    (
        "imports_follow_the_table",
        "samplers/laws.py",
        "from tightrope import constructions",
        "from tightrope import mechanisms",
    ),
    (
        "imports_follow_the_table",
        "exact/levels.py",
        "import tightrope",
        "import fractions",
    ),
    (
        "imports_follow_the_table",
        "surveys/plan.py",
        "import tightrope.locations",
        "import tightrope.samplers",
    ),
    *(
        (
            "imports_follow_the_table",
            f"{room}/thing.py",
            "from tightrope import theory",
            "from tightrope import mechanisms",
        )
        for room in ("documents", "plots", "releases", "surveys")
    ),
    (
        "imports_follow_the_table",
        "ledger/books.py",
        "import tightrope.tables",
        "import tightrope.files",
    ),
    (
        "imports_follow_the_table",
        "privacy/proof.py",
        "door = import_module('tightrope.utility')",
        "door = import_module('tightrope.mechanisms')",
    ),
    (
        "imports_follow_the_table",
        "gadgets/thing.py",
        "",
        None,
    ),
    (
        "folders_are_entered_by_their_front_door",
        "cli/design.py",
        "def run():\n    from tightrope.spaces.grid import Grid",
        "def run():\n    from tightrope.spaces import Grid",
    ),
    (
        "folders_are_entered_by_their_front_door",
        "cli/design.py",
        "from tightrope.spaces import grid",
        "from tightrope.exact import tolerances",  # the front door of exact exports it
    ),
    (
        "folders_are_entered_by_their_front_door",
        "__init__.py",
        "from .spaces.grid import Grid",
        "from .spaces import Grid",
    ),
    (
        "checkers_and_errors_need_only_the_standard_library",
        "receipt.py",
        "import numpy",
        "import hashlib",
    ),
    (
        "checkers_and_errors_need_only_the_standard_library",
        "receipt_theorems.py",
        "from tightrope.receipt import space_of",
        "from fractions import Fraction",
    ),
    (
        "checkers_and_errors_need_only_the_standard_library",
        "errors.py",
        "from tightrope.exact import Level",
        "from tightrope.characters import escaped",
    ),
    (
        "packages_imported_at_once_are_core_dependencies",
        "plots/figures.py",
        "import matplotlib.pyplot as plt",
        "def plot():\n    import matplotlib.pyplot as plt",
    ),
    (
        "packages_imported_at_once_are_core_dependencies",
        "tables/tables.py",
        "try:\n    import psycopg\nexcept ImportError:\n    psycopg = None",
        "if TYPE_CHECKING:\n    import psycopg",
    ),
    (
        "packages_imported_at_once_are_core_dependencies",
        "tables/tables.py",
        "def read():\n    import dask",
        "import pyarrow.parquet",
    ),
    (
        "modules_are_short",
        "lp/programs.py",
        "x = 1\n" * 401,
        "x = 1\n" * 400,
    ),
    (
        "tolerances_have_names",
        "lp/programs.py",
        "close = abs(x) < 1e-9",
        "close = x < TOLERANCE  # about 1e-9",
    ),
    (
        "tolerances_have_names",
        "lp/programs.py",
        "TINY = 0.000001",
        "HALF = 0.5",
    ),
    (
        "only_samplers_draw",
        "privacy/proof.py",
        "import numpy as np\nx = np.random.default_rng()",
        "import numpy as np\nx = np.linalg.inv(a)",
    ),
    (
        "only_samplers_draw",
        "tables/tables.py",
        "from os import urandom",
        "from os import environ",
    ),
    (
        "only_samplers_draw",
        "cli/design.py",
        "import random",
        "from tightrope.samplers import draw",
    ),
    *(
        ("one_splitter_and_two_judges", where, bad, good)
        for where, bad, good in [
            ("files/priors.py", "import csv", "from tightrope.files.sheets import read_sheet"),
            ("tables/rows.py", "from pyarrow import csv as c", "import pyarrow.compute as pc"),
            ("files/definitions.py", "import tomllib", "import json"),
            ("networks/files.py", "import pyarrow.parquet as pq", "import pyarrow as pa"),
            ("tables/sources/duck.py", "rows = connection.read_csv(path)", "rows = table.read()"),
            ("curves/columns.py", "held = np.loadtxt(path)", "held = np.load(path)"),
            ("tables/graphs.py", "ids = read_bytes(path).splitlines()",
             "ids = read_column(path, None)\nparts = name.split(':')"),
            ("files/losses.py", "text = read_text(path)\ncost = Decimal(text)",
             "cost = number_of(read_sheet(path).rows[0][0])"),
            ("locations/regions.py", "held = json.loads(read_bytes(path))",
             "held = read_geojson(path)"),
        ]
    ),
    (
        "few_touch_the_disk",
        "documents/reading.py",
        "text = Path(name).read_text()",
        "text = gzip.decompress(data).decode()",
    ),
    (
        "few_touch_the_disk",
        "spaces/path.py",
        "import tempfile",
        "import io",
    ),
    (
        "few_touch_the_disk",
        "samplers/laws.py",
        "f = open('/dev/urandom')",
        "opened = True",
    ),
    (
        "few_touch_the_disk",
        "releases/answers.py",
        "text = Path(name).read_bytes()",
        "from tightrope.files import read_bytes\ntext = read_bytes(name)",
    ),
    (
        "few_touch_the_disk",
        "surveys/plans.py",
        "import sqlite3",
        "import urllib.parse",
    ),
    (
        "only_the_terminal_prints",
        "tables/tables.py",
        "print(1)",
        "printed = 1",
    ),
    (
        "only_privacy_issues_certificates",
        "constructions/thing.py",
        "from tightrope.privacy.evidence import issue",
        "from tightrope.privacy import certified",
    ),
    (
        "only_privacy_issues_certificates",
        "privacy/theorems.py",
        "found = evidence.issue(certificate, mechanism)",
        "found = certified(mechanism, level)",
    ),
    (
        "only_privacy_issues_certificates",
        "tables/thing.py",
        "found = Certificate(level)",
        "def found() -> Certificate: ...",
    ),
    (
        "only_privacy_issues_certificates",
        "tables/thing.py",
        "x = certificate._proved",
        "x = certificate.level",
    ),
    (
        "front_doors_say_what_is_public",
        "lp/__init__.py",
        "x = 1",
        "__all__ = ['x']",
    ),
    (
        "front_doors_say_what_is_public",
        "lp/__init__.py",
        "__all__ = ['x', 'x']",
        "__all__: list[str] = []",
    ),
]

# A few modules that the planted lines refer to.
SURROUNDINGS = {
    "exact/__init__.py": "__all__ = ['Level', 'tolerances']",
    "exact/tolerances.py": "STATED = 1e-9",
    "spaces/__init__.py": "__all__ = ['Grid']",
    "spaces/grid.py": "",
    "files/__init__.py": "__all__ = []",
    "tables/__init__.py": "__all__ = []",
    "theory/__init__.py": "__all__ = []",
    "locations/__init__.py": "__all__ = []",
    "constructions/__init__.py": "__all__ = []",
    "mechanisms/__init__.py": "__all__ = []",
    "privacy/__init__.py": "__all__ = ['verify']",
    "samplers/__init__.py": "__all__ = ['draw']",
    "utility/__init__.py": "__all__ = []",
}


def broken_by(rule_name: str, folder: Path, files: dict[str, str]) -> list[str]:
    for where, text in files.items():
        path = folder / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    rule = getattr(rules, rule_name)
    return [broken for module in modules(folder) for broken in rule(module)]


@pytest.mark.parametrize(("rule", "where", "bad", "good"), PLANTED)
def test_a_rule_finds_the_planted_violation_and_only_that(rule, where, bad, good, tmp_path):
    found = broken_by(rule, tmp_path / "bad", SURROUNDINGS | {where: bad})
    assert len(found) == 1
    assert found[0].startswith(where)
    if good is not None:
        assert broken_by(rule, tmp_path / "good", SURROUNDINGS | {where: good}) == []


@pytest.mark.parametrize("name", ["utils", "_helpers", "lp_utils", "common", "base", "manager"])
def test_vague_module_names_are_found(name, tmp_path):
    rule = "modules_are_nouns_of_the_field"
    assert len(broken_by(rule, tmp_path, SURROUNDINGS | {f"lp/{name}.py": ""})) == 1


@pytest.mark.parametrize("name", ["base_measure", "commonality", "duality"])
def test_nouns_of_the_field_are_not_vague(name, tmp_path):
    rule = "modules_are_nouns_of_the_field"
    assert broken_by(rule, tmp_path, SURROUNDINGS | {f"lp/{name}.py": ""}) == []


def test_every_module_rule_has_a_planted_violation():
    tried = {rule for rule, *_ in PLANTED} | {"modules_are_nouns_of_the_field"}
    assert {rule.__name__ for rule in rules.MODULE_RULES} == tried


@pytest.mark.parametrize(
    "line",
    [
        "@pytest.mark.skip\ndef test_it(): ...",
        "@pytest.mark.skipif(True, reason='')\ndef test_it(): ...",
        "pytestmark = pytest.mark.xfail",
        "def test_it():\n    pytest.skip('not now')",
        "from pytest import importorskip\nnumpy = importorskip('numpy')",
    ],
)
def test_tests_left_out_are_found(line, tmp_path):
    path = tmp_path / "test_it.py"
    path.write_text(f"import pytest\n{line}\n", encoding="utf-8")
    assert len(list(rules.no_test_is_left_out(path))) == 1


@pytest.mark.parametrize("word", ["neighbours", "Randomised", "sanitising", "optimisation"])
def test_british_spelling_is_found(word, tmp_path):
    path = tmp_path / "page.md"
    path.write_text(f"optimistic neighbors, a promise, {word}\n", encoding="utf-8")
    assert list(rules.spelling_is_american(path)) == [f"page.md:1: {word}"]


def test_dead_links_are_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("[here](page.md#part) [gone](gone.md) [web](https://x.org)", encoding="utf-8")
    assert list(rules.links_lead_somewhere(page)) == ["page.md: no gone.md"]
