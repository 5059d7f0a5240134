"""The response cache: durable, private, one flight a key, clear when damaged."""

import stat
import threading
from pathlib import Path

import pytest

from agent.errors import CorpusDamaged, CorpusError
from agent.reasoners.ledger import Usage
from tools.runs.file_replies import FileReplies

USAGE = Usage(1, 2)


def test_a_reply_is_on_disk_before_the_cache_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "c.sqlite"
    with FileReplies(path) as cache, FileReplies(path) as other:
        cache.put("k", "reply", USAGE)
        assert other.get("k") == "reply"


def test_only_the_owner_can_read_the_files(tmp_path: Path) -> None:
    with FileReplies(tmp_path / "c.sqlite") as cache:
        cache.put("k", "reply", USAGE)
        modes = {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == {0o600}


@pytest.mark.parametrize(
    "content", [b"no database at all" * 100, b"SQLite format 3\0" + b"x" * 999]
)
@pytest.mark.faults
def test_a_damaged_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.sqlite"
    path.write_bytes(content)
    with pytest.raises(CorpusDamaged, match=r"c\.sqlite.*delete it"):
        FileReplies(path).get("k")


def test_one_thread_at_a_time_works_on_a_key(tmp_path: Path) -> None:
    computed = []
    with FileReplies(tmp_path / "c.sqlite") as cache:

        def work() -> None:
            with cache.flight("k"):
                if cache.get("k") is None:
                    computed.append(1)
                    cache.put("k", "reply", USAGE)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not cache._flights._locks
    assert computed == [1]


@pytest.mark.faults
def test_a_reply_that_could_not_be_written_is_written_with_the_next(tmp_path: Path) -> None:
    with FileReplies(tmp_path / "c.sqlite") as cache:
        cache.put("c", "reply", USAGE)
        with cache._file.reading() as connection:
            connection.execute("pragma max_page_count = 3")
        with pytest.raises(CorpusError, match="full"):
            cache.put("a", "x" * 100_000, USAGE)
        connection.execute("pragma max_page_count = 1000")
        cache.put("b", "reply", USAGE)
        assert cache.get("a") == "x" * 100_000
        assert cache.get("b") == "reply"
