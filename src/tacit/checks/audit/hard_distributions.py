"""Distributions that are hard to learn from, for any class: two concepts, little to tell them by.

Most of the mass lies where two concepts agree, and a little more than alpha where they do
not: whoever takes the wrong one errs too often. Uniform laws come with them, and labels
turned at random in the agnostic setting.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import shake_256
from itertools import islice, product

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.chance import uniforms
from tacit.classes import KTermDnf, OneWaySequences, Parities, PseudorandomPoints, Scores, Trees
from tacit.core import BadInput, ConceptClass, Hypothesis, Sample, Sampler, Task
from tacit.core.concept import Numbered, Packed
from tacit.domains import Schema
from tacit.domains.bits import Bits
from tacit.domains.fields import Category, Ordered
from tacit.domains.integers import Integers
from tacit.domains.plane import Plane
from tacit.domains.reals import RealBox
from tacit.domains.rows import Rows
from tacit.exact.arrays import Values

Bools = npt.NDArray[np.bool_]
_VALUES = 64
_CONCEPTS = 16
_MOST_LISTED = 1 << 12
_NOISE = 0.1


@dataclass(frozen=True, slots=True)
class Distribution:
    """Finitely many labelled values and how likely each is: something to learn from.

    ``least_error`` is the error of the best concept (0 where the labels are a concept's).
    ``rule`` labels strings drawn afresh, of which ``x`` are a few to measure errors by.
    """

    name: str
    x: Values
    labels: Values
    chances: Values
    least_error: float = 0.0
    rule: Hypothesis | None = None

    def draw(self, n: int, *, rng: Sampler) -> Sample:
        """``n`` independent records."""
        if self.rule is not None:
            width = np.asarray(self.x).shape[1]
            strings = rng.indices(below=2, count=n * width).reshape(n, width)
            said = np.asarray(self.rule.predict(strings))
            shape = np.asarray(self.labels).shape[1:]
            return Sample(strings, np.broadcast_to(said.reshape(n, *[1] * len(shape)), (n, *shape)))
        ends = np.cumsum(np.asarray(self.chances, dtype=float))
        rows = np.searchsorted(ends, uniforms(rng, n) * ends[-1], side="right")
        rows = np.minimum(rows, len(ends) - 1)
        return Sample(np.asarray(self.x)[rows], np.asarray(self.labels)[rows])

    def error(self, rule: Hypothesis) -> float:
        """The chance that ``rule`` errs; the worst task where there are several."""
        said = np.asarray(rule.predict(self.x), dtype=bool)
        wrong = said != np.asarray(self.labels, dtype=bool)
        masses = np.asarray(self.chances, dtype=float)
        errors = (wrong.T * masses).sum(axis=-1)
        return float(np.max(errors) / masses.sum())


def adversarial(task: Task) -> list[Distribution]:
    """Distributions that are hard for the task's class, in its setting, for its ``k``.

    With a marginal other than ``"any"`` only the labels are chosen: the uniform law over
    the listed domain, or over all strings, drawn afresh, if they cannot be listed.
    ``BadInput`` says which classes have none.
    """
    if task.goal != "learn":
        raise BadInput(
            "accuracy is checked for rules; whether a synthetic table answers its queries is "
            "said by its own certificate, or pass distributions= and a rule made of the table"
        )
    if task.marginal not in ("any", "uniform"):
        raise BadInput("pass distributions=: a public reference is not listed value by value")
    x = _spread(task.concept_class) if task.marginal == "uniform" else values(task.concept_class)
    found = list(_realizable(task, x))
    if task.setting == "agnostic":
        found += [_noisy(one) for one in found]
    if not found:
        raise BadInput("pass distributions=: this class has no two concepts to tell apart")
    return [_several(one, task.k) for one in found]


def _spread(concept_class: ConceptClass) -> Values:
    """The domain, or values by which errors over all of it are measured."""
    domain = concept_class.domain
    if isinstance(domain, Bits) and domain.size > _MOST_LISTED:
        # Unit vectors and the like would be far from uniform: no parity has half of them.
        many = _MOST_LISTED * domain.columns
        drawn = np.frombuffer(shake_256(b"uniform strings").digest(many // 8), dtype=np.uint8)
        return np.unpackbits(drawn).reshape(_MOST_LISTED, domain.columns).astype(np.int64)
    return values(concept_class, least=_MOST_LISTED)


def _realizable(task: Task, x: Values) -> Iterator[Distribution]:
    family = task.concept_class
    even = np.full(len(x), 1 / len(x))
    if task.marginal == "uniform" and isinstance(family, Parities) and family.domain.size > len(x):
        for number in (1, family.size // 3, family.size - 1):
            rule = family.hypothesis(number)
            yield Distribution(f"uniform, concept {number}", x, rule.predict(x), even, 0.0, rule)
        return
    rows = concepts(family, x)
    if task.marginal == "uniform":
        for number in dict.fromkeys((0, len(rows) // 2, len(rows) - 1)):
            yield Distribution(f"uniform, concept {number}", x, rows[number], even)
        return
    rare = min(1.0, float(task.accuracy.alpha) * 1.01)
    pairs = [
        (first, second)
        for gap in (1, len(rows) // 2)
        for first in dict.fromkeys((0, len(rows) // 2, len(rows) - 1))
        for second in ((first + gap) % len(rows),)
        if first != second
    ]
    for first, second in dict.fromkeys(pairs):
        differ = np.flatnonzero(rows[first] != rows[second])
        agree = np.flatnonzero(rows[first] == rows[second])
        if len(differ) == 0 or len(agree) == 0:
            continue
        for label, places in (("one value", differ[:1]), ("many values", differ)):
            chances = np.zeros(len(x))
            chances[places] = rare / len(places)
            chances[agree[-1]] = 1 - rare
            yield Distribution(
                f"concept {first} or {second}, told by {label}", x, rows[first], chances
            )
    yield Distribution("uniform", x, rows[len(rows) // 2], even)


def _noisy(one: Distribution) -> Distribution:
    """Every label is turned with a chance: the concept errs so often, any other more."""
    chances = np.asarray(one.chances, dtype=float)
    return Distribution(
        f"{one.name}, labels turned",
        np.concatenate([one.x, one.x]),
        np.concatenate([one.labels, ~one.labels]),
        np.concatenate([(1 - _NOISE) * chances, _NOISE * chances]),
        _NOISE,
    )


def _several(one: Distribution, k: int) -> Distribution:
    if k == 1:
        return one
    tiled = np.tile(np.asarray(one.labels)[:, None], (1, k))
    return replace(one, labels=tiled)


def values(concept_class: ConceptClass, *, least: int = _VALUES) -> Values:
    """Some values of the class's domain, or all if there are not more than ``least``."""
    domain = concept_class.domain
    if isinstance(concept_class, PseudorandomPoints):
        few = _VALUES // 2  # in whole numbers: the last of 2^64 values is no float
        spots = [i * (domain.size - 1) // (few - 1) for i in range(few)]
        spread = np.array(spots, dtype=np.uint64)
        inside = np.asarray(concept_class.image, dtype=np.uint64)[: _VALUES // 2]
        return np.unique(np.concatenate([inside, spread]))
    if isinstance(concept_class, OneWaySequences):
        leaves = range(min(concept_class.tree.leaves, 8))
        seeds = range(min(1 << concept_class.tree.seed_bits, 8))
        found = {concept_class.record(leaf, seed)[0] for leaf in leaves for seed in seeds}
        return np.array(sorted(found), dtype=np.uint64 if domain.size <= 1 << 64 else object)
    if isinstance(domain, Integers):
        return np.array(_spots(domain, least), dtype=_kind(domain))
    if isinstance(domain, Rows):
        axis = _spots(domain.axis, max(2, round(least ** (1 / domain.width))))
        return np.array(list(product(axis, repeat=domain.width)), dtype=_kind(domain.axis))
    if isinstance(domain, Bits):
        if domain.size > least:
            eye = np.eye(domain.columns, dtype=int)
            return np.concatenate([eye, 1 - eye, np.tril(np.ones_like(eye))])[:least]
        return np.array(list(product((0, 1), repeat=domain.columns)))
    if isinstance(domain, Plane):
        points = ((a, b) for a in range(domain.p) for b in range(domain.p))
        return np.array(list(islice(points, least)))
    if isinstance(domain, Schema):
        columns = [_entries(field) for field in domain.fields]
        listed = np.empty((min(least, math.prod(map(len, columns))), len(columns)), dtype=object)
        for place, record in enumerate(islice(product(*columns), len(listed))):
            listed[place] = record
        return listed
    if isinstance(domain, RealBox):
        places = np.linspace(0.02, 0.98, round(least ** (1 / domain.width)))
        axes = [[domain.value(axis, place) for place in places] for axis in range(domain.width)]
        return np.array(list(product(*axes)))
    raise BadInput("pass distributions=: values of this domain are not listed")


def _spots(domain: Integers, least: int) -> list[int]:
    # In whole numbers: the last of 2^64 values is no float.
    many = min(domain.size, least)
    return sorted({i * (domain.size - 1) // max(1, many - 1) for i in range(many)})


def _kind(domain: Integers) -> npt.DTypeLike:
    return np.uint64 if domain.size <= 1 << 64 else object


def _entries(field: object) -> list[object]:
    """Something for every cell of a column, as it stands in a table; at most eight."""
    if isinstance(field, Ordered):
        found = [field.low, *field.borders.tolist()]
        return [found[i * len(found) // min(8, len(found))] for i in range(min(8, len(found)))]
    return list(field.values if isinstance(field, Category) else (False, True))[:8]


def concepts(concept_class: ConceptClass, x: Values) -> Bools:
    """What some different concepts of the class say about ``x``, a row each."""
    if isinstance(concept_class, KTermDnf):
        # A conjunction of the first variables is a DNF of one term.
        found = [x[:, :width].all(axis=1) for width in range(1, x.shape[1] + 1)]
    elif isinstance(concept_class, Trees):
        # Every depth has the trees of one cut.
        cuts = range(min(len(concept_class.cuts), _CONCEPTS))
        found = [concept_class.hypothesis((cut, False, True)).predict(x) for cut in cuts]
    elif isinstance(concept_class, Packed):
        found = [rule.predict(x) for rule in concept_class.packing(Fraction(1, 20))[:_CONCEPTS]]
    elif isinstance(concept_class, Numbered) and concept_class.size is not None:
        # Scores count a rule as often as its prior weighs; their numbers run over rules.
        size = sum(concept_class.many) if isinstance(concept_class, Scores) else concept_class.size
        numbers = [i * size // min(size, _CONCEPTS) for i in range(min(size, _CONCEPTS))]
        # Neighbouring numbers are often concepts that differ little.
        numbers = list(dict.fromkeys([*numbers, *(min(size - 1, i + 1) for i in numbers)]))
        found = [concept_class.hypothesis(number).predict(x) for number in numbers]
    else:
        raise BadInput("pass distributions=: concepts of this class are not listed")
    rows = {np.asarray(row, dtype=bool).tobytes(): np.asarray(row, dtype=bool) for row in found}
    return np.array(list(rows.values()))
