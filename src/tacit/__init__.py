"""Tacit learns rules from tables about people, with exact differential privacy.

    from tacit import Task, Privacy, Accuracy, Ledger, plan, learn
    from tacit.classes import Thresholds

    task = Task(Thresholds(bits=32), privacy=Privacy(1), accuracy=Accuracy(0.05, 0.05))
    plan(task)                       how many records, and how many nobody can do without
    learn(task, (X, y)).value        the rule; .certificate says why it may be published

Names are loaded when first used, so that ``import tacit`` is quick.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # ``typing`` takes longer to load than all that is here
__version__ = "0.1.0"

_HOMES = {
    "tacit.core": (
        "ADD_REMOVE LABEL REPLACE_ONE Accuracy Algorithm Claim Event Hypothesis Mechanism Privacy "
        "PublicRecords Relation Release Sample Task BadInput BudgetRefused NeedMoreRecords "
        "NumericalDoubt ReleaseFailed Source SourceChanged TacitError claims theorems"
    ),
    "tacit.accounting": "About Ledger describing ledger",
    "tacit.planner": "plan",
    "tacit.sources.opening": "read",
    "tacit.sources.public": "public_records",
    "tacit.api": "algorithms learn run sanitize",
    "tacit.questions": "answering",
    "tacit.report.release_file": "load save",
    "tacit.report.verify": "verify",
}
_WHERE = {name: home for home, names in _HOMES.items() for name in names.split()}
_ROOMS = {
    "accounting", "audit", "bounds", "checks", "classes", "core", "dimensions", "domains",
    "estimators", "exact", "mechanisms", "planner", "problems", "report", "sources", "testing",
    "theory",
}  # fmt: skip

__all__ = [*sorted(_WHERE), "__version__"]


def __getattr__(name: str) -> object:
    if name in _WHERE:
        value = getattr(importlib.import_module(_WHERE[name]), name)
        globals()[name] = value
        return value
    if name in _ROOMS:
        return importlib.import_module(f"tacit.{name}")
    raise AttributeError(f"module 'tacit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE, *_ROOMS})


if TYPE_CHECKING:
    from tacit.accounting import About, Ledger, describing, ledger
    from tacit.api import algorithms, learn, run, sanitize
    from tacit.core import (
        ADD_REMOVE,
        LABEL,
        REPLACE_ONE,
        Accuracy,
        Algorithm,
        BadInput,
        BudgetRefused,
        Claim,
        Event,
        Hypothesis,
        Mechanism,
        NeedMoreRecords,
        NumericalDoubt,
        Privacy,
        PublicRecords,
        Relation,
        Release,
        ReleaseFailed,
        Sample,
        Source,
        SourceChanged,
        TacitError,
        Task,
        claims,
        theorems,
    )
    from tacit.planner import plan
    from tacit.questions import answering
    from tacit.report.release_file import load, save
    from tacit.report.verify import verify
    from tacit.sources.opening import read
    from tacit.sources.public import public_records
