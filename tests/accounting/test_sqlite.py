"""The ledger in a file: durable, shared, append-only, and it notices damage."""

import json
import os
import pickle
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager
from fractions import Fraction as F
from pathlib import Path

import pytest

from tacit.accounting import Ledger
from tacit.accounting import sqlite as store
from tacit.core import (
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BadInput,
    BudgetRefused,
    Composed,
    Pure,
    Selection,
)


def pure(epsilon, relation=REPLACE_ONE):
    return Pure(epsilon=epsilon, relation=relation)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "office ledger #1?.db"  # characters that a URI would misread


def tamper(path, *statements):
    """Change the file behind the ledger's back, without its triggers."""
    with sqlite3.connect(path) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_charges_are_there_when_it_is_opened_again(path):
    ledger = Ledger.open(path, 2, 1e-6, relation="label")
    parts = Composed(events=(ZCDP(rho="1/100", relation=LABEL), pure("1/7", LABEL)), relation=LABEL)
    step = Approximate(epsilon="1/5", delta="1e-8", relation=REPLACE_ONE)
    ledger.charge(parts, note="twö lines\nand 'quotes'")
    ledger.charge(step)
    again = Ledger.open(path)
    assert [(e.event, e.note) for e in again.entries] == [
        (parts, "twö lines\nand 'quotes'"),
        (step, ""),
    ]
    assert (again.epsilon, again.delta, again.relation) == (2, F(1, 10**6), LABEL)
    assert again.spent == ledger.spent
    assert repr(again) == repr(ledger)


def test_two_handles_see_each_other(path):
    one, two = Ledger.open(path, 1), Ledger.open(path)
    one.charge(pure("1/2"))
    assert two.remaining.epsilon == F(1, 2)
    two.charge(pure("1/4"))
    assert one.spent.epsilon == F(3, 4)
    with pytest.raises(BudgetRefused, match=r"left: epsilon = 0\.25"):
        one.charge(pure("1/2"))
    assert len(two.entries) == 2


def test_the_stored_budget_stands(path):
    Ledger.open(path, "1/2", "1e-6")
    Ledger.open(path, 0.5)
    Ledger.open(path, delta=1e-6)
    for change in ({"epsilon": 1}, {"delta": 0}, {"relation": "label"}):
        with pytest.raises(BadInput, match=f"budget epsilon 0.5.*another {next(iter(change))}"):
            Ledger.open(path, **change)
    assert Ledger.open(path).epsilon == F(1, 2)


def test_a_mistyped_name_is_an_error_and_not_a_new_ledger(path):
    for arguments in ({}, {"delta": "1e-6"}, {"relation": "label"}):
        with pytest.raises(BadInput, match="no ledger file"):
            Ledger.open(path, **arguments)
    assert os.listdir(path.parent) == []


def test_delta_zero_in_a_file_admits_pure_totals_only(path):
    ledger = Ledger.open(path, 5)
    with pytest.raises(BudgetRefused, match="no total with delta at most 0"):
        ledger.charge(Approximate(epsilon=1, delta="1e-9", relation=REPLACE_ONE))
    for _ in range(50):
        ledger.charge(Selection(epsilon="0.1", relation=REPLACE_ONE))
    assert (ledger.spent.epsilon, ledger.spent.delta) == (5, 0)


def test_the_order_of_the_budget_is_kept_in_the_file(path, monkeypatch):
    order = Ledger.open(path, 1, 1e-6)._store.budget.order
    assert order > 1
    monkeypatch.setattr("tacit.accounting.budget.order_for_budget", lambda **_: F(77))
    assert Ledger.open(path)._store.budget.order == order


def test_only_the_owner_may_read_it_and_two_files_are_left(path):
    old = os.umask(0)
    try:
        Ledger.open(path, 1).charge(pure("1/2"))
    finally:
        os.umask(old)
    counter = path.with_name(f"{path.name}.counter")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(counter.stat().st_mode) == 0o600
    assert sorted(os.listdir(path.parent)) == [path.name, counter.name]


def test_a_pickled_ledger_spends_from_the_same_file(path, monkeypatch, tmp_path):
    monkeypatch.chdir(path.parent)
    ledger = Ledger.open(path.name, 1)
    message = pickle.dumps(ledger)
    monkeypatch.chdir("/")
    twin = pickle.loads(message)
    twin.charge(pure("3/4"))
    with pytest.raises(BudgetRefused):
        ledger.charge(pure("1/2"))
    path.unlink()
    with pytest.raises(BadInput, match="no ledger file"):
        pickle.loads(message)
    path.with_name(f"{path.name}.counter").unlink()
    Ledger.open(path, 1)
    with pytest.raises(BadInput, match="another ledger has taken the place"):
        pickle.loads(message)
    with pytest.raises(BadInput, match="another ledger has taken the place"):
        ledger.charge(pure("1/8"))


