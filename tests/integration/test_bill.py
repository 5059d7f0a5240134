"""Every reply that a server sold is on the run's bill, whatever ended the process that paid it."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from graphs.apps.exits import Exit
from tests.fake_provider.replies import FAULTS, Reply
from tests.fake_provider.server import FakeProvider
from tests.integration.asking import Printed, by_command
from tests.integration.hostile import Hostile
from tests.integration.reader import Body

pytestmark = [pytest.mark.slow, pytest.mark.faults]


@dataclass
class Revoked:
    """A good server whose key is withdrawn after so many replies."""

    after: int
    server: Hostile = field(default_factory=Hostile)

    @property
    def sold(self) -> int:
        return self.server.sold.total()

    def __call__(self, text: str, body: Body) -> Reply:
        return FAULTS["401"] if self.sold >= self.after else self.server(text, body)


def resumed(printed: Printed, place: Path, provider: FakeProvider, *more: str) -> Printed:
    """Go on as the command's last words say."""
    run = printed.stderr.rsplit("--resume ", 1)[1].split()[0]
    return by_command(place, provider, "--resume", run, *more)


@pytest.mark.parametrize("limit", [13, 16])
def test_errors_on_resumption_do_not_open_the_limit(
    limit: int, provider: FakeProvider, place: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_RESPONSE_CACHE", "false")
    sold, most = 0, ("--max-calls", str(limit))
    provider.answer = first = Revoked(6)
    printed = by_command(place, provider, *most)
    sold += first.sold
    for _ in range(limit):
        if printed.code != Exit.ERROR:
            break
        provider.answer = again = Revoked(3)
        printed = resumed(printed, place, provider, *most)
        sold += again.sold
    assert printed.code == Exit.BUDGET
    assert printed.answer["cost"]["model_calls"] == sold == limit


def test_a_limit_before_anything_was_read_tells_the_reply_that_was_no_use(
    provider: FakeProvider, place: Path
):
    provider.answer = server = Hostile(malformed=1.0, kinds=("interpret",))
    printed = by_command(place, provider, "--max-calls", "1")
    assert printed.code == Exit.BUDGET
    assert printed.answer["cost"]["model_calls"] == server.sold.total() == 1
