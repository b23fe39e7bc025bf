"""Describe a synthetic table in Croissant, the format of machine-learning data sets."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from tacit.core import words
from tacit.core.certificate import Certificate
from tacit.problems.marginals.table import SyntheticRows

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "format": "cr:format",
    "recordSet": "cr:recordSet",
    "sc": "https://schema.org/",
    "source": "cr:source",
}
_TYPES = {
    "number": "sc:Float",
    "integer": "sc:Integer",
    "category": "sc:Text",
    "boolean": "sc:Boolean",
    "date": "sc:Date",
}
_ENCODINGS = {
    ".csv": "text/csv",
    ".parquet": "application/x-parquet",
    ".arrow": "application/vnd.apache.arrow.file",
    ".feather": "application/vnd.apache.arrow.file",
}


def croissant(
    table: SyntheticRows,
    certificate: Certificate,
    file: Path,
    *,
    name: str,
    draft: Path | None = None,
) -> Mapping[str, object]:
    """The metadata of a table that was written to ``file``, with its privacy statement.

    ``draft`` is where its bytes are as long as it does not have its name.
    """
    content = (file if draft is None else draft).read_bytes()
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"rows/{column}",
            "name": column,
            "description": f"Synthetic; declared as: {one.kind}.",
            "dataType": _TYPES[one.kind],
            "source": {"fileObject": {"@id": file.name}, "extract": {"column": column}},
        }
        for column, one in zip(table.schema.names, table.schema.fields, strict=True)
    ]
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [
            "http://mlcommons.org/croissant/1.0",
            "http://mlcommons.org/croissant/RAI/1.0",
        ],
        "name": name,
        "description": f"{table.describe()} {words.accuracy(certificate)}",
        "version": "1.0.0",
        "rai:dataCollectionType": "Synthetic data",
        "rai:personalSensitiveInformation": [
            words.privacy(certificate),
            words.meaning(certificate),
            f"Not protected: {', '.join(words.not_protected(certificate))}.",
        ],
        "rai:dataUseCases": words.accuracy(certificate),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file.name,
                "name": file.name,
                "contentUrl": file.name,
                "encodingFormat": _ENCODINGS[file.suffix],
                "sha256": hashlib.sha256(content).hexdigest(),
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "rows", "name": "rows", "field": fields}],
    }
