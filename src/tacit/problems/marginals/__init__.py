"""Synthetic tables of several columns: classes of queries over a schema, and who answers them."""
