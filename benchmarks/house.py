"""How large the house is: lines, names, parameters, modules, sentences, start-up.

    python benchmarks/house.py [--names] [TREE]

Measures the checkout that it stands in, or another one (a worktree of an older commit), so that
two runs show a change before and after; `--names` lists names of front doors that no other room
imports. Only the standard library is needed beside the tree's own
packages.
"""

from __future__ import annotations

import ast
import io
import json
import re
import resource
import shlex
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
          tokenize.ENDMARKER}
CALLS = {
    "design": "design path:0..9 --epsilon 0.5",
    "release": "release t.csv 'mean of age' --declaration d.toml --epsilon 0.5 --dry-run",
    "locate blur": "locate blur p.csv --region -4,40,-3,41 --within 200m --factor 2 -o out.csv",
    "survey new": "survey new s.json --question Ever? --ratio 3 --links 5",
}
TABLES = {
    "t.csv": "age\n30\n40\n",
    "d.toml": 'dataset = "t"\n[columns.age]\ntype = "number"\nlow = 0\nhigh = 99\n',
    "p.csv": "lon,lat\n-3.5,40.5\n",
}
STARTS = {
    "import": "import tightrope",
    "first design": "import tightrope as tr; tr.design('path:0..9', 0.5)",
}
TRACED = """
import json, sys, threading
ran = set()
def note(frame, event, _):
    if event == "call" and "tightrope" in frame.f_code.co_filename:
        ran.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))
threading.setprofile(note); sys.setprofile(note)
from tightrope.cli import main
try:
    main(sys.argv[1:])
except SystemExit as left:
    assert not left.code, left.code
finally:
    sys.setprofile(None)
    loaded = sum(name.startswith("tightrope") for name in sys.modules)
    print(json.dumps([loaded, len(ran)]), file=sys.stderr)
"""


def main(words: list[str]) -> int:
    folders = [word for word in words if word != "--names"]
    tree = Path(folders[0]).resolve() if folders else HERE
    rooms = lines_of_code(tree / "src" / "tightrope")
    print(f"lines of code: {sum(rooms.values()):,}")
    for room, number in rooms.most_common():
        print(f"  {room:14}{number:7,}")
    print(f"names in front doors: {names_in_doors(tree / 'src' / 'tightrope'):,}; "
          f"at the root: {run(tree, '-c', 'import tightrope; print(len(tightrope.__all__))')[0]}")
    unused = unused_names(tree)
    print(f"of these imported by no other room: {sum(map(len, unused.values())):,}")
    for room, names in sorted(unused.items(), key=lambda item: -len(item[1])):
        listed = " ".join(names) if "--names" in words else ""
        print(f"  {room:14}{len(names):7,}  {listed}".rstrip())
    for name, number in parameters(tree).most_common(5):
        print(f"parameters of {name}: {number}")
    for name, (loaded, ran) in traced(tree).items():
        print(f"{name}: {loaded} modules, {ran} functions")
    for name, pages in pages_of(tree).items():
        print(f"words a sentence, {name}: {words_a_sentence(pages):.1f}")
    for name, code in STARTS.items():
        print(f"{name}: {min(run(tree, '-c', code)[1] for _ in range(5)):.2f} s of processor")
    return 0


def lines_of_code(package: Path) -> Counter[str]:
    """Lines of each room without docstrings, comments and blanks."""
    counts: Counter[str] = Counter()
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).parts
        counts[parts[0] if len(parts) > 1 else "root"] += _code(path.read_text(encoding="utf-8"))
    return counts


def _code(text: str) -> int:
    told = {line for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {line for token in tokens if token.type not in LAYOUT
            for line in range(token.start[0], token.end[0] + 1)}
    return len(code - told)


def names_in_doors(package: Path) -> int:
    """Names that front doors of folders export."""
    return sum(len(_exported(door)) for door in package.rglob("__init__.py"))


def _exported(door: Path) -> list[str]:
    return [name for node in ast.parse(door.read_text(encoding="utf-8")).body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List)
            and ast.unparse(node.targets[0]) == "__all__" for name in ast.literal_eval(node.value)]


