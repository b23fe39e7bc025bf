"""What can go wrong, and the exit code the command line gives it.

A message names a public parameter and what to do about it. It never carries a
value that came from data.
"""


class TacitError(Exception):
    """Anything Tacit refuses to do. ``exit_code`` is what the shell sees."""

    exit_code = 2


class BadInput(TacitError, ValueError):
    """A public parameter, a schema or a file is not what it must be."""


class NumericalDoubt(TacitError, ArithmeticError):
    """A comparison could not be settled; no favourable answer is guessed."""


class ReleaseFailed(TacitError, RuntimeError):
    """A mechanism broke after it was charged; the cause may hold private values."""

    exit_code = 1  # a bug of ours: a script must not take it for input that was refused unpaid


class SourceChanged(TacitError):
    """The records changed between two passes; the message is the same whatever they hold."""


class BudgetRefused(TacitError):
    """The budget does not allow this cost. Nothing was charged or touched."""

    exit_code = 3


class NotDelivered(TacitError):
    """Paid for, but not delivered where asked; the message says where it is kept, if it is."""

    exit_code = 5


class NeedMoreRecords(TacitError):
    """Privacy itself, not accuracy, needs more records than the public ``n``."""

    exit_code = 4
