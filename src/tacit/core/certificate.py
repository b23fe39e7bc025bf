"""The certificate of a release: what was asked, spent, certified and assumed.

One type for everything that is released. It holds public and released numbers only, all
exact; ``tacit verify`` computes each of them anew. Its words are in ``core/words.py``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import certificate_text, words
from tacit.core.certificate_record import asked_record, certified_record, plain
from tacit.core.claim import Claim
from tacit.core.event import Event
from tacit.core.records import Stored
from tacit.core.relation import Relation
from tacit.core.task_fields import RECORD

VERSION = 1
"""Of the layout and of the theorems' forms; a file names the one it was written with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the caller wanted. ``alpha`` and ``setting`` are ``None`` where none was asked for.

    ``unit`` is the column that tells persons apart, of whom at most ``rows_per_unit`` rows are
    used; ``rows`` what was said about the rows of one person, ``other`` what becomes of a label
    that is none of the declared values. ``values`` are all labels, where there are more than two.
    """

    epsilon: Fraction
    delta: Fraction
    relation: Relation
    beta: Fraction
    alpha: Fraction | None = None
    setting: str | None = None
    marginal: str = "any"
    goal: str = "learn"
    k: int = 1
    unit: str = RECORD
    rows_per_unit: int = 1
    rows: str = "any"
    other: str = "negative"
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What the ledger was charged: the event, and its total at the delta that was asked for.

    ``epsilon`` is ``None`` where the event has no finite one at that delta.
    """

    event: Event
    epsilon: Fraction | None
    delta: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """Which ledger paid, and how it stood right after; ``ledger`` is ``None`` in memory."""

    ledger: str | None
    entry: int
    digest: str
    data_set: str
    limit_epsilon: Fraction | None
    limit_delta: Fraction
    spent_epsilon: Fraction | None
    spent_delta: Fraction
    left_epsilon: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A theorem: from ``needed`` records on, (alpha, beta) is certified."""

    needed: int
    claim: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A number of records that stands beside the mistakes, counted with noise.

    ``what``    "positive" (label), "values" (the most frequent of several), "labels" (declared
                ones), "columns" (all that the rule reads fit their declaration), "alarms" (called
                positive by the rule) or "missed" (positive ones that are not).
    ``within``  the noise is no more than this with probability ``1 - beta``.
    ``needed``  where nothing was counted: how many records it would have needed.
    ``rate``    with probability ``1 - beta`` at most this share of new records is so.
    """

    what: str
    count: int | None = None
    epsilon: Fraction | None = None
    within: int | None = None
    needed: int | None = None
    rate: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnLabel:
    """The mistakes on records of one label value, counted with noise, and what each costs.

    ``rate``  with the others, with probability ``1 - beta``: at most this share of all records
              has this label and is a mistake; ``None`` where their number is private.
    ``size``  the noisy number of records of this label, where it set the costs.
    """

    label: str
    cost: int
    noisy_mistakes: int
    rate: Fraction | None
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OfValue:
    """How many records have one of several label values, counted with noise."""

    label: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Mistakes on the records, counted with noise that ``epsilon`` paid for.

    ``error``  with probability ``1 - beta`` the rule's true error is at most this;
               ``None`` where mistakes have costs and the number of records is private.
    ``noisy_right``  where that number is private: the records that are no mistakes, with noise.
    ``prior``  the public weight of the rule, ``draws`` of how many noisy counts it may be
               the least on average; ``about`` says what errors are fractions of.
    ``beside`` further numbers of the same noisy vector.
    ``labels`` where mistakes have costs: those on each label. ``cost`` is then a bound on the
               mean cost of a record, ``balanced`` one on the mean over the labels of the error
               among their records, where they count alike.
    ``values`` with more than two label values, or a private number of records: how many have each.
    """

    noisy_mistakes: int
    noisy_right: int | None = None
    epsilon: Fraction
    draws: int
    prior: Fraction | None
    error: Fraction | None
    claim: Claim
    about: str = "new records"
    beside: tuple[Counted, ...] = ()
    labels: tuple[OnLabel, ...] = ()
    cost: Fraction | None = None
    balanced: Fraction | None = None
    values: tuple[OfValue, ...] = ()

    @property
    def numbers(self) -> list[int]:
        """All noisy numbers beside the mistakes, in the order in which they were counted."""
        found: list[int] = []
        for one in self.beside:
            if one.what == "values" and one.count is not None:
                found += [each.count for each in self.values]
            elif one.count is not None:
                found.append(one.count)
        return found

    def counted(self, what: str) -> Counted | None:
        """One of the numbers beside the mistakes, if it was wanted."""
        return next((one for one in self.beside if one.what == what), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class MarginalError:
    """The worst error in records of what is asked about these columns together, with noise."""

    columns: tuple[str, ...]
    noisy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The worst error of a table's answers on the records, counted with noise.

    ``noisy_worst``  in records; ``cost`` is what the count was charged.
    ``records``      how many records the table stands for.
    ``error``        with probability ``1 - beta`` no answer errs by more than this share.
    ``promise``      which answers these are, in words.
    ``each``         the error about each set of columns, where it was paid for.
    """

    noisy_worst: int
    cost: Event
    records: int
    error: Fraction
    promise: str
    claim: Claim
    each: tuple[MarginalError, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OneOfSeveral:
    """One label among several: its rule's noisy mistakes, prior and certified error.

    ``values``  where mistakes have costs: those on records of each of its values. ``cost`` is then
                a bound on the mean cost of a record, and ``balanced`` one on the mean over the
                values of the error among their records, where they count alike.
    """

    label: str
    noisy_mistakes: int
    prior: Fraction | None
    error: Fraction | None
    values: tuple[OnLabel, ...] = ()
    cost: Fraction | None = None
    balanced: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """The mistakes of the rules of several labels, counted with noise.

    With probability ``1 - beta`` every ``error`` and ``cost`` holds, all of them at once.

    ``variance``  of the Gaussian noise on each count of one release.
    ``epsilon``   of the geometric noise on each count, where that is what was added: its scale is
                  ``1/epsilon``. Without both, every rule was released by itself, and has a
                  certificate of its own.
    ``sizes``     the same for the numbers of records of each label, where they set the costs: the
                  variance, or the epsilon.
    ``about``     what errors are fractions of, where that is not new records or persons.
    """

    variance: Fraction | None
    claim: Claim
    labels: tuple[OneOfSeveral, ...]
    about: str | None = None
    epsilon: Fraction | None = None
    sizes: Fraction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparator:
    """What holds against the best rule of one public size: each with probability 1 - beta.

    ``realizable``  the error, if such a rule makes none.
    ``excess``      how much more than such a rule the released one may err.
    """

    what: str
    prior: Fraction
    realizable: Fraction
    excess: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """All comparators, with the rate of the draw and the least prior that they share."""

    rate: Fraction
    least: Fraction
    claim: Claim
    among: tuple[Comparator, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """The records of each label in each part of the rule, counted with noise.

    The rule holds the numbers, one a label for each of its ``parts``.

    ``epsilon``  what they cost, a part of what was asked for.
    ``within``   none of them is further off than this, but for probability ``unsure`` in all.
    """

    epsilon: Fraction
    parts: int
    within: int
    unsure: Fraction
    claim: Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """What may be said about a release, and by which theorem.

    ``n``     ``None`` where the relation makes the number of records private.
    ``what``  the class that was drawn from, in words.
    ``recipe``  the other public numbers that the mechanism was built from, in JSON's own
                types: with them a reader computes everything above anew. ``None`` where the
                class is not one of this package.
    """

    asked: Asked
    spent: Spent
    algorithm: str
    what: str
    n: int | None
    private: bool
    privacy_claim: Claim
    planned: Planned | None = None
    measured: Measured | None = None
    compared: Compared | None = None
    answered: Answered | None = None
    several: Several | None = None
    rates: Rates | None = None
    account: Account | None = None
    recipe: Stored | None = None

    @property
    def epsilon(self) -> Fraction | None:
        """What was spent: there is no other epsilon."""
        return self.spent.epsilon

    @property
    def delta(self) -> Fraction:
        return self.spent.delta

    @property
    def event(self) -> Event:
        return self.spent.event

    @property
    def beta(self) -> Fraction:
        return self.asked.beta

    @property
    def needed(self) -> int | None:
        """How many records the theorem needs for (alpha, beta)."""
        return None if self.planned is None else self.planned.needed

    @property
    def accurate(self) -> bool | None:
        """Whether (alpha, beta) is certified; ``None`` where ``n`` is private or none was asked."""
        if self.n is None or self.planned is None:
            return None
        return self.n >= self.planned.needed

    @property
    def noisy_mistakes(self) -> int | None:
        return None if self.measured is None else self.measured.noisy_mistakes

    @property
    def error(self) -> Fraction | None:
        """A bound on the error that was measured on the records."""
        found = self.answered if self.measured is None else self.measured
        return None if found is None else found.error

    @property
    def comparators(self) -> tuple[Comparator, ...]:
        return () if self.compared is None else self.compared.among

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is taken for granted and cannot be checked here, in sentences."""
        return words.assumed(self)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form; numbers are exact, as strings."""
        return {
            "version": VERSION,
            "private": self.private,
            "asked": asked_record(self.asked),
            "spent": plain(self.spent) | {"relation": self.spent.event.relation.value},
            "n": self.n,
            "algorithm": self.algorithm,
            "what": self.what,
            "privacy_theorem": self.privacy_claim.to_dict(),
            "certified": certified_record(self),
            "assumed": list(self.assumed),
            "not_protected": list(words.not_protected(self)),
            "attack": words.attack(self),
            "account": plain(self.account),
            "recipe": None if self.recipe is None else dict(self.recipe),
        }

    def to_json(self) -> str:
        """``to_dict`` as text."""
        return json.dumps(self.to_dict(), indent=2)

    def to_markdown(self) -> str:
        """The certificate for people: one screen for an officer, then an annex."""
        return certificate_text.page(self)

    def summary(self) -> str:
        """Privacy, error and budget on half a screen."""
        return certificate_text.summary(self)

    def _repr_html_(self) -> str:
        return certificate_text.html(self)

    def __str__(self) -> str:
        return self.to_markdown()
