"""Thresholds, intervals, boxes and halfspaces over the reals."""
