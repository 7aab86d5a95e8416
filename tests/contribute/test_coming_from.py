"""Calls of Tightrope on the page for those who come from other libraries run as they stand."""

import re

import polars
import pytest

import tightrope
from tests.architecture.source import ROOT
from tests.contribute.performing import BLOCK

PAGE = (ROOT / "docs" / "guides" / "coming-from-other-libraries.md").read_text(encoding="utf-8")
CALLS = [call for call in re.findall(r"`(tr\.\w+\(df, .*?\))`", PAGE) if "…" not in call]
BLOCKS = [block["body"] for block in BLOCK.finditer(PAGE) if "tr." in block["body"]]


@pytest.fixture
def names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = polars.DataFrame({"age": [20, 30, 40] * 100, "sex": ["f", "m", "f"] * 100})
    return {"tr": tightrope, "df": frame}


def test_the_page_has_calls():
    assert len(CALLS) >= 6
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("call", CALLS)
def test_a_call_beside_that_of_another_library_answers(call, names):
    release = eval(call, names)
    assert call.startswith("tr.histogram") or isinstance(float(release), float)


def test_blocks_answer(names):
    for block in BLOCKS:
        exec(block, names)
    assert names["ledger"].verify().holds
