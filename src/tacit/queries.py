"""Classes of queries over the columns of a table, for ``tacit.sanitize``.

``Marginals``   every set of cells of every few columns, within one total variation.
``Conditions``  counts under a few conditions; ``Ranges`` and ``PrefixSums`` of single columns.
"""

from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges

__all__ = ["Conditions", "Marginals", "PrefixSums", "Ranges"]