def test_a_removed_file_is_not_made_anew_by_a_charge(path):
    ledger = Ledger.open(path, 1)
    path.unlink()
    with pytest.raises(BudgetRefused, match="cannot be used now"):
        ledger.charge(pure("1/2"))
    assert not path.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET note = 'other'",
        "DELETE FROM entries",
        "INSERT OR REPLACE INTO entries SELECT id, at, event, 'other', about, release, digest FROM entries",
        "INSERT INTO entries SELECT id + 7, at, event, note, about, release, digest FROM entries",
        "UPDATE ledger SET budget = '{}'",
        "DELETE FROM ledger",
        "INSERT INTO ledger SELECT * FROM ledger",
    ],
)
def test_the_file_itself_refuses_to_be_changed(path, statement):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/2"))
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match=r"append-only|is fixed"):
        connection.execute(statement)
    connection.close()
    assert ledger.spent.epsilon == F(1, 2)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET note = 'other' WHERE id = 2",
        "UPDATE entries SET event = replace(event, '1/4', '1/9') WHERE id = 1",
        "UPDATE entries SET event = 'x' WHERE id = 3",
        "UPDATE entries SET event = '[]' WHERE id = 3",
        "UPDATE entries SET at = '1999-01-01' WHERE id = 3",
        "DELETE FROM entries WHERE id = 1",
        "DELETE FROM entries WHERE id = 2",
        "DELETE FROM entries WHERE id = 3",
        "DELETE FROM entries",
        "DELETE FROM sqlite_sequence",
        "UPDATE ledger SET budget = replace(budget, '\"1\"', '\"9\"')",
        "UPDATE ledger SET budget = '{}'",
        "UPDATE ledger SET budget = 'x'",
        "UPDATE ledger SET id = 'x'",
        "DELETE FROM ledger",
        "DROP TABLE entries",
        "DROP TABLE ledger",
        "PRAGMA user_version = 9",
        "PRAGMA application_id = 9",
    ],
)
def test_damage_is_noticed(path, statement):
    ledger = Ledger.open(path, 1)
    for _ in range(3):
        ledger.charge(pure("1/4"))
    tamper(path, statement)
    with pytest.raises(BadInput, match=r"ledger") as found:
        Ledger.open(path).charge(pure("1/100"))
    assert "Traceback" not in str(found.value)


