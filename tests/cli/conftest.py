"""Every test of the command line runs in an empty folder."""

from resource import RLIMIT_FSIZE, getrlimit, setrlimit

import pytest

from tests.cli.runner import Runner


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TIGHTROPE_DEBUG", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.fixture
def tightrope(capsys):
    return Runner(capsys)


@pytest.fixture
def document(tightrope):
    """The geometric mechanism on three points at e^ε = 2."""
    answer = tightrope(
        "design", "path:0..2", "--ratio", 2, "--loss", "absolute", "-o", "m.json", "--json"
    )
    assert answer.code == 0
    return "m.json"


@pytest.fixture
def survey(folder):
    """A table of 400 rows with two columns to protect and two others."""
    lines = ["id,answer,color,age"]
    for i in range(400):
        lines.append(f"{i},{'yes' if i % 4 == 0 else 'no'},{i % 3},{20 + i % 50}")
    (folder / "survey.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return "survey.csv"


@pytest.fixture
def full_disk():
    """Files that want to grow beyond some bytes fail, as on a full disk."""
    before = getrlimit(RLIMIT_FSIZE)
    yield lambda size=before[0]: setrlimit(RLIMIT_FSIZE, (size, before[1]))
    setrlimit(RLIMIT_FSIZE, before)
