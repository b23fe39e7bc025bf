"""One folder a subject: its class, its learners and sanitizers, its bounds and proofs.

Every file joins the registries by existing.
"""
