"""Every classifier is a registered algorithm: ``plan``, ``learn`` and ``fit`` say the same."""

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, Privacy, Task, estimators, learn, plan
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, Accuracy, Drawer, NamedRule
from tacit.domains import Schema
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
from tacit.problems.tables.trees import Trees

DOMAIN = {"age": (0, 100), "ward": range(5), "old": bool, "hair": ["red", "green", "blue"]}
TABLE = {"domain": DOMAIN, "bins": 4}
MADE = {
    "TreeClassifier": lambda **more: TreeClassifier(**TABLE, **more),
    "TreeClassifier, depth 2": lambda **more: TreeClassifier(depth=2, **TABLE, **more),
    "TreeClassifier, depth 5": lambda **more: TreeClassifier(depth=5, epsilon=20, **TABLE, **more),
    "TreeClassifier, no count": lambda **more: TreeClassifier(error_share=0, **TABLE, **more),
    "RuleListClassifier": lambda **more: RuleListClassifier(**TABLE, **more),
    "SetTreeClassifier": lambda **more: SetTreeClassifier(**TABLE, **more),
    "StumpClassifier": lambda **more: StumpClassifier(**TABLE, **more),
    "IntervalClassifier": lambda **more: IntervalClassifier(**TABLE, **more),
    "AlarmClassifier": lambda **more: AlarmClassifier(**TABLE, **more),
    "InformedTreeClassifier": lambda **more: InformedTreeClassifier(
        public=([[30, 1, True, "red"], [70, 4, False, "blue"]], [0, 1]), **TABLE, **more
    ),
    "BoxClassifier": lambda **more: BoxClassifier(**TABLE, **more),
    "ConjunctionClassifier": lambda **more: ConjunctionClassifier(**TABLE, **more),
    "ConjunctionClassifier, grown": lambda **more: ConjunctionClassifier(
        form="dnf", clauses=5, **TABLE, **more
    ),
    "ScoreClassifier": lambda **more: ScoreClassifier(**TABLE, **more),
    "BestRuleClassifier": lambda **more: BestRuleClassifier(**TABLE, **more),
    "AdditiveClassifier": lambda **more: AdditiveClassifier(**TABLE, **more),
    "BoostedTreesClassifier": lambda **more: BoostedTreesClassifier(
        rounds=2, delta=0, **TABLE, **more
    ),
    "PrivateSelection": lambda **more: PrivateSelection(
        [("tree", TreeClassifier(depth=2)), ("box", BoxClassifier())], **TABLE, **more
    ),
    "ThresholdClassifier": lambda **more: ThresholdClassifier(domain=100, **more),
    "PointClassifier": lambda **more: PointClassifier(domain=100, **more),
    "MatrixClassifier": lambda **more: MatrixClassifier(domain=np.eye(8, dtype=int), **more),
}
RELATIONS = ("replace-one", "add-remove", "label")


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(7)
    n = 400
    table = pd.DataFrame(
        {
            "age": rng.integers(0, 100, n),
            "ward": rng.integers(0, 5, n),
            "old": rng.random(n) < 0.5,
            "hair": rng.choice(["red", "green", "blue"], n),
        }
    )
    table["label"] = ((table.age > 50) & (table.ward > 1)).astype(int)
    return table


def test_every_classifier_is_here():
    named = {name.split(",")[0] for name in MADE}
    around = {"MultiTaskClassifier", "RatedClassifier"}
    assert named | around == set(estimators.__all__)
    rated = RatedClassifier(MADE["TreeClassifier"]())
    assert plan(rated.task()).runnable is not None
    several = MultiTaskClassifier(MADE["ThresholdClassifier"]())
    assert plan(several.task()).runnable is not None
    tasks = several.task(3)
    assert plan(tasks).runnable is not None


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("name", MADE)
def test_plan_learn_and_fit_are_one(name, relation, frame):
    classifier = MADE[name](relation=relation, rng=seeded("join"), ledger=Ledger.memory())
    task = classifier.task()
    planned = plan(task).runnable
    if name == "AlarmClassifier" and relation == "add-remove":
        assert planned is None  # a budget of alarms is a part of a public number of records
        return
    assert planned is not None
    assert planned.algorithm in list(ALGORITHMS)
    wide = "domain" in TABLE and isinstance(task.concept_class.domain, Schema)
    columns = list(DOMAIN) if wide else ["age"]
    fitted = classifier.fit(frame[columns], frame["label"])
    data = frame if wide else (frame["age"].to_numpy(), frame["label"].to_numpy())
    learned = learn(task, data, negative=0, rng=seeded("join"), ledger=Ledger.memory())
    rule = learned.value.rule if isinstance(learned.value, NamedRule) else learned.value
    assert rule.to_dict() == fitted.rule_.to_dict()
    assert _said(learned.certificate) == _said(fitted.certificate_)
    public = None if relation == "add-remove" else len(frame)
    assert fitted.certificate_.algorithm == planned.name
    assert fitted.certificate_.needed == plan(task.at(public)).runnable.n
    assert fitted.certificate_.epsilon == task.privacy.epsilon or not wide


def _said(certificate):
    """Everything but the ledger's digest of the time."""
    said = certificate.to_dict()
    said["account"].pop("digest")
    return said


def test_a_task_written_by_hand_is_the_classifiers(frame, tmp_path):
    schema = Schema.of(DOMAIN, bins=4)
    by_hand = Task(
        Trees(schema, depth=2),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
    )
    classifier = TreeClassifier(depth=2, rng=seeded(3), **TABLE)
    assert classifier.task() == by_hand
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    from_file = learn(by_hand, path, negative=0, rng=seeded(3), ledger=Ledger.memory())
    fitted = classifier.set_params(ledger=Ledger.memory()).fit(frame[list(DOMAIN)], frame["label"])
    assert from_file.value == fitted.release_.value
    assert _said(from_file.certificate) == _said(fitted.certificate_)


def test_whatever_is_counted_comes_from_a_public_prior(frame):
    """The prior of the released rule is at least the least one that its learner states."""
    seen = 0
    for name, make in MADE.items():
        fitted = make(rng=seeded(name), ledger=Ledger.memory())
        task = fitted.task()
        if not isinstance(task.concept_class.domain, Schema) or name == "PrivateSelection":
            continue
        chosen = plan(task).runnable
        learner = chosen.algorithm.built(chosen.algorithm.part(task), len(frame))
        assert isinstance(learner, Drawer)
        fitted.fit(frame[list(DOMAIN)], frame["label"])
        assert learner.least_prior <= learner.prior(fitted.rule_) <= 1
        assert sum(prior for _, prior in learner.comparators()) <= len(learner.comparators())
        assert learner.lost(task.accuracy.beta) > 0
        seen += 1
    assert seen >= 10
