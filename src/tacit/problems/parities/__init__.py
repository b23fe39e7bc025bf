"""Parities: a secret subset of bits."""
