"""A pooler as teams put before their server: all its clients share one connection to it."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Thread
from typing import Final

import psycopg

from tests.postgres.server import TestServer

_LENGTH: Final = struct.Struct("!I")
_ENCRYPTED: Final = (80877103, 80877104)
"""What asks for TLS or GSSAPI before the start-up message: it is told no."""
_IDLE: Final = b"I"


class _Stream:
    """One side's messages: a letter, a length, a body."""

    def __init__(self, opened: socket.socket) -> None:
        self.socket = opened
        self._file = opened.makefile("rb")

    def message(self) -> tuple[bytes, bytes]:
        """Return the next message's letter and the whole message; empty at the end."""
        head = self._file.read(5)
        if len(head) < 5:
            return b"", b""
        (length,) = _LENGTH.unpack(head[1:])
        return head[:1], head + self._file.read(length - 4)

    def start(self) -> None:
        """Read the messages that have no letter, up to the one that names user and database."""
        while True:
            (length,) = _LENGTH.unpack(self._file.read(4))
            (code,) = _LENGTH.unpack(self._file.read(length - 4)[:4])
            if code not in _ENCRYPTED:
                return
            self.socket.sendall(b"N")

    def close(self) -> None:
        self._file.close()
        self.socket.close()


class _Pooler:
    """The server's one connection; who is in a transaction has it for himself."""

    def __init__(self, server: TestServer) -> None:
        self._connection = psycopg.connect(server.url())
        self._server = _Stream(socket.socket(fileno=os.dup(self._connection.fileno())))
        self._server.socket.setblocking(True)
        self._turn = Lock()

    def serve(self, opened: socket.socket) -> None:
        client = _Stream(opened)
        client.start()
        client.socket.sendall(_welcome())
        mine = False
        while True:
            letter, message = client.message()
            if letter in {b"", b"X"}:
                break
            if not mine:
                self._turn.acquire()
                mine = True
            self._server.socket.sendall(message)
            if letter in {b"Q", b"S"} and self._answered(client) == _IDLE:
                self._turn.release()
                mine = False
        client.close()

    def _answered(self, client: _Stream) -> bytes:
        """Hand the server's messages on until it is ready; return in which state it is then."""
        letter = b""
        while letter != b"Z":
            letter, message = self._server.message()
            client.socket.sendall(message)
        return message[-1:]

    def close(self) -> None:
        self._server.close()
        self._connection.close()


def _welcome() -> bytes:
    """Let a client in, as process 1: it is no process of the server's."""
    told = {
        "server_version": "16.0",
        "client_encoding": "UTF8",
        "standard_conforming_strings": "on",
    }
    parts = [_framed(b"R", _LENGTH.pack(0))]
    parts += [_framed(b"S", f"{name}\0{value}\0".encode()) for name, value in told.items()]
    return b"".join((*parts, _framed(b"K", struct.pack("!II", 1, 1)), _framed(b"Z", _IDLE)))


def _framed(letter: bytes, body: bytes) -> bytes:
    return letter + _LENGTH.pack(len(body) + 4) + body


@contextmanager
def transaction_pooler(server: TestServer) -> Iterator[str]:
    """Run a pooler that shares one connection among transactions; yield its URL."""
    pooler = _Pooler(server)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        serving: list[Thread] = []

        def accept() -> None:
            while True:
                try:
                    opened, _ = listening.accept()
                except OSError:
                    return
                serving.append(Thread(target=pooler.serve, args=(opened,)))
                serving[-1].start()

        accepting = Thread(target=accept)
        accepting.start()
        try:
            yield f"postgresql://headcount@127.0.0.1:{port}/postgres"
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            for each in (accepting, *serving):
                each.join()
    pooler.close()
