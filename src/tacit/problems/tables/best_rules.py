"""The default for a table: one draw over all kinds of rules that its public numbers can pay for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from fractions import Fraction
from math import ceil
from typing import ClassVar, Self

from tacit.core import ALGORITHMS, Algorithm, Applies, Relation, SampleBound, Size, Task
from tacit.core.respelled import respelled
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import round_down, spread
from tacit.problems.tables.boosted_or_drawn import (
    FEWEST,
    BoostedOrDrawn,
    beside,
    drawn_share,
    finer,
    paid_rounds,
)
from tacit.problems.tables.deep_trees import FOUR, DeepTrees
from tacit.problems.tables.drawn import DRAWN
from tacit.problems.tables.equally_likely import Kind
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.odds_steps import budget_of
from tacit.problems.tables.records import OverTable, known, one_draw, pays, pays_from
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.sized import SIZE, SizedDraw
from tacit.problems.tables.tiny_rules import tiny_rules
from tacit.problems.tables.tree_learner import too_many_pairs
from tacit.problems.tables.trees import Trees

_USUAL = (16, 32)
"""The cells of a numeric column, where nobody asked for others, that boosting cuts finer."""
_CONSTANT = Fraction(1, 8)
"""The prior of each constant label, all kinds together: above ``1/(1 + e**2)``, so that a draw
errs at most ``1/rate`` more often than the better one (Theorem 3 of ``kinds.proof.md``)."""
_MOST_CONSTANTS, _LEAST_CONSTANTS = 2 * _CONSTANT, Fraction(1, 64)
"""What the kind of the constants may have of the prior."""


@respelled("own_grid", after=1)
@dataclass(frozen=True)
class BestRules(OverTable):
    """Trees, scoring rules and short lists, in one draw; each constant label has an eighth of it.

    Errors are compared with the best tree of two levels. With ``own_grid`` nobody asked for the
    cells of numeric columns, so boosting may cut them finer.
    """

    schema: Schema
    _: KW_ONLY
    own_grid: bool = True
    name: ClassVar[str] = "best rules"
    comparator: ClassVar[str] = "the best tree of two levels"

    @property
    def depth(self) -> int:
        """How many levels there are at least, where trees are drawn."""
        return 2

    @property
    def size(self) -> int:
        """How many rules errors are compared with."""
        return Trees(self.schema, depth=2).size

    @property
    def boosted_schema(self) -> Schema:
        """The columns as boosting cuts them: finer, where nobody asked for their cells."""
        return finer(self.schema, _USUAL) if self.own_grid else self.schema

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations."""
        return cls(Schema.tiny())

    def describe(self) -> str:
        return (
            f"trees, scoring rules and short lists over {self.schema.describe()}, compared with "
            f"{self.comparator}"
        )

    def learner(self, *, epsilon: Fraction, relation: Relation, n: int | None) -> KindsLearner:
        """One draw over all kinds that can pay; ``n`` is ``None`` where it is not known."""
        return self._over(*self.kinds(n=n, rate=epsilon / spread(relation)), epsilon, relation)

    def carried(self, *, epsilon: Fraction, relation: Relation, n: int | None) -> KindsLearner:
        """The draw from all kinds, of as many levels as about ``n`` records carry."""
        every = self.kinds(n=None, rate=epsilon / spread(relation), carried=n)
        return self._over(*every, epsilon, relation)

    def ever(self, *, epsilon: Fraction, relation: Relation) -> KindsLearner:
        """The draw from all kinds that some number of records may be given."""
        kinds = self.all_kinds()
        trees = [kind for kind in kinds if isinstance(kind, Trees)]
        lists = [kind for kind in kinds if not isinstance(kind, Trees)]
        return KindsLearner(
            schema=self.schema,
            trees=tuple(trees),
            lists=tuple(lists),
            shares=shares([*trees, *lists]),
            epsilon=epsilon,
            relation=relation,
        )

    def _over(
        self, trees: list[Trees], lists: list[Kind], epsilon: Fraction, relation: Relation
    ) -> KindsLearner:
        listed = len(trees) == 1
        return (FlippedKinds if listed else KindsLearner)(
            schema=self.schema,
            trees=tuple(trees),
            lists=tuple(lists),
            shares=listed_shares(lists) if listed else shares([*trees, *lists]),
            epsilon=epsilon,
            relation=relation,
        )

    def boosted(self, task: Task, n: int | None) -> BoostedOrDrawn | None:
        """The draw beside boosting, where public numbers leave five rounds or more: Theorem 6."""
        budget, accuracy = budget_of(task), task.accuracy
        part = round_down(budget.share(drawn_share(budget)).bounded)
        if n is None or not part:
            return None
        drawn = self.learner(epsilon=part, relation=budget.relation, n=n)
        deep = [one for one in zip(drawn.trees, drawn.shares, strict=False) if one[0].depth > 1]
        if not deep:
            return None
        prior = max(share * trees.least_prior(2) for trees, share in deep)
        schema = self.boosted_schema
        for rounds in range(paid_rounds(schema, budget=budget, n=n), FEWEST - 1, -1):
            both = beside(drawn, schema, budget=budget, spent=task.privacy.epsilon, rounds=rounds)
            if both.keeps(n=n, prior=prior, alpha=accuracy.alpha, beta=accuracy.beta):
                return both
        return None

    def kinds(
        self, *, n: int | None, rate: Fraction, carried: int | None = None
    ) -> tuple[list[Trees], list[Kind]]:
        """The kinds of rules that ``n`` records at this rate can choose among, constants first.

        ``carried`` is about how many records there are, where ``n`` is not known: it says how rich
        the kinds are, and leaves none out.

        Left out is what could not pay on any table (``records.pays``).
        """
        many = carried if n is None else n
        lists: list[Kind] = [FewCuts(self.schema)]
        ordered = [field for field in self.schema.fields if field.ordered]
        if ordered:
            lists.append(Totals(self.schema))
        if len(ordered) > 1:
            lists.append(Scores.fitting(self.schema, many, rate))
        trees = [Trees(self.schema, depth=2), *self._deeper(many, rate)]
        kept = [one for one in trees if pays(one.least_prior(), n=n, rate=rate)]
        listed = [one for one in lists if pays(one.least_prior(), n=n, rate=rate)]
        return [Trees(self.schema, depth=0), *kept], listed

    def all_kinds(self) -> list[Trees | Kind]:
        """Each kind that some number of records may be given, once, constants first."""
        trees, lists = self.kinds(n=None, rate=Fraction(1))
        deep = [one for parts in FittingTrees(self.schema).every() for one, _ in parts]
        kinds: list[Trees | Kind] = [*trees, *deep, *lists, *_other_scores(self.schema)]
        return list({repr(kind): kind for kind in kinds}.values())

    def _deeper(self, many: int | None, rate: Fraction) -> list[Trees]:
        """Trees of three and four levels, where weighing takes seconds and they could pay."""
        if many is None:
            return []
        weighed = [parts[-1][0] for parts in FittingTrees(self.schema).every()[1:]]
        return [
            one
            for one in weighed
            if pays(one.least_prior(), n=many, rate=rate)
            and (one.depth < FOUR or DeepTrees.can_be_weighed(self.schema, many))
        ]


