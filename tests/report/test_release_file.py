"""Release files: written, read, verified; any change is found, and nothing in one runs."""

import base64
import copy
import gc
import hashlib
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.report.release_file_cases import changed, paths

import tacit
from tacit import Accuracy, Ledger, Privacy, Task
from tacit.accounting import About
from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import certified_error
from tacit.checks.testing import seeded
from tacit.classes import GridBoxes, Points, Thresholds
from tacit.cli import main
from tacit.core import BadInput, leaves
from tacit.core.certificate_reader import certificate_from_dict
from tacit.estimators import TreeClassifier
from tacit.report.anew import computed_anew
from tacit.report.formats import FORMATS, registry_record
from tacit.report.release_file import digest_of, load, read_release, release_record, release_text
from tacit.report.signatures import fingerprint, read_public
from tacit.report.verify import State, verify


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch):
    """Our own files need no limits: a process for each would take seconds."""

    def here(release, *, seconds):
        del seconds
        return computed_anew(release, seconds=None)

    monkeypatch.setattr("tacit.report.verify.computed_anew", here)


X = np.arange(600) % 100

SCHEMA = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\nbins = 10\n'


def column_release(ledger=None, **more):
    task = Task(
        Thresholds(size=100),
        privacy=Privacy(1, **more),
        accuracy=Accuracy("0.2", "0.05"),
        setting="agnostic",
    )
    return tacit.learn(task, (X, X >= 40), ledger=ledger or Ledger.memory(2))


def tree_release(**more):
    model = TreeClassifier(domain={"age": (0, 100)}, depth=1, ledger=Ledger.memory(2), **more)
    import pandas as pd

    return model.fit(pd.DataFrame({"age": X}), (X >= 40).astype(int)).release_


def table_release():
    return tacit.sanitize(X, Thresholds(size=100), privacy=Privacy(1), ledger=Ledger.memory(2))


MAKERS = {
    "column": column_release,
    "column, add-remove": lambda: column_release(relation="add-remove"),
    "tree": tree_release,
    "tree, no count": lambda: tree_release(error_share=0),
    "tree, add-remove": lambda: tree_release(relation="add-remove"),
    "table": table_release,
}


def record_of(name):
    about = About(data_set="ward 7", columns=("age",), label="sick", purpose="planning")
    return release_record(MAKERS[name](), about=about, classes=("no", "yes"), counted=True)


def written(tmp_path, record):
    path = tmp_path / "release.json"
    path.write_text(release_text(record))
    return path


@pytest.mark.parametrize("name", MAKERS)
def test_what_was_written_is_read_and_verified(tmp_path, name):
    record = record_of(name)
    path = written(tmp_path, record)
    release = tacit.load(path)
    assert release.about.data_set == "ward 7"
    assert certificate_from_dict(record["certificate"]).to_dict() == record["certificate"]
    verdict = tacit.verify(path)
    assert verdict, str(verdict)
    assert {check.state for check in verdict.checks} == {State.HOLDS, State.CLAIMED}
    assert bool(release.verify()) is True
    names = {check.name for check in verdict.checks if check.state is State.HOLDS}
    assert {"digest", "privacy", "words and bounds", "rule or table", "proofs"} <= names


@pytest.mark.parametrize("name", MAKERS)
def test_the_published_schema_describes_it(name):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(__file__).parents[2] / "docs" / "release.schema.json").read_text())
    record = record_of(name)
    jsonschema.validate(record, schema)
    for part in record:
        if part not in ("classes", "column", "label"):
            less = {key: value for key, value in record.items() if key != part}
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(less, schema)


def test_a_loaded_rule_predicts_with_the_labels_of_the_file(tmp_path):
    release = load(written(tmp_path, record_of("column")))
    answers = release.predict(np.array([0, 99]))
    assert set(answers) <= {"no", "yes"}
    assert release.describe()
    with pytest.raises(BadInput, match="a table"):
        load(written(tmp_path / "..", record_of("table"))).predict([1])


def theorems(record):
    """Every theorem that a file states, wherever it stands."""
    inner = record.values() if isinstance(record, dict) else record
    if isinstance(record, dict) and {"paper", "locator", "statement", "proof"} <= set(record):
        yield record
    for one in inner if isinstance(record, dict | list) else ():
        if isinstance(one, dict | list):
            yield from theorems(one)


