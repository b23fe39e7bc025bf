"""The built wheel does what the README says; ``make test-install`` downloads all else anew."""

import pytest
from tests.install.trial import readme_commands, trial


def test_from_the_wheel_to_a_verified_rule_by_the_readme(tmp_path):
    pytest.importorskip("pip", reason="pip builds and installs the wheel")
    found = trial(tmp_path, here=True)
    assert found <= {"yes", "no", "not yes"}


def test_the_readme_names_every_step():
    steps = [command[1] for command in readme_commands()]
    wanted = ["doctor", "schema", "plan", "budget", "learn", "verify", "certificate", "predict"]
    assert [step for step in wanted if step not in steps] == []
