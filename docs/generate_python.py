"""The Python reference: which public names there are; Sphinx reads their docstrings."""

from __future__ import annotations

import inspect

_ROOMS = (
    ("tacit", "What most programs use"),
    ("tacit.classes", "Classes of rules"),
    ("tacit.estimators", "Estimators in scikit-learn's manner"),
    ("tacit.dimensions", "Dimensions"),
    ("tacit.audit", "Audit"),
    ("tacit.testing", "For tests only"),
)


_MEMBERS = (
    "   :members:\n   :exclude-members: set_fit_request, set_predict_request, set_score_request, "
    "get_metadata_routing\n"
)


def page() -> str:
    """One section a public module, one entry a public name."""
    import importlib

    parts = ["# Python\n"]
    for name, title in _ROOMS:
        module = importlib.import_module(name)
        parts.append(f"## {title}: `{name}`\n")
        for public in module.__all__:
            thing = getattr(module, public)
            if not (inspect.isclass(thing) or inspect.isfunction(thing)):
                continue
            directive = "autoclass" if inspect.isclass(thing) else "autofunction"
            parts.append(
                f"```{{eval-rst}}\n.. {directive}:: {name}.{public}\n"
                + (_MEMBERS if inspect.isclass(thing) else "")
                + "```\n"
            )
    return "\n".join(parts)
