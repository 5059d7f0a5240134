"""A database's seal: who writes it, what it finds, and that it never cries wolf."""

import asyncio
import errno
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent.errors import CorpusDamaged
from tests.integration.test_bit_flips import flip
from tests.tools.changed_by_hand import by_hand
from tests.tools.test_sqlite_file import FORM, note, notes
from tools import sqlite_file
from tools.sqlite_file import SQLiteFile, close_forgotten, problem_of, seal_of

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
def path(tmp_path: Path) -> Path:
    """A database with one note, closed."""
    path = tmp_path / "notes.sqlite"
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "a" * 9000)
    return path


@pytest.fixture
def other(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the database open."""
    words = [sys.executable, "-c", OTHER, str(path)]
    ends = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, **ends, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        yield process
        if process.poll() is None:
            process.communicate("close\n")


def looked_at(path: Path) -> int:
    """Open a database, and return how many notes it has."""
    with closing(SQLiteFile(path, FORM)) as file:
        return len(notes(file))


@pytest.mark.parametrize("seed", range(30))
def test_a_flipped_bit_is_told_before_anything_is_read(path: Path, seed: int) -> None:
    flip(path, random.Random(seed))
    with pytest.raises(CorpusDamaged, match=BROKEN):
        looked_at(path)
    assert "delete the checksum only where" in (problem_of(path, FORM) or "")


def test_a_flipped_bit_of_the_seal_hides_nothing(path: Path) -> None:
    whole = seal_of(path).read_bytes()
    for place in range(len(whole) - 1):
        seal_of(path).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        told = problem_of(path, FORM)
        assert told is None or re.search(BROKEN, told)


def test_the_last_that_closes_seals_and_reading_leaves_the_seal(path: Path) -> None:
    before = seal_of(path).stat()
    assert looked_at(path) == 1
    assert problem_of(path, FORM) is None
    assert seal_of(path).stat() == before
    one, two = SQLiteFile(path, FORM), SQLiteFile(path, FORM)
    note(one, "b")
    assert len(notes(two)) == 2
    one.close()
    assert not seal_of(path).exists()
    two.close()
    assert seal_of(path).exists()


def test_a_file_that_is_forgotten_is_sealed(path: Path) -> None:
    note(SQLiteFile(path, FORM), "b")
    close_forgotten()
    assert seal_of(path).exists()


def test_a_file_that_is_forgotten_where_a_lock_is_held_is_not_waited_for(path: Path) -> None:
    def forgets() -> None:
        with sqlite_file._READING:
            note(SQLiteFile(path, FORM), "b")

    async def between_tasks() -> None:
        asyncio.get_running_loop().call_soon(forgets)
        await asyncio.sleep(0)

    asyncio.run(between_tasks())
    assert looked_at(path) == 2
    assert seal_of(path).exists()


def test_what_is_open_at_the_end_of_a_program_is_sealed(path: Path) -> None:
    words = [sys.executable, "-c", OTHER, str(path)]
    subprocess.run(words, check=True, input="end\n", text=True)
    assert seal_of(path).exists()
    assert looked_at(path) == 2


def test_two_processes_seal_once_both_are_done(path: Path, other: subprocess.Popen[str]) -> None:
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "b")
    assert not seal_of(path).exists()
    other.communicate("close\n")
    assert seal_of(path).exists()
    assert looked_at(path) == 3


def test_opening_again_leaves_the_locks_of_those_that_have_it_open(path: Path) -> None:
    with closing(SQLiteFile(path, FORM)) as file:
        assert len(notes(file)) == 1
        assert looked_at(path) == 1
        words = [sys.executable, "-c", OTHER, str(path)]
        subprocess.run(words, check=True, input="close\n", text=True)
        assert path.with_name(f"{path.name}-wal").exists()
        assert len(notes(file)) == 2


def test_after_a_kill_there_is_no_seal_until_the_next_closing(
    path: Path, other: subprocess.Popen[str]
) -> None:
    other.communicate("kill\n")
    assert not seal_of(path).exists()
    assert looked_at(path) == 2
    assert seal_of(path).exists()


@pytest.mark.parametrize("length", [0, 5, 18])
def test_a_seal_cut_short_by_a_kill_is_none(path: Path, length: int) -> None:
    seal_of(path).write_bytes(seal_of(path).read_bytes()[:length])
    assert looked_at(path) == 1
    assert len(seal_of(path).read_bytes()) > length


def test_a_backup_put_back_is_told_and_used_without_the_seal(path: Path) -> None:
    backup = shutil.copy(path, path.with_name("backup"))
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "b")
    shutil.copy(backup, path)
    with pytest.raises(CorpusDamaged, match="where you restored or changed"):
        looked_at(path)
    seal_of(path).unlink()
    assert looked_at(path) == 1


def test_a_copy_made_in_use_is_not_held_against_a_seal_from_before(path: Path) -> None:
    before = seal_of(path).read_bytes()
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "b")
        copy = path.with_name("copy")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", f"{copy}{suffix}")
        seal_of(copy).write_bytes(before)
        assert looked_at(copy) == 2
    seal_of(path).write_bytes(before)
    assert looked_at(path) == 2


def test_a_file_in_place_of_the_log_hides_no_changed_byte(path: Path) -> None:
    Path(f"{path}-wal").write_bytes(b"x")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(CorpusDamaged, match="does not hold the bytes"):
        looked_at(path)


def test_a_new_file_in_place_of_one_moved_away_has_no_seal_of_it(path: Path) -> None:
    path.unlink()
    assert looked_at(path) == 0


def test_without_room_for_a_seal_what_was_written_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Path) -> bytes:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched, closing(SQLiteFile(path, FORM)) as file:
        note(file, "b")
        patched.setattr(sqlite_file, "_sum", full)
        file.close()
    assert not seal_of(path).exists()
    assert looked_at(path) == 2


def test_what_is_damaged_without_a_seal_gets_none(path: Path) -> None:
    with by_hand(path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\x07" * (len(whole) - 4096))
    with pytest.raises(CorpusDamaged):
        looked_at(path)
    assert not seal_of(path).exists()


def test_a_strangers_link_in_place_of_a_seal_is_not_written_through(path: Path) -> None:
    mine = path.with_name("mine")
    seal_of(path).unlink()
    seal_of(path).symlink_to(mine)
    with closing(SQLiteFile(path, FORM)) as file:
        note(file, "b")
    assert not mine.exists()
