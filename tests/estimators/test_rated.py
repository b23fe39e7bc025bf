"""Rates by scikit-learn's face: files as well as arrays, one charge, one release that verifies."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.report.release_file_cases import changed, paths

import tacit
from tacit import BudgetRefused, Ledger
from tacit.core import BadInput, Pure, hypothesis_from_dict, leaves
from tacit.estimators import (
    BoostedTreesClassifier,
    BoxClassifier,
    RatedClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.mechanisms.calibration import noise_scale
from tacit.report.release_file import digest_of, read_release
from tacit.report.verify import State, verify_release

DOMAIN = {"age": (0, 100), "ward": ["a", "b"]}


@pytest.fixture
def frame():
    rng = np.random.default_rng(11)
    n = 3000
    table = pd.DataFrame({"age": rng.integers(0, 100, n), "ward": rng.choice(["a", "b"], n)})
    table["sick"] = np.where(rng.random(n) < np.where(table.age > 60, 0.7, 0.05), "yes", "no")
    return table


def made(kind=TreeClassifier, **more):
    told = {"domain": DOMAIN, "classes": ("no", "yes"), "ledger": Ledger.memory(20, "1e-3")}
    return RatedClassifier(kind(**(told | more)), rate_share="1/4")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_is_learned_from_as_a_frame_is(frame, tmp_path, suffix):
    path = tmp_path / f"t.{suffix}"
    if suffix == "csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path)
    model = made().fit_file(path, label="sick")
    (entry,) = model.estimator.ledger.entries
    assert model.release_.certificate.epsilon == 1
    assert entry.cost.describe().startswith("epsilon = 1")
    assert model.describe().count("sick is yes in ") == len(model.rated_.positives)
    near = model.predict_proba(frame)[:, 1]
    for old, rate in ((frame.age > 65, 0.7), (frame.age < 55, 0.05)):
        assert abs(near[old].mean() - rate) < 0.1
    assert model.release_.value.rule == model.rated_
    assert model.certificate_.rates.epsilon == Fraction(1, 4)


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (TreeClassifier, {"relation": "add-remove"}),
        (TreeClassifier, {"costs": "balanced", "error_share": 0}),
        (BoxClassifier, {"relation": "label", "ledger": Ledger.memory(20, relation="label")}),
        (ScoreClassifier, {}),
        (BoostedTreesClassifier, {"epsilon": 4, "rounds": 3}),
        (BoostedTreesClassifier, {"epsilon": 4, "rounds": 3, "delta": 0}),
    ],
)
def test_the_release_holds_the_rates_and_verifies(frame, tmp_path, kind, more):
    model = made(kind, **more).fit(frame[["age", "ward"]], frame["sick"])
    stated = model.release_.certificate
    asked = more.get("epsilon", 1)
    assert stated.asked.epsilon == asked
    if not stated.asked.delta:
        assert stated.epsilon == asked
    path = tacit.save(model.release_, tmp_path / "r.json")
    ledger = model.estimator.ledger
    assert tacit.verify(path, ledger=ledger, seconds=None)
    again = tacit.load(path)
    assert again.value == model.rated_
    assert np.array_equal(again.predict_proba(frame), model.predict_proba(frame))
    assert again.describe() == model.describe()
    assert "\u00b1" in again.describe()
    assert "records of each label were counted" in str(again.certificate)


def record_of(frame, tmp_path, **persons):
    model = made(StumpClassifier).fit(frame[["age", "ward"]], frame["sick"], **persons)
    return json.loads(tacit.save(model.release_, tmp_path / "r.json").read_text())


def verdict(record):
    record["digests"]["release"] = digest_of(record)
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None)


PERSONS = {"groups": np.arange(3000) // 3, "rows_per_unit": 2}


@pytest.mark.parametrize("persons", [{}, PERSONS], ids=["records", "persons"])
def test_another_cost_or_another_noise_of_the_rates_is_found(frame, tmp_path, persons):
    record = record_of(frame, tmp_path, **persons)
    assert verdict(json.loads(json.dumps(record)))
    rates = record["certificate"]["certified"]["rates"]
    places = [("rule", "scale"), ("certificate", "recipe", "rate_share")]
    places += [("certificate", "certified", "rates", *at) for at in paths(rates)]
    places += [("certificate", "asked", "rows_per_unit")] if persons else []
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


def test_rates_without_a_cost_and_a_cost_without_rates_are_found(frame, tmp_path):
    record = record_of(frame, tmp_path)
    bare = json.loads(json.dumps(record))
    bare["rule"] = bare["rule"]["rule"]
    assert "it holds none" in str(verdict(bare))
    free = json.loads(json.dumps(record))
    del free["certificate"]["certified"]["rates"]
    assert "no cost of that is stated" in str(verdict(free))
    hidden = json.loads(json.dumps(record))
    del hidden["certificate"]["recipe"]["rate_share"]
    assert not verdict(hidden)


def test_rates_cost_a_part_of_what_was_paid_even_without_a_recipe(frame, tmp_path):
    record = record_of(frame, tmp_path)
    record["certificate"]["recipe"] = None
    assert (honest := verdict(json.loads(json.dumps(record))))
    assert any(one.name == "computed anew" and one.state is State.CLAIMED for one in honest.checks)
    stated = read_release(json.dumps(record).encode(), name="r.json").certificate
    assert stated.rates.epsilon == Fraction(1, 4)
    # The rates' own part, every other part and what there is no part of, each with its own noise.
    parts = [one.epsilon for one in leaves(stated.event)]
    for epsilon in (*parts, Fraction(1), Fraction(100)):
        found = verdict(with_rates(record, stated, epsilon))
        assert bool(found) == (epsilon == Fraction(1, 4)), epsilon
        if not found:
            assert "said to cost is no part of what was paid" in str(found)
    # One part cannot have paid for both.
    whole = Pure(epsilon=stated.epsilon, relation=stated.event.relation)
    alone = replace(stated, spent=replace(stated.spent, event=whole))
    found = verdict(with_rates(record, alone, stated.epsilon))
    assert "said to cost is no part of what was paid" in str(found)


def test_the_noise_of_a_record_is_too_little_for_a_person(frame, tmp_path):
    """Also where nothing can be computed anew."""
    record = record_of(frame, tmp_path, **PERSONS)
    record["certificate"]["recipe"] = None
    assert verdict(json.loads(json.dumps(record)))
    stated = read_release(json.dumps(record).encode(), name="r.json").certificate
    found = verdict(with_rates(record, stated, stated.rates.epsilon))
    assert "the noise of its rates is not what was paid for" in str(found)


def with_rates(record, stated, epsilon):
    """The release as one would write it whose rates are said to cost ``epsilon``."""
    rule = hypothesis_from_dict(record["rule"])
    rule = replace(rule, scale=noise_scale(epsilon=epsilon, relation=stated.event.relation))
    within = rule.reach(stated.rates.unsure)
    stated = replace(stated, rates=replace(stated.rates, epsilon=epsilon, within=within))
    return record | {"rule": rule.to_dict(), "certificate": stated.to_dict()}


def test_rates_stand_nowhere_but_on_the_outside_of_a_release(frame, tmp_path):
    record = record_of(frame, tmp_path)
    rated = record["rule"]
    exact = rated | {"scale": "1e-06", "positives": [1, 2], "others": [3, 4]}
    named = {"kind": "named", "label": record["label"], "column": None, "rule": exact}
    many = [{"kind": kind, "rules": [exact]} for kind in ("rules", "majority")]
    several = [many[0], {"kind": "rules", "rules": [named]}]  # each with rates of its own
    for inner in (exact, named, many[1], *several):
        with pytest.raises(BadInput, match="'rated' is damaged"):
            hypothesis_from_dict(rated | {"rule": inner})
        for outer in (rated | {"rule": inner}, inner):
            if outer in (exact, *several):
                assert "the noise of its rates is not" in str(verdict(record | {"rule": outer}))
                continue
            for one in (outer, {"kind": "rules", "rules": [named | {"rule": outer}]}):
                with pytest.raises(BadInput, match="damaged"):
                    verdict(record | {"rule": one})
    for one in ({"kind": "named"}, {"kind": "named", "rule": 3}, {}):
        with pytest.raises(BadInput, match="damaged"):
            verdict(record | {"rule": {"kind": "rules", "rules": [one]}})


def test_what_cannot_be_counted_is_refused_before_the_charge(frame, tmp_path):
    frame.assign(id=range(len(frame))).to_csv(tmp_path / "t.csv", index=False)
    ledger = Ledger.memory("0.9")
    for share, kind in ((0, BadInput), ("1/4", BudgetRefused)):
        model = RatedClassifier(
            TreeClassifier(domain=DOMAIN, classes=("no", "yes"), ledger=ledger), rate_share=share
        )
        with pytest.raises(kind):
            model.fit_file(tmp_path / "t.csv", label="sick")
    with pytest.raises(BadInput, match="rates are counted of"):
        made(ledger=ledger, other="ignore").fit_file(tmp_path / "t.csv", label="sick")
    assert not ledger.entries


def test_a_release_without_rates_says_how_to_get_them(frame, tmp_path):
    tree = made().estimator.fit(frame[["age", "ward"]], frame["sick"])
    with pytest.raises(BadInput, match="rate-share"):
        tacit.load(tacit.save(tree.release_, tmp_path / "t.json")).predict_proba(frame)
    sums = made(BoostedTreesClassifier, rounds=2).estimator
    sums.fit(frame[["age", "ward"]], frame["sick"])
    again = tacit.load(tacit.save(sums.release_, tmp_path / "b.json"))
    assert np.allclose(again.predict_proba(frame), sums.predict_proba(frame[["age", "ward"]]))


def test_no_share_for_rates_is_refused_before_anything_is_charged():
    ledger = Ledger.memory(epsilon=1)
    rated = RatedClassifier(TreeClassifier(domain=[(0, 1)], ledger=ledger), rate_share=None)
    with pytest.raises(BadInput, match="above 0 and below 1"):
        rated.fit(np.zeros((10, 1)), np.zeros(10, dtype=int))
    assert not ledger.entries
