"""One draw over several kinds of rules: its exact law, its promises, and who pays."""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger, run
from tacit.checks.audit import law
from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import REPLACE_ONE, BadInput, Relation, Sample
from tacit.exact.balls import at, ball
from tacit.problems.tables.best_rules import (
    BestRules,
    constant_prior,
    least_shares,
    listed_shares,
    nats,
    pays,
    shares,
)
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.trees import TreeRule, Trees

SCHEMA = complete([range(2)], bins=2)


def learner(parts=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), **more):
    return KindsLearner(
        schema=SCHEMA,
        trees=(Trees(SCHEMA, 0), Trees(SCHEMA, 1)),
        lists=(FewCuts(SCHEMA),),
        shares=parts,
        **{"epsilon": Fraction(1), **more},
    )


def by_hand(made, records):
    """Every rule's weight, rule by rule, as balls."""
    x = np.array([value for value, _ in records], dtype=object).reshape(-1, 1)
    y = np.array([label for _, label in records], dtype=bool)
    weights = {}
    for trees, share in zip(made.trees, made.shares, strict=False):
        for tree in everything(trees, trees.depth):
            weigh(weights, trees.hypothesis(tree), share * trees.prior(tree), made.rate, x, y)
    for kind, share in zip(made.lists, made.shares[len(made.trees) :], strict=True):
        for candidate in range(kind.size):
            prior = share / kind.size
            weigh(weights, kind.hypothesis(candidate), prior, made.rate, x, y)
    return weights


def weigh(weights, rule, prior, rate, x, y):
    mistakes = int((rule.predict(x) != y).sum())
    here = ball(prior) * (-ball(rate) * mistakes).exp()
    weights[rule] = weights.get(rule, ball(0)) + here


def everything(trees, levels):
    yield from (False, True)
    if levels:
        for cut in range(len(trees.cuts)):
            for low in everything(trees, levels - 1):
                for high in everything(trees, levels - 1):
                    yield (cut, low, high)


RECORDS = [(value, label) for value in (0, 1) for label in (0, 1)]


def test_the_law_is_the_stated_one():
    with at(128):
        made = learner()
        for records in ([(0, 1), (1, 0), (1, 0)], [(0, 0)] * 3, []):
            weights = by_hand(made, records)
            total = sum(weights.values(), ball(0))
            x = np.array([v for v, _ in records], dtype=object).reshape(-1, 1)
            found = law(made, Sample(x, np.array([y for _, y in records], dtype=int)))
            masses = {}
            for key, mass in found.masses.items():
                rule = json.dumps(found.values.get(key, key).to_dict())
                masses[rule] = masses.get(rule, 0.0) + float(mass)
            assert len(weights) >= 4
            for rule, weight in weights.items():
                said = masses[json.dumps(rule.to_dict())]
                assert abs(said - float(weight / total)) < 1e-9


@pytest.mark.parametrize("relation", Relation)
def test_privacy_is_exactly_epsilon_at_most(relation):
    made = learner(relation=relation)
    with at(256):
        worst = ball(0)
        for left, right in neighbours(RECORDS, 3, relation):
            laws = []
            for records in (left, right):
                weights = by_hand(made, records)
                total = sum(weights.values(), ball(0))
                laws.append({rule: weight / total for rule, weight in weights.items()})
            worst = worst.max(exact_epsilon(*laws))
        assert worst < 1 + ball(Fraction(1, 1 << 200))
        assert worst > ball(Fraction(1, 5))


def test_wrong_shares_would_be_seen():
    """A sampler that ignored the shares has another law than the stated one."""
    records = [(0, 1)] * 4
    with at(128):
        right, wrong = (
            by_hand(learner(parts), records)
            for parts in (
                (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
                (Fraction(1, 10), Fraction(1, 10), Fraction(8, 10)),
            )
        )
        chances = []
        for weights in (right, wrong):
            total = sum(weights.values(), ball(0))
            constant = TreeRule(schema=SCHEMA, root=True)
            chances.append(float(weights[constant] / total))
    draws = 4000
    x = np.zeros((4, 1), dtype=object)
    rng, book = seeded("kinds"), Ledger.memory()
    made = learner()
    found = [
        run(made, Sample(x, np.ones(4, dtype=int)), ledger=book, rng=rng).value
        for _ in range(draws)
    ]
    share = sum(rule == TreeRule(schema=SCHEMA, root=True) for rule in found) / draws
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - chances[0]) < spread
    assert abs(share - chances[1]) > 2 * spread


