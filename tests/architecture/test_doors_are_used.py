"""A front door exports what another room imports or a page of the reference lists, nothing else.

`python benchmarks/house.py --names` lists what is left to prune.
"""

import pytest

from benchmarks.house import unused_names
from tests.architecture.source import PACKAGE, ROOT

# Rooms whose doors still export more; the rule holds for a room once it is gone from here.
NOT_PRUNED = {"papers", "surveys", "tables"}
ROOMS = {door.parent.name for door in PACKAGE.glob("*/__init__.py")}


@pytest.fixture(scope="module")
def unused() -> dict[str, list[str]]:
    return unused_names(ROOT)


@pytest.mark.parametrize("room", sorted(ROOMS - NOT_PRUNED))
def test_somebody_outside_the_room_asks_for_every_name_of_its_door(room, unused):
    assert unused.get(room, []) == []


def test_rooms_that_are_not_pruned_exist():
    assert NOT_PRUNED <= ROOMS


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_a_name_that_nobody_asks_for_is_found(tmp_path):
    package = tmp_path / "src" / "tightrope"
    names = ["Alias", "Demo", "Imported", "Inside", "Late", "Page", "Stable", "Unused"]
    write(package / "spaces" / "__init__.py", f"__all__ = {names}\n")
    write(package / "spaces" / "inner.py", "from tightrope.spaces import Inside\n")
    write(package / "lp" / "__init__.py", "from tightrope.spaces import Imported\n__all__ = []\n")
    write(package / "cli" / "design.py",
          "from tightrope import spaces as s\n\ndef f():\n"
          "    from tightrope.spaces import Late\n    return s.Alias\n")
    write(tmp_path / "docs" / "guides" / "a.md", ">>> tr.spaces.Page(3)\n")
    page = tmp_path / "docs" / "reference" / "python" / "spaces.md"
    write(page, "# spaces\n\n## spaces.Stable\n")
    write(tmp_path / "demo" / "run.py", "from tightrope.spaces import (\n    Demo,\n)\n")
    write(tmp_path / "README.md", "Unused\n")
    assert unused_names(tmp_path) == {"spaces": ["Inside", "Unused"]}
