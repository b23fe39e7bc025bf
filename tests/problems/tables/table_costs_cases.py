"""Cases that several tests share: Mistakes of different costs: exact laws, exact sensitivities, certificates, words."""

import numpy as np
from tests.complete import complete

from tacit import Accuracy, Privacy, Task
from tacit.core import Sample
from tacit.problems.tables.trees import Trees

SCHEMA = complete([range(2)], bins=2)


RECORDS = [((value,), label) for value in (0, 1) for label in (0, 1)]


COSTS = (1, 5)


def everything(trees, levels):
    yield from (False, True)
    if levels:
        for cut in range(len(trees.cuts)):
            for low in everything(trees, levels - 1):
                for high in everything(trees, levels - 1):
                    yield (cut, low, high)


def cost(rule, records, costs=COSTS):
    x = np.array([values for values, _ in records], dtype=object).reshape(-1, 1)
    said = rule.predict(x)
    return sum(costs[y] for answer, (_, y) in zip(said, records, strict=True) if answer != y)


def sample(records):
    x = np.array([values for values, _ in records], dtype=object).reshape(-1, 1)
    return Sample(x, np.array([y for _, y in records], dtype=int))


def rare(n=4000, seed=1):
    rng = np.random.default_rng(seed)
    x = rng.random((n, 2))
    y = (rng.random(n) < np.where(x[:, 0] > 0.8, 0.3, 0.01)).astype(int)
    return x, y


def task(costs, family=Trees, **more):
    schema = complete([(0, 1), (0, 1)], bins=8)
    asked = {"privacy": Privacy(1), "accuracy": Accuracy("0.1", "0.05"), "setting": "agnostic"}
    return Task(family(schema), costs=costs, **(asked | more))
