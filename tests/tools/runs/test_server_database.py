"""Replies on a server: what one machine paid for is there for the others."""

import threading
import uuid
from collections.abc import Iterator

import pytest

from agent.reasoners.ledger import Usage
from tests.postgres.server import TestServer
from tools.postgres.address import ServerAddress
from tools.runs.server_database import ServerReplies


@pytest.fixture
def two(database_server: TestServer) -> Iterator[tuple[ServerReplies, ServerReplies]]:
    """The caches of two machines over one corpus."""
    address, corpus = ServerAddress.parsed(database_server.url()), uuid.uuid4().hex[:12]
    here, there = ServerReplies(address, corpus), ServerReplies(address, corpus)
    yield here, there
    here.close()
    there.close()


def test_a_reply_is_found_elsewhere_and_the_latest_counts(two: tuple[ServerReplies, ServerReplies]):
    here, there = two
    assert there.get("k") is None
    here.put("k", '{"ü": "?%s"}', Usage(3, 2))
    assert there.get("k") == '{"ü": "?%s"}'
    there.put("k", "{}", Usage(3, 2))
    assert here.get("k") == "{}"


def test_one_thread_at_a_time_works_on_a_key(two: tuple[ServerReplies, ServerReplies]):
    here, _ = two
    asked: list[int] = []

    def ask(number: int) -> None:
        with here.flight("k"):
            if here.get("k") is None:
                asked.append(number)
                here.put("k", str(number), Usage(1, 1))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [here.get("k")] == [str(number) for number in asked]
