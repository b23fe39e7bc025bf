"""Measurements as ratios to a floor in the same run; never asserted by a test."""
