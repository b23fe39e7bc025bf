"""Tests of ``tacit.estimators.additive``."""

import json

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit import BadInput, Ledger, plan
from tacit.checks.testing import seeded
from tacit.cli import main
from tacit.core.certificate_reader import certificate_from_dict
from tacit.core.hypothesis import hypothesis_from_dict
from tacit.estimators import AdditiveClassifier, BoostedTreesClassifier, RatedClassifier
from tacit.problems.tables.additive_learner import ADDITIVE_POINTS
from tacit.problems.tables.additive_rules import AdditivePoints
from tacit.problems.tables.ranking import balanced_of, ranking_of

pytestmark = pytest.mark.exact


def many(n, seed=5):
    """A label that every column says a little of; the last one is a category."""
    rng = np.random.default_rng(seed)
    x = pd.DataFrame({name: rng.random(n) for name in ("age", "dose", "stay")})
    x["ward"] = rng.choice(["a", "b", "c"], n)
    odds = 3 * (x[["age", "dose", "stay"]].sum(axis=1) - 1.5) + 1.5 * (x["ward"] == "b") - 0.5
    y = rng.random(n) < 1 / (1 + np.exp(-odds))
    return x, y.astype(int).to_numpy()


DOMAIN = {"age": (0, 1), "dose": (0, 1), "stay": (0, 1), "ward": ("a", "b", "c")}


def _made(**more):
    asked = {"domain": DOMAIN, "bins": 8, "epsilon": 4, "ledger": Ledger.memory()}
    return AdditiveClassifier(**asked | {"rng": seeded("additive")} | more)


@pytest.mark.parametrize("delta", ["1e-6", 0])
@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_points_of_all_columns_learn_what_each_says_a_little_of(relation, delta):
    x, y = many(12_000)
    made = _made(relation=relation, delta=delta).fit(x, y)
    fresh, truth = many(4000, seed=6)
    assert (made.predict(fresh) == truth).mean() > 0.72  # the best column alone: .62
    chance = made.predict_proba(fresh)
    assert np.allclose(chance.sum(axis=1), 1)
    assert ((chance[:, 1] > 0.5) == made.predict(fresh)).all()
    assert np.allclose(made.decision_function(fresh), np.log(chance[:, 1] / chance[:, 0]))
    assert chance[truth == 1, 1].mean() > chance[truth == 0, 1].mean() + 0.15
    text = made.describe()
    assert all(f"\n{name}:\n" in text for name in DOMAIN)
    back = hypothesis_from_dict(json.loads(json.dumps(made.rule_.to_dict())))
    assert back == made.rule_
    assert back.predict(fresh).tolist() == made.rule_.predict(fresh).tolist()


def test_it_costs_what_was_asked():
    x, y = many(2000)
    book = Ledger.memory(epsilon=1)
    _made(epsilon=1, ledger=book).fit(x, y)
    assert book.spent.epsilon == 1
    assert book.spent.delta == 0


def test_order_and_balanced_answers_cost_nothing_more():
    rng = np.random.default_rng(7)
    x, _ = many(20_000)
    y = np.where(rng.random(len(x)) < 0.02 + 0.16 * (x["age"] > 0.75), "yes", "no")
    book = Ledger.memory(epsilon=4)
    made = _made(classes=("no", "yes"), ledger=book).fit(x, y)
    entries = len(book.entries)

    def rates(answers):
        return [float(np.mean(answers[y == value] == value)) for value in ("no", "yes")]

    assert np.mean(rates(made.predict(x))) < 0.55
    assert np.mean(rates(made.predict_balanced(x))) > 0.7
    assert min(rates(made.predict_balanced(x))) > 0.6
    assert np.array_equal(made.ranking(x), ranking_of(made.rule_, x))
    assert (np.argsort(made.ranking(x)) == np.argsort(made.decision_function(x))).all()
    points = made.rule_.score(x)
    assert (balanced_of(made.rule_, x) == (points > made.rule_.start)).all()
    assert len(book.entries) == entries


def test_rates_are_counted_in_bands_of_its_points():
    x, y = many(4000)
    rated = RatedClassifier(_made()).fit(x, y)
    rates = rated.predict_proba(x)[:, 1]
    assert len(set(rates.tolist())) > 2
    points = rated.rule_.rule.score(x)
    order = np.argsort(points, kind="stable")
    assert (np.diff(rates[order]) >= 0).all()


def test_a_frame_a_file_and_an_array_are_learned_alike(tmp_path):
    x, y = many(600)
    path = tmp_path / "t.csv"
    x.assign(label=y).to_csv(path, index=False)
    from_frame = _made().fit(x, y)
    from_file = _made().fit_file(path, label="label")
    from_array = _made().fit(x.to_numpy(dtype=object), y)
    assert from_frame.rule_.columns == from_file.rule_.columns == from_array.rule_.columns
    loaded = tmp_path / "release.json"
    tacit.save(from_frame.release_, loaded)
    again = tacit.load(loaded).value
    assert again.predict(x).tolist() == from_frame.release_.value.predict(x).tolist()


