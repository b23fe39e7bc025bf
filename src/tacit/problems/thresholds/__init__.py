"""Thresholds and intervals over an ordered domain."""
