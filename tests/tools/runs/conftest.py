"""The two places where runs are written down: what holds of a store holds in both."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres.server import TestServer
from tools.postgres.address import ServerAddress
from tools.runs.store import RunStore


@pytest.fixture(params=["file", "server"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], RunStore]]:
    """Open one and the same place, which is empty at first, as often as it is called."""
    made: list[RunStore] = []
    server = request.getfixturevalue("database_server") if request.param == "server" else None
    corpus = uuid.uuid4().hex[:12]

    def open_again() -> RunStore:
        made.append(_on_server(server, corpus) if server else RunStore(tmp_path / "runs.sqlite"))
        return made[-1]

    yield open_again
    for each in made:
        each.close()


def _on_server(server: TestServer, corpus: str) -> RunStore:
    from tools.runs.server_database import server_store

    return server_store(ServerAddress.parsed(server.url()), corpus)
