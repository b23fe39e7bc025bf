"""Classifiers over tables: fit, predict, describe, store; clear words on wrong input."""

import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tacit import BudgetRefused, Ledger
from tacit.checks.testing import seeded
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains import Schema, grid_from_public
from tacit.estimators import MultiTaskClassifier
from tacit.estimators.tables import (
    BestRuleClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    IntervalClassifier,
    PrivateSelection,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.problems.tables.tree_nodes import Cut, simpler
from tacit.problems.tables.trees import TreeRule

ALL = [
    BestRuleClassifier,
    RuleListClassifier,
    TreeClassifier,
    StumpClassifier,
    IntervalClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    ScoreClassifier,
]


def frame(n=400, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(0, 100, n).astype(float),
            "smoker": rng.integers(0, 2, n).astype(bool),
            "ward": rng.choice(["a", "b", "c"], n),
        }
    )
    sick = ((table["age"] >= 50) & table["smoker"]).map({True: "yes", False: "no"})
    return table, sick


DOMAIN = {"age": (0, 100), "smoker": bool, "ward": ("a", "b", "c")}


def make(kind, **more):
    given = {"domain": DOMAIN, "classes": ("no", "yes"), "epsilon": 20, "rng": seeded(1)}
    return kind(
        **{**given, "ledger": Ledger.memory(epsilon=100, relation=more.get("relation")), **more}
    )


@pytest.mark.parametrize("kind", ALL)
def test_learns_predicts_describes_and_is_read_back(kind):
    x, y = frame()
    rule = make(kind).fit(x, y)
    assert rule.score(x, y) > 0.7
    assert set(rule.predict(x)) <= {"no", "yes"}
    assert rule.describe()
    assert rule.export_text()
    record = json.loads(json.dumps(rule.to_dict()))
    again = hypothesis_from_dict(record["rule"])
    assert np.array_equal(again.predict(x), rule.predict(x) == "yes")
    assert record["classes"] == ["no", "yes"]
    assert record["certificate"]["spent"]["epsilon"] == "20"
    assert rule.certificate_.error is not None
    assert rule.certificate_.error < 0.6
    assert "NOT PRIVATE" in rule.certificate_.to_markdown()
    assert rule.release_.certified is rule.certificate_


def test_a_tree_finds_the_true_rule_and_draws_it():
    x, y = frame(2000)
    rule = make(TreeClassifier).fit(x, y)
    assert rule.score(x, y) == 1
    assert "age >= 50" in rule.describe()
    assert "smoker is true" in rule.describe()
    assert rule.export_text().count("class:") == 3
    assert rule.get_depth() >= 2
    assert rule.get_n_leaves() >= 3
    drawing = rule.to_svg()
    assert drawing.startswith("<svg")
    assert drawing.count("<rect") == 1 + 5
    assert rule.certificate_.error < 0.05


@pytest.mark.parametrize("kind", ALL)
def test_the_same_rule_from_every_kind_of_frame(kind):
    x, y = frame()
    texts = set()
    for one in (x, pl.from_pandas(x), pa.Table.from_pandas(x), x[["ward", "age", "smoker"]]):
        texts.add(make(kind, rng=seeded(7)).fit(one, y).describe())
    assert len(texts) == 1


def test_the_input_is_never_modified():
    x, y = frame()
    before = x.copy(deep=True), y.copy(deep=True)
    make(TreeClassifier).fit(x, y).predict(x)
    pd.testing.assert_frame_equal(x, before[0])
    pd.testing.assert_series_equal(y, before[1])


def test_one_charge_covers_the_draw_and_the_count():
    x, y = frame()
    ledger = Ledger.memory(epsilon=1)
    make(TreeClassifier, epsilon=1, ledger=ledger).fit(x, y)
    assert len(ledger.entries) == 1
    with pytest.raises(BudgetRefused):
        make(TreeClassifier, epsilon="0.01", ledger=ledger).fit(x, y)
    assert clone(make(TreeClassifier, ledger=ledger)).ledger is ledger


