"""What a classifier over a table was made with, and its certificate computed anew from that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tacit.core import BadInput, Release
from tacit.core.certificate import Certificate, Measured
from tacit.core.numbers import show
from tacit.core.recipe import rebuilds
from tacit.domains.schema import Schema
from tacit.problems.tables.checked import Checked
from tacit.report.class_records import schema_from_record

if TYPE_CHECKING:
    from tacit.estimators.table_certificate import CertifiedClassifier

KIND = "classifier"
_ASKED = ("epsilon", "delta", "relation", "beta")
"""Stated on the certificate already."""
_LEFT = ("domain", "classes", "ledger", "rng", "estimators", "error_share", *_ASKED)
_MOST_CANDIDATES = 1000


def recipe_of(classifier: CertifiedClassifier, schema: Schema, n: int | None) -> dict[str, Any]:
    """The public numbers of a fitted classifier that its certificate does not state already."""
    record = _options(classifier)
    record["options"]["error_share"] = show(classifier._share(n))
    record["kind"] = KIND
    record["schema"] = schema.to_dict()
    record["features_are_public"] = classifier.domain is None
    record["both_labels_declared"] = classifier._classes()[0] is not None
    candidates: Any = classifier.get_params(deep=False).get("estimators")
    if candidates is not None:
        record["candidates"] = [[str(name), _options(one)] for name, one in candidates]
        record["chosen"] = classifier.chosen_
    return record


def _options(classifier: CertifiedClassifier) -> dict[str, Any]:
    given = classifier.get_params(deep=False)
    options = {name: _plain(value) for name, value in given.items() if name not in _LEFT}
    return {"classifier": type(classifier).__name__, "options": options}


def _plain(value: Any) -> Any:
    """A parameter in JSON's own types."""
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, str) or value is None:
        return value
    return int(value)


@rebuilds(KIND)
def _rebuilt(stated: Certificate, value: Any) -> Certificate:
    """Build the classifier's mechanism again, and certify the released rule anew."""
    recipe = stated.recipe
    if recipe is None:
        raise BadInput("the certificate does not say what it was made with")
    schema = schema_from_record(recipe["schema"])
    asked = {name: getattr(stated.asked, name) for name in _ASKED}
    domain = None if recipe["features_are_public"] else schema
    classes = (0 if recipe["both_labels_declared"] else None, 1)
    classifier = _classifier(recipe, domain=domain, classes=classes, **asked)
    learner, mechanism = classifier._mechanism(schema, stated.n)
    count = asked["epsilon"] * classifier._share(stated.n)
    if "candidates" in recipe:
        names = [name for name, _ in recipe["candidates"]]
        learner, count = learner[names.index(recipe["chosen"])], count / 3
        classifier.chosen_ = recipe["chosen"]
    found = _checked(value, stated.measured) if stated.measured is not None else value
    release = Release(
        value=found, event=mechanism.event(), claim=mechanism.CLAIM, private=stated.private
    )
    numbers = {"n": stated.n, "beta": asked["beta"], "epsilon": asked["epsilon"]}
    anew: Certificate = classifier.certify(learner, release, schema, count=count, **numbers)
    return replace(anew, recipe=recipe_of(classifier, schema, stated.n), account=stated.account)


def _checked(rule: Any, stated: Measured) -> Checked:
    """The rule with the noisy numbers that the certificate states."""
    numbers = tuple(one.count for one in stated.beside if one.count is not None)
    return Checked(rule=rule, noisy_mistakes=stated.noisy_mistakes, beside=numbers)


def _classifier(record: Mapping[str, Any], **more: Any) -> Any:
    """The classifier that a record names, unfitted."""
    from tacit import estimators
    from tacit.estimators.table_base import RuleClassifier

    name = record["classifier"]
    kind = getattr(estimators, name) if name in estimators.__all__ else None
    if not isinstance(kind, type) or not issubclass(kind, RuleClassifier):
        raise BadInput("the certificate names a classifier that this version does not know")
    options = {key: _tuples(value) for key, value in record["options"].items()}
    if (set(options) & set(_LEFT)) - {"error_share"}:
        raise BadInput("the certificate names options that a recipe does not have")
    if "candidates" in record:
        if len(record["candidates"]) > _MOST_CANDIDATES:
            raise BadInput("the certificate names too many candidates")
        options["estimators"] = [(each, _classifier(one)) for each, one in record["candidates"]]
    return kind(**options, **more)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value
