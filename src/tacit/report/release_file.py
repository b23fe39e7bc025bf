"""One file for one release: rule or table, certificate, and where they come from.

Layout: ``docs/release.schema.json``. Everything in it is public. ``digests.release`` is the
SHA-256 of all the rest, written with sorted keys and no spaces.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.accounting.about import About, about_from_dict, software
from tacit.accounting.entry import Entry
from tacit.core import (
    BadInput,
    Claim,
    Hypothesis,
    Label,
    NamedRule,
    ReadsColumns,
    Release,
    hypothesis_from_dict,
)
from tacit.core.certificate import Certificate
from tacit.core.certificate_reader import certificate_from_dict
from tacit.core.certificate_text import shortened
from tacit.core.display import html_of
from tacit.core.label_values import MOST_VALUES
from tacit.core.named import label_count, label_from_dict, names_from
from tacit.core.printable import one_line
from tacit.core.records import LARGEST, Stored, parse
from tacit.core.task_fields import RECORD
from tacit.domains.schema import column_names, frame_column
from tacit.problems.finite.synthetic import SyntheticTable, table_from_dict
from tacit.problems.marginals.table import SyntheticRows, rows_from_dict
from tacit.problems.several.rules import Rules
from tacit.problems.tables.rated_rules import hidden_rates

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tacit.accounting import Ledger
    from tacit.report.verdict import Verdict

FORMAT = "tacit-release"
VERSION = 1
_PACKAGE = Path(__file__).resolve().parents[1]
_KEYS = {"format", "version", "about", "certificate", "made", "counted", "digests"}
_TABLES = (SyntheticTable, SyntheticRows)
_MAY = {"rule", "table", "classes", "column", "columns", "label"}


def canonical(record: Mapping[str, object]) -> bytes:
    """The bytes that a digest is taken of."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.encode("ascii")


def digest_of(record: Stored) -> str:
    """The digest of a release file, from everything in it but the digest itself."""
    rest = {key: value for key, value in record.items() if key != "digests"}
    kept = {key: value for key, value in record["digests"].items() if key != "release"}
    return hashlib.sha256(canonical(rest | {"digests": kept})).hexdigest()


def schema_digest(described: Mapping[str, Any]) -> str | None:
    """The digest of the schema of a rule or table, or of the rule inside; ``None`` without one."""
    schema = described.get("schema", described.get("rule", {}).get("schema"))
    return None if schema is None else hashlib.sha256(canonical(schema)).hexdigest()


def check_whole(record: Stored, *, name: str) -> None:
    """Refuse a record whose digest is not that of what it says: nothing of it can be relied on."""
    stated = record.get("digests")
    if not isinstance(stated, dict) or stated.get("release") != digest_of(record):
        raise BadInput(
            f"{name} was changed after it was written; do not rely on it. "
            f"`tacit verify {one_line(name)}` says what else does not hold"
        )


def proof_hashes(certificate: Certificate) -> dict[str, str]:
    """The proofs that a certificate rests on, by file, with the hash of the code they cover."""
    claims = [certificate.privacy_claim]
    parts = (certificate.planned, certificate.measured, certificate.answered, certificate.several)
    claims += [one.claim for one in parts if one is not None]
    rest = (certificate.compared, certificate.rates)
    claims += [one.claim for one in rest if one is not None]
    found = {claim.proof: proof_hash(claim.proof) for claim in claims if claim.proof is not None}
    return {name: value for name, value in sorted(found.items()) if value is not None}


def same_theorem(stated: Claim, known: Claim, proofs: Mapping[str, str]) -> bool:
    """Whether a file means this theorem: word for word, or in the words of another version.

    ``proofs`` are the hashes that the file states. Other words are taken for the same theorem
    only where its proof is named with another hash than that of this installation.
    """
    if stated == known:
        return True
    version = None if known.proof is None else proofs.get(known.proof)
    other = version is not None and version != proof_hash(str(known.proof))
    return other and replace(stated, statement=known.statement) == known


def proof_hash(name: str) -> str | None:
    """The hash in a proof file of this installation; ``None`` if there is no such proof."""
    if not re.fullmatch(r"[a-z0-9_]+(/[a-z0-9_]+)*\.proof\.md", name):
        return None
    try:
        head = (_PACKAGE / name).read_text(encoding="utf-8")[:4000]
    except OSError:
        return None
    stamped = re.search(r"^hash: ([0-9a-f]+)$", head, flags=re.MULTILINE)
    return None if stamped is None else stamped[1]


