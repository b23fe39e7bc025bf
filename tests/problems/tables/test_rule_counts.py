"""Numbers beside the mistakes: how far a neighbour moves them, what they cost, what is said."""

import json
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger
from tacit.accounting import About
from tacit.checks.testing import seeded
from tacit.core import Claim, Mechanism, Pure, Relation, Sample
from tacit.domains.labels import fitting, truth
from tacit.domains.schema import Schema
from tacit.estimators import BestRuleClassifier, TreeClassifier
from tacit.exact.geometric_tails import width
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.rule_counts import (
    Beside,
    RuleCounts,
    fitting_rows,
    plan_beside,
    reaches,
    wanted_counts,
)
from tacit.problems.tables.trees import Trees
from tacit.report.release_file import digest_of, release_record
from tacit.report.verify import verify
from tacit.sources.files import TableSample
from tacit.sources.opening import read

EACH = ("positive", "labels", "columns")

SCHEMA = Schema.of({"age": (0, 2), "ward": ["a", "b"]}, bins=2)

RULE = Trees(SCHEMA, depth=1).hypothesis((1, False, True))

RECORDS = [(age, label) for age in (0.5, 1.5, float("nan")) for label in ("yes", "no", "?")]


def counts(records):
    x = pd.DataFrame({"age": [age for age, _ in records], "ward": ["a"] * len(records)})
    sample = Sample(x, np.array([label for _, label in records], dtype=object), "yes", "no")
    return RuleCounts(RULE, EACH).count(sample.x, truth(sample), fitting(sample))


def neighbours(relation):
    for one, other in product(RECORDS, repeat=2):
        if relation is Relation.LABEL and one[0] != other[0]:
            continue
        rest = [(1.5, "no")]
        yield [one, *rest], rest if relation is Relation.ADD_REMOVE else [other, *rest]


@pytest.mark.parametrize("relation", Relation)
def test_a_neighbour_moves_each_number_by_one_at_most_and_all_at_once(relation):
    moved = [
        tuple(abs(a - b) for a, b in zip(counts(one), counts(other), strict=True))
        for one, other in neighbours(relation)
    ]
    assert all(max(one) <= 1 for one in moved)
    # The sum is what the event says: under each relation some pair moves several of them.
    together = {Relation.REPLACE_ONE: 4, Relation.ADD_REMOVE: 4, Relation.LABEL: 3}
    assert max(map(sum, moved)) == together[relation]


def test_what_is_counted():
    assert counts([(0.5, "yes"), (1.5, "yes"), (float("nan"), "?"), (1.5, "no")]) == (2, 2, 3, 3)
    constant = Trees(SCHEMA, depth=1).hypothesis(True)
    outside = constant.place(pd.DataFrame({"age": [99.0], "ward": ["z"]}))
    assert fitting_rows(constant, outside).tolist() == [True]
    asks = Trees(SCHEMA, depth=1).hypothesis((0, True, False))
    outside = asks.place(pd.DataFrame({"age": [float("nan"), 1.5], "ward": ["z", "z"]}))
    assert fitting_rows(asks, outside).tolist() == [False, True]


@dataclass(frozen=True, slots=True, kw_only=True)
class Same(Mechanism):
    """Always the same rule: what is left is the noise of the numbers."""

    CLAIM = Claim(paper="own", locator="none", statement="a constant")

    def event(self):
        return Pure(epsilon=Fraction(1, 10**6), relation=Relation.REPLACE_ONE)

    def _release(self, data, *, rng):
        return RULE


def test_each_number_has_the_noise_that_its_epsilon_pays_for():
    beside = tuple(
        Beside(what=what, epsilon=Fraction(1, place)) for place, what in enumerate(EACH, start=2)
    )
    learner = CheckedLearner(learner=Same(), epsilon=Fraction(1), beside=beside)
    assert learner.event().events[1].epsilon == 1 + Fraction(1, 2) + Fraction(1, 3) + Fraction(1, 4)
    x = pd.DataFrame({"age": [0.5, float("nan")], "ward": ["a", "a"]})
    sample = Sample(x, np.array(["yes", "?"], dtype=object), "yes", "no")
    expected = (1, 1, 1, 1)
    runs = 4000
    draws = []
    rng = seeded(5)
    for _ in range(runs):
        found = learner._release(sample, rng=rng)
        draws.append((found.noisy_mistakes, *found.beside))
    for place, column in enumerate(zip(*draws, strict=True)):
        noise = np.array(column) - expected[place]

        def statistic(scale, noise=noise):
            """Squared deviations from the geometric law, in standard errors, on seven cells."""
            q = exp(-1 / scale)
            seen = Counter(np.clip(noise, -3, 3).tolist())
            law = {z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-2, 3)}
            law |= dict.fromkeys((-3, 3), q**3 / (1 + q))
            return sum((seen[z] - runs * p) ** 2 / (runs * p) for z, p in law.items())

        right = place + 1
        assert statistic(right) < 40  # chi-square with 6 degrees of freedom: below 1e-6
        assert statistic(right * 1.3) > 40
        assert statistic(right / 1.3) > 40


