"""Sanitizers: a synthetic table that answers every query of a class; one file an algorithm."""

from tacit.sanitizers.synthetic import SyntheticTable

__all__ = ["SyntheticTable"]
