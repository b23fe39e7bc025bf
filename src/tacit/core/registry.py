"""Registries of classes, algorithms, mechanisms and bounds; a new file joins by existing.

The rooms that define entries are imported when a registry is first read, so
``import tacit`` stays fast and nobody keeps a list by hand. Files outside the package join
where the environment variable ``TACIT_EXTENSIONS`` names their modules; nothing that is read
from a file ever does.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Generic, Protocol, TypeVar

from tacit.core.algorithm import Algorithm, LowerBound, Theorem
from tacit.core.claim import Claim
from tacit.core.errors import BadInput
from tacit.core.mechanism import Mechanism, SomeMechanism
from tacit.core.tiny import Tiny


class Named(Protocol):
    """An entry: it has a name."""

    @property
    def name(self) -> str: ...


E = TypeVar("E", bound=Named)
F = TypeVar("F", bound=Callable[..., object])


EXTENSIONS = "TACIT_EXTENSIONS"
"""The environment variable that names further modules or packages, with commas between them."""


@cache
def _load(room: str) -> None:
    package = importlib.import_module(room)
    for module in pkgutil.walk_packages(vars(package).get("__path__", []), prefix=f"{room}."):
        importlib.import_module(module.name)


def load_rooms(*rooms: str) -> None:
    """Import every module of these packages, and of the extensions, once."""
    for room in (*rooms, *extensions()):
        try:
            _load(room)
        except ModuleNotFoundError as missing:
            if room in rooms:
                raise
            raise BadInput(
                f"{EXTENSIONS} names {room!r}, which cannot be imported: there is no module "
                f"{missing.name!r} on Python's path"
            ) from None


def extensions() -> tuple[str, ...]:
    """The modules outside the package that the environment names."""
    return tuple(filter(None, (name.strip() for name in os.environ.get(EXTENSIONS, "").split(","))))


def _is_ours(module: str) -> bool:
    """Whether a module belongs to the package or to an extension."""
    return module.split(".")[0] in {"tacit", *(name.split(".")[0] for name in extensions())}


class Registry(Generic[E]):
    """Entries by name, read from the files of some packages."""

    def __init__(self, what: str, *rooms: str) -> None:
        self._what = what
        self._rooms = rooms
        self._entries: dict[str, E] = {}
        self.forget: list[Callable[[], None]] = []
        """Called when an entry is added, by whoever keeps what was made of all of them."""

    def add(self, entry: E) -> E:
        """Register an entry; two entries may not share a name."""
        if entry.name in self._entries:
            raise TypeError(f"two {self._what}s are called {entry.name!r}")
        self._entries[entry.name] = entry
        for forget in self.forget:
            forget()
        return entry

    def __iter__(self) -> Iterator[E]:
        load_rooms(*self._rooms)
        return iter(sorted(self._entries.values(), key=lambda entry: entry.name))

    def __getitem__(self, name: str) -> E:
        entries = {entry.name: entry for entry in self}
        if name not in entries:
            known = ", ".join(entries)
            raise BadInput(f"there is no {self._what} called {name!r}; known: {known}")
        return entries[name]


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "tacit.problems")
MECHANISMS: Registry[Tiny] = Registry("mechanism", "tacit.mechanisms", "tacit.problems")
"""Tiny instances of mechanisms that are run by themselves or inside others."""
LOWER_BOUNDS: Registry[LowerBound] = Registry("lower bound", "tacit.bounds", "tacit.problems")

C = TypeVar("C", bound=type)
_CLASSES: dict[str, type] = {}


def public_class(cls: C) -> C:
    """Class decorator: this concept class can be named, on the command line too.

    Its parameters are its options there; its class method ``tiny`` makes an instance for tests.
    """
    if _CLASSES.setdefault(cls.__name__, cls) is not cls:
        raise TypeError(f"two concept classes are called {cls.__name__!r}")
    return cls


def concept_classes() -> dict[str, type]:
    """Every public concept class by its name, sorted."""
    load_rooms("tacit.classes", "tacit.problems")
    return dict(sorted(_CLASSES.items()))


_THEOREMS: list[Theorem] = []


def theorem(claim: Claim, *, kind: str, setting: str, formula: str) -> Callable[[F], F]:
    """Decorator: the function computes what ``claim`` states."""

    def register(function: F) -> F:
        _THEOREMS.append(
            Theorem(claim=claim, kind=kind, setting=setting, formula=formula, function=function)
        )
        return function

    return register


def theorems() -> list[Theorem]:
    """Every theorem that is a function, sorted by citation."""
    load_rooms("tacit.bounds", "tacit.mechanisms", "tacit.problems", "tacit.theory")
    return sorted(_THEOREMS, key=lambda entry: entry.claim.cite)


def mechanisms() -> list[type[SomeMechanism]]:
    """Every concrete mechanism of the package, sorted by module and name."""
    load_rooms("tacit.mechanisms", "tacit.problems")
    found: set[type[Mechanism[object, object]]] = set()
    queue = list(Mechanism.__subclasses__())
    while queue:
        cls = queue.pop()
        queue.extend(cls.__subclasses__())
        # A dataclass with slots is a copy; the class it was copied from is still a subclass.
        named = getattr(sys.modules[cls.__module__], cls.__name__, None)
        if cls is named and _is_ours(cls.__module__) and "CLAIM" in vars(cls):
            found.add(cls)
    return sorted(found, key=lambda cls: (cls.__module__, cls.__qualname__))


def claims() -> list[Claim]:
    """Every registered claim, once, sorted by citation."""
    entries = [entry.claim for entry in (*ALGORITHMS, *LOWER_BOUNDS)]
    entries += [entry.claim for entry in theorems()]
    entries += [cls.CLAIM for cls in mechanisms()]
    return sorted(set(entries), key=lambda claim: (claim.cite, claim.statement))
