"""Costs of persons' mistakes: exact laws over whole persons, what is counted, what is certified."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.complete import complete

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.accounting import total
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, Known, Sample, Size
from tacit.domains.persons import persons_of
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import mistakes_moved, rows_moved
from tacit.mechanisms.persons import ForPersons, row_share
from tacit.planner.persons import for_task
from tacit.problems.tables.cost_bounds import COSTLY
from tacit.problems.tables.cost_rules import COSTS
from tacit.problems.tables.costs import CostLearner
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees
from tacit.problems.tables.valued_learner import ValueTreeLearner
from tacit.problems.tables.valued_trees import ValuedTrees
from tacit.sources.persons import ArrayPersons

SCHEMA = Schema.of({"age": (0, 2)}, bins=2)


def crowd(persons):
    """Persons as a frame with ids; whoever has no rows is not there."""
    rows = [(str(place), *row) for place, one in enumerate(persons) for row in one]
    frame = pd.DataFrame(rows, columns=["id", "age", "state"])
    labels = frame.state.to_numpy(dtype=np.int64)
    return ArrayPersons(Sample(frame[["age"]], labels), ids=frame.id.astype(str), domain=SCHEMA)


def everyone(values, most):
    """All persons with one to ``most`` rows of one age."""
    return [one for one in persons_of([(0.5, label) for label in range(values)], most=most) if one]


def audited(made, persons, **more):
    """All neighbouring pairs; under label privacy persons keep the ages of all their rows."""
    if made.relation is LABEL:
        swaps = [(a, b) for a, b in product(persons, repeat=2) if a != b and len(a) == len(b)]
        more["pairs"] = [((a, rest), (b, rest)) for a, b in swaps for rest in persons]
    return exact(made, persons, 2, form=crowd, order="ignored", **more)


def in_rows(values, rows, relation, epsilon=Fraction(2)):
    """The draw by costs from so many rows of each person, at what one row may spend."""
    share, _ = row_share(epsilon=epsilon, delta=Fraction(0), relation=relation, rows=rows)
    held = relation if rows == 1 else ADD_REMOVE
    costs = (1, 5, 3)[:values]
    if values == 2:
        draw = TreeLearner(trees=Trees(SCHEMA, depth=0), epsilon=share, relation=held)
    else:
        trees = ValuedTrees(SCHEMA, depth=0, values=values)
        draw = ValueTreeLearner(trees=trees, epsilon=share, relation=held)
    inner = CostLearner(learner=draw, costs=costs, sizes_epsilon=Fraction(0), n=None, values=values)
    return ForPersons(inner=inner, rows=rows, relation=relation)


@pytest.mark.exact
@pytest.mark.parametrize("values", [2, 3])
@pytest.mark.parametrize(
    ("relation", "rows"),
    [(REPLACE_ONE, 1), (REPLACE_ONE, 2), (ADD_REMOVE, 1), (ADD_REMOVE, 2), (LABEL, 1)],
)
def test_the_draw_is_as_private_for_persons_as_claimed(relation, rows, values):
    """Two persons with up to three rows, of which one or two are kept; a row's charge is found."""
    made = in_rows(values, rows, relation)
    assert total([made.event()]).epsilon == 2
    persons = everyone(values, most=3)
    found = audited(made, persons)
    assert not found.violated, str(found)
    assert found.epsilon[0] > Fraction(1, 2)
    if rows > 1:
        greedy = in_rows(values, rows, relation, epsilon=Fraction(2 * rows_moved(relation, rows)))
        assert audited(greedy, persons, epsilon=2).violated


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL])
def test_balanced_costs_are_as_private_for_persons_as_claimed(relation):
    """Labels are counted on one row of each, also where persons have two rows."""
    draw = TreeLearner(trees=Trees(SCHEMA, depth=0), epsilon=Fraction(1), relation=relation)
    n = 2 if relation.size_is_public else None
    inner = CostLearner(learner=draw, costs=None, sizes_epsilon=Fraction(2), n=n)
    made = ForPersons(inner=inner, rows=1, relation=relation)
    found = audited(made, everyone(2, most=2), faint=Fraction(1, 1 << 16))
    assert found.claimed_epsilon == 3
    assert found.rest < Fraction(1, 100)
    assert not found.violated, str(found)


def task(rows=1, costs=(("no", 1), ("yes", 9)), **more):
    return Task(
        Trees(complete({"a": (0, 1), "b": (0, 1)}, bins=4), depth=2),
        privacy=Privacy(2, unit="id", rows_per_unit=rows),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
        costs=costs,
        **more,
    )


