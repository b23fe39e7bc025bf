"""Concept classes over public domains.

A class knows its domain, its size, how to count the mistakes of all its concepts at
once (``landscape``), and the rule behind each candidate (``hypothesis``).

How large a class is, is said in the same words everywhere: ``bits=`` or ``size=`` is the number
of values of one column (``2**bits`` or ``size``), ``columns=`` the number of columns, and bounds
are ``low=`` and ``high=``. Numbers have names; only a ``Schema`` (or a matrix) has none:
``Trees(schema, depth=2)``.
"""

from tacit.core import concept_classes, public_class
from tacit.problems.boxes.grid_boxes import GridBoxes
from tacit.problems.boxes.grid_intervals import GridIntervals
from tacit.problems.finite.listed import Table
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.one_way.sequences import OneWaySequences
from tacit.problems.parities.parities import Parities
from tacit.problems.paths.paths import Paths
from tacit.problems.points.points import Points
from tacit.problems.points.pseudorandom import PseudorandomPoints
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.real_boxes import RealBoxes, RealIntervals
from tacit.problems.reals.real_thresholds import RealThresholds
from tacit.problems.reals.surfaces import GridBalls, GridHalfspaces
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.set_trees import SetTrees
from tacit.problems.tables.trees import Stumps, Trees
from tacit.problems.thresholds.thresholds import Thresholds

__all__ = [
    "Boxes",
    "Conjunctions",
    "Formulas",
    "GridBalls",
    "GridBoxes",
    "GridHalfspaces",
    "GridIntervals",
    "Halfspaces",
    "Intervals",
    "KTermDnf",
    "Lines",
    "OneWaySequences",
    "Parities",
    "Paths",
    "Points",
    "PseudorandomPoints",
    "RealBoxes",
    "RealIntervals",
    "RealThresholds",
    "Scores",
    "SetTrees",
    "Stumps",
    "Table",
    "Thresholds",
    "Trees",
]

for _name in __all__:
    public_class(globals()[_name])


def __getattr__(name: str) -> type:
    """A class of a file that is listed nowhere."""
    found = None if name.startswith("_") else concept_classes().get(name)
    if found is None:
        raise AttributeError(f"there is no public class {name!r}")
    return found
