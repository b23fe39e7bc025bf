"""Public records without labels: covers made on them, from the front door to verify."""

from fractions import Fraction as F

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.problems.reals.public_cover_cases import task
from tests.tools.levels import SIGNIFICANCE

import tacit
from tacit import Ledger, PublicRecords, learn, plan, public_records
from tacit.checks.testing import seeded
from tacit.classes import Halfspaces, Points, RealIntervals, RealThresholds, Thresholds
from tacit.core import ALGORITHMS, LOWER_BOUNDS, BadInput, Sample
from tacit.problems.reals.public_cover import PublicCoverLearner
from tacit.problems.thresholds.some_thresholds import ThresholdsOnRecords


def test_public_records_make_the_impossible_possible():
    assert plan(task()).best is None
    assert plan(task()).lower_bounds[0].bound.impossible
    with_public = plan(task(public=1000))
    assert with_public.best.name == "public-cover"
    assert with_public.best.n < 400
    assert with_public.lower_bounds == ()
    assert any("without public records" in one.reason for one in with_public.inapplicable)
    assert len(list(LOWER_BOUNDS)) == len(with_public.inapplicable)


def test_more_public_records_never_cost_more_private_ones():
    found = [plan(task(public=m)).best.n for m in (150, 300, 1000, 3000, 10_000, 10**6)]
    assert found == sorted(found, reverse=True)


def test_too_few_public_records_are_told_with_a_number():
    reasons = {one.name: one.reason for one in plan(task(public=20)).rejected}
    assert "public records for this alpha, and there are 20" in reasons["public-cover"]
    needed = int(reasons["public-cover"].split()[2])
    assert plan(task(public=needed)).best is not None
    assert plan(task(public=needed - 2)).best is None


def test_a_wide_integer_domain_costs_nothing():
    wide, narrow = (plan(task(Thresholds(bits=b), public=3000)).best.n for b in (1000, 40))
    assert wide == narrow < plan(task(Thresholds(bits=64))).best.n


@pytest.mark.parametrize("orientation", [">=", "<="])
@pytest.mark.parametrize("reach", [0, 1, 3])
def test_every_whole_number_threshold_is_covered_on_the_records(orientation, reach):
    base = Thresholds(size=12, orientation=orientation)
    generator = np.random.default_rng(reach)
    for size in range(1, 9):
        x = generator.integers(0, 12, size).astype(np.uint64)
        on = ThresholdsOnRecords(base)
        cover = on.cover_on(x, reach)
        assert cover.size <= on.most_on(size, reach) <= on.rules_on(size)
        listed = [cover.hypothesis(i).predict(x) for i in range(cover.size)]
        for boundary in range(base.first, 13):
            truth = base.hypothesis(boundary).predict(x)
            assert min(np.count_nonzero(truth != one) for one in listed) <= reach


def test_learned_certified_and_verified(tmp_path):
    generator = np.random.default_rng(1)
    unlabelled, x = generator.random(3000), generator.random(400)
    job, book = task(), Ledger.memory()
    release = learn(job, (x, x >= 0.4), public=unlabelled, ledger=book)
    assert release.value.cut in (*unlabelled.tolist(), 2.0)
    told = release.certificate
    assert told.algorithm == "public-cover"
    assert told.accurate
    assert any("3000 public records" in sentence for sentence in told.assumed)
    path = tmp_path / "r.json"
    tacit.save(release, path)
    assert tacit.verify(path)
    assert tacit.load(path).certificate.recipe["public"]["count"] == 3000


def test_what_is_refused_before_the_charge():
    x, y, book = np.arange(10) / 10, np.arange(10) > 4, Ledger.memory()
    for public in (x, [], np.zeros((3, 2))):
        with pytest.raises(BadInput):
            learn(task(), (x, y), public=public, ledger=book)
    with pytest.raises(BadInput, match="only says how many"):
        learn(task(public=1000), (x, y), ledger=book)
    with pytest.raises(BadInput, match="public must be"):
        task(public="many")
    assert not book.entries


