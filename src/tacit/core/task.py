"""What is asked for, in public numbers only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from tacit.core.concept import ConceptClass, CountsMistakes
from tacit.core.errors import BadInput
from tacit.core.goal import USUAL, TableGoal
from tacit.core.label_values import (
    OTHER,
    check_columns,
    check_names,
    check_other,
    count_answers,
)
from tacit.core.numbers import Number, exact, positive, probability, show, whole
from tacit.core.public import PublicRecords, read_public
from tacit.core.relation import Relation
from tacit.core.task_fields import (
    BALANCED,
    Costs,
    read_costs,
    read_label_costs,
    read_label_values,
    read_share,
    read_unit,
)

C = TypeVar("C")

SETTINGS = ("realizable", "agnostic")
ROWS = ("any", "independent")
OUTPUTS = ("any", "proper", "improper")
GOALS = ("learn", "sanitize")
_WORDS = {"setting": SETTINGS, "output": OUTPUTS, "goal": GOALS, "rows": ROWS}
_RARE = 20
"""Where mistakes have costs, counts must be good for a label that one of so many records has."""
SEVERAL_SHARE = Fraction(1, 10)
"""The part of the budget that counts the mistakes of several rules, unless told otherwise."""


LEAST_EPSILON, MOST_EPSILON = Fraction(1, 10**9), 10**6
"""What may be asked for; parts of a budget may be smaller."""
OUT_OF_RANGE = (
    f"epsilon must lie between {show(LEAST_EPSILON)}, below which there is nothing but noise, and "
    f"{MOST_EPSILON}, above which there is no privacy"
)


@dataclass(frozen=True, slots=True)
class Privacy:
    """``(epsilon, delta)`` under a neighbouring relation, for records or for persons.

    ``unit``           the column that tells persons apart, where a person may have several
                       rows; ``None`` protects each row by itself.
    ``rows_per_unit``  at most so many rows of each person are used.

    >>> Privacy(0.5, relation="label")
    Privacy(epsilon=0.5, label)
    >>> Privacy(1, unit="patient_id", rows_per_unit=3)
    Privacy(epsilon=1, replace-one, each patient_id, at most 3 rows)
    """

    epsilon: Fraction
    delta: Fraction
    relation: Relation
    unit: str | None
    rows_per_unit: int

    def __init__(
        self,
        epsilon: Number,
        delta: Number = 0,
        relation: Relation | str = Relation.REPLACE_ONE,
        *,
        unit: str | None = None,
        rows_per_unit: int = 1,
    ) -> None:
        object.__setattr__(self, "epsilon", positive(epsilon, name="epsilon"))
        object.__setattr__(self, "delta", probability(delta, name="delta", zero="allowed"))
        object.__setattr__(self, "relation", Relation.read(relation))
        object.__setattr__(self, "unit", read_unit(unit))
        rows = whole(rows_per_unit, name="rows_per_unit", least=1)
        object.__setattr__(self, "rows_per_unit", rows)
        if self.rows_per_unit > 1 and self.unit is None:
            raise BadInput("rows_per_unit needs unit=..., the column that tells persons apart")
        if self.rows_per_unit > 1 and self.relation is Relation.LABEL:
            raise BadInput("relation='label' uses one row of each person: rows_per_unit=1")

    def check_range(self) -> Privacy:
        """Refuse an epsilon that says nothing: exact numbers so far from 1 take hours to plan."""
        if not LEAST_EPSILON <= self.epsilon <= MOST_EPSILON:
            raise BadInput(OUT_OF_RANGE)
        return self

    def __repr__(self) -> str:
        delta = f", delta={show(self.delta)}" if self.delta else ""
        rows = f"{self.rows_per_unit} row{'s' if self.rows_per_unit > 1 else ''}"
        unit = "" if self.unit is None else f", each {self.unit}, at most {rows}"
        return f"Privacy(epsilon={show(self.epsilon)}{delta}, {self.relation.value}{unit})"


@dataclass(frozen=True, slots=True)
class Accuracy:
    """With probability ``1 - beta`` the error is at most ``alpha`` (agnostic: above the best)."""

    alpha: Fraction
    beta: Fraction

    def __init__(self, alpha: Number, beta: Number) -> None:
        object.__setattr__(self, "alpha", probability(alpha, name="alpha"))
        object.__setattr__(self, "beta", probability(beta, name="beta"))

    def __repr__(self) -> str:
        return f"Accuracy(alpha={show(self.alpha)}, beta={show(self.beta)})"


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for: class, privacy, accuracy, and what kind of answer will do.

    ``setting``   ``"realizable"`` (some concept makes no error) or ``"agnostic"``.
    ``output``    ``"proper"`` (an element of the class), or ``"any"`` and ``"improper"``: a
                  rule that may lie outside it, which an element of the class will do for.
    ``k``         how many concepts are learned from the same records.
    ``marginal``  ``"any"``, ``"uniform"``, or a public reference distribution.
    ``goal``      ``"learn"`` a rule, or ``"sanitize"``: a synthetic table on which every
                  query of the class is within ``alpha`` of the truth.
    ``table``     the rows and errors of a synthetic table of several columns.
    ``labels``    the names of the ``k`` label columns, where they have names.
    ``values``    how many label values are declared, or their names (the negative one first).
    ``names``     the names of the label values, where they are known.
    ``costs``     what a mistake on a record of each label value costs, in whole numbers up to
                  100 (1 where none is given); ``"balanced"`` lets every label count alike,
                  however rare it is; ``None`` counts every mistake as one.
    ``label_costs``  of several labels: what a mistake on the negative and on the positive value of
                  each costs; none where ``costs`` are for all. ``label_values`` are the names of
                  the values of each, two or more; none where all have the ``values`` above.
    ``other``     what a label does that is none of the declared values, or missing: it counts as
                  the ``"negative"`` one (the first of more than two), or its record is left out
                  (``"ignore"``) and counts as no mistake, or it is a label value of its own,
                  called "other" (``"class"``).
    ``rows``      where persons have several rows: ``"any"`` (these may be alike), or
                  ``"independent"``: each has exactly ``rows_per_unit``, drawn independently.
    ``error_share``  the part of epsilon that pays for counting the released rule's mistakes;
                  ``None`` leaves it to the class: rules over tables are counted, by a share
                  that follows from the number of records (``at``), others are not.
    ``aside``     the epsilon that is set aside for all counts, once the number of records is
                  known: ``at`` fills it in.
    ``public``    records that are nobody's secret (``PublicRecords``), or how many there will
                  be: algorithms may build covers, cut points and priors on them.
    """

    concept_class: ConceptClass
    privacy: Privacy
    accuracy: Accuracy
    setting: str
    output: str
    k: int
    marginal: Any
    goal: str
    table: TableGoal
    labels: tuple[str, ...]
    values: int
    names: tuple[str, ...]
    costs: tuple[tuple[str, int], ...] | str | None
    label_costs: tuple[tuple[int, int], ...]
    label_values: tuple[tuple[str, ...], ...]
    other: str
    rows: str
    error_share: Fraction | None
    aside: Fraction | None
    public: PublicRecords | None
    answers: int = field(init=False, repr=False, compare=False)
    """How many labels a rule may give: the declared values, and "other" where it is one."""

    def __init__(
        self,
        concept_class: ConceptClass,
        *,
        privacy: Privacy,
        accuracy: Accuracy,
        setting: str = "realizable",
        output: str = "any",
        k: int = 1,
        marginal: object = "any",
        goal: str = "learn",
        table: TableGoal = USUAL,
        labels: Iterable[str] = (),
        values: int | Iterable[str] = 2,
        names: Iterable[str] = (),
        costs: Costs = None,
        label_costs: Iterable[Iterable[int]] = (),
        label_values: Iterable[Iterable[str]] = (),
        other: str = "negative",
        rows: str = "any",
        error_share: Number | None = None,
        aside: Number | None = None,
        public: PublicRecords | int | None = None,
    ) -> None:
        if type(concept_class) not in _CLASSES and not _is_class(concept_class):
            raise BadInput("the first argument of Task must be a class such as Thresholds(bits=32)")
        if not isinstance(privacy, Privacy):
            raise BadInput("privacy must be Privacy(epsilon=..., delta=...)")
        if not isinstance(accuracy, Accuracy):
            raise BadInput("accuracy must be Accuracy(alpha=..., beta=...)")
        words = {"setting": setting, "output": output, "goal": goal, "rows": rows}
        for name, word in words.items():
            if word not in _WORDS[name]:
                raise BadInput(f"{name} must be one of {_WORDS[name]}")
        if rows != "any" and privacy.unit is None:
            raise BadInput("rows= is about the rows of one person: name a unit in Privacy")
        plain: dict[str, Any] = {"rows": rows, "goal": goal, "setting": setting}
        plain |= {"output": output, "privacy": privacy, "accuracy": accuracy}
        for name, told in plain.items():
            object.__setattr__(self, name, told)
        object.__setattr__(self, "table", table.checked(goal))
        object.__setattr__(self, "concept_class", concept_class)
        object.__setattr__(self, "k", whole(k, name="k", least=1))
        object.__setattr__(self, "marginal", marginal)
        object.__setattr__(self, "labels", check_columns(labels, k=self.k))
        if not isinstance(values, int):
            names = tuple(values)
            values = len(names)
        object.__setattr__(self, "values", whole(values, name="values", least=2))
        object.__setattr__(self, "names", check_names(names, self.values))
        object.__setattr__(self, "label_costs", read_label_costs(label_costs, k=self.k))
        object.__setattr__(self, "label_values", read_label_values(label_values, k=self.k))
        object.__setattr__(self, "other", check_other(other, self.names))
        object.__setattr__(self, "answers", count_answers(self.values, other))
        told = self.answer_names if self.names else ()
        object.__setattr__(self, "costs", read_costs(costs, told, values=self.answers))
        object.__setattr__(self, "error_share", read_share(error_share))
        object.__setattr__(self, "aside", None if aside is None else exact(aside, name="aside"))
        object.__setattr__(self, "public", read_public(public))

    def of(self, kind: type[C]) -> C:
        """The class, which is of this kind: for algorithms that apply to no other."""
        if not isinstance(self.concept_class, kind):
            raise TypeError(f"this task is not about {kind.__name__}")
        return self.concept_class

    def with_(self, **changes: Any) -> Task:
        """The same task with some fields changed; those of ``Privacy`` and ``Accuracy`` may be
        named directly.
        """
        privacy = {k: changes.pop(k) for k in _PRIVACY if k in changes}
        accuracy = {k: changes.pop(k) for k in ("alpha", "beta") if k in changes}
        if privacy:
            merged: dict[str, Any] = {name: getattr(self.privacy, name) for name in _PRIVACY}
            changes["privacy"] = Privacy(**(merged | privacy))
        if accuracy:
            was: dict[str, Any] = {"alpha": self.accuracy.alpha, "beta": self.accuracy.beta}
            changes["accuracy"] = Accuracy(**(was | accuracy))
        return replace(self, **changes)

    @property
    def answer_names(self) -> tuple[str, ...]:
        """What these labels are called; their numbers, where no names are known."""
        told = self.names or tuple(map(str, range(self.values)))
        return (*told, OTHER) if self.other == "class" else told

    @property
    def counted(self) -> bool:
        """Whether a rule's mistakes can be counted: of one rule, on records, or on one row of each
        person.
        """
        return self.k == 1 and self.goal == "learn"

    @property
    def count(self) -> Fraction:
        """The epsilon that counts the mistakes of the one rule that is learned."""
        share = self.at(None).error_share
        return self.privacy.epsilon * share if share and self.counted else Fraction(0)

    @property
    def several_share(self) -> Fraction:
        """The part of the budget that counts the mistakes of several rules.

        Nothing unless told otherwise where the number of records is private: no bound is proved.
        """
        if self.error_share is not None:
            return self.error_share
        return Fraction(0) if self.privacy.relation is Relation.ADD_REMOVE else SEVERAL_SHARE

    def at(self, n: int | None, *, declared: bool = True) -> Task:
        """The task for ``n`` records (``None``: a private number), its epsilon for counts settled.

        ``declared`` says whether both labels are, so that others can be counted.
        """
        if self.aside is not None:
            return self
        family, share, epsilon = self.concept_class, self.error_share, self.privacy.epsilon
        over_table = isinstance(family, CountsMistakes)
        if not share and not over_table:
            return self
        if not self.counted:
            kept = self.several_share if over_table and self.k > 1 else 0
            return self.with_(error_share=kept, aside=0)
        if not isinstance(family, CountsMistakes):
            return self.with_(aside=epsilon * (share or 0))
        if share is None:
            few = None if n is None else n // (_RARE if self.costs is not None else 1)
            share = family.count_share(n=few, epsilon=epsilon)
        beside = Fraction(0)
        if share and (n is not None or self.costs is None):
            beside = family.beside_cost(
                n=n,
                epsilon=epsilon,
                beta=self.accuracy.beta,
                declared=declared and self.other != "class",
                values=self.answers,
            )
        return self.with_(error_share=share, aside=epsilon * share + beside)

    @property
    def drawn(self) -> Task:
        """The task without the epsilon that is set aside for counts.

        Algorithms are planned and built for it. As long as the number of records is open, the most
        that may be set aside is left out; where it is private, what is set aside for any number.
        """
        if self.aside is None and not self.privacy.relation.size_is_public:
            settled = self.at(None)
            return self if settled is self else settled.drawn
        aside = self.aside
        if aside is None:
            family, share = self.concept_class, self.error_share
            most = share or Fraction(0)
            if isinstance(family, CountsMistakes):
                most = family.most_aside(share)
            aside = self.privacy.epsilon * most if self.counted else Fraction(0)
        if not aside:
            return self
        return self.with_(epsilon=self.privacy.epsilon - aside, error_share=0, aside=0)

    def asked(self, *names: str) -> dict[str, Any]:
        """The named public numbers, as a bound takes them: ``alpha``, ``epsilon``, ..."""
        numbers = {
            "alpha": self.accuracy.alpha,
            "beta": self.accuracy.beta,
            "epsilon": self.privacy.epsilon,
            "delta": self.privacy.delta,
            "relation": self.privacy.relation,
            "setting": self.setting,
            "k": self.k,
        }
        return {name: numbers[name] for name in names}

    def describe(self) -> str:
        """The task in one sentence."""
        what = "a synthetic table" if self.goal == "sanitize" else f"{self.output} output"
        parts = [self.concept_class.describe(), f"{self.setting}, {what}"]
        if self.k > 1:
            parts.append(f"{self.k} tasks")
        if self.answers > 2:
            parts.append(f"{self.answers} label values")
        if self.label_costs:
            parts.append("each label with costs of its own")
        if self.costs == BALANCED:
            parts.append("every label counts alike")
        elif isinstance(self.costs, tuple):
            parts.append("costs " + ", ".join(f"{name}: {cost}" for name, cost in self.costs))
        if self.marginal != "any":
            parts.append(f"marginal {self.marginal}")
        if self.public is not None:
            parts.append(f"the features' law is {self.public.describe()}")
        parts.append(
            f"error {show(self.accuracy.alpha)} with probability {show(1 - self.accuracy.beta)}"
        )
        delta = f", delta {show(self.privacy.delta)}" if self.privacy.delta else ""
        relation = self.privacy.relation.value
        parts.append(f"epsilon {show(self.privacy.epsilon)}{delta} ({relation})")
        if self.privacy.unit is not None:
            rows = self.privacy.rows_per_unit
            at_most = "one row" if rows == 1 else f"at most {rows} rows"
            parts.append(f"for each {self.privacy.unit} ({at_most})")
        return "; ".join(parts)


_PRIVACY = ("epsilon", "delta", "relation", "unit", "rows_per_unit")


_CLASSES: set[type] = set()
"""Types that are known to be classes: asking anew computes their sizes."""


def _is_class(given: object) -> bool:
    """Whether it is a class with values, and not the type of one; remembered by type."""
    if isinstance(given, type) or not isinstance(given, ConceptClass):
        return False
    _CLASSES.add(type(given))
    return True
