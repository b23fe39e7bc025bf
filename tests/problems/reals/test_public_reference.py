"""A_1, A_1r and A_2 through the front door: when they apply, and that nothing breaks them."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Sample, Task, learn, plan
from tacit.checks.testing import seeded
from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds, Thresholds
from tacit.core import ALGORITHMS, LABEL, BadInput, Selection
from tacit.domains import band, uniform_cube, uniform_sphere
from tacit.problems.reals.label_private_cover import LabelPrivateCoverLearner
from tacit.problems.reals.public_reference import PublicReferenceLearner, smoothness

NAMES = ("public-reference", "public-reference-realizable", "label-private-cover")


def task(concepts=None, **changes):
    given = {
        "marginal": uniform_cube(kappa=2),
        "alpha": 0.1,
        "beta": 0.1,
        "epsilon": 1,
        "relation": "replace-one",
    }
    given |= changes
    return Task(
        concepts or RealThresholds(),
        privacy=Privacy(given.pop("epsilon"), relation=given.pop("relation")),
        accuracy=Accuracy(given.pop("alpha"), given.pop("beta")),
        **given,
    )


def refusals(job):
    return [ALGORITHMS[name].why_not(job) for name in NAMES]


def test_who_applies_where():
    assert [reason is None for reason in refusals(task())] == [True, True, False]
    assert [reason is None for reason in refusals(task(setting="agnostic"))] == [True, False, False]
    assert [reason is None for reason in refusals(task(relation="label"))] == [True, True, True]
    assert [reason is None for reason in refusals(task(relation="add-remove"))] == [
        True,
        True,
        False,
    ]
    assert [reason is None for reason in refusals(task(relation="label", marginal="any"))] == [
        False,
        False,
        True,
    ]
    assert [reason is None for reason in refusals(task(marginal="uniform"))] == [True, True, False]
    assert all(refusals(task(Thresholds(bits=8))))
    assert refusals(task(output="improper")) == refusals(task(output="any"))
    assert all(refusals(task(k=2)))


def test_refusals_say_what_to_do():
    assert "public reference" in refusals(task(marginal="any"))[0]
    assert "1-dimensional cube" in refusals(task(marginal=uniform_sphere(columns=3)))[0]
    rejected = {
        r.name: r.reason
        for r in plan(task(Halfspaces(columns=12), marginal=uniform_sphere(columns=12))).rejected
    }
    assert "fewer columns" in rejected["public-reference"]
    assert "relation='label'" in refusals(task())[2]
    assert (
        "plane only"
        in refusals(
            task(Halfspaces(columns=3), marginal=uniform_sphere(columns=3), relation="label")
        )[2]
    )


def test_the_plan_takes_the_realizable_one_and_shows_the_printed_number():
    best = plan(task()).best
    assert best.algorithm.name == "public-reference-realizable"
    assert best.bound.printed > 50 * best.n


@pytest.mark.parametrize(
    ("concepts", "marginal", "relation"),
    [
        (RealThresholds(low=0, high=100), uniform_cube(kappa=3), "replace-one"),
        (RealIntervals(low=0, high=100), uniform_cube(), "add-remove"),
        (RealBoxes(bounds=[(0, 100), (-1, 1)]), uniform_cube(columns=2), "label"),
        (Halfspaces(columns=3), band(columns=3, gamma=0.5), "replace-one"),
        (Halfspaces(columns=2), "any", "label"),
        (RealThresholds(), uniform_cube(kappa=None), "replace-one"),
    ],
)
def test_learn_end_to_end(concepts, marginal, relation):
    job = task(concepts, marginal=marginal, relation=relation, alpha=0.25)
    n = plan(job).best.n
    generator = np.random.default_rng(12)
    x = generator.normal(50, 30, size=(n, concepts.columns))
    y = np.where(x[:, 0] > 50, "yes", "no")
    ledger = Ledger.memory(2, relation=relation)
    release = learn(job, (x, y), positive="yes", rng=seeded(3), ledger=ledger)
    assert release.event.relation.value == relation
    assert release.event.epsilon <= 1
    assert release.value.predict(x).shape == (n,)
    assert release.claim.cite in ("CH11 Theorem 7", "CH11 Theorem 26")
    certificate = release.certificate
    assert certificate.asked.marginal == str(marginal)
    assert (f"law is as stated ({marginal})" in certificate.to_markdown()) == (marginal != "any")


def test_learn_from_a_file(tmp_path):
    path = tmp_path / "ages.csv"
    ages = np.linspace(0, 100, 400)
    rows = [f"{age!r},{'yes' if age >= 40 else 'no'}" for age in ages.tolist()]
    path.write_text("\n".join(["age,sick", *rows, "unknown,no"]), encoding="utf-8")
    job = task(RealThresholds(low=0, high=100))
    release = learn(job, path, label="sick", positive="yes", rng=seeded(9), ledger=Ledger.memory(1))
    assert abs(release.value.rule.cut - 0.4) < 0.2


def test_smoothness_is_given_or_found():
    assert smoothness(task(), 10) == 2
    open_task = task(marginal=uniform_cube(kappa=None))
    found = [smoothness(open_task, n) for n in (10, 300, 600)]
    assert found[0] == 1 < found[1] < found[2]
    cells = [
        ALGORITHMS["public-reference-realizable"].built(open_task, n).cells for n in (10, 300, 600)
    ]
    assert cells[0] < cells[1] < cells[2]
    with pytest.raises(BadInput, match="public reference"):
        smoothness(task(marginal="any"), 10)


HOSTILE = [
    np.empty((0, 2)),
    np.full((3, 2), np.nan),
    np.array([[np.inf, -np.inf], [1e308, -1e308], [5e-324, 0]]),
    np.array([["a", None], [b"\xff", object()], [10**400, 1j]], dtype=object),
    np.zeros((4, 2), dtype="datetime64[s]"),
]


@pytest.mark.parametrize("rows", HOSTILE, ids=["none", "missing", "huge", "objects", "dates"])
@pytest.mark.parametrize(
    "concepts", [RealBoxes(columns=2), Halfspaces(columns=2), RealIntervals(), RealThresholds()]
)
def test_no_data_break_them(concepts, rows):
    x = rows[:, : concepts.columns]
    sample = Sample(x, np.array([None, "1", 1, 0][: len(x)], dtype=object))
    for learner in (
        PublicReferenceLearner(concept_class=concepts, cells=4, epsilon=F(1)),
        LabelPrivateCoverLearner(concept_class=concepts, radius=F(1, 8), epsilon=F(1)),
    ):
        rule = learner._release(sample, rng=seeded(4))
        assert rule.predict(x).shape == (len(x),)
        assert isinstance(learner.event(), Selection)


def test_a_small_public_number_of_records_makes_the_cover_coarser_not_larger(monkeypatch):
    monkeypatch.setattr(RealBoxes, "listed", 2000)
    boxes = RealBoxes(columns=2)
    learner = LabelPrivateCoverLearner(concept_class=boxes, radius=F(1, 100), epsilon=F(1))
    reach = learner._reach(60)
    assert boxes.most_on(60, reach) <= 2000 < boxes.most_on(60, reach - 1)
    sample = Sample(np.random.default_rng(1).random((60, 2)), np.arange(60) % 2)
    assert learner._release(sample, rng=seeded(5))
    assert learner.event().relation is LABEL


def test_nothing_private_in_the_learner_or_the_cover():
    x = np.array([[0.123456789], [0.5]])
    cover = RealThresholds().cover_on(x, 0)
    assert "0.1234" not in repr(cover)
    assert "private" in repr(cover.landscape(x, np.array([True, False])))


def test_planned_choices_stay_within_what_is_written_out():
    for concepts, marginal in (
        (Halfspaces(columns=5), uniform_sphere(columns=5)),
        (RealBoxes(columns=2), uniform_cube(columns=2)),
    ):
        bound = ALGORITHMS["public-reference"].bound(
            task(concepts, marginal=marginal, setting="agnostic")
        )
        assert bound.choices["size"] <= concepts.runnable


def test_the_certificate_says_the_kappa_that_records_allow():
    x = np.linspace(0, 1, 400)[:, None]
    said = {}
    for kappa in (None, 2):
        job = task(marginal=uniform_cube(kappa=kappa))
        release = learn(
            job, (x, x[:, 0] >= 0.4), ledger=Ledger.memory(epsilon=2), rng=seeded("kappa")
        )
        found = smoothness(job, 400, setting="realizable")
        said[kappa] = (release.certificate.what, found)
    what, found = said[None]
    assert found > 100
    assert f"kappa = {found}" in what
    assert "kappa" not in said[2][0]  # it was asked for, and stands among what is assumed
    private = task(marginal=uniform_cube(kappa=None), relation="add-remove")
    release = learn(
        private, (x, x[:, 0] >= 0.4), ledger=Ledger.memory(epsilon=2), rng=seeded("kappa")
    )
    planned = ALGORITHMS["public-reference-realizable"].bound(private).n
    assert f"kappa = {smoothness(private, planned)}" in release.certificate.what
