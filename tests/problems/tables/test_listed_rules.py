"""Lists of rules by what their mistakes cost: exact laws, exact privacy, draws, the plan's promise."""

import json
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_costs_cases import COSTS, RECORDS, SCHEMA, cost, sample
from tests.tools.levels import SIGNIFICANCE, p_value

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan, run
from tacit.checks.audit import law
from tacit.checks.testing import (
    exact_epsilon,
    exponential_law,
    flip_law,
    neighbours,
    seeded,
)
from tacit.core import Pure, Relation, Sample, Selection
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.problems.tables.listed_rules import CostOfMistakes, ListedRuleLearner, selector_for
from tacit.problems.tables.products import Boxes, Intervals
from tacit.problems.tables.scores import Scores
from tacit.tallies.distinct import Repeated

pytestmark = pytest.mark.exact
KINDS = [Scores(SCHEMA, columns=1, most=1), Intervals(SCHEMA)]
LAWS = {"exponential": exponential_law, "permute-and-flip": flip_law}


def learner(rules, **more):
    asked = {"epsilon": Fraction(1), "costs": COSTS, "selector": selector_for(rules)}
    return ListedRuleLearner(concept_class=rules, **(asked | more))


def by_hand(made, records, costs=COSTS):
    """The chance of every rule: the cost of each candidate, one by one."""
    rules = made.concept_class
    candidates = [rules.hypothesis(candidate) for candidate in range(rules.size)]
    errors = [cost(rule, records, costs) for rule in candidates]
    found = {}
    for candidate, mass in LAWS[made.selector](errors, made.rate).items():
        words = json.dumps(candidates[candidate].to_dict())
        found[words] = found.get(words, ball(0)) + mass
    return found


@pytest.mark.parametrize("rules", KINDS, ids=lambda one: one.name)
def test_the_law_weighs_a_mistake_by_its_cost(rules):
    made = learner(rules, epsilon=Fraction(3))
    assert made.rate == Fraction(3, 2 * max(COSTS))
    with at(128):
        for records in ([RECORDS[1], RECORDS[2], RECORDS[2]], [RECORDS[0]] * 2, []):
            found, masses = law(made, sample(records)), {}
            for key, mass in found.masses.items():
                rule = json.dumps(found.values.get(key, key).to_dict())
                masses[rule] = masses.get(rule, 0.0) + float(mass)
            wanted = by_hand(made, records)
            assert len(wanted) == rules.size
            for rule, mass in wanted.items():
                assert abs(masses[rule] - float(mass)) < 1e-9


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("rules", KINDS, ids=lambda one: one.name)
def test_privacy_is_exactly_epsilon_at_most(rules, relation):
    made = learner(rules, relation=relation)
    kind = Selection if isinstance(rules, Scores) else Pure
    assert made.event() == kind(epsilon=Fraction(1), relation=relation)
    # At the rate for mistakes of cost 1 the same draw would not be private.
    ratio = Fraction(cost_spread(relation, COSTS), spread(relation))
    careless = learner(rules, relation=relation, epsilon=ratio)
    assert careless.rate == learner(rules, relation=relation, costs=(1, 1)).rate
    with at(256):
        worst, broken = (_worst(one, relation) for one in (made, careless))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))
        assert broken > 1


def _worst(made, relation):
    known = {}

    def chances(records):
        key = tuple(sorted(records))
        if key not in known:
            known[key] = by_hand(made, key)
        return known[key]

    worst = ball(0)
    for left, right in neighbours(RECORDS, 3, relation):
        worst = worst.max(exact_epsilon(chances(left), chances(right)))
    return worst


@pytest.mark.statistical
@pytest.mark.parametrize("rules", KINDS, ids=lambda one: one.name)
def test_draws_have_the_law_of_these_costs_and_of_no_others(rules):
    made, draws = learner(rules, epsilon=Fraction(8)), 3000
    records = [RECORDS[0]] * 4 + [RECORDS[1], RECORDS[3]]
    data, rng = sample(records), seeded(f"listed {rules.name}")
    seen = Counter(json.dumps(rng.part(made, data).to_dict()) for _ in range(draws))

    def fits(costs):
        wanted = by_hand(made, records, costs)
        return p_value([seen[one] for one in wanted], [float(m) * draws for m in wanted.values()])

    assert fits(COSTS) > SIGNIFICANCE
    for costs in ((1, 1), (1, 4), (1, 6)):
        assert fits(costs) < SIGNIFICANCE


@pytest.mark.parametrize("rules", [Boxes(SCHEMA, columns=1), Scores(SCHEMA)], ids=lambda r: r.name)
def test_batches_cost_as_much_as_all_records_at_once(rules, monkeypatch):
    records = [RECORDS[place] for place in (0, 1, 1, 3, 2, 0, 3)]
    score = CostOfMistakes(rules, COSTS)
    x = np.array([values for values, _ in records])
    y = np.array([label for _, label in records], dtype=bool)
    monkeypatch.setattr("tacit.tallies.distinct._AT_ONCE", 3)
    left = score(sample(records)).levels()
    right = score(Repeated(x, y, np.ones(len(y), dtype=np.int64))).levels()
    assert left.errors.tolist() == right.errors.tolist()
    assert left.counts.tolist() == right.counts.tolist()
    assert int(left.errors[-1]) > len(records)


@pytest.mark.statistical
@pytest.mark.parametrize("rules", [Scores, Intervals], ids=["scores", "intervals"])
def test_the_plan_keeps_its_promise_in_units_of_the_greatest_cost(rules):
    """With as many records as planned the mean cost is within alpha of the best, nearly always."""
    grid = [(cell,) for cell in range(4)]
    asked = Task(
        rules(complete([range(4)])),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.2"),
        setting="agnostic",
        costs={"no": 1, "yes": 5},
        names=("no", "yes"),
        error_share=0,
    )
    best = plan(asked).best
    assert best.algorithm.name == "costs"
    chance = np.array([0.05, 0.1, 0.3, 0.6])
    missed, runs = 0, 60
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        x = rng.integers(0, 4, best.bound.n)
        y = rng.random(len(x)) < chance[x]
        data = (x[:, None], np.where(y, "yes", "no"))
        book, draw = Ledger.memory(), seeded(f"{seed}")
        release = learn(asked, data, positive="yes", negative="no", ledger=book, rng=draw)
        said = release.value.predict(grid)
        missed += _mean(said, chance) > _best(chance) + 0.1
    assert missed <= 0.2 * runs


def _mean(said, chance):
    return float(np.where(said, 1 - chance, 5 * chance).mean()) / 5


def _best(chance):
    """The rule that is a threshold of the one column: both classes have it."""
    return min(_mean(np.arange(4) >= cut, chance) for cut in range(5))


def test_costs_of_a_sample_that_is_empty_are_nothing():
    made = learner(KINDS[1])
    rule = run(made, Sample(np.empty((0, 1)), np.empty(0, dtype=int)), ledger=Ledger.memory())
    assert rule.value.describe()
