"""Addresses are repeated without user, password and settings."""

import pytest

from tacit.core import BadInput
from tacit.core.addresses import looks_like_address, parts_of, shown


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://u:SECRET@host:5432/db", "postgresql://host:5432/db"),
        ("postgresql://host/db?password=SECRET#ward7", "postgresql://host/db#ward7"),
        ("postgresql+psycopg://u:SECRET@host/db", "postgresql+psycopg://host/db"),
        ("s3a:/bucket/people.parquet?key=SECRET", "s3a:/bucket/people.parquet"),
        ("Postgresql:/u:SECRET@host/db", "Postgresql://..."),
        ("postgresql://u:SEC/RET@host/db", "postgresql://..."),
        ("postgresql://u:SEC?RET@host/db", "postgresql://..."),
        ("postgresql://u:SEC#RET@host/db", "postgresql://..."),
        ("postgresql://u:pa[SECRET]word@host/db", "postgresql://..."),
        ("jdbc:postgresql://u:SECRET@host/db", "jdbc://..."),
        ("host=h password=SECRET dbname=d", "host=h password=..."),
        ("PASSWORD = 'SEC RET' host=h", "PASSWORD =..."),
        ("postgresql://u:SECRET@host/db password=SECRET", "..."),
        ("postgresql://host/db password=SECRET", "..."),
        ("password=SECRET postgresql://host/db", "..."),
        ("host=h sslpassword=SECRET", "host=h sslpassword=..."),
        ("host=h;password=SECRET", "host=h;password=..."),
        ("Server=h;Uid=u;Pwd=SECRET;", "Server=h;Uid=u;Pwd=..."),
        ("PGPASSWORD=SECRET host=h", "PGPASSWORD=..."),
        ("dbname=d oauth_client_secret='SEC RET'", "dbname=d oauth_client_secret=..."),
        ("'password'='SECRET'", "'password'=..."),
        ("sc://host:15002/;user_id=u;token=SECRET", "..."),
        ("sc:/host:15002/;key=SECRET", "sc:/host:15002/"),
        ("sc://host:15002;key=SECRET", "sc://host:15002"),
        ("jdbc:sqlserver://host:1433;user=u;pass=SECRET", "jdbc:sqlserver://host:1433"),
        ("sqlserver://host;pass=SECRET@SECRET", "sqlserver://..."),
        ("postgresql://u:SEC;RET@host/db", "postgresql://..."),
    ],
)
def test_an_address_is_shown_without_secrets(address, said):
    assert looks_like_address(address)
    assert shown(address) == said


@pytest.mark.parametrize(
    "path", ["people.csv", "a/b@c?d.csv", "C:/people.csv", "*.csv", "a:b.csv", "a/password=1/b.csv"]
)
def test_a_path_is_shown_as_it_is(path):
    assert not looks_like_address(path)
    assert shown(path) == path


def test_what_is_no_address_is_not_repeated():
    assert parts_of("postgresql://host/db").netloc == "host"
    with pytest.raises(BadInput, match="no address") as raised:
        parts_of("postgresql://u:pa[SECRET]word@host/db")
    assert "SECRET" not in str(raised.value)
    assert raised.value.__suppress_context__
