"""Readable rules over a table with a schema: trees, lists, boxes, clauses, scores."""
