"""Classifiers that look at one public column."""

from __future__ import annotations

from typing import Any, SupportsIndex

from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.estimators.base import TacitClassifier

_DECLARE = (
    "domain must be declared: it is public and never read off the data. Give a number of values "
    "such as domain=1000 (for 0..999) or tacit.domains.Integers(bits=32)"
)


def _size(domain: Any) -> int:
    if domain is None:
        raise BadInput(_DECLARE)
    if isinstance(domain, Integers):
        return domain.size
    if isinstance(domain, bool) or not isinstance(domain, SupportsIndex):
        raise BadInput(_DECLARE)
    return int(Integers(size=int(domain)).size)


class ThresholdClassifier(TacitClassifier):
    """Learn ``column >= t`` privately.

    Parameters
    ----------
    domain : int or Integers
        How many values the column can take (0, 1, ...); larger and smaller ones are
        clamped, missing ones count as 0.
    classes : (negative, positive)
        The two public labels.
    other : "negative" or "ignore"
        What a record does whose label is neither, or missing: it counts as the negative one, or
        is left out; it stays in the number of records and is no mistake.
    unit, rows_per_unit : str, int
        The column that tells persons apart, where they have several rows: whole persons are
        protected then, and at most so many rows of each are used. Ids are taken from that
        column of ``X``, or passed to ``fit`` as ``groups``.
    column : int
        Which column of ``X`` to use.
    epsilon, delta, relation, alpha, beta, setting, output, algorithm
        As in ``Task`` and ``learn``.
    ledger, rng
        Where the cost is recorded, and the source of randomness.

    Attributes
    ----------
    rule_, release_, certificate_, classes_
        The released rule, the release, its certificate, and ``classes``.

    """

    def _concept_class(self) -> Thresholds:
        return Thresholds(size=_size(self.domain))


class PointClassifier(TacitClassifier):
    """Learn ``column = p`` privately; parameters as ``ThresholdClassifier``."""

    def _concept_class(self) -> Points:
        return Points(size=_size(self.domain))


class MatrixClassifier(TacitClassifier):
    """Learn a row of an explicit 0/1 matrix; ``domain`` is that matrix or a ``Table``."""

    def _concept_class(self) -> Table:
        if self.domain is None:
            raise BadInput("domain must be the public 0/1 matrix of the class: concepts by points")
        return self.domain if isinstance(self.domain, Table) else Table(self.domain)
