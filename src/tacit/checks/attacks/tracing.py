"""The tracing attack on a k-learner: labels are a code, and its rules accuse a record.

BNS19 Theorems 43 and 47: give every record one row of a fingerprinting code as its labels.
An accurate learner's rules spell a word that only those present could have made, so
somebody is accused; a private learner would have accused an absent one as readily.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacit.checks.attacks import boneh_shaw, tardos
from tacit.checks.attacks.confidence import Counts, epsilon_below, lower, upper
from tacit.core import BadInput, Mechanism, Sample, Sampler
from tacit.core.hypothesis import Predicts
from tacit.core.numbers import exact, probability, whole
from tacit.exact.balls import ball, below
from tacit.exact.entropy import SYSTEM

Bits = npt.NDArray[np.bool_]


class Code(Protocol):
    """A codebook: a row of bits a user, and who a word accuses."""

    @property
    def words(self) -> Bits: ...
    def trace(self, word: Bits) -> int | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """Who was accused, how often, with everybody there and with that one replaced.

    ``accused[i]``   runs on all records that accused record ``i``;
    ``framed[i]``    runs in which record ``i`` was replaced that accused it all the same.
    ``epsilon``      the learner's epsilon (at ``delta``) is certainly larger, but for a
                     probability of ``level`` in all.
    """

    users: int
    columns: int
    xi: Fraction
    delta: Fraction
    level: Fraction
    runs: int
    accused: tuple[int, ...]
    framed: tuple[int, ...]
    epsilon: Fraction

    @property
    def unaccused(self) -> int:
        """Runs on all records that accused nobody."""
        return self.runs - sum(self.accused)

    def rate(self, user: int) -> tuple[Fraction, Fraction]:
        """A confidence interval for the chance that ``user`` is accused, all being there."""
        count = self.accused[user]
        half = self.level / 2
        return lower(count, self.runs, level=half), upper(count, self.runs, level=half)

    def exceeds(self, epsilon: Fraction, delta: Fraction) -> bool:
        """Whether some record is certainly accused more often than ``e^epsilon xi + delta``,
        the most that privacy lets a sound code do.
        """
        allowed = below(lambda: ball(epsilon).exp() * ball(self.xi) + ball(delta))
        share = self.level / self.users
        return any(lower(count, self.runs, level=share) > allowed for count in self.accused)


def trace_learner(
    learner: Mechanism[Sample, Any] | Callable[[Any, Bits], Any],
    k: int | None = None,
    n: int = 3,
    *,
    code: str = "boneh-shaw",
    xi: object = "1/20",
    delta: object = 0,
    x: Any = None,
    nonce: Any = None,
    runs: int = 100,
    level: object = "1/20",
    rng: Sampler = SYSTEM,
    progress: Callable[[str], None] | None = None,
) -> Traced:
    """Attack a k-learner on ``n`` records and ``k`` tasks.

    ``learner``  a mechanism, or any callable ``learner(x, labels)`` with ``labels`` an
                 ``(n, k)`` boolean array; the result has ``predict(x)`` giving ``(n, k)``
                 answers, is a sequence of ``k`` such rules, or is the array of answers.
    ``code``     ``"boneh-shaw"``: columns are thresholds ``x < t`` over ascending ``x``;
                 ``"tardos"``: columns are arbitrary, for agnostic learners; all records
                 may share one value.
    ``k``        tasks; by default the certified length. With Tardos any number will do:
                 the innocent stay safe, but the others may hide if there are too few.
    ``xi``       the chance of accusing a given absent record that the code allows.
    ``nonce``    the value of the record that replaces a user; all its labels are 0. By
                 default one above all users (thresholds stay realizable), or theirs.
    """
    share = probability(xi, name="xi")
    users = whole(n, name="n", least=2)
    lost, sure = exact(delta, name="delta"), probability(level, name="level")
    values = (
        (np.arange(users) if code == "boneh-shaw" else np.zeros(users, int)) if x is None else x
    )
    if nonce is None:
        nonce = users if code == "boneh-shaw" else values[0]
    draw = _codes(code, users=users, xi=share, k=k, rng=rng)
    columns = draw().words.shape[1]
    answer = _answering(learner, rng)
    replaced_runs = runs // users
    accused = _accused(draw, answer, values, runs=runs, progress=progress)
    # The record that is accused most is replaced in as many runs; it was chosen on others.
    suspect = int(np.argmax(accused))
    framed = np.zeros(users, dtype=int)
    for user in range(users):
        for _ in range(runs if user == suspect else replaced_runs):
            book = draw()
            there, labels = np.array(values), book.words.copy()
            there[user], labels[user] = nonce, False
            framed[user] += book.trace(_word(answer, there, labels)) == user
    fresh = _accused(draw, answer, values, runs=runs, progress=None)
    counts = Counts(
        here=int(fresh[suspect]), runs_here=runs, there=int(framed[suspect]), runs_there=runs
    )
    return Traced(
        users=users,
        columns=columns,
        xi=share,
        delta=lost,
        level=sure,
        runs=2 * runs,
        accused=tuple((accused + fresh).tolist()),
        framed=tuple(framed.tolist()),
        epsilon=epsilon_below(counts, delta=lost, level=sure),
    )


def labels_right(
    learner: Mechanism[Sample, Any] | Callable[[Any, Bits], Any],
    n: int = 3,
    *,
    xi: object = "1/20",
    runs: int = 10,
    rng: Sampler = SYSTEM,
) -> float:
    """The share of the attacked records' own labels that a learner's rules give back."""
    share, users = probability(xi, name="xi"), whole(n, name="n", least=2)
    draw = _codes("boneh-shaw", users=users, xi=share, k=None, rng=rng)
    answer, values = _answering(learner, rng), np.arange(users)
    rates = []
    for _ in range(runs):
        labels = draw().words
        rates.append(float(np.mean(_said(answer, values, labels) == labels)))
    return sum(rates) / runs


def _accused(
    draw: Callable[[], Code],
    answer: Callable[[Any, Bits], Any],
    values: Any,
    *,
    runs: int,
    progress: Callable[[str], None] | None,
) -> npt.NDArray[np.int_]:
    """How often each user is accused when all of them are there."""
    accused = np.zeros(len(values), dtype=int)
    for run in range(runs):
        book = draw()
        who = book.trace(_word(answer, values, book.words))
        if who is not None:
            accused[who] += 1
        if progress is not None:
            progress(f"run {run + 1} of {runs}: {'nobody' if who is None else who} accused")
    return accused


def _codes(
    code: str, *, users: int, xi: Fraction, k: int | None, rng: Sampler
) -> Callable[[], Code]:
    if code == "boneh-shaw":
        needed = boneh_shaw.length(users=users, xi=xi)
        if k is not None and k < needed:
            raise BadInput(f"this code needs k = {needed} tasks for n = {users} and this xi")
        return lambda: boneh_shaw.generate(users=users, xi=xi, rng=rng)
    if code == "tardos":
        certified = (
            tardos.length(coalition=users, innocent=xi, missed=Fraction(1, 20))
            if k is None
            else tardos.sound(columns=k, users=users, innocent=xi)
        )
        return lambda: tardos.generate(users=users, certified=certified, rng=rng)
    raise BadInput("code must be 'boneh-shaw' or 'tardos'")


def _answering(learner: object, rng: Sampler) -> Callable[[object, Bits], object]:
    if isinstance(learner, Mechanism):
        return lambda x, labels: rng.part(learner, Sample(x, labels))
    if not callable(learner):
        raise BadInput("the learner must be a mechanism or a callable of (x, labels)")
    called: Callable[[object, Bits], object] = learner
    return called


def _word(answer: Callable[[Any, Bits], Any], x: Any, labels: Bits) -> Bits:
    """Each task's rule, averaged over the records and rounded."""
    said = _said(answer, x, labels)
    return np.asarray(2 * said.astype(float).sum(axis=0) >= len(labels))


def _said(answer: Callable[[Any, Bits], Any], x: Any, labels: Bits) -> npt.NDArray[Any]:
    """What the learned rules say of every record for every task."""
    found = answer(x, labels)
    if isinstance(found, Predicts):
        said = np.asarray(found.predict(x))
    elif isinstance(found, np.ndarray):
        said = found
    else:
        said = np.stack([np.asarray(rule.predict(x)) for rule in found], axis=1)
    if said.shape != labels.shape:
        raise BadInput("the learner must answer every record for every task")
    return said