def test_without_a_share_nothing_is_said_of_the_mistakes():
    x, y = frame()
    rule = make(TreeClassifier, error_share=0).fit(x, y)
    assert rule.certificate_.noisy_mistakes is None
    assert rule.certificate_.error is None
    assert "set aside" in str(rule.certificate_)


def test_a_private_number_of_records_stays_out_of_the_certificate():
    x, y = frame()
    rule = make(TreeClassifier, relation="add-remove").fit(x, y)
    assert rule.certificate_.n is None
    assert rule.certificate_.error < 0.2  # from noisy numbers of mistakes and right answers
    told = json.dumps(rule.to_dict())
    noisy = (rule.certificate_.measured.noisy_right, *rule.certificate_.measured.numbers)
    for number in noisy:  # which may be the true one by chance
        told = told.replace(f": {number}", "")
    assert "400" not in told


def test_under_label_privacy_the_features_may_set_the_grid():
    x, y = frame()
    public = {"domain": None, "relation": "label", "public_columns": ["age"]}
    rule = make(TreeClassifier, **public).fit(x[["age"]], y)
    assert rule.score(x[["age"]], y) > 0.6
    with pytest.raises(BadInput, match="domain must be declared"):
        make(TreeClassifier, domain=None).fit(x, y)


def test_features_set_the_grid_only_if_somebody_calls_them_public():
    x, y = frame()
    ledger = Ledger.memory(9, relation="label")
    unasked = make(TreeClassifier, domain=None, relation="label", ledger=ledger)
    with pytest.raises(BadInput, match="public_columns='all'"):
        unasked.fit(x, y)
    with pytest.raises(BadInput, match="'smoker' would set the grid"):
        unasked.set_params(public_columns=["age"]).fit(x[["age", "smoker"]], y)
    with pytest.raises(BadInput, match="'salary', which is no column"):
        unasked.set_params(public_columns=["age", "salary"]).fit(x[["age"]], y)
    for elsewhere in ({"relation": "label"}, {"relation": "replace-one"}):
        with pytest.raises(BadInput, match="leave it out"):
            make(TreeClassifier, public_columns="all", ledger=ledger, **elsewhere).fit(x, y)
    assert not ledger.entries


def test_what_the_caller_calls_public_stands_on_the_certificate():
    x, y = frame()
    public = {"domain": None, "relation": "label", "public_columns": "all"}
    told = " ".join(make(TreeClassifier, **public).fit(x, y).certificate_.assumed)
    assert "Public, as the caller says: every value of 'age', " in told
    assert "were read off a public sample" in told
    whole = Schema.of(DOMAIN).declared_complete()
    told = " ".join(make(TreeClassifier, domain=whole).fit(x, y).certificate_.assumed)
    assert "No value is missing or undeclared, as the caller says, in 'age', " in told
    told = " ".join(make(TreeClassifier).fit(x, y).certificate_.assumed)
    assert "as the caller says" not in told


def test_in_a_pipeline_behind_a_column_transformer():
    x, y = frame()
    columns = ColumnTransformer([("keep", "passthrough", ["age", "smoker"])])
    line = make_pipeline(
        columns, FunctionTransformer(), make(TreeClassifier, domain=[(0, 100), bool])
    )
    assert line.fit(x, y).score(x, y) > 0.7


def test_a_deep_tree_is_grown_in_two_draws_of_one_budget():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 4, (6000, 3)).astype(float)
    y = (x.sum(axis=1) % 2).astype(int)
    ledger = Ledger.memory(epsilon=30)
    domain = [range(4)] * 3
    deep = TreeClassifier(domain=domain, depth=6, epsilon=30, ledger=ledger, rng=seeded(2)).fit(
        x, y
    )
    assert len(ledger.entries) == 1
    assert deep.get_depth() > 3
    shallow = TreeClassifier(domain=domain, depth=3, epsilon=30, ledger=Ledger.memory(epsilon=30))
    assert deep.score(x, y) > shallow.fit(x, y).score(x, y) + 0.05
    assert deep.certificate_.comparators == ()
    assert deep.certificate_.error is not None


