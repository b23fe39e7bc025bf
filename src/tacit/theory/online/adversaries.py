"""Adversaries: a fixed sequence, the mistake tree, the contrarian and the exhaustive one."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

from tacit.core import BadInput
from tacit.theory.dimensions import littlestone
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import MistakeTree
from tacit.theory.online.game import Learner


class Fixed:
    """Oblivious: labelled points settled before the game, read as they are needed."""

    def __init__(self, examples: Iterable[tuple[object, int]]) -> None:
        self._examples = iter(examples)
        self._label = 0

    def ask(self) -> object:
        point, self._label = next(self._examples, (None, 0))
        return point

    def reveal(self, prediction: int) -> int:  # noqa: ARG002 - oblivious
        return self._label


class TreeAdversary:
    """Walks down a mistake tree and denies every prediction.

    Every learner is wrong in every round, ``depth`` times, and some concept of the class
    agrees with all labels: this is why no learner beats the Littlestone dimension.
    """

    def __init__(self, concept_class: object) -> None:
        found = littlestone(concept_class)
        trees = [one for one in found.witnesses if isinstance(one, MistakeTree)]
        if not trees:
            raise BadInput("an adversary needs a class with at least one concept")
        self._tree, self._node = trees[0], 0

    def ask(self) -> int | None:
        points = self._tree.points
        return points[self._node] if self._node < len(points) else None

    def reveal(self, prediction: int) -> int:
        label = 1 - prediction
        self._node = 2 * self._node + 1 + label
        return label


class Contrarian:
    """Adaptive: asks a point on which the learner is about to be wrong, while there is one.

    Point ``points[i]`` has label ``labels[i]``, always. The learner must be deterministic.
    Candidates are tried round robin, so that no point is asked twice while another would do.
    """

    def __init__(self, learner: Learner, points: Sequence[object], labels: Sequence[int]) -> None:
        if len(points) != len(labels):
            raise BadInput("points and labels must be equally long")
        self._learner, self._points, self._labels = learner, points, labels
        self._at = -1

    def ask(self) -> object:
        count = len(self._points)
        for step in range(1, count + 1):
            place = (self._at + step) % count
            if self._learner.predict(self._points[place]) != self._labels[place]:
                self._at = place
                return self._points[place]
        return None

    def reveal(self, prediction: int) -> int:  # noqa: ARG002 - it knew before
        return int(self._labels[self._at])


def worst_case(learner: Learner, concept_class: object) -> int:
    """The most mistakes that any adversary who keeps to the class can force, by trying all.

    Exponential: for classes of a few concepts. Rounds that neither are mistakes nor rule
    out a concept are left out: for the learners of this package they change nothing.
    """
    table = read(concept_class)
    if not table.concepts:
        raise BadInput("an adversary needs a class with at least one concept")
    return _worst(learner, table.columns, (1 << table.concepts) - 1)


def _worst(learner: Learner, columns: Sequence[int], left: int) -> int:
    most = 0
    for point, column in enumerate(columns):
        prediction = learner.predict(point)
        for label in (0, 1):
            agreeing = left & (column if label else ~column)
            wrong = label != prediction
            if not agreeing or (agreeing == left and not wrong):
                continue
            after = copy.copy(learner)
            after.learn(point, label)
            most = max(most, wrong + _worst(after, columns, agreeing))
    return most