def unused_names(tree: Path) -> dict[str, list[str]]:
    """Names that a front door exports and nobody outside its room asks for.

    Other rooms ask by importing; users by a page of the reference, which lists the public names
    of the room, or by `tr.ROOM.NAME` in a page, the demo or a benchmark.
    """
    package = tree / "src" / "tightrope"
    asked = {pair for path in package.rglob("*.py") for pair in _imported(path, package)}
    pages = [tree / "README.md", *(tree / "docs").rglob("*.md")]
    scripts = [*(tree / "demo").rglob("*.py"), *(tree / "benchmarks").rglob("*.py")]
    for path in [*pages, *scripts]:
        text = path.read_text(encoding="utf-8")
        asked |= {*re.findall(r"\btr\.(\w+)\.(\w+)", text)}
        for room, names in re.findall(r"from tightrope\.(\w+) import (\([^)]*\)|.*)", text):
            asked |= {(room, name) for name in re.findall(r"\w+", names)}
        if path.parent.name == "python":
            asked |= {(path.stem, name) for name in re.findall(r"(?m)^## (?:\w+\.)?(\w+)$", text)}
    unused = {door.parent.name: [name for name in _exported(door)
                                 if (door.parent.name, name) not in asked]
              for door in sorted(package.glob("*/__init__.py"))}
    return {room: names for room, names in unused.items() if names}


def _imported(path: Path, package: Path) -> Iterator[tuple[str, str]]:
    """Pairs of another room and a name of its door that a module imports or reaches for."""
    parts = path.relative_to(package).parts
    own = parts[0] if len(parts) > 1 else ""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "tightrope":
            aliases |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tightrope."):
            _, room, *_ = str(node.module).split(".")
            if room != own:
                yield from ((room, alias.name) for alias in node.names)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=alias), attr=name) if alias in aliases:
                if aliases[alias] != own:
                    yield aliases[alias], name


def parameters(tree: Path) -> Counter[str]:
    """Arguments and options of each command."""
    code = ("import json\nfrom typer.main import get_command\ntry:\n"
            "    from tightrope.cli import application\n    app = application()\n"
            "except ImportError:  # an older tree\n    from tightrope.cli import app\n"
            "def listed(group, before=''):\n"
            "    for name, made in group.commands.items():\n"
            "        if hasattr(made, 'commands'):\n"
            "            yield from listed(made, f'{before}{name} ')\n"
            "        else:\n"
            "            yield before + name, len(made.params)\n"
            "print(json.dumps(dict(listed(get_command(app)))))")
    return Counter(json.loads(run(tree, "-c", code)[0]))


def traced(tree: Path) -> dict[str, tuple[int, int]]:
    """Modules that a command loads, and functions of the package that it runs."""
    from tempfile import TemporaryDirectory

    counts = {}
    for name, typed in CALLS.items():
        with TemporaryDirectory() as folder:
            for file, content in TABLES.items():
                (Path(folder) / file).write_text(content)
            ended = subprocess.run([sys.executable, "-c", TRACED, *shlex.split(typed)], cwd=folder,
                                   env=_environment(tree), capture_output=True, text=True)
            counts[name] = tuple(json.loads(ended.stderr.splitlines()[-1]))
    return counts


def pages_of(tree: Path) -> dict[str, list[Path]]:
    """Pages whose sentences are counted."""
    docs = tree / "docs"
    guides = [*docs.glob("how-to/*.md"), *docs.glob("guides/*.md"), *docs.glob("start/*.md")]
    limits = [*docs.glob("limits.md"), *docs.glob("explanation/known-limits.md")]
    return {"changelog": [tree / "CHANGELOG.md"], "limits": limits, "guides": guides}


def words_a_sentence(pages: list[Path]) -> float:
    """Mean number of words of the sentences of prose."""
    lengths = [len(sentence.split()) for page in pages for sentence in _sentences(page)]
    return sum(lengths) / max(1, len(lengths))


def _sentences(page: Path) -> Iterator[str]:
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for line in prose.splitlines():
        if line.strip() and not line.startswith(("|", "#", "    ")):
            yield from (s for s in re.split(r"(?<=[.!?:])\s+", line.lstrip("-*> ")) if s.split())


def run(tree: Path, *words: str) -> tuple[str, float]:
    """The output of a program, and the seconds of processor that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run([sys.executable, *words], env=_environment(tree), capture_output=True,
                           text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.stdout.strip(), (after.ru_utime + after.ru_stime
                                  - before.ru_utime - before.ru_stime)


def _environment(tree: Path) -> dict[str, str]:
    import os

    return {**os.environ, "PYTHONPATH": str(tree / "src")}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