def release_record(
    release: Release[Any],
    *,
    about: About,
    classes: Sequence[object] | None = None,
    column: str | None = None,
    counted: bool,
) -> dict[str, Any]:
    """A release as the record that is written: all of it public, its digest included."""
    certificate = release.certificate
    if not isinstance(certificate, Certificate):
        raise BadInput("only a release with a certificate is written: use learn or sanitize")
    value, label = release.value, None
    several: tuple[str, ...] = ()
    if isinstance(value, NamedRule):
        label, column, several = value.label, value.column, value.rows
        value, classes = value.rule, label.values
    if certificate.asked.unit != RECORD:
        rows = str(certificate.asked.rows_per_unit)
        about = replace(about, unit=certificate.asked.unit, rows_per_unit=rows)
    kind = "table" if isinstance(value, _TABLES) else "rule"
    named, certified = None if label is None else label.to_dict(), certificate.to_dict()
    described = value.to_dict()
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        kind: described,
        "about": about.to_dict(),
        "certificate": certified,
        "made": {
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "software": software(),
            "proofs": proof_hashes(certificate),
        },
        "counted": counted,
        "digests": {"schema": schema_digest(described)},
    }
    if classes is not None:
        record["classes"] = list(classes)
    if column is not None:
        record["column"] = column
    if several:
        record["columns"] = list(several)
    if named is not None:
        record["label"] = named
    record = json.loads(json.dumps(record))  # exactly what a reader will see
    record["digests"]["release"] = digest_of(record)
    return record


def release_text(record: Mapping[str, object]) -> str:
    """The text of a release file."""
    return json.dumps(record, indent=2, ensure_ascii=True) + "\n"


@dataclass(frozen=True)
class ReleaseFile:
    """A release that was read back: it predicts, describes itself and can be verified."""

    record: Stored
    value: Hypothesis | SyntheticTable | SyntheticRows
    certificate: Certificate
    about: About
    name: str
    sha256: str
    """The SHA-256 of the bytes that were read, as ``sha256sum`` prints it."""

    @property
    def digest(self) -> str:
        """The digest of what the release says, computed anew; however it is spaced."""
        return digest_of(self.record)

    @property
    def classes(self) -> tuple[object, ...] | None:
        """What 0, 1 and further numbers mean, if the file says so."""
        given = self.record.get("classes")
        return None if given is None else tuple(given)

    def check_whole(self) -> None:
        """Refuse a file whose digest is not that of what it says."""
        check_whole(self.record, name=self.name)

    def predict(self, x: object) -> object:
        """The rule's answers for each row of ``x``: the labels of the file, or 0 and 1.

        Of several labels there is one column of answers each, in the order of the labels.
        """
        import numpy as np

        self.check_whole()
        if isinstance(self.value, _TABLES):
            raise BadInput("this release is a table, not a rule: it predicts nothing")
        if isinstance(self.value, Rules) and all(isinstance(one, NamedRule) for one in self.value):
            named_rules = [one for one in self.value if isinstance(one, NamedRule)]
            each = [one.answers(_called(x, one)) for one in named_rules]
            return np.stack([np.asarray(one, dtype=object) for one in each], axis=1)
        named = self.rule
        x = x if named is None else _called(x, named)
        answers = np.asarray(self.value.predict(x)).astype(int)
        if self.classes is None:
            return answers
        return np.array(self.classes, dtype=object)[answers]

    def predict_proba(self, x: object) -> NDArray[np.float64] | list[NDArray[np.float64]]:
        """The estimated chances of all labels for each row of ``x``; an array a label column."""
        from tacit.report.chances import chances

        self.check_whole()
        return chances(self.value, x)

    @property
    def rule(self) -> NamedRule | None:
        """The rule with the names of its column and label; ``None`` if it is a table."""
        if isinstance(self.value, _TABLES):
            return None
        column = self.record.get("column")
        if "label" in self.record:
            label = label_from_dict(self.record["label"])
        elif label_count(self.value) > 2:
            told = self.classes or tuple(range(label_count(self.value)))
            label = label_from_dict({"name": None, "values": list(told)})
        else:
            negative, positive = self.record.get("classes", (0, 1))
            label = Label(negative=negative, positive=positive)
        rows = names_from(self.record.get("columns"))
        return NamedRule(rule=self.value, label=label, column=column, rows=rows)

    def describe(self) -> str:
        """The rule or table in words, with the names that its owner gave."""
        if self.rule is not None:
            return self.rule.describe()
        return self.value.describe(column=str(self.record.get("column", "x")))

    def verify(self, *, ledger: Ledger | None = None, seconds: float | None = 60) -> Verdict:
        """Compute every number anew and say what holds and what is only claimed.

        A signature is beside the file: ``tacit.verify(path, key=...)`` checks it.
        """
        from tacit.report.verify import verify_release

        return verify_release(self, ledger=ledger, seconds=seconds)

    def summary(self) -> str:
        """The release on one screen; ``verify()`` says which of it holds."""
        return "\n".join((*shortened(self.describe()), "", self.certificate.summary()))

    def _repr_html_(self) -> str:
        shown = html_of(self.value if self.rule is None else self.rule)
        return f"<div>{shown}{self.certificate._repr_html_()}</div>"

    def __str__(self) -> str:
        return f"{self.describe()}\n\n{self.certificate}"

    def __repr__(self) -> str:
        return f"ReleaseFile({self.name!r}, {self.describe()!r})"


