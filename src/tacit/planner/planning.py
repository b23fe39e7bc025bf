"""``plan(task)``, and the same question asked the other way round."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from tacit.core import (
    ALGORITHMS,
    LOWER_BOUNDS,
    Accuracy,
    Algorithm,
    BadInput,
    ConceptClass,
    NumericalDoubt,
    Privacy,
    SampleBound,
    Task,
)
from tacit.core.numbers import Number, whole
from tacit.core.task import LEAST_EPSILON, MOST_EPSILON, OUT_OF_RANGE
from tacit.planner import inverse
from tacit.planner.explain import rejections
from tacit.planner.persons import for_task, lower_for_task
from tacit.planner.plans import Needed, Option, Plan, Rejected
from tacit.planner.sweeps import Sweep, sweep

if TYPE_CHECKING:
    from tacit.planner.questions import Way


class Planner:
    """Say how many records each algorithm needs for a task, and how many any algorithm needs.

    Call it with a task: ``plan(task)``. It reads the two registries and never sees data.
    """

    def __call__(self, task: Task) -> Plan:
        """List every algorithm and every lower bound that applies, with its number of records."""
        return (_plan if _hashable(_in_range(task)) else _plan.__wrapped__)(task)

    def chosen(self, task: Task, algorithm: str | None = None) -> Option:
        """The named algorithm, or the best one that can be run here; an error if there is none."""
        if algorithm is not None:
            return _named(_in_range(task), algorithm)
        best = next((option for option in _kept_options(_in_range(task)) if option.runs), None)
        if best is None:
            raise BadInput(f"no algorithm that can be run fits this task. {_why_none(self(task))}")
        return best

    def sweep(
        self,
        task: Task,
        *,
        epsilon: Sequence[Number] = (),
        alpha: Sequence[Number] = (),
        beta: Sequence[Number] = (),
        delta: Sequence[Number] = (),
        k: Sequence[int] = (),
    ) -> Sweep:
        """Plans over a grid of parameters; see ``Sweep`` for charts and files."""
        axes = {"epsilon": epsilon, "alpha": alpha, "beta": beta, "delta": delta, "k": k}
        given = {name: tuple(values) for name, values in axes.items() if len(values)}
        if not given:
            raise BadInput("name a parameter to sweep, such as epsilon=[0.1, 0.5, 1]")
        return sweep(_checked(task), axes=given, planner=self)

    def records(self, task: Task) -> int | None:
        """The best option's records, or ``None`` if no algorithm applies."""
        options = _kept_options(task)
        return options[0].n if options else None

    def questions(
        self, values: ConceptClass, questions: int, *, privacy: Privacy, accuracy: Accuracy
    ) -> tuple[Way, ...]:
        """The ways to answer so many questions about ``values``, fewest records first.

        Any sets of values may be asked about, each chosen after the earlier answers:
        ``tacit.answering``.
        """
        from tacit.planner.questions import ways

        return ways(values, questions, privacy=privacy, accuracy=accuracy)

    def least_alpha(self, task: Task, n: int) -> Fraction | None:
        """The least error that ``n`` records are planned to reach, to within 0.1%.

        By an algorithm that can be run here; where none can, by any. The task's own ``alpha`` is
        ignored. ``None`` if no error below 1 is reached. The answer is rounded up: planning for
        it with so many (``task.at(n)``) needs at most ``n`` records.
        """
        task, n = _checked(task), whole(n, name="n", least=1)
        run = inverse.least_alpha(task, n=n, planner=_RUNNING)
        return inverse.least_alpha(task, n=n, planner=self) if run is None else run

    def least_epsilon(self, task: Task, n: int) -> Fraction | None:
        """The least ``epsilon`` at which ``n`` records are planned to suffice, to within 0.1%; by
        an algorithm that can be run here, if there is one.

        A larger one need not suffice: see ``gentler``.
        """
        task, n = _checked(task), whole(n, name="n", least=1)
        run = inverse.least_epsilon(task, n=n, planner=_RUNNING)
        return inverse.least_epsilon(task, n=n, planner=self) if run is None else run

    def gentler(self, task: Task, n: int) -> tuple[Fraction, Fraction] | None:
        """A smaller ``epsilon`` at which ``n`` records are planned to err less, and that error.

        One of 1/2, 1/4, ... of the task's; ``None`` where none errs less by half a percent. A draw
        that spends all of epsilon follows its records more closely the larger epsilon is, and less
        is proved of new ones then. By algorithms that can be run here.
        """
        task, n = _checked(task), whole(n, name="n", least=1)
        return inverse.gentler(task, n=n, planner=_RUNNING)

    def fewest(self, task: Task) -> tuple[Fraction, int] | None:
        """Which of 1, 1/2, 1/4, ... of the task's ``epsilon`` needs the fewest records, and how
        many: the largest of equals. By algorithms that can be run here; ``None`` if there is none.
        """
        return inverse.fewest(_checked(task), planner=_RUNNING)

    def most_tasks(self, task: Task, n: int) -> int:
        """The greatest ``k`` for which ``n`` records are planned to suffice, or 0; by an algorithm
        that can be run here, if there is one.
        """
        task, n = _checked(task), whole(n, name="n", least=1)
        run = inverse.most_tasks(task, n=n, planner=_RUNNING)
        return run or inverse.most_tasks(task, n=n, planner=self)


