"""Records that no algorithm could do without. One file per kind of argument."""