def test_frames_and_files_are_read_as_private_ones_are(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [20.0, 40.0, 70.0], "other": [1, 2, 3]})
    domain = RealThresholds(low=0, high=100).domain
    path = tmp_path / "public.csv"
    frame.to_csv(path, index=False)
    one = public_records(frame, domain=domain, column="age")
    assert one == public_records(path, domain=domain, column="age")
    assert one.values.ravel().tolist() == [0.2, 0.4, 0.7]
    wide = public_records([3, 1 << 90], domain=Points(bits=100).domain)
    assert wide.digest != public_records([3, 1 + (1 << 90)], domain=Points(bits=100).domain).digest


def failures(job, m, draw, error, *, n=None, trials=150, flip=0.0):
    entry = ALGORITHMS["public-cover"]
    generator, rng, failed = np.random.default_rng(7), seeded("public"), 0
    bound = entry.bound(job)
    for _ in range(trials):
        public = public_records(draw(m, generator)[0], domain=job.concept_class.domain)
        x, y = draw(n or bound.n, generator)
        y = y ^ (generator.random(len(y)) < flip)
        made = entry.build(job.with_(public=public), bound, None)
        rule = made._release(Sample(x, y), rng=rng)
        failed += error(rule) > float(job.accuracy.alpha)
    return failed, trials


def atoms(generator, n, places, masses):
    return generator.choice(places, size=n, p=masses)


@pytest.mark.parametrize("m", [200, 1000])
def test_at_the_planned_number_on_a_hard_law(m):
    # Mass just above alpha on both sides of the target, the rest far away.
    places, masses = np.array([0.0, 0.499, 0.501, 1.0]), [0.399, 0.101, 0.101, 0.399]

    def draw(n, generator):
        x = atoms(generator, n, places, masses)
        return x, x >= 0.5

    def error(rule):
        return float(np.dot(rule.predict(places) != (places >= 0.5), masses))

    job = task(public=m)
    failed, trials = failures(job, m, draw, error)
    assert binomtest(failed, trials, 0.1, alternative="greater").pvalue > SIGNIFICANCE
    few, trials = failures(job, m, draw, error, n=12)
    assert binomtest(few, trials, 0.1, alternative="greater").pvalue < SIGNIFICANCE


def test_agnostic_intervals_at_the_planned_number():
    job = task(RealIntervals(), public=2000, setting="agnostic", alpha="0.2")

    def draw(n, generator):
        x = generator.random(n)
        return x, (x >= 0.3) & (x < 0.6)

    def error(rule):
        grid = (np.arange(2000) + 0.5) / 2000
        wrong = rule.predict(grid) != ((grid >= 0.3) & (grid < 0.6))
        return (1 - 2 * 0.2) * float(np.mean(wrong))

    failed, trials = failures(job, 2000, draw, error, trials=60, flip=0.2)
    assert binomtest(failed, trials, 0.1, alternative="greater").pvalue > SIGNIFICANCE


def test_halfspaces_of_the_plane():
    job = task(Halfspaces(columns=2), public=1000)
    generator = np.random.default_rng(3)
    unlabelled, x = generator.normal(size=(1000, 2)), generator.normal(size=(500, 2))
    release = learn(
        job.with_(public=None), (x, x[:, 0] >= 0), public=unlabelled, ledger=Ledger.memory()
    )
    fresh = generator.normal(size=(4000, 2))
    assert np.mean(release.value.predict(fresh) != (fresh[:, 0] >= 0)) < 0.1


def test_the_cover_needs_the_records_themselves():
    made = PublicCoverLearner(
        concept_class=RealThresholds(), public=PublicRecords(9), reach=0, epsilon=F(1)
    )
    with pytest.raises(BadInput, match="themselves"):
        made.cover()


def test_a_cover_that_cannot_be_made_costs_nothing(monkeypatch):
    def fails(self, x, reach):
        raise MemoryError

    monkeypatch.setattr(RealThresholds, "cover_on", fails)
    ledger = Ledger.memory(9)
    with pytest.raises(MemoryError):
        learn(
            task(),
            (np.linspace(0, 1, 400)[:, None], np.zeros(400, dtype=int)),
            public=np.linspace(0, 1, 1000),
            ledger=ledger,
            rng=seeded("cover"),
        )
    assert ledger.entries == ()
