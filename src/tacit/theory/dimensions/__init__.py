"""What decides whether and how cheaply a finite class can be learned privately.

``vc``, ``littlestone``, ``representation``, ``communication`` and ``doubling`` take a class
(a table, a 0/1 array, a CSV path) and return a value or a proved interval, with
witnesses that ``verify`` checks independently of the search.
"""

from tacit.theory.dimensions.checks import verify, why_not
from tacit.theory.dimensions.communication_complexity import communication
from tacit.theory.dimensions.covers import dense_ball, net
from tacit.theory.dimensions.doubling_dimension import doubling
from tacit.theory.dimensions.embedded import thresholds_within
from tacit.theory.dimensions.littlestone_dimension import littlestone
from tacit.theory.dimensions.measured import Measured
from tacit.theory.dimensions.minimal_class import minimal
from tacit.theory.dimensions.online import AugmentedIndex, StandardOptimal
from tacit.theory.dimensions.representation_dimension import representation
from tacit.theory.dimensions.vc_dimension import vc
from tacit.theory.dimensions.witnesses import Witness, witness_from_dict

__all__ = [
    "AugmentedIndex",
    "Measured",
    "StandardOptimal",
    "Witness",
    "communication",
    "dense_ball",
    "doubling",
    "littlestone",
    "minimal",
    "net",
    "representation",
    "thresholds_within",
    "vc",
    "verify",
    "why_not",
    "witness_from_dict",
]
