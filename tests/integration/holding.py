"""A model's server that keeps a process waiting while a test looks at what it has done so far."""

import threading
from typing import Any

from tests.integration.hostile import Hostile
from tests.integration.reader import Body

PATIENCE = 60.0


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