def test_priors_and_shares_are_public_numbers():
    kinds = [Trees(SCHEMA, 0), Trees(SCHEMA, 2), FewCuts(SCHEMA), Totals(SCHEMA), Scores(SCHEMA, 1)]
    parts = shares(kinds)
    assert sum(parts) == 1
    wide = complete([(0, 1)] * 12, bins=16)
    for family in ([Trees(wide, 0), FewCuts(wide)], [Trees(wide, 0), Trees(wide, 2), Totals(wide)]):
        held = shares(family)
        each = sum(p * constant_prior(kind) for p, kind in zip(held, family, strict=True))
        assert each == Fraction(1, 8) > 1 / (1 + np.exp(2))
        assert all(a <= b for a, b in zip(least_shares(family), held, strict=True))
    assert shares(kinds[:1]) == (1,)
    assert pays(kinds[1], None, Fraction(1))
    assert pays(kinds[1], int(2 * nats(kinds[1])) + 1, Fraction(1))
    assert not pays(kinds[1], int(2 * nats(kinds[1])), Fraction(1, 2))
    made = learner()
    few = FewCuts(SCHEMA)
    for candidate in range(few.size):
        rule = few.hypothesis(candidate)
        assert few.has(rule)
        assert made.prior(rule) >= few.prior(rule) / 4
        assert made.least_prior <= made.prior(rule) <= 1
    assert not few.has(Scores(SCHEMA, 1).hypothesis(0))
    with pytest.raises(BadInput, match="shares must be positive"):
        learner((Fraction(1), Fraction(0), Fraction(0)))


def test_never_much_below_the_better_constant_label():
    """Theorem 3: on labels without any pattern, the mean of the mistakes over many draws."""
    table = complete([(0, 1)] * 12, bins=16)
    rng = np.random.default_rng(1)
    n = 600
    x, y = rng.random((n, 12)), rng.random(n) < 0.2
    epsilon = Fraction(1, 20)
    made = BestRules(table).learner(epsilon=epsilon, relation=REPLACE_ONE, n=n)
    book, source = Ledger.memory(), seeded("constant")
    wrong = [
        int((run(made, Sample(x, y), ledger=book, rng=source).value.predict(x) != y).sum())
        for _ in range(60)
    ]
    allowed = float(1 / made.rate)
    assert np.mean(wrong) <= min(y.sum(), n - y.sum()) + allowed
    assert np.mean(wrong) <= min(y.sum(), n - y.sum()) + 0.02 * n


def flipped(**more):
    lists = (FewCuts(SCHEMA), Totals(SCHEMA))
    return FlippedKinds(
        schema=SCHEMA,
        trees=(Trees(SCHEMA, 0),),
        lists=lists,
        **{"epsilon": Fraction(1), "shares": listed_shares(lists), **more},
    )


def by_flips(made, records):
    """Every rule's probability by its definition: coins in all orders of the candidates."""
    x = np.array([value for value, _ in records], dtype=object).reshape(-1, 1)
    y = np.array([label for _, label in records], dtype=bool)
    rules = [TreeRule(schema=SCHEMA, root=label) for label in (False, True)]
    copies = [made.copies[0]] * 2
    for kind, number in zip(made.lists, made.copies[1:], strict=True):
        rules += [kind.hypothesis(candidate) for candidate in range(kind.size)]
        copies += [number] * kind.size
    each = [rule for rule, number in zip(rules, copies, strict=True) for _ in range(number)]
    wrong = [int((rule.predict(x) != y).sum()) for rule in each]
    coins = np.exp(-float(made.rate) * (np.array(wrong) - min(wrong)))
    # of the candidates that show heads each is equally likely: a polynomial in their number
    found: dict = {}
    for place, rule in enumerate(each):
        ways = np.array([1.0])
        for other, coin in enumerate(coins):
            if other != place:
                ways = np.convolve(ways, [1 - coin, coin])
        chance = coins[place] * float((ways / np.arange(1, len(ways) + 1)).sum())
        key = json.dumps(rule.to_dict())
        found[key] = found.get(key, 0.0) + chance
    return found


