"""Several concepts from the same records: k rules for one budget; one file an algorithm."""

from tacit.multitask.rules import Rules

__all__ = ["Rules"]
