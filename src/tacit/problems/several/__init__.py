"""Several concepts from the same records: k rules for one budget."""
