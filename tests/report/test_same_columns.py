"""Tests of ``tacit.report.same_columns``: a rule has the columns and cells of its recipe."""

import copy
import json

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, estimators
from tacit.accounting import About
from tacit.classes import Trees
from tacit.domains import Schema
from tacit.problems.tables.best_rules import BestRules
from tacit.report.class_records import class_record
from tacit.report.release_file import canonical, digest_of, read_release, release_record
from tacit.report.same_columns import same_columns
from tacit.report.verify import verify_release

AGES = np.arange(600) % 100
SCHEMA = Schema.of({"age": (0, 100), "dose": (0, 8)}, bins=4)


@pytest.fixture(scope="module")
def record():
    model = estimators.TreeClassifier(
        domain={"age": (0, 100)}, depth=1, bins=4, ledger=Ledger.memory(2)
    )
    release = model.fit(pd.DataFrame({"age": AGES}), AGES >= 50).release_
    return json.loads(json.dumps(release_record(release, about=About(), counted=True)))


def verdict(record):
    """With digests that fit, as a forger would write them."""
    import hashlib

    record["digests"]["schema"] = hashlib.sha256(canonical(record["rule"]["schema"])).hexdigest()
    record["digests"]["release"] = digest_of(record)
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None)


def test_a_rule_with_other_cells_than_its_recipe_is_refused_without_a_ledger(record):
    assert verdict(copy.deepcopy(record))
    for bins in (3, 5, 64):
        other = copy.deepcopy(record)
        other["rule"]["schema"]["columns"]["age"]["bins"] = bins
        found = verdict(other)
        assert not found
        assert "its columns, or their cells, are not the ones" in str(found)


def test_a_rule_inside_another_and_each_of_several_are_looked_at():
    recipe = {"class": class_record(Trees(SCHEMA, depth=1))}
    other = Schema.of({"age": (0, 100), "dose": (0, 8)}, bins=5)
    same, differs = ({"kind": "tree", "schema": one.to_dict()} for one in (SCHEMA, other))
    assert same_columns({"kind": "rules", "rules": [same, {"rule": same}]}, recipe)
    assert not same_columns({"kind": "rules", "rules": [same, {"rule": differs}]}, recipe)
    assert not same_columns(differs, {"class": {"kind": "AnyOf", "classes": [recipe["class"]]}})
    turned = {"columns": dict(reversed(SCHEMA.to_dict()["columns"].items()))}
    assert not same_columns({"schema": turned}, recipe)
    assert same_columns({"kind": "point"}, recipe)
    assert same_columns(differs, None)


def test_finer_cells_are_for_boosting_where_nobody_asked_for_cells():
    usual = Schema.of({"age": (0, 100)}, bins=16)
    fine = Schema.of({"age": (0, 100)}, bins=64).to_dict()
    for own, accepted in ((True, True), (False, False)):
        recipe = {"class": class_record(BestRules(usual, own_grid=own))}
        assert same_columns({"schema": fine}, recipe) is accepted
        assert same_columns({"schema": usual.to_dict()}, recipe)
    assert not same_columns({"schema": fine}, {"class": class_record(Trees(usual, depth=2))})
