"""Daft, set up once a process: in this process, or on a Ray cluster.

Daft and Ray send usage figures home unless told not to; they are told before they are imported.
"""

import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from agent.errors import CorpusUnreachable, SettingsError

__all__ = ("daft", "failures_told", "on_cluster")

_SILENCE = {
    "DO_NOT_TRACK": "1",
    "DAFT_ANALYTICS_ENABLED": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "DAFT_PROGRESS_BAR": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # Ray prints what befalls nodes on standard output: ours
}


_PATIENCE = 10.0
"""Seconds to wait for the head of a cluster."""
_CAUSE = re.compile(r"\d+: (.+)")


@cache
def daft() -> Any:
    """Return the module; raises SettingsError where the extra is not installed."""
    os.environ.update(_SILENCE)
    try:
        import daft as module
    except ImportError as error:
        raise SettingsError(
            f"a sharded corpus needs Daft ({error}): install it with `pip install headcount[daft]`"
        ) from error
    return module


@cache
def on_cluster(address: str) -> None:
    """Run every later job of this process on a Ray cluster.

    Args:
        address: `auto` for the cluster that this machine is a node of, or `HOST:PORT` of its head.

    Raises:
        SettingsError: the extra is not installed, no cluster answers there, or another runner is
            in use already.
    """
    module = daft()
    _check_answers(address)
    try:
        import ray
    except ImportError as error:
        raise SettingsError(
            f"a cluster needs Ray ({error}): install it with `pip install headcount[ray]`"
        ) from error
    try:
        ray.init(
            address=address, log_to_driver=False, logging_level="error", ignore_reinit_error=True
        )
        module.set_runner_ray(noop_if_initialized=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise SettingsError(
            f"no Ray cluster can be used at {address!r} ({error}): start one with `ray start`"
        ) from error


def _check_answers(address: str) -> None:
    """Refuse an address where nothing listens: Ray would go on trying for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SettingsError(
            f"no Ray cluster answers at {address!r} ({error}): give HOST:PORT of its head"
        ) from error


@contextmanager
def failures_told(place: str) -> Iterator[None]:
    """Turn the failure of a job, or of a file that it reads, into CorpusUnreachable."""
    module = daft()
    try:
        yield
    except (module.exceptions.DaftCoreException, OSError, *_ray_errors()) as error:
        raise CorpusUnreachable(
            f"the sharded corpus at {place!r} could not be read in full ({_reason(error)}): "
            "nothing was concluded from the rest; see that every node reaches it, then ask again"
        ) from error


def _reason(error: Exception) -> str:
    r"""Return what happened, and why: the last of the causes that Daft lists.

    >>> _reason(OSError("SocketError\n\nCaused by the following errors:\n  1: io\n  2: refused"))
    'SocketError: refused'
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    cause = _CAUSE.fullmatch(lines[-1])
    return lines[0] if cause is None else f"{lines[0]}: {cause[1]}"


def _ray_errors() -> tuple[type[Exception], ...]:
    """Return the root of Ray's errors where a cluster is in use."""
    import sys

    ray = sys.modules.get("ray.exceptions")
    return () if ray is None else (ray.RayError,)
