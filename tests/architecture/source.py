"""Reads a package the way the rules see it: its modules, their folders and their imports.

Nothing is executed: everything comes from the syntax tree. A *unit* is what has one front door
and one line in the table of imports: a folder of the package (`spaces`), a single root module
(`receipt`), or the root itself (`""`).
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "tightrope"

MODULE_NAME = re.compile(r"tightrope(\.\w+)+")


def unit_of(parts: tuple[str, ...]) -> str:
    """The unit that holds the module `tightrope.<parts>`."""
    return ".".join(parts[:1])


@dataclass(frozen=True)
class Import:
    """One imported module: `tightrope.<parts>` if internal, else `<parts>`."""

    parts: tuple[str, ...]
    internal: bool
    line: int
    at_import: bool  # runs as soon as the importing module is imported

    @property
    def name(self) -> str:
        return ".".join(("tightrope", *self.parts) if self.internal else self.parts)


@dataclass(frozen=True)
class Module:
    """One source file of the package."""

    path: Path
    package: Path = PACKAGE

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def where(self) -> str:
        return self.path.relative_to(self.package).as_posix()

    @property
    def is_door(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def parts(self) -> tuple[str, ...]:
        parts = self.path.relative_to(self.package).with_suffix("").parts
        return parts[:-1] if self.is_door else parts

    @property
    def unit(self) -> str:
        return unit_of(self.parts)

    @cached_property
    def exported(self) -> tuple[str, ...] | None:
        """The names in `__all__`, or None without one."""
        for node in self.tree.body:
            match node:
                case (
                    ast.Assign(targets=[ast.Name("__all__")], value=value)
                    | ast.AnnAssign(target=ast.Name("__all__"), value=ast.expr() as value)
                ):
                    return tuple(ast.literal_eval(value))
        return None

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        return tuple(_imports(self, self.tree, at_import=True))

    @cached_property
    def aliases(self) -> dict[str, str]:
        """Local names of imported things: `np` stands for `numpy`, `urandom` for `os.urandom`."""
        found: dict[str, str] = {}
        for node in ast.walk(self.tree):
            match node:
                case ast.Import(names=names):
                    found |= {n.asname: n.name for n in names if n.asname}
                case ast.ImportFrom(module=str(base), names=names, level=0):
                    found |= {n.asname or n.name: f"{base}.{n.name}" for n in names}
        return found

    def dotted(self, node: ast.AST) -> str:
        """`numpy.random.default_rng` for the expression `np.random.default_rng`, else ""."""
        match node:
            case ast.Name(id=name):
                return self.aliases.get(name, name)
            case ast.Attribute(value=value, attr=attr):
                return f"{owner}.{attr}" if (owner := self.dotted(value)) else ""
        return ""


def modules(package: Path = PACKAGE) -> list[Module]:
    """Every module of a package, in order of its path."""
    return [_read(path, package) for path in sorted(package.rglob("*.py"))]


def _read(path: Path, package: Path) -> Module:
    return _unchanged(path, package, path.stat().st_mtime_ns)


@cache
def _unchanged(path: Path, package: Path, _written: int) -> Module:
    """Every rule reads every file: a syntax tree is kept until the file is written again."""
    return Module(path, package)


def _imports(module: Module, node: ast.AST, *, at_import: bool) -> Iterator[Import]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield _absolute(module, tuple(alias.name.split(".")), node.lineno, at_import)
        case ast.ImportFrom(names=names, module=name, level=level):
            base = tuple(name.split(".")) if name else ()
            if level:
                here = module.parts if module.is_door else module.parts[:-1]
                base = ("tightrope", *here[: len(here) - level + 1], *base)
            for alias in names:
                yield _absolute(module, (*base, alias.name), node.lineno, at_import)
        case ast.Constant(value=str(text)) if MODULE_NAME.fullmatch(text):
            parts = tuple(text.split("."))
            if _exists(module.package, parts[1:]):  # a name kept for importlib.import_module
                yield _absolute(module, parts, node.lineno, False)
        case ast.If(test=test, body=body, orelse=orelse) if "TYPE_CHECKING" in ast.unparse(test):
            for part in body:
                yield from _imports(module, part, at_import=False)
            for part in orelse:
                yield from _imports(module, part, at_import=at_import)
        case ast.Name() | ast.Attribute(value=ast.Name()) | ast.expr_context() | ast.operator():
            pass  # half of all nodes, and nothing below them
        case _:
            later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for child in ast.iter_child_nodes(node):
                yield from _imports(module, child, at_import=at_import and not later)


def _absolute(module: Module, parts: tuple[str, ...], line: int, at_import: bool) -> Import:
    """Cut `from tightrope.spaces import Space` to the module it names, `tightrope.spaces`.

    A module that the front door does not export keeps its full name: it was reached for directly.
    """
    if parts[0] != "tightrope":
        return Import(parts, False, line, at_import)
    inner = parts[1:]
    if not _exists(module.package, inner) or _is_exported(module.package, inner):
        inner = inner[:-1]
    return Import(inner, True, line, at_import)


def _exists(package: Path, parts: tuple[str, ...]) -> bool:
    path = package.joinpath(*parts)
    return path.is_dir() or path.with_suffix(".py").is_file()


def _is_exported(package: Path, parts: tuple[str, ...]) -> bool:
    door = package.joinpath(*parts[:-1], "__init__.py")
    return len(parts) > 1 and door.is_file() and parts[-1] in (_read(door, package).exported or ())
