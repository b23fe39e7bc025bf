"""``make docs``: generate what can be generated, then render every page and proof to HTML."""

from __future__ import annotations

import html
import re
import runpy
import shutil
from pathlib import Path

from markdown_it import MarkdownIt

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
OUT = DOCS / "_build"

STYLE = """
body{font:16px/1.55 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;
color:#1b1b1f}
nav{font-size:.9rem;margin-bottom:2rem} nav a{margin-right:1rem}
pre,code{font:14px/1.45 ui-monospace,monospace;background:#f4f4f6;border-radius:4px}
pre{padding:.8rem;overflow-x:auto} code{padding:.1rem .25rem} pre code{padding:0}
table{border-collapse:collapse;display:block;overflow-x:auto}
td,th{border:1px solid #d8d8de;padding:.3rem .6rem;text-align:left}
a{color:#0b57d0} h1,h2,h3{line-height:1.25}
@media(prefers-color-scheme:dark){body{background:#16161a;color:#e6e6ea}
pre,code{background:#24242a}td,th{border-color:#3a3a42}a{color:#8ab4f8}}
"""


def generators() -> list[Path]:
    """Scripts that write pages from the code."""
    return sorted(DOCS.glob("generate_*.py"))


def _mathml(text: str) -> str:
    """TeX between dollar signs as MathML, which browsers draw without a script."""
    from latex2mathml.converter import convert

    def draw(match: re.Match[str]) -> str:
        try:
            display = "block" if match.group(1) == "$$" else "inline"
            return convert(html.unescape(match.group(2)), display=display)
        except Exception:  # noqa: BLE001 - a formula it cannot read stays as TeX
            return match.group(0)

    return re.sub(r"(\$\$?)([^$\n]+?)\1", draw, text)


def render(source: Path, *, title: str, depth: int) -> str:
    """One page; fenced code is left alone, formulas outside it are drawn."""
    text = source.read_text(encoding="utf-8")
    if text.startswith("---\n"):
        text = text.partition("\n---\n")[2]
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    parts = re.split(r"(<pre>.*?</pre>|<code>.*?</code>)", body, flags=re.S)
    body = "".join(part if part.startswith(("<pre", "<code")) else _mathml(part) for part in parts)
    body = re.sub(r'href="(?!https?:|#)([^"]+?)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    home = "../" * depth + "index.html"
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title)}</title>"
        f"<meta name=viewport content='width=device-width'><style>{STYLE}</style>"
        f"<nav><a href={home}>Tacit</a></nav>{body}</html>"
    )


def pages() -> dict[Path, Path]:
    """Source and target of every page: guides, the top-level texts and all proofs."""
    found = {page: OUT / page.relative_to(DOCS).with_suffix(".html") for page in DOCS.glob("*.md")}
    for name in ("README", "CONTRIBUTING", "SECURITY", "CHANGELOG"):
        found[ROOT / f"{name}.md"] = OUT / f"{name}.html"
    source = ROOT / "src" / "tacit"
    for proof in sorted(source.rglob("*.proof.md")):
        found[proof] = OUT / "proofs" / f"{proof.relative_to(source)}".replace(".proof.md", ".html")
    return found


def main() -> None:
    for script in generators():
        print(f"generate {script.name}")
        runpy.run_path(str(script), run_name="__main__")
    shutil.rmtree(OUT, ignore_errors=True)
    listed = pages()
    shutil.copytree(DOCS / "figures", OUT / "figures", dirs_exist_ok=True)
    for source, target in listed.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        depth = len(target.relative_to(OUT).parts) - 1
        target.write_text(render(source, title=source.stem, depth=depth), encoding="utf-8")
    index = OUT / "index.html"
    links = "".join(
        f"<li><a href='{target.relative_to(OUT)}'>{html.escape(_title(source))}</a></li>"
        for source, target in sorted(listed.items(), key=lambda pair: str(pair[1]))
        if target != index
    )
    text = index.read_text(encoding="utf-8").replace("../", "")
    index.write_text(text.replace("</html>", f"<ul>{links}</ul></html>"), encoding="utf-8")
    print(f"{len(listed)} pages in {OUT.relative_to(ROOT)}")


def _title(source: Path) -> str:
    text = source.read_text(encoding="utf-8")
    first = re.search(r"^# (.+)$", text, flags=re.M)
    name = first.group(1) if first else source.stem
    return f"Proof: {name}" if source.name.endswith(".proof.md") else name


if __name__ == "__main__":
    main()