@pytest.mark.parametrize(
    ("depth", "cells", "levels"), [(6, 4, 4), (5, 4, 4), (5, 40, 3), (4, 40, 3)]
)
def test_where_nothing_is_grown_the_certificate_speaks_of_one_draw(depth, cells, levels):
    x = np.random.default_rng(3).integers(0, cells, (300, 3)).astype(float)
    rule = TreeClassifier(
        domain=[range(cells)] * 3, bins=cells, depth=depth, ledger=Ledger.memory(epsilon=1)
    ).fit(x, (x[:, 0] > 1).astype(int))
    assert f"depth at most {levels} " in rule.certificate_.what
    assert "grown" not in rule.certificate_.what
    assert len(rule.certificate_.comparators) == levels + 1


def test_columns_are_never_mistaken_for_each_other():
    x, y = frame()
    renamed = x.rename(columns={"age": "years"})
    with pytest.raises(BadInput, match="no column called age"):
        make(TreeClassifier).fit(renamed, y)
    by_place = [(0, 100), bool, ("a", "b", "c")]
    rule = make(TreeClassifier, domain=by_place).fit(renamed, y)
    assert "years" in rule.describe()
    assert np.array_equal(rule.predict(renamed[["ward", "years", "smoker"]]), rule.predict(renamed))
    with pytest.raises(BadInput, match="feature names"):
        rule.predict(x)


def test_private_score_is_paid_for():
    x, y = frame()
    ledger = Ledger.memory(epsilon=100)
    rule = make(TreeClassifier, ledger=ledger).fit(x, y)
    value = rule.private_score(x, y, epsilon=5)
    assert abs(value - rule.score(x, y)) < 0.05
    assert len(ledger.entries) == 2


def test_columns_may_stand_anywhere_and_absent_ones_are_named():
    x, y = frame()
    wide = x.assign(extra=1.5)[["ward", "extra", "smoker", "age"]]
    rule = make(TreeClassifier).fit(wide, y)
    assert rule.feature_names_in_.tolist() == ["ward", "extra", "smoker", "age"]
    assert rule.n_features_in_ == 4
    said = rule.predict(wide)
    others = (x, x.assign(more=0), pl.from_pandas(wide), pa.Table.from_pandas(wide))
    for one in (*others, wide.to_numpy(), wide.to_numpy().tolist()):
        assert np.array_equal(rule.predict(one), said)
    with pytest.raises(BadInput, match="no column called age"):
        rule.predict(wide.drop(columns="age"))
    with pytest.raises(BadInput, match="3 features"):
        rule.predict(x.to_numpy())
    unseen = rule.predict(x.assign(ward="z", age=np.nan))
    assert set(unseen) <= {"no", "yes"}


def test_names_of_an_arrow_table_are_kept():
    x, y = frame()
    rule = make(TreeClassifier).fit(pa.Table.from_pandas(x), y)
    assert rule.feature_names_in_.tolist() == list(x.columns)


@pytest.mark.parametrize(
    "labels",
    [
        pa.array([1, 0, None] * 9),
        pa.array([True, False, None] * 9),
        pa.chunked_array([[1, 0, None] * 9]),
        pl.Series([1, 0, None] * 9),
        pd.Series([1, 0, pd.NA] * 9, dtype="Int64"),
        pd.Series(["1", "0", None] * 9, dtype="category"),
        np.ma.masked_array([1, 0, 1] * 9, mask=[False, False, True] * 9),
        [1, 0, float("nan")] * 9,
    ],
    ids=lambda labels: type(labels).__name__,
)
def test_labels_of_every_kind_with_gaps(labels):
    x = [[1.0], [0.0], [0.5]] * 9
    rule = TreeClassifier(
        domain=[(0, 1)], epsilon=90, ledger=Ledger.memory(epsilon=90), rng=seeded(2)
    ).fit(x, labels)
    assert rule.predict(x).tolist() == [1, 0, 0] * 9  # a missing label is not the positive one


