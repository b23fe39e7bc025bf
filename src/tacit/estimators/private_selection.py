"""Choose among classifiers under one budget."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.accounting import Ledger
from tacit.api import run
from tacit.core import BadInput, ConceptClass, Mechanism, Relation, Sampler
from tacit.core.certificate import Counted
from tacit.core.numbers import exact, positive, probability, whole
from tacit.core.sample import some_records
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.rule_counts import Beside


class PrivateSelection(RuleClassifier):
    """Draw rules from several classifiers and keep the one with the fewest noisy mistakes.

    Each draw may use a third of ``epsilon``; however many are made, the release costs
    ``epsilon`` (``problems/tables/best_of.proof.md``). ``error_share`` of each draw is spent on
    counting its mistakes. Every classifier's own epsilon, ledger and labels are ignored.

    Parameters
    ----------
    estimators : list of (name, classifier)
        Classifiers of this package over the same public schema.
    tries : int
        How many draws are expected.
    domain, bins, classes, epsilon, delta, beta, error_share, relation, ledger, rng
        As in ``TreeClassifier``.

    Attributes
    ----------
    chosen_ : str
        The name of the classifier that drew the released rule.

    """

    def __init__(
        self,
        estimators: Any = (),
        *,
        tries: int = 4,
        domain: Any = None,
        bins: int = 16,
        classes: Any = (0, 1),
        epsilon: Any = 1,
        delta: Any = 0,
        beta: Any = 0.05,
        error_share: Any = 0.3,
        relation: Any = "replace-one",
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            epsilon=epsilon,
            delta=delta,
            beta=beta,
            error_share=error_share,
            relation=relation,
            ledger=ledger,
            rng=rng,
        )
        self.estimators = estimators
        self.tries = tries

    def _mechanism(self, schema: Schema, n: int | None) -> tuple[Any, BestOf]:
        """The candidates' learners, and the selection among them."""
        _check_pairs(self.estimators)
        relation = Relation.read(self.relation)
        epsilon = positive(self.epsilon, name="epsilon")
        share = exact(self.error_share, name="error_share")
        if not 0 < share < 1:
            raise BadInput("error_share must be above 0 and below 1: mistakes decide")
        each = epsilon / 3
        learners = [
            one._learner(schema, epsilon=each * (1 - share), relation=relation, n=n)
            for _, one in self.estimators
        ]
        mechanism = BestOf(
            candidates=tuple(
                CheckedLearner(learner=learner, epsilon=each * share) for learner in learners
            ),
            epsilon=epsilon,
            relation=relation,
            tries=self.tries,
        )
        return learners, mechanism

    def _solve(self, schema: Schema, sample: Any, rows: int) -> None:
        beta = probability(self.beta, name="beta")
        n = some_records(rows) if Relation.read(self.relation).size_is_public else None
        learners, mechanism = self._mechanism(schema, n)
        release = run(mechanism, sample, ledger=self.ledger, rng=self.rng)
        place = release.value.candidate
        self.chosen_ = str(self.estimators[place][0])
        epsilon = positive(self.epsilon, name="epsilon")
        count = epsilon / 3 * exact(self.error_share, name="error_share")
        drew = learners[place]
        self._keep(release, drew, schema, n=n, beta=beta, epsilon=epsilon, count=count)

    def _beside(
        self, schema: Schema, n: int | None
    ) -> tuple[tuple[Beside, ...], tuple[Counted, ...]]:
        # Each draw would pay for these numbers anew.
        del schema, n
        return (), ()

    def _draws(self) -> int:
        # The kept count is the least of a geometric number of them, ``tries`` on average.
        return whole(self.tries, name="tries", least=1)

    def _family(self, schema: Schema) -> ConceptClass:
        del schema
        raise BadInput(
            "a selection among classifiers is not planned as a whole: plan each of them, with a "
            "third of epsilon: plan(TreeClassifier(domain=..., epsilon=epsilon / 3).task())"
        )

    def _prior(self, learner: Any, rule: Any) -> Fraction:
        prior: Fraction = self._drawn_by()._prior(learner, rule)
        return prior / len(self.estimators)

    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        # The best of several draws follows no single law: nothing is said beforehand.
        del learner
        return []

    def _what(self, learner: Any) -> str:
        text: str = self._drawn_by()._what(learner)
        return f"{text} (the best of several draws)"

    def _drawn_by(self) -> Any:
        return dict(self.estimators)[self.chosen_]

    def _learner(
        self, schema: Schema, *, epsilon: Fraction, relation: Relation, n: int | None
    ) -> Mechanism[Any, Any]:
        del schema, epsilon, relation, n
        raise BadInput("a selection cannot be a candidate of another one")


def _check_pairs(estimators: Any) -> None:
    """Refuse anything but table classifiers of this package under different names."""
    try:
        names = [
            name
            for name, one in estimators
            if isinstance(name, str) and isinstance(one, RuleClassifier)
        ]
    except (TypeError, ValueError):
        names = []
    if not names or len(set(names)) != len(list(estimators)):
        raise BadInput(
            "estimators must list (name, classifier) pairs, each name once, such as "
            "[('tree', TreeClassifier()), ('box', BoxClassifier())]"
        )