def test_the_plan_is_about_the_better_constant_label():
    answer = plan(_made(epsilon=1).task())
    found = next(one for one in answer.options if one.algorithm is ADDITIVE_POINTS)
    assert found.n > 1000
    richer = plan(_made(epsilon=1, bins=32).task()).runnable
    assert richer is not None
    assert richer.n > found.n


def test_persons_are_served_and_costs_are_not():
    x, y = many(400)
    persons = np.repeat(np.arange(200), 2)
    book = Ledger.memory(epsilon=4)
    made = _made(ledger=book, rows_per_unit=1).fit(x, y, groups=persons)
    assert book.spent.epsilon == 4
    assert "person" in str(made.certificate_)
    with pytest.raises(BadInput, match="takes no costs"):
        AdditiveClassifier(domain=DOMAIN, costs="balanced")
    with pytest.raises(BadInput, match="two"):
        _made(classes=(0, 1, 2)).fit(x, y)


def test_from_the_shell(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    x, y = many(3000)
    x.assign(sick=np.where(y == 1, "yes", "no")).to_csv("t.csv", index=False)
    numeric = '[columns.{}]\nkind = "number"\nlow = 0\nhigh = 1\n'
    (tmp_path / "s.toml").write_text(
        "".join(map(numeric.format, ("age", "dose", "stay")))
        + '[columns.ward]\nkind = "category"\nvalues = ["a", "b", "c"]\n',
        encoding="utf-8",
    )
    named = ["--schema", "s.toml", "--model", "additive", "--epsilon", "8"]
    assert main(["plan", *named]) == 0
    assert "additive points" in capsys.readouterr().out
    label = ["--label", "sick", "--positive", "yes", "--negative", "no"]
    assert main(["learn", "t.csv", *named, *label, "--no-ledger", "-o", "r.json"]) == 0
    assert "yes if the points add up to more than 0" in " ".join(capsys.readouterr().out.split())
    assert json.loads((tmp_path / "r.json").read_text("utf-8"))["rule"]["kind"] == "additive"
    assert main(["verify", "r.json"]) == 0
    assert main(["predict", "r.json", "t.csv", "-o", "answers.csv"]) == 0
    answers = pd.read_csv("answers.csv").iloc[:, -1].to_numpy()
    assert ((answers == "yes") == (y == 1)).mean() > 0.7
    assert main(["learn", "t.csv", *named, *label, "--cost", "balanced", "--no-ledger"]) == 2
    assert "--cost is not for --model additive" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("kind", [AdditiveClassifier, BoostedTreesClassifier])
def test_a_long_prior_is_written_and_read_back(kind):
    """A certificate that cannot be read is a release that was paid for and lost."""
    wide = {f"c{place}": (0, 100) for place in range(110 if kind is AdditiveClassifier else 4)}
    more = {"rounds": 64, "bins": 64} if kind is BoostedTreesClassifier else {}
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({name: rng.integers(0, 100, 400) for name in wide})
    labels = (frame["c0"] > 50).astype(int)
    model = kind(domain=wide, epsilon=10**4, delta=0, rng=seeded("long"), **more)
    release = model.set_params(ledger=Ledger.memory()).fit(frame, labels).release_
    assert release.certificate.measured.prior.denominator.bit_length() > 4096
    record = json.loads(json.dumps(release.certificate.to_dict()))
    assert certificate_from_dict(record).to_dict() == record


def test_more_cells_than_a_certificate_can_speak_of_are_refused_before_the_charge():
    ledger = Ledger.memory()
    model = AdditiveClassifier(domain=[(0, 1000)] * 3, bins=1000, ledger=ledger)
    with pytest.raises(BadInput, match="3,003 cells are too many"):
        model.fit(np.zeros((5, 3)), np.zeros(5, dtype=int))
    assert not ledger.entries


def test_a_prior_is_a_power_of_two_not_above_the_exact_one():
    rule = _made().fit(*many(500)).rule_
    prior = AdditivePoints(rule.schema).prior(rule)
    assert prior.numerator == 1
    assert prior.denominator & (prior.denominator - 1) == 0
    assert AdditivePoints(rule.schema).least_prior() <= prior


def test_points_that_only_rank_have_no_intervals():
    """The prior of one label is no prior of the points, which were chosen from the records too."""
    x, _ = many(400)
    rated = RatedClassifier(_made(), rate_share="0.2").fit(x, np.zeros(400, dtype=int))
    assert rated.rated_.rule.always is False
    with pytest.raises(BadInput, match="no prior for its points"):
        rated.rate_intervals()
