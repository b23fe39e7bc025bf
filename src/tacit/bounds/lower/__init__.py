"""Records that every algorithm needs. One file per kind of argument."""
