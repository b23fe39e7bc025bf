"""Every finite class: selection, sanitizers, and what the other subjects share."""
