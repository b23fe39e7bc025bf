"""Membership inference by fingerprints: whether a fitted model remembers its records' labels."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks.confidence import lower, upper
from tacit.checks.attacks.tardos import score
from tacit.core import BadInput
from tacit.core.numbers import probability, show

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Membership:
    """How many members were accused, and how many outsiders, at one limit.

    ``advantage`` is a certain lower bound on the difference of the two rates for *this*
    fitted model, but for a probability ``level``. It is not a bound on epsilon: one
    model is one run of the training.
    """

    members: int
    members_accused: int
    outsiders: int
    outsiders_accused: int
    level: Fraction
    advantage: Fraction

    def __str__(self) -> str:
        return (
            f"accused: {self.members_accused} of {self.members} members, "
            f"{self.outsiders_accused} of {self.outsiders} outsiders; the rates differ by at "
            f"least {float(self.advantage):.3f} (confidence {show(1 - self.level)})"
        )


def fingerprints(
    model: object, x: object, labels: object, chances: Floats, *, positive: object = 1
) -> Floats:
    """Every record's symmetric score (its labels, against the model's answers at the record)
    as a share of the largest score that these labels can have.

    ``labels`` are true where a record has the label ``positive``.
    """
    truths = _columns(labels)
    said = _answers(model, x, truths.shape[1], positive)
    result: Floats = score(truths, said, chances) / score(truths, truths, chances)
    return result


def infer(
    model: Any,
    *,
    members: tuple[Any, Any],
    outsiders: tuple[Any, Any],
    positive: Any = 1,
    false_accusations: object = "1/20",
    level: object = "1/100",
) -> Membership:
    """Try to tell a fitted scikit-learn classifier's training records from others.

    ``members``    ``(X, y)`` records that the model was fitted on;
    ``outsiders``  ``(X, y)`` of the same kind that it was not. Half of them set the base
                   rates and the limit (the lowest at which at most a share
                   ``false_accusations`` of them is accused, or the top score if more
                   share it), the other half test it.
    ``positive``   the label that counts as 1, all others as 0; ``y`` may have several columns.

    Works on ``predict_proba`` where there is one, else on ``predict``.
    """
    rate, sure = (
        probability(false_accusations, name="false_accusations"),
        probability(level, name="level"),
    )
    inside, outside = _binary(members[1], positive), _binary(outsiders[1], positive)
    half = len(outside) // 2
    if half < 1 or len(inside) < 1:
        raise BadInput("membership inference needs members, and at least two outsiders")
    chances = np.clip(outside[:half].mean(axis=0), 0.02, 0.98)
    # A frame stays one: the model may ask for its columns by name.
    rows = outsiders[0] if hasattr(outsiders[0], "columns") else np.asarray(outsiders[0])

    def shares(x: object, labels: npt.NDArray[np.bool_]) -> Floats:
        return fingerprints(model, x, labels, chances, positive=positive)

    limit = _limit(shares(rows[:half], outside[:half]), float(rate))
    accused = int(np.sum(shares(members[0], inside) >= limit))
    false = int(np.sum(shares(rows[half:], outside[half:]) >= limit))
    tested = len(outside) - half
    gap = lower(accused, len(inside), level=sure / 2) - upper(false, tested, level=sure / 2)
    return Membership(
        members=len(inside),
        members_accused=accused,
        outsiders=tested,
        outsiders_accused=false,
        level=sure,
        advantage=max(Fraction(0), gap),
    )


def _limit(scores: Floats, rate: float) -> float:
    ascending = np.unique(scores)
    shares = np.array([np.mean(scores >= value) for value in ascending])
    low_enough = np.flatnonzero(shares <= rate)
    return float(ascending[low_enough[0]] if len(low_enough) else ascending[-1])


def _columns(labels: object) -> npt.NDArray[np.bool_]:
    table = np.asarray(labels)
    return table if table.ndim == 2 else table[:, None]


def _binary(labels: object, positive: object) -> npt.NDArray[np.bool_]:
    return np.asarray(_columns(labels) == positive)


def _answers(model: Any, x: Any, tasks: int, positive: Any) -> Floats:
    """How much the model leans towards ``positive``: one column a task."""
    classes = getattr(model, "classes_", None)
    if hasattr(model, "predict_proba"):
        said = model.predict_proba(x)
        if isinstance(said, list):
            listed = [None] * len(said) if classes is None else classes
            pairs = zip(said, listed, strict=True)
            return np.stack([_lean(column, known, positive) for column, known in pairs], axis=1)
        if tasks == 1:
            return _lean(said, classes, positive)[:, None]
    answers = np.asarray(model.predict(x))
    leans = np.asarray(answers if classes is None else answers == positive, dtype=float)
    return leans if leans.ndim == 2 else leans[:, None]


def _lean(chances: Any, classes: Any, positive: Any) -> Floats:
    if classes is None:
        return np.asarray(chances, dtype=float)[:, -1]
    found = [place for place, label in enumerate(classes) if label == positive]
    if not found:
        raise BadInput("positive must be a label that the model knows: one of its classes_")
    return np.asarray(chances, dtype=float)[:, found[0]]