@pytest.mark.parametrize(
    ("classes", "labels"),
    [((False, True), bool), ((-1, 1), float), (("no", 1), int), ((3, 7), None)],
)
def test_any_two_labels(classes, labels):
    x, y = frame()
    values = [classes[1] if one == "yes" else classes[0] for one in y]
    if labels is not None:
        values = [labels(one) if one == classes[1] else one for one in values]
    rule = make(TreeClassifier, classes=classes).fit(x, values)
    assert np.mean(rule.predict(x) == np.array(values, dtype=object)) > 0.95
    assert json.loads(json.dumps(rule.to_dict()))["classes"] == list(classes)


@pytest.mark.parametrize(
    "estimators",
    [
        (),
        None,
        "ab",
        [TreeClassifier()],
        [("tree", 5)],
        [("one", TreeClassifier()), ("one", BoxClassifier())],
    ],
)
def test_a_selection_says_what_it_chooses_among(estimators):
    x, y = frame()
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BadInput, match="each name once"):
        PrivateSelection(estimators, domain=DOMAIN, ledger=ledger).fit(x, y)
    assert not ledger.entries


def test_several_tasks_are_stored_with_their_certificates():
    x, y = frame()
    both = np.stack([y, y], axis=1)
    model = MultiTaskClassifier(make(BoxClassifier)).fit(x, both)
    record = json.loads(json.dumps(model.to_dict()))
    assert record["certificate"]["spent"]["epsilon"] == "20"
    assert [one.to_dict()["certificate"] for one in model.estimators_] == [
        record["certificate"]
    ] * 2
    assert model.feature_names_in_.tolist() == list(x.columns)
    with pytest.raises(BadInput, match=r"tacit\.Ledger"):
        MultiTaskClassifier(make(BoxClassifier, ledger=5)).fit(x, both)


def test_there_are_no_probabilities():
    """A rule has none, and a made-up one would be taken for a private estimate."""
    x, y = frame()
    rule = make(TreeClassifier).fit(x, y)
    assert not hasattr(rule, "predict_proba")
    assert not hasattr(rule, "decision_function")


def test_a_grid_search_pays_for_every_fit():
    x, y = frame()
    ledger = Ledger.memory(epsilon=5)
    search = GridSearchCV(make(TreeClassifier, epsilon=1, ledger=ledger), {"depth": [1, 2]}, cv=2)
    search.fit(x, y)
    assert len(ledger.entries) == 2 * 2 + 1
    with pytest.raises(BudgetRefused):
        clone(search.best_estimator_).fit(x, y)


def test_a_pickled_rule_answers_and_cannot_spend():
    x, y = frame()
    rule = make(TreeClassifier, rng=None).fit(x, y)
    again = pickle.loads(pickle.dumps(rule))
    assert np.array_equal(again.predict(x), rule.predict(x))
    with pytest.raises(BudgetRefused, match="a copy cannot spend"):
        again.fit(x, y)


def test_a_public_sample_sets_the_grid():
    x, y = frame()
    public, _ = frame(60, seed=9)
    rule = make(TreeClassifier, domain=grid_from_public(public)).fit(x, y)
    assert rule.score(x, y) > 0.9


def test_words_are_categories_where_the_features_are_public():
    x, _ = frame()
    wards = (x["ward"] == "b").map({True: "yes", False: "no"})
    public = {"domain": None, "relation": "label", "public_columns": "all"}
    rule = make(TreeClassifier, **public).fit(x, wards)
    assert rule.score(x, wards) == 1
    assert "ward is b" in rule.describe()


