"""docs/contribute/architecture.md tells the truth: its rooms, its walk, its modules."""

import importlib
import inspect
import re
import sys

import pytest

from tests.architecture.rules import EVERYWHERE, MAY_IMPORT
from tests.architecture.source import PACKAGE, ROOT
from tightrope.cli import main

PAGE = (ROOT / "docs" / "contribute" / "architecture.md").read_text(encoding="utf-8")
PICTURE = re.findall(r"^([a-z]+) {2,}\S", re.search(r"```text\n(.*?)```", PAGE, re.S)[1], re.M)
WALK = PAGE.partition("## A walk")[2].partition("## When")[0]
NAMED = re.findall(r"`((?:[a-z_]+\.)+[A-Za-z_]+)`", PAGE)
STEPS = re.findall(r"`((?:[a-z_]+\.)+[A-Za-z_]+)`", WALK.partition("Back again")[0])


def test_the_page_is_at_most_two_printed_pages():
    assert len(PAGE.split()) <= 1_000


def test_the_picture_shows_every_room():
    rooms = {unit.partition(".")[0] for unit in MAY_IMPORT} - EVERYWHERE
    files = {"", "__main__", "errors", "markup"} | {r for r in rooms if r.startswith("receipt")}
    planned = {room for room in rooms if not (PACKAGE / room).exists()}
    assert set(PICTURE) == rooms - files - planned


def test_a_room_uses_only_rooms_above_it_in_the_picture():
    for place, room in enumerate(PICTURE):
        for unit, allowed in MAY_IMPORT.items():
            if unit.partition(".")[0] == room:
                used = {name.partition(".")[0] for name in allowed} & set(PICTURE)
                assert used <= set(PICTURE[: place + 1]) | {room}, room


@pytest.mark.parametrize("name", sorted(set(NAMED)))
def test_what_the_page_names_exists(name):
    parts = name.split(".")
    if parts[0] == "m":  # m.json
        return
    module = None
    for size in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(["tightrope", *parts[:size]]))
        except ImportError:
            continue
        rest = parts[size:]
        break
    assert module is not None, name
    held = [value for value in vars(module).values() if inspect.isclass(value)]
    assert all(
        any(hasattr(place, part) for place in (module, *held)) for part in rest
    ), f"{name} is not there"


def test_a_design_walks_as_the_page_says(tmp_path, monkeypatch, capsys):
    called: dict[str, int] = {}

    def watch(frame, event, _):
        if event == "call" and frame.f_code.co_filename.startswith(str(PACKAGE)):
            where = frame.f_code.co_filename[len(str(PACKAGE)) + 1 : -3].replace("/", ".")
            called.setdefault(f"{where}.{frame.f_code.co_name}", len(called))

    target = str(tmp_path / "m.json")
    monkeypatch.setattr(
        sys, "argv", ["tightrope", "design", "path:0..9", "--epsilon", "0.5", "-o", target]
    )
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        with pytest.raises(SystemExit) as done:
            main()
    finally:
        sys.setprofile(before)
    assert not done.value.code
    capsys.readouterr()
    walked = [name.replace(".Problem", ".__init__") for name in STEPS]
    assert [name for name in walked if name not in called] == []
    assert [called[name] for name in walked] == sorted(called[name] for name in walked)
