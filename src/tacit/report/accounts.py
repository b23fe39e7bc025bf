"""Whether a ledger paid for a release: what the file says of it, and the ledger beside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tacit.accounting import total
from tacit.accounting.composition import WORTH
from tacit.accounting.ledgers import released_by
from tacit.core import Event
from tacit.core.certificate import Account
from tacit.report.release_file import ReleaseFile
from tacit.report.verdict import Check, State, Wrong, test

if TYPE_CHECKING:
    from tacit.accounting import Ledger


def accounted(release: ReleaseFile, ledger: Ledger | None) -> Iterator[Check]:
    """Whether a ledger paid for a release, as far as file and ledger can show it."""
    paid, counts = release.certificate.account, release.record["counted"]
    if paid is not None and (impossible := _impossible(paid, release)):
        yield Check("account", State.FAILS, impossible)
    if not counts and paid is not None and paid.limit_epsilon is not None:
        words = "it says that no ledger counts it, and names one that does"
        yield Check("account", State.FAILS, words)
    if paid is None or (ledger is None and not counts):
        words = "no ledger counts this release; others from the same records may exist"
        # With a ledger at hand that fails: a forger would only have to leave its entry out.
        yield Check("ledger", State.CLAIMED if ledger is None else State.FAILS, words)
    elif ledger is None:
        words = f"that entry {paid.entry} of ledger {paid.ledger} paid for it: check with --ledger"
        words = words if paid.ledger else "that a ledger in memory, which is gone, counted it"
        yield Check("ledger", State.CLAIMED, words)
    else:
        found = test("ledger", lambda: _entry(release, ledger))
        if found.state is State.HOLDS and not _named(paid.entry, ledger):
            words = f"{found.words}; the ledger names no release for it: that it is this one"
            found = Check("ledger", State.CLAIMED, words)
        yield found


def _entry(release: ReleaseFile, ledger: Ledger) -> str:
    paid = release.certificate.account
    assert paid is not None
    if ledger.identity != paid.ledger:
        raise Wrong("this is not the ledger that paid")
    history = ledger.history
    entry = next((one for one in history if one.index == paid.entry), None)
    if entry is None or entry.digest != paid.digest:
        raise Wrong(f"the ledger has no such entry {paid.entry}")
    if entry.event != release.certificate.event:
        raise Wrong(f"entry {paid.entry} was charged another cost than the certificate states")
    if entry.about.unit != release.certificate.asked.unit:
        raise Wrong(f"entry {paid.entry} was charged for the protection of others")
    if (ledger.epsilon, ledger.delta) != (paid.limit_epsilon, paid.limit_delta):
        raise Wrong("the ledger has another limit")
    if ledger.data_set != paid.data_set:
        raise Wrong("the ledger is kept for another data set")
    stated = (paid.spent_epsilon, paid.spent_delta, paid.left_epsilon)
    stood = ledger.standings(since=paid.entry)
    if not any((spent.epsilon, spent.delta, left.epsilon) == stated for spent, left in stood):
        raise Wrong("what was spent and left is not what the ledger adds up to")
    named = _named(paid.entry, ledger)
    if not named:
        return f"entry {paid.entry} of the ledger was charged exactly this cost"
    if release.digest not in named:
        raise Wrong(f"entry {paid.entry} is there, but the ledger does not know this release")
    return f"entry {paid.entry} of the ledger paid for exactly this release"


def _named(entry: int, ledger: Ledger) -> set[str]:
    """The releases that a ledger names for one of its charges."""
    return {one.release for one in ledger.history if one.note == released_by(entry) and one.release}


def _impossible(paid: Account, release: ReleaseFile) -> str | None:
    """What no ledger can have stated, in words; it needs no ledger to be seen."""
    limit, left, data_set = paid.limit_epsilon, paid.left_epsilon, release.about.data_set
    if paid.entry < 1:
        return "the entries of a ledger are numbered from 1 on"
    if limit is not None and limit <= 0:
        return "no ledger has a limit of 0 or less"
    if paid.spent_epsilon is not None and paid.spent_epsilon < 0:
        return "what was spent cannot be less than nothing"
    if left is not None and not 0 <= left <= (left if limit is None else limit):
        return "what is left is not between nothing and the limit"
    if data_set and paid.data_set and data_set != paid.data_set:
        return "it names another data set than the ledger that is said to have paid"
    if not 0 <= paid.spent_delta <= 1 or not 0 <= paid.limit_delta < 1:
        return "a delta is no probability"
    return contrary(paid) or too_little(paid, release.certificate.event)


def contrary(paid: Account) -> str | None:
    """Why limit, spent and left cannot be those of one ledger, or ``None`` where they can."""
    limit, spent, left = paid.limit_epsilon, paid.spent_epsilon, paid.left_epsilon
    if limit is None:
        return None if left is None else "something is left of a ledger without a limit"
    if spent is None or left is None:
        return "a ledger with a limit knows what was spent and what is left"
    if spent > limit or paid.spent_delta > paid.limit_delta:
        return "more was spent than the limit of the ledger"
    # At a delta of 0 totals are plain sums. Above it there are two totals; what is stated as spent
    # is the plain one unless the other saves a twentieth, and what is left follows the smaller.
    exact = not paid.limit_delta
    if (left != limit - spent) if exact else (left > limit - WORTH * spent):
        return "what is left is not what the limit leaves after what was spent"
    return None


def too_little(paid: Account, event: Event) -> str | None:
    """Why the ledger cannot have counted this release, or ``None`` where it can."""
    alone = total([event], delta=paid.limit_delta)
    if alone.epsilon is None:
        return None
    least = alone.epsilon if not paid.limit_delta else WORTH * alone.epsilon
    if paid.spent_epsilon is not None and paid.spent_epsilon < least:
        return "less was spent in all than this release costs"
    return None
