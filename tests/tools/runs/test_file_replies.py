"""The response cache, in a file or on a server: durable, one flight a key, clear when damaged."""

import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent.errors import CorpusError
from agent.reasoners.ledger import Usage
from tools.runs.file_replies import FileReplies, StoredReplies
from tools.runs.server_database import server_replies

USAGE = Usage(1, 2)


@pytest.fixture(params=["file", "server"])
def two(
    request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[StoredReplies, StoredReplies]]:
    """The caches of two processes, or of two machines, over one corpus."""
    corpus = uuid.uuid4().hex[:12]

    def opened() -> StoredReplies:
        if request.param == "file":
            return FileReplies(tmp_path / "c.sqlite")
        return server_replies(request.getfixturevalue("address"), corpus)

    here, there = opened(), opened()
    yield here, there
    here.close()
    there.close()


def test_a_reply_is_there_for_the_other_at_once_and_the_latest_counts(
    two: tuple[StoredReplies, StoredReplies],
):
    here, there = two
    assert there.get("k") is None
    here.put("k", '{"ü": "?%s"}', USAGE)
    assert there.get("k") == '{"ü": "?%s"}'
    there.put("k", "{}", USAGE)
    assert here.get("k") == "{}"


def test_one_thread_at_a_time_works_on_a_key(two: tuple[StoredReplies, StoredReplies]) -> None:
    here, _ = two
    asked: list[int] = []

    def ask(number: int) -> None:
        with here.flight("k"):
            if here.get("k") is None:
                asked.append(number)
                here.put("k", str(number), USAGE)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert [here.get("k")] == [str(number) for number in asked]
    assert not here._flights


@pytest.mark.faults
def test_what_a_full_disk_has_no_room_for_is_told_and_the_next_reply_is_kept(
    tmp_path: Path,
) -> None:
    with FileReplies(tmp_path / "c.sqlite") as cache:
        cache.put("c", "reply", USAGE)
        with cache._tables.reading() as connection:
            connection.execute("pragma max_page_count = 3")
        with pytest.raises(CorpusError, match="full"):
            cache.put("a", "x" * 100_000, USAGE)
        connection.execute("pragma max_page_count = 1000")
        cache.put("b", "reply", USAGE)
        assert (cache.get("a"), cache.get("b"), cache.get("c")) == (None, "reply", "reply")
