"""The page on the research bench: its lines run, and its pictures are what they draw."""

import importlib.util
import re

import numpy as np
import pytest
from PIL import Image

from tests.architecture.source import ROOT

GALLERY = ROOT / "docs" / "gallery"
PAGE = ROOT / "docs" / "guides" / "research-bench.md"


def test_every_kind_of_result_has_a_picture_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    drawn = re.findall(r'savefig\("(bench-\w+\.png)"', text)
    shown = re.findall(r"\]\(\.\./gallery/(bench-\w+\.png)\)", text)
    assert sorted(drawn) == sorted(shown) == sorted(p.name for p in GALLERY.glob("bench-*.png"))
    assert len(drawn) >= 7


@pytest.mark.slow
def test_the_pictures_are_those_that_the_page_draws(tmp_path):
    spec = importlib.util.spec_from_file_location("draw_bench", GALLERY / "draw_bench.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.draw(tmp_path) == 0
    for kept in GALLERY.glob("bench-*.png"):
        with Image.open(kept) as old, Image.open(tmp_path / kept.name) as new:
            assert np.array_equal(np.asarray(old), np.asarray(new)), kept.name
