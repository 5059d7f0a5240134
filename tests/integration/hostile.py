"""Providers that go wrong, count what they sold, and end a command or keep it waiting meanwhile."""

import hashlib
import json
import os
import signal
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fake_provider.replies import FAULTS, Reply, completion
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import MANY_REQUESTS, Printed, command
from tests.integration.forked import PATIENCE, Forked
from tests.integration.reader import Body, Reader, kind_of, read
from tools.runs.store import RunStore

_MALFORMED = ('{"passages": [', "I see nothing of the kind.", '{"passages": "none"}', "{}")


@dataclass
class Hostile:
    """Spoils a share of a good reader's replies.

    Which ones is decided by the request's text and by how often it came, not by the order in
    which concurrent requests arrive.
    """

    malformed: float = 0.0
    failing: float = 0.0
    kinds: tuple[str, ...] = ("interpret", "classify", "plan", "observe", "judge")
    """The prompts whose replies it spoils."""
    seed: str = ""
    reader: Reader = read
    failures: Sequence[str] = ("500",)
    """The faults of the fake that a failing reply has, each as often."""
    most: int = 10_000
    """Replies that it spoils, at most."""
    sold: Counter[str] = field(default_factory=Counter)
    """Completions by kind of prompt, spoilt ones included: what a provider puts on the bill."""
    spoilt: Counter[str] = field(default_factory=Counter)
    _came: Counter[str] = field(default_factory=Counter)

    def __call__(self, text: str, body: Body) -> Reply:
        kind = kind_of(body)
        spoils = kind in self.kinds and self.spoilt.total() < self.most
        draw = self._draw(body) if spoils else 1.0
        if draw < self.failing:
            self.spoilt["failing"] += 1
            return FAULTS[self.failures[int(draw * 1e6) % len(self.failures)]]
        self.sold[kind] += 1
        if draw < self.failing + self.malformed:
            self.spoilt["malformed"] += 1
            return completion(_MALFORMED[int(draw * 1e6) % len(_MALFORMED)])
        return self.reader(text, body)

    def _draw(self, body: Body) -> float:
        """Return a number in [0, 1) that another seed, text or repetition changes."""
        told = json.dumps(body["messages"], sort_keys=True)
        self._came[told] += 1
        digest = hashlib.sha256(f"{self.seed}\0{self._came[told]}\0{told}".encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48


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
    """Return the id of the only run, empty where none has begun."""
    if not (place / "runs" / "runs.sqlite").exists():
        return ""
    with RunStore(place / "runs" / "runs.sqlite") as store:
        return next((info.run for info in store.runs()), "")


def kept_replies(place: Path) -> int:
    """Return how many replies the killed process had brought to disk."""
    path = place / "runs" / "responses.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        (number,) = connection.execute("select count(*) from replies").fetchone()
    return int(number)


class Holding:
    """A good server that keeps one request waiting until it is let go."""

    def __init__(self, at: int) -> None:
        self.server = Hostile()
        self.at = at
        self.came = threading.Event()
        self.go = threading.Event()

    def __call__(self, text: str, body: Body) -> Any:
        reply = self.server(text, body)
        if self.server.sold.total() == self.at:
            self.came.set()
            assert self.go.wait(PATIENCE)
        return reply
