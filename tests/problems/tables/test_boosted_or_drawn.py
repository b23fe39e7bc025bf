"""A draw beside boosting: the law, what public numbers choose, and what is promised."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget, by_hand

from tacit import Ledger, Privacy, Task, run
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Accuracy, BadInput, Sample
from tacit.estimators import BestRuleClassifier
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_learner import BoostedLearner
from tacit.problems.tables.boosted_or_drawn import FEWEST, BoostedOrDrawn, drawn_share, finer
from tacit.problems.tables.boosted_rules import BoostedRule, BoostedTrees
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule, Trees

pytestmark = pytest.mark.exact


def tiny(amount=8):
    """One cell: a constant label by one draw, one round of boosting, and the last draw."""
    schema = complete([range(1)])
    boosted = BoostedLearner(
        family=BoostedTrees(schema, rounds=1),
        rounds=1,
        budget=budget(Fraction(amount * 9, 20)),
        spent=Fraction(amount),
        steps=2,
        values=Fraction(4, 5),
        sizes=Fraction(1, 3),
    )
    drawn = KindsLearner(
        schema=schema,
        trees=(Trees(schema, depth=0),),
        lists=(),
        shares=(Fraction(1),),
        epsilon=Fraction(amount, 2),
    )
    return BoostedOrDrawn(
        drawn=drawn, boosted=boosted, budget=budget(amount), spent=Fraction(amount)
    )


def law(made, ones, n=2):
    """The chance of every released rule: a constant label, or start, points and threshold."""
    wrong = {False: ones, True: n - ones}
    weights = {label: np.exp(-float(made.drawn.rate) * wrong[label]) for label in wrong}
    total, found, summed = sum(weights.values()), {}, by_hand(made.boosted, ones, n)
    for label, weight in weights.items():
        for told, mass in summed.items():
            start, points, threshold = told
            errs = np.array([wrong[label], wrong[start + points > threshold]])
            last = np.exp(-float(made.last_rate) * errs)
            for rule, share in zip((label, told), last / last.sum(), strict=True):
                found[rule] = found.get(rule, 0.0) + weight / total * mass * share
    return found


def test_the_law_is_private_on_all_neighbours():
    amount = 8
    laws = [law(tiny(amount), ones) for ones in range(3)]
    assert all(abs(sum(one.values()) - 1) < 1e-9 for one in laws)
    worst = 0.0
    for one, other in ((0, 1), (1, 2)):
        assert laws[one].keys() == laws[other].keys()
        assert len(laws[one]) >= 6
        worst = max(worst, *(abs(np.log(laws[one][r] / laws[other][r])) for r in laws[one]))
    assert amount / 5 < worst <= amount


@pytest.mark.statistical
def test_draws_follow_the_law_and_no_other():
    made, other = tiny(8), tiny(2)
    x, draws = np.zeros((2, 1), dtype=object), 800
    book, rng = Ledger.memory(), seeded("boosted or drawn")
    sample = Sample(x, np.ones(2, int))
    rules = [run(made, sample, ledger=book, rng=rng).value for _ in range(draws)]
    share = sum(bool(rule.predict(x)[0]) for rule in rules) / draws

    def chance(one):
        return sum(
            mass
            for rule, mass in law(one, 2).items()
            if (rule[0] + rule[1] > rule[2] if isinstance(rule, tuple) else rule)
        )

    spread = 4.5 * (0.25 / draws) ** 0.5
    assert abs(share - chance(made)) < spread
    assert abs(share - chance(other)) > spread


def test_parts_that_cost_more_than_the_budget_are_refused():
    made = tiny()
    with pytest.raises(BadInput, match="cost more"):
        BoostedOrDrawn(drawn=made.drawn, boosted=made.boosted, budget=budget(7), spent=Fraction(7))
    with pytest.raises(BadInput, match="one kind"):
        BoostedOrDrawn(
            drawn=made.drawn, boosted=made.boosted, budget=budget(8, True), spent=Fraction(8)
        )
    flipped = FlippedKinds(
        schema=made.drawn.schema,
        trees=made.drawn.trees,
        lists=(),
        shares=(Fraction(1),),
        epsilon=Fraction(1),
    )
    with pytest.raises(BadInput, match="one selection"):
        BoostedOrDrawn(drawn=flipped, boosted=made.boosted, budget=budget(8), spent=Fraction(8))


def task(epsilon, delta, relation=REPLACE_ONE, columns=10, alpha="0.1"):
    schema = complete([(0, 1)] * columns, bins=16)
    return Task(
        BestRules(schema),
        privacy=Privacy(epsilon, delta, relation=relation),
        accuracy=Accuracy(alpha, "0.05"),
        setting="agnostic",
    )


def rounds(n, *given, **more):
    asked = task(*given, **more)
    made = asked.concept_class.boosted(asked, n)
    return 0 if made is None else made.boosted.rounds


def test_public_numbers_say_when_boosting_stands_beside_the_draw():
    assert rounds(40_000, "0.1", "1e-6") == 0
    assert rounds(40_000, 1, "1e-6") >= FEWEST
    assert rounds(40_000, 1, 0) == 0
    assert rounds(40_000, 5, 0) >= FEWEST
    assert rounds(600, 5, "1e-6") == 0  # so many trees could not be told apart
    assert rounds(None, 5, "1e-6") == 0
    assert rounds(40_000, 1, "1e-6", alpha="0.01") == 0  # nothing could be promised
    assert rounds(40_000, "0.5", "1e-6", LABEL) >= rounds(40_000, "0.5", "1e-6")
    assert rounds(400_000, 5, "1e-6") == 32


@pytest.mark.parametrize("delta", [0, "1e-6"])
@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_the_parts_fill_the_budget(delta, relation):
    asked = task(5, delta, relation)
    made = asked.concept_class.boosted(asked, 60_000)
    assert made.event().relation is relation
    first = made.drawn.epsilon
    one = first**2 / 8 if made.budget.concentrated else first
    parts = one + made.boosted.budget.amount + made.budget.amount / 20
    assert made.budget.amount * Fraction(999, 1000) < parts <= made.budget.amount
    assert one <= made.budget.amount * drawn_share(made.budget)
    assert made.epsilon == 5


def test_numeric_columns_are_cut_finer_for_sums_of_trees():
    fine = finer(complete([(0, 1), (0, 1), range(3)], bins=16), (16,))
    assert [field.bins for field in fine.fields[:2]] == [64, 64]
    assert fine.fields[2].cells == 3
    wide = complete([(0, 1)] * 200, bins=16)
    assert finer(wide, (16,)) == wide  # too many pairs of cells


def additive(n, columns=10, seed=0):
    """Labels by a sum over many columns that neither a small tree nor a scoring rule tells."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, columns))
    return x, abs(x - 0.5).sum(axis=1) > columns / 4


