"""One SQLite file: formats, nesting, what errors are told as."""

import os
import re
import sqlite3
import stat
import struct
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import CorpusDamaged, CorpusError
from tests.tools.changed_by_hand import by_hand
from tools.sqlite_file import FileForm, SQLiteFile, problem_of

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


@pytest.mark.parametrize("version", [-1, -(2**31)])
def test_a_file_of_no_format_of_ours_is_left_alone(path: Path, version: int) -> None:
    note(file := SQLiteFile(path, FORM), "a")
    file.close()
    with by_hand(path) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    told = f"its format is {version}, none of Headcount); throw it away"
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
        "CREATE INDEX i ON notes (text LIKE '%a%')",
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


def test_names_of_columns_and_tables_may_be_words_of_sql(path: Path) -> None:
    tables = (
        'CREATE TABLE "check (as)" ("check" TEXT NOT NULL DEFAULT \'\', "default" TEXT, `as` TEXT)',
        'CREATE UNIQUE INDEX "a ""b""" ON "check (as)" ("check", "as")',
    )
    named = replace(FORM, migrations=(*FORM.migrations, tables))
    note(SQLiteFile(path, named), "a")
    assert notes(SQLiteFile(path, named)) == [("a",)]
