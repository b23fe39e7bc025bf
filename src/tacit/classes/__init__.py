"""Concept classes over public domains.

A class knows its domain, its size, how to count the mistakes of all its concepts at
once (``landscape``), and the rule behind each candidate (``hypothesis``).
"""

from tacit.classes.clauses import Formulas
from tacit.classes.halfspaces import Halfspaces
from tacit.classes.k_cnf import KTermDnf
from tacit.classes.lines import Lines
from tacit.classes.one_way_sequences import OneWaySequences
from tacit.classes.parities import Parities
from tacit.classes.points import Points
from tacit.classes.products import Boxes, Conjunctions, Intervals
from tacit.classes.pseudorandom_points import PseudorandomPoints
from tacit.classes.real_boxes import RealBoxes, RealIntervals
from tacit.classes.real_thresholds import RealThresholds
from tacit.classes.scores import Scores
from tacit.classes.table import Table
from tacit.classes.thresholds import Thresholds
from tacit.classes.trees import Stumps, Trees

__all__ = [
    "Boxes",
    "Conjunctions",
    "Formulas",
    "Halfspaces",
    "Intervals",
    "KTermDnf",
    "Lines",
    "OneWaySequences",
    "Parities",
    "Points",
    "PseudorandomPoints",
    "RealBoxes",
    "RealIntervals",
    "RealThresholds",
    "Scores",
    "Stumps",
    "Table",
    "Thresholds",
    "Trees",
]
