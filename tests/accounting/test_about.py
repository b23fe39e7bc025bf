"""Tests of ``tacit.accounting.about``."""

import json

from tests.sources.ignored_cases import TABLE, VALUES, task

from tacit.accounting import About, Ledger
from tacit.api import learn
from tacit.classes import Thresholds
from tacit.report.release_file import release_record, release_text
from tacit.report.verify import verify


def test_a_certificate_that_lies_about_it_is_found_out(tmp_path):
    release = learn(
        task(Thresholds(size=100)), TABLE, other="ignore", ledger=Ledger.memory(2), **VALUES
    )
    record = json.loads(release_text(release_record(release, about=About(), counted=True)))
    record["certificate"]["asked"]["other"] = "negative"
    (tmp_path / "r.json").write_text(json.dumps(record))
    assert not verify(tmp_path / "r.json", seconds=None)


def test_a_wide_table_is_named_by_its_first_columns():
    names = tuple(f"column {place:04}" for place in range(2000))
    told = About(columns=names).columns
    assert told[:3] == names[:3]
    assert told[-1] == f"and {2000 - len(told) + 1} more"
    assert About(columns=names[:10]).columns == names[:10]