def test_the_plan_spends_a_tenth_at_most_and_says_what_it_would_need():
    beta = Fraction(1, 20)
    for epsilon in (Fraction(1, 10), Fraction(1), Fraction(3)):
        _, needed = plan_beside(EACH, n=1, epsilon=epsilon, beta=beta)
        assert list(needed) == list(EACH)
        assert sorted(needed.values()) == list(needed.values())
        for place, what in enumerate(EACH):
            for n, has in ((needed[what], True), (needed[what] - 1, False)):
                beside, left_out = plan_beside(EACH, n=n, epsilon=epsilon, beta=beta)
                assert ([one.what for one in beside] == list(EACH[: place + 1])) is has
                assert (what in left_out) is not has
                assert sum(one.epsilon for one in beside) <= epsilon / 10
                near = 20 if n >= needed[EACH[1]] else 10
                assert all(near * width(1 / one.epsilon, beta) <= n for one in beside)
    many, none = plan_beside(EACH, n=10**6, epsilon=Fraction(1), beta=beta)
    assert sum(one.epsilon for one in many) <= Fraction(1, 300)
    assert not none
    private = (Beside(what="values", epsilon=Fraction(1, 30), numbers=2),)
    assert plan_beside(EACH, n=None, epsilon=Fraction(1), beta=beta) == (private, {})


def test_a_first_number_that_is_told_less_nearly_costs_no_more_than_that_takes():
    beta = Fraction(1, 20)
    for n in (300, 400, 569):
        (one,), _ = plan_beside(EACH, n=n, epsilon=Fraction(1), beta=beta)
        assert 10 * width(1 / one.epsilon, beta) <= n
        assert 10 * width(1 / (one.epsilon - Fraction(1, 1000)), beta) > n
    assert one.epsilon < Fraction(3, 50)


@pytest.mark.parametrize("values", [3, 20])
def test_one_more_number_leaves_those_before_it_as_near_as_promised(values):
    beta, each = Fraction(1, 20), ("values", "labels", "columns")
    many = 0
    for n in range(300, 6000, 25):
        beside, _ = plan_beside(each, n=n, epsilon=Fraction(1), beta=beta, values=values)
        assert len(beside) >= many
        many = len(beside)
        for part, within in zip((10, 20, 20), reaches(beside, beta), strict=False):
            assert part * within <= n
    assert many == 3


def test_what_is_worth_counting_is_public():
    loose, complete = SCHEMA, SCHEMA.declared_complete()
    assert wanted_counts(loose, declared=True) == EACH
    assert wanted_counts(complete, declared=False) == ("positive",)


def table(n, *, odd=0):
    rng = np.random.default_rng(1)
    age = rng.uniform(0, 100, n)
    sick = np.where(age > 70, "yes", "no").astype(object)
    sick[:odd] = "Yes!"
    return pd.DataFrame({"age": age, "sick": sick})


def fitted(frame, *, classifier=TreeClassifier, **more):
    given = {"domain": {"age": (0, 100)}, "classes": ("no", "yes"), "ledger": Ledger.memory(1)}
    model = classifier(**given | more)
    return model.fit(frame[["age"]], frame["sick"])