def test_an_older_copy_put_back_is_noticed_by_who_has_seen_more(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    old = path.read_bytes()
    ledger.charge(pure("1/4"))
    assert ledger.spent.epsilon == F(1, 2)
    path.write_bytes(old)
    with pytest.raises(BadInput, match="older"):
        ledger.charge(pure("1/4"))


@pytest.mark.parametrize("content", [b"", b"hello\n" * 1000, b"SQLite format 3\0" + b"\0" * 5000])
def test_a_foreign_file_is_not_touched(path, content):
    path.write_bytes(content)
    with pytest.raises(BadInput, match="not a Tacit ledger"):
        Ledger.open(path, 1)
    assert path.read_bytes() == content


def test_another_program_s_database_is_refused(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE ledger (id, budget)")
    connection.close()
    with pytest.raises(BadInput, match="not a Tacit ledger"):
        Ledger.open(path, 1)


def test_places_where_no_ledger_can_be(path, tmp_path):
    with pytest.raises(BadInput, match="no ledger can be created"):
        Ledger.open(tmp_path / "missing" / "ledger.db", 1)
    with pytest.raises(BadInput, match="no ledger file"):
        Ledger.open(tmp_path, 1)
    with pytest.raises(BadInput, match="no ledger file"):
        Ledger.open_existing(path)
    assert os.listdir(tmp_path) == []


def test_a_locked_file_refuses_after_a_while(path, monkeypatch):
    ledger = Ledger.open(path, 1)
    monkeypatch.setattr(store, "_WAIT_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(BudgetRefused, match="locked"):
        ledger.charge(pure("1/2"))
    other.execute("ROLLBACK")
    other.close()
    ledger.charge(pure("1/2"))


def test_a_charge_waits_for_another_one_to_end(path):
    ledger = Ledger.open(path, 1)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    thread = threading.Thread(target=ledger.charge, args=(pure("1/2"),))
    thread.start()
    other.execute("ROLLBACK")
    other.close()
    thread.join()
    assert len(ledger.entries) == 1


def test_nobody_else_may_decide_while_a_charge_is_decided(path):
    ledger = Ledger.open(path, 1)
    other = sqlite3.connect(path, isolation_level=None, timeout=0)
    with ledger._store.writing(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()


def test_only_new_entries_are_read(path, monkeypatch):
    ledger = Ledger.open(path, 10**6, 1e-6)
    for _ in range(5):
        ledger.charge(pure("1/2"))
    read = []
    original = store.read_entry
    monkeypatch.setattr(store, "read_entry", lambda **row: (read.append(row), original(**row))[1])
    ledger.charge(pure("1/2"))
    ledger.charge(pure("1/2"))
    assert read == []  # what it was charged with it knows
    Ledger.open(path).charge(pure("1/2"))
    read.clear()
    ledger.charge(pure("1/2"))
    assert [row["index"] for row in read] == [8]


def worker(code, path):
    return subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


RACE = """
import sys
from tacit.accounting import Ledger
from tacit.core import REPLACE_ONE, BudgetRefused, Pure
ledger = Ledger.open(sys.argv[1], 1)
print("ready", flush=True)
sys.stdin.readline()
done = 0
for _ in range(12):
    try:
        ledger.charge(Pure(epsilon="1/17", relation=REPLACE_ONE))
        done += 1
    except BudgetRefused as refusal:
        assert "has no room" in str(refusal), "waiting must not turn into refusing"
print(done)
"""


def test_processes_that_race_get_what_fits_and_no_more(path):
    racers = [worker(RACE, path) for _ in range(4)]  # they race for creating it, too
    assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 4
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    done = [int(racer.communicate(timeout=300)[0]) for racer in racers]
    assert all(racer.returncode == 0 for racer in racers)
    assert sum(done) == 17
    ledger = Ledger.open(path)
    assert len(ledger.entries) == 17
    assert ledger.remaining.epsilon == 0


SPEND = """
import sys
from tacit.accounting import Ledger
from tacit.core import REPLACE_ONE, Pure
ledger = Ledger.open(sys.argv[1])
while True:
    ledger.charge(Pure(epsilon="1/1000", relation=REPLACE_ONE))
    print("charged", flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.003, 0.011])
def test_what_a_killed_process_charged_is_kept(path, wait):
    ledger = Ledger.open(path, 10**6)
    with worker(SPEND, path) as spender:
        confirmed = 0
        for _ in range(20):
            assert spender.stdout.readline() == "charged\n"
            confirmed += 1
        time.sleep(wait)
        os.kill(spender.pid, signal.SIGKILL)
        confirmed += spender.stdout.read().count("charged\n")
    assert spender.returncode == -signal.SIGKILL
    # The charge that was under way counts, or not; all that were confirmed do.
    assert len(Ledger.open(path).entries) in (confirmed, confirmed + 1)
    ledger.charge(pure("1/1000"))
    assert ledger.spent.epsilon == F(len(ledger.entries), 1000)


HALF = """
import os, signal, sys
from tacit.accounting import About, Ledger
from tacit.core import REPLACE_ONE, Pure
ledger = Ledger.open(sys.argv[1])
with ledger._store.writing() as page:
    ledger._catch_up(page)
    page._connection.execute("PRAGMA cache_size = 1")
    page._connection.execute("PRAGMA cache_spill = 1")
    for _ in range(400):  # more than fits the cache, so that the file itself is half changed
        event = Pure(epsilon="1/2", relation=REPLACE_ONE)
        page.append(event, note="x" * 500, about=About(), last=ledger._last)
        ledger._catch_up(page)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_half_a_transaction_is_rolled_back(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    victim = worker(HALF, path)
    victim.communicate(timeout=300)
    assert victim.returncode == -signal.SIGKILL
    assert any(name.endswith("-journal") for name in os.listdir(path.parent))
    assert Ledger.open(path).spent.epsilon == F(1, 4)
    ledger.charge(pure("3/4"))
    assert [entry.index for entry in ledger.entries] == [1, 2]


@contextmanager
def held_elsewhere(lock):
    """Another thread is in the middle of a charge."""
    held, done = threading.Event(), threading.Event()

    def hold():
        with lock:
            held.set()
            done.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_spends_from_the_same_file(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    with held_elsewhere(ledger._lock):
        child = os.fork()
        if child == 0:
            try:
                signal.alarm(60)
                ledger.charge(pure("1/2"))
                os._exit(0)
            except BaseException:
                os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ledger.remaining.epsilon == F(1, 4)


def test_threads_share_the_file(path):
    ledger = Ledger.open(path, 1)
    accepted = []

    def spend():
        for _ in range(6):
            try:
                ledger.charge(pure("1/10"))
            except BudgetRefused:
                continue
            accepted.append(1)

    threads = [threading.Thread(target=spend) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepted) == len(ledger.entries) == 10


def test_the_file_holds_events_notes_and_times_only(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/2"), note="stump")
    connection = sqlite3.connect(path)
    tables = {
        name: [column[1] for column in connection.execute(f"PRAGMA table_info({name})")]
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    (event,) = connection.execute("SELECT event FROM entries").fetchone()
    connection.close()
    assert tables == {
        "ledger": ["id", "budget"],
        "entries": ["id", "at", "event", "note", "about", "release", "digest"],
        "sqlite_sequence": ["name", "seq"],
    }
    assert json.loads(event) == {"kind": "Pure", "relation": "replace-one", "epsilon": "1/2"}


def test_an_older_copy_put_back_is_noticed_by_a_new_process(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    old = path.read_bytes()
    ledger.charge(pure("3/4"))
    del ledger
    path.write_bytes(old)
    for use in (
        lambda one: one.charge(pure("1/4")),
        lambda one: one.spent,
        lambda one: one.entries,
    ):
        with pytest.raises(BadInput, match="older than its counter"):
            use(Ledger.open(path))


def test_a_cut_tail_with_its_counters_set_back_is_noticed(path):
    """The chain has no key; the counter in the second file is what tells."""
    ledger = Ledger.open(path, 1)
    for _ in range(3):
        ledger.charge(pure("1/4"))
    tamper(path, "DELETE FROM entries WHERE id = 3", "UPDATE sqlite_sequence SET seq = 2")
    with pytest.raises(BadInput, match="older than its counter"):
        Ledger.open(path).charge(pure("1/4"))


def test_another_ledger_in_its_place_is_noticed(path, tmp_path):
    Ledger.open(path, 1).charge(pure("1/4"))
    other = tmp_path / "other.db"
    Ledger.open(other, 1)
    path.write_bytes(other.read_bytes())
    with pytest.raises(BadInput, match="another one"):
        Ledger.open(path).charge(pure("1/4"))


def test_a_deleted_ledger_is_not_made_anew(path, monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    Ledger.open(path, 1).charge(pure(1))
    path.unlink()
    with pytest.raises(BadInput, match="was at"):
        Ledger.open(path, 1)
    with pytest.raises(BadInput, match="counter of an earlier ledger"):
        Ledger.create(path, 1)
    assert not path.exists()


def test_a_folder_that_may_not_be_entered_is_said_to_be_so(path, monkeypatch):
    Ledger.create(path, 1)

    def closed(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", closed)
    with pytest.raises(BadInput, match="cannot be reached: Permission denied; nothing was touched"):
        Ledger.open(path)


def test_a_ledger_with_two_names_is_refused_under_both(path, tmp_path):
    ledger = Ledger.create(path, 1)
    ledger.charge(pure("1/2"))
    other = tmp_path / "other.db"
    os.link(path, other)
    for name in (path, other):
        with pytest.raises(BadInput, match="hard link"):
            Ledger.open(name)
        with pytest.raises(BadInput, match="hard link"):
            store.SqliteStore(str(name)).renew_counter()
    with pytest.raises(BadInput, match="hard link"):
        ledger.charge(pure("1/4"))
    assert not (tmp_path / "other.db.counter").exists()
    other.unlink()
    ledger.charge(pure("1/4"))
    assert Ledger.open(path).spent.epsilon == F(3, 4)


def test_the_draft_that_a_killed_creator_left_is_no_second_name(path, tmp_path):
    Ledger.create(path, 1)
    (tmp_path / ".ledger-gone").symlink_to(tmp_path / "nothing")
    (tmp_path / ".ledger-other").write_text("of another ledger")
    os.link(path, tmp_path / ".ledger-draft")
    Ledger.open(path).charge(pure(1))
    left = {one.name for one in tmp_path.iterdir() if one.name.startswith(".")}
    assert left == {".ledger-gone", ".ledger-other"}


def test_a_ledger_without_its_counter_is_refused_until_it_is_vouched_for(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    counter = path.with_name(f"{path.name}.counter")
    counter.unlink()
    with pytest.raises(BadInput, match="new-counter"):
        Ledger.open(path).charge(pure("1/4"))
    ledger._store.renew_counter()
    Ledger.open(path).charge(pure("1/4"))
    assert ledger.spent.epsilon == F(1, 2)


@pytest.mark.parametrize("content", [b"", b"x\n", b"1 abc\n", b"\xff" * 500])
def test_a_damaged_counter_is_refused(path, content):
    Ledger.open(path, 1).charge(pure("1/4"))
    path.with_name(f"{path.name}.counter").write_bytes(content)
    with pytest.raises(BadInput, match="counter"):
        Ledger.open(path).charge(pure("1/4"))


def test_a_line_of_the_counter_that_a_crash_cut_off_is_passed_over(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    with path.with_name(f"{path.name}.counter").open("ab") as stream:
        stream.write(b"\n2 0123")
    ledger.charge(pure("1/4"))
    assert Ledger.open(path).spent.epsilon == F(1, 2)


def test_a_crash_between_entry_and_counter_leaves_a_sound_ledger(path, monkeypatch):
    from tacit.accounting import counter

    ledger = Ledger.open(path, 1)
    monkeypatch.setattr(counter.Append, "note", lambda self, count, digest: None)
    ledger.charge(pure("1/4"))
    monkeypatch.undo()
    assert Ledger.open(path).spent.epsilon == F(1, 4)
    Ledger.open(path).charge(pure("1/4"))
    assert Ledger.open(path).spent.epsilon == F(1, 2)


def test_every_opening_asks_for_full_syncs(path):
    Ledger.create(path, 1)
    for _ in range(2):
        with closing(store._connect(str(path))) as connection:
            for pragma, value in (("fullfsync", 1), ("synchronous", 3), ("journal_mode", "delete")):
                assert connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)


def test_a_file_system_without_hard_links_holds_a_ledger(path, monkeypatch, tmp_path):
    def unknown(*names):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(os, "link", unknown)
    Ledger.create(path, 1).charge(pure("1/2"))
    assert Ledger.open(path).spent.epsilon == F(1, 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadInput, match="exists"):
        Ledger.create(path, 1)
    assert {one.name for one in tmp_path.iterdir()} == {path.name, f"{path.name}.counter"}


def test_a_journal_mode_that_another_program_set_is_set_back(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    connection.close()
    ledger.charge(pure("1/4"))
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    connection.close()
    # The one file holds it all: nothing sits in a side file that a copy would miss.
    assert not path.with_name(f"{path.name}-wal").exists()


def test_entries_say_what_they_were_for(path):
    from tacit.accounting import About, describing

    ledger = Ledger.create(path, 1, data_set="admissions", relation="replace-one")
    with describing(About(columns=("age", "ward"), label="sick", purpose="ward plan")):
        ledger.charge(pure("1/4"), note="stump")
    (entry,) = Ledger.open(path).entries
    assert entry.about.columns == ("age", "ward")
    assert (entry.about.label, entry.about.purpose) == ("sick", "ward plan")
    assert entry.about.who
    assert entry.about.software.startswith("tacit ")
    with describing(About(data_set="other")), pytest.raises(BudgetRefused, match="admissions"):
        ledger.charge(pure("1/4"))


def test_a_ledger_per_person_refuses_what_protects_a_record_only(path):
    from tacit.accounting import About, describing

    ledger = Ledger.create(path, 1, unit="patient_id")
    with pytest.raises(BudgetRefused, match="another promise"):
        ledger.charge(pure("1/4"))
    with describing(About(unit="patient_id")):
        ledger.charge(pure("1/4"))
    records = Ledger.create(path.with_name("records.db"), 1)
    with describing(About(unit="patient_id")):
        records.charge(pure("1/4"))


def test_a_release_is_written_down_beside_its_charge(path):
    ledger = Ledger.open(path, 1)
    ledger.charge(pure("1/4"))
    (entry,) = ledger.entries
    ledger.delivered(entry, digest="ab" * 32)
    again = Ledger.open(path)
    assert again.history[-1].release == "ab" * 32
    assert again.spent.epsilon == F(1, 4)
    assert len(again.entries) == 1
    again.charge(pure("1/4"))
    assert [one.index for one in again.entries] == [1, 3]


def test_a_group_shares_a_folder_of_its_own(tmp_path):
    import grp

    group = grp.getgrgid(os.getgid()).gr_name
    with pytest.raises(BadInput, match="chmod g"):
        Ledger.create(tmp_path / "b.db", 1, group=group)
    with pytest.raises(BadInput, match="no group"):
        Ledger.create(tmp_path / "b.db", 1, group="no such group")
    assert os.listdir(tmp_path) == []
    os.chmod(tmp_path, 0o2770)
    Ledger.create(tmp_path / "b.db", 1, group=group).charge(pure("1/4"))
    for name in ("b.db", "b.db.counter"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o660
