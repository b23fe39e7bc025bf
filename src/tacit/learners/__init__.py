"""Learners: one file an algorithm, its proof beside it; each joins the registry by existing."""
