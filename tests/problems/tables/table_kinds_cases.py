"""Cases that several tests share: One draw over several kinds of rules: its exact law, its promises, and who pays."""

import json
from fractions import Fraction

import numpy as np
from tests.complete import complete

from tacit.problems.tables.best_rules import (
    listed_shares,
)
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.trees import TreeRule, Trees

SCHEMA = complete([range(2)], bins=2)


RECORDS = [(value, label) for value in (0, 1) for label in (0, 1)]


def flipped(**more):
    lists = (FewCuts(SCHEMA), Totals(SCHEMA))
    return FlippedKinds(
        schema=SCHEMA,
        trees=(Trees(SCHEMA, depth=0),),
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
