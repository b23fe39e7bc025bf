"""Finished parts are kept and not made again; a part that fails costs no other."""

import json

import pytest

from tacit.core import BadInput
from tacit.reproduce import reproduce


def test_parts_are_kept_and_not_made_again(tmp_path):
    first = reproduce(["fx14-dimensions"], effort="planned", folder=tmp_path, workers=1)[0]
    assert first.rows
    assert not first.missing
    kept = tmp_path / "fx14-dimensions.planned.jsonl"
    lines = kept.read_text().splitlines()
    told = []
    # Cut short as by a kill: only that part is made again.
    kept.write_text("\n".join([*lines[:-1], lines[-1][: len(lines[-1]) // 2]]) + "\n")
    again = reproduce(
        ["fx14-dimensions"], effort="planned", folder=tmp_path, workers=1, progress=told.append
    )[0]
    assert again.rows == first.rows
    assert len(told) == 1


def test_parts_of_another_version_are_made_again(tmp_path):
    reproduce(["log-star"], effort="planned", folder=tmp_path, workers=1)
    kept = tmp_path / "log-star.planned.jsonl"
    old = [json.loads(line) | {"software": "0.0"} for line in kept.read_text().splitlines()]
    kept.write_text("".join(json.dumps(record) + "\n" for record in old))
    told = []
    reproduce(["log-star"], effort="planned", folder=tmp_path, workers=1, progress=told.append)
    assert len(told) == len(old)


def test_bad_words_are_refused(tmp_path):
    with pytest.raises(BadInput, match="effort"):
        reproduce(["log-star"], effort="fast", folder=tmp_path)
    with pytest.raises(BadInput, match="workers"):
        reproduce(["log-star"], folder=tmp_path, workers=0)
