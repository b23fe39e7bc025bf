"""Mistakes and right answers where the number of records is private: cost, bound and words."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tacit.accounting import About, Ledger
from tacit.bounds.upper.noisy_count import certified_error
from tacit.bounds.upper.noisy_rights import NOISY_RIGHTS, certified_by_both
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, REPLACE_ONE, Pure, Relation, Sample
from tacit.core.certificate import OfValue
from tacit.core.counted_words import _either_way
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema
from tacit.estimators import (
    BestRuleClassifier,
    MultiTaskClassifier,
    PrivateSelection,
    RatedClassifier,
    ScoreClassifier,
    SetTreeClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.rule_counts import RuleCounts
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verdict import State
from tacit.report.verify import verify_release

SCHEMA = Schema.of([bool]).declared_complete()
RECORDS = labelled([(False,), (True,)], labels=(0, 1))
BETA = Fraction(1, 20)


class OfReplaced(CheckedLearner):
    """The noise for a record that comes or goes, where the promise is about a replaced one."""

    def _release(self, data, *, rng):
        learner = replace(self.learner, epsilon=self.learner.epsilon / 2, relation=ADD_REMOVE)
        return replace(
            CheckedLearner(learner=learner, epsilon=self.epsilon, beside=self.beside)
        )._release(data, rng=rng)


def checked(kind, relation):
    learner = TreeLearner(
        trees=Trees(SCHEMA, depth=1), epsilon=Fraction(1, 64), relation=Relation.read(relation)
    )
    return kind(learner=learner, epsilon=Fraction(1, 2))


def as_sample(records):
    x = np.array([record[0] for record in records]).reshape(-1, 1)
    return Sample(x, np.array([record[1] for record in records], dtype=bool))


@pytest.mark.exact
def test_both_numbers_cost_what_one_does():
    """A record is a mistake or a right answer: one that comes or goes moves one of the two."""
    mechanism = checked(CheckedLearner, ADD_REMOVE)
    assert mechanism.event().events[1] == Pure(epsilon=Fraction(1, 2), relation=ADD_REMOVE)
    found = exact(mechanism, RECORDS, 1, form=as_sample, faint=Fraction(1, 1 << 16))
    assert not found.violated, str(found)
    assert found.epsilon[0] > Fraction(1, 4)
    # One that is replaced moves both.
    found = exact(
        checked(OfReplaced, REPLACE_ONE), RECORDS, 1, form=as_sample, faint=Fraction(1, 1 << 16)
    )
    assert found.violated


def test_right_answers_are_counted_beside_mistakes():
    rule = Trees(SCHEMA, depth=1).hypothesis(True)
    labels = np.array([True, False, True])
    counts = RuleCounts(rule, ("right", "values"))
    assert counts.count(np.array([[True]] * 3), labels, None) == (1, 2, 1, 2)
    assert counts.zero() == (0, 0, 0, 0)


def table(n, seed, *, flipped=0.2):
    made = np.random.default_rng(seed)
    x = pd.DataFrame({"age": made.random(n), "dose": made.random(n)})
    return x, ((x["age"] > 0.5) ^ (made.random(n) < flipped)).astype(int)


def true_error(model, flipped):
    """On new records: the rule's answers on a fine grid of both columns."""
    places = (np.arange(64) + 0.5) / 64
    age, dose = (one.ravel() for one in np.meshgrid(places, places))
    said = model.predict(pd.DataFrame({"age": age, "dose": dose})).astype(bool)
    wrong = float((said != (age > 0.5)).mean())
    return wrong * (1 - flipped) + (1 - wrong) * flipped


DOMAIN = {"age": (0, 1), "dose": (0, 1)}


@pytest.mark.statistical
@pytest.mark.parametrize("n", [3000, 300])
@pytest.mark.parametrize("flipped", [0.5, 0.2])
def test_the_certified_error_holds(n, flipped):
    """``flipped=0.5`` is a label that nothing tells: the drawn rule has learned the records."""
    runs, held, mean = 40, 0, 0.0
    for seed in range(runs):
        model = BestRuleClassifier(
            domain=DOMAIN, bins=8, relation="add-remove", epsilon=4,
            ledger=Ledger.memory(4), rng=seeded(seed),
        ).fit(*table(n, seed, flipped=flipped))  # fmt: skip
        found, error = model.certificate_, true_error(model, flipped)
        assert found.n is None
        assert found.measured.claim == NOISY_RIGHTS
        held += found.error >= error
        mean += float(found.error - Fraction(error)) / runs
    assert held >= runs * 0.95 - 2
    assert mean < {3000: 0.12, 300: 0.4}[n]


@pytest.mark.statistical
def test_a_noisy_number_of_records_taken_for_theirs_would_not_do():
    """Noise hides mistakes and adds records: the sum of both numbers is not a public ``n``."""
    runs, broken, held = 400, 0, 0
    rng, prior, epsilon = np.random.default_rng(8), Fraction(1), Fraction(1, 40)
    for _ in range(runs):
        wrong = int(rng.binomial(400, 0.3))
        noise = rng.geometric(1 - np.exp(-1 / 40), 4)
        mistakes, right = wrong + noise[0] - noise[1], 400 - wrong + noise[2] - noise[3]
        total = int(mistakes + right)
        k = int(mistakes)
        none = certified_error(
            noisy_mistakes=k, n=total, prior=prior, epsilon=Fraction(50), beta=BETA
        )
        broken += none < Fraction(3, 10)
        both = certified_by_both(
            noisy_mistakes=k, noisy_right=int(right), prior=prior, epsilon=epsilon, beta=BETA
        )
        held += both >= Fraction(3, 10)
    assert broken > 0.15 * runs
    assert held >= 0.95 * runs


