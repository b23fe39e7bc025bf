"""Records that suffice. One file per kind of argument."""
