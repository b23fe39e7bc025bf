"""A release's certificate in the forms that others read."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from html import escape

from tacit.core import ZCDP, Approximate, leaves, words
from tacit.core.certificate import Certificate
from tacit.core.printable import in_html, in_markdown, lines, one_line
from tacit.problems.several.rules import Rules
from tacit.report.drawing import drawing
from tacit.report.release_file import ReleaseFile
from tacit.report.signatures import PrivateKey

PREDICATE = "https://tacit.invalid/release/v1"
"""The type of the in-toto predicate; a name, not an address."""
_PAYLOAD = "application/vnd.in-toto+json"


def context(of: ReleaseFile) -> list[tuple[str, str]]:
    """What was published, from what, when and by what; for the head of a certificate."""
    about, made = of.about, of.record["made"]
    label = f", label {about.label!r}" if about.label else ""
    # A label with a name has words of its own in the rule.
    plain = of.classes is not None and "label" not in of.record
    classes = f"; 1 means {of.classes[1]!r}" if plain and of.classes is not None else ""
    kind = "A table" if "table" in of.record else "A rule"
    kind = "Rules" if isinstance(of.value, Rules) else kind
    rows = [
        ("Published", f"{kind}: {of.describe()}"),
        ("From", f"{about.data_set or 'a data set that is not named'}{label}{classes}."),
    ]
    if about.purpose:
        rows.append(("Purpose", about.purpose))
    schema = of.record["digests"]["schema"]
    cells = f"; schema digest {schema}" if schema else ""
    rows.append(("Made", f"{made['at']} by {made['software']}; digest {of.digest}{cells}."))
    return rows


def markdown(of: ReleaseFile, key: PrivateKey | None) -> str:
    """One screen for an officer, then the annex."""
    del key
    told = ["# Release", ""]
    for name, text in context(of):
        if name == "Published":
            told += [f"- **{name}.**", "", *(f"      {one}" for one in lines(text).split("\n")), ""]
        else:
            told.append(f"- **{name}.** {in_markdown(text)}")
    told.append(f"- **Check.** {in_markdown(_check(of))}")
    return "\n".join((*told, "", of.certificate.to_markdown(), ""))


def _check(of: ReleaseFile) -> str:
    """How a reader checks the release, and who vouches for it."""
    name = one_line(of.name)
    return (
        f"`tacit verify {name}` computes anew, without the data, what follows from the stated "
        f"numbers. If a signature {name}.sig came with it, `--key NAME.pub` checks that, too: only "
        "a signature, with a key that you know, shows who vouches for the file."
    )


def html(of: ReleaseFile, key: PrivateKey | None) -> str:
    """The same as a page of its own, with the drawing: no script, nothing from elsewhere."""
    del key
    # The drawing escapes every word that it was given; a page needs no name of its language.
    drawn = drawing(of.value if of.rule is None else of.rule) or ""
    drawn = drawn.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1).replace("\xa0", "&#160;")
    head = "".join(
        f"<tr><th>{escape(name)}</th><td>"
        + (f"<pre>{escape(lines(text))}</pre>{drawn}" if name == "Published" else in_html(text))
        + "</td></tr>"
        for name, text in (*context(of), ("Check", _check(of)))
    )
    body = "".join(
        f"<tr><th>{escape(name)}</th><td>{in_html(text)}</td></tr>"
        for name, text in words.rows(of.certificate)
    )
    annex = "".join(f"<li>{in_html(line)}</li>" for line in words.annex(of.certificate))
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Certificate</title>"
        "<meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; "
        "style-src 'unsafe-inline'\">"
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;"
        "padding:0 1rem}th{text-align:left;vertical-align:top;padding-right:1rem}"
        "td{padding-bottom:.4rem}pre{margin:0;white-space:pre-wrap}"
        "svg{max-width:100%;height:auto}</style>"
        f"<h1>Certificate</h1><table>{head}{body}</table>"
        f"<h2>For specialists</h2><ul>{annex}</ul></html>\n"
    )


def plain_json(of: ReleaseFile, key: PrivateKey | None) -> str:
    """The certificate's numbers."""
    del key
    return json.dumps(of.record["certificate"], indent=2) + "\n"


_FILL = "to be filled in"


def _variant(certificate: Certificate) -> str:
    """What the registry calls the kind of privacy that was spent."""
    parts = leaves(certificate.event)
    if certificate.delta == 0 and not any(isinstance(part, Approximate) for part in parts):
        return "Pure DP"
    rho = any(isinstance(part, ZCDP) for part in parts)
    return "Zero-concentrated DP" if rho else "Approximate DP"


