"""``verify`` accepts every release that algorithms and classifiers make, and no changed one."""

import copy
import json
from fractions import Fraction

import numpy as np
import pytest
from tests.contract.test_certificates import WIDE
from tests.golden import classifiers
from tests.golden.tasks import cases
from tests.report.release_file_cases import changed, paths

import tacit
from tacit import estimators
from tacit.accounting import About
from tacit.core import ALGORITHMS, BadInput, Privacy, TacitError
from tacit.domains import Schema
from tacit.problems.tables.shared_trees import EitherTrees
from tacit.queries import Marginals
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verify import State, verify_release

_MOST = 200
CLAIMED = {
    "certificate.account",  # with --ledger it is checked
    "certificate.n",
    *(f"certificate.certified.measured.beside.{place}.count" for place in range(3)),
    *(f"certificate.certified.measured.values.{place}.count" for place in range(3)),
    "certificate.recipe",  # from what it was drawn: only the cost of that is computed
    "certificate.asked.epsilon",  # more may be asked for than is spent
}
"""What a file alone can claim, if its digest is made to fit; a signature or a ledger finds it."""


def verdict(record):
    """In this process: these files are our own."""
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None)


def altered(record, place, value, *, digest):
    other = copy.deepcopy(record)
    inner = other
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    if digest:
        other["digests"]["release"] = digest_of(other)
    return other


def rejected(record):
    try:
        return not verdict(record)
    except BadInput:
        return True


def value_at(record, place):
    for step in place:
        record = record[step]
    return record


def check(release):
    record = release_record(release, about=About(data_set="ward 7"), counted=True)
    found = verdict(record)
    assert found, str(found)
    assert any(one.name == "computed anew" and one.state is State.HOLDS for one in found.checks)
    places = list(paths(record))
    assert len(places) > 60
    cheats = 0
    for place in places:
        value = changed(value_at(record, place))
        assert rejected(altered(record, place, value, digest=False)), place
        name = ".".join(map(str, place))
        # A draw: near an end a bound does not move, and sizes set costs that are rounded.
        noisy = str(place[-1]).startswith("noisy") or place[-1] == "size"
        claimed = noisy or any(name.startswith(one) for one in CLAIMED)
        if place[0] == "certificate" and not claimed:
            assert rejected(altered(record, place, value, digest=True)), place
            cheats += 1
    assert cheats > 35


def first(entry):
    """The first task that the algorithm takes, released from real entropy."""
    for case in (*cases(), *WIDE):
        for delta in (Fraction(0), Fraction(1, 20)):
            task = case.task(delta)
            if entry.why_not(task) is not None or entry.too_large(task) is not None:
                continue
            try:
                n = entry.bound(task).n
            except TacitError:
                continue
            book = tacit.Ledger.memory(5, Fraction(1, 20), relation=case.relation)
            tools = {"algorithm": entry.name, "ledger": book}
            data = case.records(min(n, _MOST))
            if case.rows:
                tools["groups"] = np.arange(len(data[1])) // case.rows
            if task.goal == "sanitize":
                asked = {"privacy": task.privacy, "accuracy": task.accuracy}
                return tacit.sanitize(data, case.concepts, **asked, **tools)
            return tacit.learn(task, data, **tools)
    raise AssertionError(f"no task for {entry.name}")


@pytest.mark.parametrize("name", [entry.name for entry in ALGORITHMS])
def test_every_algorithms_release_is_verified_and_no_changed_one(name):
    check(first(ALGORITHMS[name]))


@pytest.mark.parametrize("kind", sorted(estimators.__all__))
def test_every_classifiers_release_is_verified_and_no_changed_one(kind):
    name, made, (x, y) = next(one for one in classifiers._made() if one[0].startswith(kind))
    inner = made.estimator if hasattr(made, "estimator") else made
    inner.set_params(ledger=tacit.Ledger.memory(100, "1/100", relation=inner.relation))
    fitted = made.fit(x, y)
    assert name.startswith(kind)
    check(fitted.release_)


def test_every_variant_of_a_classifier_is_verified():
    found = 0
    for _name, made, (x, y) in classifiers._made():
        inner = made.estimator if hasattr(made, "estimator") else made
        inner.set_params(ledger=tacit.Ledger.memory(100, "1/100", relation=inner.relation))
        fitted = made.fit(x, y)
        apart = not hasattr(fitted, "release_")
        for part in fitted.estimators_ if apart else [fitted]:
            record = release_record(part.release_, about=About(), counted=True)
            told = verdict(record)
            assert told, (_name, str(told))
            found += 1
    assert found > 40


