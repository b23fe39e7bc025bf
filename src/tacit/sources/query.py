"""Read a query that chooses columns and rows of one table, and write it anew.

Every row of such a query comes from one row of the table and is chosen by that row alone, so
what protects rows of the query protects rows of the table. Anything else is refused: a join, a
group, a window or a function may put one row of the table into many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tacit.core import BadInput

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<name>[A-Za-z_][A-Za-z0-9_]*|"(?:[^"]|"")+")
      | (?P<number>-?\d+(?:\.\d+)?)
      | (?P<text>'(?:[^'\\]|'')*')
      | (?P<sign><>|!=|<=|>=|=|<|>|\*|,|\.|\(|\))
    )""",
    re.VERBOSE,
)
_COMPARED = ("=", "<>", "!=", "<", "<=", ">", ">=")
_WORDS = {"select", "from", "where", "and", "is", "not", "null", "in", "between", "or", "as"}
_ONLY = (
    "--query takes SELECT columns FROM one table, and WHERE with conditions joined by AND "
    "(column = value, <, <=, >, >=, <>, IN (...), BETWEEN ... AND ..., IS NULL, IS NOT NULL): only "
    "then is each row of the answer one row of the table. Make a view of anything else and name "
    "it with --table: the guarantee is then for rows as the view gives them"
)


@dataclass(frozen=True, slots=True)
class Query:
    """Columns and rows of one table; ``columns`` is ``None`` for all, ``where`` is SQL.

    ``compared``  the columns in conditions.
    """

    table: tuple[str, ...]
    columns: tuple[str, ...] | None
    where: str | None
    compared: tuple[str, ...] = ()


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def read_query(text: str) -> Query:
    """The query in ``text``, every name quoted and every value a plain literal."""
    words = _Words(text)
    words.take("select")
    columns = None if words.take_if("*") else tuple(words.names())
    words.take("from")
    table = [words.name()]
    while words.take_if("."):
        table.append(words.name())
    where: str | None = None
    compared: list[str] = []
    if words.take_if("where"):
        compared = [words.name()]
        conditions = [_condition(compared[0], words)]
        while words.take_if("and"):
            compared.append(words.name())
            conditions.append(_condition(compared[-1], words))
        where = " AND ".join(conditions)
    words.end()
    if columns is not None and len(set(columns)) != len(columns):
        raise BadInput("--query names a column twice")
    return Query(tuple(table), columns, where, tuple(compared))


def _condition(name: str, words: _Words) -> str:
    column = quoted(name)
    if words.take_if("is"):
        wanted = "IS NOT NULL" if words.take_if("not") else "IS NULL"
        words.take("null")
        return f"({column} {wanted})"
    if words.take_if("between"):
        low = words.value()
        words.take("and")
        return f"({column} BETWEEN {low} AND {words.value()})"
    if words.take_if("in"):
        words.take("(")
        values = [words.value()]
        while words.take_if(","):
            values.append(words.value())
        words.take(")")
        return f"({column} IN ({', '.join(values)}))"
    for sign in _COMPARED:
        if words.take_if(sign):
            return f"({column} {sign} {words.value()})"
    raise BadInput(_ONLY)


class _Words:
    """The words of a query, one after the other."""

    def __init__(self, text: str) -> None:
        self._words: list[tuple[str, str]] = []
        self._next, place = 0, 0
        text = text.strip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None or found.lastgroup is None:
                raise BadInput(_ONLY)
            self._words.append((found.lastgroup, found[found.lastgroup]))
            place = found.end()

    def _ahead(self) -> tuple[str, str]:
        return self._words[self._next] if self._next < len(self._words) else ("end", "")

    def take_if(self, word: str) -> bool:
        kind, found = self._ahead()
        if kind not in ("name", "sign") or found.lower() != word:
            return False
        self._next += 1
        return True

    def take(self, word: str) -> None:
        if not self.take_if(word):
            raise BadInput(_ONLY)

    def name(self) -> str:
        kind, found = self._ahead()
        if kind != "name" or found.lower() in _WORDS:
            raise BadInput(_ONLY)
        self._next += 1
        # As the server does: a name without quotes is in small letters.
        return found[1:-1].replace('""', '"') if found.startswith('"') else found.lower()

    def names(self) -> list[str]:
        found = [self.name()]
        while self.take_if(","):
            found.append(self.name())
        return found

    def value(self) -> str:
        kind, found = self._ahead()
        if kind not in ("number", "text"):
            raise BadInput(_ONLY)
        self._next += 1
        return found

    def end(self) -> None:
        if self._next != len(self._words):
            raise BadInput(_ONLY)
