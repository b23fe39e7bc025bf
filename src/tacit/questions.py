"""Ask questions about private records one by one, each chosen after the earlier answers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.accounting import Ledger
from tacit.api import run
from tacit.core import (
    Accuracy,
    BadInput,
    ConceptClass,
    Privacy,
    Release,
    Sampler,
    Task,
)
from tacit.core.hypothesis import Hypothesis
from tacit.core.mechanism import SomeMechanism
from tacit.core.numbers import show, whole
from tacit.planner import plan
from tacit.planner.questions import NOISE, Way
from tacit.problems.finite.held_counts import Conversation
from tacit.problems.finite.in_turn import InTurn
from tacit.problems.finite.in_turn_upper import shape
from tacit.problems.finite.noisy_answers import NoisyAnswers
from tacit.sources.intake import take_in_unlabelled

Question = Hypothesis | Sequence[bool] | npt.NDArray[np.bool_]


class Answering:
    """Answer questions about the records it was opened on; all of it was paid for at the start.

    ``questions``  how many answers were planned.
    ``planned``    the way they are answered, and the records that suffice.
    ``n``          the public number of records.
    ``event``      what the ledger was charged, once.
    ``private``    false only where the randomness came from a test seed.
    """

    def __init__(
        self,
        talk: Conversation,
        *,
        task: Task,
        questions: int,
        way: Way,
        n: int,
        release: Release[object],
    ) -> None:
        self._talk, self._task, self._size = talk, task, task.concept_class.domain.size
        self.questions, self.planned, self.n = questions, way, n
        self.event, self.private = release.event, release.private

    @property
    def accuracy(self) -> Accuracy:
        """What each planned answer keeps."""
        return self._task.accuracy

    def ask(self, question: Question) -> Fraction:
        """The fraction of records on which ``question`` is true, within ``accuracy.alpha``.

        ``question``  a concept of a class over the same values, such as
                      ``Thresholds(size=121).hypothesis(50)``, or one true or false for each value.
                      It is worked out on all values of the domain, never on a record.
        """
        return self._talk.ask(self._values(question))

    def _values(self, question: Question) -> npt.NDArray[np.bool_]:
        if isinstance(question, Hypothesis):
            question = question.predict(np.arange(self._size, dtype=np.uint64))
        wanted = np.asarray(question)
        if wanted.shape != (self._size,) or not np.isin(wanted, (0, 1)).all():
            raise BadInput(
                f"a question is a rule, or one true or false for each of {self._size} values"
            )
        return wanted.astype(bool)

    @property
    def asked(self) -> int:
        """How many questions were answered."""
        return self._talk.asked

    @property
    def left(self) -> int:
        """What is left of what was paid for: questions, or corrections of answers.

        When no correction is left, questions are answered still, and no record is looked at.
        """
        return self._talk.left

    @property
    def certified(self) -> bool:
        """Whether all answers so far are within ``alpha``, with probability ``1 - beta``."""
        return self.n >= self.planned.n and self.asked <= self.questions

    def summary(self) -> str:
        """What was asked, what is certified and what it cost, in words."""
        alpha, sure = show(self.accuracy.alpha), show(1 - self.accuracy.beta)
        lines = [
            f"{self.asked} of {self.questions} planned questions answered about {self.n} records, "
            f"by {self.planned.name}",
            f"All answers are within {alpha} of the true fractions, with probability {sure}."
            if self.certified
            else f"NOT CERTIFIED within {alpha}: {self.planned.n} records are planned for "
            f"{self.questions} questions.",
            f"Cost of all answers together: {self._task.privacy!r}",
        ]
        return "\n".join(lines if self.private else [*lines, "NOT PRIVATE: a test seed"])

    def __repr__(self) -> str:
        return f"Answering({self.asked} of {self.questions} questions, n={self.n})"


def answering(
    data: object,
    values: ConceptClass,
    *,
    questions: int,
    privacy: Privacy,
    accuracy: Accuracy | None = None,
    ledger: Ledger | None = None,
    rng: Sampler | None = None,
    algorithm: str | None = None,
    column: str | None = None,
) -> Answering:
    """Open private records for questions that come one by one.

    ``data``       a column of records, a frame, or the path of a CSV or Parquet file; ``column``
                   names the column of the last two.
    ``values``     a class over the public values, such as ``Points(size=121)``; a question may be
                   any set of these values, not only a concept of that class.
    ``questions``  how many will be asked; ``tacit.plan.questions`` says how many records suffice.
    ``accuracy``   every answer within ``alpha`` with probability ``1 - beta``; by default 0.1 and
                   0.05.
    ``algorithm``  ``"noise on each answer"`` or ``"corrected weights"``; by default the one that
                   is planned to need fewer records.

    Charges ``ledger`` once, before records are read. Guarantees ``privacy`` on every data
    set, whoever asks and whatever is asked.
    """
    accuracy = Accuracy("0.1", "0.05") if accuracy is None else accuracy
    number = whole(questions, name="questions", least=1)
    ways = plan.questions(values, number, privacy=privacy, accuracy=accuracy)
    chosen = next((way for way in ways if algorithm in (None, way.name)), None)
    if chosen is None:
        raise BadInput(f"algorithm must be one of {' and '.join(repr(way.name) for way in ways)}")
    task = Task(values, privacy=privacy, accuracy=accuracy, goal="sanitize")
    intake = take_in_unlabelled(data, task, column=column)
    assert intake.n is not None
    mechanism = _mechanism(chosen, task, questions=number, n=intake.n)
    intake.make_ready(mechanism)
    opened: Release[object] = run(mechanism, intake.sample, ledger=ledger, rng=rng)
    assert isinstance(opened.value, Conversation)
    return Answering(
        opened.value, task=task, questions=number, way=chosen, n=intake.n, release=opened
    )


def _mechanism(way: Way, task: Task, *, questions: int, n: int) -> SomeMechanism:
    given = way.bound.choices
    budget = {"epsilon": given["epsilon"], "rho": given["rho"]}
    if way.name == NOISE:
        return NoisyAnswers(concepts=task.concept_class, questions=questions, **budget)
    threshold, step = shape(bound=way.bound, alpha=task.accuracy.alpha, n=n)
    return InTurn(
        concepts=task.concept_class,
        corrections=given["corrections"],
        threshold=threshold,
        step=step,
        share=given["share"],
        **budget,
    )