def table(persons=1500, rows=3, seed=4):
    """Persons with independent rows; one in thirty rows is "yes", most of them where a is high."""
    rng = np.random.default_rng(seed)
    n = persons * rows
    x = rng.random((n, 2))
    yes = rng.random(n) < np.where(x[:, 0] > 0.75, 0.4, 0.01)
    frame = pd.DataFrame(x, columns=["a", "b"]).assign(ill=np.where(yes, "yes", "no"))
    return frame.assign(id=np.arange(n) // rows)


def test_independent_rows_are_all_drawn_from_and_counted_on_one_each():
    asked = task(3).with_(rows="independent")
    best = plan(asked).best
    assert best.algorithm.name == "costs"
    assert best.bound.choices["rows"] == 3
    frame = table()
    release = learn(
        asked, frame, label="ill", positive="yes", negative="no",
        ledger=Ledger.memory(), rng=seeded("rows"),
    )  # fmt: skip
    found = release.certificate.measured
    one_each = 1500
    assert release.certificate.n == one_each
    assert 0 < found.noisy_mistakes < one_each
    assert [one.cost for one in found.labels] == [1, 9]
    assert float(found.error) > (release.value.predict(frame) != (frame.ill == "yes")).mean()
    assert release.certificate.epsilon <= 2


def test_what_is_built_of_several_rows_counts_with_the_noise_of_a_person():
    asked = task(3, error_share="0.1").with_(rows="independent").at(1500)
    algorithm = for_task(COSTS, asked)
    bound = algorithm.bound(algorithm.part(asked))
    made = algorithm.whole(asked, bound, Size(1500, Known.PUBLIC), declared=True)
    assert isinstance(made, CostLearner)
    assert isinstance(made.learner, ForPersons)
    assert made.learner.rows == 3
    assert made.drawer.relation is ADD_REMOVE
    assert made.drawer.costs == (1, 9)
    assert made.relation is REPLACE_ONE
    assert mistakes_moved(made.relation, 2) / made.epsilon == 2 / Fraction(1, 5)
    assert total([made.event()]).epsilon == 2
    assert COSTLY.published(made) is made
    with pytest.raises(BadInput, match="balanced on one row of each person"):
        CostLearner(learner=made.learner, costs=None, sizes_epsilon=Fraction(1), n=1500)


@pytest.mark.parametrize("rows", [1, 3])
def test_balanced_labels_are_counted_on_one_row_of_each(rows):
    asked = task(rows, costs="balanced").with_(rows="independent")
    best = plan(asked).best
    assert best.bound.choices["rows"] == 1
    assert best.bound.choices["rarer"] > 1
    assert "persons of the rarer one decide" in plan(asked).explain()
    release = learn(
        asked, table(), label="ill", positive="yes", negative="no",
        ledger=Ledger.memory(), rng=seeded("rows"),
    )  # fmt: skip
    found = release.certificate.measured
    assert sum(one.size for one in found.labels) == 1500
    assert found.balanced is not None
    assert "of their persons" in release.certificate.to_markdown().replace("\n", " ")


def test_one_person_more_rows_or_fewer_moves_no_number_by_more_than_one():
    """Three thousand rows of one person count once."""
    asked, frame = task(5), table(rows=1)
    flood = pd.concat([frame, *[frame[frame["id"] == 3].assign(ill="yes", a=0.1)] * 3000])
    told = [
        learn(
            asked, data, label="ill", positive="yes", negative="no",
            ledger=Ledger.memory(), rng=seeded("crowd"),
        ).certificate
        for data in (frame, flood)
    ]  # fmt: skip
    assert [one.n for one in told] == [1500, 1500]
    calm, crowded = (one.measured.labels for one in told)
    assert all(
        abs(one.noisy_mistakes - other.noisy_mistakes) <= 1
        for one, other in zip(calm, crowded, strict=True)
    )


@pytest.mark.statistical
def test_bounds_hold_for_new_persons_as_often_as_stated():
    """Rows of one person that are all alike: the bound is about a row of a new person."""
    bad, runs, asked = 0, 100, task(3, values=("0", "1", "2"), costs={"2": 9})
    asked = asked.with_(error_share="0.1")
    grid = np.stack(np.meshgrid(np.arange(0.005, 1, 0.01), np.arange(0.005, 1, 0.01)), -1)
    points = grid.reshape(-1, 2)
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        x, u = rng.random((400, 2)), rng.random(400)
        y = np.where(u < 0.2, 2, x[:, 0] > 0.5).astype(int)
        ids, many = np.arange(400), rng.integers(1, 5, 400)
        release = learn(
            asked,
            (np.repeat(x, many, axis=0), np.repeat(y, many)),
            groups=np.repeat(ids, many),
            ledger=Ledger.memory(),
            rng=seeded(f"{seed}"),
        )
        said = release.value.predict(points).astype(int)
        own = (points[:, 0] > 0.5).astype(int)
        mean = (0.8 * (said != own) + 0.2 * 9 * (said != 2)).mean()
        bad += mean > float(release.certificate.measured.cost)
    assert bad <= 5 + 3 * 2.2