def test_a_strangers_list_of_comparisons_is_bounded():
    _, made, (x, y) = next(one for one in classifiers._made() if one[0].startswith("TreeClass"))
    made.set_params(ledger=tacit.Ledger.memory(100, "1/100", relation=made.relation))
    record = release_record(made.fit(x, y).release_, about=About(), counted=True)
    among = record["certificate"]["certified"]["compared"]["among"]
    assert verdict(record)
    record["certificate"]["certified"]["compared"]["among"] = among * 3000
    record["digests"]["release"] = digest_of(record)
    assert "more than 2000 comparisons" in str(verdict(record))


NARROW = {"domain": classifiers.NARROW, "bins": 4, "classes": classifiers.LABELS}


def _with_costs(costs):
    x, y = classifiers._narrow()
    return estimators.TreeClassifier(costs=costs, ledger=tacit.Ledger.memory(5), **NARROW).fit(x, y)


def _several_labels(*, shared=False, **more):
    x, y = classifiers._narrow()
    tree = estimators.TreeClassifier(
        delta="1/1000", ledger=tacit.Ledger.memory(50, "1/1000"), **NARROW, **more
    )
    model = estimators.MultiTaskClassifier(tree, shared=shared)
    return model.fit(x, np.stack([y, y[::-1]], axis=1))


def _own_or_shared():
    """The planner takes this from many labels on; it is asked for by name."""
    x, y = classifiers._narrow()
    task = tacit.Task(
        EitherTrees(Schema.of(NARROW["domain"], bins=4), depth=2),
        privacy=tacit.Privacy(5, "1/1000"),
        accuracy=tacit.Accuracy("0.2", "0.1"),
        k=2,
    )
    labels = np.stack([y, y[::-1]], axis=1) == "yes"
    ledger = tacit.Ledger.memory(5, "1/1000")
    return tacit.learn(task, (x, labels), ledger=ledger, algorithm="own or shared questions")


def _of_persons():
    x, y = classifiers._narrow()
    named = tacit.Ledger.memory(5)
    tree = estimators.TreeClassifier(unit="person", rows_per_unit=2, ledger=named, **NARROW)
    return tree.fit(x, y, groups=np.arange(len(y)) // 2)


def _of_three_values(*, rated=False, **more):
    x, y = classifiers._narrow()
    y[::5] = "maybe"
    declared = NARROW | {"classes": ("maybe", "no", "yes")}
    relation = more.get("relation", "replace-one")
    book = tacit.Ledger.memory(5, relation=relation)
    made = estimators.TreeClassifier(ledger=book, **declared, **more)
    return (estimators.RatedClassifier(made) if rated else made).fit(x, y)


def _boosted():
    x, y = classifiers._narrow()
    book = tacit.Ledger.memory(8, "1/1000", relation="add-remove")
    asked = {"rounds": 3, "epsilon": 8, "delta": "1/1000", "relation": "add-remove"}
    return estimators.BoostedTreesClassifier(ledger=book, **asked, **NARROW).fit(x, y)


def _additive():
    x, y = classifiers._narrow()
    book = tacit.Ledger.memory(8, "1/1000", relation="add-remove")
    asked = {"epsilon": 8, "delta": "1/1000", "relation": "add-remove"}
    return estimators.AdditiveClassifier(ledger=book, **asked, **NARROW).fit(x, y)


def _table(*, ways=2, **more):
    x, _ = classifiers._narrow()
    schema = Schema.of(classifiers.NARROW, bins=4)
    asked = {
        "privacy": Privacy(1, **more.pop("privacy", {})),
        "ledger": tacit.Ledger.memory(5, "1/1000"),
    }
    return tacit.sanitize(x, Marginals(schema, ways=ways), **asked, **more)


KINDS = {
    "costs": lambda: _with_costs({"yes": 20}).release_,
    "balanced costs": lambda: _with_costs("balanced").release_,
    "several labels": lambda: _several_labels().release_,
    "several labels, shared questions": lambda: _several_labels(shared=True, depth=2).release_,
    "several labels, own or shared questions": _own_or_shared,
    "several labels, balanced": lambda: _several_labels(costs="balanced", epsilon=20).release_,
    "several labels, not counted": lambda: _several_labels(error_share=0).release_,
    "persons": lambda: _of_persons().release_,
    "three label values": lambda: _of_three_values().release_,
    "three label values, with rates": lambda: _of_three_values(rated=True).release_,
    "three label values, others ignored, number of records private": lambda: (
        _of_three_values(other="ignore", relation="add-remove").release_
    ),
    "boosted, number of records private": lambda: _boosted().release_,
    "additive points, number of records private": lambda: _additive().release_,
    "table of triples": lambda: _table(ways=3, privacy={"delta": "1/1000"}, rows=30),
    "table with errors": lambda: _table(errors=True, rows=30),
    "table, number of records private": lambda: _table(privacy={"relation": "add-remove"}, rows=30),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_release_is_verified_and_no_changed_one(kind):
    check(KINDS[kind]())
