"""The Python reference: which public names there are; Sphinx reads their docstrings."""

from __future__ import annotations

import importlib
import inspect

_ROOMS = (
    ("tacit", "What most programs use", "`plan`, `learn`, `sanitize`, `Ledger`, `save`, `verify`"),
    ("tacit.classes", "Classes of rules", "what a `Task` learns: thresholds, boxes, points, ..."),
    (
        "tacit.estimators",
        "Estimators in scikit-learn's manner",
        "rules for tables: `TreeClassifier` and its relatives, with `fit` and `fit_file`",
    ),
    ("tacit.dimensions", "Dimensions", "VC, Littlestone and others, with witnesses"),
    ("tacit.audit", "Audit", "the exact loss of a mechanism on a tiny domain, ours or yours"),
    ("tacit.testing", "For tests only", "seeds and exact laws; what it releases is not private"),
)
_INTRODUCTION = """# Python

Begin with an estimator if you have a table: make a
`TreeClassifier(domain=..., classes=..., epsilon=..., ledger=...)`, then call `fit_file` or `fit`
([in five minutes](../newcomer.md)). Begin with a `Task` if you have a class of rules in mind:
`plan(task)` says how many records it needs, `learn(task, data, ledger=...)` learns
([choosing epsilon](../choosing_epsilon.md)). `save` writes a release, `load` and `verify` read it.

Numbers may be given as `0.1`, `"1/10"` or `Fraction(1, 10)`; they are exact. If you say nothing
else, `delta` is 0 and the relation is `replace-one`. Mind the setting: a `Task` is
`setting="realizable"` (some rule of the class makes no mistake), while estimators, the command line
and the page are `agnostic` (no rule need be perfect), which needs more records.

"""


_MEMBERS = (
    "   :members:\n   :exclude-members: set_fit_request, set_predict_request, set_score_request, "
    "get_metadata_routing\n"
)


def pages() -> dict[str, str]:
    """The texts by their path: a first page, and one a public module with an entry a name."""
    made, listed, rows = {}, [], []
    for name, title, words in _ROOMS:
        file = name.replace(".", "_")
        made[f"{file}.md"] = _room(name, title, words)
        listed.append(f"{name} <{file}>")
        rows.append(f"| [`{name}`]({file}.md) | {title}: {words} |")
    table = "| module | what is there |\n|---|---|\n" + "\n".join(rows) + "\n\n"
    tree = "```{toctree}\n:hidden:\n\n" + "\n".join(listed) + "\n```\n"
    return {"python.md": _INTRODUCTION + table + tree} | made


def _room(name: str, title: str, words: str) -> str:
    module = importlib.import_module(name)
    parts = [f"# {title}: `{name}`\n", f"{words[0].upper()}{words[1:]}.\n"]
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
