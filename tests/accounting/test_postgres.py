"""The ledger in a PostgreSQL database: a cluster of its own on the loopback, stopped by its id."""

import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import time
from fractions import Fraction as F
from pathlib import Path

import pytest

from tacit.accounting import About, Ledger, describing
from tacit.cli import main
from tacit.core import REPLACE_ONE, BadInput, BudgetRefused, Pure

psycopg = pytest.importorskip("psycopg")


def _binary(name):
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}")) or [shutil.which(name)]
    return None if found[-1] is None else str(found[-1])


pytestmark = pytest.mark.skipif(
    _binary("postgres") is None or _binary("initdb") is None, reason="PostgreSQL is not installed"
)


def _account():
    """PostgreSQL refuses to run as root; another account is taken there."""
    if os.getuid() != 0:
        return {}
    import pwd

    for name in ("postgres", "nobody"):
        try:
            return {"user": pwd.getpwnam(name).pw_uid, "group": pwd.getpwnam(name).pw_gid}
        except KeyError:
            continue
    pytest.skip("no account to run PostgreSQL with")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    account = _account()
    folder = Path(f"/tmp/tacit-postgres-{os.getpid()}")
    folder.mkdir()
    if account:
        os.chown(folder, account["user"], account["group"])
    data = str(folder / "data")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": "/"}
    subprocess.run(
        [_binary("initdb"), "-D", data, "-A", "trust", "-U", "tacit", "-E", "UTF8", "--no-sync"],
        check=True,
        **quiet,
        **account,
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = ["-D", data, "-p", str(port), "-c", "listen_addresses=127.0.0.1"]
    running = subprocess.Popen(
        [_binary("postgres"), *options, "-c", f"unix_socket_directories={folder}"],
        **quiet,
        **account,
    )
    address = f"postgresql://tacit@127.0.0.1:{port}/postgres"
    try:
        for _ in range(200):
            try:
                psycopg.connect(address).close()
                break
            except psycopg.Error:
                time.sleep(0.1)
        yield address
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(60)
        shutil.rmtree(folder)


@pytest.fixture
def address(server, request):
    name = "".join(letter for letter in request.node.name if letter.isalnum())[-30:].lower()
    return f"{server}#l{name}"


def pure(epsilon):
    return Pure(epsilon=epsilon, relation=REPLACE_ONE)


def test_charges_are_there_when_it_is_opened_again(address):
    ledger = Ledger.create(address, 1, data_set="ward 7")
    with describing(About(label="sick")):
        ledger.charge(pure("1/4"), note="stump")
    again = Ledger.open(address)
    assert (again.spent.epsilon, again.data_set) == (F(1, 4), "ward 7")
    assert again.entries[0].about.label == "sick"
    again.charge(pure("3/4"))
    with pytest.raises(BudgetRefused, match="no room"):
        ledger.charge(pure("1/100"))
    assert pickle.loads(pickle.dumps(ledger)).spent.epsilon == 1


def test_a_mistyped_address_is_an_error(address, server):
    with pytest.raises(BadInput, match="no ledger"):
        Ledger.open(address)
    with pytest.raises(BadInput, match="small letters"):
        Ledger.open(f"{server}#No such; DROP TABLE x")
    with pytest.raises(BudgetRefused, match="cannot be used now") as refused:
        Ledger.open("postgresql://tacit:secret@127.0.0.1:1/none#x")
    assert "secret" not in str(refused.value)
    Ledger.create(address, 1)
    with pytest.raises(BadInput, match="already"):
        Ledger.create(address, 1)


def test_a_role_that_shares_it_charges_and_can_change_nothing(address):
    where, _, name = address.partition("#")
    with psycopg.connect(where, autocommit=True) as connection:
        connection.execute("CREATE ROLE team")
        for account in ("ann", "ben", "eve"):
            connection.execute(f"CREATE ROLE {account} LOGIN")
        connection.execute("GRANT team TO ann, ben")
    Ledger.create(address, 1, group="team")
    theirs = {who: address.replace("tacit@", f"{who}@") for who in ("ann", "ben", "eve")}
    for who in ("ann", "ben"):
        Ledger.open_existing(theirs[who]).charge(pure("1/2"), note=who)
    assert [one.note for one in Ledger.open(address).entries] == ["ann", "ben"]
    with pytest.raises(BudgetRefused, match="no room"):
        Ledger.open_existing(theirs["ann"]).charge(pure("1/100"))
    with pytest.raises(BudgetRefused, match="this account may not use"):
        Ledger.open_existing(theirs["eve"])
    shelf = Ledger.open_existing(theirs["ben"]).shelf
    shelf.keep("a", "text")
    shelf.forget("a")
    for statement in (
        "UPDATE {0}.entries SET note = 'x'",
        "DELETE FROM {0}.entries",
        "UPDATE {0}.ledger SET budget = ''",
        "DROP TRIGGER keep ON {0}.entries",
        "ALTER TABLE {0}.entries DISABLE TRIGGER ALL",
        "DELETE FROM {0}.counter",
    ):
        with (
            psycopg.connect(theirs["ann"].partition("#")[0]) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(statement.format(f"tacit_{name}"))
    with pytest.raises(BadInput, match="no role 'nobody-here'"):
        Ledger.create(f"{address}2", 1, group="nobody-here")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {0}.entries SET note = 'x'",
        "DELETE FROM {0}.entries",
        "TRUNCATE {0}.entries",
        "UPDATE {0}.ledger SET budget = '{{}}'",
    ],
)
def test_the_tables_refuse_to_be_changed(address, statement):
    Ledger.create(address, 1).charge(pure("1/2"))
    where, _, name = address.partition("#")
    with psycopg.connect(where) as connection, pytest.raises(psycopg.Error, match="append-only"):
        connection.execute(statement.format(f"tacit_{name}"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {0}.entries SET note = 'x' WHERE id = 1",
        "DELETE FROM {0}.entries WHERE id = 2",
        "DELETE FROM {0}.entries",
        "UPDATE {0}.entries SET event = replace(event, '1/4', '1/9')",
        "UPDATE {0}.ledger SET budget = replace(budget, '\"1\"', '\"9\"')",
    ],
)
def test_damage_is_noticed(address, statement):
    ledger = Ledger.create(address, 1)
    for _ in range(2):
        ledger.charge(pure("1/4"))
    where, _, name = address.partition("#")
    with psycopg.connect(where) as connection:
        for table in ("entries", "ledger"):
            connection.execute(f"ALTER TABLE tacit_{name}.{table} DISABLE TRIGGER ALL")
        connection.execute(statement.format(f"tacit_{name}"))
    with pytest.raises(BadInput, match="ledger"):
        Ledger.open(address).charge(pure("1/100"))


