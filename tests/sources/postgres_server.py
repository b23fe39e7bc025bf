"""A Postgres server of the test's own: a temporary folder, loopback only, never as root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path


def programs() -> Path | None:
    """The folder of the newest server that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _owner() -> pwd.struct_passwd | None:
    if os.getuid() != 0:
        return pwd.getpwuid(os.getuid())
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


def why_not() -> str | None:
    """Why no server can be started here; ``None`` if one can."""
    if programs() is None:
        return "no Postgres server is installed (Debian: apt-get install postgresql)"
    if _owner() is None:
        return "there is no user other than root to run a Postgres server"
    try:
        import adbc_driver_postgresql  # noqa: F401
    except ImportError:
        return "adbc-driver-postgresql is not installed (pip install 'tacit[postgres]')"
    return None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextmanager
def server():
    """The address of a fresh database ``postgres``; stopped by its process id at the end."""
    owner, folder, port = _owner(), Path(tempfile.mkdtemp(prefix="tacit-pg-")), _free_port()
    os.chown(folder, owner.pw_uid, owner.pw_gid)
    who = {} if os.getuid() else {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    data = folder / "data"
    try:
        subprocess.run(
            [programs() / "initdb", "-D", data, "-U", "tacit", "-A", "trust", "--no-sync"],
            check=True, **quiet, **who,
        )  # fmt: skip
        running = subprocess.Popen(
            [programs() / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port),
             "-k", folder, "-c", "fsync=off", "-c", "max_connections=20"],
            **quiet, **who,
        )  # fmt: skip
        try:
            address = f"postgresql://tacit@127.0.0.1:{port}/postgres"
            _wait(address)
            yield address
        finally:
            os.kill(running.pid, signal.SIGINT)
            running.wait(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(address: str) -> None:
    from adbc_driver_postgresql import dbapi

    for _ in range(300):
        try:
            dbapi.connect(address).close()
        except dbapi.Error:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("the server did not start")


def load(address: str, table: str, columns) -> None:
    """Make a table of an Arrow table."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest(table, columns, mode="create")
        connection.commit()


def do(address: str, *commands: str) -> None:
    """Run commands in one transaction."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address) as connection, connection.cursor() as cursor:
        for command in commands:
            cursor.execute(command)
        connection.commit()
