"""Points: one value against all others."""