RACE = """
import sys
from tacit.accounting import Ledger
from tacit.core import REPLACE_ONE, BudgetRefused, Pure
ledger = Ledger.open(sys.argv[1])
won = 0
for _ in range(15):
    try:
        ledger.charge(Pure(epsilon="1/20", relation=REPLACE_ONE))
        won += 1
    except BudgetRefused as refused:
        assert "no room" in str(refused), refused
print(won)
"""


def test_processes_that_race_get_what_fits_and_no_more(address):
    Ledger.create(address, 1)
    racers = [
        subprocess.Popen([sys.executable, "-c", RACE, address], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    won = [int(racer.communicate(timeout=300)[0]) for racer in racers]
    assert sum(won) == 20
    assert Ledger.open(address).spent.epsilon == 1


def test_the_command_line_spends_from_it_and_recovers(address, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{value % 100},{int(value % 100 >= 50)}\n" for value in range(400))
    (tmp_path / "in.csv").write_text("age,sick\n" + rows)
    assert main(["budget", "create", address, "--epsilon", "3", "--data-set", "ward 7"]) == 0
    learn = ["learn", "in.csv", "--label", "sick", "--class", "thresholds", "--column", "age"]
    learn += ["--size", "100", "--epsilon", "1", "--ledger", address]
    assert main([*learn, "-o", "r.json"]) == 0
    assert main(["verify", "r.json", "--ledger", address]) == 0
    assert main(["budget", "verify", address]) == 0
    assert main(["budget", "recover", address]) == 0
    assert "has arrived" in capsys.readouterr().out
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "tacit.cli", *learn], stdout=full)
    assert done.returncode == 5
    assert main(["budget", "recover", address, "-o", "again.json"]) == 0
    assert main(["verify", "again.json", "--ledger", address]) == 0
    capsys.readouterr()
    assert main(["budget", "recover", address]) == 0
    assert "has arrived" in capsys.readouterr().out
    assert Ledger.open(address).spent.epsilon == 2
