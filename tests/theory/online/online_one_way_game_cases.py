"""Cases that several tests share: The game on one-way sequences, its curves and their picture."""

from tacit.classes import OneWaySequences

SMALL = OneWaySequences(bits=49)