@pytest.mark.statistical
def test_the_better_of_both_is_released_and_the_promise_kept():
    """Theorem 2 and 3: a sum where labels add up, a tree where a tree tells them."""
    asked = task(3, "1e-6")
    made = asked.concept_class.boosted(asked, 40_000)
    book, rng = Ledger.memory(), seeded("both")
    x, y = additive(40_000)
    fresh, right = additive(20_000, seed=1)
    rule = run(made, Sample(x, y), ledger=book, rng=rng).value
    alone = run(made.drawn, Sample(x, y), ledger=book, rng=rng).value
    errors = [float((one.predict(fresh) != right).mean()) for one in (rule, alone)]
    assert isinstance(rule, BoostedRule)
    assert errors[0] < errors[1] - 0.05
    sure = (x[:, 0] > 0.5) & (x[:, 1] > 0.25)
    told = run(made, Sample(x, sure), ledger=book, rng=rng).value
    told_right = (fresh[:, 0] > 0.5) & (fresh[:, 1] > 0.25)
    assert (told.predict(fresh) != told_right).mean() <= 0.1
    drawn = run(made.drawn, Sample(x, sure), ledger=book, rng=rng).value
    lost = int((told.predict(x) != sure).sum()) - int((drawn.predict(x) != sure).sum())
    assert lost <= float(made.lost(Fraction(1, 1000)))


def test_priors_of_both_are_halves():
    made = tiny()
    constant = TreeRule(schema=made.drawn.schema, root=True)
    assert made.prior(constant) == made.drawn.prior(constant) / 2
    card = (Cut(0, 0, ordered=True), 3, -3)
    schema = complete([range(2)])
    summed = BoostedRule(schema=schema, start=0, trees=(card,))
    assert made.prior(summed) == 0  # one cell has no such tree
    made = replace(made, boosted=replace(made.boosted, family=BoostedTrees(schema, rounds=1)))
    assert made.prior(summed) == made.boosted.least_prior / 2
    assert made.prior(summed.saying(label=True)) == Fraction(1, 8)  # a constant label is one
    assert made.least_prior <= made.prior(summed)
    assert made.comparators() == ()
    assert made.boosted.comparators() == ()  # one draw alone has comparators
    assert made.lost(Fraction(1, 20)) > made.drawn.lost(Fraction(1, 20))


def test_the_default_releases_a_sum_with_its_certificate():
    x, y = additive(40_000)
    model = BestRuleClassifier(
        domain=(0, 1), epsilon=3, delta="1e-6", ledger=Ledger.memory(), rng=seeded("default")
    ).fit(x, y.astype(int))
    assert isinstance(model.rule_, BoostedRule)
    assert (model.predict(x) == y).mean() > 0.7
    assert "card 1" in model.export_text()
    assert model.get_depth() == 2
    assert model.get_n_leaves() > 16
    with pytest.raises(BadInput, match="describe"):
        model.to_svg()
    certificate = model.certificate_
    assert certificate.comparators == ()
    assert certificate.measured.error < 0.5
    assert "small trees" in certificate.what
