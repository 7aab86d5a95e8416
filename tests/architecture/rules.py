"""The rules of the layout, each a function that yields one sentence per violation.

Rules about a module take a `Module`; rules about any text file take its path.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.architecture.source import ROOT, Module, unit_of

Rule = Callable[[Module], Iterator[str]]

# Which units a unit may import, besides itself and those in EVERYWHERE.
FOUNDATION = {"exact", "spaces", "symmetry", "lp", "mechanisms", "privacy", "utility"}
PURE = FOUNDATION | {"kernels", "constructions", "declarations"}
LIBRARY = PURE | {"samplers", "documents", "plots"}
DISK = ("files", "ledger", "tables", "releases")  # each may use those before it
GUESTS = {"surveys", "locations", "networks", "curves"}  # they do not know each other
EVERYWHERE = {
    "errors", "characters", "choices", "drawing", "facts", "markup", "doors", "extras",
    "spellings",
}
CHECKERS = {"receipt", "receipt_theorems"}  # each stands alone, no code shared
MAY_IMPORT: dict[str, set[str]] = {
    "characters": set(),
    "choices": set(),
    "doors": set(),
    "drawing": {"plots"},  # only when a picture is asked for
    "errors": set(),
    "extras": set(),
    "spellings": set(),
    "facts": set(),
    "markup": set(),
    **{checker: set() for checker in CHECKERS},
    "exact": set(),
    "spaces": {"exact"},
    "symmetry": {"exact", "spaces"},
    "declarations": {"exact"},
    "lp": {"exact"},
    "mechanisms": {"exact", "spaces"},
    "privacy": {"exact", "spaces", "lp", "mechanisms"},
    "utility": FOUNDATION,
    "kernels": FOUNDATION,
    "constructions": FOUNDATION | {"kernels"},
    "samplers": {"exact", "spaces", "mechanisms", "privacy"},
    "documents": PURE,
    "plots": PURE,
    **{room: LIBRARY | set(DISK[:place]) for place, room in enumerate(DISK)},
    "reports": LIBRARY | {*DISK},
    "web": {"documents", "plots"},
    **{guest: LIBRARY | {*DISK, "web"} for guest in GUESTS},
    "theory": PURE | {"plots"},
    "papers": {"", "theory", "web", "reports", *DISK} | LIBRARY | GUESTS,
    "studio": {"web", "papers", *DISK} | LIBRARY | GUESTS,
    "cli": {"", "studio", "papers", "theory", "web", "reports", *DISK} | LIBRARY | GUESTS,
    "": {"theory", "reports", *DISK} | LIBRARY | GUESTS,
    "__main__": {"cli"},
}

# Who may make a certificate, bind it to what was proved, and look at what it is bound to: those
# who check hypotheses, `verify`, and the class itself. Nobody outside privacy does.
ISSUERS = {
    "Certificate": {
        f"privacy/{name}.py"
        for name in ("evidence", "formulas", "rounded", "theorems", "verification")
    },
    "issue": {"privacy/evidence.py", "privacy/verification.py"},
    "_proved": {"privacy/evidence.py"},
}

# What the smallest modules may use besides the standard library, by module.
MAY_BE_NEEDED = {
    ("errors", ("characters",)), ("markup", ("characters",)), ("extras", ("errors",)),
    ("spellings", ("errors",)),
    ("facts", ("characters",)), ("facts", ("markup",)), ("drawing", ("plots",)),
    ("drawing", ("matplotlib", "figure", "Figure")),
}
BROUGHT = {"pandas", "polars"}  # whoever passes or asks for such a frame has the package

LINES = 400
LONGER = {"receipt.py": 1540, "receipt_theorems.py": 1185}
VAGUE_NAMES = re.compile(r"_?((.*_)?(utils?|helpers?|misc)|common|base|managers?)")
SMALL = 1e-3
ENTROPY = ("os.urandom", "os.getrandom", "secrets", "random", "numpy.random", "uuid")
DISK_CALLS = {
    *("open", "read_text", "read_bytes", "write_text", "write_bytes"),
    *("mkdir", "rename", "rmdir", "touch", "unlink"),
    *("fromfile", "genfromtxt", "loadtxt", "memmap", "savefig", "savetxt", "tofile"),
}
URLS = ("urllib", "parse")
MAY_TOUCH_DISK = {  # rooms, and single modules with what they touch
    "files", "ledger", "tables", *CHECKERS,
    "web",  # sockets
    "surveys/records_file.py",  # answers
    "locations/formats.py", "locations/located.py", "surveys/new_store.py",
    "surveys/links.py",  # parts of a file
    "cli/failures.py",  # closed streams
    "doors.py", "locations/countries.py", "surveys/page_code.py",  # parts of the package
}
DISK_MODULES = {"glob", "http", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "urllib"}
SPLITTER = {"files/splitter.py"}  # bytes into rows and cells
PUBLIC_JUDGE = {"files/sheets.py"}  # public parameters: strict, exact decimals
PRIVATE_JUDGES = {  # private rows: total, each cell by itself
    "tables/tables.py", "tables/sources/opening.py", "locations/formats.py",
}
READERS = {  # modules and names of functions that read cells, with those who may use them
    "csv": {"mechanisms/cards.py"},  # which writes
    "pyarrow.csv": SPLITTER | {"files/example_tables.py"},  # which writes
    "tomllib": PUBLIC_JUDGE,
    "pyarrow.parquet": PUBLIC_JUDGE | PRIVATE_JUDGES | {"files/example_tables.py"},
    **dict.fromkeys(("read_csv", "read_csv_auto", "loadtxt", "genfromtxt", "fromregex"), SPLITTER),
    "read_json": set[str](),
}
SPLITS = {"split", "splitlines", "partition", "Decimal", "loads"}
READ_BYTES = {"read_bytes", "read_text"}
MAY_READ_AND_SPLIT = SPLITTER | PUBLIC_JUDGE | {
    *(f"{checker}.py" for checker in CHECKERS),
    "locations/geojson.py",
    "locations/countries.py",  # a part of the package
}
MAY_PRINT = {"cli", *CHECKERS}
LEFT_OUT = re.compile(r"(pytest\.)(mark\.)?(skip|skipif|xfail|importorskip)|unittest\.skip\w*")
MAY_LEAVE_OUT = re.compile("skip|xfail")
BRITISH = re.compile(
    r"(neighbour|behaviour|colour|favour|(random|sanit|optim|minim|maxim|normal|"
    r"general|real|recogn|summar|organ|util)is(e|ed|es|er|ing|ation)\b)",
    re.IGNORECASE,
)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def imports_follow_the_table(module: Module) -> Iterator[str]:
    if module.unit not in MAY_IMPORT:
        yield f"{module.where}: {module.unit} is not in the table of imports"
        return
    allowed = MAY_IMPORT[module.unit] | {module.unit, *EVERYWHERE}
    for found in module.imports:
        if found.internal and unit_of(found.parts) not in allowed:
            yield f"{module.where}:{found.line}: {module.unit or 'the root'} imports {found.name}"


def folders_are_entered_by_their_front_door(module: Module) -> Iterator[str]:
    for found in module.imports:
        unit = unit_of(found.parts)
        if found.internal and unit != module.unit and ".".join(found.parts) != unit:
            yield f"{module.where}:{found.line}: {found.name} is behind a front door"


def checkers_and_errors_need_only_the_standard_library(module: Module) -> Iterator[str]:
    if module.unit in {*CHECKERS, *EVERYWHERE} - {"choices"}:
        for found in module.imports:
            ours = (module.unit, found.parts) in MAY_BE_NEEDED
            if not ours and (found.internal or found.parts[0] not in sys.stdlib_module_names):
                yield f"{module.where}:{found.line}: imports {found.name}"


def packages_imported_at_once_are_core_dependencies(module: Module) -> Iterator[str]:
    core = dependencies("core")
    for found in module.imports:
        first = found.parts[0] if found.parts else ""
        if found.internal or first in sys.stdlib_module_names or first in core:
            continue
        if found.at_import:
            yield f"{module.where}:{found.line}: {first} is an extra: import it where it is used"
        elif first not in dependencies("extras") | BROUGHT:
            yield f"{module.where}:{found.line}: {first} is not a declared dependency"


def modules_are_short(module: Module) -> Iterator[str]:
    if (length := len(module.text.splitlines())) > LONGER.get(module.where, LINES):
        yield f"{module.where}: {length} lines; it probably holds two ideas"


def modules_are_nouns_of_the_field(module: Module) -> Iterator[str]:
    for part in module.parts:
        if VAGUE_NAMES.fullmatch(part):
            yield f"{module.where}: {part} says nothing"


def tolerances_have_names(module: Module) -> Iterator[str]:
    if module.where in {"exact/tolerances.py", "exact/sizes.py"} or module.unit in CHECKERS:
        return
    for node in ast.walk(module.tree):
        match node:
            case ast.Constant(value=float(number)) if 0 < number < SMALL:
                yield f"{module.where}:{node.lineno}: {number} belongs in exact/tolerances.py"


def _in(name: str, source: str) -> bool:
    return name == source or name.startswith(f"{source}.")


def only_samplers_draw(module: Module) -> Iterator[str]:
    if module.unit == "samplers":
        return
    used = {(found.line, found.name) for found in module.imports}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            used.add((node.lineno, module.dotted(node)))
    for line, source in sorted({(line, s) for line, name in used for s in ENTROPY if _in(name, s)}):
        yield f"{module.where}:{line}: {source} is entropy; only samplers draw"


def few_touch_the_disk(module: Module) -> Iterator[str]:
    if module.unit in MAY_TOUCH_DISK or module.where in MAY_TOUCH_DISK:
        return
    for found in module.imports:
        if not found.internal and found.parts[0] in DISK_MODULES and found.parts[:2] != URLS:
            yield f"{module.where}:{found.line}: imports {found.name}; that is for files"
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name) as called):
                ours = module.dotted(called).startswith("tightrope.")
                if name in DISK_CALLS and not ours:
                    yield f"{module.where}:{node.lineno}: calls {name}; that is for files"


def one_splitter_and_two_judges(module: Module) -> Iterator[str]:
    """Nobody else reads cells: neither with a library, nor by splitting the bytes of a file."""
    used = {(found.line, found.name) for found in module.imports if not found.internal}
    calls = {(node.lineno, name) for node in ast.walk(module.tree) if isinstance(node, ast.Call)
             for name in [getattr(node.func, "attr", getattr(node.func, "id", ""))]}
    for line, name in sorted(used | calls):
        for reader, allowed in READERS.items():
            if _in(name, reader) and module.where not in allowed:
                yield f"{module.where}:{line}: {reader} is a third reader of cells"
    reads = {line for line, name in calls if name in READ_BYTES}
    if reads and module.where not in MAY_READ_AND_SPLIT:
        for line, name in sorted(calls):
            if name in SPLITS:
                yield f"{module.where}:{line}: {name} of what a file holds; see files/splitter.py"


def only_the_terminal_prints(module: Module) -> Iterator[str]:
    if module.unit in MAY_PRINT:
        return
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id="print")):
                yield f"{module.where}:{node.lineno}: prints"


def only_privacy_issues_certificates(module: Module) -> Iterator[str]:
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name != "_proved":
                pass
            case ast.alias(name=name) if name != "Certificate":
                pass
            case ast.Attribute(attr="_proved" as name):
                pass
            case _:
                continue
        if name in ISSUERS and module.where not in ISSUERS[name]:
            yield f"{module.where}:{node.lineno}: {name} is for privacy alone"


def front_doors_say_what_is_public(module: Module) -> Iterator[str]:
    if not module.is_door or ".".join(module.parts) != module.unit or not module.unit:
        return  # the root lists its names in a table of its own
    if module.exported is None:
        yield f"{module.where}: has no __all__"
    elif len(set(module.exported)) < len(module.exported):
        yield f"{module.where}: __all__ names something twice"


MODULE_RULES: tuple[Rule, ...] = (
    imports_follow_the_table,
    folders_are_entered_by_their_front_door,
    checkers_and_errors_need_only_the_standard_library,
    packages_imported_at_once_are_core_dependencies,
    modules_are_short,
    modules_are_nouns_of_the_field,
    tolerances_have_names,
    only_samplers_draw,
    few_touch_the_disk,
    one_splitter_and_two_judges,
    only_the_terminal_prints,
    only_privacy_issues_certificates,
    front_doors_say_what_is_public,
)


def no_test_is_left_out(path: Path) -> Iterator[str]:
    """Only tests/systems may state that an outside system is absent; CI then fails."""
    module = Module(path, path.parent)
    if path.parent == ROOT / "tests" / "systems" or not MAY_LEAVE_OUT.search(module.text):
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute | ast.Name) and LEFT_OUT.fullmatch(module.dotted(node)):
            yield f"{path.name}:{node.lineno}: {module.dotted(node)} leaves a test out"


def spelling_is_american(path: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if BRITISH.search(line):
            for word in filter(BRITISH.search, re.findall(r"\w+", line)):
                yield f"{path.name}:{number}: {word}"


def links_lead_somewhere(path: Path) -> Iterator[str]:
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        if "://" not in target and not (path.parent / target).exists():
            yield f"{path.name}: no {target}"


IMPORT_NAMES = {"dp-accounting": "dp_accounting", "python-flint": "flint"}


def dependencies(kind: str) -> set[str]:
    """Import names of the packages that pyproject.toml asks for: "core" or "extras"."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    listed = (
        project["dependencies"]
        if kind == "core"
        else [need for name, needs in extras.items() if name != "test" for need in needs]
    )
    return import_names(listed)


def import_names(needs: list[str]) -> set[str]:
    """Import names of required packages; extras of the project itself are none."""
    names = (re.split(r"[<>=!~\[ ]", need)[0] for need in needs)
    return {IMPORT_NAMES.get(name, name) for name in names} - {"tightrope"}


def files(pattern: str, *folders: str) -> list[Path]:
    """The project's own files below some folders; environments and caches are hidden folders."""
    found = (path for folder in folders for path in (ROOT / folder).rglob(pattern))
    return sorted(p for p in found if not any(q[0] == "." for q in p.relative_to(ROOT).parts))


PAGES = [*sorted(ROOT.glob("*.md")), *files("*.md", "docs", "demo", "benchmarks")]
SOURCES = files("*.py", "src", "demo")
TESTS = files("*.py", "tests")
