"""Check every Coq file of this folder, and say what each theorem states and assumes.

    python proofs/check.py                 all of it, from scratch
    python proofs/check.py --seconds 100   what can be had in that time, quietly

Leaves with 0 if everything holds, 1 if something does not, and 77 if Coq is missing and
cannot be installed here: then nothing was checked, and it says ``SKIPPED``.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))
import source  # the folder is a script, not a package
from tests.tools import debian

PACKAGES = ("coq", "libcoq-coquelicot", "libcoq-interval")
SKIPPED = 77

CLASSICAL = {
    "ClassicalDedekindReals.sig_forall_dec": "the real numbers",
    "ClassicalDedekindReals.sig_not_dec": "the real numbers",
    "FunctionalExtensionality.functional_extensionality_dep": "extensionality",
    "Classical_Prop.classic": "excluded middle",
}
"""What a theorem may assume: the axioms of Coq's classical real numbers."""

ARITHMETIC = ("PrimInt63", "Uint63", "PrimFloat", "FloatAxioms")
"""Machine integers and floats, by which ``interval`` computes: in ``Numbers.v`` only."""

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|Conjecture|give_up|bypass_check)\b"
    r"|Unset\s+(?:Guard|Positivity|Universe)\s+Check"
)


class Failed(Exception):
    """A file, an axiom or a word that must not be."""


def install() -> str:
    """Make sure of Coq; the reason why that is not possible, or nothing."""
    return debian.install(PACKAGES, _missing)


def _missing() -> str:
    if shutil.which("coqc") is None:
        return "coqc"
    where = subprocess.run(["coqc", "-where"], capture_output=True, text=True, check=True)
    folder = Path(where.stdout.strip()) / "user-contrib"
    return ", ".join(name for name in ("Coquelicot", "Interval") if not (folder / name).is_dir())


def forbidden_words() -> None:
    """Refuse a file that leaves something unproved."""
    for path in source.files():
        text = source.without_comments(path.read_text(encoding="utf-8"))
        if found := FORBIDDEN.search(text):
            line = text[: found.start()].count("\n") + 1
            raise Failed(f"{path.name}, line {line}: {found.group(0)}")


def dependencies() -> dict[str, set[str]]:
    """Which files of the folder each file needs, by stem."""
    stems = {path.stem for path in source.files()}
    needed: dict[str, set[str]] = {}
    for path in source.files():
        text = source.without_comments(path.read_text(encoding="utf-8"))
        lines = re.findall(r"From Tacit Require (?:Import )?([\w\s]+)\.", text)
        needed[path.stem] = {name for line in lines for name in line.split()} & stems
    return needed


def coqc(path: Path, *, seconds: float = 600) -> subprocess.CompletedProcess[str]:
    """Compile one file against the folder."""
    command = ["coqc", "-w", "none", "-Q", str(source.FOLDER), "Tacit", str(path)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=source.FOLDER,
        timeout=None if seconds == float("inf") else max(seconds, 1),
    )


def _fresh(stem: str, needed: set[str]) -> bool:
    """Whether the compiled file is newer than its source and than what it was compiled with."""
    compiled = source.FOLDER / f"{stem}.vo"
    if not compiled.exists():
        return False
    age = compiled.stat().st_mtime
    older = [source.FOLDER / f"{stem}.v", *(source.FOLDER / f"{name}.vo" for name in needed)]
    return all(path.exists() and path.stat().st_mtime <= age for path in older)


def behind(stem: str, needed: dict[str, set[str]]) -> set[str]:
    """All files that a file stands on, itself among them."""
    return {stem}.union(*(behind(other, needed) for other in needed[stem]))


def compile_all(*, again: bool, deadline: float, wanted: set[str] | None = None) -> list[str]:
    """Compile in the order of dependence, two at a time; the files that time did not allow.

    With ``wanted``, only those files and what they stand on.
    """
    needed = dependencies()
    if wanted is not None:
        chosen = set().union(*(behind(stem, needed) for stem in wanted))
        needed = {stem: needed[stem] for stem in chosen}
    done: set[str] = set()
    late: list[str] = []

    def one(stem: str) -> str:
        if not again and _fresh(stem, needed[stem]):
            return ""
        (source.FOLDER / f"{stem}.vo").unlink(missing_ok=True)
        try:
            result = coqc(source.FOLDER / f"{stem}.v", seconds=deadline - time.monotonic())
        except subprocess.TimeoutExpired:
            late.append(stem)
            return ""
        return result.stderr if result.returncode else ""

    with ThreadPoolExecutor(max_workers=2) as pool:
        running = {}
        while len(done) < len(needed):
            for stem in sorted(needed):
                ready = stem not in done and stem not in running and needed[stem] <= done
                if ready and time.monotonic() < deadline:
                    running[stem] = pool.submit(one, stem)
            if not running:
                break
            stem = next((s for s, task in running.items() if task.done()), None)
            if stem is None:
                time.sleep(0.05)
                continue
            if error := running.pop(stem).result():
                raise Failed(error)
            if stem not in late:
                done.add(stem)
    return sorted(set(needed) - done)


def _ask(stems: set[str], questions: list[str], *, seconds: float) -> str:
    """What Coq answers when all these files are loaded."""
    lines = ["From Coq Require Import Reals ZArith List.", "Import ListNotations."]
    # The generated numbers are many: they are loaded by their full names.
    lines += [f"From Tacit Require {'' if s == source.GENERATED else 'Import '}{s}." for s in stems]
    lines += ["Open Scope R_scope.", "Set Printing Width 100.", *questions]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "Report.v"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        run = coqc(path, seconds=seconds)
    if run.returncode:
        raise Failed(run.stderr)
    return run.stdout


