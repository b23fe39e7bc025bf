"""Change theorems so that they say too much, and see that their proofs break.

    python proofs/mutations.py                  every listed change
    python proofs/mutations.py --seconds 30     some of them, one of each file first
    python proofs/mutations.py --only Flips     those of one file or theorem
    python proofs/mutations.py --drop           every hypothesis of every theorem, one by one

The files of ``mutations/`` list the changes. A hypothesis is dropped by putting ``True`` in its
place, so that the proof still finds everything else under its name. Every changed statement is
false: ``because`` says where. A change counts as noticed only if Coq accepts the changed
statement and stops with an error inside its proof; a proof that does not end is no verdict.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import check  # the folder is a script, not a package
import source


@dataclass(frozen=True)
class Mutation:
    """A theorem and what to write into its statement instead of something else."""

    theorem: str
    old: str
    new: str
    because: str = ""
    """Where the changed statement is false."""

    def __str__(self) -> str:
        return f"{self.theorem}: {source.plain(self.old)} => {source.plain(self.new)}"


def listed() -> list[Mutation]:
    """The changes of the lists."""
    return [
        Mutation(**entry)
        for path in sorted((source.FOLDER / "mutations").glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutation"]
    ]


def drops() -> list[Mutation]:
    """Every hypothesis of every statement, replaced by nothing said."""
    return [
        Mutation(theorem.label, hypothesis, "True")
        for theorem in source.every_theorem().values()
        for hypothesis in source.hypotheses_of(theorem.statement)
    ]


def changed(mutation: Mutation) -> str:
    """The file of the theorem with the change made, and nothing else."""
    theorem = source.every_theorem()[mutation.theorem]
    text = (source.FOLDER / f"{theorem.file}.v").read_text(encoding="utf-8")
    statement = text[theorem.start : theorem.end]
    pattern = r"\s+".join(re.escape(word) for word in mutation.old.split())
    places = list(re.finditer(rf"(?<!\w){pattern}(?!\w)", statement))
    if len(places) != 1:
        raise check.Failed(f"{mutation}: found {len(places)} times in the statement")
    begin, end = places[0].span()
    return text[: theorem.start + begin] + mutation.new + text[theorem.start + end :]


def without_proofs(text: str, end: int) -> str:
    """The text with every proof that ends before ``end`` left out; lines stay where they are."""
    code = source.without_comments(text)
    out, last = [], 0
    for match in re.finditer(r"\bProof\b.*?\b(Qed|Defined)\.", code, re.DOTALL):
        if match.end() > end:
            break
        if match.group(1) == "Qed":
            lines = "\n" * match.group(0).count("\n")
            out += [text[last : match.start()], "Proof. Admitted.", lines]
            last = match.end()
    return "".join([*out, text[last:]])


def _run(theorem: source.Theorem, text: str, seconds: tuple[float, ...]) -> tuple[str | None, bool]:
    """Compile up to the end of the theorem: what Coq says, and whether it stops in the proof."""
    code = source.without_comments(text)
    begin = re.search(rf"\b(?:Theorem|Lemma)\s+{theorem.name}\b", code)
    proof = code.index("Proof", begin.start() if begin else 0)
    first = code[:proof].count("\n") + 1
    last = code[: re.compile(r"\b(Qed|Defined)\.").search(code, proof).end()].count("\n") + 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{theorem.file}.v"
        # What comes after the theorem has no part in it.
        path.write_text("\n".join(text.splitlines()[:last]) + "\n", encoding="utf-8")
        for limit in seconds:
            try:
                said = check.coqc(path, seconds=limit).stderr
            except subprocess.TimeoutExpired:
                continue
            error = re.search(r", line (\d+), characters", said)
            return said, error is not None and first <= int(error.group(1)) <= last
    return None, False


def _holds(said: str | None) -> bool:
    # The cut leaves the theorem's sections open: that is no broken proof.
    form = r"\s*(Error: The section \w+ needs to be closed\.)?\s*"
    return said is not None and re.fullmatch(form, said) is not None


@cache
def _short(label: str, seconds: float) -> bool:
    """Whether the unchanged theorem holds with all proofs before it left out.

    Then a change may be tried so, which takes a fraction of the time. (What is left out may
    depend on more variables of its section than what is proved; then it is not.)
    """
    theorem = source.every_theorem()[label]
    text = (source.FOLDER / f"{theorem.file}.v").read_text(encoding="utf-8")
    said, _ = _run(theorem, without_proofs(text, theorem.start), (seconds,))
    return _holds(said)


def verdict(mutation: Mutation, *, seconds: tuple[float, ...] = (120, 480)) -> str:
    """Nothing if the proof breaks, else what happened; a run that takes too long is repeated."""
    theorem = source.every_theorem()[mutation.theorem]
    text = changed(mutation)
    if _short(mutation.theorem, seconds[0]):
        text = without_proofs(text, theorem.start)
    said, inside = _run(theorem, text, seconds)
    if said is None:
        return f"no verdict: the proof did not end in {seconds[-1]:.0f} s"
    if _holds(said):
        return "the proof does not notice"
    broken = inside and "Syntax error" not in said
    return "" if broken else f"it breaks elsewhere: {said.strip()[:300]}"


def in_turn(mutations: list[Mutation]) -> list[Mutation]:
    """One change of each file first, then the second of each, and so on."""
    seen: dict[str, int] = {}
    turns = []
    for mutation in mutations:
        file = mutation.theorem.split(".")[0]
        seen[file] = seen.get(file, 0) + 1
        turns.append((seen[file], file, mutation))
    return [mutation for _, _, mutation in sorted(turns, key=lambda turn: turn[:2])]


def main(arguments: list[str]) -> int:
    """Try the changes, two at a time; with a limit of time, what does not end soon is left out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=None, help="begin no change after this")
    parser.add_argument("--least", type=int, default=0, help="begin so many however late it is")
    parser.add_argument("--only", default="", help="a file or theorem")
    parser.add_argument("--drop", action="store_true", help="drop every hypothesis instead")
    options = parser.parse_args(arguments)
    if reason := check.install():
        print(f"SKIPPED: no theorem was changed: {reason}")
        return check.SKIPPED
    mutations = in_turn(drops() if options.drop else listed())
    mutations = [m for m in mutations if m.theorem.startswith(options.only)]
    quick = options.seconds is not None
    limit = time.monotonic() + (options.seconds if quick else 86400)

    def attempt(place: int, mutation: Mutation) -> str | None:
        if place >= options.least and time.monotonic() >= limit:
            return None
        what = verdict(mutation, seconds=(20,)) if quick else verdict(mutation)
        return None if quick and what.startswith("no verdict") else what

    try:
        wanted = {mutation.theorem.split(".")[0] for mutation in mutations}
        if check.compile_all(again=False, deadline=limit, wanted=wanted):
            print("No time to change theorems: `make proofs-mutations` does.")
            return 0
        with ThreadPoolExecutor(max_workers=2) as pool:
            tried = list(pool.map(attempt, range(len(mutations)), mutations))
    except check.Failed as error:
        print(f"mutations FAILED: {error}", file=sys.stderr)
        return 1
    bad = [(m, what) for m, what in zip(mutations, tried, strict=True) if what]
    for mutation, what in bad:
        print(f"NOT BROKEN {mutation}: {what}", file=sys.stderr)
    done = sum(what is not None for what in tried)
    print(f"{done - len(bad)} of {done} changes broke their proofs; {len(mutations)} are listed.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
