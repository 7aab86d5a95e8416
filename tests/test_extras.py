"""Every missing extra is answered with its install line."""

import subprocess
import sys
import tomllib

import pytest

from tests.architecture.rules import import_names
from tests.architecture.source import ROOT
from tightrope.extras import PACKAGES, install_line

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]

# extra, and what a user types who does not have it
JOBS = [
    ("accounting", "import tightrope as tr; tr.privacy.account([(tr.design('path:0..2', 1), 2)])"),
    ("plot", "from tightrope.plots import blank; blank(1.0, 1.0)"),
    ("plot", "from tightrope.cli import main\n"
             "sys.argv = 'tightrope tradeoff path:0..2 --epsilons 1 --plot a.svg'.split(); main()"),
    ("postgres", "import tightrope as tr; tr.Ledger('postgresql://nobody@localhost/none')"),
    ("postgres", "from tightrope.tables import schema_of\n"
                 "schema_of('postgresql://nobody@localhost/none', table='people')"),
    ("report", "import tightrope as tr; tr.report('count.json', 'out')"),
    ("report", "from tightrope.reports import verify_report; verify_report('out')"),
    ("survey", "from tightrope.surveys import survey_application\n"
               "survey_application(None, None, None)"),
    ("web", "from tightrope.web import application; application(None)"),
]


def run_without(packages, program, folder):
    blocked = "".join(f"sys.modules[{package!r}] = None\n" for package in packages)
    return subprocess.run([sys.executable, "-c", f"import sys\n{blocked}{program}"], cwd=folder,
                          capture_output=True, text=True)


@pytest.mark.parametrize(("extra", "program"), JOBS)
def test_a_missing_extra_is_answered_with_its_install_line(extra, program, tmp_path):
    done = run_without(PACKAGES[extra], program, tmp_path)
    assert done.returncode != 0
    assert install_line(extra) in " ".join(done.stderr.split())


def test_every_extra_that_can_be_missing_has_a_job():
    """Without numba loops run uncompiled; a frame of Spark comes from a Spark that is there."""
    assert {extra for extra, _ in JOBS} == {*PACKAGES} - {"fast", "spark"}


@pytest.mark.parametrize("extra", sorted(PACKAGES))
def test_the_table_of_packages_is_that_of_the_project(extra):
    brought = {"report": "plot", "survey": "web"}
    needs = EXTRAS[extra] + (EXTRAS[brought[extra]] if extra in brought else [])
    assert {*PACKAGES[extra]} == import_names(needs)


def test_all_is_every_extra_but_the_tests():
    assert EXTRAS["all"] == [f"tightrope[{','.join(sorted({*EXTRAS} - {'all', 'test'}))}]"]
    assert {*EXTRAS} - {"all", "test"} == {*PACKAGES}
