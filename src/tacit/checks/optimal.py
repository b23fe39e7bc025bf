"""The best possible private learner of a tiny class: a linear program over all mechanisms.

A mechanism is a table ``P(answer | data set)``; that it is private and how often it fails on a
law are linear in it. So the least failure that any private learner can promise on a finite list
of laws is the value of a linear program, and a solution of its dual proves it: rounded to
rationals and added up exactly, it is a lower bound on the failure of *every* private learner, on
the list and hence on all laws. ``checks/optimal.proof.md`` says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, product
from math import factorial

import numpy as np
import numpy.typing as npt
from scipy.optimize import linprog
from scipy.sparse import csr_matrix

from tacit.core import BadInput, NumericalDoubt, Relation
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball

Record = tuple[int, int]
Answer = tuple[bool, ...]
_MOST = 30_000
_DENOMINATOR = 10**7


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A tiny class and what is asked: all numbers are public.

    ``concepts``  the class, one row of truth values a concept.
    ``grid``      laws give every value (agnostic: every labelled value) a multiple of this.
    ``more``      further laws: masses of the labelled values ``(0,0), (0,1), (1,0), ...``.
    ``proper``    answers are concepts; else every labelling of the domain.
    """

    concepts: tuple[Answer, ...]
    n: int
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    alpha: Fraction = Fraction(3, 10)
    grid: Fraction = Fraction(1, 10)
    relation: Relation = Relation.REPLACE_ONE
    setting: str = "realizable"
    proper: bool = True
    more: tuple[tuple[Fraction, ...], ...] = ()

    @property
    def values(self) -> int:
        """How many values the domain has."""
        return len(self.concepts[0])

    def answers(self) -> list[Answer]:
        """What a mechanism may answer, each function once."""
        if self.proper:
            return sorted(set(self.concepts))
        return list(product((False, True), repeat=self.values))

    def data(self) -> list[tuple[Record, ...]]:
        """Every multiset of ``n`` labelled records; of up to ``n`` under add-remove."""
        records = [(x, y) for x in range(self.values) for y in (0, 1)]
        sizes = range(self.n + 1) if self.relation is Relation.ADD_REMOVE else (self.n,)
        return [s for size in sizes for s in combinations_with_replacement(records, size)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """What the program found.

    ``failure``    the least failure on the list of laws, as a float: some mechanism reaches it.
    ``certified``  a rational that no private learner can go below; the proof was added up exactly.
    ``laws``       how many laws the list has.
    ``weights``    the hardest mixture of laws, as (masses of labelled values, weight).
    ``learner``    the best mechanism, in floats: for every data set the chance of each answer.
    """

    question: Question
    failure: float
    certified: Fraction
    laws: int
    weights: tuple[tuple[tuple[Fraction, ...], Fraction], ...]
    answers: tuple[Answer, ...]
    learner: tuple[tuple[tuple[Record, ...], tuple[float, ...]], ...]

    def too_few(self, beta: Fraction) -> bool:
        """Whether ``n`` records are certainly not enough for failure ``beta``."""
        return self.certified > beta


def concepts_of(matrix: npt.NDArray[np.bool_]) -> tuple[Answer, ...]:
    """The rows of a 0/1 matrix as concepts."""
    return tuple(tuple(bool(value) for value in row) for row in matrix)


def optimal(question: Question) -> Optimum:
    """Solve the program and check its dual exactly.

    >>> points = tuple(tuple(x == p for x in range(2)) for p in range(2))
    >>> found = optimal(Question(concepts=points, n=1, epsilon=Fraction(1)))
    >>> round(found.failure, 4), found.certified <= Fraction(found.failure) + Fraction(1, 10**6)
    (0.2689, True)
    """
    _check(question)
    return _Program(question).solve()


def _check(question: Question) -> None:
    whole(question.n, name="n", least=1)
    positive(question.epsilon, name="epsilon")
    probability(question.delta, name="delta", zero="allowed")
    probability(question.alpha, name="alpha")
    if question.setting not in ("realizable", "agnostic"):
        raise BadInput("setting must be 'realizable' or 'agnostic'")
    if not question.concepts or len({len(row) for row in question.concepts}) != 1:
        raise BadInput("a class needs concepts, all on the same values")
    if (1 / question.grid).denominator != 1:
        raise BadInput("grid must be one over a whole number, such as 1/10")
    records = 2 * question.values
    sets = 1
    for i in range(question.n):
        sets = sets * (records + i) // (i + 1)
    many = sets * (len(set(question.concepts)) if question.proper else 2**question.values)
    many *= 2 * question.n if question.delta else 1
    if many > _MOST:
        raise BadInput(
            f"the program would have about {many} variables, more than {_MOST}: use fewer values, "
            "fewer records or proper answers"
        )


class _Program:
    """The program's tables: data sets, answers, neighbours and laws."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.answers = question.answers()
        self.data = question.data()
        self.place = {data: i for i, data in enumerate(self.data)}
        self.pairs = sorted(set(self._pairs()))

    def _pairs(self) -> Iterator[tuple[int, int]]:
        values, relation = self.question.values, self.question.relation
        for i, data in enumerate(self.data):
            for at in range(len(data)):
                rest = data[:at] + data[at + 1 :]
                if relation is Relation.ADD_REMOVE:
                    yield i, self.place[rest]
                    yield self.place[rest], i
                    continue
                xs = [data[at][0]] if relation is Relation.LABEL else range(values)
                for other in product(xs, (0, 1)):
                    if other != data[at]:
                        yield i, self.place[tuple(sorted((*rest, other)))]

    @cached_property
    def laws(self) -> list[tuple[tuple[Fraction, ...], tuple[bool, ...]]]:
        """Masses of the labelled values ``(0,0), (0,1), (1,0), ...`` and which answers are bad."""
        asked = self.question
        steps = int(1 / asked.grid)
        found = {}
        if asked.setting == "agnostic":
            masses = list(_shares(2 * asked.values, steps))
        else:
            masses = [
                tuple(part for x, m in enumerate(mass) for part in ((0, m) if rule[x] else (m, 0)))
                for mass in _shares(asked.values, steps)
                for rule in asked.concepts
            ]
        listed = [tuple(Fraction(m, steps) for m in mass) for mass in masses]
        for law in (*listed, *asked.more):
            best = (
                min(_error(rule, law) for rule in asked.concepts)
                if asked.setting == "agnostic"
                else Fraction(0)
            )
            bad = tuple(_error(answer, law) > best + asked.alpha for answer in self.answers)
            if any(bad):
                found[law] = bad
        return list(found.items())

    def chance(self, law: tuple[Fraction, ...], data: tuple[Record, ...]) -> Fraction:
        """The probability of a multiset of exactly ``n`` records; 0 of any other."""
        if len(data) != self.question.n:
            return Fraction(0)
        total, counts = Fraction(factorial(len(data))), [0] * len(law)
        for x, y in data:
            counts[2 * x + y] += 1
        for mass, count in zip(law, counts, strict=True):
            total *= mass**count / factorial(count)
        return total

    @cached_property
    def chances(self) -> list[list[tuple[int, Fraction]]]:
        """For every law the data sets it can give, with their probabilities."""
        return [
            [(i, p) for i, data in enumerate(self.data) if (p := self.chance(law, data))]
            for law, _ in self.laws
        ]

    def _inequalities(self) -> tuple[csr_matrix, list[float]]:
        """Failure of every law at most ``b``, then privacy of every pair and answer."""
        answers, cells = len(self.answers), len(self.data) * len(self.answers)
        entries: list[tuple[int, int, float]] = []
        row = 0
        for (_, bad), chances in zip(self.laws, self.chances, strict=True):
            wrong = [h for h, is_bad in enumerate(bad) if is_bad]
            entries += [(row, i * answers + h, float(p)) for i, p in chances for h in wrong]
            entries.append((row, cells, -1.0))
            row += 1
        factor, spare = float(np.exp(float(self.question.epsilon))), bool(self.question.delta)
        for at, (i, j) in enumerate(self.pairs):
            for h in range(answers):
                entries += [(row, i * answers + h, 1.0), (row, j * answers + h, -factor)]
                if spare:
                    entries.append((row, cells + 1 + at * answers + h, -1.0))
                row += 1
        limits = [0.0] * row
        for at in range(len(self.pairs) if spare else 0):
            first = cells + 1 + at * answers
            entries += [(row, first + h, 1.0) for h in range(answers)]
            limits.append(float(self.question.delta))
            row += 1
        width = cells + 1 + (len(self.pairs) * answers if spare else 0)
        rows, columns, values = zip(*entries, strict=True)
        return csr_matrix((values, (rows, columns)), shape=(row, width)), limits

    def solve(self) -> Optimum:
        """The best failure, a rational below it, and a learner that reaches it on the list."""
        answers, cells = len(self.answers), len(self.data) * len(self.answers)
        if not self.laws:
            raise BadInput("every answer is good for every law on the list: use a finer grid")
        matrix, limits = self._inequalities()
        which = np.repeat(np.arange(len(self.data)), answers)
        sums = csr_matrix(
            (np.ones(cells), (which, np.arange(cells))), shape=(len(self.data), matrix.shape[1])
        )
        goal = np.zeros(matrix.shape[1])
        goal[cells] = 1
        found = linprog(
            goal,
            A_ub=matrix,
            b_ub=limits,
            A_eq=sums,
            b_eq=np.ones(len(self.data)),
            bounds=(0, None),
            method="highs",
        )
        if found.status != 0:
            raise NumericalDoubt("the linear program was not solved; use fewer values or records")
        weights, prices = self._rounded(-np.asarray(found.ineqlin.marginals))
        table = np.asarray(found.x[:cells]).reshape(-1, answers)
        return Optimum(
            question=self.question,
            failure=float(found.fun),
            certified=max(Fraction(0), self._proved(weights, prices)),
            laws=len(self.laws),
            weights=tuple((law, w) for (law, _), w in zip(self.laws, weights, strict=True) if w),
            answers=tuple(self.answers),
            learner=tuple(
                (data, tuple(row.tolist())) for data, row in zip(self.data, table, strict=True)
            ),
        )

    def _rounded(
        self, marginals: npt.NDArray[np.float64]
    ) -> tuple[list[Fraction], dict[tuple[int, int], list[Fraction]]]:
        def rational(value: float) -> Fraction:
            return Fraction(max(0.0, value)).limit_denominator(_DENOMINATOR)

        laws, answers = len(self.laws), len(self.answers)
        weights = [rational(value) for value in marginals[:laws]]
        total = sum(weights, Fraction(0))
        if not total:
            weights, total = [Fraction(1), *weights[1:]], Fraction(1)
        prices = {}
        for at, pair in enumerate(self.pairs):
            start = laws + at * answers
            some = [rational(value) for value in marginals[start : start + answers]]
            if any(some):
                prices[pair] = some
        return [weight / total for weight in weights], prices

    def _proved(
        self, weights: Sequence[Fraction], prices: dict[tuple[int, int], list[Fraction]]
    ) -> Fraction:
        """``sum_S min_h cost(S, h) - delta sum max_h price``, in rationals."""
        answers = len(self.answers)
        factor = above(lambda: ball(self.question.epsilon).exp())
        cost = [[Fraction(0)] * answers for _ in self.data]
        for weight, (_, bad), chances in zip(weights, self.laws, self.chances, strict=True):
            if weight:
                for i, p in chances:
                    for h, wrong in enumerate(bad):
                        if wrong:
                            cost[i][h] += weight * p
        lost = Fraction(0)
        for (i, j), some in prices.items():
            lost += max(some)
            for h, price in enumerate(some):
                if price:
                    cost[i][h] += price
                    cost[j][h] -= factor * price
        least = sum((min(row) for row in cost), Fraction(0))
        return least - self.question.delta * lost


def _shares(parts: int, total: int) -> Iterator[tuple[int, ...]]:
    """All ways to share ``total`` units among ``parts``."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in _shares(parts - 1, total - first):
            yield (first, *rest)


def _error(rule: Answer, law: tuple[Fraction, ...]) -> Fraction:
    return sum((law[2 * x + (not said)] for x, said in enumerate(rule)), Fraction(0))