@pytest.mark.parametrize("name", MAKERS)
def test_theorems_in_the_words_of_an_earlier_version_are_the_same_theorems(tmp_path, name):
    record = record_of(name)
    stated = list(theorems(record["certificate"]))
    assert stated
    for one in stated:
        one["statement"] += " as it was put before"
    record["digests"]["release"] = digest_of(record)
    assert not verify(written(tmp_path, record)), "these are not the words of this version"
    proofs = record["made"]["proofs"]
    assert {one["proof"] for one in stated} <= set(proofs)
    record["made"]["proofs"] = dict.fromkeys(proofs, "0123456789abcdef")
    record["digests"]["release"] = digest_of(record)
    verdict = verify(written(tmp_path, record))
    assert verdict, str(verdict)
    (checked,) = [check for check in verdict.checks if check.name == "proofs"]
    assert checked.state is State.CLAIMED
    stated[0]["locator"] = "Theorem 99"
    record["digests"]["release"] = digest_of(record)
    assert not verify(written(tmp_path, record))


@pytest.mark.parametrize("name", MAKERS)
def test_any_one_field_changed_is_found(tmp_path, name):
    record, found = record_of(name), 0
    for place in paths(record):
        other = copy.deepcopy(record)
        inner = other
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = changed(inner[place[-1]])
        verdict = verify(written(tmp_path, other))
        assert not verdict, place
        found += 1
    assert found > 60


@pytest.mark.parametrize("name", MAKERS)
def test_a_number_changed_with_its_digest_is_found_too(tmp_path, name):
    """A cheat who writes a new digest still cannot make the numbers agree."""
    record = record_of(name)
    certified = ("certificate", "certified")
    cheats = [
        ("certificate", "spent", "epsilon"),
        ("certificate", "spent", "delta"),
        ("certificate", "spent", "relation"),
        ("certificate", "asked", "relation"),
        ("certificate", "private"),
        ("certificate", "attack", "0.01"),
        ("certificate", "assumed", 0),
        ("certificate", "not_protected", 0),
        (*certified, "measured", "error"),
        (*certified, "compared", "among", 0, "excess"),
        (*certified, "compared", "least"),
        (*certified, "planned", "needed"),
        (*certified, "accurate"),
    ]
    found = 0
    for place in cheats:
        other = copy.deepcopy(record)
        inner = other
        try:
            for step in place[:-1]:
                inner = inner[step]
            old = inner[place[-1]]
        except (KeyError, TypeError, IndexError):
            continue
        if old is None:
            continue
        inner[place[-1]] = {"replace-one": "label", "add-remove": "label"}.get(
            str(old), changed(old)
        )
        other["digests"]["release"] = digest_of(other)
        assert not verify(written(tmp_path, other)), place
        found += 1
    assert found >= 8


def test_a_file_that_rests_on_the_older_bound_is_still_computed_anew(tmp_path):
    record = record_of("tree")
    certificate = certificate_from_dict(record["certificate"])
    found = certificate.measured
    margin = occam.noise_margin(epsilon=found.epsilon, beta=certificate.beta / 2)
    older = occam.occam_error(
        mistakes=found.noisy_mistakes + margin - 1,
        n=certificate.n,
        prior=found.prior,
        beta=certificate.beta / 2,
    )
    for error, holds in ((older, True), (found.error, False)):
        measured = replace(found, claim=occam.OCCAM, error=error)
        record["certificate"] = replace(certificate, measured=measured).to_dict()
        record["digests"]["release"] = digest_of(record)
        assert bool(verify(written(tmp_path, record))) is holds
    assert found.error < older


def hostile(record, **asked):
    other = copy.deepcopy(record)
    other["certificate"]["asked"] |= asked
    other["digests"]["release"] = digest_of(other)
    return read_release(release_text(other).encode(), name="r.json")


def test_numbers_that_never_end_are_given_up_and_fail():
    """A search over exact numbers that a stranger names may take for ever."""
    record = record_of("column")
    assert computed_anew(hostile(record), seconds=60).state is State.HOLDS
    asked = {"epsilon": "1e-300", "alpha": "1e-300"}
    given_up = computed_anew(hostile(record, **asked), seconds=4)
    assert given_up.state is State.FAILS
    assert "take more than 4 seconds" in given_up.words


