"""Formulas of k terms."""
