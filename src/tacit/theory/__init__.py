"""Dimensions of concept classes, and learning online."""
