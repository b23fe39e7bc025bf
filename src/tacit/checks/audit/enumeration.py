"""``audit.exact``: all neighbouring data sets of a tiny domain, and the exact divergence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np

from tacit.accounting import total
from tacit.checks.audit.branching import BITS, MOST, Law, following, kept_law
from tacit.core import (
    ZCDP,
    Approximate,
    BadInput,
    Event,
    Mechanism,
    Pure,
    Relation,
    Sample,
    Selection,
    leaves,
)
from tacit.core.numbers import exact as read_exact
from tacit.core.numbers import positive, show, show_rounded_up, whole
from tacit.core.tiny import FAINT
from tacit.exact.balls import Ball, above, at, ball, below

Record = Any
Dataset = tuple[Record, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactAudit:
    """The worst epsilon of the exact laws on all data sets of ``n`` records.

    ``epsilon``   encloses the least epsilon at the claimed ``delta``; the lower end is
                  certified, the upper end too, but for the probability ``rest``.
    ``violated``  some pair certainly breaks the claim.
    ``worst``     a pair of data sets that attains the lower end.
    ``region``    for that pair, the least miss rate of a test at each false-alarm rate.
    ``coins``     ``"fixed"``: for one drawing of the mechanism's public coins.
    """

    name: str
    relation: Relation
    n: int
    pairs: int
    claimed_epsilon: Fraction
    claimed_delta: Fraction
    epsilon: tuple[Fraction, Fraction]
    rest: Fraction
    worst: tuple[Dataset, Dataset]
    region: tuple[tuple[float, float], ...]
    coins: str

    @property
    def violated(self) -> bool:
        """Whether more was found than is claimed."""
        return self.epsilon[0] > self.claimed_epsilon

    def __str__(self) -> str:
        low, high = (float(end) for end in self.epsilon)
        return (
            f"exact, {self.pairs} pairs of {self.n} records: epsilon in [{low:.6f}, {high:.6f}] "
            f"at delta {show(self.claimed_delta)}; claimed {show_rounded_up(self.claimed_epsilon)}"
        )

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {
            "kind": "exact audit",
            "name": self.name,
            "relation": self.relation.value,
            "n": self.n,
            "pairs": self.pairs,
            "claimed_epsilon": show(self.claimed_epsilon),
            "claimed_delta": show(self.claimed_delta),
            "epsilon": [float(end) for end in self.epsilon],
            "unfollowed_probability": float(self.rest),
            "violated": self.violated,
            "worst_pair": [repr(side) for side in self.worst],
            "public_coins": self.coins,
            "region": [list(point) for point in self.region],
        }


def claim_of(event: Event, delta: Fraction | None = None) -> tuple[Fraction, Fraction]:
    """The epsilon and delta that an event stands for; zCDP is read at the given ``delta``."""
    parts = leaves(event)
    if delta is None or not any(isinstance(part, ZCDP) for part in parts):
        zero = Fraction(0)
        pure = all(isinstance(part, (Pure, Selection)) for part in parts)
        delta = (
            zero
            if pure
            else sum((part.delta for part in parts if isinstance(part, Approximate)), zero)
        )
    epsilon = total([event], delta=delta).epsilon
    if epsilon is None:
        raise BadInput("this event states no epsilon at its own delta; pass epsilon and delta")
    return epsilon, delta


def plain(records: Dataset) -> object:
    """Records as a mechanism takes them: pairs ``(x, y)`` become a sample, numbers an array."""
    if records and isinstance(records[0], tuple):
        return Sample(np.array([r[0] for r in records]), np.array([r[1] for r in records]))
    return np.array(records)


def neighbouring(
    records: Sequence[Record], n: int, relation: Relation, *, order: str = "matters"
) -> Iterator[tuple[Dataset, Dataset]]:
    """Every ordered pair of neighbouring data sets, wherever in the order they differ.

    If the order is ignored, each collection of records comes in one order only.
    """
    every: Iterable[Dataset] = product(records, repeat=n)
    if order == "ignored":
        every = combinations_with_replacement(sorted(records, key=repr), n)
    for data in every:
        for place in range(n):
            if order == "ignored" and place and data[place] == data[place - 1]:
                continue
            if relation is Relation.ADD_REMOVE:
                fewer = (*data[:place], *data[place + 1 :])
                yield data, fewer
                yield fewer, data
                continue
            for other in records:
                same_features = relation is not Relation.LABEL or other[0] == data[place][0]
                if other != data[place] and same_features:
                    yield data, (*data[:place], other, *data[place + 1 :])


def exact(
    mechanism: Mechanism[object, object] | Callable[[object], Law],
    records: Sequence[Record],
    n: int,
    *,
    epsilon: object = None,
    delta: object = None,
    relation: Relation | str | None = None,
    form: Callable[[Dataset], object] = plain,
    order: str = "matters",
    pairs: Sequence[tuple[Dataset, Dataset]] | None = None,
    faint: Fraction = FAINT,
    most: int = MOST,
    name: str | None = None,
    progress: Callable[[str], None] | None = None,
) -> ExactAudit:
    """Compare the exact laws on all neighbouring data sets of ``n`` of these ``records``.

    ``mechanism``  of this package, or registered with ``audit.law``; or any function from
                   data to a ``Law`` (then say ``epsilon`` and ``relation``).
    ``records``    every possible record: numbers, or pairs ``(x, y)``.
    ``form``       how a tuple of records becomes data.
    ``order``      ``"ignored"`` saves work if the order of records does not matter to the
                   mechanism; it is taken on trust.
    ``pairs``      some neighbours, to be compared in both directions in place of all.
    ``faint``      ways to an output that are less likely than this are left out; what they
                   weigh together is ``rest``.
    ``most``       how often the mechanism may be run for one law before it is given up.

    ``NoLaw`` says so if an exact law is not known or too large.
    """
    n = whole(n, name="n", least=1)
    own_epsilon, own_delta, chosen = _claimed(mechanism, epsilon, delta, relation)
    compute: Callable[[object], Law] = (
        partial(kept_law, mechanism, faint=faint, most=most)
        if isinstance(mechanism, Mechanism)
        else mechanism
    )
    laws = _Laws(compute, form, progress)
    listed: Iterable[tuple[Dataset, Dataset]]
    if pairs is None:
        listed = neighbouring(records, n, chosen, order=order)
    else:
        listed = (way for left, right in pairs for way in ((left, right), (right, left)))
    worst, seen = _worst(listed, laws, own_delta, order=order)
    here, there = laws(worst[0]), laws(worst[1])
    low = _certified(here, there, own_delta)
    rest = above(lambda: max((one.rest for one in laws.known.values()), key=float), bits=BITS)
    high = _upper(low, [(laws(a), laws(b)) for a, b in seen], own_delta, rest)
    return ExactAudit(
        name=name or (mechanism.label() if isinstance(mechanism, Mechanism) else "law"),
        relation=chosen,
        n=n,
        pairs=len(seen),
        claimed_epsilon=own_epsilon,
        claimed_delta=own_delta,
        epsilon=(low, high),
        rest=rest,
        worst=worst,
        region=region(here, there),
        coins="fixed" if any(one.coins == "fixed" for one in laws.known.values()) else "none",
    )


def _claimed(
    mechanism: Mechanism[object, object] | Callable[[object], Law],
    epsilon: object,
    delta: object,
    relation: Relation | str | None,
) -> tuple[Fraction, Fraction, Relation]:
    """The epsilon, delta and relation that are put to the test."""
    event = mechanism.event() if isinstance(mechanism, Mechanism) else None
    given = None if delta is None else read_exact(delta, name="delta")
    if event is None and epsilon is None:
        raise BadInput("a function states no epsilon of its own: pass epsilon=")
    if event is not None and epsilon is None:
        own_epsilon, own_delta = claim_of(event, given)
    else:
        own_epsilon, own_delta = positive(epsilon, name="epsilon"), given or Fraction(0)
    if relation is None:
        relation = event.relation if event is not None else Relation.REPLACE_ONE
    return own_epsilon, own_delta, Relation.read(relation)


@dataclass(slots=True)
class _Laws:
    """The law on each data set, worked out once."""

    compute: Callable[[object], Law]
    form: Callable[[Dataset], object]
    progress: Callable[[str], None] | None
    known: dict[Dataset, Law] = field(default_factory=dict)

    def __call__(self, data: Dataset) -> Law:
        if data not in self.known:
            self.known[data] = self.compute(self.form(data))
            if not isinstance(self.known[data], Law):
                raise BadInput(
                    "for an exact audit a function must return an audit.Law: every output with its "
                    "probability; audit.estimate takes functions that return an output"
                )
            if self.progress is not None:
                self.progress(f"{len(self.known)} data sets")
        return self.known[data]


def _worst(
    listed: Iterable[tuple[Dataset, Dataset]], laws: _Laws, delta: Fraction, *, order: str
) -> tuple[tuple[Dataset, Dataset], set[tuple[Dataset, Dataset]]]:
    """The pair of greatest loss, in floats, and all pairs that were compared."""
    best: tuple[float, tuple[Dataset, Dataset]] | None = None
    seen: set[tuple[Dataset, Dataset]] = set()
    with following():
        for left, right in listed:
            if order == "ignored":
                left, right = (tuple(sorted(side, key=repr)) for side in (left, right))
            if (left, right) in seen:
                continue
            seen.add((left, right))
            value = _least_epsilon(laws(left), laws(right), delta)[0]
            if best is None or value > best[0]:
                best = (value, (left, right))
    if best is None:
        raise BadInput("there are no two neighbouring data sets of these records")
    return best[1], seen


def _table(p: Law, q: Law) -> tuple[list[Any], Any, Any]:
    outputs = list(p.masses.keys() | q.masses.keys())
    zero: Any = ball(0)
    here = np.array([float(p.masses.get(output, zero)) for output in outputs])
    there = np.array([float(q.masses.get(output, zero)) for output in outputs])
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.where(there > 0, here / there, np.where(here > 0, np.inf, 0.0)))
    return [outputs[i] for i in order], here[order], there[order]


def _least_epsilon(p: Law, q: Law, delta: Fraction) -> tuple[float, list[Any]]:
    """The least epsilon at ``delta``, in floats, and the set of outputs that demands it.

    For every epsilon the worst set takes the outputs of largest ratio, so only those
    sets are looked at: epsilon is the greatest ``ln((P(S) - delta) / Q(S))``.
    """
    outputs, here, there = _table(p, q)
    rest = float(q.rest)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain = np.log((np.cumsum(here) - float(delta)) / (np.cumsum(there) + rest))
    gain = np.where(np.isnan(gain), -np.inf, gain)
    best = int(np.argmax(gain))
    if delta == 0 and rest == 0:
        # Equal ratios: one output is as good as all of them, and is certified more sharply.
        return float(gain[best]), [outputs[0]]
    return float(gain[best]), outputs[: best + 1]


def _certified(p: Law, q: Law, delta: Fraction) -> Fraction:
    _, outputs = _least_epsilon(p, q, delta)
    zero: Any = ball(0)

    def value() -> Ball:
        here = sum((p.masses.get(output, zero) for output in outputs), zero) - ball(delta)
        there = sum((q.masses.get(output, zero) for output in outputs), zero) + q.rest
        if not here > 0:
            return zero
        # An output that a neighbour never has is an infinite loss: it is told as 10**6.
        return (here / there).log() if there > 0 else ball(10**6)

    return max(Fraction(0), below(value, bits=BITS))


def _upper(
    low: Fraction, pairs: Sequence[tuple[Law, Law]], delta: Fraction, rest: Fraction
) -> Fraction:
    """The least of some epsilons a little above ``low`` that certainly suffices everywhere."""
    for digits in (30, 20, 12, 9, 6, 5, 4, 3, 2, 1):
        guess = low + Fraction(1, 10**digits)
        with at(BITS):
            allowed = ball(delta + rest + Fraction(1, 1 << 100))
            if all(divergence(p, q, guess) <= allowed for p, q in pairs):
                return guess
    return Fraction(10**6)


def divergence(p: Law, q: Law, epsilon: Fraction) -> Ball:
    """``sum max(P - exp(epsilon) Q, 0)`` over the outputs that were followed."""
    factor, zero = ball(epsilon).exp(), ball(0)
    gone, there = zero, q.masses
    for output, mass in p.masses.items():
        gone += (mass - factor * there[output]).max(zero) if output in there else mass
    return gone


def region(p: Law, q: Law) -> tuple[tuple[float, float], ...]:
    """False alarms against misses of the best tests between the two, from (0, 1) to (1, 0)."""
    _, here, there = _table(p, q)
    alarms = np.concatenate(([0.0], np.cumsum(there)))
    misses = 1 - np.concatenate(([0.0], np.cumsum(here)))
    keep = np.unique(np.linspace(0, len(alarms) - 1, 200).astype(int))
    return tuple(
        (float(a), float(max(0.0, b))) for a, b in zip(alarms[keep], misses[keep], strict=True)
    )
