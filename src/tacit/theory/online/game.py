"""The online game: a point is shown, the learner predicts, the truth is revealed.

Learners keep their state in attributes that they *replace* and never change in place, so
that ``copy.copy(learner)`` is a snapshot (the exhaustive adversary relies on it).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.numbers import whole
from tacit.theory.online.panels import Panel


class Learner(Protocol):
    """Predicts labels one after another."""

    def predict(self, point: Any) -> int:
        """0 or 1."""
        ...

    def learn(self, point: Any, label: int) -> None:
        """Take note of the truth."""
        ...


class Adversary(Protocol):
    """Chooses points and, knowing what was predicted, their labels."""

    def ask(self) -> Any:
        """The next point, or ``None`` when the game is over."""
        ...

    def reveal(self, prediction: int) -> int:
        """The label of the point that was asked last."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """What was asked, predicted and true, round by round."""

    points: tuple[Any, ...]
    predictions: tuple[int, ...]
    labels: tuple[int, ...]

    @property
    def rounds(self) -> int:
        return len(self.points)

    @property
    def wrong(self) -> npt.NDArray[np.bool_]:
        """In which rounds the learner was wrong."""
        pairs = zip(self.predictions, self.labels, strict=True)
        return np.array([said != true for said, true in pairs], dtype=bool)

    @property
    def mistakes(self) -> int:
        """How often the learner was wrong; in the realizable case this is its regret."""
        return int(self.wrong.sum())

    @property
    def curve(self) -> npt.NDArray[np.int64]:
        """Mistakes up to and including every round."""
        return np.cumsum(self.wrong)

    @property
    def error_rate(self) -> float:
        return self.mistakes / self.rounds if self.rounds else 0.0

    def expert_mistakes(self, experts: Panel) -> npt.NDArray[np.int64]:
        """How often every expert would have been wrong on the same rounds."""
        everyone = np.arange(experts.size)
        total = np.zeros(experts.size, dtype=np.int64)
        for point, label in zip(self.points, self.labels, strict=True):
            total += experts.votes(point, everyone) != bool(label)
        return total

    def regret(self, experts: Panel) -> int:
        """Mistakes beyond those of the expert that turned out best."""
        return self.mistakes - int(self.expert_mistakes(experts).min(initial=self.rounds))


def play(learner: Learner, adversary: Adversary, *, rounds: int | None = None) -> Transcript:
    """Play until the adversary stops, or for ``rounds`` rounds.

    The learner learns, and is changed by, every round. Equal learners and adversaries (with
    equal seeds, if they draw) give equal transcripts.
    """
    limit = None if rounds is None else whole(rounds, name="rounds", least=0)
    points: list[Any] = []
    predictions: list[int] = []
    labels: list[int] = []
    while limit is None or len(points) < limit:
        point = adversary.ask()
        if point is None:
            break
        prediction = int(learner.predict(point))
        label = int(adversary.reveal(prediction))
        if prediction not in (0, 1) or label not in (0, 1):
            raise BadInput("predictions and labels of an online game must be 0 or 1")
        learner.learn(point, label)
        points.append(point)
        predictions.append(prediction)
        labels.append(label)
    return Transcript(points=tuple(points), predictions=tuple(predictions), labels=tuple(labels))
