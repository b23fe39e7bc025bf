"""Classifiers fitted to made-up tables with seeded randomness."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.golden import made_up
from tests.golden.tasks import MATRIX

import tacit
from tacit import estimators as tacit_estimators
from tacit.checks.testing import seeded
from tacit.estimators import (
    AdditiveClassifier,
    AlarmClassifier,
    BestRuleClassifier,
    BoostedTreesClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    InformedTreeClassifier,
    IntervalClassifier,
    MatrixClassifier,
    MultiTaskClassifier,
    PointClassifier,
    PrivateSelection,
    RatedClassifier,
    RuleListClassifier,
    ScoreClassifier,
    SetTreeClassifier,
    StumpClassifier,
    ThresholdClassifier,
    TreeClassifier,
)

N = 600
NARROW = [(0, 1), range(5), bool, ["red", "green", "blue"]]
WIDE = [(0, 1)] * 30
LABELS = ("no", "yes")


def _narrow(n: int = N) -> tuple[Any, Any]:
    cells = made_up.rows("narrow", n, 4, 1000).tolist()
    colours = ["red", "green", "blue", "grey", None]
    rows = [(a / 1000, b % 5, c < 400, colours[d % 5]) for a, b, c, d in cells]
    x = np.array(rows, dtype=object)
    y = made_up.labels("narrow", x, lambda row: row[0] >= 0.5 and row[1] >= 2)
    return x, np.array(LABELS, dtype=object)[y]


def _lettered() -> tuple[Any, Any]:
    """The narrow table with a column of letters, half of which say the label."""
    x, _ = _narrow()
    letters = [["abcdefg"[made_up.number("letters", place, 7)]] for place in range(N)]
    x = np.concatenate([x, np.array(letters, dtype=object)], axis=1)
    y = made_up.labels("letters", x, lambda row: row[4] in "bde" and row[0] >= 0.2)
    return x, np.array(LABELS, dtype=object)[y]


def _wide() -> tuple[Any, Any]:
    x = made_up.rows("wide", N, 30, 1000) / 1000
    return x, np.array(LABELS, dtype=object)[
        made_up.labels("wide", x, lambda row: row[3] + row[7] >= 1)
    ]


def _column(size: int) -> tuple[Any, Any]:
    x = made_up.integers("column", N, size).reshape(-1, 1)
    return x, made_up.labels("column", x, lambda row: row[0] >= size // 2)


def _made() -> Iterator[tuple[str, Any, tuple[Any, Any]]]:
    narrow: dict[str, Any] = {"domain": NARROW, "bins": 4, "classes": LABELS}
    kinds = (
        BoxClassifier,
        ConjunctionClassifier,
        ScoreClassifier,
        IntervalClassifier,
        RuleListClassifier,
        StumpClassifier,
        TreeClassifier,
        BestRuleClassifier,
    )
    for kind in kinds:
        for relation in ("replace-one", "add-remove", "label"):
            yield f"{kind.__name__}, {relation}", kind(relation=relation, **narrow), _narrow()
    for depth, epsilon in ((2, 1), (3, 2), (4, 4), (5, 40)):
        tree = TreeClassifier(depth=depth, epsilon=epsilon, **narrow)
        yield f"TreeClassifier, depth {depth}", tree, _narrow()
    for relation in ("replace-one", "label"):
        alarms = AlarmClassifier(relation=relation, alarms="1/4", epsilon=2, **narrow)
        yield f"AlarmClassifier, {relation}", alarms, _narrow()
    for relation in ("replace-one", "add-remove", "label"):
        sets = SetTreeClassifier(
            domain=[*NARROW, tuple("abcdef")], bins=4, classes=LABELS, relation=relation
        )
        yield f"SetTreeClassifier, {relation}", sets, _lettered()
    informed = InformedTreeClassifier(public=_narrow(200), **narrow)
    yield "InformedTreeClassifier", informed, _narrow()
    for delta in (0, "1/1000"):
        boosted = BoostedTreesClassifier(rounds=3, epsilon=8, delta=delta, **narrow)
        yield f"BoostedTreesClassifier, delta {delta}", boosted, _narrow()
        additive = AdditiveClassifier(epsilon=8, delta=delta, **narrow)
        yield f"AdditiveClassifier, delta {delta}", additive, _narrow()
    unchecked = TreeClassifier(depth=2, error_share=0, **narrow)
    yield "TreeClassifier, no count of mistakes", unchecked, _narrow()
    rich = BestRuleClassifier(domain=NARROW[:2], classes=LABELS, epsilon=80)
    x, y = _narrow(15_000)
    yield "BestRuleClassifier, own grid", rich, (x[:, :2], y)
    for epsilon in ("1/20", 1, 8):
        best = BestRuleClassifier(domain=WIDE, classes=LABELS, epsilon=epsilon)
        yield f"BestRuleClassifier, 30 columns, epsilon {epsilon}", best, _wide()
    for form in ("dnf", "cnf"):
        grown = ConjunctionClassifier(form=form, clauses=4, epsilon=4, **narrow)
        yield f"ConjunctionClassifier, {form}", grown, _narrow()
    selection = PrivateSelection(
        [("tree", TreeClassifier(depth=2)), ("box", BoxClassifier())], epsilon=3, **narrow
    )
    yield "PrivateSelection", selection, _narrow()
    yield "ThresholdClassifier", ThresholdClassifier(domain=1000), _column(1000)
    yield "PointClassifier", PointClassifier(domain=1000, delta="1/1000"), _column(1000)
    yield "MatrixClassifier", MatrixClassifier(domain=MATRIX), _column(4)
    x, y = _column(1000)
    together = MultiTaskClassifier(ThresholdClassifier(domain=1000))
    yield "MultiTaskClassifier, together", together, (x, np.stack([y, 1 - y], axis=1))
    x, y = _narrow()
    apart = MultiTaskClassifier(SetTreeClassifier(**narrow))
    beside = MultiTaskClassifier(TreeClassifier(depth=1, **narrow))
    yield "RatedClassifier", RatedClassifier(TreeClassifier(depth=2, **narrow)), (x, y)
    yield "MultiTaskClassifier, apart", apart, (x, np.stack([y, y[::-1]], axis=1))
    yield "MultiTaskClassifier, side by side", beside, (x, np.stack([y, y[::-1]], axis=1))


def fitted() -> Iterator[tuple[str, Any]]:
    """Every classifier of ``tacit.estimators``, by name and variant."""
    for name, classifier, (x, y) in _made():
        inner = classifier.estimator if hasattr(classifier, "estimator") else classifier
        seed = name.replace("ScoreClassifier", "HalfspaceClassifier")  # what it was called first
        seed = seed.replace("MatrixClassifier", "TableClassifier")
        inner.set_params(rng=seeded(f"golden/{seed}"), ledger=tacit.Ledger.memory())
        yield name, classifier.fit(x, y)


def missing(names: list[str]) -> set[str]:
    """Public classifiers that none of these names begins with."""
    return {kind for kind in tacit_estimators.__all__ if not any(n.startswith(kind) for n in names)}
