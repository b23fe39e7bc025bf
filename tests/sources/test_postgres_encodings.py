"""Databases in other encodings: no text of a record decides whether a release succeeds."""

import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import server

from tacit import Ledger
from tacit.core import BadInput
from tacit.estimators import TreeClassifier

pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")


@pytest.fixture(scope="module")
def address():
    with server() as where:
        yield where


def _people(address, encoding):
    """The address of a fresh database in this encoding, with one name that is no ASCII."""
    from adbc_driver_postgresql import dbapi

    name = f"in_{encoding.lower()}"
    with dbapi.connect(address, autocommit=True) as server_wide, server_wide.cursor() as cursor:
        cursor.execute(
            f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0 "
            "LC_COLLATE 'C' LC_CTYPE 'C'"
        )
    where = address.replace("/postgres", f"/{name}")
    with dbapi.connect(where, autocommit=True) as database, database.cursor() as cursor:
        for line in (
            "CREATE TABLE people AS SELECT 'p' || i AS person, i AS age, 'north'::text AS ward, "
            "CASE WHEN i > 50 THEN 'yes' ELSE 'no' END AS sick FROM generate_series(0, 99) i",
            r"UPDATE people SET ward = E'M\xfcd' WHERE age = 7",
        ):
            cursor.execute(line)
    return where


def _fit(where, domain, **settings):
    from tacit.sources.postgres import PostgresTable

    book = Ledger.memory(5)
    model = TreeClassifier(
        domain=domain, classes=("no", "yes"), epsilon=1, depth=1, ledger=book, **settings
    )
    source = PostgresTable(where, table="people")
    try:
        model.fit_file(source, label="sick")
    finally:
        source.close()
    return book


DOMAIN = {"age": (0, 100), "ward": ["north", "Müd"]}


@pytest.mark.parametrize("setting", ["", "?client_encoding=SQL_ASCII"])
def test_text_comes_in_utf8_whatever_the_database_and_the_client_are_set_to(address, setting):
    from tacit.sources.postgres import PostgresTable

    where = _people(address, f"LATIN{1 + bool(setting)}") + setting
    source = PostgresTable(where, table="people")
    found = {name for batch in source.batches(["ward"]) for name in batch.column(0).to_pylist()}
    source.close()
    assert found == {"north", "Müd"}
    assert len(_fit(where, DOMAIN).entries) == 1
    assert len(_fit(where, DOMAIN, unit="person").entries) == 1


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "WIN1252"])
def test_an_encoding_in_which_a_cell_may_be_no_text_is_refused_before_the_charge(address, encoding):
    where = _people(address, encoding)
    with pytest.raises(BadInput, match=f"written in {encoding}") as refused:
        _fit(where, DOMAIN)
    assert "nothing was charged" in str(refused.value)
    with pytest.raises(BadInput, match="column 'person'"):
        _fit(where, {"age": (0, 100)}, unit="person")
