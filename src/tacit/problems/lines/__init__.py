"""Lines of a finite plane."""
