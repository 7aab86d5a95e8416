"""Every command and every option is typed in some row, with an answer and not only a refusal."""

from typer.main import get_command

from tests.golden.rows import STORIES, story
from tightrope.cli import app

# A server runs until it is stopped: tests/systems starts it with these options.
ELSEWHERE = {("survey serve", name) for name in ("FILE", "--host", "--port", "--url", "--json")}


def commands(group, before=()):
    """Names of commands with their parameters."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, (*before, name))
        else:
            yield (*before, name), command.params


def typed():
    """Pairs of command and option that rows with an answer type."""
    pairs = set()
    listed = list(commands(get_command(app)))
    for name in STORIES:
        for row in story(name):
            if row.exit > 1:
                continue
            for words, params in listed:
                if row.words[: len(words)] == words:
                    rest = {word.partition("=")[0] for word in row.words[len(words):]}
                    pairs |= {(" ".join(words), _name(param)) for param in params
                              if param.param_type_name == "argument"
                              or rest & {*param.opts, *param.secondary_opts}}
    return pairs


def _name(param):
    return param.name.upper() if param.param_type_name == "argument" else max(param.opts, key=len)


def test_every_command_and_option_is_typed():
    wanted = {(" ".join(words), _name(param)) for words, params in commands(get_command(app))
              for param in params if param.name != "help"}
    missing = sorted(wanted - typed() - ELSEWHERE)
    assert not missing, f"{len(missing)} of {len(wanted)} are typed in no row: {missing}"


def test_what_is_typed_elsewhere_exists():
    wanted = {(" ".join(words), _name(param)) for words, params in commands(get_command(app))
              for param in params}
    assert wanted >= ELSEWHERE
