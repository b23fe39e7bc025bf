"""Cases that several tests share: Exact privacy of frequent values: selected, above a threshold, or by a gap test."""

from tacit.domains import Integers

DOMAIN = Integers(size=4)
