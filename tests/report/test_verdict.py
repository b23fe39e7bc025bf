"""Tests of ``tacit.report.verdict``."""

from tests.sources.persons_cases import TABLE, _task

from tacit.accounting import About, Ledger
from tacit.api import learn
from tacit.report.release_file import release_record, release_text
from tacit.report.verdict import State
from tacit.report.verify import verify


def test_a_certificate_of_persons_can_be_verified(tmp_path):
    release = learn(
        _task(),
        TABLE,
        label="sick",
        column="x",
        positive="yes",
        ledger=Ledger.memory(5),
    )
    path = tmp_path / "release.json"
    path.write_text(release_text(release_record(release, about=About(), counted=True)))
    verdict = verify(path)
    assert verdict, str(verdict)
    states = {check.name: check.state for check in verdict.checks}
    assert states["computed anew"] is State.HOLDS
    damaged = path.read_text().replace('"rows_per_unit": 3', '"rows_per_unit": 30')
    path.write_text(damaged)
    assert not verify(path)
