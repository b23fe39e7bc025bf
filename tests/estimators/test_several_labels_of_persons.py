"""Several labels of persons with several rows: one row of each serves all labels."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, Privacy, plan, save, verify
from tacit.checks.testing import seeded
from tacit.cli import main
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.estimators import MultiTaskClassifier, ThresholdClassifier, TreeClassifier
from tacit.estimators.several_labels import learn_labels
from tacit.sources import read

SCHEMA = Schema.of({"age": (0, 100), "smoker": ["no", "yes"]})
WORDS = """
[columns.age]
kind = "number"
low = 0
high = 100
[columns.smoker]
kind = "category"
values = ["no", "yes"]
"""


def people(rows=2, persons=900):
    rng = np.random.default_rng(7)
    n = rows * persons
    age, smoker = rng.integers(0, 100, n), rng.random(n) < 0.4
    frame = pd.DataFrame({"pid": rng.permutation(np.arange(n) % persons), "age": age})
    frame["smoker"] = np.where(smoker, "yes", "no")
    frame["old"] = np.where(age > 60, "yes", "no")
    frame["ill"] = np.where(smoker, "yes", "no")
    return frame


def tree(**more):
    given = {"domain": SCHEMA, "classes": ("no", "yes"), "depth": 2, "epsilon": 1, "delta": "1e-6"}
    return TreeClassifier(**given | more)


def fitted(frame, **more):
    features = frame[["pid", "age", "smoker"]]
    return MultiTaskClassifier(tree(**more)).fit(features, frame[["old", "ill"]])


def test_frames_and_files_give_one_release_that_protects_persons(tmp_path):
    frame = people()
    frame.to_csv(tmp_path / "people.csv", index=False)
    from_frame = fitted(frame, unit="pid", rng=seeded("persons"), ledger=Ledger.memory(2, "1e-5"))
    certificate = from_frame.certificate_
    assert certificate.n == 900
    assert (certificate.asked.unit, certificate.asked.k) == ("pid", 2)
    from_file = learn_labels(
        tree(rng=seeded("persons"), ledger=Ledger.memory(2, "1e-5")),
        read(tmp_path / "people.csv"),
        ["old", "ill"],
        persons={"unit": "pid", "rows_per_unit": 1},
    )
    assert [one.describe() for one in from_frame.release_.value] == [
        one.describe() for one in from_file.value
    ]
    assert from_file.certificate.several == certificate.several
    assert (from_frame.predict(frame) == from_frame.predict(frame[["age", "smoker"]])).all()


def test_persons_are_protected_without_a_delta_too(tmp_path):
    made = fitted(people(), unit="pid", delta=0, ledger=Ledger.memory(1)).release_
    assert (made.certificate.n, made.certificate.asked.unit) == (900, "pid")
    assert made.certificate.several.epsilon == Fraction(1, 20)
    save(made, tmp_path / "r.json")
    assert verify(tmp_path / "r.json", seconds=None)


def test_persons_of_one_row_are_drawn_as_records_are():
    """The law hangs on counts alone, and one row of each person is a record."""
    frame = people(rows=1, persons=1200)
    ours = fitted(frame, unit="pid", rng=seeded("one row"))
    rows = fitted(frame, rng=seeded("one row"))
    assert [one.describe() for one in ours.rules_] == [one.describe() for one in rows.rules_]
    assert ours.certificate_.several == rows.certificate_.several


@pytest.mark.parametrize("costs", [{"yes": 9}, "balanced", None], ids=str)
def test_labels_of_persons_have_the_costs_that_labels_of_records_have(costs):
    """For all labels alike, and (``None``) for one of them alone."""
    frame, own = people(rows=1, persons=1200), {"old": {"yes": 9}}
    frame["old"] = np.where(frame["age"] > 95, "yes", "no")
    own = own if costs is None else None

    def learned(**more):
        model = MultiTaskClassifier(tree(epsilon=8, costs=costs, **more), costs=own)
        return model.fit(frame[["pid", "age", "smoker"]], frame[["old", "ill"]])

    def rows(**more):
        model = MultiTaskClassifier(tree(epsilon=8, costs=costs, **more), costs=own)
        return model.fit(frame[["age", "smoker"]], frame[["old", "ill"]])

    ours, theirs = learned(unit="pid", rng=seeded("one row")), rows(rng=seeded("one row"))
    assert [one.describe() for one in ours.rules_] == [one.describe() for one in theirs.rules_]
    assert ours.certificate_.several.labels == theirs.certificate_.several.labels
    assert ours.certificate_.n == 1200
    assert "by what mistakes cost" in ours.certificate_.what


def test_many_rows_of_a_person_count_as_one():
    """One person with thousands of rows moves no count of mistakes by more than 1."""
    frame = people(rows=1, persons=1200)
    crowd = pd.concat([frame, *[frame[frame["pid"] == 3].assign(old="no", age=99)] * 3000])
    calm = fitted(frame, unit="pid", rng=seeded("crowd"))
    crowded = fitted(crowd, unit="pid", rng=seeded("crowd"))
    assert crowded.certificate_.n == calm.certificate_.n == 1200
    each = zip(calm.certificate_.several.labels, crowded.certificate_.several.labels, strict=True)
    assert all(abs(one.noisy_mistakes - other.noisy_mistakes) <= 1 for one, other in each)


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (MultiTaskClassifier(tree(unit="pid", other="ignore")), "no record is ignored"),
        (
            MultiTaskClassifier(tree(unit="pid"), classes={"old": ("no", "yes")}),
            "values of its own",
        ),
        (MultiTaskClassifier(ThresholdClassifier(domain=100, unit="pid")), "rules over a table"),
    ],
)
def test_what_one_row_cannot_serve_is_refused_before_the_charge(model, said):
    frame, ledger = people(persons=50), Ledger.memory(2, "1e-5")
    model.estimator.set_params(ledger=ledger)
    with pytest.raises(BadInput, match=said):
        model.fit(frame[["pid", "age", "smoker"]], frame[["old", "ill"]])
    assert not ledger.entries


def test_the_command_line_learns_what_it_plans(tmp_path, capsys):
    people().to_csv(tmp_path / "people.csv", index=False)
    (tmp_path / "s.toml").write_text(WORDS)
    privacy = ["--epsilon", "1", "--delta", "1e-6", "--unit", "pid"]
    told = ["--schema", str(tmp_path / "s.toml"), "--depth", "2", *privacy]
    assert main(["plan", *told, "--model", "tree", "--k", "2", "--alpha", "0.1"]) == 0
    assert "persons suffice" in capsys.readouterr().out
    words = ["--labels", "old,ill", "--positive", "yes", "--negative", "no", "--no-ledger"]
    release = str(tmp_path / "release.json")
    assert main(["learn", str(tmp_path / "people.csv"), *told, *words, "-o", release]) == 0
    assert "each person, with all rows" in " ".join(capsys.readouterr().out.split()).lower()
    assert main(["verify", release]) == 0


def test_planned_persons_are_those_of_the_task():
    model = MultiTaskClassifier(tree(unit="pid"))
    task = model.task(2)
    assert task.privacy == Privacy(1, "1e-6", unit="pid")
    assert plan(task).best.n == plan(MultiTaskClassifier(tree()).task(2)).best.n
