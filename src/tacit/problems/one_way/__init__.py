"""One-way sequences: easy privately, hard online."""