def shares(kinds: list[Trees | Kind]) -> tuple[Fraction, ...]:
    """The parts of the prior: the first kind's, the constants, then equal ones.

    Equal parts have the smallest largest price ``ln(1/share)``: Theorem 7 of the proof. Other kinds
    hold constants too, so the first kind gets only what each constant lacks.
    """
    if len(kinds) == 1:
        return (Fraction(1),)
    parts = _equal(kinds[1:])
    held = sum(part * constant_prior(kind) for part, kind in zip(parts, kinds[1:], strict=True))
    first = max((_CONSTANT - held) / (Fraction(1, 2) - held), _LEAST_CONSTANTS)
    return (first, *((1 - first) * part for part in parts))


def least_shares(kinds: list[Trees | Kind]) -> tuple[Fraction, ...]:
    """Not above the parts of these kinds in any draw from some of them, constants first."""
    rest = 1 - _MOST_CONSTANTS
    return (_LEAST_CONSTANTS, *(rest * part for part in _equal(kinds[1:])))


def _equal(kinds: Sequence[Trees | Kind]) -> list[Fraction]:
    return [Fraction(1, len(kinds))] * len(kinds)


def listed_shares(lists: Sequence[Kind]) -> tuple[Fraction, ...]:
    """The parts of the prior from copies, as few as there can be: permute-and-flip gains then.

    Rules of the longest list are there once, those of a shorter one so often that their list
    weighs about as much, and each constant label as often as its prior asks.
    """
    longest = max((kind.size for kind in lists), default=0)
    copies = [max(1, round(Fraction(longest, kind.size))) for kind in lists]
    sizes = [number * kind.size for number, kind in zip(copies, lists, strict=True)]
    held = sum(size * constant_prior(kind) for size, kind in zip(sizes, lists, strict=True))
    lacking = (_CONSTANT * sum(sizes) - held) / (1 - 2 * _CONSTANT)
    constants = 2 * max(1, ceil(lacking))
    total = constants + sum(sizes)
    return tuple(Fraction(size, total) for size in (constants, *sizes))


