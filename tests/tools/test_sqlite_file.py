"""One SQLite file: formats, nesting, what errors are told as; its seal, which never cries wolf."""

import asyncio
import errno
import os
import random
import re
import shutil
import sqlite3
import stat
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import CorpusDamaged, CorpusError
from tests.integration.test_flipped_bits import flip
from tests.tools.changed_by_hand import by_hand
from tools import sqlite_file
from tools.sqlite_file import FileForm, SQLiteFile, problem_of, seal_of

FORM = FileForm(
    name="box of notes",
    migrations=(("CREATE TABLE notes (text TEXT NOT NULL)",),),
    remedy="throw it away",
    checked=True,
)
LATER = replace(
    FORM, migrations=(*FORM.migrations, ("ALTER TABLE notes ADD COLUMN by TEXT DEFAULT 'nobody'",))
)


def notes(file: SQLiteFile) -> list[tuple[str, ...]]:
    with file.reading() as connection:
        return connection.execute("SELECT * FROM notes").fetchall()


def note(file: SQLiteFile, text: str) -> None:
    with file.transaction() as connection:
        connection.execute("INSERT INTO notes (text) VALUES (?)", (text,))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "below" / "notes.sqlite"


def test_a_file_is_made_for_its_owner_alone_and_opened_again_after_closing(path: Path) -> None:
    file = SQLiteFile(path, FORM)
    assert not path.exists()
    note(file, "a")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    file.close()
    file.close()
    assert notes(file) == [("a",)]


def test_a_file_of_a_newer_format_is_left_alone(path: Path) -> None:
    note(SQLiteFile(path, LATER), "a")
    with pytest.raises(CorpusDamaged, match=r"box of notes .*: its format is 2, .* up to 1; use"):
        notes(SQLiteFile(path, FORM))
    assert notes(SQLiteFile(path, LATER)) == [("a", "nobody")]


def test_a_file_of_no_format_of_ours_is_left_alone(path: Path) -> None:
    note(file := SQLiteFile(path, FORM), "a")
    file.close()
    with by_hand(path) as connection:
        connection.execute("PRAGMA user_version = -1")
    told = "its format is -1, none of Headcount); throw it away"
    with pytest.raises(CorpusDamaged, match=re.escape(told)):
        notes(SQLiteFile(path, FORM))
    assert told in (problem_of(path, FORM) or "")


def test_a_snapshot_does_not_see_what_is_written_meanwhile(path: Path) -> None:
    reader, writer = SQLiteFile(path, FORM), SQLiteFile(path, FORM)
    note(writer, "a")
    with reader.snapshot():
        before = notes(reader)
        note(writer, "b")
        assert notes(reader) == before
    assert len(notes(reader)) == 2


def test_a_damaged_file_or_a_folder_in_its_place_says_what_to_do(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 500)
    with pytest.raises(CorpusDamaged, match=r"box of notes .*: damaged \(.*\); throw it away"):
        notes(SQLiteFile(path, FORM))
    with pytest.raises(CorpusError, match="box of notes"):
        notes(SQLiteFile(path.parent, FORM))


