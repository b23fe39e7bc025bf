"""A budget of alarms: scores against prediction, exact privacy, coverage and the plan's promise."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from tests.complete import complete

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.checks.testing import exact_epsilon, flip_law, neighbours
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, Relation, Sample
from tacit.core.certificate_reader import certificate_from_dict
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import alarm_spread
from tacit.problems.tables.alarms import AlarmLearner, AlarmRules, new_rate
from tacit.testing import seeded

MIXED = complete([(0, 1), ("a", "b", "c"), bool], bins=3)
TWO = complete([range(2)])


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    words = np.array(["a", "b", "c"])
    rows = [(rng.random(), words[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    return rows, rng.integers(0, 2, n).astype(bool)


@pytest.mark.exact
@pytest.mark.parametrize("share", [Fraction(1, 23), Fraction(1, 4), Fraction(9, 10)])
def test_scores_are_records_missed_and_alarms_beyond_the_budget(share):
    family = AlarmRules(MIXED, alarms=share)
    x, y = table(23)
    errors = family.scores(MIXED.coerce(x), y).errors
    assert len(errors) == family.rules.size
    beyond = 0
    for candidate, score in enumerate(errors.tolist()):
        said = family.rules.hypothesis(candidate).predict(x)
        over = max(int(said.sum()) - int(23 * share), 0)
        beyond += over > 0
        assert score == int((y & ~said).sum()) + over
    assert beyond


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL])
def test_privacy_by_enumerating_neighbours_and_a_larger_rate_is_caught(relation):
    family = AlarmRules(TWO, alarms=Fraction(1, 3), columns=1)
    learner = AlarmLearner(rules=family, epsilon=Fraction(1), relation=relation)
    assert learner.rate == Fraction(1, alarm_spread(relation))
    records = [((cell,), label) for cell in range(2) for label in range(2)]

    @cache
    def law(rows, rate):
        x = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, 1)
        y = np.array([label for _, label in rows], dtype=bool)
        return flip_law(family.scores(x, y).errors.tolist(), rate)

    def worst(rate):
        found = ball(0)
        with at(256):
            for left, right in neighbours(records, 3, relation):
                found = found.max(exact_epsilon(law(left, rate), law(right, rate)))
            return found

    assert worst(learner.rate) < 1 + ball(Fraction(1, 1 << 200))
    assert worst(learner.rate) > ball(Fraction(2, 5))
    assert worst(4 * learner.rate) > 1


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL])
def test_no_shorter_interval_holds_all_moves(relation):
    family, longest = AlarmRules(TWO, alarms=Fraction(1, 3), columns=1), 0
    records = [((cell,), label) for cell in range(2) for label in range(2)]

    def scores(rows):
        x = np.array([row for row, _ in rows], dtype=np.int32).reshape(-1, 1)
        return family.scores(x, np.array([label for _, label in rows], dtype=bool)).errors

    for left, right in neighbours(records, 3, relation):
        moved = scores(left) - scores(right)
        longest = max(longest, int(moved.max() - moved.min()))
    assert longest == alarm_spread(relation)


def task(share="1/4", epsilon=2, alpha="0.2", **more):
    return Task(
        AlarmRules(MIXED, alarms=Fraction(share)),
        privacy=Privacy(epsilon, **more),
        accuracy=Accuracy(alpha, "0.1"),
        setting="agnostic",
    )


def test_a_private_number_of_records_is_refused_with_the_reason():
    assert plan(task(relation="add-remove")).best is None
    assert "number is private" in plan(task(relation=ADD_REMOVE)).explain()
    for share in (0, 1, 2):
        with pytest.raises(BadInput, match="alarms"):
            AlarmRules(MIXED, alarms=share)


def test_no_lower_bound_about_mistakes_is_stated():
    assert not plan(task()).lower_bounds


def drawn_from_law(rng, n):
    """Records of which a third is positive where x is high and the category is a."""
    words = np.array(["a", "b", "c"])
    x = [(a, words[b], bool(c)) for a, b, c in zip(
        rng.random(n), rng.integers(0, 3, n), rng.integers(0, 2, n), strict=True)]  # fmt: skip
    chance = [0.8 if one[0] > 2 / 3 and one[1] == "a" else 0.1 for one in x]
    return x, rng.random(n) < chance


@pytest.mark.statistical
def test_what_the_plan_promises_holds_at_the_stated_number_of_records():
    asked = task(alpha="0.25")
    n, family = plan(asked).runnable.n, asked.concept_class
    fresh, truth = drawn_from_law(np.random.default_rng(99), 40_000)
    cells = family.schema.coerce(fresh)  # placed once, not once a rule

    def loss(rule):
        said = rule.of_cells(cells)
        return (truth & ~said).mean() + max(said.mean() - 0.25, 0)

    best = min(loss(family.rules.hypothesis(one)) for one in range(family.rules.size))
    failed = 0
    for seed in range(40):
        x, y = drawn_from_law(np.random.default_rng(seed), n)
        release = learn(asked, (x, y), ledger=Ledger.memory(), rng=seeded(f"alarms {seed}"))
        failed += loss(release.value) > best + 0.25
    assert failed <= 10  # one in ten is allowed; eleven of forty would be one in a thousand


@pytest.mark.statistical
def test_the_certificate_bounds_alarms_and_misses_and_survives_a_file():
    asked = task(epsilon=4)
    fresh, truth = drawn_from_law(np.random.default_rng(99), 40_000)
    cells = asked.concept_class.schema.coerce(fresh)
    failed = dict.fromkeys(("alarms", "missed"), 0)
    for seed in range(40):
        x, y = drawn_from_law(np.random.default_rng(seed), 400)
        release = learn(asked, (x, y), ledger=Ledger.memory(), rng=seeded(f"count {seed}"))
        said, found = release.value.of_cells(cells), release.certificate.measured
        for what, share in (("alarms", said.mean()), ("missed", (truth & ~said).mean())):
            failed[what] += share > found.counted(what).rate
    assert max(failed.values()) <= 10
    again = certificate_from_dict(release.certificate.to_dict())
    assert again.measured == found
    assert "It calls" in release.certificate.to_markdown()
    one = found.counted("alarms")
    assert one.rate == new_rate(one, n=400, prior=found.prior, beta=Fraction(1, 10))
    assert one.rate > new_rate(one, n=800, prior=found.prior, beta=Fraction(1, 10))


def test_no_records_and_one_label_release_a_rule():
    family = AlarmRules(MIXED, alarms=Fraction(1, 4))
    learner = AlarmLearner(rules=family, epsilon=Fraction(1), relation=Relation.LABEL)
    for x, y in (([], []), (table(5)[0], [True] * 5)):
        sample = Sample(x or np.empty((0, 3)), np.array(y, dtype=bool))
        assert learner._release(sample, rng=seeded("few")).schema == MIXED
