r"""Words that somebody else wrote, made safe to print: they cannot steer a terminal or a page.

A file can name a column or a data set anything. Characters that move a cursor, colour or clear
a screen, turn the direction of the text or start a line are printed as what they are (``\x1b``).
"""

from __future__ import annotations

import re
import unicodedata
from html import escape

_STEERING = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, formats such as a change of direction, halves of characters, ends of lines."""
_JOINERS = frozenset("\u200c\u200d")
"""Formats that several scripts and signs cannot be written without."""
_ACTS = re.compile(r"<(?=[A-Za-z/!?])|\](?=[(\[:])")
"""Where Markdown would begin a tag of HTML or the address of a link."""
_CODE = re.compile(r"`([^`]+)`")


def one_line(text: str) -> str:
    """The text with everything that could steer a terminal written out."""
    if text.isprintable():
        return text
    return "".join(_written_out(sign) for sign in text)


def lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(one_line(line) for line in text.split("\n"))


def in_markdown(text: str) -> str:
    """One line for Markdown in which no tag and no link begins."""
    return _ACTS.sub(lambda found: escape(found[0]).replace("]", "&#93;"), one_line(text))


def in_html(text: str) -> str:
    """One line for HTML; what stands between backticks is set as code."""
    return _CODE.sub(r"<code>\1</code>", escape(one_line(text)))


def _written_out(sign: str) -> str:
    if unicodedata.category(sign) not in _STEERING or sign in _JOINERS:
        return sign
    return sign.encode("unicode_escape").decode()