def hot_journal(database: Path, victim: Path) -> None:
    """Write a journal that makes SQLite delete a victim when the database is opened."""
    magic = bytes.fromhex("d9d505f920a163d7")
    whole = database.read_bytes()
    size = struct.unpack(">H", whole[16:18])[0]
    page, name = whole[:size], os.fsencode(victim)
    first = magic + struct.pack(">5I", 1, 0, len(whole) // size, 512, size)
    record = struct.pack(">I", 1) + page + struct.pack(">I", sum(page[size - 200 : 0 : -200]))
    last = struct.pack(">I", (1 << 30) // size + 1) + name
    last += struct.pack(">2I", len(name), sum(struct.unpack(f"{len(name)}b", name))) + magic
    database.with_name(f"{database.name}-journal").write_bytes(
        first.ljust(512, b"\0") + record + last
    )


@pytest.mark.parametrize("linked", [False, True])
def test_a_journal_that_names_another_file_deletes_nothing(path: Path, linked: bool) -> None:
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "a")
    victim = path.with_name("victim")
    victim.write_text("mine")
    if linked:
        path.rename(path.with_name("real"))
        path.symlink_to("real")
    hot_journal(path.resolve(), victim)
    told = r"box of notes .*: damaged \(.*-journal' names another file to delete\); throw it away"
    with pytest.raises(CorpusDamaged, match=told):
        notes(SQLiteFile(path, FORM))
    assert "names another file" in (problem_of(path, FORM) or "")
    assert victim.read_text() == "mine"


@pytest.mark.parametrize("suffix", ["", "-journal", "-wal", "-shm"])
def test_a_pipe_in_place_of_a_file_is_not_waited_for(path: Path, suffix: str) -> None:
    path.parent.mkdir()
    os.mkfifo(f"{path}{suffix}")
    with pytest.raises(CorpusDamaged, match=r"is no (plain )?file"):
        notes(SQLiteFile(path, FORM))


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE notes (text TEXT NOT NULL CHECK (length(randomblob(900000000)) > 0))",
        "CREATE TABLE notes (text TEXT DEFAULT 'a'check(randomblob(9)))",
        'CREATE TABLE notes (text TEXT, ["] TEXT CHECK (randomblob(9)), ["b] TEXT)',
        "CREATE TABLE notes (text TEXT, big BLOB GENERATED ALWAYS AS (zeroblob(900000000)))",
        "CREATE TABLE notes (text TEXT, big DEFAULT/**/(randomblob(900000000)))",
        "CREATE INDEX i ON notes (hex(text))",
        "CREATE INDEX i ON notes (text) WHERE hex(text)",
    ],
)
def test_what_computes_in_a_strangers_schema_is_refused_before_it_runs(
    path: Path, sql: str
) -> None:
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "a")
    with by_hand(path) as forged:
        forged.execute("PRAGMA writable_schema = ON")
        if sql.startswith("CREATE TABLE"):
            forged.execute("UPDATE sqlite_schema SET sql = ?", (sql,))
        else:
            forged.execute(sql)
    with pytest.raises(CorpusDamaged, match="which is no table of Headcount"):
        notes(SQLiteFile(path, FORM))
    assert "which is no table of Headcount" in (problem_of(path, FORM) or "")


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE notes (text TEXT NOT NULL, secret TEXT)",
        "CREATE TABLE notes (text TEXT NOT NULL UNIQUE)",
        "CREATE TABLE notes (texts TEXT NOT NULL)",
        "CREATE TABLE notes (text TEXT NOT NULL); CREATE UNIQUE INDEX i ON notes (text)",
        "CREATE TABLE others (text TEXT)",
    ],
)
@pytest.mark.parametrize("version", [0, 1])
def test_tables_that_are_not_as_ours_are_told_in_a_line(path: Path, sql: str, version: int) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as strange:
        strange.executescript(f"{sql}; PRAGMA user_version = {version}")
    if (version, "others" in sql) == (0, True):  # an empty file of ours, and a table beside
        assert notes(SQLiteFile(path, FORM)) == []
        return
    told = r"box of notes .*: damaged \('\w+' is not as Headcount makes it\); throw it away"
    with pytest.raises(CorpusDamaged, match=told):
        notes(SQLiteFile(path, FORM))
    assert re.search(told, problem_of(path, FORM) or "")


BROKEN = r"'notes.sqlite.sum' does not hold the bytes .*; throw it away"
OTHER = """
import os, sys
from pathlib import Path
from tests.tools.test_sqlite_file import FORM, note, notes
from tools.sqlite_file import SQLiteFile
file = SQLiteFile(Path(sys.argv[1]), FORM)
note(file, "other")
print("open", flush=True)
if input() == "kill":
    os._exit(9)
"""
"""A process that writes a note, and closes the file when it is told to."""


@pytest.fixture
def noted(tmp_path: Path) -> Path:
    """A database with one note, closed."""
    noted = tmp_path / "notes.sqlite"
    with closing(SQLiteFile(noted, FORM)) as file:
        note(file, "a" * 9000)
    return noted


