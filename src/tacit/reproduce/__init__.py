"""The tables, separations and figures of the five papers, made again: planned, bounded, measured.

Everything here runs on made-up records with seeds, so that it can be repeated.
"""

from tacit.reproduce.experiment import EFFORTS, Effort, Experiment, experiments, named
from tacit.reproduce.runner import Outcome, reproduce

__all__ = ["EFFORTS", "Effort", "Experiment", "Outcome", "experiments", "named", "reproduce"]
