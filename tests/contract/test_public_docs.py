"""Every public name says what it is, and every public method of a public class what it does."""

import importlib
import inspect

import pytest

PLACES = (
    "tacit",
    "tacit.classes",
    "tacit.estimators",
    "tacit.dimensions",
    "tacit.audit",
    "tacit.queries",
    "tacit.domains",
    "tacit.mechanisms",
    "tacit.accounting",
    "tacit.planner",
    "tacit.testing",
)
LEAST = {"tacit": 20, "tacit.classes": 15, "tacit.estimators": 10, "tacit.dimensions": 10}


def faces(place):
    """The public classes and functions of a module, by name."""
    module = importlib.import_module(place)
    named = {name: getattr(module, name) for name in module.__all__}
    return {name: one for name, one in named.items() if inspect.isclass(one) or callable(one)}


def methods(cls):
    """What the package itself defines on a class, without a leading underscore."""
    for name in dir(cls):
        if name.startswith("_"):
            continue
        owner = next(one for one in cls.__mro__ if name in vars(one))
        if owner.__module__.startswith("tacit"):
            found = vars(owner)[name]
            if isinstance(found, (property, classmethod, staticmethod)) or inspect.isfunction(
                found
            ):
                yield name


def undocumented(place):
    for name, one in faces(place).items():
        if not (inspect.getdoc(one) or "").strip():
            yield f"{place}.{name}"
        if inspect.isclass(one):
            for method in methods(one):
                if not (inspect.getdoc(getattr(one, method)) or "").strip():
                    yield f"{place}.{name}.{method}"


@pytest.mark.parametrize("place", PLACES)
def test_every_public_name_says_what_it_is(place):
    assert len(faces(place)) >= LEAST.get(place, 1)
    assert sorted(undocumented(place)) == []


def test_what_says_nothing_is_found():
    class Silent:
        def method(self): ...

    Silent.__module__ = "tacit.made_up"
    assert list(methods(Silent)) == ["method"]
    assert inspect.getdoc(Silent.method) is None
