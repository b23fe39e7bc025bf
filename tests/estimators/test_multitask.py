"""``MultiTaskClassifier`` over classifiers of whole tables: one budget, one ledger."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from tests.complete import complete

from tacit import BudgetRefused, Ledger
from tacit.accounting import About, total
from tacit.checks.testing import seeded
from tacit.core import LABEL, BadInput, Composed
from tacit.core.certificate_reader import certificate_from_dict
from tacit.estimators import (
    BoxClassifier,
    MultiTaskClassifier,
    PrivateSelection,
    RatedClassifier,
    SetTreeClassifier,
    StumpClassifier,
    ThresholdClassifier,
    TreeClassifier,
)
from tacit.report.release_file import release_record, release_text
from tacit.report.verify import verify

CLASSIFIERS = [TreeClassifier, StumpClassifier]


def table(n=1500):
    rng = np.random.default_rng(0)
    x = rng.random((n, 3))
    cuts = [x[:, 0] >= 0.5, x[:, 1] >= 0.25, x[:, 2] < 0.5]
    return x, np.stack(cuts, axis=1).astype(int)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_one_rule_a_task_for_one_budget(kind):
    x, y = table()
    ledger = Ledger.memory(epsilon=6)
    domain = complete([(0, 1)] * 3, bins=8)
    base = kind(domain=domain, bins=8, epsilon=6, ledger=ledger, rng=seeded(1))
    fitted = MultiTaskClassifier(base).fit(x, y)
    assert clone(fitted).estimator.ledger is ledger
    assert fitted.predict(x).shape == y.shape
    assert fitted.score(x, y) > 0.98
    for line in fitted.describe().split("\n"):
        task, _, words = line.partition(": ")
        assert words.startswith(f"if x{task.removeprefix('label ')} ")
    assert len(ledger.entries) == 1
    assert all(one.ledger is ledger for one in fitted.estimators_)
    assert total([ledger.entries[0].event], delta=0).epsilon == fitted.certificate_.epsilon == 6
    assert ledger.spent.epsilon == 6
    with pytest.raises(BudgetRefused):
        kind(domain=(0, 1), epsilon="0.001", ledger=ledger).fit(x, y[:, 0])


@pytest.mark.parametrize("kind", [*CLASSIFIERS, SetTreeClassifier])
def test_all_tasks_are_refused_before_the_first_is_charged(kind):
    x, y = table(50)
    # Room for two of the three tasks, and for all but a thousandth of the third.
    for room in (4, Fraction(5999, 1000)):
        ledger = Ledger.memory(epsilon=room)
        many = MultiTaskClassifier(kind(domain=(0, 1), bins=4, epsilon=6, ledger=ledger))
        with pytest.raises(BudgetRefused):
            many.fit(x, y)
        assert not ledger.entries
        assert not hasattr(many, "estimators_")
    pinned = Ledger.memory(epsilon=10, relation="replace-one")
    base = kind(domain=(0, 1), bins=4, relation="label", ledger=pinned)
    with pytest.raises(BudgetRefused):
        MultiTaskClassifier(base).fit(x, y)
    assert not pinned.entries


@pytest.mark.parametrize(
    "base",
    [
        SetTreeClassifier(domain=(0, 1), bins=4, error_share=0),
        SetTreeClassifier(domain=(0, 1), bins=4, relation="label", epsilon="1/3"),
        PrivateSelection([("tree", TreeClassifier(depth=1))], domain=(0, 1), bins=4),
    ],
    ids=["no share", "label", "selection"],
)
def test_what_is_asked_of_the_ledger_is_what_is_charged(base, monkeypatch):
    x, y = table(60)
    ledger = Ledger.memory(epsilon=2, relation=base.relation)
    asked = []
    allow = ledger.would_allow
    monkeypatch.setattr(Ledger, "would_allow", lambda _, event: asked.append(event) or allow(event))
    MultiTaskClassifier(clone(base).set_params(ledger=ledger, rng=seeded(2))).fit(x, y[:, :2])
    assert [type(event) for event in asked] == [Composed]
    assert list(asked[0].events) == [entry.event for entry in ledger.entries]
    assert (asked[0].relation is LABEL) == (base.relation == "label")


def test_wrong_tables_are_told_before_any_charge():
    x, y = table(20)
    ledger = Ledger.memory(epsilon=1)
    for change, word in (
        ({"domain": [(0, 1)]}, "declares 1 columns"),
        ({"epsilon": 0}, "epsilon"),
        ({"error_share": 1}, "error_share"),
    ):
        base = StumpClassifier(**{"domain": (0, 1), "ledger": ledger, **change})
        with pytest.raises(BadInput, match=word):
            MultiTaskClassifier(base).fit(x, y)
    with pytest.raises(BadInput, match="one label per row"):
        MultiTaskClassifier(StumpClassifier(domain=(0, 1), ledger=ledger)).fit(x, y[:-1])
    assert not ledger.entries


@pytest.mark.parametrize(
    ("base", "width"),
    [
        (TreeClassifier(domain=(0, 1), bins=4), 3),
        (TreeClassifier(domain={"a": (0, 1), "b": (0, 1)}, bins=4, delta="1e-6"), 3),
        (PrivateSelection([("tree", TreeClassifier(depth=1))], domain=(0, 1), bins=4), 3),
        (ThresholdClassifier(domain=16), 1),
    ],
    ids=["apart", "side by side", "selection", "one column"],
)
def test_a_label_that_is_a_feature_too_is_refused_before_any_charge(base, width):
    x, y = table(60)
    features = pd.DataFrame(x[:, :width], columns=list("abc")[:width])
    ledger = Ledger.memory(epsilon=1, delta="1e-6")
    fitted = MultiTaskClassifier(clone(base).set_params(ledger=ledger, rng=seeded(3)))
    with pytest.raises(BadInput, match="the label 'a' must not be a feature as well"):
        fitted.fit(features, pd.DataFrame(y[:, :2], columns=["sick", "a"]))
    assert not ledger.entries


def test_a_label_may_stand_in_the_table_where_no_rule_asks_for_it():
    """A frame of features and labels is a usual one; the domain says which columns are asked."""
    x, y = table()
    both = pd.DataFrame(x, columns=list("abc")).assign(sick=y[:, 0], old=y[:, 1])
    domain = dict.fromkeys("abc", (0, 1))
    base = StumpClassifier(
        domain=domain, bins=4, epsilon=6, delta="1e-6", ledger=Ledger.memory(), rng=seeded(4)
    )
    assert MultiTaskClassifier(base).fit(both, both[["sick", "old"]]).predict(both).shape[1] == 2


def test_errors_speak_of_these_features_where_they_set_the_grid(tmp_path):
    x, y = table(600)
    base = StumpClassifier(relation="label", public_columns="all", epsilon=4, delta="1e-6")
    fitted = MultiTaskClassifier(base.set_params(ledger=Ledger.memory())).fit(x, y)
    told = fitted.certificate_.summary().replace("\n", " ")
    assert "so much of fresh labels of records with these same features, as mistakes" in told
    path = tmp_path / "rules.json"
    path.write_text(release_text(release_record(fitted.release_, about=About(), counted=True)))
    found = {check.name: check.state.value for check in verify(path, seconds=None).checks}
    assert found["computed anew"] == found["errors"] == "holds"


def apart(base, *, n=1500):
    x, y = table(n)
    inner = base.estimator if isinstance(base, RatedClassifier) else base
    inner.set_params(ledger=Ledger.memory(epsilon=6), rng=seeded(7), epsilon=6)
    return MultiTaskClassifier(base).fit(x, y)


@pytest.mark.parametrize(
    "base",
    [
        SetTreeClassifier(domain=(0, 1), bins=4),
        PrivateSelection([("tree", TreeClassifier(depth=1))], domain=(0, 1), bins=4),
    ],
    ids=["set tree", "selection"],
)
def test_rules_that_are_learned_apart_have_one_certificate(base):
    """Each may fail with a third of beta; all of them then hold with one beta."""
    fitted = apart(base)
    paper = fitted.certificate_
    each = [one.certificate_ for one in fitted.estimators_]
    assert paper.asked.k == 3
    assert paper.epsilon == paper.asked.epsilon == 6
    assert paper.beta == Fraction(1, 20)
    assert {one.beta for one in each} == {Fraction(1, 60)}
    assert [one.error for one in paper.several.labels] == [one.error for one in each]
    assert [one.label for one in paper.several.labels] == ["label 0", "label 1", "label 2"]
    assert paper.needed == max(one.needed for one in each)
    assert paper.account.entry == each[-1].account.entry
    told = paper.summary().replace("\n", " ")
    assert "With probability at least 0.95, for all 3 rules at once" in told
    assert "Each rule has a certificate of its own" in told
    assert certificate_from_dict(fitted.to_dict()["certificate"]) == paper


def test_rates_of_rules_that_are_learned_apart_hold_at_once():
    fitted = apart(RatedClassifier(SetTreeClassifier(domain=(0, 1), bins=4)))
    paper, each = fitted.certificate_, [one.certificate_ for one in fitted.estimators_]
    assert paper.rates.parts == sum(one.rates.parts for one in each)
    assert paper.rates.epsilon == sum(one.rates.epsilon for one in each)
    assert paper.rates.within > max(one.rates.within for one in each)


def test_without_a_count_rules_that_are_learned_apart_have_a_plan():
    fitted = apart(SetTreeClassifier(domain=(0, 1), bins=4, error_share=0), n=2500)
    paper = fitted.certificate_
    assert paper.several is None
    assert f"From 2500 records ({paper.needed} suffice)" in str(paper)
    assert "each of the 3 rules errs" in str(paper)


def test_a_part_of_a_wrong_beta_is_refused_before_any_charge():
    x, y = table(30)
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BadInput, match="beta"):
        MultiTaskClassifier(StumpClassifier(domain=(0, 1), beta=2, ledger=ledger)).fit(x, y)
    assert not ledger.entries


def test_one_certificate_assumes_what_each_rule_assumes():
    """That columns are complete, and what is public, is said by the caller of all rules."""
    fitted = apart(SetTreeClassifier(domain=complete([(0, 1)] * 3, bins=4)), n=600)
    paper, each = fitted.certificate_, fitted.estimators_[0].certificate_
    assert any("No value is missing or undeclared" in told for told in each.assumed)
    assert paper.assumed == each.assumed
    assert certificate_from_dict(paper.to_dict()) == paper
    base = SetTreeClassifier(relation="label", public_columns="all")
    x, y = table(600)
    base.set_params(ledger=Ledger.memory(epsilon=6, relation="label"), epsilon=6)
    fitted = MultiTaskClassifier(base).fit(x, y)
    paper, each = fitted.certificate_, fitted.estimators_[0].certificate_
    assert any("Public, as the caller says" in told for told in each.assumed)
    assert paper.assumed == each.assumed


def test_a_choice_of_classes_names_every_class_that_was_drawn_from():
    rng = np.random.default_rng(0)
    x = rng.random((3000, 2))
    labels = np.stack([x[:, 0] > 0.5, abs(x[:, 0] - 0.5) < 0.2], axis=1).astype(int)
    base = PrivateSelection(
        [("tree", TreeClassifier(depth=1)), ("box", BoxClassifier())],
        domain=(0, 1),
        bins=8,
        epsilon=60,
        ledger=Ledger.memory(epsilon=60),
        rng=seeded(1),
    )
    fitted = MultiTaskClassifier(base).fit(x, labels)
    each = [one.certificate_.what for one in fitted.estimators_]
    assert len(set(each)) == 2
    assert all(what in fitted.certificate_.what for what in each)


def test_equal_names_of_labels_are_refused_before_any_charge():
    """Their errors would stand side by side under one name."""
    x, y = table(30)
    ledger = Ledger.memory(epsilon=1)
    twice = pd.DataFrame(y[:, :2], columns=["sick", "sick"])
    with pytest.raises(BadInput, match="different names"):
        MultiTaskClassifier(StumpClassifier(domain=(0, 1), ledger=ledger)).fit(x, twice)
    assert not ledger.entries


@pytest.mark.parametrize("rated", [False, True])
def test_one_column_of_labels_has_its_rule_with_a_delta_too(rated):
    x, y = table()
    ledger = Ledger.memory(epsilon=1, delta="1e-6")
    base = TreeClassifier(
        domain=complete([(0, 1)] * 3, bins=8),
        epsilon=1,
        delta="1e-6",
        ledger=ledger,
        rng=seeded(1),
    )
    fitted = MultiTaskClassifier(RatedClassifier(base) if rated else base).fit(x, y[:, :1])
    assert len(ledger.entries) == len(fitted.rules_) == 1
    assert fitted.predict(x).shape == (len(x), 1)
    assert fitted.score(x, y[:, :1]) > 0.98
    assert fitted.describe().startswith("label 0: ")
    with pytest.raises(BadInput, match="give them to estimator"):
        MultiTaskClassifier(base, costs={"label 0": {"1": 5}}).fit(x, y[:, :1])


def test_costs_of_a_label_without_a_negative_value_are_told_by_its_words():
    x, y = table()
    base = TreeClassifier(
        domain=complete([(0, 1)] * 3, bins=8),
        classes=(None, 1),
        epsilon=1,
        delta="1e-6",
        ledger=Ledger.memory(epsilon=2, delta="1e-5"),
        rng=seeded(1),
    )
    with pytest.raises(BadInput, match="its values are 'not 1' and '1'"):
        MultiTaskClassifier(base, costs={"label 0": {"maybe": 5}}).fit(x, y)
    fitted = MultiTaskClassifier(base, costs={"label 0": {"not 1": 5}}).fit(x, y)
    assert fitted.score(x, y) > 0.9


def test_what_labels_have_of_their_own_may_be_no_array():
    x, y = table()
    ledger = Ledger.memory(epsilon=1, delta="1e-6")
    base = TreeClassifier(domain=complete([(0, 1)] * 3, bins=8), delta="1e-6", ledger=ledger)
    for more in ({"costs": np.array([1, 5])}, {"classes": np.array([0, 1])}, {"costs": []}):
        with pytest.raises(BadInput, match="told by their names"):
            MultiTaskClassifier(base, **more).fit(x, y)
    assert not ledger.entries


def test_common_costs_may_be_pairs_beside_those_of_single_labels():
    x, y = table()
    found = []
    for common in ({1: 5}, [(1, 5)]):
        base = TreeClassifier(
            domain=complete([(0, 1)] * 3, bins=8),
            costs=common,
            epsilon=1,
            delta="1e-6",
            ledger=Ledger.memory(epsilon=1, delta="1e-6"),
            rng=seeded(1),
        )
        fitted = MultiTaskClassifier(base, costs={"label 0": {0: 2}}).fit(x, y)
        found.append((fitted.describe(), fitted.certificate_.asked))
    assert found[0] == found[1]


def test_rules_that_are_paid_for_stay_where_a_later_one_is_interrupted(monkeypatch):
    x, y = table(400)
    ledger = Ledger.memory(epsilon=6)
    base = SetTreeClassifier(domain=complete([(0, 1)] * 3, bins=8), epsilon=6, ledger=ledger)
    fit, calls = SetTreeClassifier.fit, []

    def stopped(self, *given, **more):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return fit(self, *given, **more)

    monkeypatch.setattr(SetTreeClassifier, "fit", stopped)
    model = MultiTaskClassifier(base)
    with pytest.raises(KeyboardInterrupt):
        model.fit(x, y)
    assert [one.rule_.predict(x).shape for one in model.paid_] == [(400,), (400,)]
    assert len(ledger.entries) == 2
    assert not hasattr(model, "estimators_")
    for asked in (lambda: model.predict(x), model.describe, model.to_dict):
        with pytest.raises(NotFittedError):
            asked()


def test_rules_that_are_learned_apart_are_told_by_the_names_of_their_labels():
    x, y = table(400)
    base = TreeClassifier(domain=complete([(0, 1)] * 3, bins=8), bins=8, epsilon=6)
    base = base.set_params(ledger=Ledger.memory(6))
    named = MultiTaskClassifier(base).fit(x, pd.DataFrame(y, columns=["flu", "cough", "cold"]))
    told = [line.partition(": ")[0] for line in named.describe().split("\n")]
    assert list(dict.fromkeys(told)) == ["flu", "cough", "cold"]


def test_another_fit_leaves_nothing_of_the_one_before():
    """The rules of a table stood beside those of a column, and predicted in their place."""
    x, y = table()
    frame = pd.DataFrame((x * 8).astype(int), columns=["a", "b", "c"])
    whole = TreeClassifier(domain=[(0, 7)] * 3, bins=8, epsilon=6, rng=seeded(1))
    column = ThresholdClassifier(domain=8, column=1, epsilon=9, rng=seeded(2))
    for base in (whole, column):
        base.ledger = Ledger.memory(epsilon=9)
    many = MultiTaskClassifier(whole).fit(frame, pd.DataFrame(y, columns=["p", "q", "r"]))
    assert many.predict(frame).shape == (len(x), 3)
    many.set_params(estimator=column).fit(frame.to_numpy(), y[:, :2])
    once = MultiTaskClassifier(column.set_params(ledger=Ledger.memory(epsilon=9)))
    once.fit(frame.to_numpy(), y[:, :2])
    assert sorted(vars(many)) == sorted(vars(once))
    for place, rule in enumerate(many.rules_):
        told = rule.predict(frame["b"].to_numpy()).astype(int)
        assert many.predict(frame.to_numpy())[:, place].tolist() == told.tolist()
    assert len(many.describe().split("\n")) == 2
    many.set_params(estimator=whole.set_params(ledger=Ledger.memory(epsilon=9), delta="1e-6"))
    side = many.set_params(estimator__ledger=Ledger.memory(epsilon=9, delta="1e-3")).fit(x * 8, y)
    assert not hasattr(side, "label_names_")
    assert not hasattr(side, "paid_")


def test_words_and_numbers_of_one_label_stay_what_they_are():
    """Values of a label's own were all made words: a prediction 0 came out as "0"."""
    x, y = table()
    frame = pd.DataFrame({"ill": np.where(y[:, 0], "yes", "0"), "cold": y[:, 1]})
    ledger = Ledger.memory(epsilon=6, delta="1e-5")
    base = TreeClassifier(domain=complete([(0, 1)] * 3, bins=8), epsilon=6, delta="1e-6")
    many = MultiTaskClassifier(base.set_params(ledger=ledger), classes={"ill": (0, "yes")})
    assert many.fit(x, frame).classes_[0].tolist() == [0, "yes"]
    assert set(many.predict(x)[:, 0]) == {0, "yes"}
    assert many.score(x, frame) > 0.9


def test_a_task_of_k_columns_has_no_costs_of_single_ones():
    tree = TreeClassifier(domain=[(0, 1)], epsilon=1, delta="1e-6", ledger=Ledger.memory())
    assert MultiTaskClassifier(tree).task(3).k == 3
    with pytest.raises(BadInput, match="plan without them"):
        MultiTaskClassifier(tree, costs={"a": {1: 20}}).task(3)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_several_labels_say_that_mistakes_were_weighed(relation):
    rng = np.random.default_rng(0)
    x = rng.random((4000, 1))
    y = np.stack([x[:, 0] > 0.5, x[:, 0] > 0.25], axis=1).astype(int)
    asked = {"domain": [(0, 1)], "bins": 4, "depth": 1, "epsilon": 2, "relation": relation}
    for costs in (None, {1: 20}):
        tree = TreeClassifier(**asked, costs=costs, ledger=Ledger.memory())
        words = str(MultiTaskClassifier(tree).fit(x, y).certificate_)
        assert ("by what mistakes cost" in words) is (costs is not None)
        promised = "(label 0, label 1) errs on at most" in words
        assert promised is (costs is None and relation == "add-remove")
