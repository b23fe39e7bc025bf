"""The newcomer's page as a notebook: the same words and code, under a title of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
PAGE, NOTEBOOK = DOCS / "newcomer.md", DOCS / "notebook.ipynb"


def _cell(text: str, number: int) -> dict[str, Any]:
    code = text.startswith("```python\n")
    if code:
        text = text.removeprefix("```python\n").removesuffix("```")
    cell: dict[str, Any] = {
        "cell_type": "code" if code else "markdown",
        "id": f"cell-{number}",
        "metadata": {},
        "source": text.strip("\n").splitlines(keepends=True),
    }
    return cell | ({"execution_count": None, "outputs": []} if code else {})


def notebook(page: str) -> str:
    """A page's Python blocks as code cells, everything between them as text."""
    page = page.replace("# In five minutes:", "# As a notebook:", 1)
    page = page.replace("; [the same with its output](notebook.ipynb)", "", 1)
    parts = re.split(r"(```python\n.*?```)", page, flags=re.S)
    texts = [part for part in parts if part.strip()]
    record = {
        "cells": [_cell(text, number) for number, text in enumerate(texts)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
