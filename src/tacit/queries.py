"""Classes of queries over the columns of a table, for ``tacit.sanitize``.

``Marginals``   every set of cells of every few columns, within one total variation.
``Conditions``  counts under a few conditions; ``Ranges`` and ``PrefixSums`` of single columns.
``rule_through``  learns a rule on a released table, with what holds of it on the records.
"""

from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges
from tacit.problems.marginals.through import ThroughRule, rule_through

__all__ = ["Conditions", "Marginals", "PrefixSums", "Ranges", "ThroughRule", "rule_through"]
