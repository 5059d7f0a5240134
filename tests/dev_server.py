"""LangGraph's own development server in a process of its own, as `langgraph dev` starts it."""

import importlib.util
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

ROOT = Path(__file__).parents[1]
_PATIENCE = 90
_ALONE = {
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGGRAPH_NO_VERSION_CHECK": "true",
    "LANGSMITH_TRACING": "false",
}
"""Keeps the server from the network."""

_FAULTS = ("Blocking call", "not found in", "unregistered type", "Blocked deserialization")


@dataclass
class DevServer:
    """A server, and what it wrote."""

    client: SyncLangGraphClient
    log: Path

    def faults(self) -> list[str]:
        """Return the lines of its log that tell of a fault of the program."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [each for each in lines if any(told in each for told in _FAULTS)]


@contextmanager
def dev_server(folder: Path, **environment: str) -> Iterator[DevServer]:
    """Serve what `langgraph.json` names; the server's own files are kept in a folder."""
    if importlib.util.find_spec("langgraph_api") is None:
        pytest.skip("there is no development server: pip install 'langgraph-cli[inmem]'")
    for name in ("langgraph.json", "agent", "tools", "prompts", "graphs"):
        (folder / name).symlink_to(ROOT / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    log = folder / "server.log"
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload"]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*command, "--port", port],
            cwd=folder,
            env=os.environ | _ALONE | environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait(process, address, log)
        with get_sync_client(url=address) as client:
            yield DevServer(client, log)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            if httpx2.get(f"{address}/ok").is_success:
                return
        except httpx2.TransportError:
            time.sleep(0.2)
    raise AssertionError(f"no server: {log.read_text(encoding='utf-8')[-2000:]}")
