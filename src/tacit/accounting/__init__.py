"""How costs add up (``composition``) and where they are kept (``Ledger``)."""

from tacit.accounting.composition import Total, total
from tacit.accounting.entry import Entry
from tacit.accounting.ledger import Ledger, Remaining
from tacit.accounting.process import ledger

__all__ = ["Entry", "Ledger", "Remaining", "Total", "ledger", "total"]
