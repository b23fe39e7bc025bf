"""Audit: exact on tiny domains, statistical on any, for our mechanisms and anybody's.

``exact(mechanism, records, n)``     all neighbours, exact divergence
``estimate(mechanism, pairs)``       a certified lower bound on epsilon from samples
``accuracy(algorithm, task)``        a certified check of (alpha, beta) at n
``law``                              where a mechanism's exact law may be registered
"""

from tacit.checks.audit.accuracy_check import AccuracyAudit, accuracy
from tacit.checks.audit.branching import Law
from tacit.checks.audit.enumeration import ExactAudit, exact
from tacit.checks.audit.estimates import Estimate
from tacit.checks.audit.estimation import estimate
from tacit.checks.audit.hard_distributions import Distribution
from tacit.checks.audit.laws import law
from tacit.checks.audit.sampler_laws import NoLaw

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