def test_the_error_stands_beside_the_base_rate(tmp_path):
    model = fitted(table(4000), classifier=BestRuleClassifier)
    measured = model.certificate_.measured
    assert [one.what for one in measured.beside] == list(EACH)
    assert abs(measured.counted("positive").count - 1200) < 400
    text = model.certificate_.to_markdown()
    assert "The same answer for everybody, the " in text
    assert "Labels with a declared value:" in text
    assert "WARNING" not in text
    spent = sum(one.epsilon for one in measured.beside)
    assert spent <= Fraction(1, 10)
    assert model.certificate_.spent.epsilon == 1
    # A file says the same as a frame, and every number is computed anew.
    record = release_record(model.release_, about=About(data_set="t"), counted=True)
    path = tmp_path / "release.json"
    for within, holds in ((measured.beside[0].within, True), (1, False)):
        parts = (replace(measured.beside[0], within=within), *measured.beside[1:])
        certificate = replace(model.certificate_, measured=replace(measured, beside=parts))
        record["certificate"] = certificate.to_dict()
        record["digests"]["release"] = digest_of(record)
        path.write_text(json.dumps(record))
        assert bool(verify(path)) is holds


def test_labels_that_were_misspelt_are_said_to_be_many():
    text = fitted(table(6000, odd=3000)).certificate_.to_markdown()
    assert "WARNING: many labels are neither of the declared values" in text


def test_few_records_leave_the_numbers_out_and_say_so():
    model = fitted(table(200))
    text = model.certificate_.to_markdown()
    needed = model.certificate_.measured.counted("positive").needed
    assert needed > 200
    assert f"would need n >= {needed}" in text
    assert "not measured" in text
    assert "WARNING: nothing here says that the declaration fits the records." in text


def test_a_positive_label_that_hardly_occurs_is_asked_about():
    # Seeded: by its law, noise reaches past what is told one time in forty.
    asked = "is the positive label declared as it is written?"
    for positive, said in (("Yes", True), ("yes", False)):
        model = fitted(table(6000), classes=(None, positive), rng=seeded(3))
        assert (asked in model.certificate_.to_markdown()) is said


def test_a_rule_without_questions_reads_no_column():
    """Its words ask nothing, whatever questions the drawn tree has with one answer."""
    schema = Schema.of({"age": (0, 100)})
    alike = Trees(schema, depth=1).hypothesis((0, True, True))
    assert alike.describe() == "always: 1"
    assert alike.reads == ()
    rows = pd.DataFrame({"other": [1, 2]})
    assert alike.predict(rows).tolist() == [True, True]
    assert fitting_rows(alike, alike.place(rows)).all()


def test_persons_whose_rows_may_depend_give_one_row_each():
    frame = table(4000)
    frame["id"] = np.arange(4000) // 2
    given = {"domain": {"age": (0, 100)}, "classes": ("no", "yes"), "ledger": Ledger.memory(1)}
    model = TreeClassifier(**given, unit="id", rows_per_unit=3)
    model.fit(frame[["age", "id"]], frame["sick"])
    text = model.certificate_.to_markdown()
    assert "one row of each is used (up to 3 were allowed)" in " ".join(text.split())
    assert "at most 3 rows" not in text


def test_a_file_is_counted_as_the_frame_is(tmp_path):
    frame = table(2500, odd=400)
    path = tmp_path / "t.csv"
    frame.to_csv(path, index=False)
    given = {"domain": {"age": (0, 100)}, "classes": ("no", "yes"), "depth": 1}
    from_file = TreeClassifier(rng=seeded(2), **given).fit_file(path, label="sick")
    from_frame = TreeClassifier(rng=seeded(2), **given).fit(frame[["age"]], frame["sick"])
    assert from_file.certificate_.measured == from_frame.certificate_.measured
    assert from_file.certificate_.measured.counted("labels").count < 2300


@pytest.mark.parametrize("tree", [(1, False, True), True])
def test_of_a_file_only_the_columns_of_the_rule_are_read_again(tmp_path, tree):
    path = tmp_path / "visits.csv"
    rows = [(0.5, "a", "yes"), (1.5, "b", "no"), ("", "a", "yes"), (1.7, "b", "?")] * 5
    frame = pd.DataFrame(rows, columns=["age", "ward", "label"])
    frame.to_csv(path, index=False)
    told = {"positive": "yes", "negative": "no"}
    sample = TableSample(read(path), schema=SCHEMA, label="label", **told)
    rule = Trees(SCHEMA, depth=1).hypothesis(tree)
    few = sample.only(SCHEMA.names[place] for place in rule.reads)
    assert few.width == 2  # one column, and the label
    whole = RuleCounts(rule, EACH)
    assert whole.of(sample) == sample.fold(whole)
    held = Sample(frame[["age", "ward"]], frame["label"].to_numpy(dtype=object), "yes", "no")
    assert whole.of(sample) == whole.of(held)
