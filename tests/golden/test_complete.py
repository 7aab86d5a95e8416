"""Every command and every option is typed in some row, with an answer and not only a refusal."""

from tests.golden.options import OPTIONS, typed
from tests.golden.rows import STORIES, story

# A server runs until it is stopped: tests/systems starts it with these options.
ELSEWHERE = {
    ("survey new", "--store"),
    *(("survey serve", name)
      for name in ("FILE", "--host", "--port", "--url", "--embed", "--json")),
}


def test_every_command_and_option_is_typed():
    rows = [row for name in STORIES for row in story(name) if row.exit <= 1]
    missing = sorted(OPTIONS.difference(ELSEWHERE, *map(typed, rows)))
    assert not missing, f"{len(missing)} of {len(OPTIONS)} are typed in no row: {missing}"


def test_what_is_typed_elsewhere_exists():
    assert OPTIONS >= ELSEWHERE
