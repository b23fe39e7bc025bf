"""Audit: exact on tiny domains, statistical on any, for our mechanisms and anybody's.

``exact(mechanism, records, n)``     all neighbours, exact divergence
``estimate(mechanism, pairs)``       a certified lower bound on epsilon from samples
``accuracy(algorithm, task)``        a certified check of (alpha, beta) at n
``law``                              where a mechanism's exact law may be registered
"""

from tacit.audit.accuracy_check import AccuracyAudit, accuracy
from tacit.audit.branching import Law
from tacit.audit.enumeration import ExactAudit, exact
from tacit.audit.estimation import Estimate, estimate
from tacit.audit.hard_distributions import Distribution
from tacit.audit.laws import law
from tacit.audit.sampler_laws import NoLaw

__all__ = [
    "AccuracyAudit",
    "Distribution",
    "Estimate",
    "ExactAudit",
    "Law",
    "NoLaw",
    "accuracy",
    "estimate",
    "exact",
    "law",
]
