"""Rates of several label columns: noise for all of them together, and no less."""

from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest

from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import Composed, Mechanism, Pure, Relation, Sample
from tacit.domains.schema import Schema
from tacit.problems.several.rules import Rules
from tacit.problems.tables.rated_learner import RatedLearner
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.sources.opening import read

SCHEMA = Schema.of({"age": (0, 2)}, bins=2)
SPLIT = Trees(SCHEMA, depth=1).hypothesis((1, False, True))
ALWAYS = TreeRule(schema=SCHEMA, root=True)
RECORDS = [(0.5, both) for both in product((0, 1), repeat=2)]


class Fixed(Mechanism):
    """Releases the same two rules, whatever the records are."""

    def __init__(self, rules, relation=Relation.REPLACE_ONE, epsilon=Fraction(1, 1000)):
        self.rules, self.relation, self.epsilon = rules, relation, epsilon

    def event(self):
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def _release(self, data, *, rng):
        return self.rules


def made(rules, *, epsilon=Fraction(1), k=2, relation=Relation.REPLACE_ONE):
    learner = Fixed(Rules(rules=rules), relation)
    return RatedLearner(learner=learner, rule_of=lambda told: told, epsilon=epsilon, k=k)


def form(chosen):
    x = pd.DataFrame({"age": [age for age, _ in chosen]}, dtype=float)
    return Sample(x, np.array([both for _, both in chosen], dtype=int).reshape(-1, 2))


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_a_record_moves_all_numbers_by_what_the_noise_is_for(relation):
    records = [(age, both) for age in (0.5, 1.5) for both in product((0, 1), repeat=2)]
    mechanism = made((SPLIT, SPLIT), relation=relation)

    def numbers(chosen):
        each = [mechanism.counting(SPLIT) for _ in range(2)]
        columns = mechanism._columns(form(chosen))
        silent = [one._release(data, rng=Silent()) for one, data in zip(each, columns, strict=True)]
        return np.concatenate(silent)

    rest, worst = [(0.5, (1, 0))], 0
    for one, other in product(records, repeat=2):
        if relation is Relation.LABEL and one[0] != other[0]:
            continue
        second = rest if relation is Relation.ADD_REMOVE else [other, *rest]
        worst = max(worst, int(np.abs(numbers([one, *rest]) - numbers(second)).sum()))
    scale = mechanism.counting(SPLIT).scale
    assert worst / scale == mechanism.epsilon
    assert worst == (2 if relation is Relation.ADD_REMOVE else 4)
    rates = Pure(epsilon=Fraction(1), relation=relation)
    assert mechanism.event() == Composed(
        events=(mechanism.learner.event(), rates), relation=relation
    )


class Silent:
    """Draws no noise."""

    def geometric(self, scale):
        return 0


@pytest.mark.exact
def test_the_whole_law_is_as_private_as_claimed():
    """One part a rule, all data sets of one record; noise for one label alone is found."""

    def audited(spent, claimed=8):
        relation = Relation.ADD_REMOVE  # less noise, and so fewer outputs to follow
        each = made((ALWAYS, ALWAYS), epsilon=Fraction(spent), relation=relation)
        pairs = [((one,), ()) for one in RECORDS]
        told, faint = Fraction(claimed), Fraction(1, 1 << 20)
        return exact(each, RECORDS, 1, epsilon=told, form=form, pairs=pairs, faint=faint)

    honest = audited(8)
    assert not honest.violated, str(honest)
    assert honest.epsilon[0] > 7  # nearly all of it is used
    assert audited(8, 7).violated
    assert audited(10).violated
    assert audited(16).violated  # as if each label had all of it


@pytest.mark.statistical
def test_noise_is_that_of_all_labels():
    mechanism, rng, noise = made((SPLIT, ALWAYS)), seeded("rates of labels"), []
    data = form([(0.5, (1, 0)), (1.5, (0, 1))])
    for _ in range(500):
        first, second = mechanism._release(data, rng=rng).rated
        noise += [first.positives[0] - 1, first.positives[1], first.others[1] - 1]
        noise += [first.others[0], second.positives[0] - 1, second.others[0] - 1]
    near = np.count_nonzero(np.abs(noise) <= 2) / len(noise)

    def chance(scale):
        """That noise is at most 2 away from 0."""
        q = exp(-1 / scale)
        return 1 - 2 * q**3 / (1 + q)

    error = 5 * np.sqrt(chance(4) * (1 - chance(4)) / len(noise))
    assert abs(near - chance(4)) < error
    for wrong in (2, 3, 5.5, 8):
        assert abs(near - chance(wrong)) > error


def test_a_file_is_counted_as_a_frame_is(tmp_path):
    from tacit.sources.batch_reading import TableReading
    from tacit.sources.files import StreamedRecords

    data = form([(age, both) for age in (0.5, 1.5, 1.5) for both in product((0, 1), repeat=2)])
    table = data.x.assign(a=data.y[:, 0], b=data.y[:, 1])
    table.to_csv(tmp_path / "t.csv", index=False)
    reading = TableReading(columns=("age",), labels=("a", "b"), positive=1)
    streamed = StreamedRecords(read(tmp_path / "t.csv"), reading)
    mechanism = made((SPLIT, ALWAYS))
    held = mechanism._release(data, rng=seeded(3)).rated
    assert mechanism._release(streamed, rng=seeded(3)).rated == held