def test_a_class_that_nobody_knows_is_claimed_and_one_that_differs_fails(tmp_path):
    record = record_of("column")
    record["certificate"]["recipe"] = None
    record["digests"]["release"] = digest_of(record)
    verdict = verify(written(tmp_path, record))
    assert verdict
    assert "that the mechanism of this class of rules costs what is stated" in str(verdict)
    for recipe in ({}, {"kind": "poem"}, {"kind": "task", "class": {"kind": "Points", "size": 5}}):
        record["certificate"]["recipe"] = recipe
        record["digests"]["release"] = digest_of(record)
        assert not verify(written(tmp_path, record)), recipe


def test_mistakes_have_no_less_noise_than_was_paid_for_even_without_a_recipe(tmp_path):
    record = record_of("tree")
    record["certificate"]["recipe"] = None
    record["digests"]["release"] = digest_of(record)
    assert verify(written(tmp_path, record))
    stated = certificate_from_dict(record["certificate"])
    most = max(one.epsilon for one in leaves(stated.event))
    for epsilon, holds in ((most, True), (most * Fraction(101, 100), False), (100, False)):
        found = replace(stated.measured, epsilon=Fraction(epsilon))
        error = certified_error(
            noisy_mistakes=found.noisy_mistakes,
            n=stated.n,
            prior=found.prior,
            epsilon=found.epsilon,
            beta=stated.beta / found.draws,
        )
        forged = replace(stated, measured=replace(found, error=error))
        record["certificate"] = forged.to_dict()
        record["digests"]["release"] = digest_of(record)
        verdict = verify(written(tmp_path, record))
        assert bool(verdict) is holds, str(verdict)
        assert ("with less noise than was paid for" in str(verdict)) is not holds


def test_a_bound_beyond_all_floats_is_shown_and_fails(tmp_path):
    """It ended in an overflow where the certificate was shown."""
    record = record_of("tree")
    record["certificate"]["certified"]["measured"]["error"] = "1" + "0" * 400
    record["digests"]["release"] = digest_of(record)
    assert "100000 %" in load(written(tmp_path, record)).certificate.to_markdown()
    assert not verify(tmp_path / "release.json")


def test_less_than_was_asked_is_fine_and_more_is_not(tmp_path):
    record = record_of("column")
    record["certificate"]["asked"]["epsilon"] = "0.5"
    record["digests"]["release"] = digest_of(record)
    verdict = verify(written(tmp_path, record))
    assert "more was spent" in str(verdict)


def test_a_seeded_release_is_not_private_and_fails(tmp_path):
    task = Task(Points(size=8), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    release = tacit.learn(task, (X % 8, X % 8 == 3), rng=seeded(1), ledger=Ledger.memory(2))
    record = release_record(release, about=About(), counted=True)
    verdict = verify(written(tmp_path, record))
    assert not verdict
    assert "test seed" in str(verdict)


def test_save_makes_a_new_file_only(tmp_path):
    path = tacit.save(column_release(), tmp_path / "r.json", about=About(data_set="d"))
    assert tacit.verify(path)
    with pytest.raises(BadInput, match="exists"):
        tacit.save(column_release(), path)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        '{"format": "tacit-release"}',
        '{"format": "tacit-release", "version": 2}',
        "[" * 100_000,
        '{"a": ' * 500 + "1" + "}" * 500,
    ],
)
def test_what_is_no_release_is_refused(tmp_path, text):
    path = tmp_path / "r.json"
    path.write_text(text)
    with pytest.raises(BadInput):
        load(path)
    assert not verify(path)
    assert main(["verify", str(path)]) == 2


def test_parts_of_other_kinds_are_refused(tmp_path):
    record = record_of("column")
    for part in ("about", "certificate", "made", "digests", "rule", "classes", "counted"):
        for odd in (None, 5, [], {}, "x", [[[]]]):
            if (part, odd) == ("about", {}):
                continue  # a release may be about nothing that has a name
            other = copy.deepcopy(record) | {part: odd}
            with pytest.raises(BadInput):
                read_release(release_text(other).encode(), name="r.json")


@pytest.mark.parametrize("kind", [0, "x", None, ["schema"]])
def test_a_class_of_another_kind_is_refused(kind):
    record = copy.deepcopy(record_of("column"))
    record["certificate"]["recipe"]["class"] = kind
    record["digests"]["release"] = digest_of(record)
    with pytest.raises(BadInput, match="damaged"):
        read_release(release_text(record).encode(), name="r.json")