class _Running:
    """Counts only algorithms that can be run on this machine."""

    def records(self, task: Task) -> int | None:
        return next((option.n for option in _kept_options(task) if option.runs), None)


_RUNNING = _Running()


def _kept_options(task: Task) -> tuple[Option, ...]:
    return (_options if _hashable(task) else _options.__wrapped__)(task)[0]


def _named(task: Task, algorithm: str) -> Option:
    """The named algorithm, refused where it does not do the task or cannot be run here."""
    named = for_task(ALGORITHMS[algorithm], task)
    part = named.part(task)
    reason = named.why_not(part)
    if reason is not None:
        raise BadInput(f"the algorithm {algorithm!r} does not fit this task: it {reason}")
    too_large = named.too_large(part)
    if too_large is not None:
        raise BadInput(f"the algorithm {algorithm!r} cannot be run here: it {too_large}")
    return Option(algorithm=named, bound=named.bound(part))


plan = Planner()


def _checked(task: Task) -> Task:
    if not isinstance(task, Task):
        raise BadInput(
            "plan needs a Task, such as Task(Points(bits=64), privacy=..., accuracy=...)"
        )
    return task


def _in_range(task: Task) -> Task:
    """A task that may be asked for; searches may look at others."""
    if not LEAST_EPSILON <= _checked(task).privacy.epsilon <= MOST_EPSILON:
        raise BadInput(OUT_OF_RANGE)
    return task


def _hashable(task: Task) -> bool:
    """Whether plans of the task can be kept: a reference law of the user's own may not be."""
    try:
        hash(_checked(task))
    except TypeError:
        return False
    return True


def _strength(entry: Needed) -> tuple[bool, int, str]:
    return not entry.bound.impossible, -entry.n, entry.name


def _records(option: Option) -> tuple[int, bool, str]:
    """Fewest records first; of equals one that was made for this very class."""
    return option.n, not option.algorithm.applies.classes, option.name


@lru_cache(maxsize=4096)
def _options(task: Task) -> tuple[tuple[Option, ...], tuple[Rejected, ...]]:
    """The algorithms that do the task, fewest records first, and why the others do not."""
    options: list[Option] = []
    rejected: list[Rejected] = []
    drawn = task.drawn  # ``Algorithm.part`` for almost all of them: made once
    for algorithm in (for_task(one, task) for one in ALGORITHMS):
        part = task if algorithm.counts else drawn
        reason = algorithm.why_not(part)
        if reason is None:
            try:
                bound, runs = _kept_bound(algorithm, task, part), algorithm.too_large(part) is None
                options.append(Option(algorithm=algorithm, bound=bound, runs=runs))
                continue
            except BadInput as refusal:
                reason = str(refusal)
            except (ArithmeticError, NumericalDoubt):
                reason = "needs more records than can be computed"
        rejected.append(Rejected(name=algorithm.name, reason=reason))
    return tuple(sorted(options, key=_records)), tuple(rejected)


def _why_none(plan: Plan) -> str:
    """Why no algorithm runs: of those that are made for this class of rules, if there are any.

    What all the others are made for would bury the one reason that can be mended.
    """
    family, goal = type(plan.task.concept_class), plan.task.goal
    made = [one.name for one in ALGORITHMS if family in one.applies.classes and one.goal == goal]
    near = tuple(one for one in plan.rejected if one.name in made)
    if plan.options or not near:
        return plan.explain()
    return " ".join([*rejections(near), "plan(task).explain() says what each other one is for."])


def _kept_bound(algorithm: Algorithm, task: Task, part: Task) -> SampleBound:
    """Records with which ``learn`` keeps the promise, by what is then left of epsilon.

    ``part`` leaves out the most that counts may take, but more epsilon need not be better for a
    draw (``inverse``), so the number is looked at again with what so many records leave.
    """
    bound = algorithm.bound(part)
    while part is not task:
        at = task.at(bound.n if task.privacy.relation.size_is_public else None)
        again = algorithm.bound(at.drawn)
        if again.n <= bound.n:
            break
        bound = again
    return bound


@lru_cache(maxsize=4096)
def _plan(task: Task) -> Plan:
    options, rejected = (_options if _hashable(task) else _options.__wrapped__)(task)
    needed: list[Needed] = []
    inapplicable: list[Rejected] = []
    for source in (lower_for_task(one, task) for one in LOWER_BOUNDS):
        reason = source.why_not(task)
        if reason is None:
            needed.append(Needed(source=source, bound=source.records(task)))
        else:
            inapplicable.append(Rejected(name=source.name, reason=reason))
    return Plan(
        task=task,
        options=options,
        lower_bounds=tuple(sorted(needed, key=_strength)),
        rejected=rejected,
        inapplicable=tuple(inapplicable),
    )


KEPT = (_options, _plan)
"""What is kept of earlier plans, until an algorithm or a bound is added."""
ALGORITHMS.forget += [kept.cache_clear for kept in KEPT]
LOWER_BOUNDS.forget += [kept.cache_clear for kept in KEPT]
