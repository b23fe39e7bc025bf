"""Paths of a rooted tree, and every class of VC dimension 1."""