def several(x, y):
    return np.where(x["dose"] > 0.8, 2, y)


USUAL = {"domain": DOMAIN, "epsilon": 1, "relation": "add-remove"}
KINDS = {
    "tree": lambda **more: TreeClassifier(**USUAL, **more),
    "best rule": lambda **more: BestRuleClassifier(**USUAL, **more),
    "score": lambda **more: ScoreClassifier(**USUAL, **more),
    "rated": lambda **more: RatedClassifier(TreeClassifier(**USUAL, **more)),
    "selection": lambda **more: PrivateSelection(
        estimators=[("tree", TreeClassifier()), ("stump", StumpClassifier())], **USUAL, **more
    ),
    "ignored": lambda **more: TreeClassifier(**USUAL, other="ignore", **more),
    "several labels": lambda **more: TreeClassifier(**USUAL, classes=(0, 1, 2), **more),
    "persons": lambda **more: TreeClassifier(**USUAL, **more),
}


def told(release, **changes):
    stated = release.certificate
    changed = replace(stated, measured=replace(stated.measured, **changes))
    one = replace(release, certificate=changed)
    record = json.loads(json.dumps(release_record(one, about=About(), counted=True)))
    record["digests"]["release"] = digest_of(record)
    return verify_release(read_release(json.dumps(record).encode(), name="r"), seconds=None)


@pytest.mark.parametrize("name", KINDS)
def test_certificates_state_an_error_and_what_it_stands_beside_and_verify(name):
    x, y = table(4000, 1)
    if name == "ignored":
        y = pd.Series(np.where(np.arange(len(y)) % 5 == 0, 7, y), name="sick")
    if name == "several labels":
        y = several(x, y)
    more = {"groups": np.arange(len(x))} if name == "persons" else {}
    model = KINDS[name](ledger=Ledger.memory(2)).fit(x, y, **more)
    found = model.certificate_
    assert found.n is None
    assert found.epsilon <= 1
    assert Fraction(1, 5) < found.error < Fraction(1, 2)
    text = found.to_markdown()
    persons = "persons (one row of each)" if name == "persons" else "records"
    assert f"{persons}, both counted with noise: how many there are is private." in text
    if name == "selection":
        assert "better than the same answer for everybody is not said" in text
    else:
        assert "The same answer for everybody, " in text
    verdict = told(model.release_)
    assert verdict, str(verdict)
    states = {check.name: check.state for check in verdict.checks}
    assert states["error"] is State.HOLDS
    for changes in (
        {"noisy_right": found.measured.noisy_right + 900},
        {"noisy_right": None},
        {"error": found.error - Fraction(1, 100)},
        {"error": None},
        {"prior": Fraction(1)},
    ):
        assert not told(model.release_, **changes)


def test_labels_that_are_learned_apart_have_errors_that_hold_all_at_once():
    x, y = table(4000, 1)
    labels = pd.DataFrame({"sick": y, "well": 1 - y})
    # Not one draw: rules of one draw each are drawn together, without a delta too.
    model = MultiTaskClassifier(
        SetTreeClassifier(**(USUAL | {"epsilon": 4}), ledger=Ledger.memory(4))
    ).fit(x, labels)
    found = model.certificate_
    assert found.n is None
    assert [one.label for one in found.several.labels] == ["sick", "well"]
    assert all(one.error < Fraction(1, 2) for one in found.several.labels)
    said = " ".join(found.to_markdown().split())
    assert "for all 2 rules at once, each errs on at most so much" in said
    assert "as mistakes that were counted with noise say: sick " in said


def test_what_is_not_proved_there_is_said():
    x, y = table(4000, 1)
    names = np.where(y == 1, "yes", "no")
    costly = TreeClassifier(
        **USUAL, classes=("no", "yes"), costs={"yes": 5}, ledger=Ledger.memory(2)
    ).fit(x, names)
    assert costly.certificate_.error is None
    text = " ".join(costly.certificate_.to_markdown().split())
    assert "no rate is proved of mistakes with costs" in text
    many = MultiTaskClassifier(
        TreeClassifier(**USUAL, delta="1e-6", ledger=Ledger.memory(2, "1e-6"))
    ).fit(x, pd.DataFrame({"sick": y, "well": 1 - y}))
    assert many.certificate_.several is None
    text = " ".join(many.certificate_.to_markdown().split())
    assert "no bound for rules that are drawn together is proved there" in text


def test_how_far_off_a_share_may_be():
    """Of all true numbers within reach of the noisy ones, the share of the most frequent label."""
    for counts, within in (((70, 30), 8), ((40, 30, 20), 5), ((10, 9), 30)):
        stated = told_values(counts)
        most = counts.index(max(counts))
        share = Fraction(counts[most], sum(counts))
        off = Fraction(0)
        spans = [range(max(0, c - within), c + within + 1) for c in counts]
        for true in np.array(np.meshgrid(*spans)).reshape(len(counts), -1).T.tolist():
            if sum(true):
                off = max(off, abs(Fraction(true[most], sum(true)) - share))
        assert off <= _either_way(stated, within) <= off + Fraction(1, 2) * (within > counts[most])


def told_values(counts):
    class Stated:
        values = tuple(OfValue(label=str(i), count=count) for i, count in enumerate(counts))

    return Stated()
