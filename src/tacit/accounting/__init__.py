"""How costs add up (``composition``) and where they are kept (``Ledger``)."""

from tacit.accounting.about import About, describing, protecting
from tacit.accounting.admission import Remaining
from tacit.accounting.composition import Total, total
from tacit.accounting.entry import Entry
from tacit.accounting.ledgers import Ledger
from tacit.accounting.process import UncountedWarning, ledger

__all__ = [
    "About",
    "Entry",
    "Ledger",
    "Remaining",
    "Total",
    "UncountedWarning",
    "describing",
    "ledger",
    "protecting",
    "total",
]
