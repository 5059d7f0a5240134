"""The leases as corpora to copy for each test, and the settings of a run over them."""

import time
from pathlib import Path
from typing import Any

import pytest

from tests.built import write
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import _built, _leases_folder  # noqa: F401 - fixtures
from tests.graphs.prepared import copied, prepared
from tests.integration.asking import IDEAL, by_command, same_but_for_the_bill
from tests.integration.hostile import Hostile
from tests.integration.scattered import scattered_leases
from tools.corpus.corpus import Corpus, open_corpus

DAY = 86_400 * 10**9
JUMPS = {"back": (-DAY,), "on": (DAY,), "to and fro": (-DAY, DAY)}


@pytest.fixture(params=JUMPS)
def jumped(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Have the wall clock set anew whenever it is looked at; the monotonic one goes on."""
    jumps, real, looks = JUMPS[request.param], time.time_ns, [0]

    def told() -> int:
        looks[0] += 1
        return real() + jumps[looks[0] % len(jumps)]

    monkeypatch.setattr(time, "time_ns", told)
    monkeypatch.setattr(time, "time", lambda: told() / 1e9)
    return monkeypatch


@pytest.fixture
def place(_built: Path, tmp_path: Path) -> Path:  # noqa: F811
    return copied(_built, tmp_path).path


@pytest.fixture
def corpus(place: Path) -> Corpus:
    return open_corpus(place)


@pytest.fixture(scope="module")
def whole(
    _built: Path,  # noqa: F811
    tmp_path_factory: pytest.TempPathFactory,
    _provider_process: FakeProvider,
) -> dict[str, Any]:
    """The answer of a run that nothing ends, bill left out."""
    copy = copied(_built, tmp_path_factory.mktemp("whole")).path
    _provider_process.reset()
    _provider_process.answer = server = Hostile()
    printed = by_command(copy, _provider_process)
    assert server.sold.total() == IDEAL
    return same_but_for_the_bill(printed.answer)


@pytest.fixture(scope="session")
def _scattered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scattered")
    return prepared([write(folder / "leases", scattered_leases())], folder / "leases.corpus")


@pytest.fixture
def scattered_place(_scattered: Path, tmp_path: Path) -> Path:
    """The corpus of which a filter loses some leases that allow animals."""
    return copied(_scattered, tmp_path).path


@pytest.fixture
def scattered(scattered_place: Path) -> Corpus:
    return open_corpus(scattered_place)
