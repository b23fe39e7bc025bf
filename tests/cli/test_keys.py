"""``tacit keys``: a pair that nobody else can read, and signatures that verify."""

import pytest

from tacit import Accuracy, Privacy, Task, learn, save
from tacit.accounting import Ledger
from tacit.classes import Points
from tacit.cli import main


@pytest.fixture
def release(tmp_path):
    task = Task(Points(bits=3), privacy=Privacy(1), accuracy=Accuracy("0.4", "0.4"))
    found = learn(task, ([3] * 400, [1] * 400), ledger=Ledger.memory(1))
    save(found, tmp_path / "release.json")
    return tmp_path / "release.json"


def test_a_made_key_signs_and_the_public_one_verifies(release, capsys):
    name = release.with_name("mine")
    assert main(["keys", "create", str(name)]) == 0
    assert release.with_name("mine.key").stat().st_mode & 0o077 == 0
    assert main(["keys", "sign", str(release), "--key", f"{name}.key"]) == 0
    assert main(["verify", str(release), "--key", f"{name}.pub"]) == 0
    capsys.readouterr()
    release.with_name("release.json.sig").write_text("AAAA\n")
    assert main(["verify", str(release), "--key", f"{name}.pub"]) != 0


def test_nothing_is_overwritten(release, capsys):
    name = str(release.with_name("mine"))
    assert main(["keys", "create", name]) == 0
    kept = release.with_name("mine.key").read_bytes()
    capsys.readouterr()
    assert main(["keys", "create", name]) == 2
    assert "never overwritten" in capsys.readouterr().err  # there is no --force to be told of
    assert release.with_name("mine.key").read_bytes() == kept
    assert main(["keys", "sign", str(release), "--key", f"{name}.key"]) == 0
    assert main(["keys", "sign", str(release), "--key", f"{name}.key"]) == 2
