"""What ``verify`` finds in a file that says nothing of how it can be computed anew."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit.accounting import About
from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import certified_by_gaussian, certified_error
from tacit.core import ZCDP, Pure, Relation
from tacit.domains import Schema
from tacit.estimators import AdditiveClassifier, MultiTaskClassifier, TreeClassifier
from tacit.problems.marginals.table import SyntheticRows
from tacit.problems.marginals.worst_error import worst_error
from tacit.problems.tables.label_noise import bounded as label_bounds
from tacit.problems.tables.label_noise import noise_of
from tacit.queries import Marginals
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verify import verify_release

LESS = "with less noise than was paid for"
ASKED = {"domain": {"a": (0, 1)}, "bins": 4, "epsilon": 1, "delta": "1/1000"}


def data(rows=600):
    x = np.random.default_rng(2).random((rows, 1))
    return x, (x[:, 0] > 0.5).astype(int)


def without_recipe(release):
    record = json.loads(json.dumps(release_record(release, about=About(), counted=True)))
    record["certificate"]["recipe"] = None
    return record


def read(record):
    record["digests"]["release"] = digest_of(record)
    return read_release(json.dumps(record).encode(), name="r.json")


def verdict(record, stated=None):
    told = {} if stated is None else {"certificate": stated.to_dict()}
    return verify_release(read(record | told), seconds=None)


def test_a_count_of_mistakes_beside_zcdp_is_paid_for_too():
    """Geometric noise cannot be paid for by a rho that is too small for it."""
    x, y = data()
    many = ASKED | {"domain": [(0, 1)] * 40, "ledger": tacit.Ledger.memory(1, "1/1000")}
    record = without_recipe(AdditiveClassifier(**many).fit(np.tile(x, 40), y).release_)
    stated = read(record).certificate
    assert any(isinstance(part, ZCDP) for part in stated.event.parts)
    assert verdict(record)
    for epsilon in (Fraction(1, 2), Fraction(100)):
        found = replace(stated.measured, epsilon=epsilon)
        error = certified_error(
            noisy_mistakes=found.noisy_mistakes,
            n=stated.n,
            prior=found.prior,
            epsilon=epsilon,
            beta=stated.beta / found.draws,
        )
        forged = replace(stated, measured=replace(found, error=error))
        assert LESS in str(verdict(record, forged))


def drawn_at(stated, rate):
    """The certificate with comparisons that follow from this rate."""
    told, given = stated.compared, {"n": stated.n, "rate": rate, "beta": stated.beta}
    among = tuple(
        replace(
            one,
            realizable=occam.realizable_error(prior=one.prior, **given),
            excess=occam.agnostic_excess(prior=one.prior, least_prior=told.least, **given),
        )
        for one in told.among
    )
    return replace(stated, compared=replace(told, rate=rate, among=among))


def test_rules_are_drawn_at_no_higher_rate_than_was_paid_for():
    ledger = tacit.Ledger.memory(1, "1/1000")
    record = without_recipe(TreeClassifier(**ASKED, depth=1, ledger=ledger).fit(*data()).release_)
    stated = read(record).certificate
    rate = stated.compared.rate
    assert verdict(record, drawn_at(stated, rate))
    for more in (2, 1000):
        assert "at a higher rate" in str(verdict(record, drawn_at(stated, more * rate)))


def several():
    x, y = data()
    tree = TreeClassifier(**ASKED, ledger=tacit.Ledger.memory(1, "1/1000"))
    return without_recipe(MultiTaskClassifier(tree).fit(x, np.stack([y, 1 - y], axis=1)).release_)


def bounded(stated, *, variance, labels):
    """The certificate with this noise and these labels, and the bounds that follow from them."""
    each = tuple(
        replace(
            one,
            error=certified_by_gaussian(
                noisy_mistakes=one.noisy_mistakes,
                n=stated.n,
                prior=one.prior,
                variance=variance,
                beta=stated.beta / len(labels),
            ),
        )
        for one in labels
    )
    return replace(stated, several=replace(stated.several, variance=variance, labels=each))


def test_mistakes_on_several_labels_have_no_less_noise_than_was_paid_for():
    record = several()
    stated = read(record).certificate
    found = stated.several
    assert verdict(record)
    assert verdict(record, bounded(stated, variance=found.variance, labels=found.labels))
    for variance in (found.variance / 1000, Fraction(1, 10**6)):
        forged = bounded(stated, variance=variance, labels=found.labels)
        assert LESS in str(verdict(record, forged))


def test_no_label_is_left_out_of_the_errors():
    """One beta for all of them: the others would have smaller bounds."""
    record = several()
    stated = read(record).certificate
    found = stated.several
    forged = bounded(stated, variance=found.variance, labels=found.labels[:1])
    assert "not as many errors as rules" in str(verdict(record, forged))


@pytest.fixture(scope="module")
def balanced():
    """Two named labels of one table, without a delta, whose values count alike."""
    x, y = data()
    table = pd.DataFrame({"a": x[:, 0], "u": y, "v": 1 - y})
    more = {"domain": {"a": (0, 1)}, "bins": 4, "depth": 1, "epsilon": 20, "costs": "balanced"}
    model = TreeClassifier(**more, ledger=tacit.Ledger.memory(20))
    return without_recipe(MultiTaskClassifier(model).fit(table[["a"]], table[["u", "v"]]).release_)


def anew(stated, **other):
    """The certificate with these numbers of several labels, and the bounds that follow from them."""
    found = replace(stated.several, **other)
    noise, sizes = noise_of(found)
    share = stated.beta / len(found.labels)
    labels = (
        label_bounds(one, noise=noise, sizes=sizes, n=stated.n, beta=share) for one in found.labels
    )
    return replace(stated, several=replace(found, labels=tuple(labels)))


def test_numbers_of_records_of_several_labels_have_no_less_noise_and_are_all(balanced):
    stated = read(balanced).certificate
    found = stated.several
    assert verdict(balanced)
    assert verdict(balanced, anew(stated))
    assert LESS in str(verdict(balanced, anew(stated, sizes=found.sizes * 1000)))
    every = [replace(one, size=stated.n) for one in found.labels[0].values]
    more = (replace(found.labels[0], values=tuple(every)), *found.labels[1:])
    assert "are not all records" in str(verdict(balanced, anew(stated, labels=more)))


def test_errors_are_of_the_labels_of_the_rules(balanced):
    stated = read(balanced).certificate
    for labels in (
        stated.several.labels[::-1],
        tuple(replace(one, label=f"my {one.label}") for one in stated.several.labels),
    ):
        assert "not the ones that" in str(verdict(balanced, anew(stated, labels=labels)))


def test_no_prior_is_more_than_all(balanced):
    stated = read(balanced).certificate
    labels = tuple(replace(one, prior=Fraction(100)) for one in stated.several.labels)
    assert not verdict(balanced, anew(stated, labels=labels))


@pytest.mark.parametrize("values", [2, 3])
def test_the_mean_of_the_labels_errors_follows_from_the_numbers_of_their_records(values):
    """It had been taken from a file as it stood there."""
    x, _ = data()
    y = (x[:, 0] * values).astype(int)
    more = {"domain": [(0, 1)], "bins": 4, "depth": 1, "epsilon": 20, "costs": "balanced"}
    model = TreeClassifier(**more, classes=range(values), ledger=tacit.Ledger.memory(20))
    record = without_recipe(model.fit(x, y).release_)
    stated = read(record).certificate
    found = stated.measured
    assert verdict(record)
    for other in (
        replace(found, balanced=found.balanced / 2),
        replace(found, labels=tuple(replace(one, size=None) for one in found.labels)),
        replace(found, labels=tuple(replace(one, size=stated.n) for one in found.labels)),
    ):
        assert not verdict(record, replace(stated, measured=other))


def test_a_private_number_of_records_is_not_stated():
    x, y = data()
    more = ASKED | {"delta": 0, "relation": "add-remove", "ledger": tacit.Ledger.memory(1)}
    record = without_recipe(TreeClassifier(**more).fit(x, y).release_)
    stated = read(record).certificate
    assert verdict(record)
    assert "which is private" in str(verdict(record, replace(stated, n=10**6)))


def counted(stated, **other):
    """The certificate of a table with these numbers, and the bound that follows from them."""
    found = replace(stated.answered, **other)
    error = worst_error(found.noisy_worst, records=found.records, cost=found.cost, beta=stated.beta)
    return replace(stated, answered=replace(found, error=error))


@pytest.mark.parametrize("delta", [0, "1/1000"])
def test_the_error_of_a_table_follows_from_its_count_and_from_what_was_paid(delta):
    x, _ = data()
    release = tacit.sanitize(
        np.hstack([x, x]),
        Marginals(Schema.of([(0, 1)] * 2, bins=4)),
        privacy=tacit.Privacy(1, delta),
        accuracy=tacit.Accuracy("0.2", "0.1"),
        ledger=tacit.Ledger.memory(1, delta),
    )
    record = without_recipe(release)
    stated = read(record).certificate
    found, relation = stated.answered, stated.event.relation
    assert verdict(record, counted(stated))
    small = replace(stated, answered=replace(found, error=found.error / 2))
    assert "not what the noisy worst error says" in str(verdict(record, small))
    many = counted(stated, records=10 * found.records)
    assert "a share of another number of records" in str(verdict(record, many))
    for cost in (Pure(epsilon=9, relation=relation), ZCDP(rho=9, relation=relation)):
        assert LESS in str(verdict(record, counted(stated, cost=cost)))
    other = replace(found.cost, relation=Relation.ADD_REMOVE)
    assert LESS in str(verdict(record, counted(stated, cost=other)))
    claim = replace(found.claim, locator="Theorem 9")
    other = replace(stated, answered=replace(found, claim=claim))
    assert "another theorem" in str(verdict(record, other))


def test_a_table_that_contradicts_its_own_certificate_does_not_hold():
    schema = Schema.of({"smoker": bool, "pregnant": bool, "male": bool})
    queries = Marginals(schema, ways=2, impossible=[{"male": True, "pregnant": True}])
    rows = np.random.default_rng(3).random((300, 3)) < 0.4
    rows[:, 2] &= ~rows[:, 1]
    asked = {"privacy": tacit.Privacy(1), "ledger": tacit.Ledger.memory(9)}
    release = tacit.sanitize(rows, queries, **asked)

    def told(one, **recipe):
        record = json.loads(json.dumps(release_record(one, about=About(), counted=True)))
        record["certificate"]["recipe"] |= recipe
        return verify_release(read(record), seconds=None)

    damaged = "computed anew: it cannot be computed from what the file says"
    assert "'male' is 'True' and 'pregnant' is 'True'" in str(release.certificate)
    assert damaged not in str(told(release))
    assert damaged in str(told(release, each="1/20"))
    cells = release.value.cells.copy()
    cells[0] = schema.coerce([[True, True, True]])[0]
    wrong = replace(release, value=SyntheticRows(schema, cells))
    assert damaged in str(told(wrong))


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_noisy_numbers_behind_the_error_of_a_table_are_said_to_be_claimed(relation):
    rows = np.random.default_rng(3).random((300, 3)) < 0.4
    queries = Marginals(Schema.of([bool, bool, bool]), ways=2)
    asked = {"privacy": tacit.Privacy(1, 0, relation), "ledger": tacit.Ledger.memory(9)}
    release = tacit.sanitize(rows, queries, rows=77, errors=True, **asked)
    stated = release.certificate
    found = stated.answered

    def said(records):
        error = worst_error(found.noisy_worst, records=records, cost=found.cost, beta=stated.beta)
        other = replace(stated, answered=replace(found, records=records, error=error))
        one = replace(release, certificate=other)
        record = json.loads(json.dumps(release_record(one, about=About(), counted=True)))
        return verify_release(read(record), seconds=None)

    told = str(said(found.records)).partition("Claimed")[2]
    assert f"that {found.noisy_worst} is the noisy count of the worst error, the 3 numbers" in told
    private = relation == "add-remove"
    assert (f"and {found.records} that of all records" in told) is private
    # With as many rows as were asked for nothing else tells how many records there are.
    assert bool(said(10**9)) is private
    assert (f"and {10**9} that of all records" in str(said(10**9))) is private
