"""Rates of several label columns: one charge, chances of each, and releases that verify."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.report.release_file_cases import changed, paths

import tacit
from tacit import BudgetRefused, Ledger
from tacit.core import BadInput, Pure, leaves
from tacit.estimators import MultiTaskClassifier, RatedClassifier, TreeClassifier
from tacit.report.release_file import digest_of, read_release
from tacit.report.verify import verify_release

MADE = np.random.default_rng(17)
FRAME = pd.DataFrame({"age": MADE.integers(0, 100, 3000)})
TRUE = {"a": (30, 0.9), "b": (70, 0.6)}
LABELS = pd.DataFrame(
    {
        name: (MADE.random(3000) < np.where(FRAME.age > cut, high, 0.1)).astype(int)
        for name, (cut, high) in TRUE.items()
    }
)


def made(limit=4, **more):
    told = {"domain": {"age": (0, 100)}, "bins": 10, "depth": 1, "epsilon": 4}
    told |= {"ledger": Ledger.memory(limit, "1e-6")}
    return MultiTaskClassifier(RatedClassifier(TreeClassifier(**(told | more)), rate_share="1/4"))


def near(model, frame=FRAME):
    chances = model.predict_proba(frame)
    assert len(chances) == len(TRUE)
    for told, (cut, high) in zip(chances, TRUE.values(), strict=True):
        assert told.shape == (len(FRAME), 2)
        assert np.allclose(told.sum(axis=1), 1)
        assert abs(told[FRAME.age > cut + 10, 1].mean() - high) < 0.1
        assert abs(told[FRAME.age < cut - 10, 1].mean() - 0.1) < 0.1


def test_they_are_charged_with_the_rules_and_verify(tmp_path):
    model = made(delta="1e-6").fit(FRAME, LABELS)
    near(model)
    ledger = model.estimator.estimator.ledger
    (entry,) = ledger.entries
    *_, rates = leaves(entry.event)
    assert rates == Pure(epsilon=Fraction(1), relation=entry.event.relation)
    assert model.certificate_.epsilon == 4
    for rule in model.rules_:
        assert rule.scale == 2 * 2  # both labels pay out of one epsilon
    assert model.describe().count(" is 1 in ") == model.certificate_.rates.parts
    assert "of the 2 rules the records of each label were counted" in str(model.certificate_)
    assert "after ± beside a rule is for the numbers of that rule by itself" in str(
        model.certificate_
    )
    assert model.certificate_.rates.within > max(
        rule.reach(Fraction(1, 20)) for rule in model.rules_
    )
    path = tacit.save(model.release_, tmp_path / "r.json")
    assert tacit.verify(path, ledger=ledger, seconds=None)
    again = tacit.load(path).predict_proba(FRAME)
    assert all(map(np.array_equal, again, model.predict_proba(FRAME)))
    assert np.array_equal(tacit.load(path).predict(FRAME), model.predict(FRAME))
    with pytest.raises(BadInput, match="the rule of one label column"):
        model.estimators_[0].rate_intervals()


def test_rows_of_persons_count_for_all_labels(tmp_path):
    frame = FRAME.assign(id=np.arange(3000) // 2)
    model = made(delta="1e-6", unit="id", rows_per_unit=2).fit(frame, LABELS)
    near(model, frame)
    assert {rule.scale for rule in model.rules_} == {2 * 2 * 2}
    path = tacit.save(model.release_, tmp_path / "r.json")
    verdict = tacit.verify(path, ledger=model.estimator.estimator.ledger, seconds=None)
    assert verdict
    assert "noisy mistakes on 1500 persons" in str(verdict)
    assert "of new persons (one row of each), as mistakes" in str(model.certificate_)


def test_without_a_delta_all_labels_are_one_charge():
    model = made().fit(FRAME, LABELS)
    near(model)
    assert model.certificate_.epsilon == 4
    assert len(model.estimator.estimator.ledger.entries) == 1
    poor = made("3.9")
    with pytest.raises(BudgetRefused):
        poor.fit(FRAME, LABELS)
    assert not poor.estimator.estimator.ledger.entries


def test_rules_alone_have_no_chances():
    assert not hasattr(MultiTaskClassifier(made().estimator.estimator), "predict_proba")


def verdict(record):
    record["digests"]["release"] = digest_of(record)
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None)


@pytest.mark.parametrize("recipe", [True, False])
def test_another_cost_or_another_noise_is_found(tmp_path, recipe):
    model = made(delta="1e-6").fit(FRAME, LABELS)
    record = json.loads(tacit.save(model.release_, tmp_path / "r.json").read_text())
    if not recipe:
        record["certificate"]["recipe"] = None
    assert verdict(json.loads(json.dumps(record)))
    rates = record["certificate"]["certified"]["rates"]
    places = [("rule", "rules", place, "rule", "scale") for place in (0, 1)]
    places += [("certificate", "certified", "rates", at) for at in ("epsilon", "parts", "within")]
    if recipe:
        places += [("certificate", "recipe", "rate_share")]
        places += [("certificate", "certified", "rates", *at) for at in paths(rates)]
    for at in places:
        forged = json.loads(json.dumps(record))
        inner = forged
        for key in at[:-1]:
            inner = inner[key]
        inner[at[-1]] = changed(inner[at[-1]])
        try:
            assert not verdict(forged), at
        except BadInput:  # what cannot be read is not relied on either
            continue
    # The noise of one label is too little for two, and no rule goes without its rates.
    small = json.loads(json.dumps(record))
    for one in small["rule"]["rules"]:
        one["rule"]["scale"] = "2"
    assert "the noise of its rates is not what was paid for" in str(verdict(small))
    bare = json.loads(json.dumps(record))
    bare["rule"]["rules"][0]["rule"] = bare["rule"]["rules"][0]["rule"]["rule"]
    assert not verdict(bare)
