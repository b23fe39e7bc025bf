"""One draw over several kinds of rules: its exact law, its promises, and who pays."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_kinds_cases import RECORDS, SCHEMA, by_flips, flipped

from tacit import Ledger, run
from tacit.checks.audit import law
from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import BadInput, Relation, Sample
from tacit.domains.schema import Schema
from tacit.exact.balls import at, ball
from tacit.problems.tables.best_rules import (
    constant_prior,
    least_shares,
    shares,
)
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.tree_nodes import splits
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import TreeRule, Trees

pytestmark = pytest.mark.exact


def learner(parts=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), **more):
    return KindsLearner(
        schema=SCHEMA,
        trees=(Trees(SCHEMA, depth=0), Trees(SCHEMA, depth=1)),
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
    kinds = [
        Trees(SCHEMA, depth=0),
        Trees(SCHEMA, depth=2),
        FewCuts(SCHEMA),
        Totals(SCHEMA),
        Scores(SCHEMA, columns=1),
    ]
    parts = shares(kinds)
    assert sum(parts) == 1
    wide = complete([(0, 1)] * 12, bins=16)
    for family in (
        [Trees(wide, depth=0), FewCuts(wide)],
        [Trees(wide, depth=0), Trees(wide, depth=2), Totals(wide)],
    ):
        held = shares(family)
        each = sum(p * constant_prior(kind) for p, kind in zip(held, family, strict=True))
        assert each == Fraction(1, 8) > 1 / (1 + np.exp(2))
        assert all(a <= b for a, b in zip(least_shares(family), held, strict=True))
    assert shares(kinds[:1]) == (1,)
    made = learner()
    few = FewCuts(SCHEMA)
    for candidate in range(few.size):
        rule = few.hypothesis(candidate)
        assert few.has(rule)
        assert made.prior(rule) >= few.prior(rule) / 4
        assert made.least_prior <= made.prior(rule) <= 1
    assert not few.has(Scores(SCHEMA, columns=1).hypothesis(0))
    with pytest.raises(BadInput, match="shares must be positive"):
        learner((Fraction(1), Fraction(0), Fraction(0)))


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


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("levels", [1, 2])
def test_finer_cells_cost_nothing_against_moved_cuts(levels, whole):
    """Theorem 9: four times as many cells, and coarse trees whose cuts are moved at random."""
    rng = np.random.default_rng(levels)
    x = rng.random((30, 2))
    y = (x[:, 0] > 0.4) ^ (rng.random(30) < 0.2)
    coarse, fine = (
        Trees(schema.declared_complete() if whole else schema, depth=levels)
        for schema in (Schema.of([(0, 1), (0, 1)], bins=bins) for bins in (3, 12))
    )
    rate = Fraction(1, 2)
    weigher = Weigher(fine, rate)
    total = -np.log(float(weigher.total(weigher.read(x, y), levels).mid())) / float(rate)
    every = list(everything(coarse, levels))
    price = np.log(11 / 8) if whole else 0.0
    for place in rng.choice(len(every), size=min(len(every), 40), replace=False):
        tree = every[place]
        moves = list(moved(coarse.hypothesis(tree).root, whole=whole))
        assert len(moves) == 4 ** splits(tree)
        wrong = [(TreeRule(schema=fine.schema, root=root).predict(x) != y).sum() for root in moves]
        nats = splits(tree) * price - np.log(float(coarse.prior(tree)))
        assert total <= np.mean(wrong) + nats / float(rate) + 1e-9
        masses = [fine.prior(fine.number(root)) for root in moves]
        assert np.isclose(float(sum(masses)), np.exp(-nats))


def moved(root, *, whole):
    """Every tree whose cuts stand up to three of twelve cells above those of this one of three."""
    if isinstance(root, int):
        yield root
        return
    cut, low, high = root
    first = 4 * (cut.cell + 1) - 1 if whole else 4 * cut.cell
    for cell in range(first, first + 4):
        for left in moved(low, whole=whole):
            for right in moved(high, whole=whole):
                yield (replace(cut, cell=cell), left, right)