@pytest.fixture
def here(tmp_path, monkeypatch):
    rows = "".join(f"{value},{int(value >= 50)}\n" for value in X)
    (tmp_path / "in.csv").write_text("age,sick\n" + rows)
    (tmp_path / "s.toml").write_text(SCHEMA)
    monkeypatch.chdir(tmp_path)
    words = ["budget", "create", "b.db", "--epsilon", "3", "--data-set", "ward 7"]
    assert main(words) == 0
    learn = ["learn", "in.csv", "--label", "sick", "--schema", "s.toml", "--model", "stump"]
    assert main([*learn, "--epsilon", "1", "--ledger", "b.db", "-o", "release.json"]) == 0
    return tmp_path


def test_an_officer_verifies_with_the_ledger_and_a_key(here, capsys):
    assert main(["keys", "create", "ann"]) == 0
    assert main(["keys", "sign", "release.json", "--key", "ann.key"]) == 0
    capsys.readouterr()
    assert main(["verify", "release.json", "--ledger", "b.db", "--key", "ann.pub"]) == 0
    told = capsys.readouterr().out
    assert "paid for exactly this release" in told
    assert "signed with the key" in told
    assert fingerprint(read_public(here / "ann.pub")) in told
    assert "costs epsilon = 1" in told
    assert "Each person has one record" in told
    assert main(["verify", "release.json", "--json"]) == 0
    capsys.readouterr()
    assert (here / "ann.key").stat().st_mode & 0o077 == 0


def test_a_changed_file_key_or_ledger_is_found(here, capsys):
    assert main(["keys", "create", "ann"]) == 0
    assert main(["keys", "create", "bob"]) == 0
    assert main(["keys", "create", "ann"]) == 2  # keys are never overwritten
    assert main(["verify", "release.json", "--key", "ann.pub"]) == 2  # not signed at all
    assert main(["keys", "sign", "release.json", "--key", "ann.key"]) == 0
    assert main(["verify", "release.json", "--key", "bob.pub"]) == 2
    assert main(["verify", "release.json", "--key", "ann.key"]) == 2
    Ledger.create("other.db", 3, data_set="ward 7")
    assert main(["verify", "release.json", "--ledger", "other.db"]) == 2
    text = (here / "release.json").read_text()
    (here / "release.json").write_text(text.replace("ward 7", "ward 8"))
    capsys.readouterr()
    assert main(["verify", "release.json", "--key", "ann.pub"]) == 2
    told = capsys.readouterr().out
    assert "DO NOT RELY" in told
    assert "changed after it was written" in told
    (here / "ann.key").chmod(0o644)
    assert main(["keys", "sign", "release.json", "--key", "ann.key", "--force"]) == 2


def test_a_release_that_the_ledger_never_saw_is_found(here, capsys):
    learn = ["learn", "in.csv", "--label", "sick", "--schema", "s.toml", "--model", "stump"]
    assert main([*learn, "--epsilon", "1", "--ledger", "b.db", "-o", "second.json"]) == 0
    forged = json.loads((here / "release.json").read_text())
    forged["about"]["purpose"] = "another one"
    forged["digests"]["release"] = digest_of(forged)
    (here / "forged.json").write_text(release_text(forged))
    assert main(["verify", "forged.json"]) == 0
    capsys.readouterr()
    assert main(["verify", "forged.json", "--ledger", "b.db"]) == 2
    assert "does not know this release" in capsys.readouterr().out
    assert main(["verify", "second.json", "--ledger", "b.db"]) == 0


def test_with_the_ledger_every_number_of_the_account_is_checked(here):
    """Without it they are only claimed; the digest is made to fit, as a cheat would."""
    book, record = Ledger.open("b.db"), json.loads((here / "release.json").read_text())
    changed_ones = 0
    for name, value in record["certificate"]["account"].items():
        other = copy.deepcopy(record)
        other["certificate"]["account"][name] = changed(value)
        other["digests"]["release"] = digest_of(other)
        book.delivered(book.entries[0], digest=other["digests"]["release"])  # the worst case
        read = read_release(release_text(other).encode(), name="r.json")
        assert not read.verify(ledger=book, seconds=None), name
        changed_ones += 1
    assert changed_ones == 9
    assert load("release.json").verify(ledger=book, seconds=None)