def _axioms(answer: str) -> tuple[str, ...]:
    """The names in an answer to ``Print Assumptions``."""
    # A name stands at the beginning of a line; what follows of its type is indented.
    names = re.findall(r"^([^\s:]+)", answer.partition("Axioms:")[2], re.MULTILINE)
    if not names and "Closed under the global context" not in answer:
        raise Failed(f"cannot read what is assumed: {answer}")
    return tuple(sorted(names))


def axioms_of_files(stems: set[str], *, seconds: float) -> dict[str, tuple[str, ...]]:
    """What the theorems of each kind of file assume together: one question, little time."""
    results = [r.label for r in source.every_theorem().values() if r.file in stems]
    numbers = [label for label in results if label.startswith(f"{source.GENERATED}.")]
    groups = {source.GENERATED: numbers, "theorems": [r for r in results if r not in numbers]}
    found = {}
    for name, labels in groups.items():
        if labels:
            pairs = ", ".join(f"@Tacit.{label}" for label in labels)
            questions = [f"Definition everything := ({pairs}).", "Print Assumptions everything."]
            found[f"{name}."] = _axioms(_ask(stems, questions, seconds=seconds))
    return found


def report(stems: set[str], *, seconds: float) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Statement and axioms of every result of these files, as Coq prints them.

    The generated numbers are asked about together: each alone takes Coq eight seconds.
    """
    labels = [r.label for r in source.every_theorem().values() if r.file in stems]
    numbers = [label for label in labels if label.startswith(f"{source.GENERATED}.")]
    together = f"Definition numbers := ({', '.join(f'@Tacit.{label}' for label in numbers)})."

    def half(part: list[str]) -> str:
        questions = [together] if numbers else []
        for label in part:
            questions.append(f'Goal True. idtac "@@ {label}". Abort.')
            questions.append(f"Check @Tacit.{label}.")
            questions.append('Goal True. idtac "@@@". Abort.')
            if label not in numbers:
                questions.append(f"Print Assumptions Tacit.{label}.")
            elif label == numbers[0]:
                questions.append("Print Assumptions numbers.")
        return _ask(stems, questions, seconds=seconds)

    with ThreadPoolExecutor(max_workers=2) as pool:
        answers = "".join(pool.map(half, [labels[::2], labels[1::2]]))
    parts = {}
    for part in answers.split("@@ ")[1:]:
        head, _, axioms = part.partition("@@@")
        label, _, statement = head.partition("\n")
        parts[label.strip()] = re.sub(r"^\S+\s+: ", "", statement.strip(), flags=re.S), axioms
    found = {
        label: (statement, _axioms(parts[numbers[0]][1] if label in numbers else axioms))
        for label, (statement, axioms) in parts.items()
    }
    if missing := set(labels) - set(found):
        raise Failed(f"no report on {', '.join(sorted(missing))}")
    return {label: found[label] for label in labels}


def judge(found: dict[str, tuple[str, ...]]) -> None:
    """Refuse an axiom that is not listed."""
    for label, axioms in found.items():
        for axiom in axioms:
            numbers = label.startswith(f"{source.GENERATED}.")
            machine = numbers and axiom.split(".")[0] in ARITHMETIC
            if axiom not in CLASSICAL and not machine:
                raise Failed(f"{label} assumes {axiom}")


def show(found: dict[str, tuple[str, tuple[str, ...]]]) -> None:
    """Print every statement with what it assumes."""
    for label, (statement, axioms) in found.items():
        print(f"\n{label}\n  {statement}")
        machine = sum(axiom not in CLASSICAL for axiom in axioms)
        named = [axiom for axiom in axioms if axiom in CLASSICAL]
        if machine:
            named.append(f"{machine} of machine integers and floats")
        print(f"  assumes: {', '.join(named) or 'nothing'}")
    print("\nThe axioms, and what for:")
    print("\n".join(f"  {axiom}: {why}" for axiom, why in CLASSICAL.items()))


def main(arguments: list[str]) -> int:
    """Install, check, report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=None, help="stop after this time")
    options = parser.parse_args(arguments)
    quick = options.seconds is not None
    if reason := install():
        print(f"SKIPPED: the machine-checked proofs were not checked: {reason}")
        return SKIPPED
    begin = time.monotonic()
    deadline = begin + (options.seconds if quick else 3600)
    try:
        forbidden_words()
        late = compile_all(again=not quick, deadline=begin + 0.75 * (deadline - begin))
        stems = {path.stem for path in source.files()} - set(late)
        if not stems:
            raise Failed("no file was reached in time")
        judge(axioms_of_files(stems, seconds=deadline - time.monotonic()))
        if not quick:
            found = report(stems, seconds=deadline - time.monotonic())
            judge({label: axioms for label, (_, axioms) in found.items()})
            show(found)
    except Failed as error:
        print(f"proofs FAILED: {error}", file=sys.stderr)
        return 1
    except subprocess.TimeoutExpired:
        print("The axioms were not reached in time. `make proofs` checks everything.")
        return 0 if quick else 1
    count = sum(result.file in stems for result in source.every_theorem().values())
    took = time.monotonic() - begin
    print(f"\n{count} theorems in {len(stems)} Coq files hold ({took:.0f} s).")
    if late:
        print(f"Not reached in time: {', '.join(late)}. `make proofs` checks everything.")
        return 0 if quick else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
