"""One SQLite file: formats, nesting, what errors are told as."""

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import CorpusDamaged, CorpusError
from tools.sqlite_file import FileForm, SQLiteFile

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
