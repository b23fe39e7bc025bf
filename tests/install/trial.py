"""``python -m tests.install.trial``: the README's commands with the built wheel, as a newcomer.

From a semicolon table with decimal commas, dates, missing values and yes/no labels to a
verified rule and its answers. Dependencies are downloaded into an environment of its own;
``--here`` takes those of this environment, and only the wheel is new.
"""

import random
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = ["--delimiter", ";", "--decimal", ",", "--encoding", "cp1252"]
SCHEMA = """
[columns."Alter"]
kind = "integer"
low = 18
high = 110

[columns."CRP mg/l"]
kind = "number"
low = 0
high = 500
cuts = [5, 10, 20, 45, 100]

[columns."Aufnahme"]
kind = "date"
low = 2023-01-01
high = 2024-12-31
cells = "months"
format = "%d.%m.%Y"

[columns."Geschlecht"]
kind = "category"
values = ["weiblich", "männlich"]
"""


def patients(path, rows=3000):
    """A table as German Excel writes it; who comes back, mostly had a high CRP."""
    made = random.Random(7)
    lines = ["patient_id;Alter;CRP mg/l;Aufnahme;Geschlecht;readmitted"]
    for place in range(rows):
        crp, day = made.gammavariate(2, 20), date(2023, 1, 1) + timedelta(made.randrange(730))
        back = "yes" if (crp > 45) != (made.random() < 0.05) else "no"
        cells = [
            f"p{place}",
            str(made.randrange(18, 95)),
            "" if made.random() < 0.1 else f"{crp:.1f}".replace(".", ","),
            day.strftime("%d.%m.%Y"),
            made.choice(["weiblich", "männlich", "divers", ""]),
            "" if made.random() < 0.01 else back,
        ]
        lines.append(";".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="cp1252")


def readme_commands():
    """What the README tells a newcomer to type, from a table to a verified rule."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("## From a table of patients to a verified rule")[1].split("```sh")[1]
    script = block.split("```")[0].replace("\\\n", " ")
    return [shlex.split(re.sub(r"\s#.*", "", line)) for line in script.splitlines() if line.strip()]


def installed(folder, *, here):
    """The folder of programs of a new environment that has the wheel."""
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    subprocess.run([*build, str(ROOT), "-w", str(folder)], check=True)
    (wheel,) = folder.glob("*.whl")
    fresh = folder / "venv"
    subprocess.run(
        [sys.executable, "-m", "venv", *(["--without-pip"] if here else []), str(fresh)],
        check=True,
    )
    python = fresh / "bin" / "python"
    pip = [str(python), "-m", "pip"]
    if here:
        pip = [sys.executable, "-m", "pip", "--python", str(python)]
    install = [
        "install",
        "--quiet",
        "--disable-pip-version-check",
        *(["--no-deps"] if here else []),
    ]
    subprocess.run([*pip, *install, str(wheel)], check=True)
    if here:
        (site,) = fresh.glob("lib/python*/site-packages")
        (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return fresh / "bin"


def typed(command, folder, programs):
    """One command, with how the table is written; what it said, and how long it took."""
    words = list(command)
    if any(word.endswith(".csv") and word != "predictions.csv" for word in words):
        words += WRITTEN
    start = time.monotonic()
    done = subprocess.run(
        [str(programs / words[0]), *words[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "LANG": "C.UTF-8"},
    )
    print(f"{time.monotonic() - start:6.1f} s  {done.returncode}  {shlex.join(words)}", flush=True)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout


def trial(folder, *, here):
    """Install, and do all that the README says."""
    programs = installed(folder, here=here)
    patients(folder / "patients.csv")
    commands, said = readme_commands(), {}
    assert len(commands) >= 9
    for command in commands:
        if command[:3] == ["tacit", "schema", "init"]:
            said["init"] = typed(command, folder, programs)
            assert '"?"' in (folder / "schema.toml").read_text(encoding="utf-8")
            (folder / "schema.toml").write_text(SCHEMA, encoding="utf-8")
            continue
        if command[1] == "predict":
            rows = (folder / "patients.csv").read_text(encoding="cp1252").splitlines()[:40]
            kept = [row.rsplit(";", 1)[0] for row in rows]
            (folder / "others.csv").write_text("\n".join(kept) + "\n", encoding="cp1252")
        said[command[1]] = typed(command, folder, programs)
    assert "one well-formed table" in said["doctor"]
    assert "Aufnahme: most cells fit" in said["doctor"]
    assert "records suffice" in said["plan"]
    assert "readmitted is " in said["learn"]  # the draw is real: it may say "no" to all
    assert "Does not hold" not in said["verify"]
    assert "paid for exactly this release" in said["verify"]
    answers = (folder / "predictions.csv").read_text(encoding="utf-8").split("\n")
    assert answers[0] == "patient_id,prediction"
    assert len(answers) == 41
    return {one.split(",")[1] for one in answers[1:-1]}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(trial(Path(name), here="--here" in sys.argv))
