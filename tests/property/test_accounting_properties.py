"""Laws that totals and ledgers keep for all events."""

from fractions import Fraction as F

from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.accounting import Ledger, total
from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BudgetRefused,
    Composed,
    Pure,
    Relation,
    Selection,
    event_from_dict,
)

amounts = st.fractions(min_value=F(1, 1000), max_value=3, max_denominator=1000)
deltas = st.sampled_from([F(0), F(1, 10**9), F(1, 10**6), F(1, 100)])
relations = st.sampled_from(Relation)


@st.composite
def atoms(draw, relation=relations):
    stated = relation if isinstance(relation, Relation) else draw(relation)
    kind = draw(st.sampled_from([Pure, Selection, Approximate, ZCDP]))
    if kind is ZCDP:
        return ZCDP(rho=draw(amounts), relation=stated)
    if kind is Approximate:
        delta = draw(st.sampled_from([F(1, 10**12), F(1, 10**8), F(1, 1000)]))
        return Approximate(epsilon=draw(amounts), delta=delta, relation=stated)
    return kind(epsilon=draw(amounts), relation=stated)


pure_atoms = st.builds(
    lambda kind, epsilon, relation: kind(epsilon=epsilon, relation=relation),
    st.sampled_from([Pure, Selection]),
    amounts,
    relations,
)
events = st.lists(atoms(), min_size=1, max_size=8)
limits = st.tuples(st.one_of(st.none(), st.integers(1, 12)), deltas)


@given(events, st.randoms(use_true_random=False), deltas)
def test_the_order_of_events_does_not_matter(charged, shuffler, delta):
    mixed = list(charged)
    shuffler.shuffle(mixed)
    first, second = total(charged, delta=delta), total(mixed, delta=delta)
    assert (first.delta, first.relation) == (second.delta, second.relation)
    if first.epsilon is None:
        assert second.epsilon is None
    else:
        assert abs(first.epsilon - second.epsilon) <= first.epsilon * F(1, 10**6)


@given(st.lists(pure_atoms, min_size=1, max_size=8), deltas)
def test_a_total_is_between_its_largest_part_and_the_sum(charged, delta):
    stated = total(charged, delta=delta)
    basic = total(charged)
    factor = 2 if basic.relation is not ADD_REMOVE else 1
    parts = [e.epsilon * (factor if e.relation is ADD_REMOVE else 1) for e in charged]
    assert basic.epsilon == sum(parts)
    assert stated.epsilon <= basic.epsilon
    assert stated.delta <= delta
    # Randomised response shows that one pure part is exact: below it, delta is really needed.
    if delta == 0:
        assert stated.epsilon >= max(parts)


@given(events, atoms(), deltas)
def test_more_events_never_cost_less(charged, more, delta):
    before, after = total(charged, delta=delta), total([*charged, more], delta=delta)
    if after.epsilon is not None and before.epsilon is not None and after.method == before.method:
        # The order is searched in floats, so the best one is met up to a millionth.
        assert after.epsilon >= before.epsilon * (1 - F(1, 10**6))
    assert after.epsilon is None or before.epsilon is not None
    assert after.delta >= before.delta or after.method == "basic"


@given(st.lists(atoms(REPLACE_ONE), min_size=2, max_size=6), deltas)
def test_composing_first_changes_nothing(charged, delta):
    whole = Composed(events=tuple(charged), relation=REPLACE_ONE)
    assert total([whole], delta=delta) == total(charged, delta=delta)
    assert total([event_from_dict(whole.to_dict())], delta=delta) == total(charged, delta=delta)


@given(events, deltas)
def test_a_weaker_relation_costs_more_only_where_it_must(charged, delta):
    label = total(charged, delta=delta, relation=LABEL)
    own = total(charged, delta=delta)
    if own.relation is not ADD_REMOVE:
        assert (own.epsilon, own.delta) == (label.epsilon, label.delta)
    elif own.epsilon is not None and label.epsilon is not None and own.method == label.method:
        assert own.epsilon < label.epsilon or own.epsilon == 0


@settings(max_examples=60, deadline=None)
@given(limits, st.lists(atoms(), max_size=14), st.one_of(st.none(), relations))
def test_a_ledger_never_passes_its_limit_and_a_refusal_leaves_no_trace(limit, charged, relation):
    epsilon, delta = limit
    ledger = Ledger.memory(epsilon, delta, relation=relation)
    accepted = []
    for event in charged:
        before = (ledger.spent, ledger.remaining, len(ledger.entries))
        expected = ledger.would_allow(event)
        try:
            ledger.charge(event)
        except BudgetRefused as refusal:
            assert not expected
            assert (ledger.spent, ledger.remaining, len(ledger.entries)) == before
            words = str(refusal)
            assert "nothing was charged" in words
        else:
            assert expected
            accepted.append(event)
            if epsilon is not None:
                assert ledger.spent.epsilon <= epsilon
                assert ledger.spent.delta <= delta
                assert ledger.spent.epsilon + ledger.remaining.epsilon <= epsilon
                assert ledger.remaining.delta >= 0
    assert [entry.event for entry in ledger.entries] == accepted
    plain = total(accepted, delta=delta, relation=relation)
    if plain.epsilon is not None:
        assert ledger.spent.epsilon <= plain.epsilon
    if epsilon is not None and ledger.remaining.epsilon > 0:
        stated = relation or ledger.spent.relation or REPLACE_ONE
        assert ledger.would_allow(Pure(epsilon=ledger.remaining.epsilon, relation=stated))
        if not delta:
            more = ledger.remaining.epsilon + F(1, 10**9)
            assert not ledger.would_allow(Pure(epsilon=more, relation=stated))