def constant_prior(kind: Trees | Kind) -> Fraction:
    """The prior of each constant label inside a kind; none is counted for scoring rules."""
    if isinstance(kind, Trees):
        return kind.leaf_share(kind.depth) / 2
    return Fraction(1, kind.size) if isinstance(kind, FewCuts | Totals) else Fraction(0)


def _family(task: Task) -> BestRules:
    family = task.concept_class
    assert isinstance(family, BestRules)
    return family


def _samples(task: Task) -> SampleBound:
    """For whichever kinds are drawn from: each has its least share where all of them are.

    Theorem 3 of ``kinds.proof.md``.
    """
    family = _family(task)
    if task.privacy.relation is Relation.ADD_REMOVE:
        task = task.with_(epsilon=task.privacy.epsilon * (1 - SIZE))
    privacy, two = task.privacy, Trees(family.schema, depth=2)
    every = {repr(kind): kind for kind in family.all_kinds()}
    parts = dict(zip(every, least_shares(list(every.values())), strict=True))
    least = min(part * every[key].least_prior() for key, part in parts.items())
    listed = [kind for kind in every.values() if not isinstance(kind, Trees)]
    if listed:
        least = min(least, Fraction(1, 2 * len(listed) * max(one.size for one in listed) + 2))
    prior = parts[repr(two)] * two.least_prior()
    bound = one_draw(task, prior=prior, least_prior=least, gentle=False)
    drawn = pays_from(two.least_prior(), rate=privacy.epsilon / spread(privacy.relation))
    return replace(bound, n=max(bound.n, drawn))


def _other_scores(schema: Schema) -> list[Kind]:
    """All scoring rules that some number of records may be given."""
    ordered = [field for field in schema.fields if field.ordered]
    if len(ordered) < 2:
        return []
    wide = Scores(schema)
    few = min(2, wide.columns)
    return [
        Scores(schema, fewest=few),
        Scores(schema, columns=few, fewest=few),
        Scores(schema, columns=1),
    ]


def _mechanism(
    task: Task, _bound: SampleBound, size: Size
) -> KindsLearner | BoostedOrDrawn | SizedDraw:
    family, privacy, n = _family(task), task.privacy, known(size)
    if n is None and privacy.relation is Relation.ADD_REMOVE:
        return SizedDraw(family=family, epsilon=privacy.epsilon, count=privacy.epsilon * SIZE)
    boosted = family.boosted(task, n)
    if boosted is not None:
        return boosted
    return family.learner(epsilon=privacy.epsilon, relation=privacy.relation, n=n)


BEST_RULES = ALGORITHMS.add(
    Algorithm(
        name="best rules",
        summary="one exact draw over all kinds of rules that the table's public numbers pay for",
        applies=Applies(proper=True, classes=(BestRules,), ignores=True),
        claim=KindsLearner.CLAIM,
        bound=_samples,
        build=_mechanism,
        certify=DRAWN,
        tiny=lambda entry: tiny_rules(entry, BestRules),
        runs=too_many_pairs,
    )
)
