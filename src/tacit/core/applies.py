"""For which tasks an algorithm is made, as data: refusals and the words for it are derived."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from tacit.core.concept import ComparedOtherwise, Counted, Limited, class_name
from tacit.core.relation import Relation
from tacit.core.task import SETTINGS, Task


class Tasks(Enum):
    """How many concepts an algorithm learns from the same records."""

    ONE = "one concept"
    SEVERAL = "several concepts"
    ANY = "one or several concepts"


@dataclass(frozen=True, slots=True)
class Condition:
    """State a further public condition on a task: in words, as a test, and why it is needed.

    ``words``  what the task must be, such as ``a domain of at most 2**20 values``.
    ``holds``  whether a task is so; looks at public numbers only.
    ``why``    how a refusal begins: ``goes through the domain value by value``.
    ``says``   the whole refusal, where it names the task's own numbers.
    """

    words: str
    holds: Callable[[Task], bool]
    why: str = ""
    says: Callable[[Task], str] | None = None

    def refusal(self, task: Task) -> str:
        """What is said to a task that does not meet the condition."""
        if self.says is not None:
            return self.says(task)
        return f"{self.why}: {self.words}" if self.why else f"needs {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Applies:
    """List the tasks that an algorithm is made for.

    ``classes``    the types of class it learns; none means every finite class. It runs on
                   those that can count the mistakes of all their concepts.
    ``proper``     whether its answers lie in the class. A proper answer also serves who
                   asks for an improper one.
    ``relations``  under which it is private; ``because`` says why not under the others.
    ``delta``      whether it needs a delta above 0.
    ``uniform``    whether it needs features with the uniform distribution.
    ``costs``, ``values``  whether it minimises costs, or learns more than two label values.
    ``own_values``  of several labels: whether each may have a number of values of its own.
    ``ignores``    whether a record may be left out at no more than the cost of one that is
                   replaced: ``problems/tables/ignored.proof.md``.
    ``placed``     whether it tells records apart by their place, which rows of persons have not.
    ``persons``    whether it is made for persons with several rows.
    ``by_person``  whether it takes persons by itself, with one row or several. Every other
                   algorithm serves persons by rows of theirs (``tacit.planner.persons``).
    """

    proper: bool
    classes: tuple[type, ...] = ()
    goal: str = "learn"
    settings: tuple[str, ...] = SETTINGS
    relations: tuple[Relation, ...] = tuple(Relation)
    because: str = ""
    delta: bool = False
    tasks: Tasks = Tasks.ONE
    uniform: bool = False
    costs: bool = False
    values: bool = False
    own_values: bool = False
    ignores: bool = False
    placed: bool = False
    persons: bool = False
    by_person: bool = False
    further: tuple[Condition, ...] = ()

    def refusal(self, task: Task) -> str | None:
        """The first public reason why ``task`` is none of these, or ``None``."""
        return (
            self._other_goal(task)
            or self._other_class(task)
            or self._other_answer(task)
            or self._other_privacy(task)
            or self._further(task)
        )

    def _other_goal(self, task: Task) -> str | None:
        if self.goal == task.goal:
            return None
        return "learns rules" if self.goal == "learn" else "makes synthetic tables"

    def _other_class(self, task: Task) -> str | None:
        family = task.concept_class
        if self.classes:
            if type(family) in self.classes:
                return None
            return f"is made for {self._named()}"
        return "needs a finite class" if family.size is None else None

    def uncounted(self, task: Task) -> str | None:
        """Why a class that it has a bound for cannot be run here, or ``None``."""
        family = task.concept_class
        if self.classes:
            return None
        if not isinstance(family, Counted):
            return "weighs every concept of the class, which cannot count all their mistakes"
        return family.too_many if isinstance(family, Limited) else None

    def _other_answer(self, task: Task) -> str | None:
        if task.k > 1 and self.tasks is Tasks.ONE:
            return "releases one table" if self.goal == "sanitize" else "learns one concept"
        if task.k == 1 and self.tasks is Tasks.SEVERAL:
            return "is made for several tasks"
        if self.goal == "learn" and task.setting not in self.settings:
            return f"has a guarantee in the {' and '.join(self.settings)} setting only"
        if self.goal == "learn" and task.output == "proper" and not self.proper:
            return "answers outside the class, and a proper answer was asked for"
        if self.uniform and task.marginal != "uniform":
            return "needs the uniform marginal: marginal='uniform'"
        if (task.costs is not None or task.label_costs) and not self.costs:
            return "counts mistakes, and costs were asked for"
        if task.answers != 2 and not self.values:
            return "learns two label values"
        if any(len(one) > 2 for one in task.label_values) and not self.own_values:
            return "learns two values of each label"
        if task.other == "ignore" and not self.ignores:
            return "has no proof for records that are ignored (other='ignore')"
        if task.other == "ignore" and task.privacy.relation is Relation.LABEL:
            return "takes features as public, and which of them are left would tell of labels"
        return None

    def _other_privacy(self, task: Task) -> str | None:
        relation = task.privacy.relation
        if self.persons and task.privacy.rows_per_unit == 1:
            return "is made for persons with several rows: unit=... and rows_per_unit=..."
        if relation not in self.relations:
            return self.because or f"is not private under the relation {relation.value}"
        if self.delta and not task.privacy.delta:
            return "needs a delta above 0"
        return None

    def _further(self, task: Task) -> str | None:
        broken = (one.refusal(task) for one in self.further if not one.holds(task))
        return next(broken, None)

    def _named(self) -> str:
        return " and ".join(class_name(family) for family in self.classes)

    def words(self) -> str:
        """Which tasks these are, in words."""
        what = self._named() if self.classes else "any finite class"
        parts = [f"synthetic tables for {what}" if self.goal == "sanitize" else what]
        if self.goal == "learn":
            parts += ["proper" if self.proper else "improper", " or ".join(self.settings)]
        if self.tasks is not Tasks.ONE:
            parts.append(self.tasks.value)
        if self.uniform:
            parts.append("uniform marginal")
        if self.persons:
            parts.append("persons with several rows")
        every = len(self.relations) == len(Relation)
        parts.append("every relation" if every else " or ".join(r.value for r in self.relations))
        parts += ["delta above 0"] * self.delta + [one.words for one in self.further]
        return ", ".join(parts)


RECORDS = (Relation.REPLACE_ONE, Relation.ADD_REMOVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaks:
    """List the tasks that a lower bound applies to.

    A bound that is not sure does not apply. None does where public records tell something about
    the features' law, or where rules are compared by something else than their mistakes.

    A bound for the realizable setting and one concept holds for the agnostic setting and for
    more concepts, which ask for more.

    ``classes``    the types of class it is about; none means every class.
    ``proper``     whether the argument needs answers inside the class.
    ``several``    whether it needs several concepts to be learned at once.
    ``settings``   none means every setting.
    ``relations``  under which it binds.
    ``marginals``  the distributions of features that a task may speak of; none means every.
    ``pure``       whether it is about pure privacy only.
    ``alpha``      the error must be below this.
    ``concepts``   the class must have so many.
    """

    classes: tuple[type, ...] = ()
    goal: str = "learn"
    proper: bool = False
    several: bool = False
    settings: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = RECORDS
    marginals: tuple[str, ...] = ("any",)
    pure: bool = False
    alpha: Fraction | None = None
    concepts: int = 0
    further: tuple[Condition, ...] = ()

    def refusal(self, task: Task) -> str | None:
        """The first public reason why the bound does not apply to ``task``, or ``None``."""
        return (
            self._other_goal(task)
            or self._other_class(task)
            or self._other_answer(task)
            or self._other_privacy(task)
            or next((one.refusal(task) for one in self.further if not one.holds(task)), None)
        )

    def _other_goal(self, task: Task) -> str | None:
        if self.goal == task.goal:
            return None
        return "is about learning rules" if self.goal == "learn" else "is about synthetic tables"

    def _other_class(self, task: Task) -> str | None:
        family = task.concept_class
        if self.classes and type(family) not in self.classes:
            return f"is about {self._named()}"
        if family.size is not None and family.size < self.concepts:
            return f"needs {self.concepts} concepts"
        return None

    def _other_answer(self, task: Task) -> str | None:
        if self.several and task.k == 1:
            return "is about several concepts at once"
        if self.settings and task.setting not in self.settings:
            return f"is about the {' and '.join(self.settings)} setting"
        if self.proper and task.output != "proper":
            return "is about proper answers"
        if self.alpha is not None and task.accuracy.alpha >= self.alpha:
            return f"needs alpha below {self.alpha}"
        if task.public is not None:
            return "is about learning without public records"
        if task.costs is not None or task.label_costs:
            return "is about mistakes that count alike"
        if isinstance(task.concept_class, ComparedOtherwise):
            return f"compares no rules by {task.concept_class.compared_by}"
        if self.marginals and task.marginal not in self.marginals:
            if self.marginals == ("any",):
                return "needs a distribution of its own choice"
            return f"is about the {' or '.join(self.marginals)} distribution"
        return None

    def _other_privacy(self, task: Task) -> str | None:
        if task.privacy.relation not in self.relations:
            return "changes whole records, so it does not bind privacy for labels"
        return "is about pure privacy" if self.pure and task.privacy.delta else None

    def _named(self) -> str:
        return " and ".join(class_name(family) for family in self.classes)

    def words(self) -> str:
        """Which tasks these are, in words."""
        what = self._named() if self.classes else "any class"
        parts = [f"synthetic tables for {what}" if self.goal == "sanitize" else what]
        parts += [f"{self.concepts} concepts or more"] * (self.concepts > 0)
        parts += ["several concepts at once"] * self.several
        if self.goal == "learn":
            parts.append("proper answers" if self.proper else "any answer")
            parts.append(" or ".join(self.settings) or "any setting")
        if self.marginals != ("any",):
            parts.append(f"{' or '.join(self.marginals) or 'every'} distribution of features")
        parts += [f"alpha below {self.alpha}"] * (self.alpha is not None)
        every = len(self.relations) == len(Relation)
        parts.append("every relation" if every else " or ".join(r.value for r in self.relations))
        parts += ["pure privacy"] * self.pure + [one.words for one in self.further]
        return ", ".join(parts)
