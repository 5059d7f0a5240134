"""`python -m evals.benchmarks.cluster.nodes`: a Ray cluster of two nodes on this machine.

Prints the address of its head. A line `kill` on standard input kills the second node at once, as a
loss of power would, and prints `killed`. At the end of the input the cluster is taken down.
"""

import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ("Nodes", "two_nodes")

_STORE = 256 * 1024 * 1024
_PATIENCE = 180
"""Seconds for a node to start: the machine may be busy."""
_TOLD = 2000
_QUIET = {
    "RAY_raylet_start_wait_time_s": str(_PATIENCE),
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_IMPORT_WARNING": "1",
}


@dataclass(frozen=True, slots=True)
class Nodes:
    """A cluster that runs in a process of its own."""

    process: "subprocess.Popen[str]"
    address: str

    def kill_one(self) -> None:
        """Kill the node that is not the head, and return when it is dead."""
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the cluster's process has no pipes")
        self.process.stdin.write("kill\n")
        self.process.stdin.flush()
        if self.process.stdout.readline().strip() != "killed":
            raise RuntimeError("the node was not killed")


@contextmanager
def two_nodes() -> Iterator[Nodes]:
    """Start two nodes of one core each and take them down afterwards."""
    with tempfile.TemporaryFile("w+") as told:
        process = subprocess.Popen(
            [sys.executable, "-m", "evals.benchmarks.cluster.nodes"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
            env=os.environ | _QUIET,
        )
        with _ended(process):
            address = process.stdout.readline().strip() if process.stdout else ""
            if not address:
                told.seek(0)
                raise RuntimeError(f"the cluster did not start: {told.read()[-_TOLD:]}")
            yield Nodes(process, address)


@contextmanager
def _ended(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Take the cluster down at the end."""
    with process:
        try:
            yield
        finally:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(timeout=_PATIENCE)


def _serve() -> None:
    from ray.cluster_utils import Cluster

    logging.getLogger("ray").setLevel(logging.ERROR)
    node = {
        "num_cpus": 1,
        "object_store_memory": _STORE,
        "include_dashboard": False,
    }
    cluster = Cluster(initialize_head=True, head_node_args=node)
    other = cluster.add_node(num_cpus=1, object_store_memory=_STORE)
    cluster.wait_for_nodes(timeout=_PATIENCE)
    _say(cluster.address)
    for line in sys.stdin:
        if line.strip() == "kill":
            other.kill_raylet(check_alive=False)
            threading.Thread(target=cluster.remove_node, args=(other, False), daemon=True).start()
            _say("killed")
    cluster.shutdown()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _serve()
