"""One file a subject; a file put here is found and listed by itself."""
