"""Examples in code and pages run in an empty folder, so those that save files leave none behind."""

import pytest

# Pages of the library are written from docstrings, whose examples run where they stand; pages on
# adding something are performed by tests/contribute.
collect_ignore_glob = [
    "docs/reference/python/*", "docs/contribute/add-*.md", "docs/conf.py", "build/*",
]


@pytest.fixture(autouse=True)
def _examples_run_in_an_empty_folder(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, pytest.DoctestItem):
        folder = request.getfixturevalue("tmp_path")
        request.getfixturevalue("monkeypatch").chdir(folder)
