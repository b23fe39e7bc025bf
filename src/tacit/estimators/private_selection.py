"""Choose among classifiers under one budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from tacit.accounting import Ledger
from tacit.api import Solved
from tacit.core import BadInput, Relation, Sampler
from tacit.core.numbers import Number
from tacit.domains.schema import Schema
from tacit.estimators.table_base import RuleClassifier
from tacit.problems.tables.best_of import AnyOf, Chosen


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
    domain, bins, classes, epsilon, delta, alpha, beta, error_share, relation, ledger, rng
        As in ``TreeClassifier``.

    Attributes
    ----------
    chosen_ : str
        The name of the classifier that drew the released rule.

    """

    _model: ClassVar[str] = "selection"

    def __init__(
        self,
        estimators: Any = (),
        *,
        tries: int = 4,
        domain: Any = None,
        bins: int = 16,
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = 0.3,
        relation: Relation | str = "replace-one",
        public_columns: Iterable[str] = (),
        ledger: Ledger | None = None,
        rng: Sampler | None = None,
    ) -> None:
        super().__init__(
            domain=domain,
            bins=bins,
            classes=classes,
            other=other,
            unit=unit,
            rows_per_unit=rows_per_unit,
            epsilon=epsilon,
            delta=delta,
            alpha=alpha,
            beta=beta,
            error_share=error_share,
            relation=relation,
            public_columns=public_columns,
            ledger=ledger,
            rng=rng,
        )
        self.estimators = estimators
        self.tries = tries

    def _family(self, schema: Schema) -> AnyOf:
        _check_pairs(self.estimators)
        for name, one in self.estimators:
            if one._costs is not None:
                raise BadInput(
                    f"the classifier {name!r} has costs, and draws are compared by their number "
                    "of mistakes: leave costs out, or fit it by itself"
                )
        return AnyOf(tuple(one._family(schema) for _, one in self.estimators), tries=self.tries)

    def _solve(self, schema: Schema, sample: Any, **persons: Any) -> Solved:
        solved = super()._solve(schema, sample, **persons)
        assert isinstance(solved.found, Chosen)
        self.chosen_ = str(self.estimators[solved.found.candidate][0])
        return solved


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
