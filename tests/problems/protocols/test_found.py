"""A representation or protocol that was found becomes a learner."""

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.problems.protocols.found_representation_cases import EIGHT, ENTRY, FOUR, THREE, task
from tests.tools.levels import SIGNIFICANCE

import tacit
from tacit import Ledger, learn, plan
from tacit import dimensions as dims
from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import BadInput, Sample, Size
from tacit.problems.protocols.found import Majorities, Represented
from tacit.theory.dimensions.conversions import private_from_deterministic


def test_fewer_hypotheses_than_concepts_need_no_more_when_they_are_good_enough():
    third = dims.representation(EIGHT, alpha="1/3")
    bound = ENTRY.bound(task(Represented(EIGHT, third), alpha="0.45"))
    assert bound.choices["copies"] == 1
    assert bound.n < 10_000
    itself = dims.representation(EIGHT, alpha="1/20")
    assert itself.least == 8 > third.least
    assert ENTRY.bound(task(Represented(EIGHT, itself), alpha="0.1")).n < 400


@pytest.mark.parametrize(
    ("base", "found"),
    [
        (EIGHT, lambda: dims.representation(EIGHT, alpha="1/3")),
        (THREE, lambda: dims.representation(THREE, alpha="1/4", beta="1/4")),
        (FOUR, lambda: dims.communication(FOUR, error="1/4")),
        (
            FOUR,
            lambda: private_from_deterministic(dims.representation(FOUR, alpha="1/8").witness),
        ),
    ],
)
def test_planned_learned_and_verified(base, found, tmp_path):
    witness = found()
    job = task(base, setting="agnostic")
    x = np.arange(300) % base.domain.size
    release = learn(job, (x, x == 1), with_=witness, ledger=Ledger.memory())
    assert release.certificate.algorithm == "found-representation"
    path = tmp_path / "release.json"
    tacit.save(release, path)
    assert tacit.verify(path)
    planned = plan(job.with_(concept_class=Represented(base, witness)))
    assert planned.runnable.name == "found-representation"


@pytest.mark.parametrize("setting", ["realizable", "agnostic"])
def test_at_the_planned_number_of_records(setting):
    found = Represented(FOUR, dims.communication(FOUR, error="1/4"))
    job = task(found, setting=setting, alpha="0.3")
    n = ENTRY.bound(job).n
    made = ENTRY.build(job, ENTRY.bound(job), Size(n))
    generator, rng, failed = np.random.default_rng(0), seeded("found"), 0
    masses = np.array([0.31, 0.31, 0.19, 0.19])
    noise = 0.0 if setting == "realizable" else 0.2
    for _ in range(80):
        x = generator.choice(4, size=n, p=masses)
        y = (x == 1) ^ (generator.random(n) < noise)
        rule = made._release(Sample(x, y), rng=rng)
        wrong = rule.predict(np.arange(4)) != (np.arange(4) == 1)
        failed += (1 - 2 * noise) * float(masses @ wrong) > 0.3
    assert binomtest(failed, 80, 0.2, alternative="greater").pvalue > SIGNIFICANCE


def test_mistakes_are_counted_as_the_rules_make_them():
    found = Represented(THREE, dims.representation(THREE, alpha="1/4", beta="1/4"))
    protocol = Majorities(found, 3)
    coins = protocol.coins(seeded("coins"))
    x, y = np.array([0, 1, 2, 2, 1]), np.array([1, 0, 1, 0, 0], dtype=bool)
    counted = protocol.mistakes(coins, x, y)
    assert len(counted) == protocol.messages == 27
    for message in range(protocol.messages):
        rule = protocol.rule(message, coins)
        assert counted[message] == np.count_nonzero(rule.predict(x) != y)


def test_coins_have_their_chances():
    found = Represented(FOUR, dims.communication(FOUR, error="1/4"))
    _, chances = found.sets()
    protocol, rng = Majorities(found, 1), seeded("chances")
    drawn = np.array([protocol.coins(rng)[0] for _ in range(3000)])
    for place, chance in enumerate(chances):
        seen = int(np.count_nonzero(drawn == place))
        assert binomtest(seen, 3000, float(chance)).pvalue > SIGNIFICANCE


def test_what_does_not_fit_is_refused():
    found = dims.representation(FOUR, alpha="1/5")
    for base in (EIGHT, Points(size=4)):
        with pytest.raises(BadInput):
            Represented(base, found)
    with pytest.raises(BadInput, match="not a lower bound"):
        Represented(EIGHT, dims.representation(EIGHT, alpha="1/3").witnesses[1])
