"""Write the list of ``docs/machine_checked.md``: what each proof file has in Coq, and what not.

    python proofs/page.py            rewrite the list in the page
    python proofs/page.py --check    only compare

Every proof file that names theorems says itself what they cover (its section
``Machine-checked``: a paragraph ``In Coq:``, a paragraph ``Not in Coq:``, the names).
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import source  # the folder is a script, not a package

ROOT = source.FOLDER.parent
PAGE = ROOT / "docs" / "machine_checked.md"
CODE = ROOT / "src" / "tacit"
BEGIN = "<!-- written by `python proofs/page.py` -->"
END = "<!-- end of what is written -->"


@dataclass(frozen=True)
class Named:
    """A proof file, what it says is in Coq and what not, and the theorems it names."""

    path: str
    covered: str
    left_out: str
    theorems: tuple[str, ...]


def proof_files() -> list[Path]:
    """Every proof file, in order."""
    return sorted(CODE.rglob("*.proof.md"))


def named(path: Path) -> Named | None:
    """What a proof file says of Coq; nothing if it names no theorem."""
    text = path.read_text(encoding="utf-8")
    theorems = tuple(re.findall(r"^coq: (\S+)$", text, re.MULTILINE))
    if not theorems:
        return None
    short = str(path.relative_to(CODE))
    form = r"^## Machine-checked\n\nIn Coq: (.+)\n\nNot in Coq: (.+)\n\n```\n(?:coq: \S+\n)+```"
    found = re.search(form, text, re.MULTILINE)
    if found is None:
        raise ValueError(f"{short}: Machine-checked says not what is in Coq, or not what is not")
    return Named(short, found[1], found[2], theorems)


def listing() -> str:
    """The list, as it stands between the marks."""
    rows = [entry for path in proof_files() if (entry := named(path)) is not None]
    cited = {label for entry in rows for label in entry.theorems}
    unused = [label for label in source.every_theorem() if label not in cited]
    steps = [label for label in unused if not label.startswith(f"{source.GENERATED}.")]
    lines = [
        f"{len(rows)} proof files name {len(cited)} theorems. Of all others nothing is in Coq.",
        "",
    ]
    for entry in rows:
        names = ", ".join(f"`{label}`" for label in entry.theorems)
        lines += [f"**`{entry.path}`**", ""]
        lines += [f"* In Coq: {entry.covered}", f"* Not in Coq: {entry.left_out}", f"* {names}", ""]
    lines += [
        "These theorems are named by no proof file; others stand on them, or they are said above: "
        + ", ".join(f"`{label}`" for label in steps)
        + f". The {len(unused) - len(steps)} numbers of `Numbers.v` are named by none either.",
    ]
    return "\n".join(lines)


def page() -> str:
    """The page with the list as it should be."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"{PAGE.name} has no marks for the list")
    return f"{before}{BEGIN}\n\n{listing()}\n\n{END}{after}"


def main(arguments: list[str]) -> int:
    """Write the list, or with ``--check`` say whether it is up to date."""
    if arguments == ["--check"]:
        same = PAGE.read_text(encoding="utf-8") == page()
        print("up to date" if same else "stale: run python proofs/page.py")
        return 0 if same else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
