"""Cases that several tests share: Samplers and whole sanitizers draw from their stated laws; wrong parameters are rejected."""

SOME = 30_000
