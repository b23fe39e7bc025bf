"""Classes over tables so small that the exact laws of their learners can be followed."""

from __future__ import annotations

from collections.abc import Callable

from tacit.core import Algorithm, ConceptClass, Tiny, tiny_task
from tacit.core.tiny import labelled
from tacit.domains.schema import Schema

ONE_CELL = Schema.of([range(1)]).declared_complete()
TWO_CELLS = Schema.of([range(2)]).declared_complete()
LARGE = Schema.of([(0, 1), bool], bins=2).declared_complete()


def tiny_rules(
    entry: Algorithm, family: Callable[[Schema], ConceptClass], *, cells: int = 2
) -> Tiny:
    """An algorithm followed exactly over one or two cells, and sampled over two columns."""
    small = ONE_CELL if cells == 1 else TWO_CELLS
    return tiny_task(
        entry,
        family(small),
        family(LARGE),
        records=labelled([(cell,) for cell in range(cells)]),
        usual=((0.2, False), 1),
        odd=((0.8, True), 0),
    )
