"""What decides whether and how cheaply a finite class can be learned privately.

``vc``, ``littlestone``, ``representation``, ``communication`` and ``doubling`` take a class
(a table, a 0/1 array, a CSV path) and return a value or a proved interval, with
certificates that ``verify`` checks independently of the search.
"""

from tacit.dimensions.certificates import Certificate, certificate_from_dict
from tacit.dimensions.checks import verify, why_not
from tacit.dimensions.communication_complexity import communication
from tacit.dimensions.covers import dense_ball, net
from tacit.dimensions.doubling_dimension import doubling
from tacit.dimensions.embedded import thresholds_within
from tacit.dimensions.littlestone_dimension import littlestone
from tacit.dimensions.measured import Measured
from tacit.dimensions.minimal import minimal
from tacit.dimensions.online import AugmentedIndex, StandardOptimal
from tacit.dimensions.representation_dimension import representation
from tacit.dimensions.vc_dimension import vc

__all__ = [
    "AugmentedIndex",
    "Certificate",
    "Measured",
    "StandardOptimal",
    "certificate_from_dict",
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
]