def _called(x: object, named: NamedRule) -> object:
    """The columns of a frame that a rule names, in its order; anything else as it is."""
    names = () if isinstance(named.rule, ReadsColumns) else named.columns or ()
    if not names or not set(names) <= set(column_names(x) or ()):
        return x
    if len(names) == 1:
        return frame_column(x, names[0])
    import pyarrow as pa

    if isinstance(x, pa.Table):
        return x.select(list(names))
    frame: Any = x
    return frame[[next(one for one in frame.columns if str(one) == name) for name in names]]


def read_release(content: bytes, *, name: str) -> ReleaseFile:
    """Read a release file that somebody else wrote; nothing in it runs."""
    record = parse(content, name=name)
    if record.get("format") != FORMAT:
        raise BadInput(f"{name} is not a release file that Tacit wrote")
    if record.get("version") != VERSION:
        raise BadInput(f"{name} has another version than {VERSION}: use a newer Tacit to read it")
    keys = set(record)
    if not _KEYS <= keys <= _KEYS | _MAY or ("rule" in keys) == ("table" in keys):
        raise BadInput(f"{name} is damaged: parts are missing, or there are too many")
    _check_parts(record, name=name)
    if "rule" in record:
        value: Hypothesis | SyntheticTable | SyntheticRows = hypothesis_from_dict(record["rule"])
    elif record["table"].get("kind") == "synthetic-rows":
        value = rows_from_dict(record["table"])
    else:
        value = table_from_dict(record["table"])
    if len(record.get("classes", ())) not in (0, label_count(value)):
        raise BadInput(f"{name} is damaged: a part of it is not what it must be")
    found = ReleaseFile(
        record=record,
        value=value,
        certificate=certificate_from_dict(record["certificate"]),
        about=about_from_dict(record["about"]),
        name=name,
        sha256=hashlib.sha256(content).hexdigest(),
    )
    # Names that do not fit the rule are refused when it is made; a table has none.
    several = "columns" in record
    if several and (found.rule is None or not found.rule.rows or found.rule.column is not None):
        raise BadInput(f"{name} is damaged: a part of it is not what it must be")
    return found


def _check_parts(record: Stored, *, name: str) -> None:
    made, digests = record["made"], record["digests"]
    maps = ("about", "certificate", "made", "digests", "rule", "table")
    sound = all(isinstance(record[one], dict) for one in maps if one in record)
    # A certificate states the cost of the outermost rates: others would be counted for nothing.
    sound = sound and not hidden_rates(record.get("rule", {}))
    sound = sound and set(made) == {"at", "software", "proofs"} and isinstance(made["proofs"], dict)
    sound = sound and set(digests) == {"schema", "release"}
    sound = sound and isinstance(record["counted"], bool)
    classes = record.get("classes", [0, 1])
    sound = sound and isinstance(classes, list) and 2 <= len(classes) <= MOST_VALUES
    sound = sound and all(isinstance(one, (str, int, float, bool)) for one in classes)
    sound = sound and isinstance(record.get("column", ""), str)
    if sound and "label" in record:
        # The words are made with the one, predictions with the other.
        values = list(label_from_dict(record["label"]).values)
        sound = json.dumps(values) == json.dumps(classes)
    if not sound:
        raise BadInput(f"{name} is damaged: a part of it is not what it must be")


def load(path: str | Path) -> ReleaseFile:
    """Read a release file into an object that predicts, describes itself and verifies."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        raise BadInput(f"{file.name} cannot be read: {error.strerror}") from None
    return read_release(content, name=file.name)


def save(
    release: Release[Any],
    path: str | Path,
    *,
    about: About | None = None,
    classes: Sequence[object] | None = None,
    column: str | None = None,
    ledger: Ledger | None = None,
) -> Path:
    """Write a release to a new file; ``about``, ``classes`` and ``column`` go into it.

    The ledger that paid is told which release it paid for, so that ``verify`` finds it there:
    ``ledger``, or the one that is still open in this process.
    """
    from tacit.accounting.ledgers import opened

    paid = getattr(release.certificate, "account", None)
    limited = paid is not None and paid.limit_epsilon is not None
    identity = None if paid is None else paid.ledger
    if ledger is not None and (identity is None or ledger.identity != identity):
        raise BadInput("this is not the ledger that paid for the release")
    record = release_record(
        release,
        about=About() if about is None else about,
        classes=classes,
        column=column,
        counted=limited,
    )
    target = Path(path)
    try:
        with target.open("x", encoding="utf-8") as stream:
            stream.write(release_text(record))
    except FileExistsError:
        raise BadInput(f"{target.name} exists already: name a new file") from None
    book = opened(identity) if ledger is None else ledger
    if book is not None and isinstance(release.receipt, Entry):
        book.delivered(release.receipt, digest=record["digests"]["release"])
    return target
