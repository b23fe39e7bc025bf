"""The part of ``tacit learn`` for tables with a schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.core import BadInput, Release

if TYPE_CHECKING:
    from tacit.accounting import Ledger

MODELS = {
    "tree": "TreeClassifier",
    "rule": "BestRuleClassifier",
    "rule-list": "RuleListClassifier",
    "stump": "StumpClassifier",
    "interval": "IntervalClassifier",
    "box": "BoxClassifier",
    "conjunction": "ConjunctionClassifier",
    "halfspace": "HalfspaceClassifier",
}


def learn_table(
    data: Path,
    *,
    schema: Path,
    label: str,
    positive: str,
    model: str,
    epsilon: str,
    delta: str,
    relation: str,
    alpha: str,
    beta: str,
    ledger: Ledger | None,
) -> Release[Any]:
    """Learn a rule of the named model from a file with a public schema."""
    del alpha  # a rule's certificate states the error that it can state
    from tacit.domains.schema import Schema
    from tacit.estimators import tables

    if model not in MODELS:
        raise BadInput(f"--model must be one of {', '.join(MODELS)}")
    estimator = getattr(tables, MODELS[model])(
        domain=Schema.of(schema),
        classes=("other", positive),
        epsilon=epsilon,
        delta=delta,
        beta=beta,
        relation=relation,
        ledger=ledger,
    )
    release: Release[Any] = estimator.fit_file(data, label=label).release_
    return release
