"""Mistakes of the rules of several labels: without a delta, by costs, and of more than two values."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete

from tacit import Accuracy, Privacy, Sample, Task, plan
from tacit.accounting import total
from tacit.bounds.upper.noisy_count import certified_by_gaussian, certified_error
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import BadInput, Label, Pure, Size
from tacit.core.certificate import OneOfSeveral, OnLabel
from tacit.core.named import SeveralLabels
from tacit.domains.marked import MarkedSample
from tacit.mechanisms.calibration import mistakes_moved
from tacit.problems.tables.label_noise import CountNoise, bounded, count_noise
from tacit.problems.tables.products import Boxes
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.side_by_side_rules import SIDE_BY_SIDE, each_epsilon
from tacit.problems.tables.trees import Trees

F = Fraction
ONE_CELL = complete([range(1)])
FAINT = {"order": "ignored", "faint": F(1, 1 << 20)}


def asked(family=None, *, k=2, delta=0, epsilon=4, relation="replace-one", **more):
    return Task(
        Trees(ONE_CELL, depth=0) if family is None else family,
        privacy=Privacy(epsilon, delta, relation),
        accuracy=Accuracy("0.25", "0.1"),
        setting="agnostic",
        k=k,
        **more,
    )


def marked(*values, ignore=False):
    """Records of one cell with labels of these values."""
    told = [
        SeveralLabels(name=str(place), values=tuple(range(size)))
        if size > 2
        else Label(name=str(place))
        for place, size in enumerate(values)
    ]

    def form(records):
        x = np.array([row for row, _ in records], dtype=object).reshape(len(records), 1)
        y = np.array([labels for _, labels in records], dtype=object)
        return MarkedSample(x, y.reshape(len(records), len(values)), told, ignore=ignore)

    return form


@pytest.mark.exact
@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_geometric_noise_on_mistakes_costs_what_it_says(relation):
    made = SIDE_BY_SIDE.built(asked(relation=relation, error_share=F(1, 2)), 1)
    assert total([made.event()], delta=0).epsilon == 4
    records = [((0,), labels) for labels in product((0, 1), repeat=2)]
    assert not exact(made, records, 1, form=marked(2, 2), **FAINT).violated
    assert exact(made, records, 1, form=marked(2, 2), epsilon=F(2), **FAINT).violated


@pytest.mark.exact
@pytest.mark.parametrize("relation", ["replace-one", "add-remove", "label"])
def test_mistakes_on_both_values_cost_what_they_say(relation):
    """One label: each of its two numbers is noised for all that a record moves of both."""
    made = SIDE_BY_SIDE.built(asked(relation=relation, error_share=F(1, 2)), 1)
    learner = replace(made.learner, costs=(1, 3), epsilon=F(2))
    one = replace(made, k=1, costs=((1, 3),), learner=learner)
    assert one.noise == CountNoise(epsilon=F(2, mistakes_moved(one.learner.relation, 2)))
    records = [((0,), (label,)) for label in (0, 1)]
    assert not exact(one, records, 1, form=marked(2), **FAINT).violated
    assert exact(one, records, 1, form=marked(2), epsilon=F(3, 2), **FAINT).violated


@pytest.mark.exact
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("ignore", [False, True])
def test_labels_of_two_and_of_three_values_are_drawn_for_what_they_cost(relation, ignore):
    task = asked(
        relation=relation,
        error_share=0,
        label_values=[("0", "1"), ("0", "1", "2")],
        other="ignore" if ignore else "negative",
    )
    made = SIDE_BY_SIDE.built(task, 1)
    assert [learner.epsilon for _, learner in made.valued] == [each_epsilon(task)] == [2]
    records = [((0,), labels) for labels in product((0, 1, None), (0, 1, 2, None))]
    form = marked(2, 3, ignore=ignore)
    assert not exact(made, records, 1, form=form, **FAINT).violated
    assert exact(made, records, 1, form=form, epsilon=F(1), **FAINT).violated


def test_mistakes_of_labels_with_three_values_are_counted():
    """Predictions are numbers there, and marks one more; a label that is left out is no mistake."""
    schema = complete([range(3)])
    task = asked(Trees(schema, depth=2), epsilon=400, label_values=[("0", "1"), ("a", "b", "c")])
    made = SIDE_BY_SIDE.built(task, 300)
    x = np.tile(np.arange(3), 100).reshape(-1, 1)
    y = np.stack([x[:, 0] == 2, x[:, 0]], axis=1).astype(object)
    y[:30, 1] = None
    labels = [Label(name="p"), SeveralLabels(name="q", values=(0, 1, 2))]
    for ignore, mistakes in ((True, 0), (False, 20)):
        found = made._release(MarkedSample(x, y, labels, ignore=ignore), rng=seeded(3))
        assert found.rules[1].predict(np.array([[0], [1], [2]])).tolist() == [0, 1, 2]
        assert abs(found.noisy_mistakes[0]) <= 2
        assert abs(found.noisy_mistakes[1] - mistakes) <= 2


def test_noise_is_what_its_epsilon_and_delta_pay_for():
    assert count_noise((F(1, 2), F(0)), moved=6) == CountNoise(epsilon=F(1, 12))
    assert count_noise((F(1, 2), F(1, 100)), moved=6).epsilon is None
    few, many = (count_noise((F(1, 2), F(1, 100)), moved=moved).square for moved in (6, 12))
    assert few < many


@pytest.mark.parametrize("noise", [CountNoise(epsilon=F(1, 3)), CountNoise(variance=F(25))])
def test_bounds_hold_at_once_with_the_theorem_of_the_noise(noise):
    n, beta, prior = 4000, F(1, 60), F(1, 1000)

    def bound(noisy, *, at, weight=prior):
        told = {"noisy_mistakes": noisy, "n": n, "prior": weight, "beta": at}
        if noise.epsilon is None:
            return certified_by_gaussian(variance=noise.variance, **told)
        return certified_error(epsilon=noise.epsilon, **told)

    plain = OneOfSeveral(label="a", noisy_mistakes=90, prior=prior, error=None)
    found = bounded(plain, noise=noise, sizes=None, n=n, beta=beta)
    assert found.error == bound(90, at=beta)
    values = tuple(
        OnLabel(label=label, cost=cost, noisy_mistakes=wrong, rate=None, size=size)
        for label, cost, wrong, size in (("no", 1, 80, 3000), ("yes", 9, 10, 1000))
    )
    costly = replace(plain, values=values)
    found = bounded(costly, noise=noise, sizes=None, n=n, beta=beta)
    rates = [bound(80, at=beta / 2), bound(10, at=beta / 2)]
    assert [one.rate for one in found.values] == rates
    assert (found.error, found.cost) == (sum(rates), rates[0] + 9 * rates[1])
    assert found.balanced is None
    found = bounded(costly, noise=noise, sizes=noise, n=n, beta=beta)
    rates = [bound(80, at=beta / 4), bound(10, at=beta / 4)]
    others = [bound(wrong, at=beta / 4, weight=F(1)) for wrong in (1000, 3000)]
    assert found.balanced == sum(r / (1 - o) for r, o in zip(rates, others, strict=True)) / 2


def test_lists_are_drawn_by_permute_and_flip_where_no_range_is_needed():
    schema = complete([(0, 1), (0, 1)], bins=4)
    pure, ranged = (
        SIDE_BY_SIDE.built(asked(Boxes(schema), delta=delta), 90) for delta in (0, F(1, 9))
    )
    assert isinstance(pure.learner.event(), Pure)
    assert pure.learner.selector == "permute-and-flip"
    assert ranged.learner.selector == "exponential"
    with pytest.raises(BadInput, match="one selection each"):
        replace(ranged, learner=pure.learner)


def test_other_numbers_of_values_are_refused():
    made = SIDE_BY_SIDE.built(asked(label_values=[("0", "1"), ("0", "1", "2")]), 9)
    for change, said in (
        ({"valued": ()}, "a learner each"),
        ({"values": (3,)}, "one number for each label"),
        ({"costs": ((1, 2), (1, 2))}, "no costs"),
    ):
        with pytest.raises(BadInput, match=said):
            replace(made, **change)
    greedy = replace(made.valued[0][1], epsilon=F(3))
    with pytest.raises(BadInput, match="more than its share"):
        replace(made, valued=((3, greedy),))
    boxes = asked(Boxes(complete([range(4)])), label_values=[("0", "1"), ("0", "1", "2")])
    assert "trees, rule lists or scores" in SIDE_BY_SIDE.why_not(boxes)
    costly = asked(costs={"1": 3}, label_values=[("0", "1"), ("0", "1", "2")])
    assert "without costs" in SIDE_BY_SIDE.why_not(costly)
    for wrong in ([("0", "1")], [("0", "1"), ("0",)], [("0", "0"), ("0", "1")]):
        with pytest.raises(BadInput, match="label"):
            asked(label_values=wrong)


CELLS = list(product(range(4), range(2)))


@pytest.mark.statistical
@pytest.mark.parametrize("family", [Trees, Scores])
def test_the_planned_number_suffices_for_two_and_three_values_and_a_tenth_does_not(family):
    schema = complete([range(4), range(2)])
    concepts = Trees(schema, depth=2) if family is Trees else Scores(schema, columns=2, most=2)
    task = asked(
        concepts, epsilon=2, k=3, label_values=[("0", "1"), ("0", "1", "2"), ("0", "1", "2")]
    ).at(None)
    best = next(one for one in plan(task).options if one.algorithm is SIDE_BY_SIDE)
    truth = np.array([[b, min(a, 2), b * (1 + (a >= 2))] for a, b in CELLS])
    labels = [Label(name="a"), *(SeveralLabels(name=name, values=(0, 1, 2)) for name in "bc")]
    rng, draw = np.random.default_rng(5), seeded(5)

    def failures(n, runs):
        made, bad = SIDE_BY_SIDE.build(task, best.bound, Size(n)), 0
        for _ in range(runs):
            rows = rng.integers(0, len(CELLS), n)
            x = np.array([CELLS[row] for row in rows])
            found = made._release(MarkedSample(x, truth[rows], labels), rng=draw)
            said = np.stack([rule.predict(np.array(CELLS)) for rule in found.rules], axis=1)
            bad += bool(np.any((said != truth).mean(axis=0) > 0.25))
        return bad

    assert failures(best.n, 20) <= 3
    assert failures(best.n // 10, 20) > 3


@pytest.mark.statistical
@pytest.mark.parametrize("delta", [0, F(1, 10**6)])
@pytest.mark.parametrize("costs", [None, {"1": 9}, "balanced"])
def test_certified_errors_and_costs_hold_all_at_once(costs, delta):
    """Two labels of ten percent noise; bounds are compared with the true rates of the law."""
    schema = complete([range(4), range(2)])
    names = {"names": ("0", "1")} if costs else {}
    task = asked(Trees(schema, depth=1), delta=delta, epsilon=3, costs=costs, **names).at(3000)
    made = SIDE_BY_SIDE.built(task, 3000)
    rng, draw = np.random.default_rng(7), seeded(7)
    from tacit.core.certify import Outcome
    from tacit.problems.tables.checked_rules import LABEL_FACTS

    bad = 0
    for _ in range(40):
        x = np.stack([rng.integers(0, 4, 3000), rng.integers(0, 2, 3000)], axis=1)
        clean = np.stack([x[:, 0] == 3, x[:, 1] == 1], axis=1)
        y = clean ^ (rng.random(clean.shape) < 0.1)
        found = made._release(Sample(x, y, True), rng=draw)
        several = LABEL_FACTS(task, Outcome(mechanism=made, value=found, n=3000)).several
        cells = np.array(CELLS)
        chance = np.stack([cells[:, 0] == 3, cells[:, 1] == 1], axis=1) * 0.8 + 0.1
        for place, one in enumerate(several.labels):
            said, p = np.asarray(found.rules[place].predict(cells)), chance[:, place]
            rates = [(said * (1 - p)).mean(), (~said.astype(bool) * p).mean()]
            failed = sum(rates) > one.error
            if costs is not None:
                told = [value.cost for value in one.values]
                failed |= np.dot(told, rates) > one.cost
            if costs == "balanced":
                failed |= (rates[0] / (1 - p.mean()) + rates[1] / p.mean()) / 2 > one.balanced
            bad += bool(failed)
    assert bad <= 8
