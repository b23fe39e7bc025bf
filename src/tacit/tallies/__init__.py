"""Counts of records, batch by batch, and the searches that need nothing else."""
