"""Table learners so small that their exact laws can be followed."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.upper.adaptive import adaptive_share
from tacit.core import MECHANISMS, Relation, Tiny
from tacit.core.tiny import COARSE, DELTA, FAINT, Make, divided, labelled
from tacit.domains.schema import Schema
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.tiny_boosting import TINY_NEIGHBOURS
from tacit.problems.marginals.budget import Budget
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import POINTS, SEVERAL
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_learner import BoostedLearner
from tacit.problems.tables.boosted_or_drawn import BoostedOrDrawn
from tacit.problems.tables.boosted_rules import BoostedTrees
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.grown_formulas import GrownFormulaLearner
from tacit.problems.tables.grown_trees import GrownTreeLearner
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_learner import RatedLearner
from tacit.problems.tables.short_lists import FewCuts
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.sized import SizedDraw
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import TreeRule, Trees


def _schema(column: object) -> Schema:
    return Schema.of([column]).declared_complete()


def _checked(epsilon: Fraction) -> CheckedLearner:
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=epsilon / 2)
    return CheckedLearner(learner=learner, epsilon=epsilon / 2)


def _side_by_side(epsilon: Fraction) -> SideBySide:
    each = adaptive_share(epsilon=epsilon, delta=DELTA, k=2)
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=each)
    return SideBySide(learner=learner, k=2, epsilon=epsilon, delta=DELTA)


MECHANISMS.add(
    Tiny(name="CheckedLearner", make=_checked, records=POINTS, n=3, pairs=TINY_NEIGHBOURS)
)
MECHANISMS.add(
    Tiny(
        name="BestOf",
        make=lambda e: BestOf(candidates=(_checked(e / 3),), epsilon=e),
        records=POINTS,
        n=3,
        pairs=TINY_NEIGHBOURS,
    )
)
MECHANISMS.add(
    Tiny(
        name="SideBySide",
        make=_side_by_side,
        records=SEVERAL,
        n=2,
        pairs=[(((0, (1, 1)),) * 4, (*((0, (1, 1)),) * 3, (1, (0, 0))))],
    )
)


def _leaf_rates(epsilon: Fraction) -> LeafRates:
    constant = TreeRule(schema=_schema(bool), root=True)
    return LeafRates(rule=constant, epsilon=epsilon)


MECHANISMS.add(
    Tiny(
        name="LeafRates",
        make=_leaf_rates,
        records=labelled([(0,)]),
        n=2,
        pairs=divided(((0,), 1), ((0,), 0), n=6, at=(6,)),
        faint=COARSE,
        remark="exact for one part",
    )
)


def _rated(epsilon: Fraction) -> RatedLearner:
    learner = TreeLearner(trees=Trees(_schema(bool), depth=0), epsilon=epsilon / 4)
    # Wider noise on two numbers has more outputs than can be followed.
    return RatedLearner(learner=learner, rule_of=lambda rule: rule, epsilon=epsilon)


MECHANISMS.add(
    Tiny(
        name="RatedLearner",
        make=_rated,
        records=labelled([(0,)]),
        n=2,
        pairs=divided(((0,), 1), ((0,), 0), n=6, at=(6,)),
        faint=COARSE,
        remark="exact for one part",
    )
)


def _over_one_cell(name: str, make: Make) -> Tiny:
    # Over two cells there are more trees than can be followed.
    return Tiny(
        name=name,
        make=make,
        records=labelled([(0,)]),
        n=8,
        pairs=divided(((0,), 1), ((0,), 0), n=6, at=(6,)),
        remark="exact over one cell: splits are followed in trees alone",
    )


MECHANISMS.add(
    _over_one_cell(
        "DeepTreeLearner", lambda e: DeepTreeLearner(schema=_schema(range(1)), epsilon=e)
    )
)
MECHANISMS.add(
    _over_one_cell(
        "GrownTreeLearner",
        # With less there is no second draw.
        lambda e: GrownTreeLearner(schema=_schema(range(1)), depth=5, epsilon=4 * e),
    )
)
MECHANISMS.add(
    Tiny(
        name="GrownFormulaLearner",
        make=lambda e: GrownFormulaLearner(
            schema=_schema(bool), form="dnf", clauses=4, columns=1, epsilon=e
        ),
        records=labelled([(False,), (True,)]),
        n=3,
        pairs=divided(((False,), 1), ((True,), 1), n=6, at=(6,)),
    )
)
MECHANISMS.add(
    Tiny(
        name="KindsLearner",
        make=lambda e: KindsLearner(
            schema=_schema(range(2)),
            trees=(Trees(_schema(range(2)), depth=0), Trees(_schema(range(2)), depth=1)),
            lists=(FewCuts(_schema(range(2))),),
            shares=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)),
            epsilon=e,
        ),
        records=labelled([(0,), (1,)]),
        n=3,
        pairs=divided(((0,), 1), ((1,), 1), n=6, at=(6,)),
    )
)
MECHANISMS.add(
    Tiny(
        name="FlippedKinds",
        make=lambda e: FlippedKinds(
            schema=_schema(range(2)),
            trees=(Trees(_schema(range(2)), depth=0),),
            lists=(FewCuts(_schema(range(2))),),
            shares=(Fraction(1, 2), Fraction(1, 2)),
            epsilon=e,
        ),
        records=labelled([(0,), (1,)]),
        n=3,
        pairs=divided(((0,), 1), ((1,), 1), n=6, at=(6,)),
    )
)


def _boosted_or_drawn(epsilon: Fraction) -> BoostedOrDrawn:
    """A constant label or one round over one cell; a large budget leaves few ways to follow."""
    schema = _schema(range(1))
    budget = Budget(amount=128 * epsilon, concentrated=False, relation=Relation.REPLACE_ONE)
    boosted = BoostedLearner(
        family=BoostedTrees(schema, rounds=1),
        rounds=1,
        budget=budget.share(Fraction(1, 2)),
        spent=budget.amount,
        steps=2,
        values=Fraction(4, 5),
        sizes=Fraction(1, 2),
    )
    constants = KindsLearner(
        schema=schema,
        trees=(Trees(schema, depth=0),),
        lists=(),
        shares=(Fraction(1),),
        epsilon=budget.amount * Fraction(9, 20),
    )
    return BoostedOrDrawn(drawn=constants, boosted=boosted, budget=budget, spent=budget.amount)


_ZERO, _ONE = labelled([(0,)])
MECHANISMS.add(
    Tiny(
        name="BoostedOrDrawn",
        make=_boosted_or_drawn,
        records=[_ZERO, _ONE],
        n=2,
        pairs=divided(((0,), 1), ((0,), 0), n=6, at=(6,)),
        only=[((_ZERO, _ZERO), (_ZERO, _ONE)), ((_ZERO, _ONE), (_ONE, _ONE))],
        faint=FAINT,
        remark="exact over one cell: rounds are followed in boosted trees alone",
    )
)
MECHANISMS.add(
    Tiny(
        name="SizedDraw",
        make=lambda e: SizedDraw(family=BestRules(_schema(range(1))), epsilon=e, count=e / 2),
        records=[_ZERO, _ONE],
        n=2,
        pairs=[((_ONE,) * 6, (_ONE,) * 5)],
        faint=Fraction(1, 1 << 20),
        remark="exact over one cell: what a number of records changes is followed in its test",
    )
)
