"""Certificates in every form, of every kind of release; the registry's own rules are kept."""

import base64
import json
import re
from datetime import date
from fractions import Fraction

import numpy as np
import pytest
from tests.golden import classifiers
from tests.report.release_file_cases import paths

import tacit
from tacit import About, Privacy
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.estimators import (
    AdditiveClassifier,
    BoostedTreesClassifier,
    MultiTaskClassifier,
    TreeClassifier,
)
from tacit.queries import Marginals
from tacit.report.formats import FORMATS, _up, registry_record
from tacit.report.release_file import digest_of, read_release, release_record, release_text
from tacit.report.verify import verify_release

NARROW = {"domain": classifiers.NARROW, "bins": 4, "classes": classifiers.LABELS}
DETAILS = {
    "url_slug": str,
    "status": ("Draft",),
    "tier": (1, 2, 3),
    "deployment": {
        "basic": {
            "name": str,
            "data_curators": list,
            "intended_use": str,
            "data_product_type": ("Machine learning model", "Synthetic data"),
            "data_product_region": str,
            "description": str,
            "publication_date": date.fromisoformat,
        },
        "dp_variant": {
            "variant_name": ("Pure DP", "Approximate DP", "Zero-concentrated DP"),
            "data_domain": str,
            "unprotected_quantities": str,
        },
        "privacy_loss": {
            "privacy_unit": str,
            "privacy_unit_details": str,
            "privacy_parameters": {"epsilon": float, "delta": float},
            "privacy_parameters_details": str,
        },
        "deployment_model": {
            "model_name": ("Central",),
            "model_name_details": str,
            "actors": str,
            "release_type": ("One release",),
            "release_type_details": str,
            "data_source_type": ("Static",),
            "access_type": ("Non-interactive",),
            "access_type_details": str,
        },
        "accounting": {"post_processing": str, "composition": str},
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": str,
            "mechanisms": str,
            "justification": str,
        },
        "administrative": {"notes": str, "registry_authors": list},
    },
}
"""The fields of the Deployments Registry in its order, all three tiers, with its kinds and words.

A list of ours, after ``schemas/deployments-schema.yaml`` of opendp/deployments-registry-data as of
2026-07-15 (commit 3e9c812). Left out are the optional ``data_product_sector``, ``rho``,
``data_source_type_details`` and ``sources``.
"""


def fits(record, wanted, at=""):
    """Every field, no other, in this order, each of its kind."""
    left = [name for name in wanted if name in record or name != "delta"]
    assert list(record) == left, at
    for name, value in record.items():
        kind, place = wanted[name], f"{at}/{name}"
        if isinstance(kind, dict):
            fits(value, kind, place)
        elif isinstance(kind, tuple):
            assert value in kind, place
        elif isinstance(kind, type):
            assert isinstance(value, kind), place
            assert value, place
        else:
            assert kind(value), place


def read_yaml(text):
    """The part of YAML that a record is written in, read independently of its writer."""
    root, within = {}, []
    for line in text.splitlines():
        depth, told = (len(line) - len(line.lstrip(" "))) // 2, line.strip()
        if told.startswith("- "):
            holder, name = within[depth - 1]
            holder[name] = [*(holder[name] or []), _read_scalar(told[2:])]
            continue
        name, _, value = told.partition(":")
        holder = root if depth == 0 else within[depth - 1][0].setdefault(within[depth - 1][1], {})
        if holder is None:
            holder = within[depth - 1][0][within[depth - 1][1]] = {}
        holder[name] = _read_scalar(value) if value else None
        within[depth:] = [(holder, name)]
    return root


def _read_scalar(text):
    wide = r"(?<!\\)((?:\\\\)*)\\U([0-9a-f]{8})"
    return json.loads(re.sub(wide, lambda at: at[1] + chr(int(at[2], 16)), text.strip()))


def _ledger():
    return tacit.Ledger.memory(50, "1/1000")


def _tree(kind=TreeClassifier, **more):
    x, y = classifiers._narrow()
    return kind(ledger=_ledger(), **NARROW, **more).fit(x, y).release_


def _several():
    x, y = classifiers._narrow()
    base = TreeClassifier(delta="1/1000", ledger=_ledger(), **NARROW)
    return MultiTaskClassifier(base).fit(x, np.stack([y, y[::-1]], axis=1)).release_


