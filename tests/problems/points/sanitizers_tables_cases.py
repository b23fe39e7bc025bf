"""Cases that several tests share: Synthetic tables: what they hold, answer and write; and how noisy numbers become rows."""

from tacit.domains import Integers

EIGHT = Integers(size=8)
