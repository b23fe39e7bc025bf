"""Cases that several tests share: Postgres: the same releases as from files, one snapshot, and no word of the server's."""

from tests.sources.postgres_server import why_not

REASON = why_not()
