"""Scoring rules with bands, one by one, and their weights from the definition."""

from itertools import combinations, pairwise, product

import numpy as np

from tacit.exact.balls import at, ball


def raw(rules):
    """Every way to draw a rule, and its part of the prior, by the words of the class alone."""
    kinds = {len(total.columns) for total in rules.totals()}
    for total in rules.totals():
        same = sum(len(one.columns) == len(total.columns) for one in rules.totals())
        most = min(rules.values, 8, total.many)
        for bands in range(1, most + 1):
            places = list(combinations(range(1, total.many), bands - 1))
            labels = [
                one
                for one in product(range(rules.values), repeat=bands)
                if all(a != b for a, b in pairwise(one))
            ]
            share = 1 / ball(len(kinds) * same * most * len(places) * len(labels))
            for cuts, said in product(places, labels):
                yield rules.hypothesis(total, cuts, said), share


def stated(rules, rate, x, y, costs=(1,) * 100):
    """The law by its definition: every rule's mistakes on every record, at their costs."""
    y = np.asarray(y, dtype=np.int64)
    each = np.array(costs)[y]
    with at(256):
        weights = {}
        for rule, mass in raw(rules):
            wrong = int(each[rule.predict(x) != y].sum()) if len(y) else 0
            weight = mass * (-ball(rate) * wrong).exp()
            weights[rule] = weights.get(rule, ball(0)) + weight
        total = sum(weights.values(), ball(0))
        return {rule: weight / total for rule, weight in weights.items()}


def computed(weigher, held):
    """The law of ``draw``: products of the choices' probabilities, by balls."""
    rules, law = weigher.rules, {}
    weights = list(weigher.balls(held))
    whole = sum(weights, ball(0))

    def add(total, cuts, labels, mass):
        rule = rules.hypothesis(total, cuts, labels)
        law[rule] = law.get(rule, ball(0)) + mass

    def below(total, counts, last, band, cuts, labels, mass):
        if not band:
            add(total, cuts, labels, mass)
            return
        options = [
            (start, one)
            for start in range(band, last + 1)
            for one in range(rules.values)
            if one != labels[0]
        ]
        ways = list(weigher._begins(counts, last, band, labels[0]))
        every = sum(ways, ball(0))
        for (start, one), way in zip(options, ways, strict=True):
            part = mass * way / every
            below(total, counts, start - 1, band - 1, (start, *cuts), (one, *labels), part)

    for total, weight in zip(weigher.totals, weights, strict=True):
        counts = weigher.counts(held, total)
        ends = list(weigher._ends(total, weigher._forward(counts)[-1]))
        every = sum(ends, ball(0))
        for place, end in enumerate(ends):
            band, label = divmod(place, rules.values)
            mass = weight / whole * end / every
            below(total, counts, len(counts) - 1, band, (), (label,), mass)
    return law
