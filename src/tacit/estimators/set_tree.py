"""Readable private trees that may ask about sets of categories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tacit.accounting import Ledger
from tacit.core import ConceptClass, Relation, Sampler
from tacit.core.numbers import Number, whole
from tacit.domains.schema import Schema
from tacit.estimators.tree import TreeClassifier
from tacit.problems.tables.set_trees import SetTrees


class SetTreeClassifier(TreeClassifier):
    """Learn a tree with questions about sets of categories: "job is clerk, nurse or cook".

    One exact draw over all trees of at most two levels; a question about a set has two leaves
    below it. For columns of many categories, such as occupations or codes of diagnoses, where
    one category against all others says little. Every set is in the class: sets of few
    categories have the larger prior, and records that are enough for a large set are more
    than for one category. Against trees without sets little is lost (the proof says how little).

    Parameters are those of ``TreeClassifier`` but for ``costs``, and

    Parameters
    ----------
    depth : "auto", 1 or 2
        At most this many levels; ``"auto"`` is 2, and 1 where a column has so many categories
        (about 290) that two levels would take too long.

    """

    def __init__(
        self,
        *,
        domain: Any = None,
        bins: Any = "auto",
        classes: Sequence[object] = (0, 1),
        other: str = "negative",
        unit: str | None = None,
        rows_per_unit: int = 1,
        depth: Any = "auto",
        epsilon: Number = 1,
        delta: Number = 0,
        alpha: Number = 0.1,
        beta: Number = 0.05,
        error_share: Number | None = "auto",
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
            depth=depth,
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

    def _family(self, schema: Schema) -> ConceptClass:
        if self.depth == "auto":
            return SetTrees.fitting(schema)
        return SetTrees(schema, depth=whole(self.depth, name="depth", least=0))