def test_a_lazy_frame_and_a_mapping_are_told_what_to_do():
    x, y = frame()
    with pytest.raises(BadInput, match="collect"):
        make(TreeClassifier).fit(pl.from_pandas(x).lazy(), y)
    with pytest.raises(BadInput, match="pandas, polars or Arrow frame"):
        make(TreeClassifier).fit(dict(x), y)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"rng": 5}, "takes no seed"),
        ({"ledger": 5}, "must be a tacit.Ledger"),
        ({"delta": 5}, "delta"),
        ({"classes": ([0], [1, 2])}, "classes"),
        ({"domain": [(0, 1)]}, "declares 1 columns"),
        ({"classes": (1, 1)}, "classes"),
        ({"epsilon": 0}, "epsilon"),
        ({"error_share": 1}, "error_share"),
        ({"depth": 7}, "depth"),
        ({"relation": "odd"}, "relation"),
    ],
)
def test_wrong_public_parameters_are_told_before_any_charge(change, word):
    x, y = frame()
    ledger = Ledger.memory(epsilon=100)
    with pytest.raises(BadInput, match=word):
        make(TreeClassifier, **{"ledger": ledger, **change}).fit(x, y)
    assert not ledger.entries


def test_learning_from_a_file_reads_only_after_the_charge(tmp_path):
    x, y = frame()
    x.assign(sick=y).to_parquet(tmp_path / "t.parquet")
    x.assign(sick=y).to_csv(tmp_path / "t.csv", index=False)
    rules = [
        make(TreeClassifier).fit_file(tmp_path / name, label="sick")
        for name in ("t.parquet", "t.csv")
    ]
    assert rules[0].describe() == rules[1].describe()
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BudgetRefused):
        make(TreeClassifier, ledger=ledger).fit_file(tmp_path / "t.csv", label="sick")
    with pytest.raises(BadInput, match="no column 'ill'"):
        make(TreeClassifier).fit_file(tmp_path / "t.csv", label="ill")


def test_questions_whose_answer_is_known_are_not_shown():
    schema = Schema.of([(0, 100), ("a", "b", "c")], bins=4).declared_complete()

    def cut(column, cell):
        return Cut(column=column, cell=cell, ordered=column == 0)

    inner = (cut(0, 0), (cut(0, 2), True, False), (cut(1, 1), False, True))
    rule = TreeRule(schema=schema, root=(cut(0, 1), inner, (cut(0, 0), True, False)))
    shown = TreeRule(schema=schema, root=simpler(rule.root))
    assert shown.root == (cut(0, 1), (cut(0, 0), True, (cut(1, 1), False, True)), False)
    x = [(value, word) for value in (10, 30, 60, 90) for word in ("a", "b", "c")]
    assert (rule.predict(x) == shown.predict(x)).all()
    assert rule.paths()[0] == (["x0 < 25"], True)
    twice = (cut(1, 0), (cut(1, 1), True, False), (cut(1, 0), True, (cut(1, 2), False, True)))
    assert simpler(twice) == (cut(1, 0), False, (cut(1, 2), False, True))


@pytest.mark.parametrize("name", [1, None, ("a", 1), ["a"]])
def test_a_name_that_is_no_word_is_refused_before_the_charge(name):
    x, y = frame()
    ledger = Ledger.memory(epsilon=1)
    with pytest.raises(BadInput, match="each name once"):
        PrivateSelection([(name, TreeClassifier())], domain=DOMAIN, ledger=ledger).fit(x, y)
    assert not ledger.entries


def test_the_expected_number_of_draws_may_be_written_as_any_whole_number():
    x, y = frame()
    for tries in (3.0, "3", np.int64(3)):
        ledger = Ledger.memory(epsilon=1)
        rule = PrivateSelection(
            [("tree", TreeClassifier(depth=1))], tries=tries, domain=DOMAIN, ledger=ledger
        )
        assert rule.fit(x, y).certificate_.error is not None


def test_a_grid_from_the_features_lets_the_certificate_speak_of_these_features_only():
    x, y = frame()
    public = {"domain": None, "relation": "label", "public_columns": "all"}
    seen = make(TreeClassifier, **public).fit(x, y).certificate_
    declared = make(TreeClassifier, relation="label").fit(x, y).certificate_
    for certificate, about in ((seen, "these same features"), (declared, "new records")):
        assert certificate.error is not None
        assert certificate.comparators
        assert about in certificate.measured.about
        said = [line for line in str(certificate).splitlines() if "the rule errs" in line]
        assert said
        assert all(about in line for line in said)
