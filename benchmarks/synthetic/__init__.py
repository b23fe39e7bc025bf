"""Synthetic tables beside those of other libraries; see ``docs/synthetic.md``."""