def registry_record(of: ReleaseFile) -> dict[str, object]:
    """A record of tier 3 for the Differential Privacy Deployments Registry.

    What only the publisher knows is marked "to be filled in".
    """
    certificate, about = of.certificate, of.about
    epsilon = certificate.epsilon
    told = dict(words.rows(certificate))
    size = "of any size" if not certificate.asked.relation.size_is_public else "of a public size"
    parameters: dict[str, object] = {} if epsilon is None else {"epsilon": _up(epsilon)}
    if certificate.delta:
        parameters["delta"] = _up(certificate.delta)
    kind = "Synthetic data" if "table" in of.record else "Machine learning model"
    return {
        "url_slug": f"tacit-{of.digest[:12]}",
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": {
                "name": about.data_set or _FILL,
                "data_curators": [_FILL],
                "intended_use": about.purpose or _FILL,
                "data_product_type": kind,
                "data_product_region": _FILL,
                "description": of.describe(),
                "publication_date": str(of.record["made"]["at"])[:10],
            },
            "dp_variant": {
                "variant_name": _variant(certificate),
                "data_domain": f"All tables {size} over {certificate.what}",
                "unprotected_quantities": told["Not protected"],
            },
            "privacy_loss": {
                "privacy_unit": certificate.asked.unit,
                "privacy_unit_details": told["Who is protected"],
                "privacy_parameters": parameters,
                "privacy_parameters_details": f"{told['What that means']} {told['Attack']}",
            },
            "deployment_model": {
                "model_name": "Central",
                "model_name_details": "Whoever runs the program sees the records and is trusted.",
                "actors": "The curator holds the records; everybody else sees the release only.",
                "release_type": "One release",
                "release_type_details": told["Budget"],
                "data_source_type": "Static",
                "access_type": "Non-interactive",
                "access_type_details": "One file is released; the records answer no questions.",
            },
            "accounting": {
                "post_processing": "None but what is written in the release.",
                "composition": f"{certificate.event.describe()}. {told['Budget']}",
            },
            "implementation": _implementation(of),
            "administrative": {
                "notes": f"Digest of the release: {of.digest}. Whoever has the file computes every "
                f"number of this record anew: tacit verify {of.name}",
                "registry_authors": [_FILL],
            },
        },
    }


def _implementation(of: ReleaseFile) -> dict[str, str]:
    certificate = of.certificate
    sampling = dict(words.rows(certificate))["Sampling"]
    return {
        "preprocessing_and_hyperparameter_tuning": "Every draw that saw the records is in "
        "the event above; columns, ranges and labels were declared beforehand.",
        "mechanisms": f"{certificate.algorithm}, {of.record['made']['software']}. {sampling}",
        "justification": " ".join(words.annex(certificate)),
    }


def _up(number: Fraction) -> float:
    """A float that, as it is written, is not below the number."""
    near = float(number)
    return near if Fraction(repr(near)) >= number else math.nextafter(near, math.inf)


def registry(of: ReleaseFile, key: PrivateKey | None) -> str:
    """The registry's record as YAML."""
    del key
    return "\n".join(_yaml(registry_record(of), 0)) + "\n"


def _yaml(record: Mapping[str, object], depth: int) -> list[str]:
    lines = []
    for name, value in record.items():
        start = "  " * depth + f"{name}:"
        if isinstance(value, Mapping):
            lines += [start, *_yaml(value, depth + 1)]
        elif isinstance(value, list):
            lines.append(start)
            lines += ["  " * (depth + 1) + f"- {_scalar(one)}" for one in value]
        else:
            lines.append(f"{start} {_scalar(value)}")
    return lines


def _scalar(value: object) -> str:
    """A value in YAML, which knows JSON's escapes but no pairs of surrogates."""
    if not isinstance(value, str):
        return json.dumps(value)
    told = (json.dumps(one)[1:-1] if ord(one) < 0x10000 else f"\\U{ord(one):08x}" for one in value)
    return f'"{"".join(told)}"'


def in_toto(of: ReleaseFile, key: PrivateKey | None) -> str:
    """An in-toto statement about the release in a DSSE envelope, signed if a key is given.

    Its subject is the file as it lies there; ``digests`` has the digest of what it says.
    """
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": of.name, "digest": {"sha256": of.sha256}}],
        "predicateType": PREDICATE,
        "predicate": {
            "certificate": of.record["certificate"],
            "made": of.record["made"],
            "about": of.record["about"],
            "digests": of.record["digests"],
        },
    }
    payload = json.dumps(statement, sort_keys=True).encode()
    signatures = []
    if key is not None:
        signed = key.sign(_encoded(payload))
        raw = key.public_key().public_bytes_raw()
        keyid = hashlib.sha256(raw).hexdigest()
        signatures.append({"keyid": keyid, "sig": base64.b64encode(signed).decode()})
    envelope = {
        "payloadType": _PAYLOAD,
        "payload": base64.b64encode(payload).decode(),
        "signatures": signatures,
    }
    return json.dumps(envelope, indent=2) + "\n"


def _encoded(payload: bytes) -> bytes:
    """What DSSE signs: the type and the payload with their lengths."""
    kind = _PAYLOAD.encode()
    return b" ".join(
        (b"DSSEv1", str(len(kind)).encode(), kind, str(len(payload)).encode(), payload)
    )


FORMATS: dict[str, Callable[[ReleaseFile, PrivateKey | None], str]] = {
    "markdown": markdown,
    "html": html,
    "json": plain_json,
    "registry": registry,
    "in-toto": in_toto,
}
"""The forms by the name that ``--format`` takes."""
