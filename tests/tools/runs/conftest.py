"""The two places where runs are written down: what holds of a store holds in both."""

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tools.runs.server_database import server_store
from tools.runs.store import RunStore


@pytest.fixture(params=["file", "server"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], RunStore]]:
    """Open one and the same place, which is empty at first, as often as it is called."""
    made: list[RunStore] = []
    address = request.getfixturevalue("address") if request.param == "server" else None
    corpus = uuid.uuid4().hex[:12]

    def open_again() -> RunStore:
        file = tmp_path / "runs.sqlite"
        made.append(server_store(address, corpus) if address else RunStore(file))
        return made[-1]

    yield open_again
    for each in made:
        each.close()
