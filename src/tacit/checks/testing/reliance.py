"""What a piece of code relies on, read off its syntax: definitions, imports and constants.

Nothing is imported or run, so that a copy of the package can be asked as well.
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
CALIBRATION = "tacit.mechanisms.calibration"
"""Where every sensitivity and calibration is stated."""
_LOOKED_THROUGH = ("tacit.mechanisms.", "tacit.problems.")
_THEOREMS = ("_upper", "_lower")

Name = tuple[str, str]
"""A module and a name that is defined there."""


@dataclass(frozen=True)
class _Module:
    """The definitions of one file, and where its other names come from."""

    tree: ast.Module
    definitions: dict[str, ast.stmt] = field(default_factory=dict)
    imports: dict[str, Name] = field(default_factory=dict)


class Sources:
    """The files of a package, or of a copy of it, read when they are asked for."""

    def __init__(self, package: Path = PACKAGE) -> None:
        self._package = package
        self._read: dict[str, _Module | None] = {}

    def module(self, name: str) -> _Module | None:
        """A module's file, taken apart; ``None`` if there is no such file."""
        if name not in self._read:
            path = self._path(name)
            self._read[name] = None if path is None else _taken_apart(path.read_text("utf-8"))
        return self._read[name]

    def _path(self, name: str) -> Path | None:
        head, _, rest = name.partition(".")
        if head != self._package.name:
            spec = importlib.util.find_spec(name) if not rest else None
            return Path(spec.origin) if spec is not None and spec.origin else None
        base = self._package.joinpath(*rest.split(".")) if rest else self._package
        choices = (base / "__init__.py", base.with_suffix(".py"))
        return next((path for path in choices if path.is_file()), None)

    def find(self, module: str, name: str) -> tuple[Name, ast.stmt] | None:
        """Where a name that a module uses is defined, through any number of imports."""
        known = self.module(module)
        if known is None:
            return None
        if name in known.definitions:
            return (module, name), known.definitions[name]
        source = known.imports.get(name)
        return None if source is None else self.find(*source)

    def names(self, module: str, node: ast.AST) -> Iterator[tuple[Name, ast.stmt]]:
        """The definitions that a piece of a module's code names."""
        for name, attribute in _named(node):
            if attribute is None:
                found = self.find(module, name)
            else:
                owner = self._module_named(module, name)
                found = None if owner is None else self.find(owner, attribute)
            if found is not None:
                yield found

    def _module_named(self, module: str, name: str) -> str | None:
        known = self.module(module)
        source = None if known is None else known.imports.get(name)
        if source is None:
            return None
        full = ".".join(source)
        return full if self.module(full) is not None else None

    def node(self, name: str) -> tuple[str, ast.AST]:
        """The module of a covered name, and its own syntax: a module, or something in it."""
        if self.module(name) is not None:
            known = self.module(name)
            assert known is not None
            return name, known.tree
        owner, _, attribute = name.rpartition(".")
        if self.module(owner) is not None:
            found = self.find(owner, attribute)
            if found is None:
                raise LookupError(f"{owner} defines no {attribute}")
            return found[0][0], alone(found[1])
        module, inside = self.node(owner)
        for part in ast.walk(inside):
            if isinstance(part, (ast.FunctionDef, ast.ClassDef)) and part.name == attribute:
                return module, alone(part)
        raise LookupError(f"{owner} has no {attribute}")


# A file is taken apart once (``_taken_apart``), so a piece of it is the same object for every
# proof: what is read off a piece is kept by that object, which the memory holds alive.
_kept = lru_cache(maxsize=1 << 14)


@_kept
def alone(statement: ast.stmt) -> ast.Module:
    """A module of one statement."""
    return ast.Module(body=[statement], type_ignores=[])


@_kept
def _named(node: ast.AST) -> tuple[tuple[str, str | None], ...]:
    """The names in a piece of code, each with its attribute where it has one, once each."""
    found: dict[tuple[str, str | None], None] = {}
    for part in ast.walk(node):
        match part:
            case ast.Name(id=name):
                found[name, None] = None
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                found[name, attribute] = None
    return tuple(found)


@_kept
def _inside(node: ast.AST) -> frozenset[int]:
    return frozenset(map(id, ast.walk(node)))


def _ours(module: str) -> bool:
    return module.split(".")[0] == PACKAGE.name


@lru_cache(maxsize=2048)
def _taken_apart(text: str) -> _Module:
    found = _Module(ast.parse(text))
    for node in found.tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.definitions[name] = node
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                found.definitions[name] = node
            case ast.ImportFrom(module=str(source), names=names) if _ours(source):
                for alias in names:
                    found.imports[alias.asname or alias.name] = (source, alias.name)
    return found


def relied_on(names: list[str], sources: Sources) -> dict[Name, ast.stmt]:
    """The calibrations that covered code reaches, and the numbers that it names itself.

    Calibrations are looked for through everything that mechanisms are made of, theorems
    apart; numbers of other places count where the covered code names them.
    """
    covered = [sources.node(name) for name in names]
    inside = frozenset[int]().union(*(_inside(node) for _, node in covered))
    found: dict[Name, ast.stmt] = {}
    seen: set[Name] = set()
    queue: list[tuple[str, ast.AST, bool]] = [(module, node, True) for module, node in covered]
    while queue:
        module, node, own = queue.pop()
        for name, definition in sources.names(module, node):
            if id(definition) in inside:
                continue
            if name[0] == CALIBRATION or (own and _is_number(definition)):
                found[name] = definition
            through = name[0].startswith(_LOOKED_THROUGH) and not name[0].endswith(_THEOREMS)
            if through and name not in seen:
                seen.add(name)
                queue.append((name[0], definition, False))
    return found


def _is_number(definition: ast.stmt) -> bool:
    """Whether it gives a name to a number: a literal, or made of literals."""
    value = definition.value if isinstance(definition, (ast.Assign, ast.AnnAssign)) else None
    if value is None:
        return False
    allowed = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Load)
    for part in ast.walk(value):
        number = isinstance(part, ast.Constant) and isinstance(part.value, (int, float))
        ratio = isinstance(part, ast.Name) and part.id == Fraction.__name__
        if not (number or ratio or isinstance(part, (*allowed, ast.Call))):
            return False
    return True
