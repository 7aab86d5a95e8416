"""Which folder or address is meant by the name of an output of Spark."""

from pathlib import Path

import pytest

from tightrope.errors import BadInput
from tightrope.tables.clusters import folder_of, literal


@pytest.mark.parametrize(("output", "folder"), [
    ("/out/a", "/out/a"), ("/out/a:/b", "/out/a:/b"), ("/out/hdfs://x", "/out/hdfs:/x"),
    ("file:///out/a b%20[1]", "/out/a b%20[1]"), ("file:/out/a", "/out/a"),
    ("file://localhost/out/a", "/out/a"), ("FILE:///out", "/out"),
    ("hdfs://host:8020/out", None), ("s3a://bucket/out", None), ("dbfs:/out", None),
    ("viewfs://file/out", None),
])
def test_a_name_is_a_folder_here_unless_it_is_an_address(output, folder):
    assert folder_of(output) == (None if folder is None else Path(folder))


def test_a_path_is_a_folder_whatever_it_looks_like(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert folder_of(Path("hdfs:/out")) == tmp_path / "hdfs:" / "out"
    assert folder_of("out:1") == tmp_path / "out:1"


def test_what_is_no_name_is_refused():
    with pytest.raises(BadInput, match="name of a file"):
        folder_of(3)


def test_every_sign_of_a_pattern_is_taken_as_it_is():
    assert literal("/a[1]{x,y}*?\\b-c") == "/a\\[1\\]\\{x,y\\}\\*\\?\\\\b-c"