@pytest.fixture
def other(noted: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the database open."""
    words = [sys.executable, "-c", OTHER, str(noted)]
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, **ends, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        if process.poll() is None:
            process.communicate("close\n")


def looked_at(noted: Path) -> int:
    """Open a database, and return how many notes it has."""
    with closing(SQLiteFile(noted, FORM)) as file:
        return len(notes(file))


@pytest.mark.parametrize("seed", range(30))
def test_a_flipped_bit_is_told_before_anything_is_read(noted: Path, seed: int) -> None:
    flip(noted, random.Random(seed))
    with pytest.raises(CorpusDamaged, match=BROKEN):
        looked_at(noted)
    assert "delete the checksum only where" in (problem_of(noted, FORM) or "")


def test_a_flipped_bit_of_the_seal_hides_nothing(noted: Path) -> None:
    whole = seal_of(noted).read_bytes()
    for place in range(len(whole) - 1):
        seal_of(noted).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        told = problem_of(noted, FORM)
        assert told is None or re.search(BROKEN, told)


def test_the_last_that_closes_seals_and_reading_leaves_the_seal(noted: Path) -> None:
    before = seal_of(noted).stat()
    assert looked_at(noted) == 1
    assert problem_of(noted, FORM) is None
    assert seal_of(noted).stat() == before
    one, two = SQLiteFile(noted, FORM), SQLiteFile(noted, FORM)
    note(one, "b")
    assert len(notes(two)) == 2
    one.close()
    assert not seal_of(noted).exists()
    two.close()
    assert seal_of(noted).exists()


def test_a_file_that_is_forgotten_where_a_lock_is_held_is_not_waited_for(noted: Path) -> None:
    def forgets() -> None:
        with sqlite_file._READING:
            note(SQLiteFile(noted, FORM), "b")

    async def between_tasks() -> None:
        asyncio.get_running_loop().call_soon(forgets)
        await asyncio.sleep(0)

    asyncio.run(between_tasks())
    assert looked_at(noted) == 2
    assert seal_of(noted).exists()


def test_what_is_open_at_the_end_of_a_program_is_sealed(noted: Path) -> None:
    words = [sys.executable, "-c", OTHER, str(noted)]
    subprocess.run(words, check=True, input="end\n", text=True)
    assert seal_of(noted).exists()
    assert looked_at(noted) == 2


def test_two_processes_seal_once_both_are_done(noted: Path, other: subprocess.Popen[str]) -> None:
    with closing(SQLiteFile(noted, FORM)) as file:
        note(file, "b")
    assert not seal_of(noted).exists()
    other.communicate("close\n")
    assert seal_of(noted).exists()
    assert looked_at(noted) == 3


def test_opening_again_leaves_the_locks_of_those_that_have_it_open(noted: Path) -> None:
    with closing(SQLiteFile(noted, FORM)) as file:
        assert len(notes(file)) == 1
        assert looked_at(noted) == 1
        words = [sys.executable, "-c", OTHER, str(noted)]
        subprocess.run(words, check=True, input="close\n", text=True)
        assert noted.with_name(f"{noted.name}-wal").exists()
        assert len(notes(file)) == 2


def test_after_a_kill_there_is_no_seal_until_the_next_closing(
    noted: Path, other: subprocess.Popen[str]
) -> None:
    other.communicate("kill\n")
    assert not seal_of(noted).exists()
    assert looked_at(noted) == 2
    assert seal_of(noted).exists()


@pytest.mark.parametrize("length", [0, 5, 18])
def test_a_seal_cut_short_by_a_kill_is_none(noted: Path, length: int) -> None:
    seal_of(noted).write_bytes(seal_of(noted).read_bytes()[:length])
    assert looked_at(noted) == 1
    assert len(seal_of(noted).read_bytes()) > length


def test_a_backup_put_back_is_told_and_used_without_the_seal(noted: Path) -> None:
    backup = shutil.copy(noted, noted.with_name("backup"))
    with closing(SQLiteFile(noted, FORM)) as file:
        note(file, "b")
    shutil.copy(backup, noted)
    with pytest.raises(CorpusDamaged, match="where you restored or changed"):
        looked_at(noted)
    seal_of(noted).unlink()
    assert looked_at(noted) == 1


def test_a_copy_made_in_use_is_not_held_against_a_seal_from_before(noted: Path) -> None:
    before = seal_of(noted).read_bytes()
    with closing(SQLiteFile(noted, FORM)) as file:
        note(file, "b")
        copy = noted.with_name("copy")
        for suffix in ("", "-wal"):
            shutil.copy(f"{noted}{suffix}", f"{copy}{suffix}")
        seal_of(copy).write_bytes(before)
        assert looked_at(copy) == 2
    seal_of(noted).write_bytes(before)
    assert looked_at(noted) == 2


def test_a_file_in_place_of_the_log_hides_no_changed_byte(noted: Path) -> None:
    Path(f"{noted}-wal").write_bytes(b"x")
    content = bytearray(noted.read_bytes())
    content[-1] ^= 1
    noted.write_bytes(content)
    with pytest.raises(CorpusDamaged, match="does not hold the bytes"):
        looked_at(noted)


def test_a_new_file_in_place_of_one_moved_away_has_no_seal_of_it(noted: Path) -> None:
    noted.unlink()
    assert looked_at(noted) == 0


def test_without_room_for_a_seal_what_was_written_is_kept(
    noted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched, closing(SQLiteFile(noted, FORM)) as file:
        note(file, "b")
        patched.setattr(sqlite_file, "_sum", full)
        file.close()
    assert not seal_of(noted).exists()
    assert looked_at(noted) == 2


def test_what_is_damaged_without_a_seal_gets_none(noted: Path) -> None:
    with by_hand(noted) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = noted.read_bytes()
    noted.write_bytes(whole[:4096] + b"\x07" * (len(whole) - 4096))
    with pytest.raises(CorpusDamaged):
        looked_at(noted)
    assert not seal_of(noted).exists()


def test_a_strangers_link_in_place_of_a_seal_is_not_written_through(noted: Path) -> None:
    mine = noted.with_name("mine")
    seal_of(noted).unlink()
    seal_of(noted).symlink_to(mine)
    with closing(SQLiteFile(noted, FORM)) as file:
        note(file, "b")
    assert not mine.exists()
