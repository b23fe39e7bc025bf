"""Tests of ``tacit.estimators.set_tree``."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import tacit
from tacit import BadInput, Ledger
from tacit.checks.testing import seeded
from tacit.cli import main
from tacit.estimators import SetTreeClassifier, TreeClassifier
from tacit.problems.tables.set_trees import SetTrees

JOBS = tuple(f"job {place}" for place in range(30))
DOMAIN = {"job": list(JOBS), "age": (0, 100)}


def people(n=3000, values=("no", "yes")):
    rng = np.random.default_rng(4)
    table = pd.DataFrame({"job": rng.choice(JOBS, n), "age": rng.integers(0, 100, n)})
    place = table["job"].str.split(" ").str[1].astype(int)
    label = pd.Series(values)[(place % len(values)).to_numpy()].set_axis(table.index)
    return table, label.rename("sick")


def made(kind=SetTreeClassifier, **more):
    usual = {"domain": DOMAIN, "classes": ("no", "yes"), "epsilon": 1, "rng": seeded(3)}
    return kind(**(usual | {"ledger": Ledger.memory(100)} | more))


def test_a_set_is_learned_certified_and_computed_anew(tmp_path):
    x, y = people()
    fitted = clone(made(rng=None)).fit(x, y)
    assert (fitted.predict(x) == y).mean() > 0.98
    usual = made(TreeClassifier, depth=2).fit(x, y)
    assert (usual.predict(x) == y).mean() < 0.7
    assert "sick is yes" in fitted.describe()
    assert "job is" in fitted.export_text()
    assert "job is" in fitted.to_svg()
    assert fitted.get_depth() == 1
    assert fitted.certificate_.error < 0.1
    path = tmp_path / "rule.json"
    tacit.save(fitted.release_, path)
    again = tacit.load(path)
    assert list(again.predict(x)) == fitted.predict(x).tolist()
    verdict = tacit.verify(path)
    assert verdict, str(verdict)
    assert "computed anew" in str(verdict).split("Claimed")[0]


def test_several_label_values():
    x, y = people(6000, values=("a", "b"))
    fitted = made(classes=("a", "b", "c"), epsilon=2).fit(x, y)
    assert (fitted.predict(x) == y).mean() > 0.95
    assert fitted.certificate_.asked.values == ("a", "b", "c")


def test_the_depth_follows_from_the_categories():
    assert made().task().concept_class == SetTrees(made().task().concept_class.schema, depth=2)
    codes = {"code": [f"c{place}" for place in range(500)]}
    assert made(domain=codes).task().concept_class.depth == 1
    assert made(depth=1).task().concept_class.depth == 1
    for depth in (3, -1, "deep"):
        with pytest.raises(BadInput, match="depth"):
            made(depth=depth).task()


@pytest.mark.parametrize("relation", ["add-remove", "label"])
def test_other_relations_and_persons(relation):
    x, y = people()
    book = Ledger.memory(9, relation=relation)
    assert (made(relation=relation, ledger=book).fit(x, y).predict(x) == y).mean() > 0.98
    ids = np.arange(len(y)) // 2
    fitted = made(epsilon=4).fit(x, y, groups=ids, rows_per_unit=2)
    assert fitted.certificate_.n == 1500


def test_from_the_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    x, y = people()
    x.assign(sick=y).to_csv("t.csv", index=False)
    values = json.dumps(list(JOBS))
    (tmp_path / "s.toml").write_text(
        f'[columns.job]\nkind = "category"\nvalues = {values}\n'
        '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 100\n',
        encoding="utf-8",
    )
    named = ["--schema", "s.toml", "--model", "set-tree", "--epsilon", "1"]
    assert main(["plan", *named]) == 0
    assert "records suffice" in " ".join(capsys.readouterr().out.split())
    label = ["--label", "sick", "--positive", "yes", "--negative", "no"]
    assert main(["learn", "t.csv", *named, *label, "--no-ledger", "-o", "r.json"]) == 0
    assert 'job is "job ' in " ".join(capsys.readouterr().out.split())
    assert main(["verify", "r.json"]) == 0
    assert main(["predict", "r.json", "t.csv", "-o", "answers.csv"]) == 0
    answers = pd.read_csv("answers.csv").iloc[:, -1]
    assert (answers.to_numpy() == y.to_numpy()).mean() > 0.98
    asked = ["--class", "set-trees", "--schema", "s.toml", "--depth", "1", "--epsilon", "1"]
    assert main(["plan", *asked]) == 0
    assert "records suffice" in " ".join(capsys.readouterr().out.split())
