"""How the pages are built: Sphinx, with what the code says about itself written first."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(DOCS))

project = "Tacit"
author = "Tacit"
html_title = "Tacit"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "numpydoc"]
html_theme = "furo"
smartquotes = False  # what is copied from a page must be what was typed
html_show_copyright = False
html_static_path = ["static"]
html_css_files = ["pages.css"]
exclude_patterns = [
    "_build",
    "jupyter_execute",
    ".jupyter_cache",
    "reproduced/*.md",
    "reproduced/*.txt",
]
myst_enable_extensions = ["dollarmath", "colon_fence"]
myst_heading_anchors = 3
myst_dmath_double_inline = True
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_in_temp = True  # it writes files, and refuses to write them twice
nb_execution_timeout = 300
autosummary_generate = False
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
html_math_renderer = "mathml"
suppress_warnings = ["myst.header"]

_GENERATED = DOCS / "generated"
_PROJECT = {"CHANGELOG": "changelog", "CONTRIBUTING": "contributing", "SECURITY": "security"}


def _write(name: str, text: str) -> None:
    path = _GENERATED / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _generate(_: Any) -> None:
    """The pages that are made from the registry, the commands, the proofs and the project."""
    import generate_commands
    import generate_papers
    import generate_python

    for name, text in generate_papers.pages().items():
        _write(name, text)
    _write("commands.md", generate_commands.page())
    for name, text in generate_python.pages().items():
        _write(name, text)
    for name, target in _PROJECT.items():
        text = (ROOT / f"{name}.md").read_text(encoding="utf-8")
        text = re.sub(r"\]\(docs/([^)]+)\)", r"](../\1)", text)
        _write(f"{target}.md", _named_only(text))
    proofs()


def _named_only(text: str) -> str:
    """Files of the repository that are not pages are named, not linked."""
    return re.sub(r"\[([^\]]+)\]\((?!https?:|#|\.\./)[^)]+\)", r"\1", text)


def proofs() -> None:
    """Every proof as a page, and a list of them by folder."""
    source = ROOT / "src" / "tacit"
    names = []
    for path in sorted(source.rglob("*.proof.md")):
        name = str(path.relative_to(source)).removesuffix(".proof.md")
        text = path.read_text(encoding="utf-8")
        if text.startswith("---\n"):
            text = text.partition("\n---\n")[2]
        _write(f"proofs/{name}.md", re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]+\)", r"\1", text))
        names.append(name)
    listed = "\n".join(f"{name} <proofs/{name}>" for name in names)
    _write(
        "proofs.md",
        "# Proofs\n\nEvery mechanism and learner has its proof beside its code, tied to it by a "
        f"hash.\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n",
    )


def plain_tex(tex: str) -> str:
    r"""A formula without what the converter cannot read: sizes of brackets, and a \quad that a
    letter follows.
    """
    tex = re.sub(r"\\[Bb]igg?[lr]?\s*(?=\\(?:[{}]|[lr](?:ceil|floor)\b))", "", tex)
    return re.sub(r"\\(q?quad)(?=[A-Za-z])", r"\\\1 ", tex)


def _mathml(tex: str, *, display: str) -> str:
    from latex2mathml.converter import convert

    try:
        return convert(plain_tex(tex), display=display)
    except Exception:  # noqa: BLE001 - a formula it cannot read stays as TeX
        return f"<code>{tex}</code>"


def _inline(translator: Any, node: Any) -> None:
    from docutils import nodes

    translator.body.append(_mathml(node.astext(), display="inline"))
    raise nodes.SkipNode


def _block(translator: Any, node: Any) -> None:
    from docutils import nodes

    translator.body.append(f"<div>{_mathml(node.astext(), display='block')}</div>")
    raise nodes.SkipNode


def _links(_: Any, docname: str, source: list[str]) -> None:
    """Links to texts outside this folder lead to their copies in it."""
    up = "../" * docname.count("/")
    text = source[0].replace("](../README.md)", f"]({up}index.md)")
    for name, target in _PROJECT.items():
        text = re.sub(rf"\]\((?:\.\./)+{name}\.md\)", f"]({up}generated/{target}.md)", text)
    source[0] = re.sub(
        r"\]\((?:\.\./)*src/tacit/([^)]+?)\.proof\.md\)", rf"]({up}generated/proofs/\1.md)", text
    )


_NAMED = re.compile(r"^(``[^`]+``(?:, ``[^`]+``)*)\s{2,}(\S.*)$")


def sections(lines: list[str]) -> list[str]:
    """Our columns of names and words as numpydoc's section of parameters."""
    before: list[str] = []
    named: list[str] = []
    after: list[str] = []
    inside = False
    for line in lines:
        found = _NAMED.match(line)
        if found:
            named += [found.group(1).replace("`", ""), f"    {found.group(2)}"]
        elif inside and line.startswith(" ") and line.strip():
            named.append(f"    {line.strip()}")
            continue
        else:
            (after if named else before).append(line)
        inside = found is not None
    if not named:
        return lines
    rest = ["", "Notes", "-----", *after] if any(line.strip() for line in after) else []
    return [*before, "", "Parameters", "----------", *named, *rest]


def _docstring(
    _: Any, _kind: str, _name: str, _thing: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = sections(lines)


def signature(text: str) -> str:
    """A signature whose defaults are written as they can be read: a function is no text.

    >>> signature("(name: str, when: ~tacit.core.Task = <function _always>)")
    '(name: str, when: ~tacit.core.Task = ...)'
    """
    return re.sub(r"<[a-z][\w.]*(?: [^<>]*)?>", "...", text)


def _signature(
    _: Any, _kind: str, _name: str, _thing: Any, _options: Any, words: str | None, returns: Any
) -> tuple[str, Any] | None:
    return None if words is None else (signature(words), returns)


def setup(app: Any) -> None:
    """Formulas become MathML, which browsers draw without a script or a request."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.connect("builder-inited", _generate)
    app.connect("source-read", _links)
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    app.connect("autodoc-process-signature", _signature)
