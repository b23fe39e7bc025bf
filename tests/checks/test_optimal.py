"""The program over all private mechanisms, and every registered lower bound against it."""

import json
from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.checks.optimal import Question, concepts_of, optimal
from tacit.classes import Points, Table, Thresholds
from tacit.cli import main
from tacit.core import Accuracy, BadInput, Privacy, Relation, Task
from tacit.planner import plan
from tacit.theory.dimensions.incidence import read

pytestmark = pytest.mark.exact

ONE = F(1)


def rows(concepts):
    table = read(concepts)
    return concepts_of(np.array([[r >> x & 1 for x in range(table.points)] for r in table.rows]))


REFERENCE = {
    "points on 3 values": (Points(size=3), 0, [0.5777, 0.4837]),
    "thresholds on 2 values": (Thresholds(size=2), 0, [0.5565, 0.4491, 0.3618]),
    "thresholds on 3 values": (Thresholds(size=3), 0, [0.6434]),
    "thresholds, delta .01": (Thresholds(size=2), F(1, 100), [0.5545, 0.4455]),
    "thresholds, delta .1": (Thresholds(size=2), F(1, 10), [0.5372, 0.4131]),
}


@pytest.mark.parametrize("name", REFERENCE)
def test_known_optima_and_their_certificates(name):
    concepts, delta, values = REFERENCE[name]
    for n, value in enumerate(values, start=1):
        found = optimal(Question(concepts=rows(concepts), n=n, epsilon=ONE, delta=F(delta)))
        assert found.failure == pytest.approx(value, abs=6e-5)
        assert F(found.failure) - F(1, 10**4) < found.certified < F(found.failure) + F(1, 10**9)
        assert found.too_few(F(1, 4))
        assert sum(weight for _, weight in found.weights) == 1


def test_the_learner_is_private_and_fails_as_often_as_said():
    found = optimal(Question(concepts=rows(Thresholds(size=2)), n=2, epsilon=ONE))
    table = dict(found.learner)
    assert len(table) == 10
    worst = 0.0
    for data, chances in table.items():
        assert sum(chances) == pytest.approx(1)
        for other, others in table.items():
            if len(set(data) & set(other)) >= 1 or data[0] in other:
                shared = sum(min(data.count(r), other.count(r)) for r in set(data))
                if shared == 1:
                    for p, q in zip(chances, others, strict=True):
                        worst = max(worst, p / q if q > 1e-12 else 1.0)
    assert worst <= np.exp(1) * 1.0001
    assert worst > 2.7


def test_a_wrong_multiplier_proves_less_and_never_more():
    """The certificate is added up from whatever it is given."""
    from tacit.checks.optimal import _Program

    program = _Program(Question(concepts=rows(Points(size=2)), n=1, epsilon=ONE))
    best = program.solve().certified
    weights = [F(1, len(program.laws))] * len(program.laws)
    assert program._proved(weights, {}) <= best
    odd = {pair: [F(i, 50) for i in range(len(program.answers))] for pair in program.pairs}
    assert program._proved(weights, odd) <= best


ALPHA = F(299, 1000)

CLASSES = {
    "points 2": (Points(size=2), ("proper", "any"), 3),
    "points 3": (Points(size=3), ("proper",), 2),
    "thresholds 2": (Thresholds(size=2), ("proper", "any"), 3),
    "listed": (Table(np.array([[0, 0, 1], [0, 1, 1], [1, 0, 1]])), ("proper",), 2),
}

# The law of "two biases" lies between those of a coarse grid: put it on the list.
BIASED = [
    tuple([low, 1 - low] + [F(0)] * 2) for low in ((1 - ALPHA) / 2 - F(1, 10**6), F(650, 1000))
]


@pytest.mark.parametrize("relation", ["replace-one", "label", "add-remove"])
@pytest.mark.parametrize("name", CLASSES)
def test_no_lower_bound_exceeds_the_optimum(name, relation):
    """A bound of L says that L - 1 records are not enough: the program proves the same."""
    concepts, outputs, most = CLASSES[name]
    checked = 0
    for output, epsilon, beta, setting in product(
        outputs, (F(1, 2), ONE, F(3)), (F(1, 20), F(1, 4)), ("realizable", "agnostic")
    ):
        if setting == "agnostic" and concepts.domain.size > 2:
            continue
        task = Task(
            concepts,
            privacy=Privacy(epsilon, relation=relation),
            accuracy=Accuracy(ALPHA, beta),
            setting=setting,
            output=output,
        )
        for floor in plan(task).lower_bounds:
            if not 2 <= floor.n <= most + 1:
                continue
            found = optimal(
                Question(
                    concepts=rows(concepts),
                    n=floor.n - 1,
                    epsilon=epsilon,
                    alpha=ALPHA,
                    relation=Relation.read(relation),
                    setting=setting,
                    proper=output == "proper",
                    grid=F(1, 10) if setting == "realizable" else F(1, 5),
                    more=tuple(BIASED) if setting == "agnostic" else (),
                )
            )
            assert found.too_few(beta), (floor.name, floor.n, float(found.certified))
            checked += 1
    assert checked or relation == "label" or name in ("points 3", "listed")


def test_no_learner_of_ours_beats_the_optimum():
    """The exponential mechanism's exact failure on the hardest mixture is not below it."""
    concepts = rows(Points(size=2))
    found = optimal(Question(concepts=concepts, n=2, epsilon=ONE))
    failure = F(0)
    for law, weight in found.weights:
        for data in product(*[[(x, y) for x in range(2) for y in (0, 1)]] * 2):
            chance = law[2 * data[0][0] + data[0][1]] * law[2 * data[1][0] + data[1][1]]
            weights = [F(np.exp(-0.5 * sum(rule[x] != y for x, y in data))) for rule in concepts]
            wrong = [
                w
                for rule, w in zip(concepts, weights, strict=True)
                if sum(law[2 * x + (not said)] for x, said in enumerate(rule)) > F(3, 10)
            ]
            failure += weight * chance * sum(wrong, F(0)) / sum(weights)
    assert failure >= found.certified


def test_the_command(capsys):
    asked = ["optimal", "--class", "points", "--size", "2", "--n", "1", "--epsilon", "1"]
    assert main(asked) == 0
    assert "No private learner fails less often than 0.268941" in capsys.readouterr().out
    assert main([*asked, "--json", "--output", "any"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["certified_float"] <= told["failure"] + 1e-9
    assert main([*asked[:-4], "--n", "60"]) == 2
    assert "variables" in capsys.readouterr().err


def test_what_cannot_be_asked_is_refused():
    points = rows(Points(size=2))
    for wrong in (
        {"n": 0},
        {"setting": "odd"},
        {"grid": F(3, 10)},
        {"concepts": ()},
        {"n": 100},
        {"alpha": F(99, 100), "grid": F(1, 2), "concepts": ((True,),)},
    ):
        with pytest.raises(BadInput):
            optimal(Question(**{"concepts": points, "n": 1, "epsilon": ONE, **wrong}))
