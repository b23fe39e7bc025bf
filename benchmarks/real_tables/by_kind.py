"""What every kind of rule does by itself, so that any shares of one draw can be judged.

``python by_kind.py RESULTS.jsonl [SPLITS] [TABLE ...] [EPSILON ...]`` adds one line for a table, an
epsilon, a kind and a split (80 of 100 records): ``ln Z``, the weight of the whole kind; the mean
mistakes of a draw from this kind alone, as a part of the records, which is the slope of ``-ln Z``
in the rate (a difference quotient, no sampling); ``ln 1/prior`` of its least likely rule; and the
prior that it gives to each constant label. A draw over several kinds with shares ``p`` takes kind
``k`` with probability in proportion to ``p[k] Z[k]``, so its mean mistakes follow from these
numbers for all shares: ``left_out.py``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
from cells import add, chosen, numbers, parts, read
from famous import LOADERS, load

from tacit import Ledger
from tacit.domains.schema import Schema
from tacit.estimators import BestRuleClassifier
from tacit.problems.tables.best_rules import BestRules, constant_prior
from tacit.problems.tables.kinds import _Listed, _summed
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

_STEP = Fraction(1, 100)


def weight_of(kind: Any, cells: Any, labels: Any) -> Callable[[Fraction], float]:
    """``ln Z`` of a kind as a function of the rate, the records counted once."""
    constants = Trees(kind.schema, depth=0)
    if isinstance(kind, Trees):
        root = Weigher(kind, Fraction(1)).root(cells, labels)

        def of_trees(rate: Fraction) -> float:
            m, z = Weigher(kind, rate).choices(root, kind.depth)
            least, decay = int(m.min()), Weigher(constants, rate).decay(root)
            return float(np.log(_summed(m - least, z, decay)) - float(rate) * least)

        return of_trees
    listed, root = _Listed.of(kind, cells, labels, (1, 1)), Weigher(constants, Fraction(1))
    counted = root.root(cells, labels)

    def of_list(rate: Fraction) -> float:
        decay = Weigher(constants, rate).decay(counted)
        found = listed.weight(listed.least, decay)
        return float(np.log(found) - float(rate) * listed.least)

    return of_list


def one(kind: Any, rate: Fraction, weight: Callable[[Fraction], float], n: int) -> dict[str, float]:
    """The numbers of one kind."""
    here, above = weight(rate), weight(rate * (1 + _STEP))
    below = weight(rate * (1 - _STEP))
    return {
        "log_z": here,
        "mistakes": (below - above) / (2 * float(_STEP * rate)) / n,
        "nats": -log(kind.least_prior()),
        "constant": float(constant_prior(kind)),
        "rate": float(rate),
        "records": float(n),
    }


def main(target: str, words: list[str]) -> None:
    splits, epsilons = numbers(words)
    have = read(target)
    for name in chosen(words, LOADERS):
        x, y, declared = load(name)
        model = BestRuleClassifier(domain=declared, ledger=Ledger.memory())
        schema = model._grid(lambda bins: Schema.of(declared, bins=bins))  # noqa: B023
        cells, labels = np.asarray(schema.coerce(x)), np.asarray(y, dtype=bool)
        family = BestRules(schema)
        for seed in range(splits):
            learn, _ = parts(len(y), seed)
            known: dict[str, Callable[[Fraction], float]] = {}
            for word in epsilons:
                epsilon = Fraction(word)
                aside = family.count_share(n=len(learn), epsilon=epsilon)
                rate = epsilon * (1 - aside) / 2
                trees, lists = family.kinds(n=len(learn), rate=rate)
                for kind in (*trees, *lists):
                    told = kind.describe().split(" over ")[0]
                    key = (name, word, told, "")
                    if seed in have.get(key, {}):
                        continue
                    if told not in known:
                        known[told] = weight_of(kind, cells[learn], labels[learn])
                    add(target, key, seed, one(kind, rate, known[told], len(learn)))
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
