"""Small faults in a source file: comparisons, signs, roundings, numbers, conditions, slices.

Left alone are messages, annotations, representations, defaults, `strict=` and what runs at import.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

OTHER: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr, ast.And: ast.Or,
    ast.Or: ast.And,
}
PAIRS = ("floor ceil", "min max", "any all", "minimum maximum", "argmin argmax", "lower upper",
         "least most", "lower_bound upper_bound", "float_below float_above", "low high")
SWAPPED = {a: b for pair in PAIRS for a, b in (pair.split(), pair.split()[::-1])}
SILENT = {"__repr__", "__str__", "_repr_html_", "as_json"}
UNTOUCHED = (ast.JoinedStr, ast.Import, ast.ImportFrom, ast.arguments)
ASIDE = ("annotation", "returns", "decorator_list")


@dataclass(frozen=True)
class Fault:
    """A fault that stands in the tree for the moment: where, and what was written before."""

    statement: ast.stmt
    """The function or class of the module that it stands in."""
    line: int
    text: str


def faults(tree: ast.Module) -> Iterator[Fault]:
    """Every fault inside a function, in the tree while it is yielded and mended after."""
    for statement in tree.body:
        for function in _functions(statement):
            for line, text in _inside(function, function.lineno):
                yield Fault(statement, line, text)


def _functions(statement: ast.stmt) -> Iterator[ast.FunctionDef]:
    if isinstance(statement, ast.ClassDef):
        for part in statement.body:
            yield from _functions(part)
    elif isinstance(statement, ast.FunctionDef) and statement.name not in SILENT:
        yield statement


def _inside(node: ast.AST, line: int) -> Iterator[tuple[int, str]]:
    for field, held in ast.iter_fields(node):
        children = held if isinstance(held, list) else [held]
        for i, child in enumerate(children if field not in ASIDE else ()):
            if not isinstance(child, ast.AST) or isinstance(child, UNTOUCHED):
                continue
            if isinstance(child, ast.keyword) and child.arg == "strict":  # an assertion of `zip`
                continue
            at = getattr(child, "lineno", line)
            for new in variants(child):
                ast.fix_missing_locations(ast.copy_location(new, child))
                _put(node, field, i, new)
                text = f"{ast.unparse(child)[:70]} → {ast.unparse(new)[:70]}"
                yield at, text.replace("\n", " ")
                _put(node, field, i, child)
            if not isinstance(child, ast.Raise):
                yield from _inside(child, at)


def _put(node: ast.AST, field: str, i: int, child: ast.AST) -> None:
    held = getattr(node, field)
    if isinstance(held, list):
        held[i] = child
    else:
        setattr(node, field, child)


def variants(node: ast.AST) -> Iterator[ast.AST]:
    """The node with one small fault, in every way."""

    def changed(**fields: Any) -> ast.AST:
        new = copy.copy(node)
        vars(new).update(fields)
        return new

    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield changed(ops=[*ops[:i], OTHER[type(op)](), *ops[i + 1 :]])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in OTHER:
            yield changed(op=OTHER[type(op)]())
            if isinstance(node, ast.BinOp) and isinstance(op, ast.FloorDiv):  # rounded up
                yield ast.UnaryOp(ast.USub(), changed(left=ast.UnaryOp(ast.USub(), node.left)))
        case ast.BoolOp(op=op, values=values):
            yield changed(op=OTHER[type(op)]())
            for i in range(len(values)):
                kept = values[:i] + values[i + 1 :]
                yield changed(values=kept) if kept[1:] else copy.copy(kept[0])
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield node.operand
        case ast.Constant(value=bool() as value):
            yield changed(value=not value)
        case ast.Constant(value=int() as value):
            yield changed(value=value + 1)
            if value:
                yield changed(value=value - 1)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not isinstance(test, ast.Compare | ast.UnaryOp):
                yield changed(test=ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=[_, *_]):
            yield changed(ifs=[])
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Name(id=name, ctx=ast.Load()) if name in SWAPPED:
            yield changed(id=SWAPPED[name])
        case ast.Attribute(attr=name, ctx=ast.Load()) if name in SWAPPED:
            yield changed(attr=SWAPPED[name])
        case ast.Slice():
            yield from (changed(**{end: None}) for end in ("lower", "upper") if getattr(node, end))
