"""A command whose server ends it in the middle, and what it leaves on disk."""

import os
import signal
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fake_provider.server import FakeProvider
from tests.integration.asking import MANY_REQUESTS, Printed, command
from tests.integration.forked import Forked
from tests.integration.hostile import Hostile
from tests.integration.reader import Body
from tools.runs.store import RunStore

IN_FLIGHT = int(MANY_REQUESTS["HEADCOUNT_CONCURRENCY"])


@dataclass
class Killing:
    """A good server that sends its client a signal when so many requests have come."""

    at: int
    signal: signal.Signals
    server: Hostile = field(default_factory=Hostile)
    client: Callable[[], int] = lambda: 0
    again: int = 0
    """The request at which it is sent once more, should one come: a signal that comes just as the
    main thread begins to wait is seen with the next."""

    def __call__(self, text: str, body: Body) -> Any:
        reply = self.server(text, body)
        if self.server.sold.total() in {self.at, self.again}:
            os.kill(self.client(), self.signal)
        return reply


def interrupted(
    place: Path,
    provider: FakeProvider,
    killing: Killing,
    settings: Mapping[str, str] = MANY_REQUESTS,
    *more: str,
) -> Printed:
    """Start the command, let the server end it, and return what it left."""
    child = Forked(command(place, provider, *more), place.parent, settings)
    killing.client = child.pid
    provider.answer = killing
    return child.outcome()


def run_in(place: Path) -> str:
    """Return the id of the only run."""
    with RunStore(place / "runs" / "runs.sqlite") as store:
        (info,) = store.runs()
    return info.run


def kept_replies(place: Path) -> int:
    """Return how many replies the killed process had brought to disk."""
    path = place / "runs" / "responses.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("select count(*) from replies").fetchone()
    return int(number)
