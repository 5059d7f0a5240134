"""What takes a minute fails its test: the signal of `limited` would end the process."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _too_long() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("takes a minute"))
    yield
    signal.signal(signal.SIGALRM, before)
