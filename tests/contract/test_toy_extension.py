"""Adding a class, its learner and its bounds is adding one file and its proof.

The file is copied into a folder outside the package, and named in ``TACIT_EXTENSIONS``. Plan,
learn, the command line, audit, proofs and reference find it; nothing else is told of it.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIBRARY = """
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

import tacit.classes
from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.checks.audit.instances import named
from tacit.checks.audit.registered import audit_exactly, not_driven
from tacit.checks.testing.contract import check_mechanism_class
from tacit.checks.testing.proofs import code_hash, proof_of, read
from tacit.core import ALGORITHMS, hypothesis_from_dict, mechanisms, theorems
from tacit.testing import seeded

task = Task(
    tacit.classes.Exclusions(size=8),
    privacy=Privacy(1),
    accuracy=Accuracy("0.1", "0.1"),
    output="proper",
)
answer = plan(task)
frame = pd.DataFrame({"x": np.arange(400) % 8})
frame["sick"] = (frame["x"] != 3).astype(int)
frame.to_csv("data.csv", index=False)
frame.to_parquet("data.parquet")
columns = {"label": "sick", "column": "x"}
given = {
    "array": ((frame["x"].to_numpy(), frame["sick"].to_numpy()), {}),
    "frame": (frame, columns),
    "csv": ("data.csv", columns),
    "parquet": ("data.parquet", columns),
}
releases = {
    kind: learn(task, data, rng=seeded("toy"), ledger=Ledger.memory(), algorithm="exclusions", **more)
    for kind, (data, more) in given.items()
}
rule = releases["array"].value
audit, why_not = audit_exactly(named("Exclusions"), epsilon=Fraction(1), seconds=60)
(learner,) = [cls for cls in mechanisms() if cls.__module__ == "exclusions"]
check_mechanism_class(learner)
proof = proof_of(learner.CLAIM)
print(json.dumps({
    "options": {option.algorithm.name: option.bound.n for option in answer.options},
    "lower": {bound.name: bound.n for bound in answer.lower_bounds},
    "rules": {kind: release.value.to_dict() for kind, release in releases.items()},
    "certificates": {kind: release.certificate.algorithm for kind, release in releases.items()},
    "read back": hypothesis_from_dict(rule.to_dict()) == rule,
    "audit": [float(end) for end in audit.epsilon] if audit else why_not,
    "not driven": not_driven(),
    "theorems": [one.claim.locator for one in theorems() if one.function.__module__ == "exclusions"],
    "proof": proof.name,
    "stale": code_hash(read(proof)[0]) != read(proof)[1],
    "algorithm's proof": ALGORITHMS["exclusions"].proof,
}))
"""
COMMANDS = """
import json, sys
from tacit.cli import main

said = []
for words in json.loads(sys.argv[1]):
    print("====", flush=True)
    said.append(main(words))
print("====", flush=True)
print(json.dumps(said))
"""


def python(script, *words, folder, **environment):
    found = subprocess.run(
        [sys.executable, "-c", script, *words],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT), str(folder)])}
        | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("toy")
    for name in ("exclusions.py", "exclusions.proof.md"):
        shutil.copy(HERE / "toy" / name, made / name)
    return made


@pytest.fixture(scope="module")
def found(folder):
    return json.loads(python(LIBRARY, folder=folder, TACIT_EXTENSIONS="exclusions"))


def test_the_planner_finds_algorithm_and_bound(found):
    assert found["options"]["exclusions"] >= found["lower"]["one exclusion each"] >= 3


def test_arrays_frames_and_files_are_learned_alike(found):
    assert set(found["rules"]) == {"array", "frame", "csv", "parquet"}
    rules = dict(found["rules"])
    first = rules.pop("array")
    assert first["kind"] == "exclusion"
    for named in rules.values():
        assert named["label"]["name"] == "sick"  # frames and files have names
        assert named["rule"] == first
    assert set(found["certificates"].values()) == {"exclusions"}
    assert found["read back"] is True


def test_the_audit_follows_its_tiny_instance(found):
    low, high = found["audit"]
    assert 0.2 < low <= high < 1.001
    assert found["not driven"] == []


def test_theorems_and_proof_are_found(found):
    assert found["theorems"] == ["exclusions, learned", "exclusions, needed"]
    assert found["proof"] == found["algorithm's proof"] == "exclusions.proof.md"
    assert found["stale"] is False


def test_the_command_line_and_the_reference_find_it(folder, found):
    learned = "data.csv --class exclusions --size 8 --label sick --epsilon 1 --no-ledger"
    commands = [
        [
            "plan",
            "--class",
            "exclusions",
            "--size",
            "8",
            "--epsilon",
            "1",
            "--setting",
            "realizable",
            "--json",
        ],
        ["learn", *learned.split(), "--setting", "realizable", "-o", "rule.json"],
        ["predict", "rule.json", "data.csv", "-o", "predicted.csv"],
        ["audit", "exclusions", "--budget", "4s"],
        [
            "bounds",
            "Tacit: exclusions, needed",
            *["--size", "8", "--beta", "0.1", "--epsilon", "1"],
        ],
    ]
    out = python(COMMANDS, json.dumps(commands), folder=folder, TACIT_EXTENSIONS="exclusions")
    planned, _, _, audited, bounds, codes = out.split("====\n")[1:]
    assert json.loads(codes) == [0] * len(commands), out
    assert "exclusions" in {option["algorithm"] for option in json.loads(planned)["options"]}
    assert "exact" in audited
    assert str(found["lower"]["one exclusion each"]) in bounds
    assert json.loads((folder / "rule.json").read_text())["rule"]
    assert len((folder / "predicted.csv").read_text().splitlines()) == 401
    script = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'docs')!r}); "
        "from generate_papers import pages; print('\\n'.join(pages().values()))"
    )
    reference = python(script, folder=folder, TACIT_EXTENSIONS="exclusions")
    assert "exclusions, learned" in reference
    assert "exclusions, needed" in reference


def test_a_file_never_imports_anything(folder, found):
    """Without the variable a release that names the toy is refused, though Python could find it."""
    record = found["rules"]["array"]
    script = (
        "import json, sys\n"
        "from tacit.core import BadInput, hypothesis_from_dict\n"
        "try:\n    hypothesis_from_dict(json.loads(sys.argv[1]))\n"
        "except BadInput as refused:\n    print(refused, 'exclusions' in sys.modules)\n"
    )
    said = python(script, json.dumps(record), folder=folder, TACIT_EXTENSIONS="")
    assert said == "this is not a rule that this version of Tacit can read False\n"


def test_a_name_that_is_no_module_is_told(folder):
    script = (
        "from tacit.core import ALGORITHMS, BadInput\n"
        "try:\n    list(ALGORITHMS)\nexcept BadInput as refused:\n    print(refused)\n"
    )
    said = python(script, folder=folder, TACIT_EXTENSIONS="exclusion")
    assert "TACIT_EXTENSIONS names 'exclusion', which cannot be imported" in said
