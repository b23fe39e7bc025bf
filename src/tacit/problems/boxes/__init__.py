"""Intervals and boxes over whole numbers."""