def test_lists_alone_have_the_law_of_permute_and_flip():
    """The enumerated law is the definition's; copies count."""
    assert min(flipped().copies) == 1
    for made in (flipped(), flipped(shares=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))):
        for records in ([(0, 1), (1, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 0)] * 3, []):
            x = np.array([v for v, _ in records], dtype=object).reshape(-1, 1)
            found = law(made, Sample(x, np.array([y for _, y in records], dtype=int)))
            masses: dict = {}
            for key, mass in found.masses.items():
                rule = json.dumps(found.values.get(key, key).to_dict())
                masses[rule] = masses.get(rule, 0.0) + float(mass)
            said = by_flips(made, records)
            assert said.keys() >= masses.keys()
            assert all(abs(masses.get(rule, 0.0) - said[rule]) < 1e-9 for rule in said)


@pytest.mark.parametrize("relation", Relation)
def test_lists_alone_are_exactly_epsilon_private(relation):
    made = flipped(relation=relation)
    worst = 0.0
    for left, right in neighbours(RECORDS, 2, relation):
        one, other = by_flips(made, left), by_flips(made, right)
        worst = max(worst, *(abs(np.log(one[rule] / other[rule])) for rule in one))
    assert 0.2 < worst < 1 + 1e-9


def test_permute_and_flip_errs_no_more_than_the_exponential_law():
    """Theorem 5: the chance of at most so many mistakes is never smaller."""
    made = flipped()
    plain = KindsLearner(
        schema=SCHEMA, trees=made.trees, lists=made.lists, shares=made.shares, epsilon=made.epsilon
    )
    ahead = 0.0
    for records in ([(0, 1), (1, 0), (1, 0)], [(0, 1)] * 4 + [(1, 0)] * 3, [(0, 0), (1, 1)] * 2):
        x = np.array([v for v, _ in records], dtype=object).reshape(-1, 1)
        y = np.array([y for _, y in records], dtype=bool)
        with at(128):
            weights = by_hand(plain, records)
            total = sum(weights.values(), ball(0))
            usual = {json.dumps(r.to_dict()): float(w / total) for r, w in weights.items()}
            wrong = {json.dumps(r.to_dict()): int((r.predict(x) != y).sum()) for r in weights}
        here = by_flips(made, records)
        for most in range(len(y)):
            gap = sum(here[r] - usual[r] for r in wrong if wrong[r] <= most)
            assert gap > -1e-12
            ahead = max(ahead, gap)
    assert ahead > 0.005


def test_copies_of_lists_alone_follow_their_shares():
    """A sampler that forgot the copies has another law."""
    made = flipped(shares=(Fraction(8, 10), Fraction(1, 10), Fraction(1, 10)), epsilon=Fraction(1))
    records = [(0, 1), (1, 0)]
    key = json.dumps(TreeRule(schema=SCHEMA, root=True).to_dict())
    right, wrong = by_flips(made, records)[key], by_flips(flipped(), records)[key]
    x = np.array([[0], [1]], dtype=object)
    rng, book, draws = seeded("copies"), Ledger.memory(), 2000
    found = [
        run(made, Sample(x, np.array([1, 0])), ledger=book, rng=rng).value for _ in range(draws)
    ]
    share = sum(json.dumps(rule.to_dict()) == key for rule in found) / draws
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - right) < spread
    assert abs(share - wrong) > spread
    with pytest.raises(BadInput, match="only constant labels"):
        FlippedKinds(
            schema=SCHEMA, trees=(Trees(SCHEMA, 1),), lists=(), shares=(1,), epsilon=Fraction(1)
        )