def test_a_release_that_python_saves_is_known_to_its_ledger(tmp_path):
    book = tacit.Ledger.create(tmp_path / "b.db", 3, data_set="d")
    made = column_release(ledger=book)
    path = tacit.save(made, tmp_path / "r.json", about=About(data_set="d"))
    assert verify(path, ledger=book)
    other = tacit.Ledger.create(tmp_path / "c.db", 3, data_set="d")
    with pytest.raises(BadInput, match="not the ledger that paid"):
        tacit.save(made, tmp_path / "s.json", ledger=other)
    assert not (tmp_path / "s.json").exists()
    del other
    again = column_release(ledger=book)
    del book  # the release outlives the ledger that paid for it
    gc.collect()
    path = tacit.save(again, tmp_path / "t.json")
    book = tacit.Ledger.open(tmp_path / "b.db")
    found = {one.name: one for one in verify(path, ledger=book).checks}["ledger"]
    assert found.state is State.CLAIMED
    assert "the ledger names no release for it: that it is this one" in found.words
    path = tacit.save(again, tmp_path / "u.json", ledger=book)
    assert verify(path, ledger=book)


def test_no_ledger_is_said_on_the_certificate(here, capsys):
    learn = ["learn", "in.csv", "--label", "sick", "--schema", "s.toml", "--model", "stump"]
    assert main([*learn, "--epsilon", "1", "--no-ledger", "-o", "free.json"]) == 0
    assert "ledger without a limit" in " ".join(capsys.readouterr().out.split())
    assert main(["verify", "free.json"]) == 0
    assert "no ledger counts this release" in capsys.readouterr().out


def test_the_certificate_answers_an_officers_questions_on_one_screen(here, capsys):
    assert main(["certificate", "release.json"]) == 0
    told = capsys.readouterr().out
    screen = told.split("### For specialists")[0]
    for part in (
        "ward 7",
        "with 50 % before seeing this believes it with at most 73.2 % after",
        "Each record: one row of the table.",
        "600",
        "mistakes on 600 records",
        "Spent epsilon = 1",
        "of 3, left 2",
        "at 0.1 % false alarms at most 0.3 %",
        "the number of records, column names",
        "no floating-point number",
        "How long the program ran is not protected",
        "tacit verify release.json",
    ):
        assert part in screen, part
    assert len(screen.splitlines()) <= 30


def test_every_format(here, capsys):
    for form in FORMATS:
        assert main(["certificate", "release.json", "--format", form, "-o", f"c.{form}"]) == 0
        assert (here / f"c.{form}").read_text()
    assert main(["certificate", "release.json", "--format", "poem"]) == 2
    page = (here / "c.html").read_text()
    assert "<script" not in page
    assert "<svg" in page
    assert "<th>Check</th>" in page
    assert "`" not in page
    assert "http" not in page.replace("http-equiv", "")
    record = registry_record(load("release.json"))
    assert record["tier"] == 3
    assert record["deployment"]["dp_variant"]["variant_name"] == "Pure DP"
    assert record["deployment"]["privacy_loss"]["privacy_parameters"]["epsilon"] >= 1


def test_the_in_toto_envelope_is_signed_as_dsse_says(here):
    assert main(["keys", "create", "ann"]) == 0
    words = ["certificate", "release.json", "--format", "in-toto", "--key", "ann.key"]
    assert main([*words, "-o", "e.json"]) == 0
    envelope = json.loads((here / "e.json").read_text())
    payload = base64.b64decode(envelope["payload"])
    kind = envelope["payloadType"].encode()
    signed = b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)
    key = read_public(here / "ann.pub")
    key.verify(base64.b64decode(envelope["signatures"][0]["sig"]), signed)
    assert json.loads(payload)["subject"][0]["name"] == "release.json"
    with pytest.raises(InvalidSignature):
        Ed25519PrivateKey.generate().public_key().verify(b"0" * 64, signed)