def _persons():
    x, y = classifiers._narrow()
    tree = TreeClassifier(unit="person", rows_per_unit=2, ledger=_ledger(), **NARROW)
    return tree.fit(x, y, groups=np.arange(len(y)) // 2).release_


def _table():
    x, _ = classifiers._narrow()
    queries = Marginals(Schema.of(classifiers.NARROW, bins=4), ways=2)
    return tacit.sanitize(x, queries, privacy=Privacy(1), ledger=_ledger(), rows=20)


KINDS = {
    "rule": _tree,
    "costs": lambda: _tree(costs={"yes": 20}),
    "additive": lambda: _tree(AdditiveClassifier, epsilon=8),
    "boosted": lambda: _tree(BoostedTreesClassifier, rounds=3, epsilon=8, delta="1/1000"),
    "several": _several,
    "persons": _persons,
    "table": _table,
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_release_in_every_form(kind):
    record = release_record(KINDS[kind](), about=About(data_set="<ward> 7"), counted=True)
    release = read_release(release_text(record).encode(), name="r.json")
    told = {form: write(release, None) for form, write in FORMATS.items()}
    assert set(told) == {"markdown", "html", "json", "registry", "in-toto"}
    for words in ("What that means", "Who is protected", "Budget", "Assumed", "Not protected"):
        assert words in told["markdown"]
        assert words in told["html"]
    assert "&lt;ward&gt; 7" in told["html"]
    assert "<script" not in told["html"]
    assert json.loads(told["json"]) == record["certificate"]
    statement = json.loads(base64.b64decode(json.loads(told["in-toto"])["payload"]))
    assert statement["predicate"]["certificate"] == record["certificate"]
    fits(registry_record(release), DETAILS)
    assert read_yaml(told["registry"]) == registry_record(release)
    unit = registry_record(release)["deployment"]["privacy_loss"]["privacy_unit"]
    assert unit == ("person" if kind == "persons" else "record")
    assert record["about"]["unit"] == unit


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("status",), "Done"),
        (("tier",), 4),
        (("deployment", "basic", "name"), ""),
        (("deployment", "basic", "data_curators"), "one"),
        (("deployment", "basic", "publication_date"), "1/1/2026"),
        (("deployment", "dp_variant", "variant_name"), "Local DP"),
        (("deployment", "privacy_loss", "privacy_parameters", "epsilon"), "1"),
        (("deployment", "administrative", "registry_authors"), []),
        (("deployment", "surprise"), "more"),
        (("deployment", "basic", "description"), None),
    ],
)
def test_a_record_that_the_registry_would_refuse_is_refused_here(place, value):
    made = release_record(_tree(), about=About(data_set="ward"), counted=True)
    record = registry_record(read_release(release_text(made).encode(), name="r.json"))
    fits(record, DETAILS)
    holder = _at(record, place[:-1])
    if value is None:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    with pytest.raises((AssertionError, ValueError)):
        fits(record, DETAILS)


def test_the_registrys_yaml_keeps_every_character_and_is_plain_ascii():
    name = 'Zürich "7" \\U0001f600 \N{GRINNING FACE}\N{LINE SEPARATOR}'
    made = release_record(_tree(), about=About(data_set=name), counted=True)
    release = read_release(release_text(made).encode(), name="r.json")
    told = FORMATS["registry"](release, None)
    assert told.isascii()
    assert "\\ud83d" not in told  # half a pair, which YAML takes for a character
    assert read_yaml(told)["deployment"]["basic"]["name"] == name


def test_the_registrys_numbers_are_not_below_the_certificates_and_round_ones_stay():
    for text in ("1", "0.5", "1e-6", "1/3", "0.1", "3.7400000000000001"):
        number = Fraction(text)
        assert Fraction(repr(_up(number))) >= number
    assert (_up(Fraction(1)), _up(Fraction("1e-6"))) == (1.0, 1e-6)


EVIL = "a\x1b[2J\x07\r\x00\x9b1m\u202e\u2028\nHolds: all<script>[x](y) **b**"
"""A name that would clear the screen, forge a line, and begin a tag and a link."""


def _harmless(text):
    assert all(line.isprintable() for line in text.split("\n")), text
    assert not any(line.startswith("Holds: all") for line in text.split("\n"))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_whatever_a_file_names_steers_no_terminal_and_begins_no_tag(kind):
    made = release_record(KINDS[kind](), about=About(data_set="d", label="y"), counted=True)
    texts = [at for at in paths(made) if isinstance(_at(made, at), str)]
    read = 0
    for place in texts:
        record = json.loads(json.dumps(made))
        _at(record, place[:-1])[place[-1]] = EVIL
        try:
            release = read_release(release_text(record).encode(), name="r.json")
        except BadInput as refused:
            _harmless(str(refused))
            continue
        read += 1
        _harmless(release.describe())
        _harmless(str(verify_release(release, seconds=None)))
        told = {form: write(release, None) for form, write in FORMATS.items()}
        for text in told.values():
            _harmless(text)
        assert "<script" not in told["html"]
        code = "      "
        flowing = [line for line in told["markdown"].split("\n") if not line.startswith(code)]
        assert not [line for line in flowing if "<script" in line or "](" in line], place
    assert read > 10


def _at(record, place):
    for step in place:
        record = record[step]
    return record


def test_what_predicts_and_what_is_told_are_the_same_labels():
    made = release_record(_tree(), about=About(), counted=True)
    assert made["classes"] == [made["label"]["negative"], made["label"]["positive"]]
    made["classes"].reverse()
    made["digests"]["release"] = digest_of(made)
    with pytest.raises(BadInput, match="damaged"):
        read_release(release_text(made).encode(), name="r.json")
