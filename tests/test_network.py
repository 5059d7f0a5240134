"""The tests' own walls: no network but loopback, no tracing, no settings of the machine."""

import os
import socket

import pytest


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("example.org", 80), ("2001:db8::1", 80)])
def test_other_machines_are_out_of_reach(address: tuple[str, int]) -> None:
    with pytest.raises(PermissionError, match="reached for the network"):
        socket.create_connection(address, timeout=0.1)


def test_an_open_socket_cannot_leave_either() -> None:
    with socket.socket() as open_socket, pytest.raises(PermissionError):
        open_socket.connect(("192.0.2.1", 80))


def test_tracing_is_off() -> None:
    assert os.environ["LANGSMITH_TRACING"] == os.environ["LANGCHAIN_TRACING_V2"] == "false"