def test_the_subject_of_a_statement_is_the_file_as_it_lies_there(here):
    record = json.loads((here / "release.json").read_text())
    (here / "respaced.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "  ")
    subjects = set()
    for name in ("release.json", "respaced.json"):
        assert main(["certificate", name, "--format", "in-toto", "-o", f"e-{name}"]) == 0
        payload = json.loads((here / f"e-{name}").read_text())["payload"]
        statement = json.loads(base64.b64decode(payload))
        (subject,) = statement["subject"]
        # What `sha256sum FILE` prints, and what the file says whatever its spaces.
        sha256 = hashlib.sha256((here / name).read_bytes()).hexdigest()
        assert subject == {"name": name, "digest": {"sha256": sha256}}
        assert statement["predicate"]["digests"] == record["digests"]
        subjects.add(sha256)
    assert len(subjects) == 2


def test_a_changed_file_has_no_certificate_predicts_nothing_and_is_not_signed(here, capsys):
    text = (here / "release.json").read_text()
    (here / "forged.json").write_text(text.replace('"ward 7"', '"ward 8"'))
    assert main(["keys", "create", "ann"]) == 0
    for name, code in (("release.json", 0), ("forged.json", 2)):
        capsys.readouterr()
        for form in FORMATS:
            assert main(["certificate", name, "--format", form]) == code
        assert main(["predict", name, "in.csv"]) == code
        assert main(["keys", "sign", name, "--key", "ann.key"]) == code
        told = capsys.readouterr()
        assert ("changed after it was written; do not rely on it" in told.err) == bool(code)
        assert bool(told.out) == (not code)
    with pytest.raises(BadInput, match="changed after it was written"):
        load("forged.json").predict(["50"])


def test_markup_in_a_file_stays_text(here):
    record = json.loads((here / "release.json").read_text())
    record["about"]["purpose"] = "<script>alert(1)</script>"
    record["digests"]["release"] = digest_of(record)
    (here / "x.json").write_text(release_text(record))
    assert main(["certificate", "x.json", "--format", "html", "-o", "x.html"]) == 0
    assert "<script" not in (here / "x.html").read_text()


def test_json_prints_the_release_and_nothing_else(here, capsys):
    learn = ["learn", "in.csv", "--label", "sick", "--schema", "s.toml", "--model", "stump"]
    capsys.readouterr()
    assert main([*learn, "--epsilon", "1", "--ledger", "b.db", "--json"]) == 0
    printed = capsys.readouterr().out
    assert read_release(printed.encode(), name="printed").verify()
    clean = ["sanitize", "in.csv", "--columns", "age:0..99", "--queries", "thresholds"]
    assert main([*clean, "--epsilon", "1", "--no-ledger", "-o", "t.csv", "--json"]) == 0
    assert read_release(capsys.readouterr().out.encode(), name="printed").verify()


@pytest.mark.parametrize(
    "more",
    [
        ["--epsilon", "2"],
        ["--epsilon=2"],
        ["--label", "age"],
        ["-o", "x", "-o", "y"],
        ["-ox", "-oy"],
    ],
)
def test_an_option_given_twice_is_an_error_and_costs_nothing(here, more, capsys):
    learn = ["learn", "in.csv", "--label", "sick", "--schema", "s.toml", "--epsilon", "1"]
    assert main([*learn, "--ledger", "b.db", *more]) == 2
    assert "is given twice" in capsys.readouterr().err
    assert len(Ledger.open("b.db").entries) == 1
    plan = ["plan", "--class", "points", "--bits", "9", "--epsilon", "1"]
    assert main([*plan, "--sweep", "alpha=0.1,0.2", "--sweep", "beta=0.1,0.2"]) == 0


def test_an_option_and_its_opposite_are_an_error_and_cost_nothing(here, capsys):
    learn = ["learn", "in.csv", "--labels", "sick,age", "--schema", "s.toml", "--epsilon", "1"]
    assert main([*learn, "--ledger", "b.db", "--shared", "--own"]) == 2
    assert "--shared and --own are opposites" in capsys.readouterr().err
    assert len(Ledger.open("b.db").entries) == 1


BOX = Task(GridBoxes(bits=3, columns=2), privacy=Privacy(4), accuracy=Accuracy("0.2", "0.1"))


def box_record():
    frame = pd.DataFrame({"age": X % 8, "weight": X % 7, "sick": X % 8 >= 4})
    release = tacit.learn(
        BOX, frame, label="sick", column=["age", "weight"], ledger=Ledger.memory(9)
    )
    return release_record(release, about=About(), counted=True)


@pytest.mark.parametrize(
    "names",
    [["age"], ["age", "weight", "more"], [], [1, 2], "ab", None, [["age"], ["weight"]]],
    ids=repr,
)
def test_names_that_do_not_fit_a_rule_over_rows_are_refused_when_it_is_read(names):
    record = box_record()
    assert record["columns"] == ["age", "weight"]
    read_release(json.dumps(record).encode(), name="r")
    record["columns"] = names
    record["digests"]["release"] = digest_of(record)
    with pytest.raises(BadInput):
        read_release(json.dumps(record).encode(), name="r")


def test_one_column_or_several_are_named():
    record = box_record() | {"column": "age"}
    with pytest.raises(BadInput, match="damaged"):
        read_release(json.dumps(record).encode(), name="r")
